"""What is to be read next. Files that just changed go before the rest of the first reading; no file is read twice at
a time. Decides the order and counts; reads nothing, waits for nothing.

    hint ─▶ hot ──────────────────────────────▶ read here, in slices
    index ─▶ the newest, the short ones, the beginnings of the others, then the others ─▶ read by a process, in jobs
                                                                       large hot files ─▶
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping

from msgspec import Struct

# Changed files that wait; beyond it they are forgotten, and found again by looking everywhere.
MAX_HINTS = 10_000
# A process pays off when there is more to read than it costs to start: 0.2 s.
INLINE_BYTES = 1 << 20
# The newest few are read here meanwhile, so that the first question has an answer.
INLINE_FILES = 8
INLINE_FILE_BYTES = 1 << 18
# As many sessions as anybody scrolls through are read whole before the beginnings of the others.
NEWEST_FILES = 64
# With less than this to read, all of it is read sooner than the beginnings would be worth: a second's work. They cost a
# twentieth of that.
WORTH_HEADS_BYTES = 250 << 20
# Enough to know what a session is about, and a hundredth of a second for a hundred of them.
HEAD_BYTES = 1 << 14
# Logs of up to so much are read whole for twice of what their beginnings take, and then they are done: a third of all
# logs are no longer, and have a fiftieth of the bytes.
SHORT_BYTES = 8 * HEAD_BYTES
# A large file that just changed waits for the job before it: a tenth of a second.
JOB_BYTES = 8 << 20
JOB_FILES = 64


class JobPlan(Struct, frozen=True):
    """Files for one process to read from zero; only their beginnings where `head_bytes` is not 0."""

    paths: tuple[str, ...]
    head_bytes: int = 0


class Backlog:
    """All paths that wait, and those that are being read."""

    def __init__(self, *, has_processes: bool = True) -> None:
        self._hot: dict[str, None] = {}
        self._large: dict[str, None] = {}
        self._newest: deque[str] = deque()
        self._heads: deque[str] = deque()
        self._rest: deque[str] = deque()
        # Files of the first reading that were not read whole yet, and their sizes.
        self._unread: dict[str, int] = {}
        self._busy: set[str] = set()
        self._again: set[str] = set()
        self._total = 0
        self.has_processes = has_processes

    @property
    def done(self) -> int:
        return self._total - len(self._unread)

    @property
    def total(self) -> int:
        return self._total

    @property
    def depth(self) -> int:
        return len(self._hot) + len(self._large)

    @property
    def is_empty(self) -> bool:
        """Nothing waits, and nothing is being read."""
        return not (self.depth or self._unread or self._busy)

    def is_unread(self, path: str) -> bool:
        return path in self._unread

    def hint(self, path: str) -> bool:
        """A file changed. False where too many wait already."""
        if path in self._busy:
            self._again.add(path)
        elif path not in self._hot:
            if len(self._hot) >= MAX_HINTS:
                return False
            self._hot[path] = None
        return True

    def index(self, sizes: Mapping[str, int]) -> None:
        """Files that were never read, newest first."""
        new = {path: size for path, size in sizes.items() if path not in self._unread}
        if not self._unread:
            self._total = 0
        self._total += len(new)
        self._unread.update(new)
        small = [path for path, size in new.items() if size <= INLINE_FILE_BYTES]
        if not self.has_processes or sum(new.values()) <= INLINE_BYTES:
            self._read_here(new)
            return
        self._read_here(small[:INLINE_FILES])
        paths = list(new)
        self._newest.extend(paths[:NEWEST_FILES])
        others = paths[NEWEST_FILES:]
        if sum(new[path] for path in others) > WORTH_HEADS_BYTES:
            self._newest.extend(path for path in others if new[path] <= SHORT_BYTES)
            others = [path for path in others if new[path] > SHORT_BYTES]
            self._heads.extend(others)
        self._rest.extend(others)

    def next_hot(self) -> str | None:
        """The file to read here; it is busy until `finish`."""
        for path in self._hot:
            del self._hot[path]
            self._busy.add(path)
            return path
        return None

    def next_job(self) -> JobPlan | None:
        """The files for a process to read; they are busy until `finish`."""
        while self._large:
            path = next(iter(self._large))
            del self._large[path]
            if path not in self._busy:
                self._busy.add(path)
                return JobPlan((path,))
        for queue, head_bytes in ((self._newest, 0), (self._heads, HEAD_BYTES), (self._rest, 0)):
            if paths := self._take(queue, head_bytes):
                return JobPlan(paths, head_bytes)
        return None

    def hand_over(self, path: str) -> None:
        """A file that `next_hot` gave is too large to be read here."""
        self._busy.discard(path)
        self._again.discard(path)
        self._large[path] = None

    def finish(self, path: str, *, is_whole: bool = True) -> None:
        """A file was read, whole or so far."""
        self._busy.discard(path)
        if is_whole:
            self._unread.pop(path, None)
        if path in self._again:
            self._again.discard(path)
            self._hot[path] = None

    def give_back(self, paths: Iterable[str]) -> None:
        """Files of a job that came to nothing: they go first in the next one."""
        returned = list(paths)
        for path in returned:
            self.finish(path, is_whole=False)
        self._newest.extendleft(path for path in reversed(returned) if path in self._unread)
        self._large.update((path, None) for path in returned if path not in self._unread)

    def read_all_here(self) -> None:
        """There are no processes: whatever waits for one is read here."""
        self.has_processes = False
        self._read_here((*self._large, *self._unread))
        for queue in (self._large, self._newest, self._heads, self._rest):
            queue.clear()

    def drop(self, path: str) -> None:
        """The file is of no interest any more."""
        self._hot.pop(path, None)
        self._large.pop(path, None)
        self._unread.pop(path, None)
        self._again.discard(path)

    def _read_here(self, paths: Iterable[str]) -> None:
        # Whoever is known to be unread is never lost: no limit applies.
        self._hot.update((path, None) for path in paths if path not in self._busy)

    def _take(self, queue: deque[str], head_bytes: int) -> tuple[str, ...]:
        taken: list[str] = []
        size = 0
        for _ in range(len(queue)):
            if len(taken) >= JOB_FILES or size >= JOB_BYTES:
                break
            path = queue.popleft()
            if path in self._busy:
                # Another process may be reading no more than its beginning.
                queue.append(path)
            elif path in self._unread and path not in self._hot:
                taken.append(path)
                size += min(self._unread[path], head_bytes or self._unread[path])
        self._busy.update(taken)
        return tuple(taken)
