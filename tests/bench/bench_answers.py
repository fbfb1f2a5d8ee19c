"""What answers cost as sessions grow, each beside a no-op of the same daemon in the same run.

    python -m tests.bench.bench_answers [TURNS ...]

    first recap            of a session right after it was read: not judged yet, with what is known
    first recap, judged    of a session that was judged ahead, by a daemon that was just started
    recap after an append  as often as a turn is added
    context/assemble       with a prompt that nobody asked with before
    session/list           of 50 sessions of which one changes before each request
    session/overview       the same

Times are of a busy machine and swing; what the daemon's own processor time says does not. Ratios are of that, to a
no-op's. The last column is the longest that another client waited for a no-op meanwhile.
Recaps after an append have to cost the same at 500, 2,000 and 10,000 turns, within a factor of two.
"""

from __future__ import annotations

import contextlib
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
from msgspec import Struct

from recapd.wire.types import RecapdStatusResult, SessionListResult
from tests.bench.bench_daemon import connection
from tests.bench.long_talk import long_talk, prompt_of
from tests.bench.output import write
from tests.support.daemons import Home, served
from tests.support.wire_client import WireClient

TURNS = (500, 2_000, 10_000)
ASKED = 20
SESSIONS = 50
# The other client asks this often.
PAUSE_S = 0.002


class Taken(Struct, frozen=True):
    """Milliseconds of a request: as a client sees it, and of the daemon's processor."""

    wall: float
    cpu: float


class Measured(Struct, frozen=True):
    """What something took, what no-ops right beside it took, and the longest that somebody else waited."""

    name: str
    taken: list[Taken]
    nothing: list[Taken]
    longest: float


class Bench(Struct, frozen=True):
    """A daemon, a client of it, and what comes before each request."""

    home: Home
    pid: int
    client: WireClient
    before: Callable[[], Awaitable[None]]

    async def measure(self, name: str, method: str, params: Callable[[int], object], *, times: int = ASKED) -> Measured:
        taken: list[Taken] = []
        nothing = [await self.timed("recapd/discover", {}) for _ in range(ASKED)]
        for number in range(times):
            await self.before()
            taken.append(await self.timed(method, params(number)))
        # Apart, for whoever watches asks something too.
        async with watched(self.home) as waits:
            for number in range(times // 2):
                await self.before()
                await self.client.request(method, params(times + number))
        return Measured(name, taken, nothing, max(waits, default=0.0))

    async def timed(self, method: str, params: object) -> Taken:
        cpu, started = cpu_ms(self.pid), time.perf_counter()
        await self.client.answer(await self.client.send(method, params))
        return Taken((time.perf_counter() - started) * 1_000, cpu_ms(self.pid) - cpu)


def main(arguments: list[str]) -> None:
    write(f"{'what':<44}{'p50 ms':>9}{'CPU ms':>9}{'no-op CPU':>11}{'ratio':>8}{'of most':>9}{'longest pause ms':>18}")
    for turns in map(int, arguments) if arguments else TURNS:
        for measured in anyio.run(one_session, turns):
            show(measured)
    for measured in anyio.run(many_sessions):
        show(measured)


def show(measured: Measured) -> None:
    cpu, most = statistics.median(each.cpu for each in measured.taken), max(each.cpu for each in measured.taken)
    nothing = statistics.median(each.cpu for each in measured.nothing)
    wall = statistics.median(each.wall for each in measured.taken)
    write(
        f"{measured.name:<44}{wall:>9.2f}{cpu:>9.2f}{nothing:>11.2f}{cpu / nothing:>8.1f}{most / nothing:>9.1f}"
        f"{measured.longest:>18.1f}"
    )


def cpu_ms(pid: int) -> float:
    """Of all threads of a process."""
    total = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        with contextlib.suppress(OSError):
            total += int((task / "schedstat").read_text().split()[0])
    return total / 1e6


async def one_session(turns: int) -> list[Measured]:
    """One long session that goes on, turn by turn."""
    told = long_talk(turns + 4 * ASKED, session="bench-long")
    later = iter(told[turns:])
    found: list[Measured] = []
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder))
        log = home.logs / "long.jsonl"
        log.write_bytes(b"".join(told[:turns]))
        name = f"{turns:>6} turns, "
        recap = {"session": {"id": "claude-code:bench-long"}, "force": True}
        context = {"session": {"id": "claude-code:bench-long"}, "maxTokens": 4_000}
        async with served(home) as process, await connection(home) as client:
            await settled(client, sessions=1)
            bench = Bench(home, process.pid, client, nothing)
            found.append(await bench.measure(f"{name}first recap", "recap/get", lambda _: recap, times=1))
            await at_rest(client)

            async def grow() -> None:
                await at_rest(client)
                before = await revision_of(client)
                with log.open("ab") as file:
                    file.write(next(later))
                await changed(client, before)

            growing = Bench(home, process.pid, client, grow)
            found.append(await growing.measure(f"{name}recap after an append", "recap/get", lambda _: recap))
            full = recap | {"format": "full"}
            found.append(await growing.measure(f"{name}full recap after an append", "recap/get", lambda _: full))
            found.append(
                await bench.measure(
                    f"{name}context, new prompt",
                    "context/assemble",
                    lambda number: context | {"prompt": prompt_of(number)},
                )
            )
            await at_rest(client)
        async with served(home) as process, await connection(home) as client:
            await settled(client, sessions=1)
            bench = Bench(home, process.pid, client, nothing)
            found.append(await bench.measure(f"{name}first recap, judged", "recap/get", lambda _: recap, times=1))
    return found


