"""A clock that stands still until it is told to tick, and waiting without sleeping."""

from __future__ import annotations

from collections.abc import Callable

import anyio
import anyio.lowlevel

# Whatever is waited for longer than this never comes. Much longer than it takes: others may use the machine as well.
PATIENCE_S = 40.0


class FakeClock:
    """Fulfils recapd.daemon.clock.Clock."""

    def __init__(self) -> None:
        # Whole milliseconds: what is added up in pieces must come to the same as in one go.
        self._now_ms = 1_000_000
        self._ticked: anyio.Event | None = None

    def now(self) -> float:
        return self._now_ms / 1000

    def tick(self, seconds: float) -> None:
        self._now_ms += round(seconds * 1000)
        if self._ticked is not None:
            self._ticked.set()

    async def wait(self, event: anyio.Event, until: float | None) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(self._cancel_at, until, group.cancel_scope)
            await event.wait()
            group.cancel_scope.cancel()

    async def _cancel_at(self, until: float | None, scope: anyio.CancelScope) -> None:
        while until is None or self.now() < until:
            self._ticked = anyio.Event()
            await self._ticked.wait()
        scope.cancel()


async def eventually(is_so: Callable[[], bool]) -> None:
    """Until something that goes on in a task or a thread has come true."""
    with anyio.fail_after(PATIENCE_S):
        while not is_so():
            await a_moment()


async def a_moment() -> None:
    """Between two looks at something that does not call back.

    A loop that never rests starves the threads it waits for: each gets the interpreter back 5 ms after every file it
    opens, and a large import opens thousands.
    """
    await anyio.sleep(0.002)


async def everybody_waits() -> None:
    """Give every task its turns until all of them wait for something; none of ours takes more."""
    for _ in range(30):
        await anyio.lowlevel.checkpoint()
