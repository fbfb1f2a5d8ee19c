"""What no log says is kept alike wherever it is kept: by a daemon, by a single command, in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from recapd.client.paths import Places
from recapd.daemon.engine import Nobody
from recapd.daemon.store.database import open_in_memory
from recapd.daemon.store.in_memory import InMemory
from recapd.daemon.store.kept import SCHEMA, DurableRows, Kept, Tombstone
from recapd.daemon.store.offline import Offline
from recapd.daemon.store.store import Store
from tests.support.clock import PATIENCE_S

NOW = "2026-01-01T00:00:00.000Z"


def in_memory(folder: Path) -> DurableRows:
    return InMemory(lambda: NOW)


def on_disk(folder: Path) -> DurableRows:
    store = Store(str(folder / "state"), Nobody(), now=lambda: NOW, fingerprint=str)
    store.open()
    return store


def offline(folder: Path) -> DurableRows:
    return Offline(Places(str(folder / "run"), str(folder / "state")))


@pytest.fixture(params=[in_memory, on_disk, offline])
def rows(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[DurableRows]:
    make: Callable[[Path], DurableRows] = request.param
    kept = make(tmp_path)
    yield kept
    match kept:
        case Store():
            kept.close(PATIENCE_S)
        case Offline():
            kept.close()


def test_what_is_kept_is_read_again(rows: DurableRows) -> None:
    assert (rows.verdicts("s"), rows.summaries("s"), rows.audit_of("s"), rows.marks_of("s")) == ({}, (), (), {})
    said = rows.set_verdict("s", "d1", word="dismissed", reason="no longer true")
    rows.set_verdict("s", "d2", word="confirmed")
    rows.withdraw_verdict("s", "d2")
    assert rows.verdicts("s") == {"d1": said} and (said.word, said.reason) == ("dismissed", "no longer true")
    made = [rows.add_summary("s", body) for body in (b"one", b"two")]
    assert rows.summaries("s") == tuple(made) and [each.number for each in made] == [1, 2]
    rows.audit("s", "tried", "twice")
    assert [(row.action, row.detail) for row in rows.audit_of("s")] == [
        ("dismissed", "d1 no longer true"),
        ("confirmed", "d2"),
        ("verdict withdrawn", "d2"),
        ("tried", "twice"),
    ]
    rows.set_mark("s", "editor", "c1")
    rows.set_mark("s", "editor", "c2")
    assert rows.marks_of("s") == {"editor": "c2"}
    assert (rows.verdicts("t"), rows.summaries("t"), rows.audit_of("t"), rows.marks_of("t")) == ({}, (), (), {})


def test_of_a_forgotten_session_only_that_and_what_was_done_is_kept() -> None:
    db = open_in_memory(SCHEMA)
    kept = Kept(db, lambda: NOW)
    for session in ("s", "t"):
        kept.set_verdict(session, "d", word="confirmed", reason="", revision=1)
        kept.set_mark(session, "editor", "c")
        kept.add_summary(session, b"body", 2)
        kept.set_reading(session, b"body", detail="", revision=2)
        kept.set_departure(session, NOW)
        db.execute("INSERT INTO relics VALUES (?, '', ?, '', 0, 0, x'00', 0, x'00')", (f"file:///{session}", session))
    kept.bury(Tombstone("s", NOW, 3, ("file:///s",)))
    names = [name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()]
    left = {
        name: {row[0] for row in db.execute(f"SELECT session FROM {name}")}
        for name in names
        if any(column[1] == "session" for column in db.execute(f"PRAGMA table_info({name})"))
    }
    assert {name for name, sessions in left.items() if "s" in sessions} == {"tombstones", "audit"}
    assert all("t" in sessions for name, sessions in left.items() if name != "tombstones")
    assert (kept.verdicts("s"), kept.marks_of("s"), kept.revisions) == ({}, {}, {"t": 2})
    assert kept.departures() == {"t": NOW}
    db.close()
