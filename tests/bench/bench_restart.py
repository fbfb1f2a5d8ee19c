"""What a restart costs: log bytes read again, time until the first right answer, memory, and the CPU of doing nothing.

python -m tests.bench.bench_restart FOLDER

Bars: at most 1 % of the log bytes; twice the time of a daemon that knows one small session; 150 MB resident.
Bytes are counted inside the daemon and its processes (see counting).
"""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from recapd.client.call import call
from recapd.client.errors import CallError, ClientError
from recapd.client.paths import Places
from recapd.wire.errors import NOT_READY
from tests.bench.counting import Counting
from tests.support.daemons import ROOT
from tests.support.logs import agent, claude_log, human

ROUNDS = 5
IDLE_S = 5.0
# A daemon that does not answer within this never will.
PATIENCE_S = 60.0


class Bench:
    """One home with its logs, and daemons over it one after the other."""

    def __init__(self, home: Path, logs: Path) -> None:
        self.home = home
        self.logs = logs
        self.places = Places(str(home / "run"), str(home / "state"))
        self.counted = Counting(home / "counted", logs)
        self.process: subprocess.Popen[bytes]

    @contextmanager
    def daemon(self, *, is_counted: bool = False) -> Iterator[None]:
        serve = ["serve", "--socket", "--foreground", "--root", str(self.logs)]
        environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "PYTHONPATH": str(ROOT),
            "RECAPD_RUNTIME_DIR": self.places.runtime_dir,
            "RECAPD_STATE_DIR": self.places.state_dir,
        } | (self.counted.environ(str(ROOT)) if is_counted else {})
        command = [sys.executable, "-m", "recapd", *serve]
        self.process = subprocess.Popen(command, env=environ, stderr=subprocess.DEVNULL)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(30)

    def ask(self, method: str, params: dict[str, object]) -> dict[str, object]:
        """The answer, as soon as there is one."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                answer = call(method, params, where=self.places, start_if_missing=False)
                assert isinstance(answer, dict)
                return answer
            except (CallError, ClientError, OSError) as error:
                # Not there yet, or still reading.
                is_early = not isinstance(error, CallError) or error.code == NOT_READY
                if not is_early or time.monotonic() > deadline:
                    raise
                time.sleep(0.002)

    def until_saved(self) -> dict[str, object]:
        """The status, once everything is read and written down."""
        while True:
            status = self.ask("recapd/status", {"limit": 1})
            queues = status["queues"]
            assert isinstance(queues, list)
            if status["quiescent"] and not any(queue["depth"] for queue in queues):
                return status
            time.sleep(0.1)

    def cpu_share(self) -> float:
        """Of one core, while nobody asks."""
        begin = self._cpu_s()
        time.sleep(IDLE_S)
        return (self._cpu_s() - begin) / IDLE_S

    def _cpu_s(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def first_answer_s(self, known: dict[str, object]) -> float:
        """From exec to the answer that the daemon before gave."""
        about: dict[str, object] = {"session": {"id": known["sessionId"]}, "format": "full"}
        began = time.perf_counter()
        with self.daemon():
            while time.perf_counter() < began + PATIENCE_S:
                answer = self.ask("recap/get", about)
                if answer["revision"] == known["revision"] and answer["markdown"] == known["markdown"]:
                    return time.perf_counter() - began
        raise TimeoutError("the daemon never gave the answer that the one before gave")


def main(arguments: list[str]) -> None:
    corpus = Path(arguments[0]).resolve()
    total = sum(path.stat().st_size for path in corpus.rglob("*") if path.is_file())
    with tempfile.TemporaryDirectory() as large, tempfile.TemporaryDirectory() as small:
        whole = Bench(Path(large), corpus)
        with whole.daemon():
            first = whole.until_saved()
            cold = whole.cpu_share()
            first = whole.until_saved()
            known = whole.ask("recap/get", {"format": "full"})
        with whole.daemon(is_counted=True):
            whole.ask("recap/get", {"session": {"id": known["sessionId"]}})
            again = whole.until_saved()
            idle = whole.cpu_share()
        read, workers = whole.counted.read_bytes, whole.counted.processes - 1
        one = Bench(Path(small), Path(small) / "logs")
        one.logs.mkdir()
        (one.logs / "one.jsonl").write_bytes(claude_log(human("Fix it"), agent("Done.")))
        with one.daemon():
            one.until_saved()
            little = one.ask("recap/get", {"format": "full"})
        times = [(one.first_answer_s(little), whole.first_answer_s(known)) for _ in range(ROUNDS)]
    ratio = statistics.median(full / empty for empty, full in times)
    empty_s, full_s = (statistics.median(each) for each in zip(*times, strict=True))
    row("log bytes", f"{total / 1e6:.1f} MB", "")
    row(
        "read by a restart", f"{read / 1e6:.3f} MB, {workers} processes", bar(read / total, 0.01, f"{read / total:.3%}")
    )
    row("exec to first right recap/get, one session", f"{empty_s * 1e3:.0f} ms", "")
    row("exec to first right recap/get, all", f"{full_s * 1e3:.0f} ms", bar(ratio, 2.0, f"{ratio:.2f}x"))
    row("resident after the first reading", megabytes(first), bar(resident(first), 150e6, ""))
    row("resident after a restart", megabytes(again), bar(resident(again), 150e6, ""))
    row("CPU while idle, first reading / restart", f"{cold:.2%} / {idle:.2%}", "")


def resident(status: dict[str, object]) -> int:
    found = status["memoryBytes"]
    assert isinstance(found, int)
    return found


def megabytes(status: dict[str, object]) -> str:
    return f"{resident(status) / 1e6:.0f} MB"


def bar(value: float, limit: float, told: str) -> str:
    return f"{told} {'ok' if value <= limit else 'TOO MUCH'}".strip()


def row(what: str, value: str, verdict: str) -> None:
    sys.stdout.write(f"{what:<46}{value:>24}   {verdict}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
