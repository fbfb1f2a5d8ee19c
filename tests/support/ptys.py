"""A program in a terminal of its own: what it writes, what is typed, and how it leaves the terminal."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any


class Terminal:
    """Both ends of a terminal; the settings it had are those it should have again."""

    def __init__(self, *, columns: int = 100, lines: int = 30) -> None:
        self.near, self.far = pty.openpty()
        fcntl.ioctl(self.far, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.before = self.settings()
        self.written = ""

    def settings(self) -> list[Any]:
        return termios.tcgetattr(self.far)

    def type(self, keys: str) -> None:
        os.write(self.near, keys.encode())

    def read_until(self, text: str, *, timeout_s: float = 60.0) -> str:
        """All that was written since the last time, up to where the text stands."""
        deadline = time.monotonic() + timeout_s
        while text not in self.written:
            left_s = deadline - time.monotonic()
            assert left_s > 0, f"{text!r} was not written: {self.written[-2000:]!r}"
            if select.select([self.near], [], [], min(left_s, 0.2))[0]:
                self.written += os.read(self.near, 1 << 16).decode(errors="replace")
        found, _, self.written = self.written.partition(text)
        return found + text

    def read_for(self, seconds: float) -> None:
        """Whatever is written in this time is read, as a terminal does."""
        deadline = time.monotonic() + seconds
        while (left_s := deadline - time.monotonic()) > 0:
            if select.select([self.near], [], [], left_s)[0]:
                self.written += os.read(self.near, 1 << 16).decode(errors="replace")

    def close(self) -> None:
        os.close(self.near)
        os.close(self.far)


@contextmanager
def in_terminal(
    command: Sequence[str], *, environ: Mapping[str, str], cwd: Path, columns: int = 100, lines: int = 30
) -> Iterator[tuple[Terminal, subprocess.Popen[bytes]]]:
    """The program, with the terminal as its own; ended when the test is over."""
    terminal = Terminal(columns=columns, lines=lines)
    process = subprocess.Popen(
        command,
        stdin=terminal.far,
        stdout=terminal.far,
        stderr=terminal.far,
        env={"TERM": "xterm-256color"} | dict(environ),
        cwd=cwd,
        start_new_session=True,
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    try:
        yield terminal, process
    finally:
        process.kill()
        process.wait()
        terminal.close()
