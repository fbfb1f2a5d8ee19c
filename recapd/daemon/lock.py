"""The lock that decides which process serves a user. Knows a file, and nothing of sockets or versions.

The kernel lets go of it when the process ends, however it ends: there is no stale lock.
The file itself stays: removing it would let two processes hold two locks of the same name.
"""

from __future__ import annotations

import fcntl
import os


class Lock:
    """A lock that is held until `release` or the end of the process."""

    def __init__(self, path: str, fd: int) -> None:
        self.path = path
        self._fd = fd
        # A forked child shares the lock: one that outlives a killed daemon would keep the next from serving.
        os.register_at_fork(after_in_child=self._close)

    def is_intact(self) -> bool:
        """False when the file was removed or replaced: then another process may hold a lock of the same name."""
        return self._fd >= 0 and _is_same_file(self._fd, self.path)

    def touch(self) -> None:
        """Keep those at bay who clean up what is old."""
        if self._fd >= 0:
            os.utime(self._fd)

    def release(self) -> None:
        self._close()

    def _close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def try_lock(path: str) -> Lock | None:
    """The lock, or None where another process holds it."""
    while True:
        fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(fd)
            return None
        except BaseException:
            os.close(fd)
            raise
        if not _is_same_file(fd, path):
            # Removed between opening and locking: what we hold is a lock on nothing.
            os.close(fd)
            continue
        os.ftruncate(fd, 0)
        os.write(fd, f"{os.getpid()}\n".encode())
        return Lock(path, fd)


def _is_same_file(fd: int, path: str) -> bool:
    try:
        there = os.stat(path, follow_symlinks=False)
    except OSError:
        return False
    return os.path.samestat(os.fstat(fd), there)
