"""What the commands cost that people and shells wait for, and what `recapd top` costs while logs grow.

    python -m tests.bench.bench_terminal [ROUNDS [SECONDS]]

The first table compares with the bare interpreter: each round runs all of them one after the other and yields a ratio
for each, of which the median is told, so that what else the machine does at the time cancels out. The second lets a log
grow by ten lines a second beside `recapd top` in a terminal, and counts its processor time, what it wrote, and how many
times it cleared the screen.
"""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from msgspec import Struct

from recapd.client.paths import Places
from recapd.client.start import environment_for_daemon
from tests.bench.output import write
from tests.client.folders import own_folders
from tests.support.logs import agent, claude_log, ended, human
from tests.support.ptys import in_terminal

SESSIONS = 50
APPENDS_A_SECOND = 10
_BARE = "python -I -c pass"
# What somebody who waits for it does not notice.
AT_MOST = {"recapd": "4.00", "recapd complete -- rec": "3.00", "recapd complete -- recap ''": "3.00"}
# What begins an update, and what empties the screen or a part of it before it is written anew.
_FRAME = "\x1b[?2026h"
_CLEARED = re.compile(r"\x1b\[[0-3]?J|\x1bc|\x1b\[\?1049h")


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


class Watched(Struct, frozen=True):
    """What `recapd top` did while a log grew."""

    frames: int
    # Of them all, and of the largest.
    written_bytes: int
    largest_bytes: int
    clears: int
    cpu_s: float


def watch_top(seconds: float, *, environ: dict[str, str], home: Path, log: Path, sessions: int) -> Watched:
    """Lets the session of this log be at work for so long, beside `recapd top`."""
    with in_terminal([sys.executable, "-m", "recapd", "top"], environ=environ, cwd=home) as (terminal, process):
        terminal.read_until(f"{sessions} session")
        terminal.written = ""
        over = threading.Event()

        def grow() -> None:
            steps = (
                agent(f"Part {number} of the machine runs again.")
                for number in range(1 + round(seconds * 2) * APPENDS_A_SECOND)
            )
            lines = claude_log(human("mend it"), *steps, session=log.stem).splitlines(keepends=True)
            for line in lines:
                with log.open("ab") as file:
                    file.write(ended(line, 0))
                if over.wait(1 / APPENDS_A_SECOND):
                    return

        writing = threading.Thread(target=grow)
        writing.start()
        try:
            # It is the first of the list now; chosen, its recap stands below, and changes with every look.
            terminal.read_until(_FRAME)
            terminal.type("g")
            terminal.read_until("machine runs again")
            before = _cpu_s(process.pid)
            terminal.read_for(seconds)
        finally:
            over.set()
            writing.join()
        used = _cpu_s(process.pid) - before
        frames = terminal.written.split(_FRAME)[1:]
    return Watched(
        frames=len(frames),
        written_bytes=sum(len(each.encode()) for each in frames),
        largest_bytes=max((len(each.encode()) for each in frames), default=0),
        clears=len(_CLEARED.findall("".join(frames))),
        cpu_s=used,
    )


def _top(seconds: int, environ: dict[str, str], home: Path, log: Path) -> None:
    seen = watch_top(seconds, environ=environ, home=home, log=log, sessions=SESSIONS)
    write(
        f"\nrecapd top beside {APPENDS_A_SECOND} appends a second for {seconds} s: "
        f"{100 * seen.cpu_s / seconds:.1f} % of a core, {seen.frames} updates of "
        f"{seen.written_bytes / max(seen.frames, 1):.0f} bytes ({seen.largest_bytes} at most), "
        f"the screen cleared {seen.clears} times"
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
