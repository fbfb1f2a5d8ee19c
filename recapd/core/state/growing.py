"""Frozen collections of which one with a little more costs little, however large they are.

Chunked   a sequence: appending to a tuple of 50,000 entries copies it; here only the last chunk and the list of
          chunks are copied, in a draft (`Growing`)
Layered   a mapping: a base that is shared by all that were made from it, and what was put in since, which is copied
          with every change, and made part of the base once it is as large as its root
"""

from __future__ import annotations

from collections.abc import Collection, ItemsView, Iterator, KeysView, Mapping, ValuesView
from typing import Generic, TypeVar

from msgspec import Struct

T = TypeVar("T")
K = TypeVar("K")
V = TypeVar("V")

# Copying a chunk and copying the list of chunks cost about the same at some 4,000 entries.
CHUNK = 64


class Chunked(Struct, Generic[T], frozen=True):
    """Chunks of exactly CHUNK items, but for the last: equal sequences have equal chunks."""

    chunks: tuple[tuple[T, ...], ...] = ()

    def __len__(self) -> int:
        return (len(self.chunks) - 1) * CHUNK + len(self.chunks[-1]) if self.chunks else 0

    def __getitem__(self, index: int) -> T:
        if index < 0:
            index += len(self)
        if index < 0:
            raise IndexError(index)
        return self.chunks[index // CHUNK][index % CHUNK]

    def __iter__(self) -> Iterator[T]:
        for chunk in self.chunks:
            yield from chunk

    def since(self, start: int) -> Iterator[T]:
        """The items from a position on, without a walk over those before it."""
        for number in range(start // CHUNK, len(self.chunks)):
            yield from self.chunks[number][max(start - number * CHUNK, 0) :]

    def __reversed__(self) -> Iterator[T]:
        for chunk in reversed(self.chunks):
            yield from reversed(chunk)


def is_beginning(before: Chunked[T], now: Chunked[T]) -> bool:
    """Whether a sequence only grew since. Next to nothing where it did: what did not change is the same object."""
    last = len(before.chunks) - 1
    if last < 0 or before is now:
        return True
    if last >= len(now.chunks) or before.chunks[:last] != now.chunks[:last]:
        return False
    end = before.chunks[last]
    return end == now.chunks[last][: len(end)]


class Growing(Generic[T]):
    """A draft of a Chunked: appends and replaces, copying only the chunks it touches.

    Most of what happens, happens at the end, so the end is a plain list that its owner may look at and append to.
    """

    __slots__ = ("_base", "_is_changed", "_known", "_start", "_touched", "append", "tail")

    def __init__(self, base: Chunked[T]) -> None:
        self._base = base
        chunks = base.chunks
        # The last chunk and all that comes after it: empty only where the whole sequence is.
        self.tail: list[T] = list(chunks[-1]) if chunks else []
        self.append = self.tail.append
        self._known = len(self.tail)
        # Index of the first item of the tail.
        self._start = (len(chunks) - 1) * CHUNK if chunks else 0
        self._touched: dict[int, list[T]] = {}
        self._is_changed = False

    def __len__(self) -> int:
        return self._start + len(self.tail)

    def __getitem__(self, index: int) -> T:
        at = index - self._start if index >= 0 else index + len(self.tail)
        if at >= 0:
            return self.tail[at]
        index = self._start + at
        touched = self._touched.get(index // CHUNK)
        return touched[index % CHUNK] if touched is not None else self._base[index]

    def __setitem__(self, index: int, value: T) -> None:
        at = index - self._start if index >= 0 else index + len(self.tail)
        self._is_changed = True
        if at >= 0:
            self.tail[at] = value
            return
        number, place = divmod(self._start + at, CHUNK)
        if number not in self._touched:
            self._touched[number] = list(self._base.chunks[number])
        self._touched[number][place] = value

    def freeze(self) -> Chunked[T]:
        tail = self.tail
        if len(tail) == self._known and not self._is_changed:
            return self._base
        chunks = list(self._base.chunks[:-1])
        for number, touched in self._touched.items():
            chunks[number] = tuple(touched)
        if len(tail) <= CHUNK:
            chunks.append(tuple(tail))
        else:
            chunks += [tuple(tail[start : start + CHUNK]) for start in range(0, len(tail), CHUNK)]
        return Chunked(tuple(chunks))


class Layered(Mapping[K, V]):
    """Keeps the order of a dict: what is put in the place of something stands where that stood. Looking something up is
    two looks; going through all of it puts it together once."""

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
