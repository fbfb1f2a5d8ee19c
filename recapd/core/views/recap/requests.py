"""What was asked first and what it is about now, each on a line of its own.

Owns: the words beside "push it" that say what is pushed. A request that names nothing is told with the one that does:
the one before it at the end of a conversation, the one behind it at the beginning. Both stand in the log word for word.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Final

from recapd.core.state import Memory, Request, Turn, current_focus
from recapd.core.views.recap.recap import Recap
from recapd.core.views.recap.results import words_of_turn
from recapd.core.views.recap.terms import Terms, terms_of
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

STILL_THE_FIRST: Final = "still the first request"


def asked_in_full(recap: Recap) -> str:
    """The first request as the log has it, paragraphs and all; the recap's own is one line."""
    original = recap.session.main.transcript.original
    return original.text if original is not None else ""


def asked_line(recap: Recap, columns: int, least: int = NAMING_TERMS) -> str:
    """The first request; where it names nothing, with the first after it that does."""
    original = recap.session.main.transcript.original
    if original is None:
        return ""
    later = (turn for turn in recap.turns if turn.request.place.offset > original.place.offset)
    memory = recap.session.memory
    naming = _naming(original, later, least, memory)
    return _together(original, naming, columns, memory) if naming else line_of(original, columns, memory)


def focus_line(recap: Recap, columns: int, least: int = NAMING_TERMS) -> str:
    """What was asked last; where it names nothing, with the last before it that does."""
    focus = current_focus(recap.session.main.transcript)
    if focus is None:
        return "nothing yet"
    if recap.original and recap.original.place == focus.place:
        return STILL_THE_FIRST
    earlier = (turn for turn in reversed(recap.turns) if turn.request.place.offset < focus.place.offset)
    memory = recap.session.memory
    naming = _naming(focus, earlier, least, memory)
    return _together(naming, focus, columns, memory) if naming else line_of(focus, columns, memory)


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
