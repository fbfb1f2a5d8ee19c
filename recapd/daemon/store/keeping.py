"""Between the world and the store: what was known is put back at the start, and kept as it changes.

    start   load ─▶ tailer: how far each file was read ─▶ proved(uris) ─▶ the world gets the heads
    news    before_news: what is continued is put back whole, or its log is read from zero
    end     a deleted log leaves its session behind; a forgotten session leaves a tombstone

Nothing that was known before the start is shown until the file itself proves that it still holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Protocol

import anyio.to_thread
from anyio.from_thread import BlockingPortal

from recapd.core.settings import StoreSettings
from recapd.core.state import Batch, Delta, Session, Source, World, head_of, session_id_of, source_key
from recapd.daemon.clock import Clock
from recapd.daemon.encoding import SourceRows
from recapd.daemon.log_files import TailState
from recapd.daemon.store.cache import Restored
from recapd.daemon.store.file import TROUBLES
from recapd.daemon.store.kept import Relic, Tombstone
from recapd.daemon.store.saver import Saver
from recapd.daemon.store.store import Store
from recapd.daemon.store.waiting import outcome
from recapd.daemon.store.warm import Warm
from recapd.server.durable import Verdict
from recapd.server.workspaces import path_of
from recapd.wire.errors import session_not_found
from recapd.wire.types import SessionSelector

_MEGABYTE = 1_000_000


class Worlds(Protocol):
    """The engine, as far as the store is concerned."""

    world: World

    def restore(self, sources: Sequence[tuple[Source, int]], *, least_revision: int = 0) -> None: ...

    def put(self, sources: Sequence[Source]) -> None: ...

    def forget(self, uri: str) -> None: ...

    def drop(self, keys: Sequence[str]) -> None: ...

    def next_revision(self) -> int: ...

    def bump(self, session_id: str, revision: int) -> None: ...

    def status_moved(self) -> None: ...


class Files(Protocol):
    """The tailer, as far as the store is concerned."""

    def restore(self, states: Mapping[str, TailState]) -> None: ...

    def state_of(self, path: str) -> TailState | None: ...

    def read_again(self, path: str) -> None: ...

    async def rows_of(self, source: Source) -> SourceRows | None: ...

    def skip(self, paths: Sequence[str]) -> None: ...

    def unskip(self, paths: Sequence[str]) -> None: ...


class Keeping:
    """Lives on the loop; what is called in a thread says so."""

    def __init__(
        self,
        store: Store,
        *,
        worlds: Worlds,
        files: Files,
        settings: Callable[[], StoreSettings],
        clock: Clock,
        now: Callable[[], str],
    ) -> None:
        self.store = store
        self._worlds = worlds
        self._files = files
        self._now = now
        # Heads that were known before the start and are not proved yet, by URI.
        self._restored: dict[str, tuple[tuple[Source, int], ...]] = {}
        # URIs of deleted logs whose sessions are kept.
        self._gone: set[str] = set()
        self._portal: BlockingPortal
        # What cannot be read again was read, at the start or once the disk allowed it.
        self.on_kept: Callable[[], None] = lambda: None
        self.warm = Warm(store.whole, max_bytes=lambda: settings().memory_mb * _MEGABYTE // 2)
        self.saver = Saver(
            store,
            world=lambda: worlds.world,
            tail_of=files.state_of,
            rows_of=files.rows_of,
            cool=self._cool,
            expired=self._expired,
            settings=settings,
            clock=clock,
        )

    async def begin(self, portal: BlockingPortal, settings: str) -> None:
        """Open the store and take back what it knows.

        `portal` is the way back from other threads to the loop, `settings` are those that answers are made with.
        """
        store, worlds = self.store, self._worlds
        self._portal = portal
        store.on_trouble = lambda: _soon(portal, self._troubled)
        store.on_kept = lambda: _soon(portal, self.on_kept)
        store.on_cache_lost = lambda: _soon(portal, self._lost)
        store.next_revision = lambda: portal.call(worlds.next_revision)
        store.on_bump = lambda session_id, revision: portal.call(worlds.bump, session_id, revision)
        store.on_verdict = lambda session_id, decision_id, verdict: portal.call(self._judged, session_id, verdict)
        restored, relics = await anyio.to_thread.run_sync(self._open)
        kept = store.kept
        revisions = kept.revisions if kept is not None else {}
        buried = kept.tombstones() if kept is not None else {}
        worlds.restore((), least_revision=kept.ceiling if kept is not None else 0)
        try:
            least = await outcome(self.settings_changed(settings))
        except TROUBLES:
            least = worlds.next_revision()
        self._restored = {
            file.tail.uri: tuple(
                (head, max(revision, revisions.get(session_id_of(head), 0), least)) for head, revision in file.heads
            )
            for file in restored
        }
        self._files.restore({file.path: file.tail for file in restored})
        self._files.skip([path_of(uri) for tombstone in buried.values() for uri in tombstone.uris])
        self._gone = {relic.source.uri for relic in relics}
        worlds.restore([(relic.source, max(relic.revision, least)) for relic in relics])

    def _open(self) -> tuple[list[Restored], list[Relic]]:
        self.store.open()
        return self.store.load(), self.store.relics()

    def settings_changed(self, settings: str) -> Future[int]:
        """Other settings give other answers to the same questions: the least revision of what is told under these."""
        return self.store.floor_under(settings, self._worlds.next_revision())

    # ---- what the tailer tells

    def proved(self, uris: Sequence[str]) -> None:
        """What was known of these files before the start still holds."""
        self._worlds.restore([each for uri in uris for each in self._restored.pop(uri, ())])

    def outgrown(self, uri: str) -> None:
        """The same of a file that there is more of now: whoever asked before the start may have been told of that."""
        least = self._worlds.next_revision()
        self._worlds.restore([(head, max(revision, least)) for head, revision in self._restored.pop(uri, ())])

    def void(self, uri: str) -> None:
        """What was known of this file before the start does not hold."""
        self._restored.pop(uri, None)

    async def before_news(self, batches: Sequence[Batch]) -> bool:
        """Put sources back whole before something is folded into them; False where their log must be read anew."""
        heads = [self._worlds.world.sources.get(source_key(batch.uri, batch.part)) for batch in batches]
        cold = [head for head in heads if head is not None and head.is_cold]
        for head in cold:
            saved = await anyio.to_thread.run_sync(self.store.whole, path_of(head.uri), head)
            if saved is None or not saved.is_exact or saved.source.carry != head.carry:
                return False
            self._worlds.put([saved.source])
            self.warm.drop(head.key)
            self.saver.note_whole(saved)
        return True

    def vanished(self, sources: Sequence[Source]) -> None:
        """A log was deleted, and these of its sources are kept in the world."""
        members = self._worlds.world.members
        for source in sources:
            self._gone.add(source.uri)
            self.saver.keep(Relic(source, members[session_id_of(source)].revision, self._now()))

    def changed(self, delta: Delta) -> None:
        """A session changed: where its log is there again, what was kept of the deleted one is not needed."""
        if not self._gone or (members := self._worlds.world.members.get(delta.session_id)) is None:
            return
        sources = [self._worlds.world.sources[key] for key in members.keys]
        if any(not source.is_gone and not source.transcript.subagent for source in sources):
            for uri in {source.uri for source in sources if source.is_gone}:
                self._worlds.forget(uri)
            for uri in self._gone.intersection(source.uri for source in sources):
                self._gone.discard(uri)
                self.saver.keep_not(uri)
                self.store.drop_relics(uri)

    # ---- forgetting

    def is_buried(self, session_id: str) -> bool:
        return self.store.kept is not None and session_id in self.store.kept.tombstones()

    def turned_up(self, session_id: str, batch: Batch) -> None:
        """A forgotten session stands in this file: it is not read on, unless others stand in it too."""
        self.store.widen(session_id, batch.uri)
        if not batch.part:
            self._files.skip([path_of(batch.uri)])

    def bury(self, session: Session) -> int:
        """Forget a session; its revision after that. In a thread."""
        revision = self.store.next_revision()
        sources = (session.main, *session.children, *session.aliases)
        uris = tuple(dict.fromkeys(source.uri for source in sources))
        alone = [path_of(source.uri) for source in sources if not source.part]
        self.store.bury(Tombstone(session.id, self._now(), revision, uris))
        self._portal.call(self._buried, sources, alone)
        self.store.shred(session.id, alone)
        return revision

    def _buried(self, sources: Sequence[Source], alone: Sequence[str]) -> None:
        for source in sources:
            self._gone.discard(source.uri)
            self.saver.keep_not(source.uri)
            self.warm.drop(source.key)
        self._files.skip(alone)
        self._worlds.drop([source.key for source in sources])

    def unbury(self, selector: SessionSelector | None) -> tuple[str, int]:
        """Have a forgotten session read again; its id and revision. RecapError where none is forgotten. In a thread."""
        tombstone = self.tombstone_of(selector)
        if tombstone is None:
            raise session_not_found(selector)
        revision = self.store.next_revision()
        uris = self.store.unbury(tombstone.session_id, revision)
        self._portal.call(self._unburied, [path_of(uri) for uri in uris])
        return tombstone.session_id, revision

    def _unburied(self, paths: Sequence[str]) -> None:
        self._files.unskip(paths)
        for path in paths:
            if self._files.state_of(path) is not None:
                self._files.read_again(path)

    def tombstone_of(self, selector: SessionSelector | None) -> Tombstone | None:
        if selector is None or self.store.kept is None:
            return None
        buried = self.store.kept.tombstones()
        if selector.id is not None:
            return buried.get(selector.id)
        wanted = path_of(selector.log) if selector.log is not None else ""
        return next((each for each in buried.values() if wanted in map(path_of, each.uris)), None)

    # ----

    def _troubled(self) -> None:
        self.saver.wake()
        self._worlds.status_moved()

    def _judged(self, session_id: str, verdict: Verdict) -> None:
        self._worlds.bump(session_id, verdict.revision)

    def _cool(self, sources: Sequence[Source]) -> None:
        self._worlds.put([head_of(source) for source in sources])

    def _expired(self, uri: str) -> None:
        self._gone.discard(uri)
        self._worlds.forget(uri)

    def _lost(self) -> None:
        """The cache is gone: what is in memory is written anew, what is not is read again."""
        self.saver.lost()
        for uri in {source.uri for source in self._worlds.world.sources.values() if source.is_cold}:
            self._files.read_again(path_of(uri))


def _soon(portal: BlockingPortal, work: Callable[[], None]) -> None:
    """On the loop, unless it has ended."""
    try:
        portal.start_task_soon(work)
    except RuntimeError:
        return