async def many_sessions() -> list[Measured]:
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder))
        logs = [home.logs / f"s{number}.jsonl" for number in range(SESSIONS)]
        told = [long_talk(40, session=f"bench-{number}", seed=number) for number in range(SESSIONS)]
        for log, its_turns in zip(logs, told, strict=True):
            log.write_bytes(b"".join(its_turns[:20]))
        async with served(home) as process, await connection(home) as client:
            await settled(client, sessions=SESSIONS)
            await at_rest(client)
            changes = iter(range(20 * SESSIONS))

            async def grow() -> None:
                number = next(changes)
                before = await revision_of(client)
                with logs[number % SESSIONS].open("ab") as file:
                    file.write(told[number % SESSIONS][20 + number // SESSIONS])
                await changed(client, before)

            bench = Bench(home, process.pid, client, grow)
            return [
                await bench.measure(f"{method} of {SESSIONS}", method, lambda _: {"limit": SESSIONS}, times=40)
                for method in ("session/list", "session/overview")
            ]


async def nothing() -> None:
    return None


@asynccontextmanager
async def watched(home: Home) -> AsyncIterator[list[float]]:
    """Another client that asks for nothing again and again; how long it waited each time."""
    waits: list[float] = []
    is_over = anyio.Event()

    async def ask(client: WireClient) -> None:
        while not is_over.is_set():
            started = time.perf_counter()
            await client.request("recapd/discover", {})
            waits.append((time.perf_counter() - started) * 1_000)
            await anyio.sleep(PAUSE_S)

    async with await connection(home) as other, anyio.create_task_group() as group:
        group.start_soon(ask, other)
        yield waits
        is_over.set()


async def changed(client: WireClient, before: int) -> None:
    while True:
        if await revision_of(client) != before:
            return
        await anyio.sleep(0.005)


async def revision_of(client: WireClient) -> int:
    listed = await client.request("session/list", {"limit": SESSIONS}, SessionListResult)
    return max(session.revision for session in listed.sessions)


async def settled(client: WireClient, *, sessions: int) -> None:
    while True:
        status = await client.request("recapd/status", {"limit": 1}, RecapdStatusResult)
        if status.quiescent and (status.sessions or 0) >= sessions:
            return
        await anyio.sleep(0.05)


async def at_rest(client: WireClient) -> None:
    """Until nothing is left to be judged or written."""
    while True:
        status = await client.request("recapd/status", {"limit": 1}, RecapdStatusResult)
        if not any(queue.depth for queue in status.queues):
            return
        await anyio.sleep(0.05)


if __name__ == "__main__":
    main(sys.argv[1:])
