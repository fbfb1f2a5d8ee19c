"""Getting a thread from the system, which may have none to give, and leaving it when nobody waits any more."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import anyio
import anyio.to_thread

from recapd.core.giving_up import while_wanted

T = TypeVar("T")


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
