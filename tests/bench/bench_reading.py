"""What it costs to read a history of logs, to have it saved, and to start again over it, beside the bare decode.

    python -m tests.bench.bench_reading FOLDER [MEGABYTES]

The Claude Code logs in FOLDER are repeated under new ids, in new folders, until they are so many megabytes (300; try
3000). CPU is that of the daemon and its processes; the bare decode is of the same bytes, before and after the daemons.
Judging what was decided begins once everything is read, in a process of its own: its CPU has a row of its own.
Bars: read within 4 times the bare decode, saved within 7; 150 MB resident; a restart reads 1 % of the bytes.
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

import msgspec
from msgspec import Struct

from recapd.adapters.claude_code.shape import decode_line
from recapd.daemon.ahead import LOWEST_PRIORITY
from tests.bench.bench_restart import Bench, bar, row

MEGABYTES = 300
# A log that was written a moment ago is looked at again, whatever it holds.
LONG_AGO_S = 3600.0
SAMPLE_S = 0.05
SETTLE_S = 3.0
# Asked this often, and no more often than this share of what has passed: on a busy machine asking would be most of it.
ASK_S = 0.25
ASK_SHARE = 0.05
ASKED = 20
_SESSION_RE = re.compile(rb'"sessionId":"([0-9a-f-]{36})"')


def main(arguments: list[str]) -> None:
    megabytes = int(arguments[1]) if len(arguments) > 1 else MEGABYTES
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), Path(folder) / "logs")
        total = repeat(Path(arguments[0]), bench.logs, megabytes * 1_000_000)
        bare = [decode_cpu_s(bench.logs)]
        first = first_reading(bench)
        again = restart(bench)
        bare.append(decode_cpu_s(bench.logs))
    bare_s = min(bare)
    row("log bytes", f"{total / 1e6:.0f} MB", f"{first.sessions} sessions")
    row("bare typed decode", f"{bare_s:.2f} s", f"{bare[0]:.2f} before, {bare[1]:.2f} after")
    row("read", f"{first.read_s:.2f} s", bar(first.read_s / bare_s, 4, f"{first.read_s / bare_s:.1f}x"))
    row("saved", f"{first.saved_s:.2f} s", bar(first.saved_s / bare_s, 7, f"{first.saved_s / bare_s:.1f}x"))
    row("of that the daemon itself", f"{first.own_s:.2f} s", f"{first.own_s / bare_s:.1f}x")
    row("until saved", f"{first.took_s:.1f} s", "")
    row("judged", f"{first.judged_s:.2f} s", f"{first.judged_s / bare_s:.1f}x")
    row("peak resident, its processes", f"{first.peak / 1e6:.0f} MB, {first.peak_others / 1e6:.0f} MB", "")
    row("resident after it", f"{first.resident / 1e6:.0f} MB", bar(first.resident, 150e6, ""))
    row("written to disk", f"{first.written / 1e6:.0f} MB", f"{first.written / total:.1%}")
    row("kept on disk", f"{first.kept / 1e6:.0f} MB", f"{first.kept / total:.1%}")
    share = again.read_bytes / total
    row("read by a restart", f"{again.read_bytes / 1e6:.2f} MB", bar(share, 0.01, f"{share:.2%}"))
    row("CPU of a restart until all is proved", f"{again.saved_s:.2f} s", f"{again.saved_s / bare_s:.2f}x")
    row("resident after it, peak", f"{again.resident / 1e6:.0f} MB, {again.peak / 1e6:.0f} MB", "")
    if again.sessions != first.sessions:
        raise SystemExit(f"the restart knows {again.sessions} sessions")


# ---- the history


def repeat(corpus: Path, logs: Path, size: int) -> int:
    """Copies of the corpus's logs, each as sessions of its own; how many bytes they have."""
    originals = sorted(path for path in corpus.rglob("*.jsonl") if path.is_file())
    then = time.time() - LONG_AGO_S
    written = number = 0
    while written < size:
        for path in originals:
            folder = logs / f"{path.parent.name}-{number}"
            folder.mkdir(parents=True, exist_ok=True)
            data = renamed(path.read_bytes(), number)
            copy = folder / path.name
            copy.write_bytes(data)
            os.utime(copy, (then, then))
            written += len(data)
            if written >= size:
                break
        number += 1
    return written


def renamed(data: bytes, number: int) -> bytes:
    """The log with session ids of its own, as long as they were."""
    for known in set(_SESSION_RE.findall(data)):
        digest = blake2b(known + b"%d" % number, digest_size=16).hexdigest()
        fresh = "-".join((digest[:8], digest[8:12], digest[12:16], digest[16:20], digest[20:])).encode()
        data = data.replace(known, fresh)
    return data


