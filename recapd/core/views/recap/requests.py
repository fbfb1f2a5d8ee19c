"""What was asked first and what it is about now, each on a line of its own.

Owns: the words beside "push it" that say what is pushed. A request that names nothing is told with the one that does:
the one before it at the end of a conversation, the one behind it at the beginning. Both stand in the log word for word.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Final

from recapd.core.state import Request, Turn, current_focus
from recapd.core.views.recap.recap import Recap
from recapd.core.views.recap.terms import terms_of
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
    naming = _naming(original, later, least)
    return _together(original, naming, columns) if naming else request_line(original.text, columns)


def focus_line(recap: Recap, columns: int, least: int = NAMING_TERMS) -> str:
    """What was asked last; where it names nothing, with the last before it that does."""
    focus = current_focus(recap.session.main.transcript)
    if focus is None:
        return "nothing yet"
    if recap.original and recap.original.place == focus.place:
        return STILL_THE_FIRST
    earlier = (turn for turn in reversed(recap.turns) if turn.request.place.offset < focus.place.offset)
    naming = _naming(focus, earlier, least)
    return _together(naming, focus, columns) if naming else request_line(focus.text, columns)


def names_matter(text: str, least: int = NAMING_TERMS) -> bool:
    """Whether a request says what it is about; an id or a key by itself does not."""
    is_pasted = text.isascii() and len(text.split()) < 2
    return not is_pasted and len(terms_of(text)) >= least


def _naming(request: Request, neighbours: Iterable[Turn], least: int) -> Request | None:
    if names_matter(request.text, least):
        return None
    near = islice(neighbours, _NEAR_TURNS)
    return next((turn.request for turn in near if names_matter(turn.request.text)), None)


def _together(first: Request, then: Request, columns: int) -> str:
    shorter = min(first.text, then.text, key=len)
    room = max(columns - len(shorter) - 8, round(columns * _NAMING_SHARE))
    told = request_line(first.text, room)
    return f"{told}{' Then: ' if told.endswith(_ENDS) else ', then: '}{request_line(then.text, room)}"
