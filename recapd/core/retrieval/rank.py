"""Which passages answer a prompt best: words first, then likeness, and what stands beside a good passage.

    BM25 over terms          rare words count, long passages do not win by length
    × coverage               one passage with all the words beats five with one each
    + what stands before     an answer follows its question and the reasons follow the finding, in other words
    + what stands behind     less: a heading comes before what it names
    + causes                 who asks why wants what was found in the end, which names the symptom no more
    + likeness               hashed words and letter runs of the best ones, for other spellings of the same

Owns: the weights. Must not know: how passages are written down, or how many fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import nlargest
from math import log
from typing import Final

from msgspec import Struct

from recapd.core.retrieval.causes import asks_for_cause
from recapd.core.retrieval.index import COUNT_BITS, MOST_COUNTED, Index
from recapd.core.retrieval.terms import asked_terms, is_stem
from recapd.core.text import Features, Rarity, counts_of

_SATURATION: Final = 1.2
_LENGTH_WEIGHT: Final = 0.4
# A word with another ending is half a match.
_STEM_WEIGHT: Final = 0.4
_COVERAGE: Final = 0.5
# Passages pass on what they scored, less with each passage between. Without, 42 of 48 labelled questions were answered;
# with anything from 0.3 to 0.7 and 0.2 to 0.4, 44 to 45.
_FORWARD, _FORWARD_DECAY = 0.5, 0.8
_BACKWARD, _BACKWARD_DECAY = 0.2, 0.5
_OF_MESSAGE: Final = 0.1
_OF_TURN: Final = 0.15
# What the human said is meant; what the agent said is often only told.
_OF_HUMAN: Final = 1.2
# As if it named itself what was spoken of around it.
_OF_CAUSE: Final = 1.0
_LIKENESS: Final = 0.2
# So many of the best are read again for likeness; one that fits this much less than the best is about something else.
CANDIDATES: Final = 80
LEAST_SCORE: Final = 0.08


class Hit(Struct, frozen=True, gc=False):
    """A passage, and how well it fits: 1 is the best of its search."""

    row: int
    score: float


def search(index: Index, prompt: str, *, wanted: Sequence[bool]) -> list[Hit]:
    """The best passages, best first; `wanted` tells of each unit whether it may be found."""
    base = _by_words(index, prompt)
    if not any(base):
        return []
    base = [score if score and wanted[unit] else 0.0 for score, unit in zip(base, index.unit_of, strict=True)]
    scores = _with_neighbours(index, base)
    if asks_for_cause(prompt):
        scores = _with_causes(index, base, scores)
    # Of those that may be found, the best is at least as good as its own words.
    least = LEAST_SCORE * max(base)
    good = [(score, row) for row, score in enumerate(scores) if score >= least and score > 0]
    best = nlargest(CANDIDATES, [each for each in good if wanted[index.unit_of[each[1]]]])
    top = best[0][0] if best else 1.0
    return [Hit(row, score / top) for score, row in best if score >= LEAST_SCORE * top]


def by_likeness(hits: Sequence[Hit], features: Sequence[Features], prompt: str) -> list[Hit]:
    """The same passages with the likeness of what they say counted, best first."""
    if not hits:
        return []
    rarity = Rarity([each.numbers() for each in features])
    asked = rarity.vector(counts_of(" ".join(term for term in asked_terms(prompt) if not is_stem(term))))
    likeness = rarity.likenesses(asked, features)
    most = max(likeness) or 1.0
    scored = [
        Hit(hit.row, (1 - _LIKENESS) * hit.score + _LIKENESS * like / most)
        for hit, like in zip(hits, likeness, strict=True)
    ]
    return sorted(scored, key=lambda hit: (-hit.score, hit.row))


def _by_words(index: Index, prompt: str) -> list[float]:
    passages = len(index)
    scores = [0.0] * passages
    matched = [0.0] * passages
    lengths = index.lengths_by_mean()
    least, more = _SATURATION * (1 - _LENGTH_WEIGHT), _SATURATION * _LENGTH_WEIGHT
    all_weight = 0.0
    for term in asked_terms(prompt):
        postings = index.postings(term)
        if not postings:
            continue
        rarity = log(1 + (passages - len(postings) + 0.5) / (len(postings) + 0.5))
        weight = rarity * (_STEM_WEIGHT if is_stem(term) else 1.0)
        all_weight += weight
        most = weight * (_SATURATION + 1)
        for each in postings:
            row, count = each >> COUNT_BITS, each & MOST_COUNTED
            scores[row] += most * count / (count + least + more * lengths[row])
            matched[row] += weight
    if not all_weight:
        return scores
    share = _COVERAGE / all_weight
    return [score and score * (1 + share * hit) for score, hit in zip(scores, matched, strict=True)]


def _with_causes(index: Index, base: Sequence[float], scores: list[float]) -> list[float]:
    """A cause is stated where the symptom was spoken of: in that turn, or when the human came back to it."""
    of_turn: dict[int, float] = {}
    for score, turn in zip(base, index.turn_of, strict=True):
        of_turn[turn] = max(score, of_turn.get(turn, 0.0))
    return [
        score + _OF_CAUSE * max(of_turn.get(turn, 0.0), of_turn.get(turn - 1, 0.0)) if is_cause else score
        for score, turn, is_cause in zip(scores, index.turn_of, index.is_cause, strict=True)
    ]


def _with_neighbours(index: Index, base: Sequence[float]) -> list[float]:
    # Gone through for every prompt: what is looked up once for a passage is at hand in the index.
    of_message = [0.0] * len(index.units)
    # Rows of turns begin at -1, which is the last of these.
    of_turn = [0.0] * (max(index.turn_of, default=-1) + 2)
    for score, unit, turn in zip(base, index.unit_of, index.turn_of, strict=True):
        if score:
            if score > of_message[unit]:
                of_message[unit] = score
            if score > of_turn[turn]:
                of_turn[turn] = score
    scores: list[float] = []
    passed = 0.0
    for score, unit, turn in zip(base, index.unit_of, index.turn_of, strict=True):
        near = _FORWARD * passed + _OF_MESSAGE * of_message[unit]
        scores.append(score + near + _OF_TURN * of_turn[turn])
        passed *= _FORWARD_DECAY
        if score > passed:
            passed = score
    passed = 0.0
    for row in range(len(base) - 1, -1, -1):
        score = scores[row] + _BACKWARD * passed
        scores[row] = score * _OF_HUMAN if index.is_human[row] else score
        passed *= _BACKWARD_DECAY
        if base[row] > passed:
            passed = base[row]
    return scores
