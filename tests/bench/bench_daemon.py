"""The daemon under load, each number beside a reference in the same run.

Whatever else runs on the machine disturbs both alike, but in bursts: each pair is measured in several rounds, and what
counts is the median of the rounds' ratios.

python -m tests.bench.bench_daemon [FOLDER]

50 clients on recap/get over 50 sessions that keep changing   beside 50 clients on recapd/discover
append to recap/didChange without settling                     beside bare awatch at the same step
recap/get while a cold index runs (of FOLDER, if given)        beside the same when idle
"""

from __future__ import annotations

import itertools
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import anyio
import anyio.to_thread
import msgspec
from msgspec import Struct
from watchfiles import awatch

from recapd.daemon.following.watch import Pace
from recapd.wire.types import RecapDidChangeParams, RecapdStatusResult, SessionListResult
from tests.support.daemons import AMBIENT, Home, served
from tests.support.logs import agent, claude_log, edit, human, shell
from tests.support.wire_client import WireClient, wire_client

CLIENTS = 50
SESSIONS = 50
REQUESTS = 100
# Whatever else the machine does comes and goes: a side of a pair that is measured in one go may get all of it.
TURNS = 2
APPENDS = 60
ROUNDS = 3
CHANGES_PER_SECOND = 50


# More than any line of these logs.
LAST_BYTES = 4096

_numbers = itertools.count()


class Linked(Struct, frozen=True):
    """Of a line of a log, what the next one has to name."""

    uuid: str


# Times without load and under load, in seconds.
Pair = tuple[list[float], list[float]]


def main(arguments: list[str]) -> None:
    write(f"{'what, median of ' + str(ROUNDS) + ' rounds':<44}{'p50 ms':>9}{'p95 ms':>9}{'p99 ms':>9}   ratio")
    pairs = rounds(many_clients)
    rows("50 clients, recapd/discover (no-op)", "50 clients, recap/get, 50 changing sessions", pairs, of=50)
    pairs = rounds(append_latency)
    rows("append to awatch, same step", "append to recap/didChange, no settling", pairs, of=95)
    if arguments:
        pairs = rounds(lambda home: while_indexing(home, Path(arguments[0])))
        rows("recap/get, idle", "recap/get, while a cold index runs", pairs, of=99)


def rounds(scenario: Callable[[Home], Awaitable[Pair]]) -> list[Pair]:
    """The scenario several times, each in a fresh home."""
    pairs: list[Pair] = []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as folder:
            pairs.append(anyio.run(scenario, Home(Path(folder))))
    return pairs


async def many_clients(home: Home) -> Pair:
    """Fifty clients that each ask again as soon as they are answered, of both kinds by turns."""
    logs = [home.logs / f"s{number}.jsonl" for number in range(SESSIONS)]
    for number, log in enumerate(logs):
        log.write_bytes(session_log(number, turns=20))
    async with served(home):
        ids = await session_ids(home, SESSIONS)
        async with anyio.create_task_group() as group:
            group.start_soon(keep_changing, logs)
            idle: list[float] = []
            busy: list[float] = []
            for _ in range(TURNS):
                idle += await load(home, lambda client, turn: client.request("recapd/discover", {}))
                busy += await load(
                    home, lambda client, turn: client.request("recap/get", {"session": {"id": ids[turn % len(ids)]}})
                )
            group.cancel_scope.cancel()
    return idle, busy


