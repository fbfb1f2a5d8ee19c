"""Answers worth keeping for whoever asks the same next: the latest few, each good until its session changes.

A panel in ten editor windows asks the same thing ten times; only the first is worked out, and written down.
"""

from __future__ import annotations

from collections.abc import Hashable

import msgspec
from msgspec import Raw

from recapd.wire.types import Wire

# A recap of a long session is 20 to 70 KB as it is sent, twice what it takes as an object; this many are some 5 MB, and
# sending one of them again costs no writing down.
MAX_ANSWERS = 128

_encoder = msgspec.json.Encoder()


class Answers:
    """Least recently used first. Bounded by count."""

    def __init__(self, most: int = MAX_ANSWERS) -> None:
        self._most = most
        self._kept: dict[Hashable, Raw] = {}

    def get(self, key: Hashable) -> Raw | None:
        """The answer as it is sent, where it is kept."""
        found = self._kept.pop(key, None)
        if found is not None:
            self._kept[key] = found
        return found

    def keep(self, key: Hashable, answer: Wire | None) -> Raw:
        """The answer as it is sent, from now on kept."""
        if len(self._kept) >= self._most:
            # Threads may be at it too: whichever is first takes the oldest.
            self._kept.pop(next(iter(self._kept), None), None)
        self._kept[key] = kept = Raw(_encoder.encode(answer))
        return kept
