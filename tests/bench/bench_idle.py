"""What a daemon costs while nothing happens, beside a Python that only sleeps, in the same run.

python -m tests.bench.bench_idle [FOLDER] [SECONDS]

The daemon reads FOLDER (or 200 made-up sessions) as somebody's Claude Code logs, is left alone until all is written
down, and then watched for SECONDS (10 by default): processor time, context switches, bytes read and written, memory.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from msgspec import Struct

from tests.support.daemons import Home
from tests.support.logs import agent, claude_log, edit, human, shell
from tests.support.processes import daemon_process

SESSIONS = 200
TURNS = 20
SECONDS = 10.0
# After the last change the store is written within seconds, and folders stay warm for five minutes; waiting for the
# end of that would take longer than anybody waits for a benchmark, so folders are dated back instead.
QUIET_S = 15.0
LONG_AGO_S = 3600.0


class Cost(Struct, frozen=True):
    cpu_s: float
    switches: int
    read_bytes: int
    written_bytes: int
    resident_bytes: int


def main(arguments: list[str]) -> None:
    folder = Path(arguments[0]) if arguments else None
    seconds = float(arguments[1]) if len(arguments) > 1 else SECONDS
    with tempfile.TemporaryDirectory() as temporary:
        home = Home(Path(temporary))
        fill(home, folder)
        with daemon_process(home) as daemon:
            daemon.settled(lambda: is_at_rest(daemon.status()))
            time.sleep(QUIET_S)
            sleeper = subprocess.Popen([sys.executable, "-c", f"import time; time.sleep({seconds + 60})"])
            try:
                time.sleep(1)
                pids = {"recapd at rest": daemon.process.pid, "python asleep": sleeper.pid}
                before = {name: cost_of(pid) for name, pid in pids.items()}
                time.sleep(seconds)
                after = {name: cost_of(pid) for name, pid in pids.items()}
            finally:
                sleeper.kill()
                sleeper.wait()
            sessions = daemon.status()["sessions"]
    write(f"{sessions} sessions, {seconds:.0f} s at rest")
    write(f"{'':<18}{'cpu ms/s':>10}{'of a core':>11}{'switches/s':>12}{'read kB/s':>11}{'written B/s':>13}{'MB':>7}")
    for name, now in after.items():
        was = before[name]
        share = (now.cpu_s - was.cpu_s) / seconds
        write(
            f"{name:<18}{share * 1000:>10.2f}{share:>11.2%}{(now.switches - was.switches) / seconds:>12.1f}"
            f"{(now.read_bytes - was.read_bytes) / seconds / 1000:>11.2f}"
            f"{(now.written_bytes - was.written_bytes) / seconds:>13.1f}{now.resident_bytes / 1e6:>7.1f}"
        )


def fill(home: Home, folder: Path | None) -> None:
    if folder is not None:
        shutil.copytree(folder, home.logs, dirs_exist_ok=True)
    else:
        for number in range(SESSIONS):
            (home.logs / f"s{number}.jsonl").write_bytes(session_log(number))
    then = time.time() - LONG_AGO_S
    for path in home.logs.rglob("*"):
        os.utime(path, (then, then))


def session_log(number: int) -> bytes:
    acts = [
        act
        for turn in range(TURNS)
        for act in (
            human(f"Please do part {turn} of task {number}"),
            edit(f"/home/dev/shop/part{turn}.py"),
            shell("pytest -q", f"{turn} passed"),
            agent(f"Part {turn} is done."),
        )
    ]
    return claude_log(*acts, session=f"s{number}")


def is_at_rest(status: dict[str, object]) -> bool:
    queues = status["queues"]
    assert isinstance(queues, list)
    return all(queue["depth"] == 0 for queue in queues)


def cost_of(pid: int) -> Cost:
    """Of a process and all of its threads, as Linux counts it."""
    proc = Path("/proc") / str(pid)
    # The name, in parentheses, may hold spaces.
    fields = (proc / "stat").read_text().rpartition(")")[2].split()
    ticks = os.sysconf("SC_CLK_TCK")
    switches = 0
    # Finer than the ticks of `stat`: nanoseconds on the processor, per thread.
    cpu_ns = 0
    for task in (proc / "task").iterdir():
        cpu_ns += int((task / "schedstat").read_text().split()[0]) if (task / "schedstat").exists() else 0
        lines = dict(line.split(":", 1) for line in (task / "status").read_text().splitlines() if ":" in line)
        switches += int(lines["voluntary_ctxt_switches"]) + int(lines["nonvoluntary_ctxt_switches"])
    cpu_s = cpu_ns / 1e9 or (int(fields[11]) + int(fields[12])) / ticks
    io = dict(line.split(": ") for line in (proc / "io").read_text().splitlines())
    return Cost(cpu_s, switches, int(io["rchar"]), int(io["wchar"]), int(fields[21]) * os.sysconf("SC_PAGE_SIZE"))


def write(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