def decode_cpu_s(logs: Path) -> float:
    """CPU of a program that reads every file and decodes every line into a struct, and does nothing else."""
    began = time.process_time()
    for path in logs.rglob("*.jsonl"):
        for line in path.read_bytes().split(b"\n"):
            try:
                decode_line(line)
            except (msgspec.DecodeError, ValueError):
                continue
    return time.process_time() - began


# ---- the daemons


class Measured(Struct, frozen=True):
    sessions: int
    read_s: float
    saved_s: float
    # Of `saved_s`, without its processes.
    own_s: float
    # Of the process that judges, until it has judged everything.
    judged_s: float
    took_s: float
    resident: int
    peak: int
    peak_others: int
    written: int
    # What the store takes in the end.
    kept: int
    # Of the logs.
    read_bytes: int


def first_reading(bench: Bench) -> Measured:
    with bench.daemon():
        return measured(bench)


def restart(bench: Bench) -> Measured:
    with bench.daemon(is_counted=True):
        return measured(bench)


def measured(bench: Bench) -> Measured:
    """The running daemon, from its start to when everything is written down. Asking it how far it is is not its work:
    what that costs is measured at the end, and taken off."""
    began = time.monotonic()
    with sampled(bench.process.pid) as usage:
        asked = 1
        while not (status := bench.ask("recapd/status", {"limit": 1}))["quiescent"]:
            pause(began)
            asked += 1
        read_s, asked_until_read = usage.cpu_s(), asked
        while waiting(status, "store"):
            pause(began)
            status = bench.ask("recapd/status", {"limit": 1})
            asked += 1
        saved_s, own_s, took_s = usage.cpu_s(), cpu_of(bench.process.pid), time.monotonic() - began
        while waiting(status, "decisions") or waiting(status, "store"):
            pause(began)
            status = bench.ask("recapd/status", {"limit": 1})
        time.sleep(SETTLE_S)
        ask_s = cost_of_asking(bench)
    sessions = status["sessions"]
    assert isinstance(sessions, int)
    state = Path(bench.places.state_dir)
    return Measured(
        sessions=sessions,
        read_s=read_s - asked_until_read * ask_s,
        saved_s=saved_s - asked * ask_s,
        own_s=own_s - asked * ask_s,
        judged_s=usage.judging_s,
        took_s=took_s,
        resident=resident_of(bench.process.pid),
        peak=usage.peak,
        peak_others=usage.peak_others,
        written=usage.written,
        kept=sum(path.stat().st_size for path in state.rglob("*") if path.is_file()),
        read_bytes=bench.counted.read_bytes,
    )


def pause(began: float) -> None:
    time.sleep(max(ASK_S, ASK_SHARE * (time.monotonic() - began)))


def waiting(status: dict[str, object], name: str) -> int:
    """How many things wait in the queue of this name."""
    queues = status["queues"]
    assert isinstance(queues, list)
    return sum(queue["depth"] for queue in queues if queue["name"] == name)


def cost_of_asking(bench: Bench) -> float:
    """CPU of one answer to how far it is."""
    before = cpu_of(bench.process.pid)
    for _ in range(ASKED):
        bench.ask("recapd/status", {"limit": 1})
    return (cpu_of(bench.process.pid) - before) / ASKED


class Usage:
    """What a process and its children have used, looked at often enough not to miss those that end."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._others: dict[int, float] = {}
        self._judging: dict[int, float] = {}
        self.peak = self.peak_others = self.written = 0

    def look(self) -> None:
        try:
            self.peak = max(self.peak, resident_of(self._pid))
            self.written = written_by(self._pid)
            for child in children_of(self._pid):
                (self._judging if judges(child) else self._others)[child] = cpu_of(child)
                self.peak_others = max(self.peak_others, resident_of(child))
        except (OSError, IndexError):
            # It ended between two looks.
            return

    @property
    def judging_s(self) -> float:
        return sum(self._judging.values())

    def cpu_s(self) -> float:
        """All but what judges."""
        self.look()
        return cpu_of(self._pid) + sum(self._others.values())


@contextmanager
def sampled(pid: int) -> Iterator[Usage]:
    usage = Usage(pid)
    is_done = threading.Event()

    def look_often() -> None:
        while not is_done.wait(SAMPLE_S):
            usage.look()

    thread = threading.Thread(target=look_often)
    thread.start()
    try:
        yield usage
    finally:
        is_done.set()
        thread.join()


def children_of(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]


def judges(pid: int) -> bool:
    return Path(f"/proc/{pid}/cmdline").read_text().endswith(f"\0{LOWEST_PRIORITY}\0")


def cpu_of(pid: int) -> float:
    """Nanoseconds on the processor, of all threads that live: finer than ticks. Those of the daemon do not end."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


def resident_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def written_by(pid: int) -> int:
    """Bytes that went to a disk, or will."""
    io = dict(line.split(": ") for line in Path(f"/proc/{pid}/io").read_text().splitlines())
    return int(io["write_bytes"])


if __name__ == "__main__":
    main(sys.argv[1:])
