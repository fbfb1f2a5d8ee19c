"""The one writer: owns the world, folds every piece of news into it, and tells whoever wants to know.

    tailer ─Batch─▶ apply ─fold─▶ world' ─Delta─▶ hub (clients), recap files
                                     └─ snapshot() for every request

Runs on the event loop. Fulfils server.backend.Backend; what it cannot answer by itself it asks its parts.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from recapd.core.events import Record
from recapd.core.world import Batch, Delta, World, fold, forget
from recapd.daemon.hub import Hub
from recapd.daemon.marks import Marks
from recapd.daemon.recap_file import RecapFiles
from recapd.daemon.snapshot import Snapshot
from recapd.server.answers import Answers
from recapd.server.backend import Indexing, Mailbox
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
        marks: Marks,
        on_end: Callable[[str], None],
    ) -> None:
        self.world = World()
        self.instance_id = instance_id
        self.now = now
        self.hub = hub
        self.marks = marks
        self._on_end = on_end
        self._listeners: list[Callable[[Indexing], None]] = []
        self._snapshot: Snapshot | None = None
        self._answers = Answers()
        self._is_settled = False
        self._unfinished: dict[str, Sequence[Record]] = {}
        self._told_status: RecapdDidChangeStatusParams | None = None
        # Set by the app once they exist: they need the engine, and it needs them.
        self.reader: Reader
        self.recap_files: RecapFiles
        self.describe: Callable[[RecapdStatusParams], RecapdStatusResult]
        self.health: Callable[[], tuple[str, str | None]]

    def apply(self, batch: Batch) -> None:
        """Fold news of one source into the world, and pass on what changed."""
        # The time makes revisions grow across restarts.
        self.world, delta = fold(self.world, _stamped(batch))
        self._changed(delta)

    def forget(self, uri: str) -> None:
        """A log is gone."""
        self.world, deltas = forget(self.world, uri)
        for delta in deltas:
            self._changed(delta)

    def unfinished(self, uri: str, records: Sequence[Record]) -> None:
        """The last line of a log is whole but for its newline: it is shown, and folded once it is finished."""
        if records:
            self._unfinished[uri] = records
        else:
            self._unfinished.pop(uri, None)
        self._snapshot = None

    def snapshot(self) -> Snapshot:
        """One snapshot serves all requests until the world changes."""
        if self._snapshot is None:
            self._snapshot = Snapshot(
                _with_unfinished(self.world, self._unfinished),
                instance_id=self.instance_id,
                now=self.now,
                mark=self.marks.get,
                answers=self._answers,
                is_complete=self.reader.indexing().quiescent,
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

    def shut_down(self, reason: str) -> None:
        self._on_end(reason)

    def status_moved(self) -> None:
        """Indexing went on, a watcher changed, a file could not be written: tell whoever shows it."""
        indexing = self.reader.indexing()
        if indexing.quiescent and not self._is_settled:
            # What is known now mostly stays: the collector need not walk through it again and again.
            self._is_settled = True
            gc.collect()
            gc.freeze()
            gc.enable()
        # What could not be found a moment ago may only not have been read.
        self._snapshot = None
        for listener in tuple(self._listeners):
            listener(indexing)
        health, message = self.health()
        params = RecapdDidChangeStatusParams(health=health, quiescent=indexing.quiescent, message=message)
        if params != self._told_status:
            self._told_status = params
            self.hub.status_changed(params)

    def _changed(self, delta: Delta) -> None:
        self._snapshot = None
        self.hub.publish(delta, self.world)
        self.recap_files.note(delta, self.world)


def _with_unfinished(world: World, unfinished: dict[str, Sequence[Record]]) -> World:
    """The world as it would be if every writer had finished its line."""
    for uri, records in unfinished.items():
        source = world.sources.get(uri)
        if source is not None:
            batch = Batch(uri, source.agent, source.format, source.generation, records, (), source.carry)
            world, _ = fold(world, batch)
    return world


def _stamped(batch: Batch) -> Batch:
    if batch.now_ms:
        return batch
    return msgspec.structs.replace(batch, now_ms=time.time_ns() // 1_000_000)
