"""What daemons read of logs, counted inside them and inside whatever processes they start."""

from __future__ import annotations

from pathlib import Path

# Imported by every Python that starts with the folder on its path. Each process has a file of its own, mapped, so that
# what a killed one read is known too.
_COUNTING = """
import mmap, os, sys
_logs, _counts = os.environ["COUNTED_LOGS"], os.environ["COUNTED_IN"]
_file = os.open(os.path.join(_counts, str(os.getpid())), os.O_RDWR | os.O_CREAT, 0o600)
os.ftruncate(_file, 8)
_count = memoryview(mmap.mmap(_file, 8)).cast("Q")
_read = os.read
def counting(descriptor, length):
    data = _read(descriptor, length)
    if os.readlink(f"/proc/self/fd/{descriptor}").startswith(_logs):
        _count[0] += len(data)
    return data
os.read = counting
def heard(event, arguments):
    # By descriptor is counted above; a log that is opened as a file counts as if all of it was read.
    if event == "open" and isinstance(arguments[0], str) and arguments[1] and arguments[0].startswith(_logs):
        _count[0] += os.path.getsize(arguments[0])
sys.addaudithook(heard)
"""


class Counting:
    """Counts what is read below a folder by processes with this environment."""

    def __init__(self, folder: Path, logs: Path) -> None:
        """`folder` is made, and holds the counts."""
        self._counts = folder / "counts"
        self._counts.mkdir(parents=True)
        (folder / "sitecustomize.py").write_text(_COUNTING)
        self._folder = folder
        self._logs = logs

    def environ(self, path: str) -> dict[str, str]:
        """`path` is what else Python finds its modules in."""
        return {
            "PYTHONPATH": f"{self._folder}:{path}",
            "COUNTED_LOGS": str(self._logs),
            "COUNTED_IN": str(self._counts),
        }

    @property
    def read_bytes(self) -> int:
        return sum(int.from_bytes(path.read_bytes(), "little") for path in self._counts.iterdir())

    @property
    def processes(self) -> int:
        return len(list(self._counts.iterdir()))
