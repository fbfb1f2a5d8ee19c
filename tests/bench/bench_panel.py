"""What a panel costs: each request of a refresh beside a no-op of the same daemon in the same run.

    python -m tests.bench.bench_panel [MEGABYTES]

A panel that is told of a change asks twice: for the line of each session, and for the recap it shows. What it shows is
made before it is told, which is a row of its own: from the append until the client knows, settling included. Then the
pages it opens, anywhere in a long log (25 MB unless told otherwise). Ratios are of the daemon's processor time; wanted
are at most 3 for a refresh, 5 for a page.
"""

from __future__ import annotations

import math
import statistics
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import anyio

from recapd.wire.types import RecapDidChangeParams
from tests.bench.bench_answers import Bench, Limit, Measured, Taken, at_rest, cpu_ms, nothing, revision_of, settled
from tests.bench.bench_daemon import connection
from tests.bench.long_talk import long_talk
from tests.bench.output import write
from tests.support.daemons import Home, served

SESSIONS = 20
NO_LIMIT = Limit(math.inf, math.inf)
# Turns that follow while the panel looks on.
_LATER = 200
_ID = "claude-code:bench-long"
_READER = {"session": {"id": _ID}, "format": "full", "consumer": "panel"}


async def measure(megabytes: int) -> list[Measured]:
    # Turns are about as long as each other.
    sample = b"".join(long_talk(100, session="bench-long"))
    turns = megabytes * 1_000_000 * 100 // len(sample) + 1
    told = long_talk(turns + _LATER, session="bench-long")
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder))
        for number in range(SESSIONS - 1):
            other = b"".join(long_talk(20, session=f"bench-{number}", seed=number))
            (home.logs / f"{number}.jsonl").write_bytes(other)
        log = home.logs / "long.jsonl"
        log.write_bytes(b"".join(told[:turns]))
        size = log.stat().st_size / 1e6
        later = iter(told[turns:])
        async with served(home) as process, await connection(home) as client:
            await settled(client, sessions=SESSIONS)
            await at_rest(client)

            told_after: list[Taken] = []
            settle = {"quietMs": 100, "maxMs": 1_000}
            await client.request(
                "recap/subscribe", {"subscriptionId": "p", "selector": {"all": True}, "settle": settle}
            )

            async def grow() -> None:
                await at_rest(client)
                before = await revision_of(client)
                cpu, started = cpu_ms(process.pid), time.perf_counter()
                with log.open("ab") as file:
                    file.write(next(later))
                known = before
                while known <= before:
                    news = await client.expect_notification("recap/didChange", RecapDidChangeParams)
                    known = max(change.revision for change in news.changes)
                told_after.append(Taken((time.perf_counter() - started) * 1_000, cpu_ms(process.pid) - cpu))

            growing, resting = Bench(home, process.pid, client, grow), Bench(home, process.pid, client, nothing)
            lines = await growing.measure(
                "refresh: session/overview", "session/overview", lambda _: {"consumer": "panel"}
            )
            recap = await growing.measure("refresh: recap/get", "recap/get", lambda _: _READER)
            made = Measured(
                "from the append until told of it", told_after[-len(recap.taken) :], recap.nothing, 0.0, NO_LIMIT
            )
            found = [lines, recap, made]
            await client.request("recap/unsubscribe", {"subscriptionId": "p"})
            for name, first in (("first", 1), ("middle", turns // 2), ("last", turns - 40)):
                page = await resting.measure(
                    f"page: {name} turns of {size:.0f} MB", "transcript/get", partial(page_after, first)
                )
                found.append(page)
            return found


def page_after(first: int, number: int) -> object:
    """Another one each time, so that none is kept from before."""
    return {"session": {"id": _ID}, "turn": first + number}


def main(arguments: list[str]) -> None:
    write(f"{'what':<36}{'p50 ms':>9}{'CPU ms':>9}{'no-op CPU':>11}{'ratio':>8}{'wanted':>8}{'longest pause ms':>18}")
    for measured in anyio.run(measure, int(arguments[0]) if arguments else 25):
        cpu = statistics.median(each.cpu for each in measured.taken)
        no_op = statistics.median(each.cpu for each in measured.nothing)
        wall = statistics.median(each.wall for each in measured.taken)
        ratio = cpu / no_op
        most = measured.limit.usual
        verdict = "" if ratio <= most else "  missed"
        write(
            f"{measured.name:<36}{wall:>9.2f}{cpu:>9.2f}{no_op:>11.2f}{ratio:>8.1f}{most:>8.0f}"
            f"{measured.longest:>18.1f}{verdict}"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
