"""What thousands of small logs cost: a first start, one after all was saved, and one after the daemon before was ended
the moment it had read everything.

python -m tests.bench.bench_many_logs [COUNT]

CPU is that of the daemon and the processes it has, from exec until all is read; each is compared with the first start
of the same run. Log bytes are counted inside (see counting).
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.bench_restart import Bench
from tests.bench.output import write
from tests.support.logs import agent, claude_log, edit, human, shell

COUNT = 8_000
FOLDERS = 50
TALK = (edit("/work/shop/login.py"), agent("Done. Shall I commit?"), human("yes"), shell("git commit -m x", "ok"))
# A status of thousands of logs takes a while to make: asked for more often, it is what is measured.
LOOK_S = 0.5


def write_small_logs(folder: Path, count: int) -> int:
    """Their bytes."""
    size = 0
    for number in range(count):
        path = folder / f"project{number % FOLDERS}" / f"s{number:06}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(claude_log(human(f"Fix login {number}"), *TALK, agent("Committed."), session=path.stem))
        os.utime(path, (1_700_000_000 + number,) * 2)
        size += path.stat().st_size
    return size


def life(bench: Bench, count: int, *, until_saved: bool) -> tuple[float, float, int]:
    """Seconds and CPU seconds until all is read, and log bytes that were read for it."""
    began, read_before = time.perf_counter(), bench.counted.read_bytes
    with bench.daemon(is_counted=True):
        while True:
            status = bench.ask("recapd/status", {"limit": 1})
            if status["quiescent"] and status["sessions"] == count:
                break
            time.sleep(LOOK_S)
        took_s, cpu_s = time.perf_counter() - began, cpu_of(bench.process.pid)
        if until_saved:
            bench.until_saved()
    return took_s, cpu_s, bench.counted.read_bytes - read_before


def cpu_of(pid: int) -> float:
    """Of a process and of those it started, also where they have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    own = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return own + sum(map(cpu_of, map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())))


def main(arguments: list[str]) -> None:
    count = int(arguments[0]) if arguments else COUNT
    write(
        f"{'start with ' + str(count) + ' small logs':<36}{'read after':>12}{'CPU':>10}{'log bytes':>12}{'of cold':>10}"
    )
    with tempfile.TemporaryDirectory() as whole, tempfile.TemporaryDirectory() as early:
        total = write_small_logs(Path(whole) / "logs", count)
        write_small_logs(Path(early) / "logs", count)
        saved, unsaved = (Bench(Path(home), Path(home) / "logs") for home in (whole, early))
        cold = life(saved, count, until_saved=True)
        rows = {
            "cold": cold,
            "warm": life(saved, count, until_saved=True),
            "cold, ended once all was read": life(unsaved, count, until_saved=False),
            "warm, after that": life(unsaved, count, until_saved=False),
        }
    for name, (took_s, cpu_s, read) in rows.items():
        write(f"{name:<36}{took_s:>10.2f} s{cpu_s:>8.2f} s{read / total:>12.1%}{cpu_s / cold[1]:>10.2f}")


if __name__ == "__main__":
    main(sys.argv[1:])
