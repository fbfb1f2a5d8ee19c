"""What a hook costs a turn, against the bare interpreter, in one run: with a daemon, without one, with one that hangs.

    python -m tests.bench.bench_hook [ROUNDS]

And what an answer to a hook of kind `mcp_tool` takes over one that does nothing. Each round runs one of each, and is
compared with the bare interpreter of the same round: by wall time, which neighbours take a part of, and by the time of
the processor, which they do not. So a busy machine is busy for all.
"""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple, TypeVar

from recapd.bridges.deadline import DEADLINE_S
from tests.bridges.mcp_client import mcp_client
from tests.support.daemons import Home
from tests.support.logs import agent, claude_log, human

SESSION = "5e551011-c0de-4a11-8000-000000000001"
BARE, HUNG = "python -I -c pass", "the daemon hangs"
HOOK = [sys.executable, "-m", "recapd", "hook", "UserPromptSubmit"]


class Run(NamedTuple):
    wall_s: float
    processor_s: float


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    with tempfile.TemporaryDirectory() as folder:
        home = Home(Path(folder) / "home")
        talk = [act for number in range(5) for act in (human(f"Step {number}, please"), agent(f"Did {number}."))]
        (home.logs / f"{SESSION}.jsonl").write_bytes(claude_log(*talk, session=SESSION, cwd=folder))
        # Nobody serves there, and nobody can be started: starting one is not what a turn pays for.
        alone = home.environ | {"RECAPD_RUNTIME_DIR": f"{folder}/nobody", "RECAPD_STATE_DIR": "/proc/nobody"}
        asked = {"session_id": SESSION, "cwd": folder, "prompt": "Step 6, please"}
        given = json.dumps(asked).encode()
        recapd = [sys.executable, "-m", "recapd"]
        subprocess.run([*recapd, "sockname", "--start"], env=home.environ, check=True, stdout=subprocess.DEVNULL)
        pid = json.loads((home.runtime / "recapd.json").read_text())["pid"]
        runs: dict[str, list[Run]] = {}
        times: dict[str, list[float]] = {}
        try:
            for _ in range(rounds):
                _note(runs, BARE, _run([sys.executable, "-I", "-c", "pass"], home.environ, b""))
                _note(runs, "recapd hook", _run(HOOK, home.environ, given))
                _note(runs, "without a daemon", _run(HOOK, alone, given))
                os.kill(pid, signal.SIGSTOP)
                try:
                    _note(runs, HUNG, _run(HOOK, home.environ, given))
                finally:
                    os.kill(pid, signal.SIGCONT)
            with mcp_client(home.environ, cwd=Path(folder)) as client:
                for _ in range(rounds * 4):
                    begun = time.perf_counter()
                    client.ask("ping")
                    _note(times, "mcp: nothing", time.perf_counter() - begun)
                    begun = time.perf_counter()
                    client.call("context", session=SESSION, prompt="Step 6, please", event="UserPromptSubmit")
                    _note(times, "mcp: a hook", time.perf_counter() - begun)
        finally:
            subprocess.run([*recapd, "down"], env=home.environ, check=False, capture_output=True)
    print(f"{'':<20} {'wall':>9} {'p95':>9} {'worst':>9} {'processor':>9} | p95 of ratios: wall, processor")  # noqa: T201
    for name, found in runs.items():
        walls, used = [each.wall_s for each in found], [each.processor_s for each in found]
        ratios = [
            _p95([ours / bare for ours, bare in zip(values, bares, strict=True)])
            for values, bares in (
                (walls, [each.wall_s for each in runs[BARE]]),
                (used, [each.processor_s for each in runs[BARE]]),
            )
        ]
        shown = " ".join(f"{each * 1e3:>6.1f} ms" for each in (statistics.median(walls), _p95(walls), max(walls)))
        print(f"{name:<20} {shown} {statistics.median(used) * 1e3:>6.1f} ms | {ratios[0]:.2f} {ratios[1]:.2f}")  # noqa: T201
    late = sum(each.wall_s > DEADLINE_S for each in runs[HUNG])
    print(f"with a daemon that hangs, later than {DEADLINE_S * 1e3:.0f} ms: {late} of {rounds}")  # noqa: T201
    over = _p95([hook - bare for hook, bare in zip(times["mcp: a hook"], times["mcp: nothing"], strict=True)])
    print(f"an mcp_tool answer, p95 over nothing: {over * 1e3:.1f} ms")  # noqa: T201


T = TypeVar("T")


def _note(noted: dict[str, list[T]], name: str, value: T) -> None:
    noted.setdefault(name, []).append(value)


def _p95(found: list[float]) -> float:
    return sorted(found)[min(len(found) - 1, int(len(found) * 0.95))]


def _run(command: list[str], environ: dict[str, str], given: bytes) -> Run:
    """From before it is started to after it ended; what is given fits into a pipe."""
    reading, writing = os.pipe()
    os.write(writing, given)
    os.close(writing)
    files = [(os.POSIX_SPAWN_DUP2, reading, 0), (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    begun = time.perf_counter()
    pid = os.posix_spawn(command[0], command, environ, file_actions=files)
    _, status, used = os.wait4(pid, 0)
    wall_s = time.perf_counter() - begun
    os.close(reading)
    assert status == 0, command
    return Run(wall_s, used.ru_utime + used.ru_stime)


if __name__ == "__main__":
    main()
