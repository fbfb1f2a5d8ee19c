"""Which words a session turns on, and the statements that cover most of them in the room there is.

Owns: what counts as a term, how much one weighs, and the choice of statements under a budget.
Must not know: what a statement is about, how it is written down.
A term weighs by what it is (a name, a number, a word), by how many turns it comes up in, whether the human used it,
and how late it was last said. Nothing here knows a language; two characters make a term where words have no spaces.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, repeat
from math import log2
from sys import intern
from typing import Final, TypeAlias

from msgspec import Struct

from recapd.core.text.names import names_in
from recapd.core.text.stop_words import STOP_WORDS
from recapd.core.text.words import UNSPACED_RE, word_rule, words_in

# Inflections share their beginning.
_RULE: Final = word_rule(least_chars=4, has_digits=False, stem_chars=7, stop_words=STOP_WORDS["recap"])
_NAME_WEIGHT: Final = 2.0
_WORD_WEIGHT: Final = 1.0
_PAIR_WEIGHT: Final = 0.6
# A term last heard of at the very beginning still weighs this much of one just said.
_OLDEST: Final = 0.4
_ASKED: Final = 1.5
# A statement of one word more costs little; a separator and a reader's attention cost something.
_OVERHEAD_CHARS: Final = 25
_AGAIN: Final = 0.75


# The terms of a text, each with the weight of its sort.
Terms: TypeAlias = Mapping[str, float]


class Statement(Struct, frozen=True, gc=False):
    """One thing that may be told: its words and their terms, the turn (by position) it belongs to, and a factor on what
    it is worth."""

    text: str
    terms: tuple[str, ...]
    turn: int
    factor: float = 1.0
    # Statements of one origin are versions of each other: one of them is told at most. Empty: there is no other.
    origin: str = ""


def terms_of(text: str) -> Terms:
    """What a text is about: names in it, words, and pairs of characters where words have no spaces."""
    found: dict[str, float] = {name.lower(): _NAME_WEIGHT for name in names_in(text)}
    for word in words_in(text, _RULE):
        found.setdefault(word, _PAIR_WEIGHT if UNSPACED_RE.match(word) else _WORD_WEIGHT)
    # A session has the same few thousand in tens of thousands of texts.
    return {intern(term): weight for term, weight in found.items()}


class _Heard(Struct, frozen=True):
    """The terms of some turns: what each is, in how many and in which last it came up, and which the human used."""

    turns: tuple[tuple[Terms, Terms], ...] = ()
    sorts: dict[str, float] = {}
    last: dict[str, int] = {}
    count: Counter[str] = Counter()
    asked: frozenset[str] = frozenset()

    def with_more(self, turns: Sequence[tuple[Terms, Terms]]) -> _Heard:
        # A long session has tens of thousands of terms: no step of Python's own for each.
        said = [{**answered, **wanted} for wanted, answered in turns]
        sorts, last, count = self.sorts.copy(), self.last.copy(), self.count.copy()
        for number, terms in enumerate(said, start=len(self.turns) + 1):
            sorts.update(terms)
            last.update(dict.fromkeys(terms, number))
        count.update(chain.from_iterable(said))
        asked = self.asked.union(*(wanted for wanted, _ in turns))
        return _Heard((*self.turns, *turns), sorts, last, count, asked)

    def is_beginning_of(self, turns: Sequence[tuple[Terms, Terms]]) -> bool:
        """By identity: of a turn that did not change, the terms are the same objects."""
        return len(self.turns) <= len(turns) and all(
            before[0] is now[0] and before[1] is now[1] for before, now in zip(self.turns, turns, strict=False)
        )


class HeardTerms:
    """What was heard in a session but for its last turn, which may go on."""

    def __init__(self) -> None:
        self.before = _Heard()


def weights_of(turns: Sequence[tuple[Terms, Terms]], known: HeardTerms | None = None) -> dict[str, float]:
    """What each term of a session weighs, from those of what was asked and of what was answered in each turn."""
    before = known.before if known is not None else _Heard()
    settled = len(turns) - 1
    if not before.is_beginning_of(turns[:settled]):
        before = _Heard()
    if len(before.turns) < settled:
        before = before.with_more(turns[len(before.turns) : settled])
    if known is not None:
        known.before = before
    heard = before.with_more(turns[len(before.turns) :])
    count, last, asked = heard.count, heard.last, heard.asked
    whole = max(len(turns), 1)
    often = [log2(1 + times) for times in range(whole + 1)]
    lately = [_OLDEST + (1 - _OLDEST) * number / whole for number in range(whole + 1)]
    return {
        term: sort * often[count[term]] * lately[last[term]] * (_ASKED if term in asked else 1.0)
        for term, sort in heard.sorts.items()
    }


class Room(Struct, frozen=True):
    """What may be told: the cost of each statement, what those that are told leave, and how many of each group."""

    costs: Sequence[float]
    # What is left of the budget with these positions told.
    left: Callable[[Sequence[int]], float]
    # The group of a turn, and how many statements of it are told at most.
    group: Callable[[int], int] = lambda turn: turn
    most: Callable[[int], int] = lambda group: 1_000


def chosen(
    statements: Sequence[Statement],
    weights: Mapping[str, float],
    room: Room,
    *,
    known: str,
    known_worth: float = 0.0,
    taken: Sequence[int] = (),
) -> list[int]:
    """Positions of the statements that together tell most beyond what is known, in the order they were taken.

    Taken by what each adds for its length, as long as there is room; some may be given.
    `known_worth` is what a term is still worth where the page names it already, without saying what came of it.
    """
    named = {term: weights[term] * known_worth for term in terms_of(known) if term in weights}
    held = list(taken)
    groups = [room.group(statement.turn) for statement in statements]
    lengths = [len(statement.text) + _OVERHEAD_CHARS for statement in statements]
    for _ in range(_PASSES):
        held = _more(statements, {**weights, **named}, room, groups=groups, lengths=lengths, taken=held)
    return held


def _more(
    statements: Sequence[Statement],
    worth: dict[str, float],
    room: Room,
    *,
    groups: Sequence[int],
    lengths: Sequence[int],
    taken: Sequence[int],
) -> list[int]:
    """What a statement adds only shrinks as others are taken, so the best on the heap need only be weighed again."""
    terms = [statement.terms for statement in statements]
    told: Counter[int] = Counter()
    versions: set[str] = set()
    held: list[int] = []
    left = room.left(taken)
    worth_of, nothing = worth.get, repeat(0.0)

    def take(position: int) -> None:
        held.append(position)
        told[groups[position]] += 1
        if statements[position].origin:
            versions.add(statements[position].origin)
        for term in terms[position]:
            worth.pop(term, None)

    def gain(position: int) -> float:
        # Hundreds of statements for every page, each of a dozen terms: no step of Python's own for each term.
        new = sum(map(worth_of, terms[position], nothing))
        # One more of the same turn, or topic, is worth less than the first of another.
        again = told.get(groups[position])
        factor = statements[position].factor
        return (factor * _AGAIN**again if again else factor) * new / lengths[position]

    for position in taken:
        take(position)
    # What has no room now has none later.
    costs, are_held = room.costs, frozenset(held)
    heap = [(-gain(at), at) for at in range(len(statements)) if costs[at] <= left and at not in are_held]
    heapq.heapify(heap)
    misfits = 0
    while heap and misfits < _MISFITS:
        _, position = heapq.heappop(heap)
        fresh = -gain(position)
        if fresh >= 0 or told[groups[position]] >= room.most(groups[position]):
            continue
        if statements[position].origin in versions:
            continue
        if heap and fresh > heap[0][0]:
            heapq.heappush(heap, (fresh, position))
            continue
        if room.costs[position] > left:
            misfits += 1
            continue
        take(position)
        left -= room.costs[position]
    return held


# So many that did not fit, and the room is used up.
_MISFITS: Final = 40
# Costs are what a statement costs at most: once more, with what is really left.
_PASSES: Final = 2
