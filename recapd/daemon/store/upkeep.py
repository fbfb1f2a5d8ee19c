"""Taking things out of `cache.db`: files that are gone, what is too much, what is to be forgotten."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable

from recapd.daemon.store.cache import note, remove_source
from recapd.daemon.store.database import transaction


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
