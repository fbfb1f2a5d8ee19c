"""A daemon with a store, in this process: started, ended and crashed as often as a test likes, on the same folders."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import msgspec

from recapd.core.state.world import Source
from recapd.daemon.app import Daemon
from recapd.daemon.clock import WallClock
from recapd.daemon.lifecycle.lifecycle import ServeOptions, Stdio, UnixSocket
from recapd.daemon.log_files.reading import UnreadableLog, open_log
from recapd.daemon.store.keeping import Keeping
from recapd.server.methods.dispatch import Question
from recapd.server.transport.requests import answer_any
from recapd.server.transport.threads import in_thread
from recapd.wire.methods import lookup
from recapd.wire.params import decode_params
from recapd.wire.types import RecapdStatusParams
from recapd.wire.types.base import Wire
from tests.support.clock import PATIENCE_S, a_moment
from tests.support.following import fresh


class Running:
    """One life of a daemon."""

    def __init__(self, daemon: Daemon) -> None:
        self.daemon = daemon
        self.engine = daemon.engine
        self.backend = daemon.backend

    @property
    def keeping(self) -> Keeping:
        assert isinstance(self.daemon.keeping, Keeping)
        return self.daemon.keeping

    @property
    def messages(self) -> str:
        status = self.backend.status(RecapdStatusParams())
        return status.message or ""

    async def until(self, condition: Callable[[], bool]) -> None:
        with anyio.fail_after(PATIENCE_S):
            while not condition():
                await a_moment()
        # Who is told of a line besides is told a turn of the loop after the world has it.
        await anyio.lowlevel.checkpoint()

    async def until_indexed(self) -> None:
        await self.until(lambda: self.backend.indexing().quiescent)

    async def until_equal(self, *paths: Path) -> None:
        """Until everything that is told of the files is what a fresh reading of them gives."""
        expected = told(fresh(*paths).sources)
        await self.until(lambda: self.shown().keys() == expected.keys())
        with anyio.fail_after(PATIENCE_S):
            while await in_thread(self.whole) != expected:
                await a_moment()

    def shown(self) -> dict[str, Source]:
        return {key: source for key, source in self.engine.world.sources.items() if not source.is_gone}

    def whole(self) -> dict[str, object]:
        """In a thread: what is cold is read from disk."""
        warm = self.keeping.warm
        found = self.shown().items()
        return told({key: warm.whole(source) if source.is_cold else source for key, source in found})

    async def ask(self, method: str, **params: Any) -> Wire:
        """The answer to a request, as a connection would get it."""
        row = lookup(method)
        assert row is not None
        raw = msgspec.json.encode(params)
        service = self.backend.snapshot()
        question = Question(row=row, params=decode_params(row, raw), raw_params=raw, service=service)
        found = await answer_any(question, within_s=PATIENCE_S)
        assert isinstance(found, Wire)
        return found

    async def save(self) -> None:
        """As the daemon does at its end."""
        self.engine.tell_rest()
        await self.keeping.saver.flush()


def told(sources: Mapping[str, Source]) -> dict[str, object]:
    return {key: (source.agent, source.format, source.transcript) for key, source in sources.items()}


def is_log(path: Path) -> bool:
    try:
        open_log(path)
    except UnreadableLog:
        return False
    return True


@asynccontextmanager
async def kept_daemon(
    home: Path, *, is_crashing: bool = False, keeps: bool = True, clock: WallClock | None = None
) -> AsyncIterator[Running]:
    """A daemon over `home`/logs with its store in `home`/state, or only in memory; crashing, it writes nothing at the
    end."""
    logs = home / "logs"
    logs.mkdir(exist_ok=True)
    options = ServeOptions(
        transport=UnixSocket(str(home / "socket")) if keeps else Stdio(),
        runtime_dir=str(home / "run"),
        state_dir=str(home / "state"),
        roots=(logs,),
    )
    running = Running(Daemon(options, "test", None, clock=clock))
    async with anyio.create_task_group() as group:
        group.start_soon(running.daemon.follow)
        try:
            yield running
            if keeps and not is_crashing:
                await running.save()
        finally:
            group.cancel_scope.cancel()
