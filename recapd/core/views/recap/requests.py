"""What was asked first and what it is about now, each on a line of its own.

Owns: the words beside "push it" that say what is pushed. A request that names nothing is told with the one that does:
the one before it at the end of a conversation, the one behind it at the beginning. Both stand in the log word for word.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

from msgspec import Struct

from recapd.core.state import Memory, Request, Turn, current_focus
from recapd.core.views.recap.recap import Recap
from recapd.core.views.recap.results import words_of_turn
from recapd.core.views.recap.terms import Terms, terms_of
from recapd.core.views.recap.view import Cited, Item, Section, worded
from recapd.core.views.recap.words import request_line

# A request of fewer terms says nothing to somebody who does not remember what was before it. Where room is short, even
# two may do.
TERSE_TERMS: Final = 2
NAMING_TERMS: Final = 3
# What was asked further away may be about something else.
_NEAR_TURNS: Final = 4
_ENDS: Final = (".", "!", "?", "…", "。", "！", "？")
# Of the room of a line, what the words that name the matter get.
_NAMING_SHARE: Final = 0.65

NOTHING_YET: Final = "nothing yet"
STILL_THE_FIRST: Final = "still the first request"


def asked_in_full(recap: Recap) -> str:
    """The first request as the log has it, paragraphs and all; the recap's own is one line."""
    original = recap.session.main.transcript.original
    return original.text if original is not None else ""


class Asked(Struct, frozen=True):
    """What was asked, on one line, and the requests that say so."""

    line: str
    requests: tuple[Request, ...] = ()


def first_asked(recap: Recap, columns: int, least: int = NAMING_TERMS) -> Asked:
    """The first request; where it names nothing, with the first after it that does."""
    original = recap.session.main.transcript.original
    if original is None:
        return Asked("")
    later = (turn for turn in recap.turns if turn.request.place.offset > original.place.offset)
    memory = recap.session.memory
    naming = _naming(original, later, least, memory)
    if naming is None:
        return Asked(line_of(original, columns, memory), (original,))
    return Asked(_together(original, naming, columns, memory), (original, naming))


def last_asked(recap: Recap, columns: int, least: int = NAMING_TERMS) -> Asked:
    """What was asked last; where it names nothing, with the last before it that does."""
    focus = current_focus(recap.session.main.transcript)
    if focus is None:
        return Asked(NOTHING_YET)
    if is_still_the_first(recap):
        return Asked(STILL_THE_FIRST, (focus,))
    earlier = (turn for turn in reversed(recap.turns) if turn.request.place.offset < focus.place.offset)
    memory = recap.session.memory
    naming = _naming(focus, earlier, least, memory)
    if naming is None:
        return Asked(line_of(focus, columns, memory), (focus,))
    return Asked(_together(naming, focus, columns, memory), (naming, focus))


def is_still_the_first(recap: Recap) -> bool:
    focus = current_focus(recap.session.main.transcript)
    return focus is not None and recap.original is not None and recap.original.place == focus.place


def asked_section(recap: Recap, title: str, asked: Asked) -> Section:
    """How it began."""
    return Section("request", title, (_item(recap, asked, asked.requests[:1]),))


def focus_section(recap: Recap, title: str, asked: Asked) -> Section:
    """What it is about now."""
    return Section("focus", title, (_item(recap, asked, asked.requests[-1:]),))


def _item(recap: Recap, asked: Asked, meant: Sequence[Request]) -> Item:
    """The line, by the one request that is meant; the other only says what that is about."""
    turn, at = next(((request.turn, request.at) for request in meant), (0, ""))
    return Item(
        key=f"request {turn} {at}",
        wording=worded(asked.line),
        turn=turn,
        at=at,
        cited=tuple(Cited(recap.session.main, request.place) for request in asked.requests),
    )


def line_of(request: Request, columns: int, memory: Memory) -> str:
    """What a request asks, on one line: a page tries several widths, and the next page tells mostly the same."""
    return memory.recall(request_line, request.text, (request.turn, request.at, columns), columns)


def names_matter(text: str, terms: Terms, least: int = NAMING_TERMS) -> bool:
    """Whether a request says what it is about; an id or a key by itself does not."""
    is_pasted = text.isascii() and len(text.split()) < 2
    return not is_pasted and len(terms) >= least


def _naming(request: Request, neighbours: Iterable[Turn], least: int, memory: Memory) -> Request | None:
    if names_matter(request.text, memory.recall(terms_of, request.text, (request.turn, request.at)), least):
        return None
    near = ((turn.request, words_of_turn(turn, memory).asked_terms) for turn in islice(neighbours, _NEAR_TURNS))
    return next((asked for asked, terms in near if names_matter(asked.text, terms)), None)


def _together(first: Request, then: Request, columns: int, memory: Memory) -> str:
    shorter = min(first.text, then.text, key=len)
    room = max(columns - len(shorter) - 8, round(columns * _NAMING_SHARE))
    told = line_of(first, room, memory)
    return f"{told}{' Then: ' if told.endswith(_ENDS) else ', then: '}{line_of(then, room, memory)}"
