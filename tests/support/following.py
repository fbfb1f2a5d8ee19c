"""Following files in tests: a file read look by look, a whole tailer with a clock to tick, and what a fresh reading
of the same files gives."""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from recapd.core.state.world import Batch, World, fold, forget
from recapd.daemon.engine import Change, Engine, LogRead, Step
from recapd.daemon.following.tailer import Tailer
from recapd.daemon.following.watch import Pace
from recapd.daemon.log_files.reading import UnreadableLog, batches, open_log
from recapd.daemon.log_files.scanning import Root
from recapd.daemon.log_files.tail import Advance, TailState, advance
from recapd.daemon.store.in_memory import NothingCold
from tests.support.clock import PATIENCE_S
from tests.support.logs import agent, claude_log, human, shell

SECOND_NS = 1_000_000_000
# Long enough after a change for a file to count as quiet.
LATER_NS = 10 * SECOND_NS


def fresh(*paths: Path) -> World:
    """What reading the files from zero gives."""
    world = World()
    for path in paths:
        try:
            for batch in batches(open_log(path)):
                world, _ = fold(world, batch)
        except UnreadableLog:
            continue
    return world


def seen(world: World) -> dict[str, object]:
    """A world without what depends on when it was read: revisions and carries."""
    return {key: (source.agent, source.format, source.transcript) for key, source in world.sources.items()}


class FileFollower:
    """One file, read as the daemon reads it, and the world that came of it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.state: TailState | None = None
        self.world = World()

    def look(self, *, now_ns: int | None = None, max_bytes: int = 1 << 18, max_whole: int | None = None) -> Advance:
        now_ns = time.time_ns() if now_ns is None else now_ns
        step = advance(self.state, str(self.path), max_bytes=max_bytes, now_ns=now_ns, max_whole=max_whole)
        if (step.is_void or step.outcome == "gone") and self.state is not None:
            self.world, _ = forget(self.world, self.state.uri)
        for batch in step.batches:
            self.world, _ = fold(self.world, batch)
        self.state = step.state
        return step

    def settle(self, *, now_ns: int | None = None, max_bytes: int = 1 << 18) -> None:
        """Look until there is nothing left to look for, at a time when the file is quiet."""
        now_ns = time.time_ns() + LATER_NS if now_ns is None else now_ns
        for _ in range(300):
            self.look(now_ns=now_ns, max_bytes=max_bytes)
            if self.state is None or (self.state.is_settled and not self.state.has_more):
                assert self.look(now_ns=now_ns).outcome in ("unchanged", "gone")
                return
        raise AssertionError("the file never settles")


class TickingClock:
    """A clock that stands still until it is ticked; whoever sleeps wakes when the time has come."""

    def __init__(self) -> None:
        self._ahead_s = 0.0
        self._started_ns = time.time_ns()
        self._sleepers = 0
        self._changed = anyio.Event()

    def time_ns(self) -> int:
        return self._started_ns + int(self._ahead_s * SECOND_NS)

    async def sleep(self, seconds: float) -> None:
        until = self._ahead_s + seconds
        self._sleepers += 1
        self._change()
        try:
            while self._ahead_s < until:
                await self._changed.wait()
        finally:
            self._sleepers -= 1

    async def tick(self, seconds: float) -> None:
        """Let time pass, once somebody sleeps."""
        with anyio.fail_after(PATIENCE_S):
            while not self._sleepers:
                await self._changed.wait()
        self._ahead_s += seconds
        self._change()
        await anyio.lowlevel.checkpoint()

    def _change(self) -> None:
        self._changed.set()
        self._changed = anyio.Event()


class Heard:
    """Everything that a tailer told, folded into a world."""

    def __init__(self) -> None:
        self.engine = Engine(keeps_vanished=False)
        self.batches: list[Batch] = []
        self._news = anyio.Event()

    @property
    def world(self) -> World:
        return self.engine.world

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for news until the condition holds."""
        with anyio.fail_after(PATIENCE_S):
            while not condition():
                await self._news.wait()

    def apply(self, change: Change) -> Step:
        if isinstance(change, LogRead):
            self.batches += change.batches
        step = self.engine.apply(change)
        self.engine.tell_rest()
        self._news.set()
        self._news = anyio.Event()
        return step


class Following:
    """A tailer that runs, what it told, and the clock of its reconcile, which only moves when it is ticked."""

    def __init__(self, roots: Sequence[Root], *, pace: Pace, processes: int) -> None:
        self.clock = TickingClock()
        self.heard = Heard()
        self.tailer = Tailer(roots, self.heard, NothingCold(), clock=self.clock, pace=pace, processes=processes)

    async def until_equal(self, *paths: Path) -> None:
        """Wait until the world is what a fresh reading of the files gives."""
        expected = seen(fresh(*paths))
        await self.heard.until(lambda: seen(self.heard.world) == expected)

    async def until_equal_of(self, *paths: Path) -> None:
        """The same for these files, whatever is known of others."""
        expected = seen(fresh(*paths))
        await self.heard.until(lambda: expected.items() <= seen(self.heard.world).items())

    async def until_indexed(self) -> None:
        await self.heard.until(lambda: self.tailer.indexing().quiescent)


@asynccontextmanager
async def following(
    *folders: Path, agent: str = "claude-code", pace: Pace | None = None, processes: int = 0
) -> AsyncIterator[Following]:
    """A running tailer over the folders."""
    roots = [Root(agent, folder) for folder in folders]
    running = Following(roots, pace=pace or Pace(step_ms=5, debounce_ms=50), processes=processes)
    async with anyio.create_task_group() as group:
        group.start_soon(running.tailer.run)
        try:
            yield running
        finally:
            group.cancel_scope.cancel()


def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The size of every read from now on."""
    sizes: list[int] = []
    read = os.read

    def counting(descriptor: int, length: int) -> bytes:
        data = read(descriptor, length)
        sizes.append(len(data))
        return data

    monkeypatch.setattr(os, "read", counting)
    return sizes


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def grow_to(path: Path, whole: bytes) -> None:
    """Append what the log lacks: one that is written anew may be seen while it is empty."""
    begun = path.read_bytes()
    assert whole.startswith(begun)
    append(path, whole[len(begun) :])


def set_mtime(path: Path, mtime_ns: int) -> None:
    os.utime(path, ns=(mtime_ns, mtime_ns))


def big_log(megabytes: float, *, name: str = "big") -> bytes:
    """A log of roughly this size."""
    calls = (shell(f"make {name}{number}", "x" * 4000) for number in range(int(megabytes * 110)))
    return claude_log(human(name), *calls, session=f"5e55-{name}")


def write_logs(folder: Path, count: int, *, megabytes: float = 0) -> list[Path]:
    """Logs in folders of their own, the last one the newest."""
    paths: list[Path] = []
    for number in range(count):
        path = folder / f"project{number % 7}" / f"{number}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(
            big_log(megabytes, name=str(number))
            if megabytes
            else claude_log(human("fix the parser"), agent("Done."), session=f"s{number}")
        )
        os.utime(path, (1_700_000_000 + number,) * 2)
        paths.append(path)
    return paths
