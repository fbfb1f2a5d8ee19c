"""The world as one request sees it: immutable, with the logs behind it. Fulfils server.service.Service."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct

from recapd.core.log import GENERATION_BYTES, LogRef, Record
from recapd.core.retrieval import Query, query_of
from recapd.core.state import (
    Session,
    Source,
    World,
    cold_sources,
    extend,
    session_at,
    session_of,
    with_whole,
)
from recapd.daemon.clock import now_ms
from recapd.daemon.config import Configuration, default_configuration
from recapd.daemon.disk import Disk
from recapd.daemon.elsewhere import Elsewhere
from recapd.daemon.listing import Listing
from recapd.daemon.live_configuration import describe_configuration
from recapd.daemon.log_files import read_at, read_range
from recapd.daemon.memories import Memories
from recapd.daemon.store import InMemory, Keeping, KeepingNothing
from recapd.server.answers import Answers
from recapd.server.attributions import Attributions
from recapd.server.durable import Durable
from recapd.server.indexes import Indexes
from recapd.server.recaps import Recaps
from recapd.server.rows import Rows
from recapd.server.searching import Said, long_texts_in, search_sessions, sessions_saying
from recapd.server.service import Reader, Summarizer
from recapd.server.workspaces import belongs_to, path_of, workspace_of
from recapd.wire.errors import RecapError, access_denied, not_ready, session_not_found
from recapd.wire.types import ConfigGetResult, SessionSelector

# While logs are read for the first time, the one asked for may come any moment.
_RETRY_MS = 200


class Behind(Struct, frozen=True):
    """What stands behind a world of which parts are on disk."""

    # Before unfinished lines are counted in, which are these.
    world: World
    unfinished: Mapping[str, Sequence[Record]]
    keeping: Keeping | KeepingNothing

    def whole(self, session: Session) -> Session:
        """The session with everything that is known of it; reads from disk."""
        cold = cold_sources(session)
        return with_whole(session, {source.key: self._whole(source) for source in cold}) if cold else session

    def whole_for_once(self, session: Session) -> Session:
        """The same, of which nothing is kept that was not before."""
        cold = [each for each in cold_sources(session) if not self.keeping.warm.has(self.world.sources[each.key])]
        session = self.whole(session)
        for source in cold:
            self.keeping.warm.drop(source.key)
        return session

    def is_at_hand(self, session: Session) -> bool:
        cold = cold_sources(session)
        return all(self.keeping.warm.has(self.world.sources[each.key]) for each in cold)

    def _whole(self, source: Source) -> Source:
        # The session may be of another snapshot, and its source gone since.
        whole = self.keeping.warm.whole(self.world.sources.get(source.key, source))
        records = self.unfinished.get(source.uri)
        if not records or whole.part:
            return whole
        return msgspec.structs.replace(whole, transcript=extend(whole.transcript, records))


class JudgesSoon(Protocol):
    def judge_soon(self, session: Session) -> None: ...

    def recall_judged(self, session: Session) -> None: ...


class ReadsSoon(Reader, Protocol):
    def look(self, session: Session) -> None: ...


class Snapshot(Disk):
    """One world and the clock. Logs outside the watched roots are looked at on request, in the caller's thread."""

    def __init__(
        self,
        world: World,
        *,
        behind: Behind | None = None,
        instance_id: str,
        now: Callable[[], str],
        mark: Callable[[str, str], str | None] = lambda session_id, consumer: None,
        marks: Callable[[str], Mapping[str, str]] = lambda session_id: {},
        moved_marks: Callable[[], int] = lambda: 0,
        answers: Answers | None = None,
        indexes: Indexes | None = None,
        rows: Rows | None = None,
        recaps: Recaps | None = None,
        attributions: Attributions | None = None,
        listing: Listing | None = None,
        serial: int = 0,
        memories: Memories | None = None,
        is_complete: bool = True,
        durable: Durable | None = None,
        configured: Configuration | None = None,
        elsewhere: Elsewhere | None = None,
        summarizer: Summarizer | None = None,
        reader: ReadsSoon | None = None,
        ahead: JudgesSoon | None = None,
    ) -> None:
        self._world = world
        self._behind = behind or Behind(world, {}, KeepingNothing())
        self._memories = memories or Memories()
        self._is_complete = is_complete
        self._configured = configured or default_configuration()
        self.instance_id = instance_id
        self.durable: Durable = durable or InMemory()
        self.indexes = indexes or Indexes()
        self.rows = rows or Rows()
        self.recaps = recaps or Recaps(self._memories.keeps)
        self.attributions = attributions or Attributions()
        self.serial = serial
        self._listing = listing or Listing()
        self.answers = answers
        self.summarizer = summarizer
        self.reader: Reader | None = reader
        self._reads = reader
        self._ahead = ahead
        # What others answer, they are asked themselves.
        self.now = now
        self.mark = mark
        self.marks = marks
        self.moved_marks = moved_marks
        self.settings = self._configured.settings_of
        self.is_at_hand = self._behind.is_at_hand
        self._sessions: list[Session] | None = None
        self._uris: frozenset[str] | None = None
        self._elsewhere = elsewhere or Elsewhere(now_ms)

    def sessions(self) -> list[Session]:
        if self._sessions is None:
            self._sessions = self._listing.sessions_of(self._world, self.now())
        return self._sessions

    def session(self, selector: SessionSelector | None, cwd: str | tuple[str, ...] | None) -> Session:
        return self.complete(self.find_session(selector, cwd))

    def complete(self, session: Session) -> Session:
        return self._memories.remind(self._behind.whole(session))

    def whole_for_once(self, session: Session) -> Session:
        """The same with a memory of its own, which nobody keeps."""
        return self._behind.whole_for_once(session)

    def judge_soon(self, session: Session) -> None:
        if self._ahead is not None:
            self._ahead.judge_soon(session)
        if self._reads is not None:
            self._reads.look(session)

    def recall_judged(self, session: Session) -> None:
        if self._ahead is not None:
            self._ahead.recall_judged(session)

    def listed(self, session_id: str) -> Session | None:
        return session_of(self._world, session_id)

    def whole(self, session: Session) -> Session:
        try:
            return self.complete(session)
        except RecapError:
            # Its log went before what was known of it was written down: the head is all there is.
            return session

    def find_session(self, selector: SessionSelector | None, cwd: str | tuple[str, ...] | None) -> Session:
        if selector is not None and selector.named_id is not None:
            found = session_of(self._world, selector.named_id)
        elif selector is not None and selector.log is not None:
            return self._of_log(selector.log)
        else:
            workspace = selector.workspace if selector is not None else cwd
            folders = workspace_of(workspace) if workspace is not None else None
            found = next((each for each in self.sessions() if folders is None or belongs_to(each, folders)), None)
        if found is None:
            raise session_not_found(selector) if self._is_complete else not_ready(_RETRY_MS)
        return found

    def configuration(self, workspace: str | None) -> ConfigGetResult:
        return describe_configuration(self._configured, workspace)

    def head(self, source: str) -> bytes | None:
        self._check(source)
        return read_range(source, 0, GENERATION_BYTES)

    def bytes_at(self, ref: LogRef) -> bytes | None:
        self._check(ref.source)
        return read_at(ref)

    def find(self, query: str) -> frozenset[str]:
        found = self._behind.keeping.find(query)
        # Where nothing is kept on disk, all of it is in memory.
        return found if found is not None else sessions_saying(self.sessions(), query_of(query))

    def search(
        self, query: Query, sessions: Collection[str] | None, *, first: int, limit: int
    ) -> tuple[Sequence[Said], bool]:
        found = self._behind.keeping.search(query, sessions, first=first, limit=limit)
        return (
            found if found is not None else search_sessions(self.sessions(), query, sessions, first=first, limit=limit)
        )

    def long_texts(self, sessions: Collection[str] | None, most: int) -> Sequence[Said]:
        found = self._behind.keeping.long_texts(sessions, most)
        return found if found is not None else long_texts_in(self.sessions(), sessions, most)

    def forget(self, session: Session) -> int:
        return self._behind.keeping.bury(session)

    def remember(self, selector: SessionSelector | None) -> tuple[str, int]:
        return self._behind.keeping.unbury(selector)

    def _of_log(self, log: str) -> Session:
        """The session of a watched log, or of any log of the user's, which is looked at now and not kept on disk."""
        path = Path(os.path.realpath(path_of(log)))
        return session_at(self._world, path.as_uri()) or self._elsewhere.session(path)

    def _check(self, source: str) -> None:
        """Only logs are read back, whatever a ref says."""
        if self._uris is None:
            self._uris = frozenset(each.uri for each in self._world.sources.values())
        if source not in self._uris and not self._elsewhere.has_read(source):
            raise access_denied("That file is no log recapd knows; use a ref from a recap.")
