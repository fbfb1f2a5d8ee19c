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
from recapd.wire.errors import limit_exceeded, overloaded, request_failed

T = TypeVar("T")

# Reading is bound by the disk and by Python's one interpreter lock: more threads only make each other wait.
THREADS = 8
# The loop waits for a turn of each thread that computes, every time it comes back from the system. Measured with an
# answer of 20 KB: 0.2 ms at rest, 2 with two such threads, 6 with four, 14 with eight.
THINKING = 4
MAX_RUNNING = 32
# A thread that was given up ends before its next piece of work, unless the disk does not answer. So many may wait for
# that; they do nothing, and end with the process.
MAX_STUCK = 64
# What was given up this long ago and is not back does not answer: nobody else waits for it.
SILENT_S = 2.0


class _Threads:
    def __init__(self) -> None:
        self.limiter = anyio.CapacityLimiter(THREADS)
        self.thinking = anyio.CapacityLimiter(THINKING)
        # Answers that are being worked out.
        self.under_way: dict[Hashable, anyio.Event] = {}
        self.running = 0
        # Those that were given up and are not back: when that was, and which paths they are about.
        self.stuck: dict[object, tuple[float, tuple[str, ...]]] = {}
        self.lock = threading.Lock()


_of_this_loop: RunVar[_Threads] = RunVar("threads")


async def in_thread(work: Callable[[], T], *, about: tuple[str, ...] = ()) -> T:
    """The result of `work`, or its exception. Cancelling ends it soon, and forgets the result.

    `about` are paths that it may look at: RecapError where somebody who did is still waiting for the disk.
    """
    threads = _threads()
    return await _run(work, threads, threads.limiter, about)


async def worked_out(key: Hashable, work: Callable[[], T], *, about: tuple[str, ...] = ()) -> T:
    """The same of work that only computes and whose result is kept under `key`: whoever wants what is being worked
    out already waits for it, and finds it there."""
    threads = _threads()
    if (other := threads.under_way.get(key)) is not None:
        await other.wait()
        return await _run(work, threads, threads.thinking, about)
    done = threads.under_way[key] = anyio.Event()
    try:
        return await _run(work, threads, threads.thinking, about)
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


async def _run(work: Callable[[], T], threads: _Threads, limiter: anyio.CapacityLimiter, about: tuple[str, ...]) -> T:
    if threads.running >= MAX_RUNNING:
        raise limit_exceeded("requests at work", MAX_RUNNING)
    if len(threads.stuck) >= MAX_STUCK:
        raise limit_exceeded("requests that wait for a disk", MAX_STUCK)
    _refuse_silent(threads, about)
    key = object()
    is_at_work = False

    def counted() -> T:
        nonlocal is_at_work
        with threads.lock:
            threads.running += 1
            is_at_work = True
        try:
            return work()
        finally:
            with threads.lock:
                is_at_work = False
                if threads.stuck.pop(key, None) is None:
                    threads.running -= 1

    try:
        return await run_in_thread(counted, abandon_on_cancel=True, limiter=limiter)
    except NoThread:
        problem = "recapd gets no more threads from the system; try again later, or raise the limit: ulimit -u"
        raise overloaded(problem, limit="threads", maximum=threads.running) from None
    finally:
        with threads.lock:
            if is_at_work:
                threads.stuck[key] = (anyio.current_time(), about)
                threads.running -= 1


def _refuse_silent(threads: _Threads, about: tuple[str, ...]) -> None:
    silent_since = anyio.current_time() - SILENT_S
    with threads.lock:
        silent = {path for since, paths in threads.stuck.values() if since < silent_since for path in paths}
    if not silent.isdisjoint(about):
        raise request_failed("The disk this is about does not answer; see whether it is still there.", retryable=True)
