"""`kill -9` at any moment, again and again, while agents write and clients read: nothing is lost or made up."""

from __future__ import annotations

import contextlib
import json
import os
import random
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from recapd.client.call import call
from recapd.client.errors import CallError, ClientError
from recapd.core.views.recap_file import is_ours
from tests.support.clock import PATIENCE_S
from tests.support.daemons import Home
from tests.support.logs import Act, agent, claude_log, edit, human, shell
from tests.support.processes import DaemonProcess, daemon_process, until

WRITERS = 3
# Of two daemons' homes, which may be tried beside each other.
KILLS = int(os.environ.get("RECAPD_KILLS", "200")) // 2
# The longest a daemon lives: some are killed while they start to read, some after they have written snapshots.
LONGEST_LIFE_S = 0.6


# The agents must not run out of words before the last kill.
TURNS = 200 + KILLS * 20


def acts(number: int) -> Iterator[Act]:
    for turn in range(TURNS):
        yield human(f"Writer {number}: do step {turn}, and use port {8000 + turn} instead of {7999 + turn}")
        yield edit(f"/work/shop{number}/step_{turn}.py")
        yield shell("pytest -q", f"{turn + 1} passed")
        yield agent(f"Step {turn} is done.")


class Writer(threading.Thread):
    """Appends a conversation to its log in pieces that end anywhere, also in mid-line."""

    def __init__(self, home: Home, number: int, stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self.workspace = home.folder / f"shop{number}"
        self.workspace.mkdir()
        self.session = f"5e551011-c0de-4a11-8000-00000000000{number}"
        self.path = home.logs / f"{self.session}.jsonl"
        self._data = claude_log(*acts(number), session=self.session, cwd=str(self.workspace))
        self._stop_now = stop
        self._random = random.Random(number)

    def run(self) -> None:
        sent = 0
        with self.path.open("ab", buffering=0) as file:
            while not self._stop_now.is_set() and sent < len(self._data):
                size = self._random.randint(1, 700)
                file.write(self._data[sent : sent + size])
                sent += size
                self._stop_now.wait(self._random.random() * 0.03)
            # The agent finishes its line before it leaves.
            end = self._data.find(b"\n", sent)
            if end >= 0 and sent < len(self._data):
                file.write(self._data[sent : end + 1])


class Reader(threading.Thread):
    """A client that reads and acknowledges whatever it is shown, and remembers what was promised to it."""

    def __init__(self, home: Home, session_id: str, stop: threading.Event) -> None:
        super().__init__(daemon=True)
        self._home = home
        self._session = {"id": session_id}
        self._stop_now = stop
        self.consumer = f"reader of {session_id}"
        self.acknowledged = ""
        # A daemon may be killed when a mark is kept and its answer not yet sent: then it may stand or not.
        self.unanswered: list[str] = []
        self.revision = 0
        self.problems: list[str] = []

    def run(self) -> None:
        while not self._stop_now.is_set():
            try:
                self._read()
            except CallError as error:
                # While everything is read again the session may not be known yet; nothing else may go wrong.
                if error.code not in (1001, 1005):
                    self.problems.append(f"{error.code}: {error}")
            except ClientError:
                self._stop_now.wait(0.01)

    def _read(self) -> None:
        where = self._home.places
        got: Any = call("recap/get", {"session": self._session}, where=where, start_if_missing=False, timeout_s=10)
        if got["revision"] < self.revision:
            self.problems.append(f"the revision went back from {self.revision} to {got['revision']}")
        self.revision = got["revision"]
        params = {"session": self._session, "consumer": self.consumer, "cursor": got["cursor"]}
        self.unanswered.append(got["cursor"])
        # A mark never moves back: right after a start less may be shown than was read before, and the mark stays.
        mark: Any = call("recap/acknowledge", params, where=where, start_if_missing=False, timeout_s=10)
        self.acknowledged = mark["cursor"]
        self.unanswered.clear()


@pytest.mark.faults
@pytest.mark.timeout(120 + KILLS * 15)
@pytest.mark.parametrize("seed", [9, 10])
def test_nothing_is_lost_by_being_killed(tmp_path: Path, seed: int) -> None:
    home = Home(tmp_path)
    stop = threading.Event()
    writers = [Writer(home, number, stop) for number in range(WRITERS)]
    readers = [Reader(home, f"claude-code:{writer.session}", stop) for writer in writers]
    chance = random.Random(seed)
    for thread in (*writers, *readers):
        thread.start()
    with daemon_process(home) as first:
        first.ask("recapd/watch", {"workspace": str(writers[0].workspace), "on": True})
    for _ in range(KILLS):
        daemon = DaemonProcess(home)
        stop.wait(chance.random() * LONGEST_LIFE_S)
        daemon.kill()
        recap = writers[0].workspace / "_recap.md"
        if recap.exists():
            assert is_ours(recap.read_text()) and recap.read_text().endswith("\n")
    stop.set()
    for thread in (*writers, *readers):
        thread.join(PATIENCE_S)

    with daemon_process(home) as last:
        last.settled(lambda: last.status()["sessions"] == WRITERS)
        for writer, reader in zip(writers, readers, strict=True):
            assert reader.problems == []
            assert told(last.ask, writer.path) == told(in_process(home), writer.path)
            if reader.acknowledged:
                session = {"id": f"claude-code:{writer.session}"}
                exported = last.ask("session/export", {"session": session})
                marks = {mark["consumer"]: mark["cursor"] for mark in exported["marks"]}
                assert marks.get(reader.consumer) in {reader.acknowledged, *reader.unanswered}


@pytest.mark.faults
@pytest.mark.timeout(120)
def test_no_revision_is_given_out_twice_however_soon_the_kills_come(tmp_path: Path) -> None:
    """Two daemons are killed before they have saved anything, and each saw another end of the log: whoever was told of
    the first must not hear that nothing changed."""
    home = Home(tmp_path)
    path = home.logs / "a.jsonl"
    path.write_bytes(claude_log(human("Fix the login"), agent("Done.")))
    with daemon_process(home) as daemon:
        daemon.settled(lambda: daemon.status()["store"].get("pending", 0) == 0)
        daemon.kill()
    begun = path.read_bytes()
    told_as: list[tuple[int, str]] = []
    for word in ("pink", "green", "blue"):
        path.write_bytes(begun + claude_log(human(f"Paint it {word}")))
        # Somebody else has the cache, a backup say: nothing is saved before the kill.
        with contextlib.closing(sqlite3.connect(home.state / "cache.db", isolation_level=None)) as holder:
            holder.execute("BEGIN IMMEDIATE")
            daemon = DaemonProcess(home)
            try:
                until(lambda: knows(daemon, word))  # noqa: B023
                recap = daemon.ask("recap/get")
                told_as.append((recap["revision"], recap["recap"]["currentFocus"]["text"]))
                for revision, _ in told_as[:-1]:
                    again = daemon.ask("recap/get", {"knownRevision": revision})
                    assert not again.get("unchanged"), told_as
            finally:
                daemon.kill()
    assert [revision for revision, _ in told_as] == sorted({revision for revision, _ in told_as}), told_as


def knows(daemon: DaemonProcess, word: str) -> bool:
    try:
        return word in json.dumps(daemon.ask("recap/get"))
    except CallError as error:
        assert error.code in (1001, 1005), error
        return False


def told(ask: Any, log: Path) -> dict[str, Any]:
    """What a user is told of a log, without what depends on who tells it and when."""
    session = {"log": str(log)}
    # What was decided is found in the background, and the recap says so while it is not done.
    # That makes way for everything else on the machine.
    until(lambda: not ask("recap/get", {"session": session}).get("unjudgedTurns"), patience_s=240)
    recap = ask("recap/get", {"session": session, "format": "full"})
    files = ask("files/list", {"session": session})
    decisions = ask("decisions/list", {"session": session, "includeTentative": True, "limit": 500})
    return {
        "recap": {**recap["recap"], "state": None},
        "files": files["files"],
        "decisions": decisions["decisions"],
        "turn": recap["turn"],
    }


def in_process(home: Home) -> Any:
    """The same question to a reading from zero, without any daemon or store."""

    def ask(method: str, params: dict[str, Any]) -> Any:
        nowhere = str(home.folder / "nowhere")
        environ = home.environ | {"RECAPD_RUNTIME_DIR": nowhere, "RECAPD_STATE_DIR": nowhere}
        done = subprocess.run(
            [sys.executable, "-m", "recapd", "call", method, json.dumps(params)],
            env=environ,
            capture_output=True,
            check=True,
            timeout=PATIENCE_S,
        )
        return json.loads(done.stdout)

    return ask
