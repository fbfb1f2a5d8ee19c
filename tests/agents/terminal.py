"""A program on a terminal of its own: what it shows can be read, and keys be pressed."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

ENTER, ESCAPE = "\r", "\x1b"
# What was heard shows within this time; pressed again, it does no harm.
_HEARD_S = 3.0
# Real agents take seconds to start, and the machine may be busy.
PATIENCE_S = 90.0
_KEPT_BYTES = 1 << 20
_CONTROLS = re.compile(
    rb"\x1b\[[0-9;?<>=]*[a-zA-Z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][A-Z0-9]|\x1b[=>78c]|[\x00-\x08]"
)


class Terminal:
    def __init__(self, process: subprocess.Popen[bytes], descriptor: int) -> None:
        self.process = process
        self._descriptor = descriptor
        self._shown = bytearray()
        self._changed = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self._descriptor, 1 << 16)
            except OSError:
                data = b""
            with self._changed:
                self._shown += data
                del self._shown[:-_KEPT_BYTES]
                self._changed.notify_all()
            if not data:
                return

    def text(self) -> str:
        """All that was shown since the screen was last cleared by `forget`, without colours and moves."""
        with self._changed:
            return _CONTROLS.sub(b" ", bytes(self._shown)).decode("utf-8", "replace")

    def forget(self) -> None:
        with self._changed:
            self._shown.clear()

    def wait_for(self, *words: str, within_s: float = PATIENCE_S) -> float:
        """Until one of these was shown, however it was spaced; when that was."""
        wanted = [_packed(each) for each in words]
        ends = time.monotonic() + within_s
        while not any(each in _packed(self.text()) for each in wanted):
            left = ends - time.monotonic()
            assert left > 0, f"never shown: {words}; but: {' '.join(self.text().split())[-1500:]}"
            assert self.process.poll() is None, f"it ended: {' '.join(self.text().split())[-1500:]}"
            with self._changed:
                self._changed.wait(min(left, 0.2))
        return time.monotonic()

    def press(self, keys: str) -> None:
        os.write(self._descriptor, keys.encode())

    def press_until(self, is_so: Callable[[], bool], keys: str = ENTER) -> None:
        """As a person does who is not heard: a dialog takes no key in its first moment."""
        ends = time.monotonic() + PATIENCE_S
        while not is_so():
            assert time.monotonic() < ends, f"pressed in vain; shown: {' '.join(self.text().split())[-1500:]}"
            self.press(keys)
            heard = time.monotonic() + _HEARD_S
            while not is_so() and time.monotonic() < heard:
                time.sleep(0.05)

    def type_line(self, text: str) -> None:
        """As a person does: what comes together with its Enter is taken for pasted."""
        self.press(text)
        self.wait_for(text)
        time.sleep(0.3)
        self.press(ENTER)


def _packed(text: str) -> str:
    return "".join(text.split())


@contextmanager
def on_terminal(command: Sequence[str], *, env: Mapping[str, str], cwd: Path) -> Iterator[Terminal]:
    """The program is ended with the block, with all it started."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    process = subprocess.Popen(
        command, env=dict(env), cwd=cwd, stdin=its, stdout=its, stderr=its, start_new_session=True
    )
    os.close(its)
    terminal = Terminal(process, ours)
    try:
        yield terminal
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        os.close(ours)
