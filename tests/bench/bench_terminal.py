"""What the commands cost that people and shells wait for, and what `recapd top` costs while logs grow.

    python -m tests.bench.bench_terminal [ROUNDS [SECONDS]]

The first table compares with the bare interpreter, alternating. The second lets a log grow by ten lines a second beside
`recapd top` in a terminal, and counts its processor time, what it wrote, and how many times it cleared the screen.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from recapd.client.paths import Places
from recapd.client.start import environment_for_daemon
from tests.bench.output import write
from tests.client.folders import own_folders
from tests.support.logs import agent, claude_log, human
from tests.support.ptys import in_terminal

SESSIONS = 50
APPENDS_A_SECOND = 10
CLEARED = "\x1b[2J"


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    seconds = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    with own_folders() as where, tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        environ = _environ(where, home)
        project = home / ".claude" / "projects" / "p"
        project.mkdir(parents=True)
        for number in range(SESSIONS):
            log = claude_log(human(f"mend part {number} of the machine"), agent("It is mended."), session=f"s{number}")
            (project / f"s{number}.jsonl").write_bytes(log)
        subprocess.run([sys.executable, "-m", "recapd", "up"], env=environ, check=True, capture_output=True)
        _starts(rounds, environ)
        _top(seconds, environ, home, project / "s0.jsonl")


def _environ(where: Places, home: Path) -> dict[str, str]:
    folders = {"RECAPD_RUNTIME_DIR": where.runtime_dir, "RECAPD_STATE_DIR": where.state_dir, "HOME": str(home)}
    return environment_for_daemon({"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}) | folders


def _starts(rounds: int, environ: dict[str, str]) -> None:
    recapd = [sys.executable, "-m", "recapd"]
    commands = {
        "python -I -c pass": [sys.executable, "-I", "-c", "pass"],
        "recapd": recapd,
        "recapd complete -- rec": [*recapd, "complete", "--", "rec"],
        "recapd complete -- recap ''": [*recapd, "complete", "--", "recap", ""],
        "recapd sessions": [*recapd, "sessions"],
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            began = time.perf_counter()
            subprocess.run(command, env=environ, cwd="/", check=True, capture_output=True)
            times[name].append(time.perf_counter() - began)
    bare = statistics.median(times["python -I -c pass"])
    write(f"{'':<30} {'median':>9} {'ratio':>6}")
    for name, found in times.items():
        write(f"{name:<30} {statistics.median(found) * 1e3:>6.0f} ms {statistics.median(found) / bare:>6.2f}")


def _top(seconds: int, environ: dict[str, str], home: Path, log: Path) -> None:
    with in_terminal([sys.executable, "-m", "recapd", "top"], environ=environ, cwd=home) as (terminal, process):
        terminal.read_until(f"{SESSIONS} sessions")
        terminal.written = ""
        over = threading.Event()

        def grow() -> None:
            steps = (agent(f"Part {number} of the machine runs again.") for number in range(seconds * APPENDS_A_SECOND))
            lines = claude_log(human("mend it"), agent("It is mended."), *steps, session="s0").splitlines(keepends=True)
            for line in lines[2:]:
                if over.wait(1 / APPENDS_A_SECOND):
                    return
                with log.open("ab") as file:
                    file.write(line)

        writing = threading.Thread(target=grow)
        before = _cpu_s(process.pid)
        writing.start()
        try:
            terminal.read_for(seconds)
        finally:
            over.set()
            writing.join()
        used = _cpu_s(process.pid) - before
        shown = terminal.written
    write(
        f"\nrecapd top beside {APPENDS_A_SECOND} appends a second for {seconds} s: "
        f"{100 * used / seconds:.1f} % of a core, "
        f"{len(shown) / seconds / 1024:.1f} KB/s written, the screen cleared {shown.count(CLEARED)} times"
    )


def _cpu_s(pid: int) -> float:
    """Of the process and the one that draws."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    ticks = 0
    for each in (str(pid), *children):
        fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
