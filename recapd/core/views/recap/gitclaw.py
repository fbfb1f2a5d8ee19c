"""The recap in the words of the design that asked for it first: its lines, its order and its limits in characters.

Used by the preset of that name. What was wrong with it is not repeated: texts are cut between visible characters,
escaped, and told from the log's calls; the budget and the fold are honoured in every format.
"""

from __future__ import annotations

from typing import Final

from recapd.core.settings import RecapSettings
from recapd.core.state import describe
from recapd.core.text import PAGE_HEADS, Part, excerpt, grapheme_cut, presentable
from recapd.core.views.recap.decisions import decided
from recapd.core.views.recap.page import Page
from recapd.core.views.recap.recap import Recap
from recapd.core.views.recap.short import MARKDOWN
from recapd.core.views.recap.words import brief, said

_SHORT_CHARS: Final = 100
_REQUEST_CHARS: Final = 200
_FOCUS_CHARS: Final = 150
_DECISION_CHARS: Final = 100


def gitclaw_short(recap: Recap, settings: RecapSettings) -> Page:
    parts: list[Part] = []
    if recap.original:
        parts.append(Part(2, f"- **Started with:** {_begun(recap.original.text, _SHORT_CHARS)}"))
    holding = [entry for entry in recap.decisions if entry.status == "active"]
    if settings.show_decisions and holding:
        last = decided(holding[-1], _DECISION_CHARS, memory=recap.session.memory)
        parts.append(Part(0, f"- **Last decision:** {last}"))
    if actions := _actions(recap, settings.short_actions):
        parts.append(Part(3, f"- **Recent:** {'; '.join(actions)}"))
    parts.append(Part(1, f"- **Now discussing:** {_focus(recap, _SHORT_CHARS)}"))
    return Page(f"{PAGE_HEADS['short']} (turn {recap.turn}):", tuple(parts))


def gitclaw_full(recap: Recap, settings: RecapSettings) -> Page:
    parts: list[Part] = []
    if recap.original:
        parts.append(Part(2, f"**Original request:** {_begun(recap.original.text, _REQUEST_CHARS)}"))
    holding = [entry for entry in recap.decisions if entry.status == "active"]
    if settings.show_decisions and holding:
        shown = holding[-settings.full_decisions :] if settings.full_decisions else []
        memory = recap.session.memory
        lines = [f"- Turn {entry.turn}: {decided(entry, _DECISION_CHARS, memory=memory)}" for entry in shown]
        parts.append(Part(0, "\n".join(("**Key decisions:**", *lines))))
    if actions := _actions(recap, settings.full_actions):
        parts.append(Part(3, "\n".join(("**Recent actions:**", *(f"- {action}" for action in actions)))))
    parts.append(Part(1, f"**Current focus:** {_focus(recap, _FOCUS_CHARS)}"))
    return Page(f"📍 **Conversation Recap** (turn {recap.turn})", tuple(parts), separator="\n\n")


def _begun(text: str, limit: int) -> str:
    """The first characters, and three dots where there are more."""
    line = excerpt(text, limit * 4)
    return said(line) if len(line) <= limit else said(line[: grapheme_cut(line, limit)]) + "..."


def _focus(recap: Recap, limit: int) -> str:
    if recap.focus is None:
        return "nothing yet"
    line = presentable(recap.focus.text)
    return said(line[: grapheme_cut(line, limit)])


def _actions(recap: Recap, most: int) -> list[str]:
    root = next(iter(recap.session.main.transcript.cwds), "")
    return [describe(brief(each.fact), root, MARKDOWN) for each in recap.steps[-most:]] if most else []
