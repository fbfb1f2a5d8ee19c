"""`kept.db`: what cannot be read again from logs. Every transaction is on disk when it returns.

    handler ─▶ DurableRows ─▶ wherever the rows are: store.py, offline.py, in_memory.py ─▶ Kept ─▶ SQLite

All of it but summaries, audit and the states of deleted logs is also in memory, so that reading never waits. Kept is
called by the writer alone, but for reading.
"""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import TypeVar

import msgspec
from msgspec import Struct

from recapd.core.state import Source, session_id_of
from recapd.core.text import presentable
from recapd.daemon.encoding import Damaged, Piece, changed_pieces, checksum_of, head_bytes, head_from, transcript_from
from recapd.daemon.engine import SessionRevised, Told
from recapd.daemon.store.database import Schema, transaction
from recapd.server.durable import AuditAction, AuditRow, StoredSummary, Verdict, VerdictWord

T = TypeVar("T")

SCHEMA = Schema(
    name="kept",
    synchronous="FULL",
    steps=(
        """
        CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE marks (session TEXT NOT NULL, consumer TEXT NOT NULL, cursor TEXT NOT NULL, at TEXT NOT NULL,
            PRIMARY KEY (session, consumer)) WITHOUT ROWID;
        CREATE TABLE verdicts (session TEXT NOT NULL, decision TEXT NOT NULL, word TEXT NOT NULL, reason TEXT NOT NULL,
            at TEXT NOT NULL, revision INTEGER NOT NULL, PRIMARY KEY (session, decision)) WITHOUT ROWID;
        CREATE TABLE summaries (session TEXT NOT NULL, number INTEGER NOT NULL, at TEXT NOT NULL,
            revision INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (session, number));
        CREATE TABLE revisions (session TEXT PRIMARY KEY, revision INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE tombstones (session TEXT PRIMARY KEY, at TEXT NOT NULL, revision INTEGER NOT NULL,
            uris BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE audit (id INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, session TEXT NOT NULL,
            action TEXT NOT NULL, detail TEXT NOT NULL);
        CREATE INDEX audit_of_session ON audit (session);
        CREATE TABLE relics (uri TEXT NOT NULL, part TEXT NOT NULL, session TEXT NOT NULL, at TEXT NOT NULL,
            revision INTEGER NOT NULL, head_checksum INTEGER NOT NULL, head BLOB NOT NULL, checksum INTEGER NOT NULL,
            body BLOB NOT NULL, PRIMARY KEY (uri, part))
        """,
        """
        CREATE TABLE readings (session TEXT PRIMARY KEY, at TEXT NOT NULL, revision INTEGER NOT NULL,
            body BLOB NOT NULL)
        """,
        "CREATE TABLE departures (session TEXT PRIMARY KEY, at TEXT NOT NULL) WITHOUT ROWID",
    ),
)

# Revisions are given out up to a number that is on disk: a later process begins beyond it, whatever the clock does and
# however the earlier one ended.
CEILING = "revision"

# Of so many sessions it is known when their agents left; as many as what hooks told is kept of in memory.
MOST_DEPARTURES = 256

# What stays of a session that is to be forgotten: that it is, and what was done.
_OUTLIVE_SESSIONS = frozenset(("tombstones", "audit"))


class Tombstone(Struct, frozen=True):
    """A session the user wants forgotten, and the files it stood in."""

    session_id: str
    at: str
    revision: int
    uris: tuple[str, ...]


class Relic(Struct, frozen=True):
    """What is kept of a log that was deleted: the state of its source, or only its head."""

    source: Source
    revision: int
    at: str


class _RelicBody(Struct, frozen=True):
    # The source without its transcript, and the pieces of that.
    source: Source
    pieces: tuple[Piece, ...]


