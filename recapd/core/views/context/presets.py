"""How a context is laid out: headings, order, speakers. recapd's own, and one of each program it learned from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from recapd.core.settings import WindowSettings
from recapd.core.views.context.lines import SectionName

EARLIER: Final = "## Earlier in this conversation"


class Preset(Struct, frozen=True):
    """Sections in their order; whatever the order, those up to the summary stay as they are while a session grows."""

    order: tuple[SectionName, ...]
    headings: Mapping[SectionName, str]
    user: str = "User: "
    agent: str = "Agent: "
    # Before everything else, behind the messages, and where there is nothing to tell.
    opening: str = ""
    # Above all sections but a warning.
    title: str = ""
    closing: str = ""
    nothing: str = ""
    # Whether messages and decisions name their turn.
    numbered: bool = True
    # Whether what was done last comes before what is left to do.
    deeds_first: bool = False
    # What stays word for word unless the caller or the configuration says otherwise.
    window: WindowSettings | None = None
    # Whether the messages at the end are given word for word at all.
    has_window: bool = True


_DEFAULT: Final = Preset(
    order=("pinned", "request", "decisions", "summary", "progress", "files", "lost", "relevant", "recent"),
    headings={
        "pinned": "## System prompt",
        "request": "## Request",
        "decisions": "## Decisions and constraints",
        "summary": EARLIER,
        "progress": "## Open",
        "files": "## Files",
        "lost": "## Left out by the agent's own summary",
        "relevant": "## Relevant to what comes next ([turn])",
        "recent": "## Recent messages",
    },
)

PRESETS: Final[Mapping[str, Preset]] = {
    "default": _DEFAULT,
    # Seed 004's resume prompt: task, where it stands, what was decided and done, and not to do it again.
    "resume": Preset(
        order=("pinned", "request", "decisions", "summary", "progress", "files", "lost", "relevant", "recent"),
        headings={
            **_DEFAULT.headings,
            "request": "## Task",
            "summary": "## Previous Context Summary",
            "progress": "## Where it stands",
        },
        opening="This is a continuation of earlier work. What is told here is done: go on from it, do not repeat it.",
    ),
    # Seed 000: the facts an orientation is written from.
    "gitclaw": Preset(
        order=("request", "decisions", "summary", "progress", "lost", "relevant", "recent"),
        headings={
            **_DEFAULT.headings,
            "request": "Original request:",
            "decisions": "Key decisions:",
            "progress": "Recent actions:",
        },
        deeds_first=True,
    ),
    # Seed 001: a section of the next instance's system prompt; how the last one ended comes first.
    "mindloop": Preset(
        order=("warning", "request", "decisions", "summary", "progress", "lost", "relevant"),
        headings={
            "warning": "# Warning",
            "request": "Asked first:",
            "decisions": "Decisions:",
            "summary": "What happened:",
            "progress": "Open:",
            "lost": _DEFAULT.headings["lost"],
            "relevant": _DEFAULT.headings["relevant"],
        },
        title="# Previous session recap",
        has_window=False,
    ),
    # Seed 002: the summary, then the history, each line marked as past.
    "know-thyself": Preset(
        order=("summary", "lost", "relevant", "recent"),
        headings={
            "summary": EARLIER,
            "lost": _DEFAULT.headings["lost"],
            "relevant": "## Relevant from earlier",
            "recent": "## CONVERSATION HISTORY (for context only - do NOT respond to these)",
        },
        user="[PAST] User: ",
        agent="[PAST] Assistant: ",
        closing="(End of conversation history)",
        nothing="(No prior messages in this conversation)",
        numbered=False,
    ),
    # Seed 003: summaries in place of what they cover, then the last ten messages.
    "mycode": Preset(
        order=("pinned", "summary", "files", "decisions", "lost", "relevant", "recent"),
        headings={
            "pinned": "System prompt:",
            "summary": "--- Earlier in conversation ---",
            "files": "Files modified:",
            "decisions": "Key decisions:",
            "lost": _DEFAULT.headings["lost"],
            "relevant": "Relevant from earlier:",
            "recent": "Recent messages:",
        },
        opening="Previous conversation context:",
        agent="Assistant: ",
        numbered=False,
        window=WindowSettings(unit="messages", size=10),
    ),
    # Seed 004: the summary in fields, then the last ten messages.
    "apex": Preset(
        order=("pinned", "request", "decisions", "summary", "progress", "files", "lost", "relevant", "recent"),
        headings={
            **_DEFAULT.headings,
            "request": "## Previous Context Summary",
            "decisions": "Key decisions:",
            "summary": "Earlier:",
            "progress": "Progress:",
            "files": "File modifications:",
        },
        agent="Assistant: ",
        window=WindowSettings(unit="messages", size=10),
    ),
}


def preset_named(name: str) -> Preset:
    """Unknown names may come from newer clients: they get the default."""
    return PRESETS.get(name, _DEFAULT)
