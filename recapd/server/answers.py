"""Answers worth keeping for whoever asks the same next: the latest few, each good until its session changes.

A panel in ten editor windows asks the same thing ten times; only the first is worked out, and written down.
"""

from __future__ import annotations

import threading
from collections.abc import Hashable

import msgspec
from msgspec import Raw

from recapd.wire.types import Wire

# A recap of a long session is 20 to 70 KB as it is sent, twice what it takes as an object: this many, in so many bytes,
# and sending one of them again costs no writing down.
MAX_ANSWERS = 128
MAX_BYTES = 8 << 20

_encoder = msgspec.json.Encoder()


class Answers:
    """Least recently used first. Bounded by count and by bytes."""

    def __init__(self, most: int = MAX_ANSWERS, most_bytes: int = MAX_BYTES) -> None:
        self._most = most
        self._most_bytes = most_bytes
        self._kept: dict[Hashable, Raw] = {}
        self._bytes = 0
        # Threads keep answers, and so does the loop.
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> Raw | None:
        """The answer as it is sent, where it is kept."""
        with self._lock:
            found = self._kept.pop(key, None)
            if found is not None:
                self._kept[key] = found
        return found

    def keep(self, key: Hashable, answer: Wire | None) -> Raw:
        """The answer as it is sent, from now on kept, unless it is larger than all may be."""
        kept = Raw(_encoder.encode(answer))
        with self._lock:
            self._bytes += len(kept) - len(self._kept.pop(key, b""))
            self._kept[key] = kept
            while self._bytes > self._most_bytes or len(self._kept) > self._most:
                self._bytes -= len(self._kept.pop(next(iter(self._kept))))
        return kept
