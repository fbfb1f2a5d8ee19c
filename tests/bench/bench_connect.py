"""What `recapd connect` costs an editor at its start, against the bare interpreter, in one run.

    python -m tests.bench.bench_connect [ROUNDS]

The time of `connect` is from its start to the first answer, from a daemon that runs; alternating, so that a noisy
machine is noisy for both.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time

from recapd.client import frames
from recapd.client.start import connect, environment_for_daemon
from tests.client.fake_daemon import ARGV
from tests.client.folders import own_folders

REQUEST = frames.encode(b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}')


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    with own_folders() as where:
        environ = environment_for_daemon(os.environ) | {
            "RECAPD_RUNTIME_DIR": where.runtime_dir,
            "RECAPD_STATE_DIR": where.state_dir,
        }
        cold = time.perf_counter()
        connect(where, argv=ARGV).close()
        cold = time.perf_counter() - cold
        commands = {
            "python -I -c pass": [sys.executable, "-I", "-c", "pass"],
            "recapd connect": [sys.executable, "-m", "recapd", "connect"],
            "recapd --version": [sys.executable, "-m", "recapd", "--version"],
        }
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(rounds):
            for name, command in commands.items():
                times[name].append(timed(command, environ))
    bare = statistics.median(times["python -I -c pass"])
    print(f"{'':<20} {'median':>9} {'best':>9} {'ratio':>6}")  # noqa: T201
    for name, found in times.items():
        median = statistics.median(found)
        print(f"{name:<20} {median * 1e3:>6.1f} ms {min(found) * 1e3:>6.1f} ms {median / bare:>6.2f}")  # noqa: T201
    print(f"{'cold start':<20} {cold * 1e3:>6.1f} ms (a daemon that does nothing, until its first connection)")  # noqa: T201


def timed(command: list[str], environ: dict[str, str]) -> float:
    """Seconds until the first byte of an answer, or until the end of a command that gives none."""
    began = time.perf_counter()
    with subprocess.Popen(command, env=environ, cwd="/", stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stdout is not None
        if command[-1] == "connect":
            process.stdin.write(REQUEST)
            process.stdin.flush()
        process.stdout.read(1)
        return time.perf_counter() - began


if __name__ == "__main__":
    main()
