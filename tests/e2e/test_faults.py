"""What can go wrong around a daemon: it keeps answering from what it has, says so, and heals by itself."""

from __future__ import annotations

import ctypes
import os
import resource
import shutil
import signal
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.daemons import Home
from tests.support.logs import agent, claude_log, edit, human
from tests.support.processes import DaemonProcess, daemon_process, until

pytestmark = [
    pytest.mark.faults,
    pytest.mark.timeout(300),
    # Later versions of Python warn where a test before has left a thread.
    pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning"),
]

TALK = (human("Fix the flaky login test"), edit("/work/shop/login.py"), agent("Fixed it. Shall I commit?"))
MORE = (human("yes, commit it and only touch login.py"), agent("Committed."))
SESSION = "5e551011-c0de-4a11-8000-000000000001"
ASKED = {"session": {"id": f"claude-code:{SESSION}"}}


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    found = Home(tmp_path)
    (found.logs / f"{SESSION}.jsonl").write_bytes(claude_log(*TALK))
    yield found
    # Folders that a test has locked must be removable.
    for folder, _, _ in os.walk(tmp_path):
        Path(folder).chmod(0o700)


def grow(home: Home) -> None:
    """The conversation goes on."""
    whole = claude_log(*TALK, *MORE)
    with (home.logs / f"{SESSION}.jsonl").open("ab") as file:
        file.write(whole[len(claude_log(*TALK)) :])


def turns(daemon: DaemonProcess) -> int:
    found: int = daemon.ask("recap/get", ASKED)["turn"]
    return found


def health(daemon: DaemonProcess) -> str:
    found: str = daemon.status()["health"]
    return found


def store_files(home: Home) -> list[Path]:
    return [path for path in home.state.rglob("*") if path.is_file() and path.suffix in (".db", ".sqlite", ".sqlite3")]


def answers_all_along(home: Home, daemon: DaemonProcess, *, known: int = 1) -> None:
    """New turns are seen although something is amiss."""
    assert turns(daemon) == known
    grow(home)
    until(lambda: turns(daemon) == known + 1)


def test_a_full_disk(home: Home) -> None:
    with daemon_process(home) as daemon:
        daemon.settled(lambda: turns(daemon) == 1)
        until(lambda: bool(store_files(home)))
        # No file may grow any more: what a full disk does to a program.
        limits = resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
        answers_all_along(home, daemon)
        until(lambda: health(daemon) != "ok")
        assert daemon.status()["message"]
        resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE, limits)
        until(lambda: health(daemon) == "ok")
    with daemon_process(home) as again:
        again.settled(lambda: turns(again) == 2)
        assert health(again) == "ok"


def without_rights_of_root() -> None:
    """Root may write anywhere; a daemon without these two rights is as bound by modes as anybody."""
    if os.geteuid() == 0:
        drop = 24
        for right in (1, 2):
            if ctypes.CDLL(None, use_errno=True).prctl(drop, right, 0, 0, 0):
                raise OSError(ctypes.get_errno(), "the rights of root could not be dropped")


def test_a_disk_that_may_only_be_read(home: Home) -> None:
    home.state.mkdir()
    home.state.chmod(0o500)
    with daemon_process(home, preexec=without_rights_of_root) as daemon:
        daemon.settled(lambda: turns(daemon) == 1)
        until(lambda: health(daemon) != "ok")
        answers_all_along(home, daemon)
        home.state.chmod(0o700)
        until(lambda: health(daemon) == "ok")
        until(lambda: bool(store_files(home)))


