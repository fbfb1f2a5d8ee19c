"""How alike two texts are: hashed word and letter counts, weighted by how rare they are. No model, no download.

Words alone find half of the paraphrases in coding chats; with runs of three and four letters it is two thirds.
Of two neighbours within a turn and two pieces far apart the neighbours are more alike in 75 % of cases, in scripts
without spaces in 82 %, read in pairs of characters; read in runs between marks it was 78 %.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from math import hypot, log
from typing import Final, TypeAlias
from zlib import crc32

from msgspec import Struct

from recapd.core.text.names import names_in
from recapd.core.text.stop_words import STOP_WORDS
from recapd.core.text.words import word_rule, words_in

Counts: TypeAlias = "Counter[int]"
Vector: TypeAlias = dict[int, float]

_RULE: Final = word_rule(least_chars=2, stop_words=STOP_WORDS["likeness"])
# What a text is about shows in its first few thousand characters; the rest only costs.
_READ_CHARS: Final = 3_000
_BUCKETS: Final = 1 << 20
# Letter runs are many to a word and say less than it.
_RUN_WEIGHT: Final = 0.35
# What it says that a feature stands in a text so often; most do once.
_MANY: Final = 32
_OFTEN: Final = (0.0, *(1 + log(count) for count in range(1, _MANY)))
_OFTEN_RUN: Final = tuple(_RUN_WEIGHT * often for often in _OFTEN)


def counts_of(text: str) -> Counts:
    """How often each word, and each run of letters in it, stands in the text."""
    return Counter(chain.from_iterable(map(_features, words_in(text[:_READ_CHARS], _RULE))))


class Features(Struct, frozen=True, gc=False):
    """What stands in a text: all that others do not change of what it says. Words and runs of letters that stand there
    once, as most do, and what it says of each of the others that it stands there so often."""

    words: tuple[int, ...]
    runs: tuple[int, ...]
    often: dict[int, float]

    def numbers(self) -> Iterator[int]:
        return chain(self.words, self.runs, self.often)


def features_of(counts: Counts) -> Features:
    # Hundreds of each passage that a prompt finds: no call for each.
    return Features(
        tuple([feature for feature, count in counts.items() if count == 1 and feature > 0]),
        tuple([feature for feature, count in counts.items() if count == 1 and feature < 0]),
        {feature: _says(feature, count) for feature, count in counts.items() if count > 1},
    )


def _says(feature: int, count: int) -> float:
    if count < _MANY:
        return _OFTEN_RUN[count] if feature < 0 else _OFTEN[count]
    return (1 + log(count)) * (_RUN_WEIGHT if feature < 0 else 1.0)


# The same few thousand words stand in all passages of a conversation, each with a dozen runs of letters.
@lru_cache(maxsize=4_096)
def _features(word: str) -> tuple[int, ...]:
    padded = f"_{word}_"
    runs = [padded[at : at + size] for size in (3, 4) for at in range(len(padded) - size + 1)]
    return _bucket(word), *(_bucket(f"~{run}") for run in runs)


def _bucket(feature: str) -> int:
    # The sign tells words from letter runs without a second table: runs are negative.
    bucket = crc32(feature.encode("utf-8", "surrogatepass")) % _BUCKETS + 1
    return -bucket if feature[0] == "~" else bucket


class Rarity:
    """How much a feature tells, from how many of these texts have it."""

    def __init__(self, texts: Sequence[Iterable[int]]) -> None:
        """Of each text what stands in it."""
        # By how many have it: there are as many as texts, and features by the thousand.
        tells = [log((1 + len(texts)) / (1 + having)) + 1 for having in range(len(texts) + 1)]
        having = Counter(chain.from_iterable(texts))
        self._tells = dict(zip(having, map(tells.__getitem__, having.values()), strict=True))
        self._of_none = tells[0]

    def vector(self, counts: Counts) -> Vector:
        """Of length 1, or empty where the text holds no words."""
        tells = self._tells.get
        weights = {each: _says(each, count) * tells(each, self._of_none) for each, count in counts.items()}
        length = hypot(*weights.values())
        return {feature: weight / length for feature, weight in weights.items()} if length else {}

    def likenesses(self, one: Vector, texts: Sequence[Features]) -> list[float]:
        """How alike a vector and each of these texts are; the same as by the texts' vectors, of which most is not
        needed."""
        # Tens of thousands of features for every prompt: no step of Python's own for each.
        told = {feature: weight * self._tells[feature] for feature, weight in one.items() if feature in self._tells}
        shared_with = frozenset(told).intersection
        tells = self._tells.__getitem__
        found: list[float] = []
        for text in texts:
            often = [weight * tells(feature) for feature, weight in text.often.items()]
            runs = _RUN_WEIGHT * hypot(*map(tells, text.runs))
            length = hypot(runs, *map(tells, text.words), *often)
            shared = sum([told[each] for each in shared_with(text.words)])
            shared += _RUN_WEIGHT * sum([told[each] for each in shared_with(text.runs)])
            shared += sum([told[each] * text.often[each] for each in shared_with(text.often)])
            found.append(shared / length if length else 0.0)
        return found


def similarity(one: Vector, other: Vector) -> float:
    """0 to 1; 0 where either is empty."""
    if len(one) > len(other):
        one, other = other, one
    return sum(weight * other[feature] for feature, weight in one.items() if feature in other)


def subjects_in(text: str) -> frozenset[str]:
    """Files and identifiers that a text is about; bare numbers and one-letter names tie nothing together."""
    found = (name.rpartition("/")[2].lower().strip(".") for name in names_in(text[:_READ_CHARS]))
    return frozenset(name for name in found if len(name) > 2 and not name[0].isdigit())
