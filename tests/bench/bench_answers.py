"""What answers cost as sessions grow, each beside a no-op of the same daemon in the same run.

    python -m tests.bench.bench_answers [TURNS ...]

    first recap            of a session that nobody asked about, right after it was read, and once all is judged
    recap after an append  as often as a turn is added
    context/assemble       with a prompt that nobody asked with before
    session/list           of 50 sessions of which one changes before each request
    session/overview       the same

The last column is the longest that another client waited for a no-op meanwhile.
Recaps after an append have to cost the same at 500, 2,000 and 10,000 turns, within a factor of two.
"""

from __future__ import annotations

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


class Measured(Struct, frozen=True):
    """Times of something in milliseconds, of no-ops right beside it, and the longest that somebody else waited."""

    name: str
    taken: list[float]
    nothing: list[float]
    longest: float


def main(arguments: list[str]) -> None:
    write(f"{'what':<44}{'p50 ms':>9}{'most ms':>9}{'no-op ms':>10}{'ratio':>8}{'of most':>9}{'longest pause ms':>18}")
    for turns in map(int, arguments) if arguments else TURNS:
        for measured in anyio.run(one_session, turns):
            show(measured)
    for measured in anyio.run(many_sessions):
        show(measured)


def show(measured: Measured) -> None:
    median, most = statistics.median(measured.taken), max(measured.taken)
    nothing = statistics.median(measured.nothing)
    write(
        f"{measured.name:<44}{median:>9.2f}{most:>9.2f}{nothing:>10.2f}{median / nothing:>8.1f}{most / nothing:>9.1f}"
        f"{measured.longest:>18.1f}"
    )


async def one_session(turns: int) -> list[Measured]:
    """One long session that goes on, turn by turn."""
    told = long_talk(turns + 2 * ASKED, session="bench-long")
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder))
        log = home.logs / "long.jsonl"
        log.write_bytes(b"".join(told[:turns]))
        async with served(home), await connection(home) as client:
            await settled(client, sessions=1)
            (session_id,) = await ids_of(client)
            recap = {"session": {"id": session_id}, "force": True}
            later = iter(told[turns:])

            async def grow() -> None:
                before = await revision_of(client)
                with log.open("ab") as file:
                    file.write(next(later))
                await changed(client, before)

            async def nothing() -> None:
                return None

            name = f"{turns:>6} turns, "
            context = {"session": {"id": session_id}, "maxTokens": 4_000}
            return [
                await measured(
                    home, f"{name}first recap", client, "recap/get", lambda _: recap, before=nothing, times=1
                ),
                await measured(home, f"{name}recap after an append", client, "recap/get", lambda _: recap, before=grow),
                await measured(
                    home,
                    f"{name}full recap after an append",
                    client,
                    "recap/get",
                    lambda _: recap | {"format": "full"},
                    before=grow,
                ),
                await measured(
                    home,
                    f"{name}context, new prompt",
                    client,
                    "context/assemble",
                    lambda number: context | {"prompt": prompt_of(number)},
                    before=nothing,
                ),
            ]


async def many_sessions() -> list[Measured]:
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder))
        logs = [home.logs / f"s{number}.jsonl" for number in range(SESSIONS)]
        told = [long_talk(40, session=f"bench-{number}", seed=number) for number in range(SESSIONS)]
        for log, its_turns in zip(logs, told, strict=True):
            log.write_bytes(b"".join(its_turns[:20]))
        async with served(home), await connection(home) as client:
            await settled(client, sessions=SESSIONS)
            changes = iter(range(20 * SESSIONS))

            async def grow() -> None:
                number = next(changes)
                before = await revision_of(client)
                with logs[number % SESSIONS].open("ab") as file:
                    file.write(told[number % SESSIONS][20 + number // SESSIONS])
                await changed(client, before)

            listed = {"limit": SESSIONS}
            return [
                await measured(home, f"{method} of {SESSIONS}", client, method, lambda _: listed, before=grow, times=60)
                for method in ("session/list", "session/overview")
            ]


async def measured(
    home: Home,
    name: str,
    client: WireClient,
    method: str,
    params: Callable[[int], object],
    *,
    before: Callable[[], Awaitable[None]],
    times: int = ASKED,
) -> Measured:
    taken: list[float] = []
    nothing: list[float] = []
    async with watched(home) as waits:
        for number in range(times):
            await before()
            nothing.append(min([await timed(client, "recapd/discover", {}) for _ in range(3)]))
            taken.append(await timed(client, method, params(number)))
    return Measured(name, taken, nothing, max(waits))


@asynccontextmanager
async def watched(home: Home) -> AsyncIterator[list[float]]:
    """Another client that asks for nothing again and again; how long it waited each time."""
    waits: list[float] = []
    is_over = anyio.Event()

    async def ask(client: WireClient) -> None:
        while not is_over.is_set():
            waits.append(await timed(client, "recapd/discover", {}))
            await anyio.sleep(PAUSE_S)

    async with await connection(home) as other, anyio.create_task_group() as group:
        group.start_soon(ask, other)
        yield waits
        is_over.set()


async def timed(client: WireClient, method: str, params: object) -> float:
    """Milliseconds."""
    started = time.perf_counter()
    await client.answer(await client.send(method, params))
    return (time.perf_counter() - started) * 1_000


async def changed(client: WireClient, before: int) -> None:
    while True:
        if await revision_of(client) != before:
            return
        await anyio.sleep(0.005)


async def revision_of(client: WireClient) -> int:
    listed = await client.request("session/list", {"limit": SESSIONS}, SessionListResult)
    return max(session.revision for session in listed.sessions)


async def ids_of(client: WireClient) -> list[str]:
    listed = await client.request("session/list", {"limit": SESSIONS}, SessionListResult)
    return [session.id for session in listed.sessions]


async def settled(client: WireClient, *, sessions: int) -> None:
    while True:
        status = await client.request("recapd/status", {"limit": 1}, RecapdStatusResult)
        if status.quiescent and (status.sessions or 0) >= sessions:
            return
        await anyio.sleep(0.05)


if __name__ == "__main__":
    main(sys.argv[1:])
