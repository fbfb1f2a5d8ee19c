"""Threads that may not come, and threads that may not come back: getting one from the system, which may have none to
give, leaving it when nobody waits any more, and looking at disks that may never answer.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import Protocol, TypeVar, TypeVarTuple

import anyio
import anyio.to_thread

from recapd.core.giving_up import while_wanted

log = logging.getLogger(__name__)

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.05, 2.0


class NoThread(Exception):
    """The system gives this process no more threads; nothing was begun."""


async def run_in_thread(
    work: Callable[[], T], *, abandon_on_cancel: bool = False, limiter: anyio.CapacityLimiter | None = None
) -> T:
    """The result of `work`, or its exception; NoThread where there was none to do it. What is abandoned ends before its
    next piece, unless it waits for a disk."""
    is_abandoned = False

    def begin() -> T:
        with while_wanted(lambda: not is_abandoned):
            return work()

    try:
        return await _started(begin, abandon_on_cancel=abandon_on_cancel, limiter=limiter)
    finally:
        is_abandoned = True


async def in_thread(work: Callable[[*Ts], T], *args: *Ts, abandon_on_cancel: bool = False) -> T:
    """The same for what the daemon does by itself, as soon as the system has a thread to do it: nobody is there to be
    told that there is none."""
    return await _once_there_is_one(run_in_thread, partial(work, *args), abandon_on_cancel=abandon_on_cancel)


async def _started(
    work: Callable[[], T], *, abandon_on_cancel: bool, limiter: anyio.CapacityLimiter | None = None
) -> T:
    has_begun = False

    def begin() -> T:
        nonlocal has_begun
        has_begun = True
        return work()

    try:
        return await anyio.to_thread.run_sync(begin, abandon_on_cancel=abandon_on_cancel, limiter=limiter)
    except RuntimeError:
        # How Python says that a thread could not be started; but work may fail with it as well.
        if has_begun:
            raise
        raise NoThread from None


class _Runs(Protocol):
    async def __call__(self, work: Callable[[], T], *, abandon_on_cancel: bool) -> T: ...


async def _once_there_is_one(run: _Runs, work: Callable[[], T], *, abandon_on_cancel: bool) -> T:
    pause_s = _FIRST_PAUSE_S
    while True:
        try:
            return await run(work, abandon_on_cancel=abandon_on_cancel)
        except NoThread:
            log.warning("no thread to be had", extra={"again_in_s": pause_s})
        await anyio.sleep(pause_s)
        pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)


class Disks:
    """Looks at disks: a mount whose server is gone keeps whoever looks at it for ever.

    Each place is looked at by one thread at a time. Who waits too long is told that nothing is known; the thread is
    left to itself, and nobody looks there again before it is back. Lives on the loop.
    """

    def __init__(self) -> None:
        # Places whose threads are not back.
        self._silent: set[str] = set()

    def is_silent(self, place: str) -> bool:
        return place in self._silent

    async def ask(self, place: str, look: Callable[[], T], *, within_s: float) -> T | None:
        """What the look gives, or its exception; None where the disk does not answer."""
        if place in self._silent:
            return None
        has_begun = is_back = False

        def looked() -> T:
            nonlocal has_begun, is_back
            has_begun = True
            try:
                return look()
            finally:
                is_back = True
                self._silent.discard(place)

        with anyio.move_on_after(within_s):
            # A look is one piece: there is nothing in it to be given up between.
            return await _once_there_is_one(_started, looked, abandon_on_cancel=True)
        if not has_begun:
            # It is this machine that is busy: the thread that never came will not say that it is back.
            return None
        self._silent.add(place)
        if is_back:
            # While it was being given up.
            self._silent.discard(place)
        else:
            log.warning("a disk does not answer", extra={"after_s": within_s, "silent": len(self._silent)})
        return None
