"""What may be told of a session, and where it turned to something else: of the last turns everything, of those before
them what weighs most.

    turns ─▶ 64 of long ago: a chapter, made once ─▶ eight chapters: one, made once ─┐
          └▶ the last ones, as they are ────────────────────────────────────────────┴─▶ Telling, breaks

Owns: how much of a long conversation is looked at for a page. So a page costs the same however long it is.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from heapq import nlargest
from itertools import chain
from math import log2
from typing import Final, TypeAlias

from msgspec import Struct

from recapd.core.state import Memory, Turn
from recapd.core.text import HeardTerms, Terms, is_substantive, weights_of
from recapd.core.views.recap.phrases import Phrase
from recapd.core.views.recap.recap import Recap
from recapd.core.views.recap.requests import NAMING_TERMS
from recapd.core.views.recap.results import Phrased, Result, last_of_known_words, phrase_of, words_of_turn

# Turns that are looked at one by one. A statement so many turns back has lost nearly all of its weight in a short
# recap, and in a long one every part of a longer conversation is told by its weightiest.
_RECENT_TURNS: Final = 128
_CHAPTER_TURNS: Final = 64
# Chapters that make up one of their kind.
_CHAPTERS: Final = 8
# What is kept of a chapter, however many turns it has.
_RESULTS: Final = 8
_BREAKS: Final = 4
# The last turn is where the reader goes on.
_LAST_FACTOR: Final = 2.0
# Commits and pull requests prove what prose only claims.
_PROVEN_FACTOR: Final = 1.3
# A statement of few words says more for its length.
_OVERHEAD_CHARS: Final = 25
# After so long a break the human comes back with something new in mind, whatever the words.
_GAP_S: Final = 4 * 3600
_FEW_WORDS_BREAK: Final = 0.3


class Telling(Struct, frozen=True):
    """What may be told of a session, and what its terms weigh."""

    results: tuple[Result, ...]
    weights: dict[str, float]


class _Chapter(Struct, frozen=True):
    """Turns of long ago: the weightiest of what came of them, where something new began, and the terms of both."""

    results: tuple[Result, ...]
    breaks: tuple[tuple[int, float], ...]
    asked: Terms
    answered: Terms


_Make: TypeAlias = Callable[[tuple[Turn, ...], int, Memory], _Chapter]


def telling_of(recap: Recap) -> Telling:
    turns, memory = recap.turns, recap.session.memory
    chapters, first = _chapters(recap)
    words = [words_of_turn(turn, memory) for turn in turns[first:]]
    proven: dict[int, list[Phrase]] = {}
    for milestone in recap.progress.milestones:
        if milestone.sort not in ("tests", "build"):
            name = milestone.turn, milestone.at, milestone.sort
            phrase = memory.recall(phrase_of, milestone.text, name)
            proven.setdefault(milestone.turn, []).append(phrase)
    results = [result for chapter in chapters for result in chapter.results]
    if first:
        results += _proven_before(turns[:first], proven)
        results.sort(key=lambda result: result.turn)
    for position, (turn, its_words) in enumerate(zip(turns[first:], words, strict=True), first):
        is_last = position == len(turns) - 1
        factor = _LAST_FACTOR if is_last else 1.0
        results += [_proven(phrase, position, factor) for phrase in proven.get(turn.number, ())]
        results += _results(its_words.results, position, factor)
    terms = [(chapter.asked, chapter.answered) for chapter in chapters]
    terms += [(each.asked_terms, each.answered_terms) for each in words]
    weights = weights_of(terms, memory.part(HeardTerms))
    return Telling(tuple(results), weights)


def _results(told: Phrased, position: int, factor: float = 1.0) -> list[Result]:
    return [Result(phrase, position, factor * worth, not number) for number, (phrase, worth) in enumerate(told)]


def _proven(phrase: Phrase, position: int, factor: float = 1.0) -> Result:
    return Result(phrase, position, factor * _PROVEN_FACTOR, is_lead=True, is_proven=True)


def breaks_of(recap: Recap) -> dict[int, float]:
    """How clearly turns begin something new, by position; of those of long ago the clearest alone."""
    chapters, first = _chapters(recap)
    found = {at: clear for chapter in chapters for at, clear in chapter.breaks}
    # How the first of them begins is told by the one before it.
    start = max(first - 1, 0)
    memory = recap.session.memory
    clear = memory.recall(_breaks, recap.turns[start:], "recent", memory)
    return found | {start + at: each for at, each in enumerate(clear) if at}


def _proven_before(turns: Sequence[Turn], proven: dict[int, list[Phrase]]) -> list[Result]:
    """Milestones are few, whatever the session."""
    found: list[Result] = []
    for number, phrases in proven.items():
        position = bisect_left(turns, number, key=lambda turn: turn.number)
        if position < len(turns) and turns[position].number == number:
            found += [_proven(phrase, position) for phrase in phrases]
    return found


# ---- chapters


def _chapters(recap: Recap) -> tuple[list[_Chapter], int]:
    """The conversation but for its last turns, as far as it is known, and the position of the first of these."""
    turns, memory = recap.turns, recap.session.memory
    first = _first_recent(turns)
    made = [
        memory.recalled(make, its_turns, at)
        if memory.is_filled_ahead
        else memory.recall(make, its_turns, at, at, memory)
        for make, its_turns, at in _chapters_before(turns, first)
    ]
    return [each for each in made if each is not None], len(turns) - len(last_of_known_words(turns[first:], memory))


def make_ahead(recap: Recap) -> Iterator[None]:
    """Make what takes long to make of a session, piece by piece: the last turns first, then what came before them."""
    turns, memory = recap.turns, recap.session.memory
    first = _first_recent(turns)
    for turn in reversed(turns[first:]):
        words = words_of_turn(turn, memory)
        _ = words.results, words.asked_terms, words.answered_terms, words.pulls, words.undone
        yield
    for turn in reversed(turns[:first]):
        _ = words_of_turn(turn, memory).results
        yield
    for make, its_turns, at in _chapters_before(turns, first):
        memory.recall(make, its_turns, at, at, memory)
        yield


def _first_recent(turns: Sequence[Turn]) -> int:
    return max((len(turns) - _RECENT_TURNS) // _CHAPTER_TURNS, 0) * _CHAPTER_TURNS


def _chapters_before(turns: tuple[Turn, ...], first: int) -> Iterator[tuple[_Make, tuple[Turn, ...], int]]:
    """Which there are: how each is made, of which turns, and at what position they begin."""
    at = 0
    while at < first:
        size = _CHAPTERS * _CHAPTER_TURNS if at + _CHAPTERS * _CHAPTER_TURNS <= first else _CHAPTER_TURNS
        yield _joined if size > _CHAPTER_TURNS else _chapter, turns[at : at + size], at
        at += size


def _chapter(turns: tuple[Turn, ...], first: int, memory: Memory) -> _Chapter:
    results = [
        result
        for position, turn in enumerate(turns, first)
        for result in _results(words_of_turn(turn, memory).results, position)
    ]
    breaks = list(enumerate(_breaks(turns, memory), first))
    return _boiled_down(turns, first, memory, results=results, breaks=breaks)


def _joined(turns: tuple[Turn, ...], first: int, memory: Memory) -> _Chapter:
    parts = [
        memory.recall(_chapter, turns[at : at + _CHAPTER_TURNS], first + at, first + at, memory)
        for at in range(0, len(turns), _CHAPTER_TURNS)
    ]
    results = [result for part in parts for result in part.results]
    breaks = [each for part in parts for each in part.breaks]
    return _boiled_down(turns, first, memory, results=results, breaks=breaks)


def _boiled_down(
    turns: Sequence[Turn],
    first: int,
    memory: Memory,
    *,
    results: Sequence[Result],
    breaks: Sequence[tuple[int, float]],
) -> _Chapter:
    weightiest = nlargest(_RESULTS, results, key=_weight)
    clearest = nlargest(_BREAKS, breaks, key=lambda each: (each[1], -each[0]))
    asked: dict[str, float] = {}
    for at, _ in clearest:
        asked.update(words_of_turn(turns[at - first], memory).asked_terms)
    answered = {term: 1.0 for result in weightiest for term in result.phrase.terms}
    return _Chapter(tuple(sorted(weightiest, key=lambda result: result.turn)), tuple(sorted(clearest)), asked, answered)


def _weight(result: Result) -> float:
    """How much it says for its length, whatever else is said."""
    phrase = result.phrase
    return result.factor * len(phrase.terms) / (len(phrase.text) + _OVERHEAD_CHARS)


def _breaks(turns: tuple[Turn, ...], memory: Memory) -> Sequence[float]:
    """How clearly each turn begins something new: 0 for a nod, 1 for words nobody said before, more after a gap."""
    words = [words_of_turn(turn, memory) for turn in turns]
    asked = [set(each.asked_terms) for each in words]
    said_in = [one | set(each.answered_terms) for one, each in zip(asked, words, strict=True)]
    count = Counter(chain.from_iterable(said_in))
    # Words that come up in every turn tell topics apart as little as small talk does.
    telling = [0.0, *(log2(1 + len(turns) / times) for times in range(1, len(turns) + 1))]
    tells = {term: telling[times] for term, times in count.items()}.__getitem__
    breaks = [0.0] * len(turns)
    for at, turn in enumerate(turns[1:], start=1):
        if turn.gap_s >= _GAP_S:
            breaks[at] += 1.0
        if not is_substantive(turn.request.text):
            continue
        recent = said_in[at - 1] | (said_in[at - 2] if at > 1 else set())
        if len(asked[at]) < NAMING_TERMS:
            breaks[at] += _FEW_WORDS_BREAK if asked[at].isdisjoint(recent) else 0.0
            continue
        breaks[at] += 1.0 - sum(map(tells, asked[at] & recent)) / sum(map(tells, asked[at]))
    return breaks
