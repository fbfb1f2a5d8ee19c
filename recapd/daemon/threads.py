"""Threads for what the daemon does by itself. Nobody is there to be told that there are none, so it waits for one."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import TypeVar, TypeVarTuple

import anyio

from recapd.server.threads import NoThread, run_in_thread

log = logging.getLogger(__name__)

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.05, 2.0


async def in_thread(work: Callable[[*Ts], T], *args: *Ts, abandon_on_cancel: bool = False) -> T:
    """The result of `work`, or its exception, as soon as the system has a thread to do it."""
    pause_s = _FIRST_PAUSE_S
    while True:
        try:
            return await run_in_thread(partial(work, *args), abandon_on_cancel=abandon_on_cancel)
        except NoThread:
            log.warning("no thread to be had", extra={"again_in_s": pause_s})
        await anyio.sleep(pause_s)
        pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)
