"""Between the world and the store: what was known is put back at the start, and kept as it changes.

start   load ─▶ tailer: how far each file was read, and the heads, which it shows once the file proves them
news    can_continue: what is continued is put back whole, or its log is read from zero
        what a process read is cold from the beginning: bytes, until it is written
end     a deleted log leaves its session behind; a forgotten session leaves a tombstone
"""

from __future__ import annotations

import contextlib
import os
import stat
import threading
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Protocol

import msgspec
from anyio.from_thread import BlockingPortal
from msgspec import Struct

from recapd.core.log import from_epoch
from recapd.core.presence import Signal
from recapd.core.retrieval import Query
from recapd.core.settings import StoreSettings
from recapd.core.state import Batch, Delta, Session, Source, World, fold, session_id_of
from recapd.core.trouble import Trouble
from recapd.daemon.clock import WallClock
from recapd.daemon.encoding import Saved, SourceRows
from recapd.daemon.engine import (
    CacheLost,
    Change,
    Engine,
    EngineElsewhere,
    Heads,
    LogForgotten,
    LogRead,
    LogVanished,
    PresenceSeen,
    RevisionsGivenOut,
    SessionForgotten,
    SessionRemembered,
    SettingsChanged,
    SignalCame,
    SourcesRestored,
    SourcesWarmed,
    Step,
    StoreTroubled,
)
from recapd.daemon.log_files import TailState, UnreadableLog, batches, open_log
from recapd.daemon.store.cache import Restored, fingerprint
from recapd.daemon.store.file import TROUBLES
from recapd.daemon.store.kept import Relic, Tombstone
from recapd.daemon.store.saver import MEMORY_PER_BYTE, Saver, outcome
from recapd.daemon.store.store import CEILING_STEP, FILES, Store
from recapd.daemon.store.unwritten import Unwritten
from recapd.server.searching import Said
from recapd.server.threads import in_thread
from recapd.server.workspaces import path_of
from recapd.wire.errors import session_not_found, source_gone
from recapd.wire.types import QueueStatus, SessionSelector, StoreStatus

_MEGABYTE = 1_000_000
# Of what was read from a log because the store did not have it, the size is not known.
_UNKNOWN_BYTES = 1 << 20


class Entrance(Protocol):
    """The engine, for whoever puts sources back."""

    @property
    def world(self) -> World: ...

    def apply(self, change: Change) -> Step: ...


class _Entry(Struct, frozen=True):
    head: Source
    whole: Source
    size: int


class Warm:
    """Sources that were dropped to disk: put together in the thread of whoever asks for them, the latest kept, and put
    back into the world before anything is folded into them. Safe to use in threads."""

    def __init__(
        self,
        find: Callable[[str, Source], Saved | None],
        engine: Entrance,
        *,
        settings: Callable[[], StoreSettings],
        is_full: Callable[[], bool] = lambda: False,
    ) -> None:
        """`find` gives what there is of the file at a path, by the head that is known of it; `is_full` tells whether
        too much waits to be written."""
        self._find = find
        self._is_full = is_full
        self._engine = engine
        self._settings = settings
        # Least recently asked for first.
        self._entries: dict[str, _Entry] = {}
        self._lock = threading.Lock()

    @property
    def is_full(self) -> bool:
        return self._is_full()

    def adopt(self, batches: tuple[Batch, ...]) -> tuple[Batch, ...]:
        """Heads are enough."""
        return batches

    def has(self, head: Source) -> bool:
        entry = self._entries.get(head.key)
        return entry is not None and entry.head is head

    def whole(self, head: Source) -> Source:
        """All of a source of which only the head is at hand: from the store, else from its log. RecapError where
        neither has it."""
        with self._lock:
            entry = self._entries.pop(head.key, None)
            if entry is not None and entry.head is head:
                self._entries[head.key] = entry
                return entry.whole
        saved = self._find(path_of(head.uri), head)
        size = saved.size if saved is not None and saved.notes else _UNKNOWN_BYTES
        # A view may tell from a text that was redacted in the store something else than from the text itself.
        is_good = saved is not None and (saved.is_exact or head.is_gone)
        source = saved.source if saved is not None and is_good else _from_log(head)
        source = msgspec.structs.replace(source, is_gone=head.is_gone)
        self._keep(_Entry(head, source, size))
        return source

    async def can_continue(self, heads: Sequence[Source]) -> bool:
        """Put sources back whole before something is folded into them; False where their log must be read anew."""
        for head in heads:
            saved = await in_thread(self._find, path_of(head.uri), head)
            if saved is None or not saved.is_exact or saved.source.carry != head.carry:
                return False
            self._engine.apply(SourcesWarmed((saved,)))
        return True

    def drop(self, key: str) -> None:
        with self._lock:
            self._entries.pop(key, None)

    def _keep(self, entry: _Entry) -> None:
        with self._lock:
            self._entries[entry.head.key] = entry
            size = sum(each.size for each in self._entries.values())
            # The one that is asked about stays, whatever its size.
            allowed = self._settings().memory_mb * _MEGABYTE // 2 // MEMORY_PER_BYTE
            while size > allowed and len(self._entries) > 1:
                size -= self._entries.pop(next(iter(self._entries))).size


