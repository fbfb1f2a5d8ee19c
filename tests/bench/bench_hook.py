"""What a hook costs a turn, against the bare interpreter, in one run: with a daemon, without one, with one that hangs.

    python -m tests.bench.bench_hook [ROUNDS]

And what an answer to a hook of kind `mcp_tool` takes over one that does nothing. Alternating, so that a noisy machine
is noisy for all.
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

from recapd.bridges.deadline import DEADLINE_S
from tests.bridges.mcp_client import mcp_client
from tests.support.daemons import Home
from tests.support.logs import agent, claude_log, human

SESSION = "5e551011-c0de-4a11-8000-000000000001"
HOOK = [sys.executable, "-m", "recapd", "hook", "UserPromptSubmit"]


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
        times: dict[str, list[float]] = {}
        try:
            for _ in range(rounds):
                _note(times, "python -I -c pass", _timed([sys.executable, "-I", "-c", "pass"], home.environ, b""))
                _note(times, "recapd hook", _timed(HOOK, home.environ, given))
                _note(times, "without a daemon", _timed(HOOK, alone, given))
                os.kill(pid, signal.SIGSTOP)
                try:
                    _note(times, "the daemon hangs", _timed(HOOK, home.environ, given))
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
    bare = _p95(times["python -I -c pass"])
    print(f"{'':<20} {'median':>9} {'p95':>9} {'ratio':>6} {'worst':>9}")  # noqa: T201
    for name, found in times.items():
        ratio = f"{_p95(found) / bare:>6.2f}" if not name.startswith("mcp") else f"{'':>6}"
        median, worst = statistics.median(found) * 1e3, max(found) * 1e3
        print(f"{name:<20} {median:>6.1f} ms {_p95(found) * 1e3:>6.1f} ms {ratio} {worst:>6.1f} ms")  # noqa: T201
    over = _p95(times["mcp: a hook"]) - _p95(times["mcp: nothing"])
    print(f"an mcp_tool answer, p95 over nothing: {over * 1e3:.1f} ms; deadline {DEADLINE_S * 1e3:.0f} ms")  # noqa: T201


def _note(times: dict[str, list[float]], name: str, seconds: float) -> None:
    times.setdefault(name, []).append(seconds)


def _p95(found: list[float]) -> float:
    return sorted(found)[min(len(found) - 1, int(len(found) * 0.95))]


def _timed(command: list[str], environ: dict[str, str], given: bytes) -> float:
    begun = time.perf_counter()
    subprocess.run(command, env=environ, cwd="/", input=given, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()
