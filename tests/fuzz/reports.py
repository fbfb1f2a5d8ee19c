"""What a run found: crashes, each once and as small as it gets, and what the run cost."""

from __future__ import annotations

import resource
import time
import traceback
from collections.abc import Callable, Sequence

from msgspec import Struct

# Trying to make a crash smaller stops here; a crash that is a little too large is a crash all the same.
_MAX_SHRINKING = 400
# Bytes of a reproducer that a person can read in a terminal.
_SHOWN = 1500


class Crash(Struct, frozen=True):
    # Which part was fed, and by whom: "claude-code parse".
    where: str
    # The exception and the innermost line of recapd it came through: the same for all crashes of one cause.
    error: str
    data: bytes


class Report(Struct):
    crashes: list[Crash] = []
    fed: int = 0
    # How many of them recapd made something of: a fuzzer whose mutants are all refused at the door finds nothing.
    taken: int = 0
    bytes_fed: int = 0
    seconds: float = 0.0
    grown_mb: float = 0.0


class Watch:
    """Counts what is fed and keeps one crash of each cause."""

    def __init__(self) -> None:
        self.report = Report(crashes=[])
        self._known: set[tuple[str, str]] = set()
        self._started = time.process_time()
        self._resident = _resident_mb()

    def crash(self, where: str, error: Exception, data: bytes, fails: Callable[[bytes], object]) -> None:
        """Note a crash. `fails` does the same again with other data."""
        cause = cause_of(error)
        if (where, _kind(cause)) in self._known:
            return
        self._known.add((where, _kind(cause)))
        self.report.crashes.append(
            Crash(where, cause, shrunk(data, lambda smaller: _same_crash(fails, smaller, cause)))
        )

    def finished(self) -> Report:
        self.report.seconds = time.process_time() - self._started
        self.report.grown_mb = _resident_mb() - self._resident
        return self.report


def cause_of(error: Exception) -> str:
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "/recapd/" in frame.filename]
    inner = frames[-1] if frames else None
    where = f"recapd/{inner.filename.partition('/recapd/')[2]}:{inner.lineno} in {inner.name}" if inner else "?"
    return f"{type(error).__name__}: {str(error)[:200]} at {where}"


def shrunk(data: bytes, is_same: Callable[[bytes], bool]) -> bytes:
    """The data with everything taken away that the crash does not need, as far as a few hundred tries go."""
    tries = 0
    size = len(data) // 2
    while size and tries < _MAX_SHRINKING:
        start = 0
        while start < len(data) and tries < _MAX_SHRINKING:
            smaller = data[:start] + data[start + size :]
            tries += 1
            if is_same(smaller):
                data = smaller
            else:
                start += size
        size //= 2
    return data


def told(crashes: Sequence[Crash]) -> str:
    return "\n".join(f"{crash.where}: {crash.error}\n    {crash.data[:_SHOWN]!r}" for crash in crashes)


def _same_crash(fails: Callable[[bytes], object], data: bytes, cause: str) -> bool:
    try:
        fails(data)
    except Exception as error:  # whatever it is, it is compared
        return _kind(cause_of(error)) == _kind(cause)
    return False


def _kind(cause: str) -> str:
    """Where it crashed; what it says may hold the value at fault."""
    message, _, where = cause.rpartition(" at ")
    return message.partition("`:")[0] if where == "?" else where


def _resident_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
