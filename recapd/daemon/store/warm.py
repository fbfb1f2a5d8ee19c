"""Sources that were dropped to disk and are asked about: put together in the asker's thread, the latest kept."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct

from recapd.core.state import Source, World, fold
from recapd.daemon.log_files import UnreadableLog, batches, open_log
from recapd.daemon.store.cache import Saved
from recapd.server.workspaces import path_of
from recapd.wire.errors import source_gone

# What a state takes in memory for each byte of it on disk; measured over a corpus of logs by tests/bench/bench_restart.
MEMORY_PER_BYTE = 3
# Of what was read from a log because the store did not have it, the size is not known.
_UNKNOWN_BYTES = 1 << 20


class _Entry(Struct, frozen=True):
    head: Source
    whole: Source
    size: int


class Warm:
    """Least recently asked for first. Safe to use in threads."""

    def __init__(self, find: Callable[[str, Source], Saved | None], *, max_bytes: Callable[[], int]) -> None:
        self._find = find
        self._max_bytes = max_bytes
        self._entries: dict[str, _Entry] = {}
        self._lock = threading.Lock()

    def has(self, head: Source) -> bool:
        entry = self._entries.get(head.key)
        return entry is not None and entry.head is head

    def whole(self, head: Source) -> Source:
        """All of a source of which only the head is at hand: from the store, else from its log. RecapError where
        neither has it."""
        with self._lock:
            entry = self._entries.pop(head.key, None)
            if entry is not None and entry.head is head:
                self._entries[head.key] = entry
                return entry.whole
        saved = self._find(path_of(head.uri), head)
        size = saved.size if saved is not None and saved.notes else _UNKNOWN_BYTES
        # A view may tell from a text that was redacted in the store something else than from the text itself.
        is_good = saved is not None and (saved.is_exact or head.is_gone)
        source = saved.source if saved is not None and is_good else _from_log(head)
        source = msgspec.structs.replace(source, is_gone=head.is_gone)
        self._keep(_Entry(head, source, size))
        return source

    def drop(self, key: str) -> None:
        with self._lock:
            self._entries.pop(key, None)

    def _keep(self, entry: _Entry) -> None:
        with self._lock:
            self._entries[entry.head.key] = entry
            size = sum(each.size for each in self._entries.values())
            # The one that is asked about stays, whatever its size.
            while size * MEMORY_PER_BYTE > self._max_bytes() and len(self._entries) > 1:
                size -= self._entries.pop(next(iter(self._entries))).size


def _from_log(head: Source) -> Source:
    world = World()
    try:
        for batch in batches(open_log(Path(path_of(head.uri)))):
            world, _ = fold(world, batch)
    except (UnreadableLog, OSError):
        raise source_gone(head.uri) from None
    source = world.sources.get(head.key)
    if source is None:
        raise source_gone(head.uri)
    return source
