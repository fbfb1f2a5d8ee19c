"""A whole daemon in this process whose reading, saving and oversight go by a clock that the test ticks."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import anyio.to_thread
import pytest

from recapd.wire.types import RecapdDidChangeStatusParams, RecapdStatusParams, RecapdStatusResult
from tests.support.clock import PATIENCE_S, a_moment, everybody_waits
from tests.support.following import TickingClock
from tests.support.kept import Running, kept_daemon

# The thread in which events of the file system are waited for.
_WATCHING = 1


class Ticking:
    """One life of a daemon, and its clock."""

    def __init__(self, running: Running, clock: TickingClock) -> None:
        self.running = running
        self.engine = running.engine
        self.clock = clock
        self._mailbox = running.daemon.hub.open_mailbox()

    def status(self, limit: int | None = None) -> RecapdStatusResult:
        return self.running.backend.status(RecapdStatusParams(limit=limit))

    def kinds(self) -> list[str]:
        """What is amiss."""
        return [finding.kind for finding in self.status().findings if finding.level != "notice"]

    def told(self) -> list[RecapdDidChangeStatusParams]:
        """Status changes that a client was told of since it was asked last; of several, the latest."""
        found = []
        while (notification := self._mailbox.take()) is not None:
            if isinstance(notification, RecapdDidChangeStatusParams):
                found.append(notification)
        return found

    async def pass_time(self, seconds: float, *, step_s: float = 15.0, held: Callable[[], int] = lambda: 0) -> None:
        """Tick in steps, and no faster than those who wake up get done; `held` says how many threads cannot."""
        while seconds > 0:
            await self.clock.tick(min(step_s, seconds))
            seconds -= step_s
            await self._until_at_rest(held)

    async def _until_at_rest(self, held: Callable[[], int]) -> None:
        threads = anyio.to_thread.current_default_thread_limiter()
        with anyio.fail_after(PATIENCE_S):
            while True:
                # Whoever is done in one thread may go on in another.
                await everybody_waits()
                if threads.borrowed_tokens <= _WATCHING + held():
                    return
                await a_moment()


@asynccontextmanager
async def ticking_daemon(
    home: Path, monkeypatch: pytest.MonkeyPatch, *, is_crashing: bool = True
) -> AsyncIterator[Ticking]:
    """A daemon over `home`/logs with its store in `home`/state."""
    clock = TickingClock()
    async with kept_daemon(home, is_crashing=is_crashing, clock=clock) as running:
        yield Ticking(running, clock)
