"""The time, as something that is handed in, and waiting for a burst of changes to end. Tests tick clocks of their own.

    WallClock   the time of day, which somebody may set back: what files are stamped with
    Clock       seconds that never go back: when something is due

Owns when something is due; must not know what.
"""

from __future__ import annotations

import time
from typing import Protocol

import anyio

from recapd.core.log import from_epoch


class WallClock(Protocol):
    def time_ns(self) -> int:
        """Nanoseconds since 1970, as file systems count them."""
        ...

    async def sleep(self, seconds: float) -> None: ...


class SystemClock:
    """The time as it is. Fulfils WallClock."""

    def time_ns(self) -> int:
        return time.time_ns()

    async def sleep(self, seconds: float) -> None:
        await anyio.sleep(seconds)


def now_ms() -> int:
    """The time as revisions count it."""
    return time.time_ns() // 1_000_000


def now() -> str:
    """The time in canonical form."""
    return from_epoch(time.time())


def time_by(clock: WallClock) -> str:
    """The same, as this clock has it."""
    return from_epoch(clock.time_ns() / 1e9)


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
