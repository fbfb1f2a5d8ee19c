"""What answers cost as sessions grow, each beside a no-op of the same daemon in the same run.

    python -m tests.bench.bench_answers [TURNS ...]

    first recap            of a session right after it was read: not judged yet, with what is known
    first recap, judged    of a session that was judged ahead, by a daemon that was just started
    recap after an append  as often as a turn is added
    context/assemble       with a prompt that nobody asked with before
    session/list           of 50 sessions of which one changes before each request
    session/overview       the same

Times are of a busy machine and swing; what the daemon's own processor time says does not. Ratios are of that, to a
no-op's. Beside them stands the longest that another client waited for a no-op meanwhile.
Recaps after an append have to cost the same at 500, 2,000 and 10,000 turns, within a factor of two.

Then the same by one client and by 50 at once, over 50 sessions that keep changing: how long a request takes as a client
sees it, at p50 and at p99, beside no-ops by as many clients. What is wanted stands in LIMITS, and the last column says
whether it is so.
"""

from __future__ import annotations

import contextlib
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import anyio
from msgspec import Struct

from recapd.wire.types import RecapdStatusResult, SessionListResult
from tests.bench.bench_daemon import connection
from tests.bench.long_talk import ending_now, long_talk, prompt_of
from tests.bench.output import write
from tests.support.daemons import Home, served
from tests.support.wire_client import WireClient

TURNS = (500, 2_000, 10_000)
ASKED = 20
SESSIONS = 50
# The other client asks this often.
PAUSE_S = 0.002
# By one client, and by so many at once; requests of all of them together, and how often a session changes meanwhile.
CLIENTS = (1, 50)
REQUESTS = 200
CHANGE_S = 0.05
# Turns of each session when they begin to ask, and those that may follow.
BEGUN, LATER = 8, 40
# The longest that anybody waits for a no-op because of somebody else, beyond what no-ops take by themselves: fifty of
# them at once wait for each other.
PAUSE_MS = 10.0
FLAT = 2.0


class Limit(Struct, frozen=True):
    """How many no-ops an answer may cost, at p50 and at p99."""

    usual: float
    most: float


LIMITS = {
    "recap/get": Limit(3, 10),
    "session/list": Limit(3, 10),
    "session/overview": Limit(3, 10),
    "context/assemble": Limit(10, 10),
}
FIRST = Limit(10, 10)
# Of a page of the conversation.
PAGE = Limit(5, 10)


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
    limit: Limit

    @property
    def cpu(self) -> float:
        return statistics.median(each.cpu for each in self.taken)


class Crowd(Struct, frozen=True):
    """How long requests took that several clients made at once, how long no-ops did, and the longest that somebody
    else waited for one."""

    name: str
    taken: list[float]
    nothing: list[float]
    longest: float
    limit: Limit


