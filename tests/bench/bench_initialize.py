"""Editors that come at once to a daemon that was just started, as after a restart with many windows open.

python -m tests.bench.bench_initialize [ROUNDS] [EDITORS]

Each round starts a daemon of its own, connects EDITORS (8 by default) and has all of them send `initialize` at the same
time. Tells how many were answered with a result, how long that took, and what memory the daemon had before and after.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from tests.bench.bench_idle import cost_of
from tests.bench.output import write
from tests.support.daemons import Home
from tests.support.editors import Initialized, initialize_at_once
from tests.support.processes import daemon_process

ROUNDS = 20
EDITORS = 8


def main(arguments: list[str]) -> None:
    rounds = int(arguments[0]) if arguments else ROUNDS
    editors = int(arguments[1]) if len(arguments) > 1 else EDITORS
    found: list[Initialized] = []
    before: list[float] = []
    after: list[float] = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder, daemon_process(Home(Path(folder))) as daemon:
            daemon.settled()
            before.append(cost_of(daemon.process.pid).resident_bytes / 1e6)
            found += initialize_at_once(daemon.home, editors)
            after.append(cost_of(daemon.process.pid).resident_bytes / 1e6)
    times = [each.seconds for each in found]
    write(f"answered with a result: {sum(not each.error for each in found)} of {len(found)}")
    write(f"seconds: best {min(times):.2f}, median {statistics.median(times):.2f}, worst {max(times):.2f}")
    write(f"daemon's MB: {statistics.median(before):.1f} before the editors, {statistics.median(after):.1f} with them")
    for error in sorted({each.error for each in found if each.error}):
        write(error)


if __name__ == "__main__":
    main(sys.argv[1:])
