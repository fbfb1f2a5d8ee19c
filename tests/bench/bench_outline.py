"""What the outline of a long log costs an editor that has it open, against an answer that needs no work, in one run.

    python -m tests.bench.bench_outline [MEGABYTES] [ROUNDS]

Both are `textDocument/documentSymbol` on one connection to a real daemon that has read the log: of the log, and of a
file that has no outline. Alternating, so that a noisy machine is noisy for both; ratios are of the daemon's processor
time, which swings less. The first outline after the log has grown is told apart: what was made before is no longer good
for it.
"""

from __future__ import annotations

import json
import socket
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from recapd.client.call import Connection
from tests.bench.bench_answers import Taken, cpu_ms
from tests.bench.long_talk import long_talk
from tests.bench.output import write
from tests.support.clock import PATIENCE_S
from tests.support.daemons import Home
from tests.support.editors import INITIALIZE
from tests.support.processes import daemon_process, until

MEGABYTES = 25
ROUNDS = 200
SESSION = "5e551011-c0de-4a11-8000-00000000001f"
GROWN = 10
# For judging all of it, at the lowest priority.
JUDGED_S = 900.0


def main(arguments: list[str]) -> None:
    megabytes = int(arguments[0]) if arguments else MEGABYTES
    rounds = int(arguments[1]) if len(arguments) > 1 else ROUNDS
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder))
        log, more = home.logs / f"{SESSION}.jsonl", _fill(home.logs / f"{SESSION}.jsonl", megabytes << 20)
        with daemon_process(home) as daemon, socket.socket(socket.AF_UNIX) as raw:
            daemon.settled()
            raw.connect(home.places.socket)
            connection = Connection(raw)
            connection.call("initialize", INITIALIZE, timeout_s=PATIENCE_S)
            other = home.folder / "shop.py"
            symbols, pid = _outline(connection, log), daemon.process.pid
            write(f"a log of {log.stat().st_size / 1e6:.1f} MB, {len(symbols)} turns in its outline")
            assert symbols and not _outline(connection, other)
            times: dict[str, list[Taken]] = {"nothing to tell": [], "outline": [], "outline, log grown": []}
            for number in range(rounds):
                times["nothing to tell"].append(_timed(connection, other, pid))
                times["outline"].append(_timed(connection, log, pid))
                if number < GROWN:
                    _grow(connection, log, more[number])
                    times["outline, log grown"].append(_timed(connection, log, pid))
    bare = statistics.median(each.cpu for each in times["nothing to tell"])
    write(f"{'':<20} {'p50 ms':>9} {'CPU ms':>9} {'least':>9} {'ratio':>6}")
    for name, found in times.items():
        wall, cpu = statistics.median(each.wall for each in found), statistics.median(each.cpu for each in found)
        write(f"{name:<20} {wall:>9.2f} {cpu:>9.2f} {min(each.cpu for each in found):>9.2f} {cpu / bare:>6.2f}")


def _fill(log: Path, size: int) -> list[bytes]:
    """A log of that size; the turns that follow it."""
    turns = long_talk(200, session=SESSION)
    wanted = size * len(turns) // sum(map(len, turns)) + 1
    turns = long_talk(wanted + GROWN, session=SESSION)
    log.write_bytes(b"".join(turns[:wanted]))
    return turns[wanted:]


def _outline(connection: Connection, path: Path) -> list[Any]:
    params = {"textDocument": {"uri": path.as_uri()}}
    found = connection.call("textDocument/documentSymbol", params, timeout_s=PATIENCE_S)
    assert isinstance(found, list)
    return found


def _timed(connection: Connection, path: Path, pid: int) -> Taken:
    cpu, began = cpu_ms(pid), time.perf_counter()
    _outline(connection, path)
    return Taken((time.perf_counter() - began) * 1_000, cpu_ms(pid) - cpu)


def _grow(connection: Connection, log: Path, turn: bytes) -> None:
    """Until the daemon has read it, which its count of turns tells."""
    asked = {"session": {"log": str(log)}, "format": "short"}

    def turns() -> object:
        found: Any = connection.call("recap/get", asked, timeout_s=PATIENCE_S)
        return json.dumps(found["recap"]["stats"])

    # What is made of the turn before in the meantime is not the outline's.
    def is_at_rest() -> bool:
        status: Any = connection.call("recapd/status", {"limit": 1}, timeout_s=PATIENCE_S)
        return not any(queue["depth"] for queue in status["queues"])

    until(is_at_rest, patience_s=JUDGED_S)
    before = turns()
    with log.open("ab") as file:
        file.write(turn)
    ends = time.monotonic() + PATIENCE_S
    while turns() == before and time.monotonic() < ends:
        time.sleep(0.01)


if __name__ == "__main__":
    main(sys.argv[1:])
