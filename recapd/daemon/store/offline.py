"""What is kept on disk, for a single command without a daemon: read as it stands, written under the daemon's lock.

Fulfils server.durable.Durable. Opens nothing until something is asked for, and makes no file by reading.
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
from recapd.daemon.lock import try_lock
from recapd.daemon.store.cache import fingerprint
from recapd.daemon.store.kept import SCHEMA, Kept, Relic, Tombstone
from recapd.daemon.store.store import Nobody, Store
from recapd.server.durable import AuditRow, StoredSummary, Verdict, VerdictWord
from recapd.server.workspaces import path_of
from recapd.wire.errors import request_failed

T = TypeVar("T")

# A disk that takes longer than this for one row hangs.
_WRITE_S = 10.0


class Offline:
    """The rows of `kept.db`, if there is one."""

    def __init__(self, where: Places) -> None:
        self._where = where
        self._rows: Kept | None = None
        self._db: sqlite3.Connection | None = None

    def verdicts(self, session_id: str) -> Mapping[str, Verdict]:
        return self._read(lambda kept, db: kept.verdicts(session_id), {})

    def set_verdict(self, session_id: str, decision_id: str, *, word: VerdictWord, reason: str = "") -> Verdict:
        return self._write(lambda store: store.set_verdict(session_id, decision_id, word=word, reason=reason))

    def withdraw_verdict(self, session_id: str, decision_id: str, *, reason: str = "") -> int:
        return self._write(lambda store: store.withdraw_verdict(session_id, decision_id, reason=reason))

    def summaries(self, session_id: str) -> tuple[StoredSummary, ...]:
        return self._read(lambda kept, db: kept.summaries(db, session_id), ())

    def add_summary(self, session_id: str, body: bytes) -> StoredSummary:
        return self._write(lambda store: store.add_summary(session_id, body))

    def audit(self, session_id: str, action: str, detail: str = "") -> None:
        self._write(lambda store: store.audit(session_id, action, detail))

    def audit_of(self, session_id: str) -> tuple[AuditRow, ...]:
        return self._read(lambda kept, db: kept.audit_of(db, session_id), ())

    def marks_of(self, session_id: str) -> Mapping[str, str]:
        """By reader: the cursor up to which it has read."""
        return self._read(lambda kept, db: kept.marks_of(session_id), {})

    def tombstones(self) -> Mapping[str, Tombstone]:
        return self._read(lambda kept, db: kept.tombstones(), {})

    def relics(self) -> list[Relic]:
        """Heads of logs that were deleted since."""
        return self._read(lambda kept, db: kept.relics(db), [])

    def whole(self, head: Source) -> Source:
        """All that is kept of a deleted log; the head where that is damaged."""
        return self._read(lambda kept, db: kept.relic(db, head.uri, head.part), None) or head

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

    def _read(self, work: Callable[[Kept, sqlite3.Connection], T], otherwise: T) -> T:
        try:
            if self._rows is None or self._db is None:
                path = os.path.join(self._where.state_dir, f"{SCHEMA.name}.db")
                if not os.path.exists(path):
                    return otherwise
                self._db = sqlite3.connect(
                    f"{Path(path).as_uri()}?mode=ro", uri=True, isolation_level=None, check_same_thread=False
                )
                self._rows = Kept(self._db, now)
            return work(self._rows, self._db)
        except sqlite3.Error:
            # Of another version, or damaged: the daemon deals with it, and a single command answers without.
            return otherwise

    def _write(self, work: Callable[[Store], T]) -> T:
        try:
            self._where.prepare()
            lock = try_lock(self._where.lock)
        except (ClientError, OSError) as error:
            raise request_failed(f"This cannot be written down: {error}") from None
        if lock is None:
            raise request_failed("A running recapd keeps this, but did not answer; see: recapd status")
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
