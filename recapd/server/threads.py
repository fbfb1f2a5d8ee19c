"""Work that may block (reading logs, looking at folders) goes to a few threads, so that the loop stays free."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

import anyio
from anyio.lowlevel import RunVar

from recapd.wire.errors import limit_exceeded

T = TypeVar("T")

# Reading is bound by the disk and by Python's one interpreter lock: more threads only make each other wait.
THREADS = 8
# Threads of cancelled requests run on until their work is done; beyond this nothing new is begun.
MAX_RUNNING = 32


class _Threads:
    def __init__(self) -> None:
        self.limiter = anyio.CapacityLimiter(THREADS)
        self.running = 0
        self.lock = threading.Lock()


_of_this_loop: RunVar[_Threads] = RunVar("threads")


async def in_thread(work: Callable[[], T]) -> T:
    """The result of `work`, or its exception. Cancelling leaves it running and forgets the result."""
    try:
        threads = _of_this_loop.get()
    except LookupError:
        threads = _Threads()
        _of_this_loop.set(threads)
    if threads.running >= MAX_RUNNING:
        raise limit_exceeded("requests at work", MAX_RUNNING)

    def counted() -> T:
        with threads.lock:
            threads.running += 1
        try:
            return work()
        finally:
            with threads.lock:
                threads.running -= 1

    return await anyio.to_thread.run_sync(counted, abandon_on_cancel=True, limiter=threads.limiter)
