"""Getting a thread from the system, which may have none to give."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import anyio
import anyio.to_thread

T = TypeVar("T")


class NoThread(Exception):
    """The system gives this process no more threads; nothing was begun."""


async def run_in_thread(
    work: Callable[[], T], *, abandon_on_cancel: bool = False, limiter: anyio.CapacityLimiter | None = None
) -> T:
    """The result of `work`, or its exception; NoThread where there was none to do it."""
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
