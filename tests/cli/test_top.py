"""`recapd top` and `recapd pick` in a real terminal with a real daemon: live, and the terminal left as it was found."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from recapd.cli.screen import keys_of
from recapd.client.holder import holder_of
from recapd.client.paths import Places
from tests.bench.bench_terminal import watch_top
from tests.cli.test_service import environ
from tests.client.folders import own_folders
from tests.support.logs import agent, claude_log, human
from tests.support.ptys import Terminal, in_terminal

ENTERED, LEFT = "\x1b[?1049h", "\x1b[?1049l"


@pytest.fixture
def where() -> Iterator[Places]:
    with own_folders() as folders:
        yield folders


@pytest.fixture
def home(tmp_path: Path) -> Path:
    add_log(tmp_path, "parser", "rewrite the parser of dates", "The parser reads dates now.")
    add_log(tmp_path, "cache", "make the cache smaller", "The cache holds half as much.")
    return tmp_path


def add_log(home: Path, name: str, asked: str, answered: str) -> Path:
    project = home / ".claude" / "projects" / "p"
    project.mkdir(parents=True, exist_ok=True)
    path = project / f"{name}.jsonl"
    path.write_bytes(claude_log(human(asked), agent(answered), session=name))
    return path


def recapd(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "recapd", *arguments]


def children_of(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def test_where_there_is_nothing_it_says_so_once_the_logs_are_read(where: Places, tmp_path: Path) -> None:
    with in_terminal(recapd("top"), environ=environ(where, tmp_path), cwd=tmp_path) as (terminal, _):
        terminal.read_until("No sessions yet; they appear here as agents write them.")
        add_log(tmp_path, "parser", "rewrite the parser of dates", "The parser reads dates now.")
        terminal.read_until("rewrite the parser of dates")
        terminal.type("/zzz")
        terminal.read_until("No session fits; Esc shows all of them.")


def test_a_filter_may_be_longer_than_the_line(where: Places, home: Path) -> None:
    with in_terminal(recapd("top"), environ=environ(where, home), cwd=home, columns=60) as (terminal, process):
        terminal.read_until("2 sessions")
        terminal.type("/" + "no such session " * 5)
        terminal.read_until("No session fits; Esc shows all of them.")
        terminal.type("\x1b")
        terminal.read_until("2 sessions")
        terminal.type("q")
        terminal.read_until(LEFT)
        assert process.wait(20) == 0


def is_as_before(terminal: Terminal) -> bool:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        if terminal.settings() == terminal.before:
            return True
        time.sleep(0.02)
    return False


def test_a_new_session_appears_by_itself_and_opens_with_a_key(where: Places, home: Path) -> None:
    with in_terminal(recapd("top"), environ=environ(where, home), cwd=home) as (terminal, process):
        terminal.read_until(ENTERED)
        terminal.read_until("2 sessions")
        add_log(home, "queue", "drain the queue at night", "The queue is drained at two.")
        terminal.read_until("drain the queue at night")
        terminal.type("/queue\r")
        terminal.type("\r")
        terminal.read_until("Esc back")
        terminal.type("q")
        terminal.read_until(LEFT)
        assert process.wait(20) == 0
        assert is_as_before(terminal)


def test_nothing_flickers_while_a_log_grows(where: Places, home: Path) -> None:
    """Only lines that changed are written, over what stands there; nothing is emptied first."""
    log = add_log(home, "busy", "mend the machine", "It is mended.")
    seen = watch_top(5, environ=environ(where, home), home=home, log=log, sessions=3)
    assert seen.frames >= 3 and seen.clears == 0
    # A whole screen of 100 columns and 30 lines is more than that, before any colour.
    assert seen.written_bytes / seen.frames < 1500


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
@pytest.mark.parametrize("whom", ["the one that was started", "the one that draws"])
def test_the_terminal_is_left_as_it_was_found_when_killed(
    whom: str, number: signal.Signals, where: Places, home: Path
) -> None:
    with in_terminal(recapd("top"), environ=environ(where, home), cwd=home) as (terminal, process):
        terminal.read_until("2 sessions")
        assert terminal.settings() != terminal.before
        (drawing,) = children_of(process.pid)
        os.kill(process.pid if whom == "the one that was started" else drawing, number)
        terminal.read_until(LEFT)
        assert is_as_before(terminal)


def test_a_daemon_that_is_killed_is_found_again(where: Places, home: Path) -> None:
    with in_terminal(recapd("top"), environ=environ(where, home), cwd=home) as (terminal, _):
        terminal.read_until("2 sessions")
        pid = holder_of(where.lock)
        assert pid
        os.kill(pid, signal.SIGKILL)
        terminal.read_until("has ended")
        add_log(home, "night", "write the night report", "The report is written.")
        terminal.read_until("write the night report")


def test_a_session_is_chosen_with_keys(where: Places, home: Path) -> None:
    with in_terminal(recapd("pick", "--id"), environ=environ(where, home), cwd=home) as (terminal, process):
        terminal.read_until("2 sessions")
        terminal.type("/parser\r\r")
        terminal.read_until(LEFT)
        assert "claude-code:parser" in terminal.read_until("\n")
        assert process.wait(20) == 0


def test_without_a_terminal_it_says_what_to_do(where: Places, home: Path) -> None:
    done = subprocess.run(recapd("top"), env=environ(where, home), capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "recapd overview" in done.stderr


def test_on_a_terminal_that_cannot_be_drawn_on_it_says_what_to_do(where: Places, home: Path) -> None:
    dumb = environ(where, home) | {"TERM": "dumb"}
    with in_terminal(recapd("top"), environ=dumb, cwd=home) as (terminal, process):
        assert "\x1b" not in terminal.read_until("recapd overview --all")
        assert process.wait(20) == 1


@pytest.mark.parametrize(
    ("typed", "keys"),
    [
        ("j\x1b[A\r", ["j", "up", "enter"]),
        ("\x1b", ["escape"]),
        ("\x1b[5~\x1b[6~", ["page up", "page down"]),
        ("\x1b[1;5Cx", ["x"]),
        ("ü/", ["ü", "/"]),
    ],
)
def test_keys(typed: str, keys: list[str]) -> None:
    assert keys_of(typed) == keys
