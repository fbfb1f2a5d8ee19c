"""What the commands cost that people and shells wait for, and what `recapd top` costs while logs grow.

    python -m tests.bench.bench_terminal [ROUNDS [SECONDS]]

The first table compares with the bare interpreter: each round runs all of them one after the other and yields a ratio
for each, of which the median is told, so that what else the machine does at the time cancels out. The second lets a log
grow by ten lines a second beside `recapd top` in a terminal, and counts its processor time, what it wrote, and how many
times it cleared the screen.
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
_BARE = "python -I -c pass"
# What somebody who waits for it does not notice.
AT_MOST = {"recapd": "4.00", "recapd complete -- rec": "3.00", "recapd complete -- recap ''": "3.00"}
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
    recapd = [str(Path(sys.executable).with_name("recapd"))]
    commands = {
        _BARE: [sys.executable, "-I", "-c", "pass"],
        "recapd": recapd,
        "recapd complete -- rec": [*recapd, "complete", "--", "rec"],
        "recapd complete -- recap ''": [*recapd, "complete", "--", "recap", ""],
        "recapd sessions": [*recapd, "sessions"],
    }
    # By command, for each round how long it took, and of that the processor's time.
    walls: dict[str, list[float]] = {name: [] for name in commands}
    works: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            began = time.perf_counter()
            process = subprocess.Popen(
                command, env=environ, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            assert process.returncode == 0, name
            walls[name].append(time.perf_counter() - began)
            works[name].append(used.ru_utime + used.ru_stime)
    write(f"{'':<30} {'median':>9} {'ratio':>6} {'processor':>10} {'ratio':>6} {'at most':>8}")
    for name in commands:
        told = "".join(
            f" {statistics.median(found[name]) * 1e3:>{width}.0f} ms {_ratio(found, name):>6.2f}"
            for found, width in ((walls, 6), (works, 7))
        )
        write(f"{name:<30}{told} {AT_MOST.get(name, ''):>8}")


def _ratio(found: dict[str, list[float]], name: str) -> float:
    """To the bare interpreter in the same round, at the median."""
    return statistics.median(own / bare for own, bare in zip(found[name], found[_BARE], strict=True))


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