async def load(home: Home, ask: Callable[[WireClient, int], Awaitable[object]]) -> list[float]:
    times: list[float] = []

    async def one(number: int) -> None:
        async with await connection(home) as client:
            for turn in range(REQUESTS // TURNS):
                started = time.perf_counter()
                await ask(client, number + turn)
                times.append(time.perf_counter() - started)

    async with anyio.create_task_group() as group:
        for number in range(CLIENTS):
            group.start_soon(one, number)
    return times


async def keep_changing(logs: list[Path]) -> None:
    number = 0
    while True:
        append(logs[number % len(logs)], session=number % len(logs))
        number += 1
        await anyio.sleep(1 / CHANGES_PER_SECOND)


async def append_latency(home: Home) -> Pair:
    """From the write of a line to the notification, and to awatch's own word of it."""
    log = home.logs / "one.jsonl"
    log.write_bytes(session_log(0, turns=50))
    told: list[float] = []
    bare: list[float] = []
    async with served(home):
        await session_ids(home, 1)
        async with await connection(home) as client:
            at_once = {"selector": {"all": True}, "settle": {"quietMs": 0, "maxMs": 0}}
            await client.request("recap/subscribe", {"subscriptionId": "s"} | at_once)
            for _ in range(APPENDS):
                started = append(log)
                await client.expect_notification("recap/didChange", RecapDidChangeParams)
                told.append(time.perf_counter() - started)
                await anyio.sleep(0.05)
            await client.request("recap/unsubscribe", {"subscriptionId": "s"})
    pace = Pace()
    stop = anyio.Event()
    watching = awatch(home.logs, debounce=pace.debounce_ms, step=pace.step_ms, stop_event=stop)
    async with anyio.create_task_group() as group:
        started = 0.0

        async def later() -> None:
            nonlocal started
            await anyio.sleep(0.05)
            started = append(log)

        group.start_soon(later)
        async for _ in watching:
            bare.append(time.perf_counter() - started)
            if len(bare) == APPENDS:
                break
            group.start_soon(later)
        stop.set()
    return bare, told


async def while_indexing(home: Home, corpus: Path) -> Pair:
    """One client that asks for a recap again and again: at rest, while a folder of logs appears, and at rest again.

    At rest means that nothing waits to be written either.
    """
    (home.logs / "one.jsonl").write_bytes(session_log(0, turns=20))
    async with served(home):
        (session_id,) = await session_ids(home, 1)
        async with await connection(home) as client:
            params = {"session": {"id": session_id}}
            await at_rest(client)
            idle = await asked(client, params, until=lambda status: True)
            await anyio.to_thread.run_sync(
                lambda: shutil.copytree(corpus, home.folder / ".claude" / "projects" / "cold", dirs_exist_ok=True)
            )
            cold = await asked(client, params, until=lambda status: status.quiescent and (status.sessions or 0) > 20)
            await at_rest(client)
            idle += await asked(client, params, until=lambda status: True)
    return idle, cold


async def at_rest(client: WireClient) -> None:
    while True:
        status = await client.request("recapd/status", {"limit": 1}, RecapdStatusResult)
        if status.quiescent and not any(queue.depth for queue in status.queues):
            return
        await anyio.sleep(0.05)


async def asked(client: WireClient, params: object, *, until: Callable[[RecapdStatusResult], bool]) -> list[float]:
    times: list[float] = []
    while True:
        for _ in range(50):
            started = time.perf_counter()
            await client.request("recap/get", params)
            times.append(time.perf_counter() - started)
        status = await client.request("recapd/status", {"limit": 1}, RecapdStatusResult)
        # A p99 of fewer is the worst three, whatever they were.
        if len(times) >= 500 and until(status):
            return times


async def session_ids(home: Home, count: int) -> list[str]:
    async with await connection(home) as client:
        while True:
            status = await client.request("recapd/status", {"limit": 1}, RecapdStatusResult)
            if status.quiescent and (status.sessions or 0) >= count:
                break
            await anyio.sleep(0.02)
        listed = await client.request("session/list", {"limit": count}, SessionListResult)
        return [session.id for session in listed.sessions]


async def connection(home: Home) -> AbstractAsyncContextManager[WireClient]:
    return wire_client(await anyio.connect_unix(home.places.socket), ignoring=AMBIENT)


def session_log(number: int, *, turns: int) -> bytes:
    acts = []
    for turn in range(turns):
        acts += [
            human(f"Please change part {turn} of module {number}"),
            edit(f"/work/shop/module_{turn}.py"),
            shell("pytest -q", f"{turn} passed in 0.10s"),
            agent(f"Part {turn} is changed; the tests pass."),
        ]
    return claude_log(*acts, session=f"bench-{number}")


def append(log: Path, *, session: int = 0) -> float:
    """One more prompt at the end of a log; when it was written.

    It follows the record before it: one that follows none would begin the conversation anew, and all recaps would be
    of a single turn.
    """
    with log.open("rb+") as file:
        file.seek(max(file.seek(0, os.SEEK_END) - LAST_BYTES, 0))
        parent = msgspec.json.decode(file.read().splitlines()[-1], type=Linked).uuid
        line = '{"type":"user","uuid":"a%d","parentUuid":"%s","sessionId":"bench-%d","message":%s}\n'
        said = '{"role":"user","content":"go on"}'
        file.write((line % (next(_numbers), parent, session, said)).encode())
    return time.perf_counter()


def rows(idle_name: str, busy_name: str, pairs: list[Pair], *, of: int) -> None:
    """Both sides of a comparison; of each number the median over the rounds, and the ratios of all of them."""
    idle = [statistics.quantiles(times, n=100) for times, _ in pairs]
    busy = [statistics.quantiles(times, n=100) for _, times in pairs]
    ratios = [under[of - 1] / without[of - 1] for without, under in zip(idle, busy, strict=True)]
    each = ", ".join(f"{ratio:.1f}" for ratio in sorted(ratios))
    write(f"{idle_name:<44}{percentiles(idle)}")
    write(f"{busy_name:<44}{percentiles(busy)}   {statistics.median(ratios):.1f} of p{of} ({each})")


def percentiles(cuts: list[list[float]]) -> str:
    return "".join(f"{statistics.median(cut[at - 1] for cut in cuts) * 1e3:>9.2f}" for at in (50, 95, 99))


def write(text: str) -> None:
    sys.stdout.write(text + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