@pytest.mark.parametrize("where", ["beginning", "middle", "everywhere"])
def test_bits_that_rot(home: Home, where: str) -> None:
    with daemon_process(home) as daemon:
        daemon.settled(lambda: turns(daemon) == 1)
    files = store_files(home)
    assert files
    for path in files:
        data = bytearray(path.read_bytes())
        start, end = {"beginning": (0, 64), "middle": (len(data) // 2, len(data) // 2 + 512)}.get(where, (0, len(data)))
        data[start:end] = bytes(byte ^ 0x5A for byte in data[start:end])
        path.write_bytes(data)
    with daemon_process(home) as daemon:
        daemon.settled()
        answers_all_along(home, daemon)
    with daemon_process(home) as daemon:
        daemon.settled(lambda: turns(daemon) == 2)
        assert health(daemon) == "ok"


@pytest.mark.parametrize("content", [b"", b"not a database at all\n" * 500, b"SQLite format 3\0" + b"\0" * 4000])
def test_a_foreign_file_in_the_stores_place(home: Home, content: bytes) -> None:
    with daemon_process(home) as daemon:
        daemon.settled(lambda: turns(daemon) == 1)
    for path in store_files(home):
        path.write_bytes(content)
    with daemon_process(home) as daemon:
        daemon.settled()
        answers_all_along(home, daemon)


def test_a_store_of_a_newer_version_is_set_aside_and_kept(home: Home) -> None:
    with daemon_process(home) as daemon:
        daemon.settled(lambda: turns(daemon) == 1)
    before = store_files(home)
    for path in before:
        with sqlite3.connect(path) as connection:
            connection.execute("PRAGMA user_version = 10000")
        connection.close()
    with daemon_process(home) as daemon:
        daemon.settled()
        assert health(daemon) == "warning"
        answers_all_along(home, daemon)
    assert len(list(home.state.rglob("*"))) > len(before)


def test_a_machine_that_slept(home: Home) -> None:
    with daemon_process(home) as daemon:
        daemon.settled(lambda: turns(daemon) == 1)
        daemon.process.send_signal(signal.SIGSTOP)
        grow(home)
        time.sleep(0.5)
        daemon.process.send_signal(signal.SIGCONT)
        until(lambda: turns(daemon) == 2)


def test_few_file_descriptors(home: Home) -> None:
    for number in range(60):
        session = f"5e551011-c0de-4a11-8000-0000000001{number:02}"
        (home.logs / f"{session}.jsonl").write_bytes(claude_log(*TALK, session=session))

    def few() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))

    with daemon_process(home, preexec=few) as daemon:
        daemon.settled(lambda: daemon.status()["sessions"] == 61)
        answers_all_along(home, daemon)


@pytest.mark.parametrize("days", [-400, 400])
def test_a_clock_that_jumps(home: Home, days: int) -> None:
    """Logs are dated far away from the machine's clock; a later start with another clock serves the same."""
    when = time.time() + days * 86_400
    log = home.logs / f"{SESSION}.jsonl"
    with daemon_process(home) as daemon:
        daemon.settled(lambda: turns(daemon) == 1)
        before = daemon.ask("recap/get", ASKED)["revision"]
        os.utime(log, (when, when))
        answers_all_along(home, daemon)
    os.utime(log, (when, when))
    with daemon_process(home) as daemon:
        daemon.settled(lambda: turns(daemon) == 2)
        assert daemon.ask("recap/get", ASKED)["revision"] > before


def test_memory_for_next_to_nothing(home: Home) -> None:
    """With room for a few sessions only, all are known, each is answered in full, and each can go on."""
    sessions = [f"5e551011-c0de-4a11-8000-0000000002{number:02}" for number in range(30)]
    for session in sessions:
        talk = [human(f"Port {session}"), *(edit(f"/work/shop/{session}/{number}.py") for number in range(300))]
        (home.logs / f"{session}.jsonl").write_bytes(claude_log(*talk, agent("Ported."), session=session))
    with daemon_process(home, environ={"RECAPD_STORE_MEMORY_MB": "1"}) as daemon:
        daemon.settled(lambda: daemon.status()["sessions"] == 31)
        for session in sessions:
            params = {"session": {"id": f"claude-code:{session}"}, "limit": 500}
            assert len(daemon.ask("files/list", params)["files"]) == 300
        answers_all_along(home, daemon)


@pytest.mark.parametrize("what", ["files", "folder"])
def test_state_that_somebody_removes_under_it(home: Home, what: str) -> None:
    """Acknowledged before and after, and there when the next daemon comes: the first one is killed."""
    marks: dict[str, str] = {}

    def acknowledge(daemon: DaemonProcess, consumer: str) -> None:
        cursor = daemon.ask("recap/get", ASKED)["cursor"]
        params = {**ASKED, "consumer": consumer, "cursor": cursor}
        marks[consumer] = daemon.ask("recap/acknowledge", params)["cursor"]

    with daemon_process(home) as daemon:
        daemon.settled(lambda: daemon.status()["store"].get("pending", 0) == 0)
        daemon.ask("recapd/watch", {"workspace": str(home.folder), "on": True})
        acknowledge(daemon, "before")
        if what == "folder":
            shutil.rmtree(home.state)
        else:
            for path in [path for path in home.state.iterdir() if path.is_file()]:
                path.unlink()
        # Nothing is asked of it that would be written: it notices by itself, and says so.
        until(lambda: "removed or replaced" in str(daemon.status().get("message")), patience_s=60)
        until(lambda: (home.state / "workspaces.json").exists(), patience_s=60)
        acknowledge(daemon, "after")
        daemon.kill()
    with daemon_process(home) as again:
        again.settled()
        exported = again.ask("session/export", ASKED)
        assert {mark["consumer"]: mark["cursor"] for mark in exported["marks"]} == marks
        assert [each["path"] for each in again.ask("recapd/watch")["workspaces"]] == [str(home.folder)]