class Kept:
    """The file's rows, on one connection."""

    def __init__(self, connection: sqlite3.Connection, now: Callable[[], str]) -> None:
        self._db = connection
        self._now = now
        self._load()

    def _load(self) -> None:
        """What is also in memory."""
        db = self._db
        verdicts: dict[str, dict[str, Verdict]] = {}
        rows = db.execute("SELECT session, decision, word, at, reason, revision FROM verdicts")
        for session, decision, *rest in rows:
            verdicts.setdefault(session, {})[decision] = Verdict(*rest)
        marks: dict[str, dict[str, str]] = {}
        for session, consumer, cursor in db.execute("SELECT session, consumer, cursor FROM marks"):
            marks.setdefault(session, {})[consumer] = cursor
        # Others may be reading.
        self._verdicts, self._marks = verdicts, marks
        # A single command may read a file of the version before, which the daemon has yet to bring up to date.
        tables = self._tables_of_sessions()
        read = db.execute("SELECT session FROM readings").fetchall() if "readings" in tables else []
        self._read = frozenset(session for (session,) in read)
        has_departures = "departures" in tables
        left = db.execute("SELECT session, at FROM departures ORDER BY at").fetchall() if has_departures else []
        self._departures: dict[str, str] = dict(left)
        self._tombstones = {
            session: Tombstone(session, at, revision, msgspec.msgpack.decode(uris, type=tuple[str, ...]))
            for session, at, revision, uris in db.execute("SELECT * FROM tombstones")
        }
        self.revisions: dict[str, int] = dict(db.execute("SELECT session, revision FROM revisions").fetchall())
        row = db.execute("SELECT value FROM meta WHERE name = ?", (CEILING,)).fetchone()
        self.ceiling = int(row[0]) if row is not None else 0

    # ---- reading, in memory

    def verdicts(self, session_id: str) -> Mapping[str, Verdict]:
        return self._verdicts.get(session_id, {})

    def marks_of(self, session_id: str) -> Mapping[str, str]:
        """By reader: the cursor."""
        return self._marks.get(session_id, {})

    def tombstones(self) -> Mapping[str, Tombstone]:
        return self._tombstones

    def departures(self) -> Mapping[str, str]:
        """By session: when its agent left; the latest last."""
        return self._departures

    def is_read(self, session_id: str) -> bool:
        """Whether a reader made something of it: nearly always not, and then nobody asks the disk."""
        return session_id in self._read

    # ---- reading, on any connection

    @staticmethod
    def summaries(db: sqlite3.Connection, session_id: str) -> tuple[StoredSummary, ...]:
        rows = db.execute(
            "SELECT number, body, at, revision FROM summaries WHERE session = ? ORDER BY number", (session_id,)
        )
        return tuple(StoredSummary(*row) for row in rows)

    @staticmethod
    def reading(db: sqlite3.Connection, session_id: str) -> bytes | None:
        row = db.execute("SELECT body FROM readings WHERE session = ?", (session_id,)).fetchone()
        return bytes(row[0]) if row is not None else None

    @staticmethod
    def audit_of(db: sqlite3.Connection, session_id: str) -> tuple[AuditRow, ...]:
        rows = db.execute("SELECT at, action, detail FROM audit WHERE session = ? ORDER BY id", (session_id,))
        return tuple(AuditRow(*row) for row in rows)

    @staticmethod
    def relics(db: sqlite3.Connection) -> list[Relic]:
        """Heads of all that can be read."""
        found: list[Relic] = []
        for at, revision, checksum, body in db.execute("SELECT at, revision, head_checksum, head FROM relics"):
            try:
                head = head_from(body, checksum)
            except Damaged:
                continue
            found.append(Relic(msgspec.structs.replace(head, is_gone=True), revision, at))
        return found

    @staticmethod
    def relic(db: sqlite3.Connection, uri: str, part: str) -> Source | None:
        row = db.execute("SELECT checksum, body FROM relics WHERE uri = ? AND part = ?", (uri, part)).fetchone()
        return _source_from(row[1]) if row is not None and checksum_of(row[1]) == row[0] else None

    # ---- writing

    def set_verdict(
        self, session_id: str, decision_id: str, *, word: VerdictWord, reason: str, revision: int
    ) -> Verdict:
        verdict = Verdict(word, self._now(), presentable(reason), revision)
        with transaction(self._db):
            self._db.execute(
                "INSERT OR REPLACE INTO verdicts VALUES (?, ?, ?, ?, ?, ?)",
                (session_id, decision_id, verdict.word, verdict.reason, verdict.at, revision),
            )
            self._audit(session_id, verdict.word, f"{decision_id} {verdict.reason}".rstrip())
            self._bump(session_id, revision)
        self._verdicts[session_id] = {**self.verdicts(session_id), decision_id: verdict}
        return verdict

    def withdraw_verdict(self, session_id: str, decision_id: str, *, reason: str, revision: int) -> None:
        with transaction(self._db):
            self._db.execute("DELETE FROM verdicts WHERE session = ? AND decision = ?", (session_id, decision_id))
            self._audit(session_id, AuditAction.VERDICT_WITHDRAWN, f"{decision_id} {reason}".rstrip())
            self._bump(session_id, revision)
        self._verdicts[session_id] = {
            key: each for key, each in self.verdicts(session_id).items() if key != decision_id
        }

    def set_mark(self, session_id: str, consumer: str, cursor: str) -> None:
        row = (session_id, consumer, cursor, self._now())
        with transaction(self._db):
            self._db.execute("INSERT OR REPLACE INTO marks VALUES (?, ?, ?, ?)", row)
        self._marks[session_id] = {**self.marks_of(session_id), consumer: cursor}

    def add_summary(self, session_id: str, body: bytes, revision: int) -> StoredSummary:
        at = self._now()
        with transaction(self._db):
            last = self._db.execute("SELECT max(number) FROM summaries WHERE session = ?", (session_id,)).fetchone()[0]
            summary = StoredSummary((last or 0) + 1, body, at, revision)
            self._db.execute(
                "INSERT INTO summaries (session, number, at, revision, body) VALUES (?, ?, ?, ?, ?)",
                (session_id, summary.number, at, revision, body),
            )
            self._bump(session_id, revision)
        return summary

    def set_reading(self, session_id: str, body: bytes, *, detail: str, revision: int) -> None:
        with transaction(self._db):
            self._db.execute(
                "INSERT OR REPLACE INTO readings (session, at, revision, body) VALUES (?, ?, ?, ?)",
                (session_id, self._now(), revision, body),
            )
            self._audit(session_id, AuditAction.READING_MADE, detail)
            self._bump(session_id, revision)
        self._read |= {session_id}

    def audit(self, session_id: str, action: str, detail: str) -> None:
        with transaction(self._db):
            self._audit(session_id, action, detail)

    def set_ceiling(self, ceiling: int) -> None:
        with transaction(self._db):
            self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (CEILING, str(ceiling)))
        self.ceiling = ceiling

    def bury(self, tombstone: Tombstone) -> None:
        """Remove all that is kept of a session but that it is forgotten, and the record of what was done."""
        session_id = tombstone.session_id
        with transaction(self._db):
            for table in self._tables_of_sessions():
                self._db.execute(f"DELETE FROM {table} WHERE session = ?", (session_id,))
            self._put_tombstone(tombstone)
            self._audit(session_id, "session/forget", "")
        self._load()
        # What was removed must not be left in the log of changes either.
        self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def widen(self, session_id: str, uri: str) -> None:
        """A forgotten session turned up in another file."""
        known = self._tombstones.get(session_id)
        if known is None or uri in known.uris:
            return
        wider = msgspec.structs.replace(known, uris=(*known.uris, uri))
        with transaction(self._db):
            self._put_tombstone(wider)
        self._tombstones[session_id] = wider

    def unbury(self, session_id: str, revision: int) -> tuple[str, ...]:
        """Where the session stood."""
        with transaction(self._db):
            self._db.execute("DELETE FROM tombstones WHERE session = ?", (session_id,))
            self._audit(session_id, "session/remember", "")
            self._bump(session_id, revision)
        found = self._tombstones.pop(session_id, None)
        return found.uris if found is not None else ()

    def set_departure(self, session_id: str, at: str) -> None:
        with transaction(self._db):
            self._db.execute("INSERT OR REPLACE INTO departures VALUES (?, ?)", (session_id, at))
            self._db.execute(
                "DELETE FROM departures WHERE session NOT IN (SELECT session FROM departures ORDER BY at DESC LIMIT ?)",
                (MOST_DEPARTURES,),
            )
        known = {each: left for each, left in self._departures.items() if each != session_id}
        self._departures = dict([*known.items(), (session_id, at)][-MOST_DEPARTURES:])

    def keep_relic(self, relic: Relic) -> None:
        source = relic.source
        bare = msgspec.structs.replace(source, transcript=type(source.transcript)())
        pieces = tuple(changed_pieces(source.transcript, None))
        head, body = head_bytes(source), msgspec.msgpack.encode(_RelicBody(bare, pieces))
        row = (source.uri, source.part, session_id_of(source), relic.at, relic.revision)
        with transaction(self._db):
            self._db.execute(
                "INSERT OR REPLACE INTO relics (uri, part, session, at, revision, head_checksum, head, checksum, body) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*row, checksum_of(head), head, checksum_of(body), body),
            )

    def drop_relics(self, uri: str) -> None:
        with transaction(self._db):
            self._db.execute("DELETE FROM relics WHERE uri = ?", (uri,))

    def limit_relics(self, *, before: str, max_bytes: int) -> tuple[str, ...]:
        """Drop what is left of logs that were deleted before this time, and of the oldest beyond a size; their URIs."""
        size = 0
        dropped: dict[str, None] = {}
        for uri, at, length in self._db.execute("SELECT uri, at, length(body) FROM relics ORDER BY at DESC").fetchall():
            size += length
            if at < before or size > max_bytes:
                dropped[uri] = None
        with transaction(self._db):
            self._db.executemany("DELETE FROM relics WHERE uri = ?", [(uri,) for uri in dropped])
        return tuple(dropped)

    def _tables_of_sessions(self) -> list[str]:
        """Those with rows that are to go with their session."""
        rows = self._db.execute(
            "SELECT tables.name FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns "
            "WHERE tables.type = 'table' AND columns.name = 'session'"
        )
        return [name for (name,) in rows if name not in _OUTLIVE_SESSIONS]

    def _put_tombstone(self, tombstone: Tombstone) -> None:
        uris = msgspec.msgpack.encode(tombstone.uris)
        self._db.execute(
            "INSERT OR REPLACE INTO tombstones VALUES (?, ?, ?, ?)",
            (tombstone.session_id, tombstone.at, tombstone.revision, uris),
        )

    def _audit(self, session_id: str, action: str, detail: str) -> None:
        self._db.execute(
            "INSERT INTO audit (at, session, action, detail) VALUES (?, ?, ?, ?)",
            (self._now(), session_id, action, presentable(detail)),
        )

    def _bump(self, session_id: str, revision: int) -> None:
        """An answer about the session changed though its log did not."""
        self._db.execute("INSERT OR REPLACE INTO revisions VALUES (?, ?)", (session_id, revision))
        self.revisions[session_id] = revision


