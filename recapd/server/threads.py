"""Getting a thread from the system, which may have none to give, and leaving it when nobody waits any more."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import TypeVar, TypeVarTuple

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
    has_begun = is_abandoned = False

    def begin() -> T:
        nonlocal has_begun
        has_begun = True
        with while_wanted(lambda: not is_abandoned):
            return work()

    try:
        return await anyio.to_thread.run_sync(begin, abandon_on_cancel=abandon_on_cancel, limiter=limiter)
    except RuntimeError:
        # How Python says that a thread could not be started; but work may fail with it as well.
        if has_begun:
            raise
        raise NoThread from None
    finally:
        is_abandoned = True


async def in_thread(work: Callable[[*Ts], T], *args: *Ts, abandon_on_cancel: bool = False) -> T:
    """The same for what the daemon does by itself, as soon as the system has a thread to do it: nobody is there to be
    told that there is none."""
    pause_s = _FIRST_PAUSE_S
    while True:
        try:
            return await run_in_thread(partial(work, *args), abandon_on_cancel=abandon_on_cancel)
        except NoThread:
            log.warning("no thread to be had", extra={"again_in_s": pause_s})
        await anyio.sleep(pause_s)
        pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)
