"""What each episode is worth to a reader who comes back: late × new × connected × (1 + α · consequential).

The weights are exponents, so 0 switches a factor off: with all others at 0 the order is the seed's, by lateness alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from recapd.core.settings import DigestSettings
from recapd.core.summaries.digest.tell import Episode
from recapd.core.text import Rarity, Vector, counts_of, similarity

# A factor never becomes 0: what is known already, or stands alone, may still be the only thing to tell.
_FLOOR: Final = 0.05
# Calls that count; after so many changes one more says nothing new.
_MAX_CONSEQUENCES: Final = 6
# The most alike episode is worth so many others.
_FOCUS_WEIGHT: Final = 50.0
_ROUNDS: Final = 8
_LEAST_STRENGTH: Final = 1e-9
_DAMPING: Final = 0.85


def scores_of(
    episodes: Sequence[Episode], earlier: Sequence[str], settings: DigestSettings, *, focus: str = ""
) -> list[float]:
    """One for each episode, in their order; `earlier` are recaps that the reader had before.

    What a `focus` names is lifted above the rest, whatever its score.
    """
    if not episodes:
        return []
    counts = [counts_of(episode.text) for episode in episodes]
    known = [counts_of(text) for text in earlier]
    wanted = counts_of(focus)
    rarity = Rarity([*counts, *known])
    vectors = [rarity.vector(each) for each in counts]
    before = [rarity.vector(each) for each in known]
    target = rarity.vector(wanted)
    central = _centrality(vectors) if settings.centrality else [1.0] * len(vectors)
    scores: list[float] = []
    for at, episode in enumerate(episodes):
        late = (at + 1) / len(episodes)
        new = 1.0 - max((similarity(vectors[at], each) for each in before), default=0.0)
        weight = 1.0 + settings.consequence * min(episode.consequences, _MAX_CONSEQUENCES)
        scores.append(
            late**settings.recency
            * max(new, _FLOOR) ** settings.novelty
            * max(central[at], _FLOOR) ** settings.centrality
            * weight
            * (1.0 + _FOCUS_WEIGHT * similarity(vectors[at], target))
        )
    return scores


def _centrality(vectors: Sequence[Vector]) -> list[float]:
    """How connected each is with the rest, as in TextRank; the most connected has 1.

    The matrix of all similarities is the vectors times themselves, so it is never written down: a round costs as much
    as the vectors have entries, not as much as there are pairs.
    """
    size = len(vectors)
    if size < 3:
        return [1.0] * size
    everything = _weighted_sum(vectors, [1.0] * size)
    # Without itself; what is like nothing else gives its rank to nobody.
    strength = [max(similarity(each, everything) - 1.0, 0.0) for each in vectors]
    rank = [1.0] * size
    for _ in range(_ROUNDS):
        given = [each / total if total > _LEAST_STRENGTH else 0.0 for each, total in zip(rank, strength, strict=True)]
        pool = _weighted_sum(vectors, given)
        rank = [
            1 - _DAMPING + _DAMPING * max(similarity(each, pool) - own, 0.0)
            for each, own in zip(vectors, given, strict=True)
        ]
    most = max(rank)
    return [each / most for each in rank]


def _weighted_sum(vectors: Sequence[Vector], weights: Sequence[float]) -> Vector:
    total: Vector = {}
    for vector, weight in zip(vectors, weights, strict=True):
        if weight:
            for feature, value in vector.items():
                total[feature] = total.get(feature, 0.0) + weight * value
    return total
