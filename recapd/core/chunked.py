"""A frozen sequence that grows cheaply.

Appending to a tuple of 50,000 entries copies it; here only the last chunk and the list of chunks are copied.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

from msgspec import Struct

T = TypeVar("T")

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

    def __reversed__(self) -> Iterator[T]:
        for chunk in reversed(self.chunks):
            yield from reversed(chunk)


class Growing(Generic[T]):
    """A draft of a Chunked: appends and replaces, copying only the chunks it touches."""

    __slots__ = ("_base", "_last", "_touched", "length")

    def __init__(self, base: Chunked[T]) -> None:
        self._base = base
        self._touched: dict[int, list[T]] = {}
        # The chunk that the next item goes into, once it is open.
        self._last: list[T] | None = None
        # The same as len(), for those who ask all the time.
        self.length = len(base)

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, index: int) -> T:
        if index < 0:
            index += self.length
        touched = self._touched.get(index // CHUNK)
        if touched is not None:
            return touched[index % CHUNK]
        return self._base[index]

    def __setitem__(self, index: int, value: T) -> None:
        if index < 0:
            index += self.length
        self._open(index // CHUNK)[index % CHUNK] = value

    def append(self, value: T) -> None:
        last = self._last
        if last is None or len(last) == CHUNK:
            last = self._last = self._open(self.length // CHUNK)
        last.append(value)
        self.length += 1

    def _open(self, number: int) -> list[T]:
        touched = self._touched.get(number)
        if touched is None:
            known = self._base.chunks
            touched = self._touched[number] = list(known[number]) if number < len(known) else []
        return touched

    def freeze(self) -> Chunked[T]:
        if not self._touched:
            return self._base
        chunks = list(self._base.chunks)
        for number in sorted(self._touched):
            chunk = tuple(self._touched[number])
            if number < len(chunks):
                chunks[number] = chunk
            else:
                chunks.append(chunk)
        return Chunked(tuple(chunks))
