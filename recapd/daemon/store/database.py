"""One SQLite file of the store: made privately, opened, brought up to date, and set aside where it cannot be used.

    open ─▶ ours, this version ─▶ use          older ─▶ migrate, use
            newer, foreign, damaged ─▶ rename with the time, begin anew, say so
    taken away while it is open ─▶ written back from the open connection, say so

Knows no table; what a file holds and how it grew over versions is its owner's `Schema`.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Literal

from msgspec import Struct

from recapd.core.trouble import Trouble

# "rcpd": whose file it is.
APPLICATION_ID = 0x72637064
# Nobody but us writes; a backup program may hold the file for a moment.
_BUSY_MS = 2_000
# The log of changes is cut back to this when it was longer.
_WAL_BYTES = 4 << 20
# Files that were set aside and are older than the latest few are removed: each is as large as the store was.
_KEPT_ASIDE = 2

_SIDES = ("", "-wal", "-shm")
_DAMAGED = ("malformed", "not a database", "corrupt", "integrity")


class Schema(Struct, frozen=True):
    """What a file holds: `steps[n]` makes version n + 1 of version n."""

    name: str
    steps: Sequence[str]
    # FULL where what was acknowledged must survive a loss of power.
    synchronous: Literal["NORMAL", "FULL"]

    @property
    def version(self) -> int:
        return len(self.steps)


class Unusable(Exception):
    """The file is no store of ours, or not whole; the message says which, in a few words."""


def connect(path: str, schema: Schema) -> sqlite3.Connection:
    """The file, made or brought up to date. Unusable where it is newer, foreign or damaged; else sqlite3.Error."""
    _make_private(path)
    # Each connection is used by one thread at a time, but not always the same one.
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=_BUSY_MS / 1000)
    try:
        _prepare(connection, schema)
    except sqlite3.DatabaseError as error:
        connection.close()
        if is_damage(error):
            raise Unusable("is damaged") from None
        raise
    except BaseException:
        connection.close()
        raise
    return connection


def open_in_memory(schema: Schema) -> sqlite3.Connection:
    """The same tables in no file."""
    connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    _prepare(connection, schema)
    return connection


def _prepare(connection: sqlite3.Connection, schema: Schema) -> None:
    application, version = _number(connection, "application_id"), _number(connection, "user_version")
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    if application != APPLICATION_ID and (application or version or tables):
        raise Unusable("is not recapd's")
    if version > schema.version:
        raise Unusable("was written by a newer recapd")
    if not tables:
        # Only a file that is still empty can be told to give pages back.
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(f"PRAGMA synchronous = {schema.synchronous}")
    connection.execute(f"PRAGMA journal_size_limit = {_WAL_BYTES}")
    # What a user has forgotten must not be left in pages that are merely free.
    connection.execute("PRAGMA secure_delete = ON")
    for number in range(version, schema.version):
        connection.executescript(
            f"BEGIN IMMEDIATE; {schema.steps[number]}; PRAGMA application_id = {APPLICATION_ID}; "
            f"PRAGMA user_version = {number + 1}; COMMIT;"
        )
    # The other file is large, and each of its rows is checked when it is read.
    if schema.synchronous == "FULL" and connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
        raise Unusable("is damaged")


@contextmanager
def transaction(connection: sqlite3.Connection, mode: Literal["IMMEDIATE", "DEFERRED"] = "IMMEDIATE") -> Iterator[None]:
    """All of it or nothing."""
    connection.execute(f"BEGIN {mode}")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def open_or_begin(path: str, schema: Schema) -> tuple[sqlite3.Connection, str]:
    """The file, and what was wrong with the one before it where that had to be set aside."""
    try:
        return connect(path, schema), ""
    except Unusable as error:
        aside = set_aside(path)
        return connect(path, schema), f"{os.path.basename(path)} {error} and was set aside as {aside}"


def places_of(path: str) -> dict[str, tuple[int, int]]:
    """Which files stand at the names of a database and of what SQLite puts beside it; without those that are not."""
    found: dict[str, tuple[int, int]] = {}
    for side in _SIDES:
        try:
            status = os.lstat(path + side)
        except OSError:
            continue
        found[side] = (status.st_dev, status.st_ino)
    return found


def write_back(connection: sqlite3.Connection, path: str, *, known: Mapping[str, tuple[int, int]]) -> None:
    """Put the database that a connection still has open at its name again, whole, and close the connection. Somebody
    took one of the `known` files away, or put another in its place, which is set aside."""
    beside = f"{path}.new"
    _remove(beside)
    _make_private(beside)
    copy = sqlite3.connect(beside, isolation_level=None)
    try:
        connection.backup(copy)
    finally:
        copy.close()
    if places_of(path).get("") == known.get(""):
        _remove(path)
    else:
        set_aside(path)
    os.replace(beside, path)
    # When it is closed, SQLite removes what stands beside the name, so nobody may have opened the new file before.
    connection.close()


def _remove(path: str) -> None:
    for side in _SIDES:
        with suppress(FileNotFoundError):
            os.unlink(path + side)


def set_aside(path: str, now: Callable[[], float] = time.time) -> str:
    """Out of the way, but not gone: somebody may want to look into it. The new name, without the folder."""
    stamp = time.strftime("%Y%m%dT%H%M%S", time.gmtime(now()))
    name = f"{path}.{stamp}.aside"
    number = 1
    while os.path.exists(name):
        number += 1
        name = f"{path}.{stamp}-{number}.aside"
    for side in _SIDES:
        if os.path.exists(path + side):
            os.replace(path + side, name + side)
    _tidy(path)
    return os.path.basename(name)


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the file itself is at fault, rather than the disk or somebody who holds it."""
    return any(word in str(error) for word in _DAMAGED)


def trouble_of(error: Exception, path: str) -> Trouble:
    """What keeps a file from being written, and what to do."""
    text, folder = str(error), os.path.dirname(path)
    if "full" in text:
        return Trouble(
            f"There is no room for what recapd keeps in {folder}", "free some, and recapd goes on by itself."
        )
    if "readonly" in text or "unable to open" in text or isinstance(error, PermissionError):
        return Trouble(f"recapd may not write in {folder}", "allow it, and recapd goes on by itself.")
    return Trouble(f"What recapd keeps in {folder} cannot be written ({text[:80]})", "recapd tries again.")


def _tidy(path: str) -> None:
    folder, name = os.path.split(path)
    old = sorted(each for each in os.listdir(folder) if each.startswith(f"{name}.") and each.endswith(".aside"))
    for each in old[:-_KEPT_ASIDE]:
        for side in _SIDES:
            if os.path.exists(os.path.join(folder, each + side)):
                os.unlink(os.path.join(folder, each + side))


def _make_private(path: str) -> None:
    """The file and its folder, ours alone. What SQLite puts beside the file gets the file's mode."""
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    if os.path.islink(path):
        raise Unusable("is a link")
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    except PermissionError:
        # Read-only: SQLite says so at the first attempt to write.
        return
    try:
        if os.fstat(descriptor).st_mode & 0o077:
            os.fchmod(descriptor, 0o600)
    finally:
        os.close(descriptor)


def _number(connection: sqlite3.Connection, pragma: str) -> int:
    return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])
