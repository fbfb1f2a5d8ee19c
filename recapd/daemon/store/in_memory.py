"""Where nothing is kept on disk: what the store keeps otherwise lives in memory, and ends with the process.

For a process that only one client uses, for those who switched the store off, and for tests.
"""

from __future__ import annotations

import sqlite3
import weakref
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from threading import Lock
from typing import TypeVar

import msgspec
from anyio.from_thread import BlockingPortal

from recapd.client.paths import Places
from recapd.core.retrieval import Query
from recapd.core.state import Batch, Session, Source
from recapd.core.trouble import Trouble
from recapd.daemon.clock import now as now_
from recapd.daemon.encoding import JudgedRow
from recapd.daemon.engine import Engine, EngineElsewhere, Nobody, Step, Told
from recapd.daemon.store.database import open_in_memory
from recapd.daemon.store.kept import SCHEMA, DurableRows, Kept
from recapd.daemon.store.offline import forgotten_paths
from recapd.server.threads import in_thread
from recapd.wire.errors import request_failed
from recapd.wire.types import QueueStatus, SessionSelector, StoreStatus

T = TypeVar("T")

_decode = msgspec.msgpack.Decoder(Source).decode

_KEEPS_NOTHING = "This recapd keeps nothing on disk (store.enabled, or one client on stdio)."


class InMemory(DurableRows):
    """The same rows in a database that is nowhere."""

    def __init__(self, now: Callable[[], str] = now_, engine: Told | None = None) -> None:
        super().__init__(engine or Nobody())
        self._db = open_in_memory(SCHEMA)
        weakref.finalize(self, self._db.close)
        self._kept = Kept(self._db, now)
        self._lock = Lock()

    def known(self) -> Kept | None:
        return self._kept

    def read(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        with self._lock:
            return work(self._db)

    def keep(self, work: Callable[[Kept], T]) -> T:
        with self._lock:
            return work(self._kept)

    def judged_of(self, source: Source) -> Mapping[int, JudgedRow]:
        return {}

    def judged_marks(self) -> Mapping[str, str]:
        return {}

    def save_judged(self, source: Source, rows: Sequence[JudgedRow], mark: str) -> Future[bool]:
        """What is in memory is all there is."""
        done: Future[bool] = Future()
        done.set_result(True)
        return done


class NothingCold:
    """Everything is in memory. Fulfils what Warm does."""

    is_full = False

    def adopt(self, batches: tuple[Batch, ...]) -> tuple[Batch, ...]:
        return tuple(
            msgspec.structs.replace(batch, adopted=_decode(batch.body), body=b"") if batch.body else batch
            for batch in batches
        )

    def has(self, head: Source) -> bool:
        return True

    def whole(self, head: Source) -> Source:
        return head

    def drop(self, key: str) -> None:
        return

    async def can_continue(self, heads: Sequence[Source]) -> bool:
        return True


class KeepingNothing:
    """Fulfils what Keeping does, without a disk."""

    def __init__(self, store: InMemory | None = None, *, forgotten: Callable[[], list[str]] = list) -> None:
        """Files that are `forgotten` are not to be read: another process was told so."""
        self.store = store or InMemory()
        self.warm = NothingCold()
        self._forgotten = forgotten
        self.troubles: tuple[Trouble, ...] = ()

    async def begin(self, settings: str) -> Sequence[str]:
        return await in_thread(self._forgotten)

    async def run(self) -> None:
        return

    async def flush(self) -> None:
        return

    def close(self, timeout_s: float) -> bool:
        return True

    def changed(self, step: Step) -> None:
        return

    def find(self, query: str) -> None:
        """There is no index: who asks goes through what is in memory."""
        return

    def search(self, query: Query, sessions: Collection[str] | None, *, first: int, limit: int) -> None:
        return

    def long_texts(self, sessions: Collection[str] | None, most: int) -> None:
        return

    def bury(self, session: Session) -> int:
        raise request_failed(_KEEPS_NOTHING)

    def unbury(self, selector: SessionSelector | None) -> tuple[str, int]:
        raise request_failed(_KEEPS_NOTHING)

    def look_after_files(self) -> None:
        return

    def queues(self) -> tuple[QueueStatus, ...]:
        return ()

    def status(self) -> StoreStatus:
        return StoreStatus(state="off")

    def memory_limit(self) -> int | None:
        """Whatever is known stays in memory."""
        return None


def keep_in_memory(
    where: Places, engine: Engine, portal: BlockingPortal, *, now: Callable[[], str]
) -> tuple[NothingCold, Callable[[object], KeepingNothing]]:
    """The same as `keep_on_disk`."""
    store = InMemory(now, EngineElsewhere(engine, portal))
    keeping = KeepingNothing(store, forgotten=partial(forgotten_paths, where))
    return keeping.warm, lambda logs: keeping
