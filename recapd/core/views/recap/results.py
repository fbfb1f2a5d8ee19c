"""What came of each turn, as statements that may be told: the agent's own, and what commits and pull requests prove.

Owns: which statements of an answer stand by themselves, and how much each tells. Must not know: budgets, pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Final, TypeAlias

from msgspec import Struct

from recapd.core import late_re as re
from recapd.core.state import Memory, Turn
from recapd.core.text import (
    WHOLE_CHARS,
    Statement,
    Terms,
    Whole,
    blocks_in,
    first_words,
    gist_of,
    goes_on,
    is_about_it,
    narrates,
    plain,
    points_back,
    presentable,
    question_in,
    sentences_of,
    statements_in_order,
    terms_of,
)
from recapd.core.views.recap.phrases import Phrase
from recapd.core.views.recap.recap import Recap
from recapd.core.views.recap.words import result_line

_RESULT_CHARS: Final = 200
# Of so many turns words are found while somebody waits: a turn takes a millisecond or two.
_SHORT_TURNS: Final = 12
_LEAST_FACTOR: Final = 0.4
# How an answer begins, and how much of a sentence is looked for there.
_BEGINNING_CHARS: Final = 500
_SAME_CHARS: Final = 24
# What is told of an answer in which nothing reads alone, so that something is.
_LAST_RESORT: Final = 0.3
_LISTED: Final = 0.5
_QUESTION_CHARS: Final = 280
_ASKED: Final = 0.5
# Words of English: elsewhere only how an answer begins is told of what was done earlier.
_UNDOING_RE: Final = re.compile(
    r"\b(?:remov|delet|revert|replac|renam|dropp|undo|undid|restor|instead of|no longer|roll(?:ed|ing)? back|gone\b)",
    re.IGNORECASE,
)
_PULL_RE: Final = re.compile(
    r"(?:\bPR|\b[Pp]ull [Rr]equest|\bMR)s? ?[#!](\d{1,7})\b|/(?:pull|merge_requests)/(\d{1,7})\b"
)

# Statements as the agent made them, and as phrases, each with how much it tells; how the answer begins comes first.
Told: TypeAlias = tuple[tuple[str, float], ...]
Phrased: TypeAlias = tuple[tuple[Phrase, float], ...]
# With whether it is told behind the one before it alone.
Flow: TypeAlias = tuple[tuple[Phrase, float, bool], ...]


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
    def linked_pulls(self) -> tuple[str, ...]:
        """Of those, the ones whose address it gives."""
        return tuple(address for _, address in _PULL_RE.findall(self.gist) if address)

    @cached_property
    def _statements(self) -> list[Whole]:
        return statements_in_order(self._telling or self._outcome)

    @cached_property
    def told(self) -> Told:
        """What came of it in statements that read alone, each with how much it tells."""
        # What parts are called says less than what stands in them, where there is room for that.
        found = [(each.text, each.factor) for each in self._statements if not each.follows and not each.is_titles]
        return tuple([each for each in found if each[1] >= _LEAST_FACTOR] or found[:1])

    @cached_property
    def flow(self) -> Flow:
        """The same as phrases, with what is told behind each of them, in the order of the answer; but what it says in
        the end comes behind how it begins, and first where it begins with a list."""
        # Of two lists in one answer neither is told without the other, whatever their items say.
        found = [
            (
                Phrase(result_line(each.text, WHOLE_CHARS)),
                max(each.factor, _LISTED) if each.is_listed else each.factor,
                each.follows,
            )
            for each in _concluded(_plain_ones(self._statements))
            # Told without the one before it, a list seems to be the answer.
            if not each.is_torn
        ]
        # Without its run-up ("Good, that works"), a statement may begin by pointing back.
        told = [each for each in found if each[2] or not (points_back(each[0].text) or is_about_it(each[0].text))]
        return tuple(told) or tuple((phrase, worth, False) for phrase, worth in self.results)

    @cached_property
    def lead(self) -> str:
        """The sentence that says at the beginning what came of it; "" where a list does, or it stands further down."""
        first = next((each for each in self._statements if not each.is_torn), None)
        if first is None or first.is_listed or not self.told:
            return ""
        begun = plain(presentable(self._telling or self._outcome)[:_BEGINNING_CHARS])
        return first.text if first.text[:_SAME_CHARS] in begun else ""

    @cached_property
    def undone(self) -> str:
        """The sentences of its answer that say of something that it is gone, or another thing now."""
        said = self._telling if self._telling.startswith(self._outcome) else f"{self._telling}\n{self._outcome}"
        if _UNDOING_RE.search(said) is None:
            return ""
        sentences = (sentence for block in blocks_in(said) for sentence in sentences_of(block.text))
        return "\n".join(sentence for sentence in sentences if _UNDOING_RE.search(sentence))

    @cached_property
    def goes_on(self) -> bool:
        """Whether its last words are what an agent says before it goes on."""
        return goes_on(self._telling or self._outcome)

    @cached_property
    def opening(self) -> str:
        """How the answer begins, for where nothing in it reads alone; it may point back at what was asked."""
        return first_words(self._telling or self._outcome)

    @property
    def best(self) -> str:
        """The one statement that says best what came of it; "" where nothing did."""
        return max(self.told, key=lambda told: told[1], default=("", 0.0))[0]

    @property
    def told_or_asked(self) -> Told:
        """The same with what the agent asks at the end."""
        asked = question_in(presentable(self._telling), _QUESTION_CHARS)
        return (*self.told, (asked, _ASKED)) if asked else self.told

    @cached_property
    def results(self) -> Phrased:
        if self.told or not self.opening or points_back(self.opening) or narrates(self.opening):
            return _phrased(self.told)
        return _phrased(((self.opening, _LAST_RESORT),))


def _plain_ones(statements: list[Whole]) -> list[Whole]:
    """Without what is only called out, where anything else is told and nothing hangs on it."""
    hangs = [*(each.follows for each in statements[1:]), False]
    plain_ones = [each for each, has_more in zip(statements, hangs, strict=False) if has_more or not each.is_cheer]
    return plain_ones or statements


def _concluded(statements: list[Whole]) -> list[Whole]:
    at = next((at for at, each in enumerate(statements) if each.is_conclusion), 0)
    if not at:
        return statements
    # Behind the first, with what is told behind that.
    first = 0 if statements[0].is_listed else 1
    while first and statements[first].follows:
        first += 1
    end = at + 1
    while end < len(statements) and statements[end].follows:
        end += 1
    return (
        [*statements[:first], *statements[at:end], *statements[first:at], *statements[end:]]
        if first < at
        else statements
    )


def is_answered(recap: Recap, turn: Turn) -> bool:
    """Whether its telling words are an answer: nothing was done behind them, or the log says that this was all. What an
    agent said before it went on was overtaken by what it did."""
    if words_of_turn(turn, recap.session.memory).goes_on:
        return False
    if not turn.deeds_since:
        return True
    # Some programs do what an answer says once it is given.
    is_last = bool(recap.turns) and turn.number == recap.turns[-1].number
    return is_last and recap.session.main.transcript.ending.moment in ("ended", "closed")


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
    # How the answer begins, or a commit or the like.
    is_lead: bool = False
    # Told by what was done, not by what was said: it holds as long as nothing undoes it.
    is_proven: bool = False


def _phrased(told: Told) -> Phrased:
    phrased = [(phrase_of(line), worth) for line, worth in told]
    # Without its run-up ("Good, that works"), a statement may begin by pointing back.
    return tuple((phrase, worth) for phrase, worth in phrased if not points_back(phrase.text))


def phrase_of(text: str) -> Phrase:
    return Phrase(result_line(text, _RESULT_CHARS))


def pulls_in(text: str) -> tuple[str, ...]:
    """Numbers of the pull requests that a text names."""
    return tuple(one or other for one, other in _PULL_RE.findall(text))


def latest_results(statements: Sequence[Statement]) -> list[int]:
    """Positions of what the last turn that came to something came to, at its best: one statement, in its versions."""
    last = max((each.turn for each in statements), default=-1)
    ends = [position for position, each in enumerate(statements) if each.turn == last]
    best = max((statements[position].factor for position in ends), default=0.0)
    return [position for position in ends if statements[position].factor == best]
