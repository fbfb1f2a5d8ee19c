"""The one writer: owns the world, folds every piece of news into it, and tells whoever wants to know.

    tailer ─Batch─▶ apply ─fold─▶ world' ─Delta─▶ hub (clients), recap files
                                     └─ snapshot() for every request

Runs on the event loop. Fulfils server.backend.Backend; what it cannot answer by itself it asks its parts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

import msgspec

from recapd.core.log import Record
from recapd.core.state import (
    ALL_SECTIONS,
    Batch,
    Delta,
    Source,
    World,
    drop,
    fold,
    forget,
    put,
    restore,
    revise,
    session_id_of,
    source_key,
    vanish,
)
from recapd.daemon import interpreter
from recapd.daemon.clock import now_ms
from recapd.daemon.config import Configuration, concerned, unconfigured
from recapd.daemon.following import Unfinished
from recapd.daemon.hub import Hub
from recapd.daemon.marks import Marks
from recapd.daemon.recap_file import RecapFiles
from recapd.daemon.snapshot import Behind, Snapshot
from recapd.daemon.store import InMemory, Keeping
from recapd.daemon.summarizer import Summarizer
from recapd.server.answers import Answers
from recapd.server.backend import Indexing, Mailbox
from recapd.server.durable import Durable
from recapd.server.indexes import Indexes
from recapd.wire.types import (
    LogRoot,
    RecapdDidChangeStatusParams,
    RecapdStatusParams,
    RecapdStatusResult,
    RecapdWatchParams,
    RecapdWatchResult,
    RecapSubscribeParams,
    RecapSubscribeResult,
)


class Reader(Protocol):
    """What follows the logs, as the engine sees it."""

    def indexing(self) -> Indexing: ...

    def add_roots(self, roots: tuple[LogRoot, ...]) -> None: ...


class Engine:
    """The state of one daemon."""

    def __init__(
        self,
        *,
        instance_id: str,
        now: Callable[[], str],
        hub: Hub,
        on_end: Callable[[str], None],
    ) -> None:
        self.world = World()
        self.instance_id = instance_id
        self.now = now
        self.hub = hub
        self.marks = Marks()
        self._on_end = on_end
        self._listeners: list[Callable[[Indexing], None]] = []
        self._snapshot: Snapshot | None = None
        self._answers = Answers()
        self._indexes = Indexes()
        self.durable: Durable = InMemory()
        self.keeping: Keeping | None = None
        self.configured = unconfigured()
        self._is_settled = False
        self._unfinished = Unfinished()
        self._told_status: RecapdDidChangeStatusParams | None = None
        # Set by the app once they exist: they need the engine, and it needs them.
        self.reader: Reader
        self.recap_files: RecapFiles
        self.summarizer: Summarizer
        self.describe: Callable[[RecapdStatusParams], RecapdStatusResult]
        self.health: Callable[[], tuple[str, str | None]]

    def keep_with(self, keeping: Keeping) -> None:
        """Keep what is known over restarts."""
        self.keeping = keeping
        self.durable = keeping.store
        self.marks = Marks(keeping.store)
        keeping.on_kept = self.marks.load

    def apply(self, batch: Batch) -> None:
        """Fold news of one source into the world, and pass on what changed."""
        # The time makes revisions grow across restarts.
        world, delta = fold(self.world, _stamped(batch))
        if self.keeping is not None:
            if batch.restart:
                self.keeping.void(batch.uri)
            if self.keeping.is_buried(delta.session_id):
                self.drop([source_key(batch.uri, batch.part)])
                self.keeping.turned_up(delta.session_id, batch)
                return
        self.world = world
        self._changed(delta)

    def forget(self, uri: str) -> None:
        """What was known of a log is void, or of no interest any more."""
        if self.keeping is not None:
            self.keeping.void(uri)
        self.world, deltas = forget(self.world, uri)
        self._all_changed(deltas)

    def vanish(self, uri: str) -> None:
        """A log was deleted: its session stays, where there is a store to keep it in."""
        if self.keeping is None:
            self.forget(uri)
            return
        self.keeping.proved((uri,))
        self.world, deltas = vanish(self.world, uri)
        kept = [source for source in self.world.sources.values() if source.uri == uri]
        self.keeping.vanished(kept)
        self._all_changed(deltas)

    def drop(self, keys: Sequence[str]) -> None:
        self.world, deltas = drop(self.world, keys)
        self._all_changed(deltas)

    def restore(self, sources: Sequence[tuple[Source, int]], *, least_revision: int = 0) -> None:
        """What was known before the start: new to whoever is subscribed, but nothing to be summarized."""
        self.world = restore(self.world, sources)
        self.world = msgspec.structs.replace(self.world, revision=max(self.world.revision, least_revision))
        self._snapshot = None
        for session_id in dict.fromkeys(session_id_of(source) for source, _ in sources):
            delta = Delta(session_id, self.world.members[session_id].revision, sections=ALL_SECTIONS)
            self.hub.publish(delta, self.world)
            self.recap_files.note(delta, self.world)

    def put(self, sources: Sequence[Source]) -> None:
        """Sources put back whole, or dropped to their heads: nothing is known that was not."""
        self.world = put(self.world, sources)
        self._snapshot = None

    def next_revision(self) -> int:
        """A revision for what is about to change otherwise than by a log."""
        revision = max(self.world.revision + 1, now_ms())
        self.world = msgspec.structs.replace(self.world, revision=revision)
        return revision

    def bump(self, session_id: str, revision: int) -> None:
        """Answers about a session changed, though its log did not."""
        members = self.world.members.get(session_id)
        if members is not None:
            changed = msgspec.structs.replace(members, revision=max(members.revision, revision))
            self.world = msgspec.structs.replace(self.world, members={**self.world.members, session_id: changed})
            self._changed(Delta(session_id, changed.revision, sections=ALL_SECTIONS))

    def unfinished(self, uri: str, records: Sequence[Record]) -> None:
        """The last line of a log is whole but for its newline: it is shown, and folded once it is finished."""
        if not self._unfinished.note(uri, records):
            return
        if (source := self.world.sources.get(uri)) is not None:
            # It changes what is said of the session, both when it is counted in and when it no longer is.
            self.world, _ = revise(self.world, [session_id_of(source)], now_ms=now_ms())
        self._snapshot = None

    def snapshot(self) -> Snapshot:
        """One snapshot serves all requests until the world changes."""
        if self._snapshot is None:
            self._snapshot = Snapshot(
                self._unfinished.counted_in(self.world),
                behind=Behind(self.world, self._unfinished.lines(), self.keeping),
                instance_id=self.instance_id,
                now=self.now,
                mark=self.marks.get,
                marks=self.marks.of_session,
                answers=self._answers,
                indexes=self._indexes,
                durable=self.durable,
                configured=self.configured,
                is_complete=self.reader.indexing().quiescent,
                summarizer=self.summarizer,
            )
        return self._snapshot

    def open_mailbox(self) -> Mailbox:
        return self.hub.open_mailbox()

    def subscribe(self, mailbox: Mailbox, params: RecapSubscribeParams) -> RecapSubscribeResult:
        return self.hub.subscribe(mailbox, params, self.world)

    def unsubscribe(self, mailbox: Mailbox, subscription_id: str) -> None:
        self.hub.unsubscribe(mailbox, subscription_id)

    def status(self, params: RecapdStatusParams) -> RecapdStatusResult:
        return self.describe(params)

    def indexing(self) -> Indexing:
        return self.reader.indexing()

    def on_indexing(self, listener: Callable[[Indexing], None]) -> Callable[[], None]:
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def add_roots(self, roots: tuple[LogRoot, ...]) -> None:
        self.reader.add_roots(roots)

    def acknowledge(self, session_id: str, consumer: str, cursor: str) -> str:
        return self.marks.acknowledge(session_id, consumer, cursor)

    async def watch(self, params: RecapdWatchParams) -> RecapdWatchResult:
        return await self.recap_files.watch(params)

    def summary_done(self, session_id: str) -> None:
        """A session has a new summary: what is said of it has changed, though its log has not.

        A store gave the session a revision when it kept the summary, and remembers it.
        """
        if self.keeping is None and session_id in self.world.members:
            self.world, deltas = revise(self.world, (session_id,), now_ms=now_ms(), sections=("summary",))
            self._snapshot = None
            for delta in deltas:
                self.hub.publish(delta, self.world)

    def shut_down(self, reason: str) -> None:
        self._on_end(reason)

    def reconfigure(self, new: Configuration) -> None:
        """Other settings give other answers: sessions that they concern count as changed."""
        old, self.configured = self.configured, new
        self._answers = Answers()
        self.world, deltas = revise(self.world, concerned(self.world, old, new), now_ms=now_ms())
        self._all_changed(deltas)
        self.status_moved()

    def status_moved(self) -> None:
        """Indexing went on, a watcher changed, a file could not be written: tell whoever shows it."""
        indexing = self.reader.indexing()
        if indexing.quiescent and not self._is_settled:
            self._is_settled = True
            interpreter.settle()
        # What could not be found a moment ago may only not have been read.
        self._snapshot = None
        for listener in tuple(self._listeners):
            listener(indexing)
        health, message = self.health()
        params = RecapdDidChangeStatusParams(health=health, quiescent=indexing.quiescent, message=message)
        if params != self._told_status:
            self._told_status = params
            self.hub.status_changed(params)

    def _all_changed(self, deltas: Iterable[Delta]) -> None:
        for delta in deltas:
            self._changed(delta)

    def _changed(self, delta: Delta) -> None:
        self._snapshot = None
        if self.keeping is not None:
            self.keeping.changed(delta)
        self.hub.publish(delta, self.world)
        self.recap_files.note(delta, self.world)
        self.summarizer.note(delta, self.world)


def _stamped(batch: Batch) -> Batch:
    if batch.now_ms:
        return batch
    return msgspec.structs.replace(batch, now_ms=now_ms())
