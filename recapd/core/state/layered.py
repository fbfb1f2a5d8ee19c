"""A mapping that never changes, and of which another with a few items more costs little however large it is.

    base     most of it, shared by all that were made from it
    recent   what was put in since: copied with every change, and made part of the base once it is as large as its root

Keeps the order of a dict: what is put in the place of something stands where that stood. Looking something up is two
looks; going through all of it puts it together once.
"""

from __future__ import annotations

from collections.abc import Collection, ItemsView, Iterator, KeysView, Mapping, ValuesView
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Layered(Mapping[K, V]):
    __slots__ = ("_base", "_recent", "_size", "_whole")

    def __init__(self, base: Mapping[K, V] | None = None) -> None:
        self._base: dict[K, V] = dict(base) if base is not None else {}
        self._recent: dict[K, V] = {}
        self._size = len(self._base)
        self._whole: dict[K, V] | None = self._base

    def with_items(self, items: Mapping[K, V]) -> Layered[K, V]:
        """The same with these, each in the place of what was there under its key."""
        made: Layered[K, V] = Layered.__new__(Layered)
        made._base, made._recent = self._base, {**self._recent, **items}
        made._size = self._size + sum(key not in self for key in items)
        made._whole = None
        if len(made._recent) ** 2 > len(made._base):
            made._base, made._recent = {**made._base, **made._recent}, {}
            made._whole = made._base
        return made

    def without(self, keys: Collection[K]) -> Layered[K, V]:
        """The same without these. As dear as going through all of it."""
        return Layered({key: value for key, value in self.items() if key not in keys})

    def __getitem__(self, key: K) -> V:
        return self._recent[key] if key in self._recent else self._base[key]

    def __contains__(self, key: object) -> bool:
        return key in self._recent or key in self._base

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[K]:
        return iter(self._all())

    def keys(self) -> KeysView[K]:
        return self._all().keys()

    def items(self) -> ItemsView[K, V]:
        return self._all().items()

    def values(self) -> ValuesView[V]:
        return self._all().values()

    def __repr__(self) -> str:
        return f"Layered({self._all()!r})"

    def _all(self) -> dict[K, V]:
        whole = self._whole
        if whole is None:
            # Two threads may put it together: either is kept, and both are the same.
            whole = self._whole = {**self._base, **self._recent}
        return whole