def _from_log(head: Source) -> Source:
    world = World()
    try:
        for batch in batches(open_log(Path(path_of(head.uri)))):
            world, _ = fold(world, batch)
    except (UnreadableLog, OSError):
        raise source_gone(head.uri) from None
    source = world.sources.get(head.key)
    if source is None:
        raise source_gone(head.uri)
    return source


class Logs(Protocol):
    """The tailer, as far as the store is concerned."""

    def restore(self, path: str, state: TailState, heads: Heads) -> None: ...

    def state_of(self, path: str) -> TailState | None: ...

    def read_again(self, path: str) -> None: ...

    async def rows_of(self, bodies: Sequence[bytes]) -> list[SourceRows | None]: ...

    def skip(self, paths: Iterable[str]) -> None: ...

    def unskip(self, paths: Sequence[str]) -> None: ...


class Keeping:
    """Lives on the loop; what is called in a thread says so."""

    def __init__(
        self,
        store: Store,
        warm: Warm,
        engine: Engine,
        logs: Logs,
        *,
        unwritten: Unwritten,
        portal: BlockingPortal,
        settings: Callable[[], StoreSettings],
        clock: WallClock,
        now: Callable[[], str],
    ) -> None:
        """`portal` is the way back from other threads to the loop."""
        self.store = store
        self.warm = warm
        self._engine = engine
        self._logs = logs
        self._unwritten = unwritten
        self._portal = portal
        self._settings = settings
        self._now = now
        # The latest attempt to write down how far revisions may go.
        self._raising: Future[None] = Future()
        self.saver = Saver(
            store,
            engine,
            tail_of=logs.state_of,
            rows_of=logs.rows_of,
            unwritten=unwritten,
            settings=settings,
            clock=clock,
        )

    async def begin(self, settings: str) -> Sequence[str]:
        """Open the store and take back what it knows; files that are not to be read, for they are to be forgotten.

        `settings` are those that answers are made with.
        """
        engine, logs = self._engine, self._logs
        restored, relics = await in_thread(self._open)
        kept = self.store.kept
        revisions = kept.revisions if kept is not None else {}
        engine.apply(RevisionsGivenOut(kept.ceiling if kept is not None else 0))
        # On disk before anybody is told a revision: a second crash must find it, however soon it comes.
        with contextlib.suppress(*TROUBLES):
            await outcome(self._raise_ceiling())
        try:
            least = await outcome(self.store.floor_under(settings, engine.reserve_revision()))
        except TROUBLES:
            least = engine.reserve_revision()
        for file in restored:
            heads = [(head, max(known, revisions.get(session_id_of(head), 0), least)) for head, known in file.heads]
            logs.restore(file.path, file.tail, tuple(heads))
        engine.apply(SourcesRestored(tuple((relic.source, max(relic.revision, least)) for relic in relics)))
        buried = kept.tombstones() if kept is not None else {}
        for session_id in buried:
            engine.apply(SessionForgotten(session_id))
        # Nobody else tells again that an agent left: its log does not, and there is no process to be missed.
        for session_id, at in dict(kept.departures() if kept is not None else {}).items():
            engine.apply(SignalCame(session_id, Signal("ended", at)))
        return [path_of(uri) for tombstone in buried.values() for uri in tombstone.uris]

    def _open(self) -> tuple[list[Restored], list[Relic]]:
        self.store.open()
        return self.store.load(), self.store.relics()

    async def run(self) -> None:
        """Write down what changes, until cancelled."""
        await self.saver.run()

    async def flush(self) -> None:
        """Write all that waits; for the end. The caller says how long that may take."""
        await self.saver.flush()

    def close(self, timeout_s: float) -> bool:
        return self.store.close(timeout_s)

    # ---- what changes

    def changed(self, step: Step) -> None:
        if self._raising.done() and not self.store.has_room_for(step.world.revision):
            self._raise_ceiling()
        change = step.change
        match change:
            case LogRead():
                self.saver.note(change.path)
                self._set_aside(change, step.world)
            case LogForgotten():
                self.saver.note(change.path)
            case LogVanished():
                self.saver.note(change.path)
                self._keep_relics(change.uri, step.world)
            case SourcesWarmed():
                for saved in change.saved:
                    self.warm.drop(saved.source.key)
                    self.saver.note_whole(saved)
            case SessionForgotten():
                if (members := step.before.members.get(change.session_id)) is not None:
                    for key in members.keys:
                        self.warm.drop(key)
                        self._unwritten.drop(key)
            case PresenceSeen() | SignalCame():
                self._keep_departures(step)
            case SettingsChanged():
                # Other settings give other answers to the same questions.
                self.store.floor_under(repr(change.new.settings), step.world.revision)
            case StoreTroubled():
                self.saver.wake()
            case CacheLost():
                self._begin_anew()
        for session_id, batch in step.refused:
            self.store.widen(session_id, batch.uri)
        for delta in step.deltas:
            self._drop_relics(delta, step)

    def _raise_ceiling(self) -> Future[None]:
        self._raising = self.store.set_ceiling(self._engine.world.revision + CEILING_STEP)
        return self._raising

    def _set_aside(self, change: LogRead, world: World) -> None:
        """What a process read is asked about before it is written, or not at all. While it is not read to its end, it
        is put together from its log."""
        adopted = [(batch.adopted, batch.body) for batch in change.batches if batch.adopted is not None and batch.body]
        tail = self._logs.state_of(change.path) if adopted else None
        if tail is None or tail.has_more:
            return
        for head, body in adopted:
            if world.sources.get(head.key) is head:
                self._unwritten.add(head, body)

    def _keep_departures(self, step: Step) -> None:
        """Where an agent was seen to leave, or says so. What the start puts back is on disk already."""
        if (kept := self.store.kept) is None:
            return
        for session_id, at in _departures(step.world).items():
            if kept.departures().get(session_id) != at:
                self.store.keep_departure(session_id, at)

    def _keep_relics(self, uri: str, world: World) -> None:
        """A log was deleted: of its sources, these are kept in the world."""
        for source in [source for source in world.sources.values() if source.uri == uri and source.is_gone]:
            self.saver.keep(Relic(source, world.members[session_id_of(source)].revision, self._now()))

    def _drop_relics(self, delta: Delta, step: Step) -> None:
        """Where a log is there again, or its session is to be forgotten, what was kept of it is not needed."""
        for uri in _gone_in(step.before, delta.session_id) - _gone_in(step.world, delta.session_id):
            self.saver.keep_not(uri)
            self.store.drop_relics(uri)

    def _begin_anew(self) -> None:
        """The cache is gone: what is in memory is written anew, what is not is read again."""
        self.saver.lost()
        for uri in {source.uri for source in self._engine.world.sources.values() if source.is_cold}:
            self._logs.read_again(path_of(uri))

    # ---- what is asked: in a thread

    def find(self, query: str) -> frozenset[str]:
        """Ids of sessions in which these words were said."""
        return self.store.find(query)

    def search(
        self, query: Query, sessions: Collection[str] | None, *, first: int, limit: int
    ) -> tuple[Sequence[Said], bool]:
        """What was said with these words: as it was written down, a moment ago."""
        return self.store.search(query, sessions, first=first, limit=limit)

    def long_texts(self, sessions: Collection[str] | None, most: int) -> Sequence[Said]:
        return self.store.long_texts(sessions, most)

    def bury(self, session: Session) -> int:
        """Forget a session; its revision after that."""
        revision = self._portal.call(self._engine.reserve_revision)
        sources = (session.main, *session.children, *session.aliases)
        uris = tuple(dict.fromkeys(source.uri for source in sources))
        alone = [path_of(source.uri) for source in sources if not source.part]
        self.store.bury(Tombstone(session.id, self._now(), revision, uris))
        self._portal.call(self._buried, session.id, alone)
        self.store.shred(session.id, alone)
        return revision

    def _buried(self, session_id: str, alone: Sequence[str]) -> None:
        self._logs.skip(alone)
        self._engine.apply(SessionForgotten(session_id))

    def unbury(self, selector: SessionSelector | None) -> tuple[str, int]:
        """Have a forgotten session read again; its id and revision. RecapError where none is forgotten."""
        tombstone = self._tombstone_of(selector)
        if tombstone is None:
            raise session_not_found(selector)
        revision = self._portal.call(self._engine.reserve_revision)
        uris = self.store.unbury(tombstone.session_id, revision)
        self._portal.call(self._unburied, tombstone.session_id, [path_of(uri) for uri in uris])
        return tombstone.session_id, revision

    def _unburied(self, session_id: str, paths: Sequence[str]) -> None:
        self._engine.apply(SessionRemembered(session_id))
        self._logs.unskip(paths)
        for path in paths:
            if self._logs.state_of(path) is not None:
                self._logs.read_again(path)

    def _tombstone_of(self, selector: SessionSelector | None) -> Tombstone | None:
        if selector is None or self.store.kept is None:
            return None
        buried = self.store.kept.tombstones()
        if selector.named_id is not None:
            return buried.get(selector.named_id)
        wanted = path_of(selector.log) if selector.log is not None else ""
        return next((each for each in buried.values() if wanted in map(path_of, each.uris)), None)

    # ---- how it stands

    def look_after_files(self) -> None:
        """Now and then: what was acknowledged is on disk for as long as this process lives."""
        self.store.look_after_files()

    @property
    def troubles(self) -> tuple[Trouble, ...]:
        return self.store.troubles

    def queues(self) -> tuple[QueueStatus, ...]:
        return (QueueStatus(name="store", depth=self.saver.depth),)

    def memory_limit(self) -> int | None:
        return self._settings().memory_mb * _MEGABYTE

    def status(self) -> StoreStatus:
        """What lies in the folder of the store; a few looks at the disk."""
        size = 0
        written_at = 0.0
        for name in FILES:
            try:
                found = os.lstat(os.path.join(self.store.folder, name))
            except OSError:
                continue
            if stat.S_ISREG(found.st_mode):
                size += found.st_size
                written_at = max(written_at, found.st_mtime)
        return StoreStatus(
            state="cannotWrite" if self.store.has_trouble else "setAside" if self.troubles else "ok",
            path=self.store.folder,
            size_bytes=size,
            limit_bytes=self._settings().max_mb * _MEGABYTE,
            pending=self.saver.depth,
            written_at=from_epoch(written_at) if written_at else None,
        )


