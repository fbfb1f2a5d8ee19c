"""What following logs costs, beside what the parts it is built from cost in the same run.

    python -m tests.bench.bench_tail [SESSIONS] [FOLDER ...]

Prints the time from an append to its batch beside a bare awatch of the same appends; the bytes read for an append;
how soon thousands of synthetic sessions are known (5,000 unless told otherwise); for each folder, the first reading
with no process, one, two.
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

import anyio
import anyio.to_thread
from watchfiles import awatch

from recapd.core.state.world import World
from recapd.daemon.engine import Change, Engine, LogRead, Step
from recapd.daemon.following.tailer import Tailer
from recapd.daemon.following.watch import Pace
from recapd.daemon.log_files.scanning import Root
from recapd.daemon.store.in_memory import NothingCold
from tests.support.logs import agent, claude_log, human, shell

APPENDS = 150
SESSIONS = 5000
# How long an answer may keep the loop: what is measured is the longest anybody else had to wait.
BEAT_S = 0.001


def main(arguments: list[str]) -> None:
    sessions = int(arguments.pop(0)) if arguments and arguments[0].isdigit() else SESSIONS
    with tempfile.TemporaryDirectory() as name:
        anyio.run(latency, Path(name).resolve())
    with tempfile.TemporaryDirectory() as name:
        anyio.run(many_sessions, Path(name).resolve(), sessions)
    for folder in arguments:
        for processes in (0, 1, 2):
            anyio.run(first_reading, Path(folder).resolve(), processes)


class Measured:
    """A tailer, the world it fills, and how long the loop was held up meanwhile."""

    def __init__(self, folder: Path, *, processes: int, sessions: int = 0, pace: Pace | None = None) -> None:
        self._sessions = sessions
        self.started = time.perf_counter()
        self.first_s = 0.0
        self.hundred_s = 0.0
        self.known_s = 0.0
        self.read_bytes = 0
        self.late: list[float] = []
        self.batch_at: dict[str, float] = {}
        self._news = anyio.Event()
        self.engine = Engine(keeps_vanished=False)
        self.tailer = Tailer([Root("", folder)], self, NothingCold(), processes=processes, pace=pace)

    async def until_indexed(self) -> float:
        while not self.tailer.indexing().quiescent:
            await self._news.wait()
        return time.perf_counter() - self.started

    async def until_batch(self, uri: str) -> float:
        while uri not in self.batch_at:
            await self._news.wait()
        return self.batch_at[uri]

    async def beat(self) -> None:
        while True:
            begun = time.perf_counter()
            await anyio.sleep(BEAT_S)
            self.late.append(time.perf_counter() - begun - BEAT_S)

    @property
    def world(self) -> World:
        return self.engine.world

    def apply(self, change: Change) -> Step:
        now = time.perf_counter()
        step = self.engine.apply(change)
        self.engine.tell_rest()
        for batch in change.batches if isinstance(change, LogRead) else ():
            self.first_s = self.first_s or now - self.started
            self.batch_at.setdefault(batch.uri, now)
        known = len(step.world.sources)
        if known == 100 and not self.hundred_s:
            self.hundred_s = now - self.started
        if known == self._sessions and not self.known_s:
            self.known_s = now - self.started
        self._news.set()
        self._news = anyio.Event()
        return step


async def latency(folder: Path) -> None:
    """Each append is seen by a bare awatch and by the tailer; the step is the same."""
    path = folder / "log.jsonl"
    path.write_bytes(claude_log(human("begin"), agent("Begun.")))
    pace = Pace()
    seen_at: list[float] = []
    news = anyio.Event()

    async def watch_bare() -> None:
        async for _ in awatch(
            folder,
            watch_filter=None,
            step=pace.step_ms,
            debounce=pace.debounce_ms,
            stop_event=stop,
            force_polling=False,
        ):
            seen_at.append(time.perf_counter())
            news.set()

    measured = Measured(folder, processes=0, pace=pace)
    stop = anyio.Event()
    bare: list[float] = []
    whole: list[float] = []
    read_beyond: list[int] = []
    chance = random.Random(1)
    data = claude_log(shell("cat notes.txt", "some words of text " * 25))
    with counted_reads() as reads:
        async with anyio.create_task_group() as group:
            group.start_soon(watch_bare)
            group.start_soon(measured.tailer.run)
            await measured.until_indexed()
            await measured.until_batch(path.as_uri())
            for _ in range(APPENDS):
                # Not in step with the watchers, and long enough for both to be done with the append before.
                await anyio.sleep(0.1 + chance.random() * 0.05)
                measured.batch_at.clear()
                seen_at.clear()
                reads.clear()
                news = anyio.Event()
                begun = time.perf_counter()
                with path.open("ab") as file:
                    file.write(data)
                begun = (begun + time.perf_counter()) / 2
                whole.append(await measured.until_batch(path.as_uri()) - begun)
                await news.wait()
                bare.append(seen_at[0] - begun)
                read_beyond.extend(read - len(data) for read in reads)
            stop.set()
            group.cancel_scope.cancel()
    write(f"\n{APPENDS} appends of {len(data)} bytes, step {pace.step_ms} ms")
    write(f"{'':<24}{'p50 ms':>10}{'p95 ms':>10}{'max ms':>10}")
    for name, times in (("bare awatch", bare), ("append to batch", whole)):
        write(f"{name:<24}{ms(quantile(times, 50)):>10}{ms(quantile(times, 95)):>10}{ms(max(times)):>10}")
    ratio = quantile(whole, 95) / quantile(bare, 95)
    write(f"p95 ratio {ratio:.2f}; read beyond the appended bytes: at most {max(read_beyond)} (allowed 8192)")


async def many_sessions(folder: Path, sessions: int) -> None:
    """Thousands of small sessions and a few hundred large ones, as years of work leave them."""
    await anyio.to_thread.run_sync(write_sessions, folder, sessions)
    measured = Measured(folder, processes=1, sessions=sessions)
    async with anyio.create_task_group() as group:
        group.start_soon(measured.beat)
        group.start_soon(measured.tailer.run)
        took = await measured.until_indexed()
        group.cancel_scope.cancel()
    size = sum(root.parsed_bytes for root in measured.tailer.roots())
    write(f"\n{sessions} sessions, {size / 1e6:.0f} MB, one process")
    write(
        f"first known after {measured.first_s:.2f} s, the newest 100 after {measured.hundred_s:.2f} s, "
        f"all known after {measured.known_s:.2f} s, all read after {took:.2f} s"
    )
    write(lateness(measured))


async def first_reading(folder: Path, processes: int) -> None:
    measured = Measured(folder, processes=processes)
    async with anyio.create_task_group() as group:
        group.start_soon(measured.beat)
        group.start_soon(measured.tailer.run)
        took = await measured.until_indexed()
        group.cancel_scope.cancel()
    size = sum(root.parsed_bytes for root in measured.tailer.roots())
    sources = len(measured.engine.world.sources)
    write(
        f"\n{folder.name} with {processes} processes: {sources} sources, {size / 1e6:.1f} MB "
        f"in {took:.2f} s, {size / 1e6 / took:.0f} MB/s"
    )
    write(lateness(measured))


def write_sessions(folder: Path, sessions: int) -> None:
    small = claude_log(
        human("fix it"), *(shell("cat notes.txt", "some words of text " * 100) for _ in range(8)), agent("Fixed.")
    )
    large = claude_log(
        human("port it"), *(shell("cat notes.txt", "some words of text " * 100) for _ in range(250)), agent("Ported.")
    )
    for number in range(sessions):
        path = folder / f"project{number % 100}" / f"{number}.jsonl"
        path.parent.mkdir(exist_ok=True)
        data = large if number % 20 == 0 else small
        path.write_bytes(data.replace(b"5e551011", f"{number:08x}".encode()))
        os.utime(path, (1_700_000_000 + number,) * 2)


class counted_reads:
    """The bytes that each look at a log reads while it is entered: from one opening of it to the next."""

    def __enter__(self) -> list[int]:
        looks: list[int] = []
        self._open, self._read = os.open, os.read

        def opening(path: str, flags: int) -> int:
            looks.append(0)
            return self._open(path, flags)

        def counting(descriptor: int, length: int) -> bytes:
            data = self._read(descriptor, length)
            if looks:
                looks[-1] += len(data)
            return data

        os.open = opening  # type: ignore[assignment]
        os.read = counting
        return looks

    def __exit__(self, *_: object) -> None:
        os.open, os.read = self._open, self._read


def lateness(measured: Measured) -> str:
    late = sorted(measured.late)
    return f"the loop was late by p50 {ms(quantile(late, 50))}, p99 {ms(quantile(late, 99))}, max {ms(late[-1])} ms"


def quantile(values: list[float], percent: int) -> float:
    return statistics.quantiles(values, n=100)[percent - 1]


def ms(seconds: float) -> str:
    return f"{seconds * 1000:.1f}"


def write(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
