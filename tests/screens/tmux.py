"""Programs in terminals of tmux: how what they write looks, line by line, with its colours."""

from __future__ import annotations

import shlex
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.support.clock import PATIENCE_S

# Long enough for whatever is shown without a pager.
LINES = 160
# What a shell says last: it asks the terminal how it is, and ends when that has answered. tmux loses what a program
# wrote right before its end where it learns of the end first (one in a hundred on a busy machine).
SEEN = "\nstty -echo; printf '\\033[5n'; read -r -d n"


class Tmux:
    """A server of its own; each program has a terminal of its own size in it."""

    def __init__(self, socket: Path, environ: Mapping[str, str]) -> None:
        self._command = ["tmux", "-S", str(socket), "-f", "/dev/null"]
        self._environ = dict(environ)
        self._started = 0

    def start(
        self, command: str, *, columns: int, lines: int = LINES, cwd: Path, environ: Mapping[str, str] | None = None
    ) -> str:
        """The name of the terminal in which a shell runs the command; what is on it stays when that has ended."""
        self._started += 1
        name = f"t{self._started}"
        given = [word for key, value in (environ or {}).items() for word in ("-e", f"{key}={value}")]
        shell = f"bash -c {shlex.quote(command)}"
        size = ["-x", str(columns), "-y", str(lines)]
        keep = ["set-option", "-g", "remain-on-exit", "on", ";", "set-option", "-g", "remain-on-exit-format", ""]
        looks = ["set-option", "-g", "default-terminal", "tmux-256color", ";", "set-option", "-g", "status", "off"]
        open_one = ["new-session", "-d", "-s", name, *size, "-c", str(cwd), *given, shell]
        self._run("start-server", ";", "set-option", "-s", "exit-empty", "off", ";", *keep, ";", *looks, ";", *open_one)
        return name

    def press(self, name: str, *keys: str) -> None:
        self._run("send-keys", "-t", name, *keys)

    def wait_for_end(self, name: str) -> None:
        self.wait_until(name, "pane_dead", "1")

    def wait_for(self, name: str, text: str) -> None:
        self._wait(lambda: any(text in line for line in self.read(name)), name)

    def ask(self, name: str, variable: str) -> str:
        """What tmux knows of it, such as `pane_pid`."""
        return self._run("display-message", "-p", "-t", name, f"#{{{variable}}}").strip()

    def wait_until(self, name: str, variable: str, value: str) -> None:
        self._wait(lambda: self.ask(name, variable) == value, name)

    def read(self, name: str) -> list[str]:
        """What is on it, as text; a line that was broken by the terminal instead of the program is one."""
        return self._captured(name, "-J")

    def read_with_colours(self, name: str) -> list[str]:
        """With the spaces at the ends of lines as far as they are reversed."""
        return self._captured(name, "-eN")

    def close(self, name: str) -> None:
        self._run("kill-session", "-t", name)

    def end(self) -> None:
        subprocess.run([*self._command, "kill-server"], env=self._environ, capture_output=True, check=False)

    def _captured(self, name: str, how: str) -> list[str]:
        lines = self._run("capture-pane", "-p", how, "-S", "-", "-t", name).split("\n")
        while lines and not lines[-1].strip():
            lines.pop()
        return [line.rstrip(" ") for line in lines]

    def _wait(self, is_so: Callable[[], bool], name: str) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not is_so():
            assert time.monotonic() < deadline, "\n".join(self.read(name))
            time.sleep(0.05)

    def _run(self, *arguments: str) -> str:
        done = subprocess.run(
            [*self._command, *arguments], env=self._environ, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout


@contextmanager
def own_tmux(folder: Path, environ: Mapping[str, str]) -> Iterator[Tmux]:
    tmux = Tmux(folder / "tmux", {"TERM": "xterm-256color", "SHELL": "/bin/bash"} | dict(environ))
    try:
        yield tmux
    finally:
        tmux.end()
