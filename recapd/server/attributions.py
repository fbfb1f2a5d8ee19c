"""Who wrote the lines of files that were asked about: each good for one text and the edits known of it.

An editor asks about a line, and then about the next one of the same text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import blake2b
from threading import Lock

# A number for each line: of all of them together, some 10 MB.
MAX_LINES = 1_000_000


class Attributions:
    """The latest, least recently asked first. For any number of threads."""

    def __init__(self, most_lines: int = MAX_LINES) -> None:
        self._most = most_lines
        self._kept: dict[bytes, tuple[int, ...]] = {}
        self._lines = 0
        self._lock = Lock()

    def recall(self, text: str, edits: Sequence[str], make: Callable[[], Sequence[int]]) -> tuple[int, ...]:
        """By line, the number of the edit that wrote it: made where it is not known for this text and these edits."""
        key = _key(text, edits)
        with self._lock:
            found = self._kept.pop(key, None)
            if found is not None:
                self._kept[key] = found
                return found
        made = tuple(make())
        with self._lock:
            self._lines += len(made) - len(self._kept.pop(key, ()))
            self._kept[key] = made
            while self._lines > self._most:
                self._lines -= len(self._kept.pop(next(iter(self._kept))))
        return made


def _key(text: str, edits: Sequence[str]) -> bytes:
    digest = blake2b(digest_size=16)
    digest.update(text.encode("utf-8", "surrogatepass"))
    for edit in edits:
        digest.update(b"\0")
        digest.update(edit.encode("utf-8", "surrogatepass"))
    return digest.digest()
