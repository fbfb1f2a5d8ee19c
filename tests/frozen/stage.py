"""The folder that recordings are made in: the same inputs, of the same age, at the same place, whatever is recorded.

    STAGE/logs/demo, fixtures, corpus   what is read
    STAGE/site                          time and chance standing still, on every process's path
    STAGE/home, run, state, work        one user's folders; new for every part of a recording

Ids of sessions rest on the paths of their logs, so the folder's own place must not differ between two recordings.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from tests.frozen.output import write

ROOT = Path(__file__).parent.parent.parent
# Not tempfile's choice: it may differ from one shell to the next, and a socket's path has to be short.
DEFAULT_STAGE = Path("/tmp/recapd-frozen")

# Later than every log there is: 2027-01-01T12:00:00Z.
NOW_S = 1_798_804_800
# Files were last written a day before, so that nobody takes them for logs that are being written.
WRITTEN_S = NOW_S - 86_400

_SITE = Path(__file__).parent / "site" / "sitecustomize.py"
_DEMO = ROOT / "recapd" / "demo" / "session.jsonl"
_FIXTURES = ROOT / "tests"
_INPUTS = ("logs", "site", "compiled")
# What tests expect of a log is no log.
_EXPECTED = ".expect.json"


class Stage(Struct, frozen=True):
    """A folder that inputs are laid out in."""

    folder: Path

    @property
    def logs(self) -> Path:
        return self.folder / "logs"

    @property
    def site(self) -> Path:
        return self.folder / "site"

    @property
    def home(self) -> Path:
        return self.folder / "home"

    @property
    def runtime(self) -> Path:
        return self.folder / "run"

    @property
    def state(self) -> Path:
        return self.folder / "state"

    @property
    def work(self) -> Path:
        return self.folder / "work"

    def clear(self) -> None:
        """New folders for one user who has never used recapd; the clock is set back to the beginning."""
        for folder in (self.home, self.runtime, self.state, self.work):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(mode=0o700)
        self.set_clock(NOW_S)

    def set_clock(self, seconds: float) -> None:
        """The time of day that every process from now on sees, also those that run."""
        with open(self.site / "clock", "r+b") as file:
            file.write(struct.pack("<q", int(seconds * 1e9)))

    def names(self) -> list[str]:
        """The logs by their names below `logs`, in the order in which they are recorded."""
        return sorted(str(path.relative_to(self.logs)) for path in self.logs.rglob("*") if path.is_file())


@contextmanager
def staged(folder: Path, corpus: Path | None) -> Iterator[Stage]:
    """The stage with all inputs; nobody else has it meanwhile."""
    folder.mkdir(mode=0o700, exist_ok=True)
    stage = Stage(folder.resolve())
    with open(stage.folder / "lock", "w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            write(f"waiting for another recording in {stage.folder} …")
            fcntl.flock(lock, fcntl.LOCK_EX)
        _lay_out(stage, corpus)
        try:
            yield stage
        finally:
            for name in (*_INPUTS, "home", "run", "state", "work"):
                shutil.rmtree(stage.folder / name, ignore_errors=True)


def put(path: Path, data: bytes, *, written_s: float = WRITTEN_S) -> None:
    """A file with this content and age. Nobody sees it before it has both."""
    path.parent.mkdir(parents=True, exist_ok=True)
    made = path.with_name(f".{path.name}.new")
    made.write_bytes(data)
    os.utime(made, (written_s, written_s))
    made.rename(path)


def append(path: Path, data: bytes) -> None:
    """What an agent adds, in one write: nobody sees half of it. Its age is not set, which would be a second change."""
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND)
    try:
        os.write(descriptor, data)
    finally:
        os.close(descriptor)


def _lay_out(stage: Stage, corpus: Path | None) -> None:
    for name in _INPUTS:
        shutil.rmtree(stage.folder / name, ignore_errors=True)
    put(stage.site / "sitecustomize.py", _SITE.read_bytes())
    put(stage.site / "clock", bytes(8))
    stage.clear()
    put(stage.logs / "demo" / "session.jsonl", _DEMO.read_bytes())
    for path in sorted(_FIXTURES.glob("*/data/**/*")):
        if path.is_file() and not path.name.endswith(_EXPECTED):
            put(stage.logs / "fixtures" / path.relative_to(_FIXTURES), path.read_bytes())
    if corpus is not None:
        for path in sorted(corpus.rglob("*")):
            if path.is_file():
                put(stage.logs / "corpus" / path.relative_to(corpus), path.read_bytes())
