"""Fitting parts into a budget that is a hard cap: which of them are taken, and which are given up.

    take_fitting       most needed first; what does not fit is passed over, the rest goes on
    take_until_full    most needed first; the first that does not fit ends it, so that nothing is missing in between
    drop_to_fit        all of them, without the least needed ones that are too much

Owns: the choice under a cap. Must not know: what parts say, what they are worth, how they are written down. What a part
costs is the caller's to say, in tokens or characters; costs are taken to add up (see tokens).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias, TypeVar

from msgspec import Struct


class Part(Struct, frozen=True):
    """A line or a block. The highest rank is dropped first; rank 0 is what the whole is for."""

    rank: int
    text: str


P = TypeVar("P", bound=Part)


class Taken(Struct, frozen=True):
    """What found room, in the order in which it was taken, what room is left, and what the others would cost."""

    positions: tuple[int, ...]
    left: int
    left_out: int


Cost: TypeAlias = Callable[[int], int]
# Whether a part is still wanted beside those that were taken before it.
Wanted: TypeAlias = Callable[[int, Sequence[int]], bool]


def take_fitting(order: Iterable[int], cost_of: Cost, room: int, *, is_wanted: Wanted | None = None) -> Taken:
    """Positions in the order of need; what is not wanted any more costs nothing and counts for nothing."""
    taken: list[int] = []
    left_out = 0
    for position in order:
        if is_wanted is not None and not is_wanted(position, taken):
            continue
        cost = cost_of(position)
        if cost > room:
            left_out += cost
            continue
        taken.append(position)
        room -= cost
    return Taken(tuple(taken), room, left_out)


def take_until_full(order: Iterable[int], cost_of: Cost, room: int) -> Taken:
    """Positions in the order of need. Of those behind the last one taken only the next is known to cost too much."""
    taken: list[int] = []
    for position in order:
        cost = cost_of(position)
        if cost > room:
            return Taken(tuple(taken), room, cost)
        taken.append(position)
        room -= cost
    return Taken(tuple(taken), room, 0)


def drop_to_fit(parts: Sequence[P], fits: Callable[[Sequence[P]], bool], *, least_rank: int = 0) -> list[P]:
    """The parts in their order, without those of highest rank until they fit; one stays, and what ranks lower."""
    kept = list(parts)
    while len(kept) > 1 and not fits(kept):
        worst = max(kept, key=lambda part: part.rank)
        if worst.rank < least_rank:
            break
        kept.remove(worst)
    return kept
