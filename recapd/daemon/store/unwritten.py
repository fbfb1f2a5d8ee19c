"""Sources that were read by a process and do not stand in the cache yet: as bytes, which take a third of the room, and
leave no holes in the memory when they go. Any thread may look."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from recapd.core.state import Source
from recapd.daemon.encoding import Saved

# Beyond it nothing more is read until some of it is written: the states of some 300 MB of logs.
FULL_BYTES = 36_000_000

_decode = msgspec.msgpack.Decoder(Source).decode


class _Entry(Struct, frozen=True):
    head: Source
    body: bytes


def body_of(source: Source) -> bytes | None:
    """All of a source; None where there is half a character in it, which cannot be encoded."""
    try:
        return msgspec.msgpack.encode(source)
    except ValueError:
        return None


class Unwritten:
    """Changed on the loop alone."""

    def __init__(self) -> None:
        self._entries: dict[str, _Entry] = {}
        self._size = 0

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def is_full(self) -> bool:
        return self._size > FULL_BYTES

    def add(self, head: Source, body: bytes) -> None:
        self.drop(head.key)
        self._entries[head.key] = _Entry(head, body)
        self._size += len(body)

    def body_of(self, head: Source) -> bytes | None:
        """All of the source that this very head is of."""
        entry = self._entries.get(head.key)
        return entry.body if entry is not None and entry.head is head else None

    def find(self, head: Source) -> Saved | None:
        """The source, unless less was known of it than its head says. It has no notes: nothing of it is written."""
        entry = self._entries.get(head.key)
        if entry is None or entry.head.generation != head.generation:
            return None
        if entry.head.transcript.totals.records < head.transcript.totals.records:
            return None
        return Saved(_decode(entry.body), {})

    def keep_to(self, known: Mapping[str, Source]) -> None:
        """Drop what is not known any more, or known otherwise."""
        for key, entry in list(self._entries.items()):
            if known.get(key) is not entry.head:
                self.drop(key)

    def drop(self, key: str) -> None:
        if (entry := self._entries.pop(key, None)) is not None:
            self._size -= len(entry.body)
