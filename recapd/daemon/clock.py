"""The time, as something that is handed in: tests tick it."""

from __future__ import annotations

import time
from typing import Protocol

import anyio


class Clock(Protocol):
    def time_ns(self) -> int:
        """Nanoseconds since 1970, as file systems count them."""
        ...

    async def sleep(self, seconds: float) -> None: ...


class SystemClock:
    """The time as it is. Fulfils Clock."""

    def time_ns(self) -> int:
        return time.time_ns()

    async def sleep(self, seconds: float) -> None:
        await anyio.sleep(seconds)


def now_ms() -> int:
    """The time as revisions count it."""
    return time.time_ns() // 1_000_000
