"""A recap written down for people, never above its token budget: one way in to all formats.

All text that comes from a log is escaped: it can neither break the page nor pass for part of it.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

from msgspec import Struct

from recapd.core.settings import DEFAULTS, RecapSettings
from recapd.core.text import PAGE_HEADS
from recapd.core.views.recap.decisions import decisions_page
from recapd.core.views.recap.full import full_markdown, full_page
from recapd.core.views.recap.gitclaw import gitclaw_full, gitclaw_short
from recapd.core.views.recap.page import Page, Written, room_below, write
from recapd.core.views.recap.produced import facts_of, state_item
from recapd.core.views.recap.read import read_page
from recapd.core.views.recap.recap import Recap
from recapd.core.views.recap.resume import resume_page
from recapd.core.views.recap.short import short_markdown, short_page
from recapd.core.views.recap.timeline import Checkpoint, timeline_page
from recapd.core.views.recap.view import View

Format: TypeAlias = Literal["short", "full", "decisions", "timeline", "resume"]

FORMATS: Final[tuple[Format, ...]] = get_args(Format)
SHORT_TOKENS = DEFAULTS.recap.short_max_tokens
FULL_TOKENS = DEFAULTS.recap.full_max_tokens

# What the state says whatever page is asked for.
_HEADLINE_CHARS = 200

__all__ = [
    "FORMATS",
    "FULL_TOKENS",
    "SHORT_TOKENS",
    "Format",
    "Told",
    "Wanted",
    "full_markdown",
    "markdown_of",
    "short_markdown",
    "told_of",
]


class Wanted(Struct, frozen=True):
    """How a recap is to be written down."""

    format: Format
    max_tokens: int
    settings: RecapSettings = DEFAULTS.recap
    collapsible: bool = False
    now: str = ""
    # The agent's own command to go on with the session; "" where it has none.
    resume: str = ""
    # Recaps that were read, for the timeline.
    checkpoints: tuple[Checkpoint, ...] = ()


def default_tokens(format: Format, settings: RecapSettings) -> int:
    return settings.short_max_tokens if format == "short" else settings.full_max_tokens


class Told(Struct, frozen=True):
    """A recap as a page, and the statements that it was written from."""

    markdown: str
    view: View


def told_of(recap: Recap, wanted: Wanted) -> Told:
    written = _write(recap, wanted)
    view = View(state_item(recap, _HEADLINE_CHARS), facts_of(recap), written.sections)
    return Told(written.text, view)


def markdown_of(recap: Recap, wanted: Wanted) -> str:
    return _write(recap, wanted).text


def _write(recap: Recap, wanted: Wanted) -> Written:
    page = _page(recap, wanted)
    return write(page, max_tokens=wanted.max_tokens, collapsible=wanted.collapsible)


def _page(recap: Recap, wanted: Wanted) -> Page:
    settings, most, folds = wanted.settings, wanted.max_tokens, wanted.collapsible
    if wanted.format == "decisions":
        return decisions_page(recap)
    if wanted.format == "resume":
        return resume_page(recap, settings, now=wanted.now, resume=wanted.resume)
    if wanted.format == "timeline":
        room = room_below(f"{PAGE_HEADS['timeline']} (turn 0000)", max_tokens=most, collapsible=folds)
        return timeline_page(recap, room=room, checkpoints=wanted.checkpoints)
    if settings.style == "gitclaw":
        return gitclaw_short(recap, settings) if wanted.format == "short" else gitclaw_full(recap, settings)
    if recap.session.reading is not None:
        return read_page(
            recap,
            recap.session.reading,
            settings,
            is_short=wanted.format == "short",
            max_tokens=most,
            collapsible=folds,
            resume=wanted.resume,
        )
    if wanted.format == "short":
        return short_page(recap, settings, max_tokens=most, collapsible=folds)
    return full_page(recap, settings, max_tokens=most, collapsible=folds, resume=wanted.resume)