class Bench(Struct, frozen=True):
    """A daemon, a client of it, and what comes before each request."""

    home: Home
    pid: int
    client: WireClient
    before: Callable[[], Awaitable[None]]

    async def measure(self, name: str, method: str, params: Callable[[int], object], *, times: int = ASKED) -> Measured:
        taken: list[Taken] = []
        nothing: list[Taken] = []
        for number in range(times):
            await self.before()
            # Right beside it, in turns, each as often the first: who comes first finds the processor at other work.
            if number % 2:
                nothing.append(await self.timed("recapd/discover", {}))
            taken.append(await self.timed(method, params(number)))
            if not number % 2:
                nothing.append(await self.timed("recapd/discover", {}))
        # Apart, for whoever watches asks something too.
        async with watched(self.home) as waits:
            for number in range(times // 2):
                await self.before()
                await self.client.request(method, params(times + number))
        limit = FIRST if times == 1 else LIMITS.get(method, PAGE)
        return Measured(name, taken, nothing, max(waits, default=0.0), limit)

    async def timed(self, method: str, params: object) -> Taken:
        cpu, started = cpu_ms(self.pid), time.perf_counter()
        await self.client.answer(await self.client.send(method, params))
        return Taken((time.perf_counter() - started) * 1_000, cpu_ms(self.pid) - cpu)


def main(arguments: list[str]) -> None:
    write(
        f"{'what':<44}{'p50 ms':>9}{'CPU ms':>9}{'no-op ms':>11}{'ratio':>8}{'of most':>9}{'pause ms':>10}{'wanted':>9}"
    )
    appended: list[float] = []
    for turns in map(int, arguments) if arguments else TURNS:
        for measured in anyio.run(one_session, turns):
            show(measured)
            if measured.name.endswith(", recap after an append"):
                appended.append(measured.cpu)
    for measured in anyio.run(many_sessions):
        show(measured)
    growth = max(appended) / min(appended)
    write(f"recap after an append, longest to shortest session: {growth:.1f} ({judged(growth <= FLAT)})")
    write(
        f"{'what':<44}{'p50 ms':>9}{'p99 ms':>9}{'no-op ms':>11}{'ratio':>8}{'of p99':>9}{'pause ms':>10}{'wanted':>9}"
    )
    for clients in CLIENTS:
        for crowd in anyio.run(many_clients, clients):
            show_crowd(crowd)


def judged(is_so: bool) -> str:
    return "ok" if is_so else "missed"


def show_crowd(crowd: Crowd) -> None:
    usual, most = at_p50_and_p99(crowd.taken)
    nothing, most_nothing = at_p50_and_p99(crowd.nothing)
    is_so = usual <= crowd.limit.usual * nothing and most <= crowd.limit.most * most_nothing
    write(
        f"{crowd.name:<44}{usual:>9.2f}{most:>9.2f}{nothing:>11.2f}{usual / nothing:>8.1f}{most / most_nothing:>9.1f}"
        f"{crowd.longest:>10.1f}{judged(is_so and crowd.longest <= most_nothing + PAUSE_MS):>9}"
    )


def at_p50_and_p99(times: list[float]) -> tuple[float, float]:
    in_order = sorted(times)
    return statistics.median(in_order), in_order[min(len(in_order) * 99 // 100, len(in_order) - 1)]


def show(measured: Measured) -> None:
    cpu, most = measured.cpu, max(each.cpu for each in measured.taken)
    nothing = statistics.median(each.cpu for each in measured.nothing)
    wall = statistics.median(each.wall for each in measured.taken)
    alone = max(each.wall for each in measured.nothing)
    is_so = cpu <= measured.limit.usual * nothing and most <= measured.limit.most * nothing
    write(
        f"{measured.name:<44}{wall:>9.2f}{cpu:>9.2f}{nothing:>11.2f}{cpu / nothing:>8.1f}{most / nothing:>9.1f}"
        f"{measured.longest:>10.1f}{judged(is_so and measured.longest <= alone + PAUSE_MS):>9}"
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
    told = ending_now(long_talk(turns + 4 * ASKED, session="bench-long"))
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
        told = [ending_now(long_talk(40, session=f"bench-{number}", seed=number)) for number in range(SESSIONS)]
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


async def many_clients(clients: int) -> list[Crowd]:
    """Each client asks about another session, one request after the other, while the sessions go on."""
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder))
        logs = [home.logs / f"s{number}.jsonl" for number in range(SESSIONS)]
        told = [
            ending_now(long_talk(BEGUN + LATER, session=f"bench-{number}", seed=number)) for number in range(SESSIONS)
        ]
        for log, its_turns in zip(logs, told, strict=True):
            log.write_bytes(b"".join(its_turns[:BEGUN]))
        turns = range(BEGUN, BEGUN + LATER)
        later = iter([(log, its_turns[turn]) for turn in turns for log, its_turns in zip(logs, told, strict=True)])
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(served(home))
            asking = [await stack.enter_async_context(await connection(home)) for _ in range(clients)]
            await settled(asking[0], sessions=SESSIONS)
            await at_rest(asking[0])
            found: list[Crowd] = []
            for method, limit in LIMITS.items():
                nothing = await asked(asking, "recapd/discover", lambda number: {})
                async with watched(home) as waits, growing(later):
                    taken = await asked(asking, method, params_of(method))
                found.append(Crowd(f"{clients} clients, {method}", taken, nothing, max(waits, default=0.0), limit))
            return found


def params_of(method: str) -> Callable[[int], object]:
    def params(number: int) -> object:
        if method.startswith("session/"):
            return {"limit": SESSIONS}
        session = {"session": {"id": f"claude-code:bench-{number % SESSIONS}"}}
        if method == "recap/get":
            return session | {"force": True}
        return session | {"maxTokens": 4_000, "prompt": prompt_of(number)}

    return params


async def asked(clients: list[WireClient], method: str, params: Callable[[int], object]) -> list[float]:
    """How long each request took, in milliseconds."""
    times: list[float] = []
    numbers = iter(range(REQUESTS))

    async def ask(client: WireClient) -> None:
        for number in numbers:
            started = time.perf_counter()
            await client.answer(await client.send(method, params(number)))
            times.append((time.perf_counter() - started) * 1_000)

    async with anyio.create_task_group() as group:
        for client in clients:
            group.start_soon(ask, client)
    return times


@asynccontextmanager
async def growing(later: Iterator[tuple[Path, bytes]]) -> AsyncIterator[None]:
    """Sessions that go on meanwhile, one after the other."""

    async def grow() -> None:
        for log, turn in later:
            with log.open("ab") as file:
                file.write(turn)
            await anyio.sleep(CHANGE_S)

    async with anyio.create_task_group() as group:
        group.start_soon(grow)
        yield
        group.cancel_scope.cancel()


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
