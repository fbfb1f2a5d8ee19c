"""Waiting for a burst of changes to end, and the clock it is measured with.

Owns when something is due; must not know what. Tests bring a clock of their own and tick it.
"""

from __future__ import annotations

from typing import Protocol

import anyio


class Clock(Protocol):
    """Seconds that never go back, and waiting by them."""

    def now(self) -> float: ...

    async def wait(self, event: anyio.Event, until: float | None) -> None:
        """Until the event is set or, where a time is given, it has come."""
        ...


class LoopClock:
    """The event loop's own clock."""

    def now(self) -> float:
        return anyio.current_time()

    async def wait(self, event: anyio.Event, until: float | None) -> None:
        if until is None:
            await event.wait()
            return
        with anyio.move_on_after(max(0.0, until - self.now())):
            await event.wait()


class Settling:
    """Changes that come in bursts: due when none came for a while, or the first has waited long enough."""

    __slots__ = ("_first", "_last", "max_s", "quiet_s")

    def __init__(self, quiet_s: float, max_s: float) -> None:
        self.quiet_s = quiet_s
        self.max_s = max_s
        self._first: float | None = None
        self._last = 0.0

    def changed(self, now: float) -> None:
        if self._first is None:
            self._first = now
        self._last = now

    def clear(self) -> None:
        self._first = None

    @property
    def due(self) -> float | None:
        """When to act; None while nothing has changed."""
        if self._first is None:
            return None
        return min(self._last + self.quiet_s, self._first + self.max_s)
