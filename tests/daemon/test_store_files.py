"""The store's files: private, brought up to date, set aside where they cannot be used, and waited for where the disk
does not take them."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from recapd.core.retrieval import query_of
from recapd.daemon.engine import Change, Nobody
from recapd.daemon.store import database as database_module
from recapd.daemon.store import file as file_module
from recapd.daemon.store.database import APPLICATION_ID, Schema, connect, open_or_begin
from recapd.daemon.store.file import StoreFile, Writer
from recapd.daemon.store.store import Store
from recapd.wire.errors import RecapError
from tests.support.clock import PATIENCE_S

ONE = Schema(name="one", synchronous="FULL", steps=("CREATE TABLE a (x TEXT)",))
TWO = Schema(name="one", synchronous="FULL", steps=(*ONE.steps, "ALTER TABLE a ADD COLUMN y INTEGER DEFAULT 7"))
NOW = "2026-01-01T00:00:00.000Z"


class Told(Nobody):
    """Says what the store tells of itself."""

    def __init__(self) -> None:
        super().__init__(lambda: 41)
        self.changes: list[Change] = []
        self.on_change: Callable[[], None] = lambda: None

    def apply_soon(self, change: Change) -> None:
        self.changes.append(change)
        self.on_change()


def new_store(folder: Path, told: Told | None = None) -> Store:
    return Store(str(folder), told or Told(), now=lambda: NOW, fingerprint=lambda: "code")


def test_files_are_nobody_elses(tmp_path: Path) -> None:
    folder = tmp_path / "state"
    was = os.umask(0)
    try:
        store = new_store(folder)
        store.open()
        store.audit("s", "tried")
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    finally:
        os.umask(was)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert len(modes) == 6 and set(modes.values()) == {0o600}
    assert store.close(PATIENCE_S)


def test_who_searches_before_the_file_is_opened_waits_for_that(tmp_path: Path) -> None:
    store = new_store(tmp_path / "state")
    assert store.search(query_of("bread"), None, first=0, limit=5) == ([], False)
    assert store.close(PATIENCE_S)


def test_an_older_file_is_brought_up_to_date(tmp_path: Path) -> None:
    path = str(tmp_path / "one.db")
    first = connect(path, ONE)
    first.execute("INSERT INTO a VALUES ('kept')")
    first.close()
    second, notice = open_or_begin(path, TWO)
    assert (second.execute("SELECT x, y FROM a").fetchall(), notice) == ([("kept", 7)], "")
    second.close()


def newer(path: Path) -> None:
    connect(str(path), TWO).close()


def foreign(path: Path) -> None:
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE cookies (x)")
    db.commit()
    db.close()


def no_database(path: Path) -> None:
    path.write_bytes(b"what is this? " * 1000)


def rotten(path: Path) -> None:
    db = connect(str(path), ONE)
    db.executemany("INSERT INTO a VALUES (?)", [(f"{number:04d}" * 500,) for number in range(50)])
    db.close()
    data = bytearray(path.read_bytes())
    data[4096:12_288] = bytes(8192)
    path.write_bytes(data)


@pytest.mark.parametrize("spoil", [newer, foreign, no_database, rotten])
def test_what_cannot_be_used_is_set_aside(spoil: Callable[[Path], None], tmp_path: Path) -> None:
    path = tmp_path / "one.db"
    spoil(path)
    before = path.read_bytes()
    db, notice = open_or_begin(str(path), ONE)
    (aside,) = [each for each in tmp_path.iterdir() if each.name.endswith(".aside")]
    assert aside.read_bytes() == before and aside.name in notice
    assert db.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
    assert db.execute("SELECT * FROM a").fetchall() == []
    db.close()
    assert open_or_begin(str(path), ONE)[1] == ""


def test_what_was_set_aside_does_not_pile_up(tmp_path: Path) -> None:
    for _ in range(5):
        no_database(tmp_path / "one.db")
        open_or_begin(str(tmp_path / "one.db"), ONE)[0].close()
    assert len([each for each in tmp_path.iterdir() if each.name.endswith(".aside")]) == 2


@pytest.mark.parametrize("name", ["kept", "cache"])
def test_damage_is_said_and_mended_while_running(name: str, tmp_path: Path) -> None:
    store = new_store(tmp_path)
    store.open()
    store.close(PATIENCE_S)
    path = tmp_path / f"{name}.db"
    data = bytearray(path.read_bytes())
    data[2000:] = bytes(len(data) - 2000)
    path.write_bytes(data)
    again = new_store(tmp_path)
    again.open()
    again.load()
    again.audit("s", "tried")
    assert again.audit_of("s")[0].action == "tried"
    assert again.close(PATIENCE_S)
    assert any(f"{name}.db" in message and "aside" in message for message in map(str, again.troubles))
    assert not again.has_trouble


def remove(*patterns: str) -> Callable[[Path], None]:
    def meddle(folder: Path) -> None:
        for path in [path for pattern in patterns for path in folder.glob(pattern)]:
            path.unlink()

    return meddle


def put_others(folder: Path) -> None:
    names = [path.name for path in folder.glob("*.db")]
    remove("*")(folder)
    for name in names:
        connect(str(folder / name), ONE).close()


MEDDLING: dict[str, Callable[[Path], object]] = {
    "everything removed": remove("*"),
    "the folder removed": shutil.rmtree,
    "only the log of changes removed": remove("*-wal"),
    "only the databases removed": remove("*.db"),
    "moved away": lambda folder: folder.rename(folder.with_name("moved")),
    "others in their place": put_others,
}


@pytest.mark.parametrize("is_written_after", [True, False])
@pytest.mark.parametrize("name", MEDDLING)
def test_what_was_acknowledged_outlives_its_files(name: str, is_written_after: bool, tmp_path: Path) -> None:
    folder = tmp_path / "state"
    store = new_store(folder)
    store.open()
    store.set_mark("s", "me", "1")
    store.add_summary("s", b"a summary")
    store.audit("s", "before")
    MEDDLING[name](folder)
    if is_written_after:
        store.set_mark("s", "you", "2")
    store.look_after_files()
    # Done after all that waits.
    store.drop([]).result(PATIENCE_S)
    # Nobody closes anything: the process is killed here.
    again = new_store(folder)
    again.open()
    assert again.marks_of("s") == {"me": "1"} | ({"you": "2"} if is_written_after else {})
    assert [summary.body for summary in again.summaries("s")] == [b"a summary"]
    assert [row.action for row in again.audit_of("s")] == ["before"]
    assert again.troubles == ()
    assert again.close(PATIENCE_S)
    assert any("nothing is lost" in message for message in map(str, store.troubles)) and not store.has_trouble
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in folder.iterdir())
    assert store.close(PATIENCE_S)


def is_troubled(store: Store) -> bool:
    return store.has_trouble


def test_what_cannot_be_put_back_is_said_and_not_acknowledged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "state"
    store = new_store(folder)
    store.open()
    store.set_mark("s", "me", "1")
    shutil.rmtree(folder)
    with monkeypatch.context() as patched:
        patched.setattr(database_module, "_make_private", lambda path: os.open(folder / "gone" / "x", os.O_RDONLY))
        store.look_after_files()
        with pytest.raises(RecapError):
            store.set_mark("s", "me", "2")
        assert is_troubled(store) and store.marks_of("s") == {"me": "1"}
    store.set_mark("s", "me", "3")
    store.probe()
    store.drop([]).result(PATIENCE_S)
    assert store.troubles != () and not is_troubled(store)
    again = new_store(folder)
    again.open()
    assert again.marks_of("s") == {"me": "3"}
    assert again.close(PATIENCE_S) and store.close(PATIENCE_S)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (sqlite3.OperationalError("database or disk is full"), "no room"),
        (sqlite3.OperationalError("attempt to write a readonly database"), "may not write"),
        (PermissionError(13, "Permission denied"), "may not write"),
        (sqlite3.OperationalError("disk I/O error"), "tries again"),
    ],
)
def test_a_disk_that_takes_nothing_is_said_until_it_does(
    error: Exception, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    engine = Told()
    store = new_store(tmp_path, engine)
    engine.on_change = lambda: told.append(" ".join(map(str, store.troubles)))

    def fail(*_: object) -> None:
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(file_module, "open_or_begin", fail)
        store.open()
        # What cannot be written down is not acknowledged.
        with pytest.raises(RecapError, match=words):
            store.set_verdict("s", "d", word="dismissed")
        assert store.verdicts("s") == {} and store.load() == [] and store.find("words") == frozenset()
    assert store.has_trouble and words in told[-1]
    store.probe()
    assert store.set_verdict("s", "d", word="dismissed").word == "dismissed"
    assert store.troubles == () and told[-1] == ""
    assert store.close(PATIENCE_S)


def test_what_is_durable_outlives_the_process(tmp_path: Path) -> None:
    store = new_store(tmp_path)
    store.open()
    store.set_verdict("s", "d1", word="dismissed", reason="not mine")
    store.set_verdict("s", "d2", word="dismissed")
    store.set_verdict("s", "d2", word="confirmed")
    assert [store.add_summary("s", body).number for body in (b"one", b"two")] == [1, 2]
    store.set_mark("s", "editor", "c1")
    # No flush and no close: what was acknowledged is on disk.
    again = new_store(tmp_path)
    again.open()
    assert {key: each.word for key, each in again.verdicts("s").items()} == {"d1": "dismissed", "d2": "confirmed"}
    assert [(each.number, each.body, each.revision) for each in again.summaries("s")] == [
        (1, b"one", 41),
        (2, b"two", 41),
    ]
    assert again.marks_of("s") == {"editor": "c1"}
    assert [row.action for row in again.audit_of("s")] == ["dismissed", "dismissed", "confirmed"]
    assert again.close(PATIENCE_S) and store.close(PATIENCE_S)


def test_what_was_mended_is_not_told_for_ever(tmp_path: Path) -> None:
    now = [0.0]
    no_database(tmp_path / "one.db")
    used = StoreFile(
        str(tmp_path), ONE, Writer(), on_open=lambda db: None, on_trouble=lambda: None, monotonic=lambda: now[0]
    )
    used.do(lambda db: None)
    assert "set aside" in str(used.notices[0])
    now[0] = 3601.0
    assert used.notices == ()
    used.close()