class DurableRows(ABC):
    """Fulfils server.durable.Durable and daemon.marks.MarkStore with the rows of Kept, wherever these are."""

    def __init__(self, engine: Told) -> None:
        self._engine = engine

    @abstractmethod
    def known(self) -> Kept | None:
        """For what is in memory of it; None where it could not be opened."""

    @abstractmethod
    def read(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """In this thread; None where it cannot be read."""

    @abstractmethod
    def keep(self, work: Callable[[Kept], T]) -> T:
        """Have something written, which it is when this returns: not on the loop. RecapError where it cannot be."""

    def revise(self, session_id: str, work: Callable[[Kept, int], T]) -> T:
        """The same where another answer is given about a session from then on: under a revision of its own, of which
        everybody is told."""
        revision = self._engine.reserve_revision()
        made = self.keep(lambda kept: work(kept, revision))
        self._engine.apply(SessionRevised(session_id, revision))
        return made

    def verdicts(self, session_id: str) -> Mapping[str, Verdict]:
        kept = self.known()
        return kept.verdicts(session_id) if kept is not None else {}

    def set_verdict(self, session_id: str, decision_id: str, *, word: VerdictWord, reason: str = "") -> Verdict:
        return self.revise(
            session_id,
            lambda kept, revision: kept.set_verdict(
                session_id, decision_id, word=word, reason=reason, revision=revision
            ),
        )

    def withdraw_verdict(self, session_id: str, decision_id: str, *, reason: str = "") -> int:
        def work(kept: Kept, revision: int) -> int:
            kept.withdraw_verdict(session_id, decision_id, reason=reason, revision=revision)
            return revision

        return self.revise(session_id, work)

    def summaries(self, session_id: str) -> tuple[StoredSummary, ...]:
        return self.read(lambda db: Kept.summaries(db, session_id)) or ()

    def add_summary(self, session_id: str, body: bytes) -> StoredSummary:
        return self.revise(session_id, lambda kept, revision: kept.add_summary(session_id, body, revision))

    def reading(self, session_id: str) -> bytes | None:
        kept = self.known()
        if kept is None or not kept.is_read(session_id):
            return None
        return self.read(lambda db: Kept.reading(db, session_id))

    def set_reading(self, session_id: str, body: bytes, detail: str) -> int:
        def work(kept: Kept, revision: int) -> int:
            kept.set_reading(session_id, body, detail=detail, revision=revision)
            return revision

        return self.revise(session_id, work)

    def audit(self, session_id: str, action: str, detail: str = "") -> None:
        self.keep(lambda kept: kept.audit(session_id, action, detail))

    def audit_of(self, session_id: str) -> tuple[AuditRow, ...]:
        return self.read(lambda db: Kept.audit_of(db, session_id)) or ()

    def marks_of(self, session_id: str) -> Mapping[str, str]:
        kept = self.known()
        return kept.marks_of(session_id) if kept is not None else {}

    def set_mark(self, session_id: str, consumer: str, cursor: str) -> None:
        self.keep(lambda kept: kept.set_mark(session_id, consumer, cursor))


def _source_from(body: bytes) -> Source | None:
    try:
        relic = msgspec.msgpack.decode(body, type=_RelicBody)
        bodies = {(piece.note.field, piece.note.number): piece.body for piece in relic.pieces}
        transcript = transcript_from((piece.note for piece in relic.pieces), bodies)
    except (Damaged, msgspec.DecodeError):
        return None
    return msgspec.structs.replace(relic.source, transcript=transcript, is_gone=True, is_cold=False)
