"""The recap in the words of the design that asked for it first: its lines, its order and its limits in characters.

Used by the preset of that name. What was wrong with it is not repeated: texts are cut between visible characters,
escaped, and told from the log's calls; the budget and the fold are honoured in every format.
"""

from __future__ import annotations

from typing import Final

from recapd.core.settings import RecapSettings
from recapd.core.state import Request
from recapd.core.text import PAGE_HEADS, excerpt, grapheme_cut, presentable
from recapd.core.views.recap.decisions import decision_item, proved
from recapd.core.views.recap.items import step_item
from recapd.core.views.recap.page import Block, Page
from recapd.core.views.recap.recap import Recap
from recapd.core.views.recap.requests import NOTHING_YET, Asked, asked_section, focus_section
from recapd.core.views.recap.view import Item, Section, as_list, in_a_line
from recapd.core.views.recap.words import brief

_SHORT_CHARS: Final = 100
_REQUEST_CHARS: Final = 200
_FOCUS_CHARS: Final = 150
_DECISION_CHARS: Final = 100


def gitclaw_short(recap: Recap, settings: RecapSettings) -> Page:
    parts: list[Block] = []
    if recap.original:
        parts.append(_bullet(2, asked_section(recap, "Started with", _first(recap.original, _SHORT_CHARS))))
    holding = [entry for entry in proved(recap) if entry.status == "active"]
    if settings.show_decisions and holding:
        last = decision_item(recap, holding[-1], _DECISION_CHARS)
        parts.append(_bullet(0, Section("decisions", "Last decision", (last,), len(holding))))
    if actions := _actions(recap, settings.short_actions):
        parts.append(_bullet(3, Section("recent", "Recent", actions)))
    parts.append(_bullet(1, focus_section(recap, "Now discussing", _focus(recap, _SHORT_CHARS))))
    return Page(f"{PAGE_HEADS['short']} (turn {recap.turn}):", tuple(parts))


def gitclaw_full(recap: Recap, settings: RecapSettings) -> Page:
    parts: list[Block] = []
    if recap.original:
        section = asked_section(recap, "Original request", _first(recap.original, _REQUEST_CHARS))
        parts.append(Block(2, in_a_line(section), section))
    holding = [entry for entry in proved(recap) if entry.status == "active"]
    if settings.show_decisions and holding:
        shown = holding[-settings.full_decisions :] if settings.full_decisions else []
        items = tuple(decision_item(recap, entry, _DECISION_CHARS) for entry in shown)
        section = Section("decisions", "Key decisions", items, len(holding))
        parts.append(
            Block(0, as_list(section, [f"- Turn {item.turn}: {item.wording.marked}" for item in items]), section)
        )
    if actions := _actions(recap, settings.full_actions):
        section = Section("actions", "Recent actions", actions)
        parts.append(Block(3, as_list(section), section))
    section = focus_section(recap, "Current focus", _focus(recap, _FOCUS_CHARS))
    parts.append(Block(1, in_a_line(section), section))
    return Page(f"📍 **Conversation Recap** (turn {recap.turn})", tuple(parts), separator="\n\n")


def _bullet(rank: int, section: Section) -> Block:
    return Block(rank, f"- {in_a_line(section)}", section)


def _first(request: Request, limit: int) -> Asked:
    """The first characters, and three dots where there are more."""
    line = excerpt(request.text, limit * 4)
    return Asked(line if len(line) <= limit else line[: grapheme_cut(line, limit)].rstrip() + "...", (request,))


def _focus(recap: Recap, limit: int) -> Asked:
    focus = recap.upcoming or recap.focus
    if focus is None:
        return Asked(NOTHING_YET)
    line = presentable(focus.text)
    return Asked(line[: grapheme_cut(line, limit)], (focus,) if recap.upcoming is None else ())


def _actions(recap: Recap, most: int) -> tuple[Item, ...]:
    return tuple(step_item(recap, each, brief(each.fact)) for each in recap.steps[-most:]) if most else ()
