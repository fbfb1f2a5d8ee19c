"""Work that may block goes to a few threads, so that the loop stays free; work that only computes goes to fewer.

Threads do not make computing faster, there is one interpreter; they let the loop have its turns in between.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import TypeVar

import anyio
from anyio.lowlevel import RunVar

from recapd.server.threads import NoThread, run_in_thread
from recapd.wire.errors import limit_exceeded, overloaded

T = TypeVar("T")

# Reading is bound by the disk and by Python's one interpreter lock: more threads only make each other wait.
THREADS = 8
# The loop waits for a turn of each thread that computes, every time it comes back from the system. Measured with an
# answer of 20 KB: 0.2 ms at rest, 2 with two such threads, 6 with four, 14 with eight.
THINKING = 4
# Threads of cancelled requests run on until their work is done; beyond this nothing new is begun.
MAX_RUNNING = 32


class _Threads:
    def __init__(self) -> None:
        self.limiter = anyio.CapacityLimiter(THREADS)
        self.thinking = anyio.CapacityLimiter(THINKING)
        # Answers that are being worked out.
        self.under_way: dict[Hashable, anyio.Event] = {}
        self.running = 0
        self.lock = threading.Lock()


_of_this_loop: RunVar[_Threads] = RunVar("threads")


async def in_thread(work: Callable[[], T]) -> T:
    """The result of `work`, or its exception. Cancelling leaves it running and forgets the result."""
    threads = _threads()
    return await _run(work, threads, threads.limiter)


async def worked_out(key: Hashable, work: Callable[[], T]) -> T:
    """The same of work that only computes and whose result is kept under `key`: whoever wants what is being worked
    out already waits for it, and finds it there."""
    threads = _threads()
    if (other := threads.under_way.get(key)) is not None:
        await other.wait()
        return await _run(work, threads, threads.thinking)
    done = threads.under_way[key] = anyio.Event()
    try:
        return await _run(work, threads, threads.thinking)
    finally:
        del threads.under_way[key]
        done.set()


def _threads() -> _Threads:
    try:
        return _of_this_loop.get()
    except LookupError:
        threads = _Threads()
        _of_this_loop.set(threads)
        return threads


async def _run(work: Callable[[], T], threads: _Threads, limiter: anyio.CapacityLimiter) -> T:
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

    try:
        return await run_in_thread(counted, abandon_on_cancel=True, limiter=limiter)
    except NoThread:
        problem = "recapd gets no more threads from the system; try again later, or raise the limit: ulimit -u"
        raise overloaded(problem, limit="threads", maximum=threads.running) from None
