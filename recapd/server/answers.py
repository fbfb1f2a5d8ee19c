"""Answers worth keeping for whoever asks the same next: the latest few, each good until its session changes.

A panel in ten editor windows asks the same thing ten times; only the first is worked out.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from recapd.wire.base import Wire

# A recap is some 20 KB as an object; this many are a few megabytes.
MAX_ANSWERS = 128


class Answers:
    """Least recently used first. Bounded by count."""

    def __init__(self, most: int = MAX_ANSWERS) -> None:
        self._most = most
        self._kept: dict[Hashable, Wire] = {}

    def get_or_make(self, key: Hashable, make: Callable[[], Wire]) -> Wire:
        found = self._kept.pop(key, None)
        if found is None:
            found = make()
            if len(self._kept) >= self._most:
                # Threads may be at it too: whichever is first takes the oldest.
                self._kept.pop(next(iter(self._kept), None), None)
        self._kept[key] = found
        return found