def keep_on_disk(
    folder: str,
    engine: Engine,
    portal: BlockingPortal,
    *,
    settings: Callable[[], StoreSettings],
    clock: WallClock,
    now: Callable[[], str],
) -> tuple[Warm, Callable[[Logs], Keeping]]:
    """What is not in memory, for the tailer; and what keeps the rest, once there is a tailer."""
    store = Store(folder, EngineElsewhere(engine, portal), now=now, fingerprint=fingerprint)
    unwritten = Unwritten()

    def find(path: str, head: Source) -> Saved | None:
        return unwritten.find(head) or store.whole(path, head)

    def is_full() -> bool:
        # Where nothing can be written, waiting for it does not help.
        return unwritten.is_full and not store.has_trouble

    def keeping(logs: Logs) -> Keeping:
        return Keeping(
            store, warm, engine, logs, unwritten=unwritten, portal=portal, settings=settings, clock=clock, now=now
        )

    warm = Warm(find, engine, settings=settings, is_full=is_full)
    return warm, keeping


def _departures(world: World) -> dict[str, str]:
    """By session: when its agent left, by its own word or as it was seen."""
    seen = {each: its.since for each, its in world.present.items() if its.doing == "left"}
    return seen | {each: its.at for each, its in world.signals.items() if its.kind == "ended"}


def _gone_in(world: World, session_id: str) -> set[str]:
    """URIs of deleted logs that a session is known from."""
    members = world.members.get(session_id)
    if members is None:
        return set()
    return {source.uri for key in members.keys if (source := world.sources[key]).is_gone}
