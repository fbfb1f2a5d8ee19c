"""What came of each turn, as statements that may be told: the agent's own, and what commits and pull requests prove.

Owns: which statements of an answer stand by themselves, and how much each tells. Must not know: budgets, pages.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from recapd.core.state import Milestone, Turn
from recapd.core.text import narrates, pieces_of, tells
from recapd.core.views.recap.terms import Statement, weights_of
from recapd.core.views.recap.words import result_line

_RESULT_CHARS: Final = 130
# The last turn is where the reader goes on.
_LAST_FACTOR: Final = 2.0
_FIRST_FACTOR: Final = 2.0
_LEAST_WORTH: Final = 0.4
# Commits and pull requests prove what prose only claims.
_PROVEN_FACTOR: Final = 1.3
# The first cell of a row that only counts.
_COUNTED_RE: Final = re.compile(r"\A\d{1,3}: (?=\S)")
# A word of a sentence: letters alone, not part of a name, a path or a setting.
_WORD_RE: Final = re.compile(r"(?<![\w./:=_-])[^\W\d_]{2,}(?![\w/=_-]|\.\w|:\w)")
_LEAST_WORDS: Final = 2
# Shorter, a statement has to say plainly that something was done, or is one line of a list that is not told.
_LEAST_CHARS: Final = 30
_NOTHING_DONE: Final = 0.75
# Its other half stood in a list or a block of code below it.
_OPEN_END_RE: Final = re.compile(
    r" (?:has|have|had|be|can|can do|could|should|needs?|into|following|includ(?:es?|ing)|cover(?:s|ing)|contains?|"
    r"such as)\Z",
    re.IGNORECASE,
)
# Begins within something else: brackets, code.
_TORN: Final = tuple("()[]{},;:=<>")
_FRAGMENT: Final = 0.3


class Telling(Struct, frozen=True):
    """The statements that may be told of a session, and what its terms weigh."""

    statements: tuple[Statement, ...]
    weights: dict[str, float]


def telling_of(turns: Sequence[Turn], milestones: Sequence[Milestone]) -> Telling:
    weights = weights_of([(turn.request.text, turn.gist) for turn in turns])
    statements: list[Statement] = []
    by_turn: dict[int, list[str]] = {}
    for milestone in milestones:
        if milestone.sort not in ("tests", "build"):
            by_turn.setdefault(milestone.turn, []).append(milestone.text)
    for position, turn in enumerate(turns):
        is_last = position == len(turns) - 1
        factor = _LAST_FACTOR if is_last else 1.0
        statements += [
            Statement(result_line(text, _RESULT_CHARS), position, factor * _PROVEN_FACTOR)
            for text in by_turn.get(turn.number, ())
        ]
        statements += [
            Statement(result_line(line, _RESULT_CHARS), position, factor * worth)
            for line, worth in told_in(turn, may_ask=is_last)
        ]
    return Telling(tuple(statements), weights)


def told_in(turn: Turn, *, may_ask: bool = False) -> tuple[tuple[str, float], ...]:
    """What came of a turn, each with how much it tells; what only narrates where there is nothing else."""
    return _told_in(turn.gist, turn.outcome, may_ask)


@lru_cache(maxsize=2_048)  # of a session that grows, nearly all is asked for again
def _told_in(gist: str, outcome: str, may_ask: bool) -> tuple[tuple[str, float], ...]:
    lines = [_COUNTED_RE.sub("", line) for line in results_of(gist, outcome)]
    worths = [_worth(line) if may_ask or not line.endswith(("?", "？")) else 0.0 for line in lines]
    kept = [number for number, worth in enumerate(worths) if worth >= _LEAST_WORTH]
    kept = kept or [number for number, worth in enumerate(worths) if worth][:1]
    return tuple((lines[number], worths[number] * (_FIRST_FACTOR if number == 0 else 1.0)) for number in kept)


def outcome_of(turn: Turn) -> str:
    """The one statement that says best what came of a turn; "" where nothing did."""
    return max(told_in(turn), key=lambda told: told[1], default=("", 0.0))[0]


def latest_results(statements: Sequence[Statement]) -> list[int]:
    """Positions of what the last turn that came to something came to, at its best: one statement, in its versions."""
    last = max((each.turn for each in statements), default=-1)
    ends = [position for position, each in enumerate(statements) if each.turn == last]
    best = max((statements[position].factor for position in ends), default=0.0)
    return [position for position in ends if statements[position].factor == best]


@lru_cache(maxsize=8_192)  # of a session that grows, nearly all is asked for again
def _worth(line: str) -> float:
    worth = tells(line)
    return worth * _FRAGMENT if _is_fragment(line, worth) else worth


def _is_fragment(line: str, worth: float) -> bool:
    """Whether a statement says nothing to somebody who does not see what stood around it, or what came after it."""
    if not line.isascii():
        return False
    if narrates(line) or line.startswith(_TORN) or _OPEN_END_RE.search(line.rstrip(" .:")):
        return True
    return len(_WORD_RE.findall(line)) < _LEAST_WORDS or (len(line) < _LEAST_CHARS and worth < _NOTHING_DONE)


def results_of(gist: str, outcome: str) -> list[str]:
    """What the agent said came of a turn, statement by statement; what it said last where it only narrated."""
    if gist:
        return gist.split("\n")
    if not outcome or narrates(outcome):
        return []
    return [piece.text for piece in pieces_of(outcome) if piece.worth > 0]
