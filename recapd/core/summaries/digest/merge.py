"""Neighbouring chunks on one matter become one.

Alike is not enough: bags of words agree by accident. Two neighbours merge where they are alike by an absolute measure
and agree in something else: within a turn they answer the same request, across turns they have to name the same files
or identifiers. Texts that are nearly the same merge whatever they name. Nothing merges where the similarity dips
against both sides, which is how a change of topic shows. With two chunks there is no dip to see, so only the absolute
measure counts: nothing merges because it is the most alike of one.

In real sessions 35 % of neighbours within a turn are alike to 0.2, 24 % across turns, 6 % of pairs far apart; with a
name in common 20, 17 and 4 %. Mixing in static word vectors from a 16 MB table told topics apart no better: digests of
labelled sessions scored 0.76 with them and 0.81 without (by tests/eval/ablation.py), so there is nothing to download.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from recapd.core.settings import DigestSettings
from recapd.core.summaries.digest.chunk import Chunk, joined
from recapd.core.text import Counts, Rarity, Vector, counts_of, similarity, subjects_in

# Alike to this degree the texts are on one matter, whatever they name: 99 % of pairs far apart are below 0.42.
SAME_TEXT = 0.6
# Within a turn this share of the measure is enough: what follows an answer mostly goes on with it.
SAME_TURN = 0.6
# A dip: this much less alike than the better of each side. Below it, similarities of one topic swing.
DIP = 0.15
# Nobody picks up a thread after so long without saying what it is about.
GAP_S = 3600.0
# A name in more than this share of all chunks is the project's, not the topic's.
_COMMON_SHARE = 0.4


def merged_chunks(chunks: Sequence[Chunk], settings: DigestSettings, *, most_chars: int) -> list[Chunk]:
    """Repeated until nothing merges any more; the order is that of the conversation. None outgrows what is allowed."""
    counts = [counts_of(chunk.text) for chunk in chunks]
    rarity = Rarity(counts)
    subjects = [subjects_in(chunk.text) for chunk in chunks]
    common = _common(subjects)
    rows = [
        _Row(chunk, count, rarity.vector(count), names - common)
        for chunk, count, names in zip(chunks, counts, subjects, strict=True)
    ]
    while True:
        again = _once(rows, rarity, settings, most_chars)
        if len(again) == len(rows):
            return [row.chunk for row in rows]
        rows = again


class _Row:
    """A chunk with what it is compared by. Sums of counts, not averages of vectors: each text weighs by its length."""

    __slots__ = ("chunk", "counts", "names", "vector")

    def __init__(self, chunk: Chunk, counts: Counts, vector: Vector, names: frozenset[str]) -> None:
        self.chunk = chunk
        self.counts = counts
        self.vector = vector
        self.names = names


def _once(rows: list[_Row], rarity: Rarity, settings: DigestSettings, most_chars: int) -> list[_Row]:
    alike = [similarity(one.vector, other.vector) for one, other in pairwise(rows)]
    kept: list[_Row] = []
    previous_merged = False
    for at, row in enumerate(rows):
        # One merge at a time on either side: what a merged chunk is like is seen in the next round.
        fits = at and not previous_merged and kept[-1].chunk.chars + row.chunk.chars <= most_chars
        if fits and _belong(kept[-1], row, alike, at - 1, settings):
            last = kept[-1]
            counts = last.counts + row.counts
            kept[-1] = _Row(joined(last.chunk, row.chunk), counts, rarity.vector(counts), last.names | row.names)
            previous_merged = True
            continue
        kept.append(row)
        previous_merged = False
    return kept


def _belong(one: _Row, other: _Row, alike: list[float], at: int, settings: DigestSettings) -> bool:
    value = alike[at]
    is_same_turn = one.chunk.pieces[-1].turn == other.chunk.first_turn
    least = settings.merge_similarity * (SAME_TURN if is_same_turn else 1.0)
    if value < least:
        return False
    if value >= SAME_TEXT:
        return True
    if other.chunk.gap_s > GAP_S or _is_dip(alike, at):
        return False
    return is_same_turn or bool(one.names & other.names)


def _is_dip(alike: list[float], at: int) -> bool:
    """Whether both neighbours are clearly more alike among themselves; at the ends there is only one side to see."""
    if at == 0 or at == len(alike) - 1:
        return False
    return alike[at - 1] - alike[at] >= DIP and alike[at + 1] - alike[at] >= DIP


def _common(subjects: Sequence[frozenset[str]]) -> frozenset[str]:
    if len(subjects) < 5:
        return frozenset()
    having = Counter(name for names in subjects for name in names)
    return frozenset(name for name, count in having.items() if count > _COMMON_SHARE * len(subjects))
