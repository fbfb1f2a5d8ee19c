"""Logs outside the watched folders: nobody tells when they change, so each is looked at whenever somebody asks for it.

    request's thread ─▶ session(path) ─▶ advance: stat and proofs, then only what is new ─▶ a world of that log alone

What was read is kept in memory for the next who asks, and never on disk. Must not know who asks, or for what.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Final

import msgspec

from recapd.core.giving_up import look_up
from recapd.core.state import (
    Session,
    World,
    fold,
    forget,
    revise,
    see_last_line,
    session_at,
)
from recapd.daemon.log_files import NothingYet, TailState, UnreadableLog, advance, logs_beside, open_log
from recapd.daemon.unfinished import Unfinished
from recapd.wire.errors import no_session_yet, request_failed
from recapd.wire.types import SessionSelector

# Read in one go: parsing this much takes some ten milliseconds.
SLICE_BYTES: Final = 1 << 20
# Of all logs together. A state takes a tenth of its log in memory; whoever asks about others reads them again.
MOST_BYTES: Final = 64_000_000


class _Log:
    """One log with those beside it that belong to its session, as far as they are read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        # Two who ask at once must not both read on from the same place.
        self.lock = Lock()
        self.files: dict[str, TailState] = {}
        self.world = World()
        self._unfinished = Unfinished()

    @property
    def size_bytes(self) -> int:
        return sum(state.stamp.size for state in self.files.values())

    def session(self, reserve_revision: Callable[[], int]) -> Session:
        """As the files are now. UnreadableLog where there is none to tell of."""
        before = self.world
        state = self._look(self.path)
        if state is None or not state.format:
            # Says in a sentence what is wrong with the file.
            open_log(self.path)
            raise NothingYet(f"{self.path} is being written; try again")
        beside = set(map(str, logs_beside(self.path, state.format)))
        for path in sorted(beside | self.files.keys() - {str(self.path)}):
            self._look(Path(path))
        if self.world is not before:
            # A revision that nobody was told of, whatever else changes in this process.
            world = msgspec.structs.replace(self.world, revision=reserve_revision() - 1)
            self.world, _ = revise(world, tuple(world.members))
        return self._told(state)

    def _look(self, path: Path) -> TailState | None:
        """What is new in one file is folded in; how far it is read then, or None where it is gone."""
        name = str(path)
        while True:
            look_up()
            known = self.files.get(name)
            step = advance(known, name, max_bytes=SLICE_BYTES, now_ns=time.time_ns())
            if known is not None and (step.is_void or step.state is None):
                self.world, _ = forget(self.world, known.uri)
            if step.state is None:
                self.files.pop(name, None)
                return None
            self.files[name] = step.state
            for batch in step.batches:
                self.world, _ = fold(self.world, batch)
            if step.outcome == "read" and step.state.has_more:
                continue
            if step.outcome != "unsure":
                self.world, _ = see_last_line(self.world, step.state.uri, step.unfinished)
            return step.state

    def _told(self, state: TailState) -> Session:
        world = self._unfinished.counted_in(self.world)
        session = session_at(world, state.uri)
        if session is None:
            raise NothingYet(f"{self.path} holds no session")
        return session


class Elsewhere:
    """Least recently asked about first. For any number of threads."""

    def __init__(
        self,
        reserve_revision: Callable[[], int],
        *,
        most_bytes: int = MOST_BYTES,
        wait_for_store: Callable[[], object] = lambda: None,
    ) -> None:
        """`wait_for_store` returns once it is known what is kept of sessions and which revisions were given out: a log
        that is named by its path could else be told of as if nobody had ever judged or read it."""
        self._reserve_revision = reserve_revision
        self._wait_for_store = wait_for_store
        self._most_bytes = most_bytes
        self._logs: dict[Path, _Log] = {}
        self._lock = Lock()

    def session(self, path: Path) -> Session:
        """The session of the log at a path without links, as the file is now; RecapError where it is no log."""
        self._wait_for_store()
        with self._lock:
            log = self._logs.pop(path, None) or _Log(path)
            self._logs[path] = log
        try:
            with log.lock:
                return log.session(self._reserve_revision)
        except NothingYet as error:
            self._drop(path)
            raise no_session_yet(str(error), SessionSelector(log=str(path))) from None
        except UnreadableLog as error:
            self._drop(path)
            raise request_failed(str(error)) from None
        finally:
            self._shrink()

    def has_read(self, uri: str) -> bool:
        """Whether it is one of the logs that were asked about."""
        with self._lock:
            return any(state.uri == uri for log in self._logs.values() for state in tuple(log.files.values()))

    def _drop(self, path: Path) -> None:
        with self._lock:
            self._logs.pop(path, None)

    def _shrink(self) -> None:
        """The one that is asked about stays, whatever its size."""
        with self._lock:
            size = sum(log.size_bytes for log in self._logs.values())
            while size > self._most_bytes and len(self._logs) > 1:
                size -= self._logs.pop(next(iter(self._logs))).size_bytes
