"""What came of each turn, as statements that may be told: the agent's own, and what commits and pull requests prove.

Owns: which statements of an answer stand by themselves, and how much each tells. Must not know: budgets, pages.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Final, TypeAlias

from msgspec import Struct

from recapd.core.state import Memory, Turn
from recapd.core.text import gist_of, narrates, pieces_of, tells
from recapd.core.views.recap.phrases import Phrase
from recapd.core.views.recap.terms import Statement, Terms, terms_of
from recapd.core.views.recap.words import result_line

_RESULT_CHARS: Final = 130
# Of so many turns words are found while somebody waits: a turn takes a millisecond or two.
_SHORT_TURNS: Final = 12
_FIRST_FACTOR: Final = 2.0
_LEAST_WORTH: Final = 0.4
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
_PULL_RE: Final = re.compile(
    r"(?:\bPR|\b[Pp]ull [Rr]equest|\bMR)s? ?[#!]?(\d{1,7})\b|/(?:pull|merge_requests)/(\d{1,7})\b"
)

# Statements as the agent made them, and as phrases, each with how much it tells.
Told: TypeAlias = tuple[tuple[str, float], ...]
Phrased: TypeAlias = tuple[tuple[Phrase, float], ...]


class TurnWords:
    """What a turn says, as pages need it. Each part is worked out when a page first asks for it, and once."""

    def __init__(self, said: tuple[str, str, str]) -> None:
        self._asked, self._telling, self._outcome = said

    @cached_property
    def gist(self) -> str:
        return gist_of(self._telling)

    @cached_property
    def asked_terms(self) -> Terms:
        return terms_of(self._asked)

    @cached_property
    def answered_terms(self) -> Terms:
        return terms_of(self.gist)

    @cached_property
    def pulls(self) -> tuple[str, ...]:
        """Numbers of the pull requests that the answer tells of."""
        return pulls_in(self.gist)

    @cached_property
    def told(self) -> Told:
        """What came of it, each with how much it tells; what only narrates where there is nothing else."""
        return _told_in(self.gist, self._outcome, may_ask=False)

    @property
    def best(self) -> str:
        """The one statement that says best what came of it; "" where nothing did."""
        return max(self.told, key=lambda told: told[1], default=("", 0.0))[0]

    @cached_property
    def told_or_asked(self) -> Told:
        """The same with what the agent asks: nobody has answered the last turn yet."""
        return _told_in(self.gist, self._outcome, may_ask=True)

    @cached_property
    def results(self) -> Phrased:
        return _phrased(self.told)

    @cached_property
    def last_results(self) -> Phrased:
        return _phrased(self.told_or_asked)


def words_of_turn(turn: Turn, memory: Memory) -> TurnWords:
    return memory.recall(TurnWords, _said_in(turn), turn.number)


def _said_in(turn: Turn) -> tuple[str, str, str]:
    return turn.request.text, turn.telling, turn.outcome


def last_of_known_words(turns: Sequence[Turn], memory: Memory) -> Sequence[Turn]:
    """The last of these turns: all of them, or where somebody makes words ahead those whose words are known, and in any
    case a few."""
    if not memory.is_filled_ahead:
        return turns
    known = len(turns) - min(len(turns), _SHORT_TURNS)
    while known and memory.recalled(TurnWords, _said_in(turns[known - 1]), turns[known - 1].number) is not None:
        known -= 1
    return turns[known:]


class Result(Struct, frozen=True, gc=False):
    """What came of a turn (by position): one of its statements, and a factor on what that is worth."""

    phrase: Phrase
    turn: int
    factor: float


def _phrased(told: Told) -> Phrased:
    return tuple((phrase_of(line), worth) for line, worth in told)


def phrase_of(text: str) -> Phrase:
    return Phrase(result_line(text, _RESULT_CHARS))


def _told_in(gist: str, outcome: str, *, may_ask: bool) -> Told:
    lines = [_COUNTED_RE.sub("", line) for line in results_of(gist, outcome)]
    worths = [_worth(line) if may_ask or not line.endswith(("?", "？")) else 0.0 for line in lines]
    kept = [number for number, worth in enumerate(worths) if worth >= _LEAST_WORTH]
    kept = kept or [number for number, worth in enumerate(worths) if worth][:1]
    return tuple((lines[number], worths[number] * (_FIRST_FACTOR if number == 0 else 1.0)) for number in kept)


def pulls_in(text: str) -> tuple[str, ...]:
    """Numbers of the pull requests that a text names."""
    return tuple(one or other for one, other in _PULL_RE.findall(text))


def latest_results(statements: Sequence[Statement]) -> list[int]:
    """Positions of what the last turn that came to something came to, at its best: one statement, in its versions."""
    last = max((each.turn for each in statements), default=-1)
    ends = [position for position, each in enumerate(statements) if each.turn == last]
    best = max((statements[position].factor for position in ends), default=0.0)
    return [position for position in ends if statements[position].factor == best]


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
