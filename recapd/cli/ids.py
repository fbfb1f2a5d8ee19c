"""Sessions by what is short and tells them apart. Light: a shell that completes a name waits for it."""

from __future__ import annotations

from itertools import pairwise

TYPE_CHECKING = False  # typing costs more to import than all of this
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_SHORT_ID = 8


def text_of(row: Mapping[str, object], key: str) -> str:
    found = row.get(key)
    return found if isinstance(found, str) else ""


def short_ids(ids: Iterable[str]) -> dict[str, str]:
    """As much of each as tells it from the others; that is what a command takes for it."""
    own = {each: each.partition(":")[2] or each for each in ids}
    # Sorted, those that begin alike are neighbours.
    ordered = sorted(own.values())
    shared = dict.fromkeys(ordered, _SHORT_ID)
    for before, after in pairwise(ordered):
        alike = next((at for at, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), len(before)) + 1
        shared[before] = max(shared[before], alike)
        shared[after] = max(shared[after], alike)
    counted: dict[str, int] = {}
    for each in ordered:
        counted[each] = counted.get(each, 0) + 1
    return {each: own_id[: shared[own_id]] if counted[own_id] == 1 else each for each, own_id in own.items()}
