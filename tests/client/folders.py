"""A user of their own for a test: folders with short names, and an end for every daemon started in them."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from recapd.client.holder import holder_of
from recapd.client.paths import Places


@contextmanager
def own_folders() -> Iterator[Places]:
    # Not tmp_path: with a test's name in it the path is too long for a socket.
    folder = tempfile.mkdtemp(prefix="rt-", dir="/tmp")
    where = Places(f"{folder}/run", f"{folder}/state")
    try:
        yield where
    finally:
        if (pid := holder_of(where.lock)) and pid != os.getpid():
            os.kill(pid, signal.SIGKILL)
            # Had when the process is gone: until then it may still write.
            with open(where.lock) as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
        shutil.rmtree(folder)
