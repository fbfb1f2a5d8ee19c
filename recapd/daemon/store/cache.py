"""`cache.db`: how far each log is read, what is known of it, and texts to search in. All of it can be read again.

One file's rows are written in one transaction with how far it is read, so what is read back is always a state the
log once had. Every function takes the connection it works on: the writer's, or a reader's.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path

import msgspec
from msgspec import Struct

import recapd
from recapd.core.giving_up import GivenUp, look_up
from recapd.core.log import Place
from recapd.core.retrieval import LONG_CHARS, SAID, SEARCHED, Found, Query, in_order, query_of
from recapd.core.state import GROWING, Source, session_id_of
from recapd.daemon.config import config_path, usable_dialects
from recapd.daemon.encoding import (
    Damaged,
    JudgedRow,
    Note,
    Prepared,
    Saved,
    TextRow,
    checksum_of,
    head_from,
    rows_of,
    transcript_from,
)
from recapd.daemon.log_files import TailState, known_formats
from recapd.daemon.store.database import Schema, transaction

SCHEMA = Schema(
    name="cache",
    synchronous="NORMAL",
    steps=(
        """
        CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE files (id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, checksum INTEGER NOT NULL,
            tail BLOB NOT NULL);
        CREATE TABLE sources (id INTEGER PRIMARY KEY, file INTEGER NOT NULL, part TEXT NOT NULL, session TEXT NOT NULL,
            revision INTEGER NOT NULL, last_at TEXT NOT NULL, head_checksum INTEGER NOT NULL, head BLOB NOT NULL,
            notes BLOB NOT NULL, UNIQUE (file, part));
        CREATE INDEX sources_of_session ON sources (session);
        CREATE TABLE chunks (source INTEGER NOT NULL, field TEXT NOT NULL, number INTEGER NOT NULL, body BLOB NOT NULL,
            UNIQUE (source, field, number));
        CREATE TABLE texts (id INTEGER PRIMARY KEY, source INTEGER NOT NULL, number INTEGER NOT NULL,
            body TEXT NOT NULL, UNIQUE (source, number));
        CREATE VIRTUAL TABLE words USING fts5 (body, content = 'texts', content_rowid = 'id');
        CREATE TRIGGER texts_added AFTER INSERT ON texts BEGIN
            INSERT INTO words (rowid, body) VALUES (new.id, new.body); END;
        CREATE TRIGGER texts_removed AFTER DELETE ON texts BEGIN
            INSERT INTO words (words, rowid, body) VALUES ('delete', old.id, old.body); END
        """,
        """
        CREATE TABLE judged (source INTEGER NOT NULL, number INTEGER NOT NULL, stamp BLOB NOT NULL, body BLOB NOT NULL,
            PRIMARY KEY (source, number)) WITHOUT ROWID
        """,
        # What was written before has no texts of this form: all of it is read again.
        """
        DROP TRIGGER texts_added;
        DROP TRIGGER texts_removed;
        DROP TABLE words;
        DROP TABLE texts;
        DELETE FROM judged;
        DELETE FROM chunks;
        DELETE FROM sources;
        DELETE FROM files;
        CREATE TABLE texts (id INTEGER PRIMARY KEY, source INTEGER NOT NULL, number INTEGER NOT NULL,
            kind TEXT NOT NULL, turn INTEGER NOT NULL, at TEXT NOT NULL, line INTEGER NOT NULL, offset INTEGER NOT NULL,
            length INTEGER NOT NULL, body TEXT NOT NULL, UNIQUE (source, number));
        CREATE VIRTUAL TABLE words USING fts5 (body, content = 'texts', content_rowid = 'id', columnsize = 1);
        CREATE TRIGGER texts_added AFTER INSERT ON texts BEGIN
            INSERT INTO words (rowid, body) VALUES (new.id, new.body); END;
        CREATE TRIGGER texts_removed AFTER DELETE ON texts BEGIN
            INSERT INTO words (words, rowid, body) VALUES ('delete', old.id, old.body); END
        """,
        # By a trigger each row costs the index a write of its own, three times of what all of them take together:
        # whoever puts texts in, puts their words in.
        "DROP TRIGGER texts_added",
    ),
)

_decode_tail = msgspec.msgpack.Decoder(TailState).decode
_decode_notes = msgspec.msgpack.Decoder(tuple[Note, ...]).decode


class FileToSave(Struct, frozen=True):
    path: str
    tail: TailState
    # Those that are whole, each with its session's revision; what is cold stands in the cache already.
    sources: tuple[tuple[Source, int], ...]
    # Parts of the file that are known, cold ones too: others are removed.
    parts: tuple[str, ...]
    # Sources among these whose rows are made already, by key.
    prepared: Mapping[str, Prepared] = {}


class Restored(Struct, frozen=True):
    """One file as it was known."""

    path: str
    tail: TailState
    heads: tuple[tuple[Source, int], ...]


def begin(connection: sqlite3.Connection, fingerprint: str) -> None:
    """Empty the cache where it was written by other code: the same log may give another state now."""
    if _meta(connection, "fingerprint") == fingerprint:
        return
    with transaction(connection):
        for table in ("texts", "chunks", "judged", "sources", "files"):
            connection.execute(f"DELETE FROM {table}")
        connection.execute("INSERT OR REPLACE INTO meta VALUES ('fingerprint', ?)", (fingerprint,))


def note(connection: sqlite3.Connection, notes: Mapping[str, str]) -> None:
    with transaction(connection):
        connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", list(notes.items()))


def floor_under(connection: sqlite3.Connection, settings: str, revision: int) -> int:
    """The least revision of whatever is told under these settings: since they are in force, or `revision` from now."""
    if _meta(connection, "settings") == settings:
        return int(_meta(connection, "floor") or 0)
    note(connection, {"settings": settings, "floor": str(revision)})
    return revision


def _meta(connection: sqlite3.Connection, name: str) -> str | None:
    row = connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    return str(row[0]) if row is not None else None


def save(connection: sqlite3.Connection, files: Sequence[FileToSave], saved: dict[str, Saved]) -> dict[str, Saved]:
    """Write files down; how each of their sources stands in the cache now, by key."""
    with transaction(connection):
        return {key: now for file in files for key, now in _save_file(connection, file, saved)}


def _save_file(
    connection: sqlite3.Connection, file: FileToSave, saved: dict[str, Saved]
) -> Iterable[tuple[str, Saved]]:
    tail = msgspec.msgpack.encode(storable(file.tail))
    path = os.fsencode(file.path)
    connection.execute(
        "INSERT INTO files (path, checksum, tail) VALUES (?1, ?2, ?3) "
        "ON CONFLICT (path) DO UPDATE SET checksum = ?2, tail = ?3",
        (path, checksum_of(tail), tail),
    )
    file_id = connection.execute("SELECT id FROM files WHERE path = ?", (path,)).fetchone()[0]
    known = dict(connection.execute("SELECT part, id FROM sources WHERE file = ?", (file_id,)))
    for part, source_id in known.items():
        if part not in file.parts:
            remove_source(connection, source_id)
    return [
        (
            source.key,
            _save_source(
                connection, file_id, source, revision, saved.get(source.key), prepared=file.prepared.get(source.key)
            ),
        )
        for source, revision in file.sources
    ]


def _save_source(
    connection: sqlite3.Connection,
    file_id: int,
    source: Source,
    revision: int,
    before: Saved | None,
    *,
    prepared: Prepared | None,
) -> Saved:
    row = connection.execute("SELECT id FROM sources WHERE file = ? AND part = ?", (file_id, source.part)).fetchone()
    if row is None:
        before = None
    elif before is None or prepared is not None or not _continues(before.source, source):
        remove_source(connection, row[0])
        row = before = None
    was = before.source.transcript if before is not None else None
    notes = dict(before.notes) if before is not None else {}
    rows = prepared.rows if prepared is not None else rows_of(source, was, notes.values())
    notes.update({(piece.note.field, piece.note.number): piece.note for piece in rows.pieces})
    values = (
        session_id_of(source),
        revision,
        source.transcript.last_at,
        checksum_of(rows.head),
        rows.head,
        msgspec.msgpack.encode(tuple(notes.values())),
    )
    if row is None:
        inserted = connection.execute(
            "INSERT INTO sources (session, revision, last_at, head_checksum, head, notes, file, part) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (*values, file_id, source.part),
        )
        source_id = inserted.lastrowid
    else:
        source_id = row[0]
        connection.execute(
            "UPDATE sources SET session = ?, revision = ?, last_at = ?, head_checksum = ?, head = ?, notes = ? "
            "WHERE id = ?",
            (*values, source_id),
        )
        remove_texts(connection, source_id, rows.texts)
    connection.executemany(
        "INSERT OR REPLACE INTO chunks (source, field, number, body) VALUES (?, ?, ?, ?)",
        [(source_id, piece.note.field, piece.note.number, piece.body) for piece in rows.pieces],
    )
    save_texts(connection, source_id or 0, rows.texts)
    return Saved(source, notes)


def _continues(before: Source, now: Source) -> bool:
    """Whether nothing that was written down has to be taken back."""
    was, is_ = before.transcript, now.transcript
    return all(len(getattr(is_, field)) >= len(getattr(was, field)) for field in GROWING)


def storable(tail: TailState) -> TailState:
    """Without the bytes of the unfinished line, which are read again, and looked at again for them.

    A file that was not read to its end is stored as one that has grown since, so that its proofs are looked at.
    """
    stamp = msgspec.structs.replace(tail.stamp, size=tail.end) if tail.has_more else tail.stamp
    return msgspec.structs.replace(tail, pending=(), stamp=stamp, is_settled=tail.is_settled and not tail.pending)


def load(connection: sqlite3.Connection) -> list[Restored]:
    """Everything that is known, heads only. What is damaged is left out, as if it had never been read."""
    heads: dict[int, list[tuple[Source, int]]] = {}
    damaged: set[int] = set()
    inexact: set[int] = set()
    rows = connection.execute("SELECT file, revision, head_checksum, head, notes FROM sources ORDER BY id")
    for file, revision, checksum, body, notes in rows:
        try:
            heads.setdefault(file, []).append((head_from(body, checksum), revision))
            if not all(note.exact for note in _decode_notes(notes)):
                inexact.add(file)
        except (Damaged, msgspec.DecodeError):
            damaged.add(file)
    restored: list[Restored] = []
    for file, path, checksum, body in connection.execute("SELECT id, path, checksum, tail FROM files"):
        if file in damaged or checksum_of(body) != checksum:
            continue
        try:
            tail = _decode_tail(body)
        except msgspec.DecodeError:
            continue
        if file in inexact:
            tail = unproven(tail)
        restored.append(Restored(os.fsdecode(path), tail, tuple(heads.get(file, ()))))
    return restored


def unproven(tail: TailState) -> TailState:
    """What is known may be shown, but not be gone on from: without a proof, growth is read from zero."""
    return msgspec.structs.replace(tail, tail_proof=b"")


def whole(connection: sqlite3.Connection, path: str, head: Source) -> Saved | None:
    """A source with all of its transcript, or None where it is not there or damaged."""
    with transaction(connection, "DEFERRED"):
        row = connection.execute(
            "SELECT sources.id, notes, head_checksum, head FROM sources JOIN files ON files.id = file "
            "WHERE path = ? AND part = ?",
            (os.fsencode(path), head.part),
        ).fetchone()
        if row is None:
            return None
        found = connection.execute("SELECT field, number, body FROM chunks WHERE source = ?", (row[0],)).fetchall()
    try:
        notes = _decode_notes(row[1])
        stored = head_from(row[3], row[2])
        if stored.transcript.totals.records < head.transcript.totals.records:
            # Written down before the head was made: less than what is known already.
            return None
        transcript = transcript_from(notes, {(field, number): body for field, number, body in found})
    except (Damaged, msgspec.DecodeError):
        return None
    source = msgspec.structs.replace(stored, transcript=transcript, is_cold=False)
    return Saved(source, {(note.field, note.number): note for note in notes})


def remove_source(connection: sqlite3.Connection, source: int) -> None:
    for table, column in (("texts", "source"), ("chunks", "source"), ("judged", "source"), ("sources", "id")):
        connection.execute(f"DELETE FROM {table} WHERE {column} = ?", (source,))


# ---- what was decided in each scene of a source


# The row that says that a source was judged to its end, and what it was then.
_MARK = -1


def save_judged(connection: sqlite3.Connection, path: str, part: str, rows: Sequence[JudgedRow], mark: str) -> bool:
    """Whether there is a source to write it down with: it may be written a moment later."""
    with transaction(connection):
        source = _source_at(connection, path, part)
        if source is None:
            return False
        connection.executemany(
            "INSERT OR REPLACE INTO judged (source, number, stamp, body) VALUES (?, ?, ?, ?)",
            [*((source, row.number, row.stamp, row.body) for row in rows), (source, _MARK, mark.encode(), b"")],
        )
    return True


def judged_marks(connection: sqlite3.Connection) -> dict[tuple[str, str], str]:
    """By path and part."""
    rows = connection.execute(
        "SELECT path, part, stamp FROM judged JOIN sources ON sources.id = source JOIN files ON files.id = file "
        "WHERE number = ?",
        (_MARK,),
    )
    return {(os.fsdecode(path), part): bytes(stamp).decode() for path, part, stamp in rows}


def judged_of(connection: sqlite3.Connection, path: str, part: str) -> dict[int, JudgedRow]:
    """By the numbers of the scenes."""
    source = _source_at(connection, path, part)
    rows = connection.execute("SELECT number, stamp, body FROM judged WHERE source = ? AND number > ?", (source, _MARK))
    return {number: JudgedRow(number, stamp, body) for number, stamp, body in rows}


def _source_at(connection: sqlite3.Connection, path: str, part: str) -> int | None:
    row = connection.execute(
        "SELECT sources.id FROM sources JOIN files ON files.id = file WHERE path = ? AND part = ?",
        (os.fsencode(path), part),
    ).fetchone()
    return int(row[0]) if row is not None else None


# ---- texts to search in: what was said and done

_OF_TEXTS = "FROM texts JOIN sources ON sources.id = texts.source"
_IN_INDEX = "texts.id IN (SELECT rowid FROM words WHERE words MATCH ?)"
# So many are ranked, the best by how much of them is about the words.
_RANKED = 2_000
# Where so many have all words, nobody asks what has some.
_ENOUGH = 100
# Between two looks whether somebody still waits.
_STEPS_UNHEEDED = 100_000


def remove_texts(connection: sqlite3.Connection, source: int, texts: Sequence[TextRow]) -> None:
    """Make way for these: what is there of the same passages. To find that there is nothing takes half as long as to
    write it down, so nobody asks for those of a source that is new."""
    connection.executemany("DELETE FROM texts WHERE source = ? AND number = ?", [(source, row.number) for row in texts])


# Some 1 ms of this thread for each megabyte of a log, of which one part in fifty is words: an eighth of reading it.
def save_texts(connection: sqlite3.Connection, source: int, texts: Sequence[TextRow]) -> None:
    """Add texts of passages of which there are none."""
    last = connection.execute("SELECT coalesce(max(id), 0) FROM texts").fetchone()[0]
    numbered = list(enumerate((row for row in texts if row.body), last + 1))
    connection.executemany(
        "INSERT INTO texts (id, source, number, kind, turn, at, line, offset, length, body) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                id_,
                source,
                row.number,
                row.kind,
                row.turn,
                row.at,
                row.place.line,
                row.place.offset,
                row.place.length,
                row.body,
            )
            for id_, row in numbered
        ],
    )
    connection.executemany("INSERT INTO words (rowid, body) VALUES (?, ?)", [(id_, row.body) for id_, row in numbered])


def search(connection: sqlite3.Connection, query: str) -> frozenset[str]:
    """Ids of sessions in which somebody said all of the words, each as a word or its beginning."""
    return sessions_with(connection, query_of(query))


def sessions_with(connection: sqlite3.Connection, query: Query) -> frozenset[str]:
    found: set[str] | None = None
    for word in query.words:
        if found is not None and not found:
            break
        only = Query((word,))
        condition, values = _condition(only, _match(only))
        rows = connection.execute(f"SELECT DISTINCT session {_OF_TEXTS} WHERE {condition}", values)
        ids = {session for (session,) in rows}
        found = ids if found is None else found & ids
    return frozenset(found or ())


class FoundText(Found, frozen=True, kw_only=True):
    id: int


def find_texts(connection: sqlite3.Connection, query: Query, sessions: Sequence[str] | None) -> list[FoundText]:
    """Texts with all of the words; then, of sessions in which all were said, the one with most about them. In order.

    With `sessions`, only of these. Somebody who no longer waits ends it.
    """
    with _given_up_with(connection):
        found = _ranked(connection, query, _match(query), sessions)
        if len(query.words) == 1:
            return in_order(found)
        phrases = {each.id for each in _ranked(connection, query, _phrase(query), sessions)} if query.spaced else set()
        found = [msgspec.structs.replace(each, is_phrase=each.id in phrases) for each in found]
        others: frozenset[str] = frozenset()
        if len(found) < _ENOUGH:
            others = sessions_with(connection, query).difference(each.session for each in found)
        if sessions is not None:
            others &= set(sessions)
        if others and query.spaced:
            best: dict[str, FoundText] = {}
            for each in _ranked(connection, Query(query.spaced), _match(query, joined=" OR "), tuple(others)):
                best.setdefault(each.session, msgspec.structs.replace(each, has_all=False))
            found += best.values()
        return in_order(found)


def long_texts(connection: sqlite3.Connection, sessions: Sequence[str] | None, most: int) -> list[FoundText]:
    """The latest messages that may be kept without their middle."""
    marks = ", ".join("?" * len(SAID))
    condition = f"length(body) >= ? AND texts.kind IN ({marks})"
    values: tuple[int | str, ...] = (LONG_CHARS, *SAID)
    if sessions is not None:
        condition += " AND session IN (SELECT value FROM json_each(?))"
        values = (*values, msgspec.json.encode(sessions).decode())
    with _given_up_with(connection):
        rows = connection.execute(
            f"SELECT texts.id, session, texts.at {_OF_TEXTS} WHERE {condition} ORDER BY texts.at DESC LIMIT ?",
            (*values, most),
        ).fetchall()
    return [FoundText(session, at, 0.0, id=id_) for id_, session, at in rows]


def texts_at(connection: sqlite3.Connection, ids: Sequence[int]) -> dict[int, tuple[str, str, TextRow]]:
    """By id: the path of the file, the part of it, and the text."""
    rows = connection.execute(
        "SELECT texts.id, path, part, number, kind, turn, at, line, offset, length, body "
        f"{_OF_TEXTS} JOIN files ON files.id = sources.file WHERE texts.id IN (SELECT value FROM json_each(?))",
        (msgspec.json.encode(ids).decode(),),
    )
    return {
        id_: (os.fsdecode(path), part, TextRow(number, kind, turn, at, Place(line, offset, length), body))
        for id_, path, part, number, kind, turn, at, line, offset, length, body in rows
    }


def _ranked(
    connection: sqlite3.Connection, query: Query, match: str, sessions: Sequence[str] | None
) -> list[FoundText]:
    condition, values = _condition(query, match, how="words MATCH ?")
    if sessions is not None:
        condition += " AND session IN (SELECT value FROM json_each(?))"
        values = (*values, msgspec.json.encode(sessions).decode())
    columns = "texts.id, session, texts.at, texts.kind"
    if match:
        rows = connection.execute(
            f"SELECT {columns}, bm25(words) {_OF_TEXTS} JOIN words ON words.rowid = texts.id "
            f"WHERE {condition} ORDER BY rank LIMIT {_RANKED}",
            values,
        )
    else:
        rows = connection.execute(
            f"SELECT {columns}, -1.0 {_OF_TEXTS} WHERE {condition} ORDER BY texts.at DESC LIMIT {_RANKED}", values
        )
    return [FoundText(session, at, -rank * SEARCHED.get(kind, 1.0), id=id_) for id_, session, at, kind, rank in rows]


def _match(query: Query, *, joined: str = " AND ") -> str:
    """What the index is asked for. It takes a run of characters without spaces for one word: those are not in it."""
    return joined.join(f'"{word}"*' for word in query.spaced)


def _phrase(query: Query) -> str:
    return f'"{" ".join(query.spaced)}"*'


def _condition(query: Query, match: str, *, how: str = _IN_INDEX) -> tuple[str, tuple[str, ...]]:
    conditions = [how] if match else []
    conditions += ["texts.body LIKE ?"] * len(query.unspaced)
    return " AND ".join(conditions) or "0", ((match,) if match else ()) + tuple(f"%{each}%" for each in query.unspaced)


@contextmanager
def _given_up_with(connection: sqlite3.Connection) -> Iterator[None]:
    """A statement ends where nobody waits for it any more."""
    given_up: list[GivenUp] = []

    def look() -> int:
        try:
            look_up()
        except GivenUp as error:
            given_up.append(error)
        return len(given_up)

    connection.set_progress_handler(look, _STEPS_UNHEEDED)
    try:
        yield
    except sqlite3.OperationalError:
        if given_up:
            raise given_up[0] from None
        raise
    finally:
        connection.set_progress_handler(None, 0)


# ---- taking things out: files that are gone, what is too much, what is to be forgotten


def remove_files(connection: sqlite3.Connection, paths: Iterable[str]) -> None:
    with transaction(connection):
        for path in paths:
            _remove_file(connection, os.fsencode(path))


def make_room(connection: sqlite3.Connection, max_bytes: int, *, share: float = 0.9) -> int:
    """Remove what was active longest ago until the file is well below its limit; how many files that took."""
    removed = 0
    goal = int(max_bytes * share)
    if size_of(connection) <= max_bytes:
        return 0
    oldest = connection.execute(
        "SELECT path FROM files LEFT JOIN sources ON sources.file = files.id GROUP BY files.id ORDER BY max(last_at)"
    ).fetchall()
    for (path,) in oldest:
        if size_of(connection) <= goal:
            break
        with transaction(connection):
            _remove_file(connection, path)
        removed += 1
    connection.execute("INSERT INTO words (words) VALUES ('optimize')")
    # As a script: the pragma gives back one page a step, in rows without columns, of which `execute` takes the first.
    connection.executescript("PRAGMA incremental_vacuum")
    return removed


def size_of(connection: sqlite3.Connection) -> int:
    """Bytes of the pages in use."""
    pages, free, size = (
        int(connection.execute(f"PRAGMA {name}").fetchone()[0])
        for name in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * size


def _remove_file(connection: sqlite3.Connection, path: bytes) -> None:
    row = connection.execute("SELECT id FROM files WHERE path = ?", (path,)).fetchone()
    if row is None:
        return
    for (source,) in connection.execute("SELECT id FROM sources WHERE file = ?", row).fetchall():
        remove_source(connection, source)
    connection.execute("DELETE FROM files WHERE id = ?", row)


def touch(connection: sqlite3.Connection, at: str) -> None:
    """Write something."""
    note(connection, {"touched": at})


def shred(connection: sqlite3.Connection, session_id: str, paths: Iterable[str]) -> None:
    """Remove a session, and every trace of its words, in the index and in the log of changes too."""
    remove_files(connection, paths)
    with transaction(connection):
        for (source,) in connection.execute("SELECT id FROM sources WHERE session = ?", (session_id,)).fetchall():
            remove_source(connection, source)
    connection.execute("INSERT INTO words (words) VALUES ('optimize')")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


# ---- what a state depends on besides the log: the code that made it, and the formats the user described


def fingerprint() -> str:
    """Another one means that the same log may give another state. Reading all of that code takes 5 ms."""
    digest = blake2b(digest_size=16)
    digest.update("\n".join((recapd.__version__, *known_formats())).encode())
    package = Path(recapd.__file__).parent
    for folder in ("core", "adapters"):
        for path in sorted((package / folder).rglob("*.py")):
            digest.update(str(path.relative_to(package)).encode())
            digest.update(path.read_bytes())
    digest.update(repr(usable_dialects(config_path())).encode())
    return digest.hexdigest()
