"""The store: both files, the thread that writes them, and what others may ask of them.

    loop ─▶ Saver ─▶ save() ─▶ writer thread ─▶ cache.db        request ─▶ whole(), find() ─▶ a reading connection
    request's thread ─▶ set_verdict(), ... ─▶ writer thread ─▶ kept.db, on disk when it returns

Answering never depends on a disk: what cannot be read is read from the log, what cannot be written is said to be so.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import TypeVar

from recapd.client.paths import ORIENTATIONS
from recapd.core.retrieval import Query
from recapd.core.state import Source, source_key
from recapd.core.trouble import Trouble
from recapd.daemon.encoding import JudgedRow, Saved, TextRow
from recapd.daemon.engine import CacheLost, StoreTroubled, Told
from recapd.daemon.store import cache
from recapd.daemon.store.file import TROUBLES, StoreFile, Writer
from recapd.daemon.store.kept import SCHEMA as KEPT
from recapd.daemon.store.kept import DurableRows, Kept, Relic, Tombstone
from recapd.server.searching import Said
from recapd.server.workspaces import path_of
from recapd.wire.errors import request_failed

T = TypeVar("T")

# What lies in the folder while the store is open.
FILES = tuple(f"{schema.name}.db{end}" for schema in (cache.SCHEMA, KEPT) for end in ("", "-wal"))
# So many revisions are given out before a higher ceiling has to be on disk, which is asked for when half of them are:
# the rest is for the time until it is written. After a crash revisions go on beyond the ceiling, so it is not far.
CEILING_STEP = 100_000

_NOT_SEARCHED = (
    "What was said cannot be searched now, as what recapd wrote down of it cannot be read; "
    "try again in a moment, and if that lasts, `recapd status` says what is in the way."
)


class Store(DurableRows):
    """What one daemon keeps on disk. `open` it first, in a thread; `close` it at the end."""

    def __init__(self, folder: str, engine: Told, *, now: Callable[[], str], fingerprint: Callable[[], str]) -> None:
        super().__init__(engine)
        self.folder = folder
        self._now = now
        self._writer = Writer()
        # What is known of `kept.db`; None where it could not be opened yet.
        self.kept: Kept | None = None
        self._cache_file = StoreFile(
            folder,
            cache.SCHEMA,
            self._writer,
            on_open=lambda db: cache.begin(db, fingerprint()),
            on_trouble=partial(engine.apply_soon, StoreTroubled()),
            on_lost=partial(engine.apply_soon, CacheLost()),
        )
        self._kept_file = StoreFile(
            folder,
            KEPT,
            self._writer,
            on_open=self._read_kept,
            on_trouble=partial(engine.apply_soon, StoreTroubled()),
        )

    @property
    def troubles(self) -> tuple[Trouble, ...]:
        """What keeps it from being written, and what had to be set aside lately."""
        files = (self._kept_file, self._cache_file)
        troubles = tuple(dict.fromkeys(file.trouble for file in files if file.trouble is not None))
        return (*troubles, *(notice for file in files for notice in file.notices))

    @property
    def has_trouble(self) -> bool:
        return bool(self._kept_file.trouble or self._cache_file.trouble)

    def open(self) -> None:
        """Open what can be opened; the rest is tried again whenever it is needed."""
        for file in (self._kept_file, self._cache_file):
            file.attempt(lambda db: None)

    def close(self, timeout_s: float) -> bool:
        """Finish what waits and close; whether that was done in time."""
        self._writer.submit(self._cache_file.close)
        self._writer.submit(self._kept_file.close)
        return self._writer.end(timeout_s)

    # ---- the cache

    def load(self) -> list[cache.Restored]:
        return self._cache_file.attempt(cache.load) or []

    def save(self, files: Sequence[cache.FileToSave], saved: dict[str, Saved]) -> Future[dict[str, Saved]]:
        """Write down in the writer's thread; the future fails where that cannot be done now."""
        return self._cache_file.submit(lambda db: cache.save(db, files, saved))

    def whole(self, path: str, head: Source) -> Saved | None:
        """All of a source of which only the head is in memory; None where the log has to be read for it."""
        if head.is_gone and (found := self.read(lambda db: Kept.relic(db, head.uri, head.part))) is not None:
            return Saved(found, {})
        return self._cache_file.read(lambda db: cache.whole(db, path, head))

    def judged_of(self, source: Source) -> Mapping[int, JudgedRow]:
        """What was decided in the scenes of a source, by their numbers, as far as it is written down."""
        path = path_of(source.uri)
        return self._cache_file.read(lambda db: cache.judged_of(db, path, source.part)) or {}

    def judged_marks(self) -> Mapping[str, str]:
        """Of sources that were judged to their end, by key: what each was then."""
        marks = self._cache_file.read(cache.judged_marks) or {}
        return {source_key(Path(path).as_uri(), part): mark for (path, part), mark in marks.items()}

    def save_judged(self, source: Source, rows: Sequence[JudgedRow], mark: str) -> Future[bool]:
        """Whether it is written down; else it can be once the source is."""
        path = path_of(source.uri)
        return self._cache_file.submit(lambda db: cache.save_judged(db, path, source.part, rows, mark))

    def find(self, query: str) -> frozenset[str]:
        """Ids of sessions in which these words were said."""
        return self._cache_file.read(lambda db: cache.search(db, query)) or frozenset()

    def search(
        self, query: Query, sessions: Collection[str] | None, *, first: int, limit: int
    ) -> tuple[Sequence[Said], bool]:
        """One page of what was said with these words, and whether there is more. RecapError where nobody can tell."""

        def work(db: sqlite3.Connection) -> tuple[Sequence[Said], bool]:
            found = cache.find_texts(db, query, sorted(sessions) if sessions is not None else None)
            return _told(db, found[first : first + limit]), len(found) > first + limit

        return self._search_with(work)

    def long_texts(self, sessions: Collection[str] | None, most: int) -> Sequence[Said]:
        """The latest messages that may be kept without their middle. RecapError as well."""
        wanted = sorted(sessions) if sessions is not None else None
        return self._search_with(lambda db: _told(db, cache.long_texts(db, wanted, most)))

    def _search_with(self, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            return self._cache_file.read_apart(work)
        except sqlite3.Error:
            raise request_failed(_NOT_SEARCHED, retryable=True) from None

    def floor_under(self, settings: str, revision: int) -> Future[int]:
        """The least revision of what is told under these settings; `revision` where they are new."""
        return self._cache_file.submit(lambda db: cache.floor_under(db, settings, revision))

    def drop(self, paths: Sequence[str]) -> Future[None]:
        """Files that are gone or void."""
        return self._cache_file.submit(lambda db: cache.remove_files(db, paths))

    def make_room(self, max_bytes: int) -> Future[int]:
        return self._cache_file.submit(lambda db: cache.make_room(db, max_bytes))

    def probe(self) -> None:
        """Write something, to see whether what was in the way is gone."""
        if self._cache_file.trouble:
            self._cache_file.submit(lambda db: cache.touch(db, self._now()))
        if self._kept_file.trouble:
            self._kept_file.submit(lambda db: self._rows().set_ceiling(self._rows().ceiling))

    def look_after_files(self) -> None:
        """Have what somebody took away put back, also where nothing is to be written."""
        for file in (self._kept_file, self._cache_file):
            file.look_after()

    # ---- what cannot be read again: on disk when it returns; RecapError where that cannot be

    def known(self) -> Kept | None:
        return self.kept

    def read(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        return self._kept_file.read(work)

    def keep(self, work: Callable[[Kept], T]) -> T:
        try:
            return self._kept_file.do(lambda db: work(self._rows()))
        except TROUBLES:
            trouble = self._kept_file.trouble or Trouble("This could not be written down", "try again.")
            raise request_failed(str(trouble)) from None

    def bury(self, tombstone: Tombstone) -> None:
        """Forget what was kept of a session."""
        self.keep(lambda kept: kept.bury(tombstone))

    def shred(self, session_id: str, paths: Sequence[str]) -> None:
        """Remove every trace of a session's words from what can be made again, once nobody writes it any more."""
        self._cache_file.attempt(lambda db: cache.shred(db, session_id, paths))
        # What a new session is told of a folder has words of several of its sessions.
        with contextlib.suppress(OSError):
            os.unlink(os.path.join(self.folder, ORIENTATIONS))

    def unbury(self, session_id: str, revision: int) -> tuple[str, ...]:
        """Where the session stood."""
        return self.keep(lambda kept: kept.unbury(session_id, revision))

    # ---- the same, without anybody waiting for it

    def widen(self, session_id: str, uri: str) -> Future[None]:
        """A forgotten session stands in this file too."""
        return self._kept_file.submit(lambda db: self._rows().widen(session_id, uri))

    def keep_departure(self, session_id: str, at: str) -> Future[None]:
        """The agent of this session left."""
        return self._kept_file.submit(lambda db: self._rows().set_departure(session_id, at))

    def keep_relic(self, relic: Relic) -> Future[None]:
        return self._kept_file.submit(lambda db: self._rows().keep_relic(relic))

    def drop_relics(self, uri: str) -> Future[None]:
        return self._kept_file.submit(lambda db: self._rows().drop_relics(uri))

    def limit_relics(self, *, before: str, max_bytes: int) -> Future[tuple[str, ...]]:
        """URIs of deleted logs of which nothing is left any more."""
        return self._kept_file.submit(lambda db: self._rows().limit_relics(before=before, max_bytes=max_bytes))

    def set_ceiling(self, revision: int) -> Future[None]:
        """No revision beyond this one is given out before another ceiling is set."""
        return self._kept_file.submit(lambda db: self._rows().set_ceiling(revision))

    def pass_ceiling(self, least: int) -> int:
        """A revision beyond all that were given out, where no engine gives them: on disk when it returns."""

        def work(kept: Kept) -> int:
            kept.set_ceiling(max(least, kept.ceiling + 1))
            return kept.ceiling

        return self.keep(work)

    def has_room_for(self, revision: int) -> bool:
        """Whether the ceiling on disk is far enough from this revision."""
        return self.kept is not None and revision + CEILING_STEP // 2 <= self.kept.ceiling

    def relics(self) -> list[Relic]:
        return self.read(Kept.relics) or []

    def _read_kept(self, db: sqlite3.Connection) -> None:
        self.kept = Kept(db, self._now)

    def _rows(self) -> Kept:
        assert self.kept is not None
        return self.kept


def _told(db: sqlite3.Connection, found: Sequence[cache.FoundText]) -> list[Said]:
    texts = cache.texts_at(db, [each.id for each in found])
    return [_said(each, *texts[each.id]) for each in found if each.id in texts]


def _said(found: cache.FoundText, path: str, part: str, row: TextRow) -> Said:
    return Said(
        found.session,
        Path(path).as_uri(),
        part,
        row.kind,
        row.turn,
        row.at,
        row.place,
        row.body,
        found.has_all,
    )
