"""What is kept on disk, for a single command without a daemon: read as it stands, written under the daemon's lock.

Opens nothing until something is asked for, and makes no file by reading.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from recapd.client.errors import ClientError
from recapd.client.paths import Places
from recapd.core.state import Source
from recapd.daemon.clock import now, now_ms
from recapd.daemon.engine import Nobody
from recapd.daemon.lock import try_lock
from recapd.daemon.store.cache import fingerprint
from recapd.daemon.store.kept import SCHEMA, DurableRows, Kept, Relic, Tombstone
from recapd.daemon.store.store import Store
from recapd.server.workspaces import path_of
from recapd.wire.errors import request_failed

T = TypeVar("T")

# A disk that takes longer than this for one row hangs.
_WRITE_S = 10.0


class Offline(DurableRows):
    """The rows of `kept.db`, if there is one."""

    def __init__(self, where: Places) -> None:
        super().__init__(Nobody())
        self._where = where
        self._rows: Kept | None = None
        self._db: sqlite3.Connection | None = None

    def known(self) -> Kept | None:
        return self._read(lambda kept, db: kept)

    def read(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        return self._read(lambda kept, db: work(db))

    def keep(self, work: Callable[[Kept], T]) -> T:
        return self._write(lambda store: store.keep(work))

    def revise(self, session_id: str, work: Callable[[Kept, int], T]) -> T:
        return self._write(lambda store: store.revise(session_id, work))

    def tombstones(self) -> Mapping[str, Tombstone]:
        kept = self.known()
        return kept.tombstones() if kept is not None else {}

    def relics(self) -> list[Relic]:
        """Heads of logs that were deleted since."""
        return self.read(Kept.relics) or []

    def whole(self, head: Source) -> Source:
        """All that is kept of a deleted log; the head where that is damaged."""
        return self.read(lambda db: Kept.relic(db, head.uri, head.part)) or head

    def bury(self, session_id: str, uris: Sequence[str], paths: Sequence[str]) -> int:
        """Forget a session; its revision after that."""

        def work(store: Store) -> int:
            revision = store.pass_ceiling(now_ms())
            store.bury(Tombstone(session_id, now(), revision, tuple(uris)))
            store.shred(session_id, paths)
            return revision

        return self._write(work)

    def unbury(self, session_id: str) -> int:

        def work(store: Store) -> int:
            revision = store.pass_ceiling(now_ms())
            store.unbury(session_id, revision)
            return revision

        return self._write(work)

    def _read(self, work: Callable[[Kept, sqlite3.Connection], T]) -> T | None:
        try:
            if self._rows is None or self._db is None:
                path = os.path.join(self._where.state_dir, f"{SCHEMA.name}.db")
                if not os.path.exists(path):
                    return None
                self._db = sqlite3.connect(
                    f"{Path(path).as_uri()}?mode=ro", uri=True, isolation_level=None, check_same_thread=False
                )
                self._rows = Kept(self._db, now)
            return work(self._rows, self._db)
        except sqlite3.Error:
            # Of another version, or damaged: the daemon deals with it, and a single command answers without.
            return None

    def _write(self, work: Callable[[Store], T]) -> T:
        try:
            self._where.prepare()
            lock = try_lock(self._where.lock)
        except (ClientError, OSError) as error:
            raise request_failed(f"This cannot be written down: {error}") from None
        if lock is None:
            raise request_failed("A recapd is running, and nobody else writes this down; see: recapd status")
        nobody = Nobody(lambda: store.pass_ceiling(now_ms()))
        store = Store(self._where.state_dir, nobody, now=now, fingerprint=fingerprint)
        try:
            return work(store)
        finally:
            store.close(_WRITE_S)
            lock.release()
            self.close()

    def close(self) -> None:
        """What is read next is read anew."""
        if self._db is not None:
            self._db.close()
        self._rows = self._db = None


def forgotten_paths(where: Places) -> list[str]:
    """Files of sessions that the user wants forgotten."""
    offline = Offline(where)
    try:
        return [path_of(uri) for tombstone in offline.tombstones().values() for uri in tombstone.uris]
    finally:
        offline.close()
