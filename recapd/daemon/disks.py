"""Looks at disks that may never answer: a mount whose server is gone keeps whoever looks at it for ever.

Each place is looked at by one thread at a time. Who waits too long is told that nothing is known; the thread is left to
itself, and nobody looks there again before it is back. Owns that and nothing else.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

import anyio

from recapd.server.threads import in_thread

log = logging.getLogger(__name__)

T = TypeVar("T")


class Disks:
    """Lives on the loop."""

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
            return await in_thread(looked, abandon_on_cancel=True)
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
