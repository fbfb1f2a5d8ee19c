"""A whole screen of a terminal: entered, drawn line by line where lines changed, and left as it was found.

this process ── forks ──▶ the one that draws
     │  waits                 │  reads keys, draws
     └── whichever of the two ends, by whatever signal, the other puts the terminal back
"""

from __future__ import annotations

import os
import select
import signal
import termios
import tty
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

# The other screen, without a cursor, and back. Lines are written as one, where the terminal can (2026).
_ENTER, _LEAVE = b"\x1b[?1049h\x1b[?25l\x1b[2J", b"\x1b[0m\x1b[?25h\x1b[?1049l"
_KILLED = b"recapd: was killed while it drew. Should the terminal look odd, this puts it right: reset\n"
# Less than a pipe takes at once.
_LONGEST_ANSWER = 4096
_BEGIN, _END = "\x1b[?2026h", "\x1b[?2026l"
KEYS = {
    "\x1b[A": "up",
    "\x1bOA": "up",
    "\x1b[B": "down",
    "\x1bOB": "down",
    "\x1b[5~": "page up",
    "\x1b[6~": "page down",
    "\x1b[H": "first",
    "\x1b[F": "last",
    "\r": "enter",
    "\n": "enter",
    "\x1b": "escape",
    "\x7f": "erase",
    "\x08": "erase",
}


class _LeftAlone(Exception):
    """The process that started this one was killed; whoever started that one has the terminal by now."""


class Screen:
    """What is drawn on stdout, and what is typed on stdin. Only between `enter` and `leave`."""

    def __init__(self, parent: int) -> None:
        """`parent` is a pipe that ends with the process that started this one."""
        self._parent = parent
        self._drawn: list[str] = []
        self._settings: list[Any] = []
        self._wake, self._woken = os.pipe()
        os.set_blocking(self._wake, False)
        os.set_blocking(self._woken, False)

    def enter(self) -> None:
        os.write(1, _ENTER)
        tty.setcbreak(0)
        self._settings = termios.tcgetattr(0)
        self._drawn = []

    def has_own_settings(self) -> bool:
        """Whether the terminal is still set up as `enter` did; a shell that has it back has set it up for itself."""
        with suppress(termios.error):
            return termios.tcgetattr(0) == self._settings
        return False

    def listen(self) -> None:
        """From now on a change of the terminal's size ends a wait, and a stop leaves the screen first."""
        signal.set_wakeup_fd(self._woken, warn_on_full_buffer=False)
        signal.signal(signal.SIGWINCH, lambda *_: self._drawn.clear())

    def draw(self, lines: Sequence[str], height: int) -> None:
        """Only the lines that differ from those on the screen are written, in one go."""
        wanted = [*lines[:height], *("" for _ in range(height - len(lines)))]
        if len(self._drawn) != len(wanted):
            self._drawn = ["\x00"] * len(wanted)
        changed = [
            f"\x1b[{number};1H{line}\x1b[0m\x1b[K"
            for number, (line, before) in enumerate(zip(wanted, self._drawn, strict=True), 1)
            if line != before
        ]
        self._drawn = wanted
        if changed:
            _write_all(f"{_BEGIN}{''.join(changed)}{_END}".encode(errors="replace"))

    def wait(self, also: Sequence[int], timeout_s: float) -> tuple[str, bool]:
        """What was typed, and whether one of the others has something."""
        ready, _, _ = select.select([0, self._wake, self._parent, *also], [], [], timeout_s)
        if self._parent in ready:
            raise _LeftAlone
        if self._wake in ready:
            with suppress(BlockingIOError):
                os.read(self._wake, 4096)
        typed = os.read(0, 1024) if 0 in ready else b""
        if 0 in ready and not typed:
            raise SystemExit(0)
        return typed.decode(errors="replace"), any(each in ready for each in also)


def keys_of(typed: str) -> list[str]:
    """The names of keys, and characters that have none, in the order in which they were typed."""
    found: list[str] = []
    while typed:
        length = next((n for n in (4, 3) if typed[:n] in KEYS), 1)
        if length == 1 and typed.startswith("\x1b["):
            # A key without a meaning here: gone with all of its bytes.
            end = next((at for at, each in enumerate(typed[2:], 3) if "@" <= each <= "~"), len(typed))
            typed = typed[end:]
            continue
        found.append(KEYS.get(typed[:length], typed[:length]))
        typed = typed[length:]
    return found


def on_whole_screen(run: Callable[[Screen], str]) -> tuple[int, str]:
    """An exit code and what `run` returned, with the terminal as it was found, also when either process is killed."""
    before = termios.tcgetattr(0)
    alive, ours = os.pipe()
    answer, answering = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(ours)
        os._exit(_run_in_child(run, Screen(alive), answering, before))
    os.close(alive)
    os.close(answering)
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, lambda number, _: _pass_on(child, number))
    while True:
        _, status = os.waitpid(child, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            break
        # Both stop, so that the shell has its terminal; the child has put it back.
        os.kill(os.getpid(), signal.SIGSTOP)
        _pass_on(child, signal.SIGCONT)
    if os.WIFSIGNALED(status):
        _put_back(before)
        os.write(2, _KILLED)
    said = os.read(answer, _LONGEST_ANSWER).decode()
    os.close(answer)
    os.close(ours)
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status), said


def _run_in_child(run: Callable[[Screen], str], screen: Screen, answering: int, before: list[Any]) -> int:
    """The exit code. Nothing is raised: what would be is the parent's stack."""

    def stop(*_: object) -> None:
        _put_back(before)
        os.kill(os.getpid(), signal.SIGSTOP)
        screen.enter()

    def end(number: int, _: object) -> None:
        raise SystemExit(128 + number)

    for each in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(each, end)
    signal.signal(signal.SIGTSTP, stop)
    # Whoever is not in the foreground any more is stopped at the first change to the terminal, and leaves it as it is.
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    why = ""
    has_terminal = True
    try:
        screen.enter()
        screen.listen()
        os.write(answering, run(screen).encode())
        return 0
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 1
    except _LeftAlone:
        has_terminal = screen.has_own_settings()
        why = _KILLED.decode()
        return 1
    except Exception as error:
        why = f"recapd: {error}\n"
        return 1
    finally:
        if has_terminal:
            _put_back(before)
        else:
            os.write(1, _LEAVE)
        os.write(2, why.encode(errors="replace"))


def _pass_on(child: int, number: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(child, number)


def _put_back(before: list[Any]) -> None:
    with suppress(OSError, termios.error):
        termios.tcsetattr(0, termios.TCSADRAIN, before)
        os.write(1, _LEAVE)


def _write_all(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]
