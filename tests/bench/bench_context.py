"""Contexts and recaps of long sessions, each number beside a reference in the same run.

    python -m tests.bench.bench_context [FOLDER]

context/assemble with a prompt, 400 other sessions known     beside the same with 40, by two daemons in turns
recap/get on the longest logs below FOLDER, asked again      beside recapd/discover of the same daemon in turns
recap/get on them in a way nobody asked before               beside the same, for information: nothing is kept of it
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import anyio

from recapd.wire.types import RecapdStatusResult, SessionListResult
from tests.bench.bench_daemon import connection
from tests.support.daemons import Home, served
from tests.support.logs import Act, agent, claude_log, edit, human
from tests.support.wire_client import WireClient

FEW, MANY = 40, 400
ASKED = 200
LONGEST = 5
WORDS = "parser retry cache login token queue schema deploy branch index socket theme".split()


def main(arguments: list[str]) -> None:
    sys.stdout.write(f"{'what, median':<58}{'ms':>8}   ratio\n")
    few, many = anyio.run(assembled)
    row(f"context/assemble with a prompt, {FEW} other sessions", few)
    row(f"context/assemble with a prompt, {MANY} other sessions", many, beside=few)
    for folder in arguments:
        nothing, kept, fresh = anyio.run(recapped, longest(Path(folder)))
        row("recapd/discover (no-op)", nothing)
        row(f"recap/get, the {LONGEST} longest sessions, asked again", kept, beside=nothing)
        row(f"recap/get, the {LONGEST} longest sessions, never asked so", fresh, beside=nothing)


def row(name: str, times: Sequence[float], *, beside: Sequence[float] = ()) -> None:
    # Each pair was measured back to back: what disturbs one disturbs the other.
    ratio = statistics.median(one / other for one, other in zip(times, beside, strict=True)) if beside else None
    shown = f"{ratio:8.2f}" if ratio is not None else ""
    sys.stdout.write(f"{name:<58}{statistics.median(times) * 1_000:>8.2f}{shown}\n")


async def assembled() -> tuple[list[float], list[float]]:
    """The same question to a daemon that knows few sessions and to one that knows ten times as many."""
    times: tuple[list[float], list[float]] = ([], [])
    async with AsyncExitStack() as stack:
        clients: list[WireClient] = []
        for others in (FEW, MANY):
            home = Home(Path(stack.enter_context(tempfile.TemporaryDirectory())))
            (home.logs / "long.jsonl").write_bytes(conversation("long", turns=400))
            for number in range(others):
                (home.logs / f"other{number}.jsonl").write_bytes(conversation(f"other{number}", turns=30))
            await stack.enter_async_context(served(home))
            client = await stack.enter_async_context(await connection(home))
            await settled(client, others + 1)
            clients.append(client)
        for number in range(ASKED):
            # Another prompt each time, so that no answer is kept.
            prompt = f"why does the {WORDS[number % 12]} of module {number} need a {WORDS[(number // 12) % 12]}?"
            params = {"session": {"id": "claude-code:long"}, "maxTokens": 1_500, "prompt": prompt}
            # In turns, and in both orders.
            for which in (0, 1) if number % 2 else (1, 0):
                times[which].append(await timed(clients[which], "context/assemble", params))
    return times


def longest(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.jsonl"), key=lambda path: -path.stat().st_size)[:LONGEST]


async def recapped(logs: list[Path]) -> tuple[list[float], list[float], list[float]]:
    nothing: list[float] = []
    kept: list[float] = []
    fresh: list[float] = []
    with tempfile.TemporaryDirectory() as place:
        home = Home(Path(place))
        for log in logs:
            shutil.copy(log, home.logs / log.name)
        async with served(home), await connection(home) as client:
            await settled(client, 1)
            listed = await client.request("session/list", {"limit": LONGEST}, SessionListResult)
            ids = [session.id for session in listed.sessions]
            for number in range(ASKED):
                params = {"session": {"id": ids[number % len(ids)]}, "format": "full"}
                await client.request("recap/get", params)
                nothing.append(await timed(client, "recapd/discover", {}))
                kept.append(await timed(client, "recap/get", params))
                fresh.append(await timed(client, "recap/get", params | {"maxTokens": 1_000 + number}))
    return nothing, kept, fresh


async def timed(client: WireClient, method: str, params: object) -> float:
    started = time.perf_counter()
    await client.request(method, params)
    return time.perf_counter() - started


async def settled(client: WireClient, sessions: int) -> None:
    while True:
        status = await client.request("recapd/status", {"limit": 1}, RecapdStatusResult)
        if status.quiescent and (status.sessions or 0) >= sessions:
            return
        await anyio.sleep(0.05)


def conversation(session: str, *, turns: int) -> bytes:
    acts: list[Act] = []
    for turn in range(turns):
        word, other = WORDS[turn % 12], WORDS[(turn // 5) % 12]
        acts += [
            human(f"what does the {word} in module {turn} do with the {other}?"),
            edit(f"/work/shop/{word}_{turn}.py"),
            agent(f"The {word} of module {turn} hands the {other} on. " * 6),
        ]
    return claude_log(*acts, session=session)


if __name__ == "__main__":
    main(sys.argv[1:])
