"""Sessions read from disk on request, for a single command: what the daemon does, without staying."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from recapd.client.agents import LISTED_FILE_NAMES
from recapd.client.paths import places
from recapd.core.log import GENERATION_BYTES, LogRef, from_epoch
from recapd.core.presence import Signal
from recapd.core.retrieval import Query, query_of
from recapd.core.settings import Settings
from recapd.core.state import (
    Session,
    World,
    cold_sources,
    drop,
    fold,
    restore,
    session_at,
    session_id_of,
    session_of,
    sessions_of,
    source_key,
    with_whole,
)
from recapd.daemon.clock import now_ms
from recapd.daemon.config import Configuration, read_configuration
from recapd.daemon.disk import Disk
from recapd.daemon.live_configuration import describe_configuration
from recapd.daemon.log_files import (
    NothingYet,
    OpenLog,
    Root,
    UnreadableLog,
    batches,
    default_roots,
    last_batches,
    logs_beside,
    open_log,
    read_at,
    read_range,
    scan,
    wanted_in,
)
from recapd.daemon.memories import Memories
from recapd.daemon.own_folder import own_folder
from recapd.daemon.presence import find_presence_folder, look_at
from recapd.daemon.store import InMemory, Offline, Tombstone
from recapd.server.answers import Answers
from recapd.server.attributions import Attributions
from recapd.server.durable import Durable
from recapd.server.indexes import Indexes
from recapd.server.recaps import Recaps
from recapd.server.rows import Rows
from recapd.server.searching import Said, long_texts_in, search_sessions, sessions_saying
from recapd.server.service import Reader, Summarizer
from recapd.server.workspaces import belongs_to, path_of, workspace_of
from recapd.wire.errors import access_denied, no_session_yet, request_failed, session_not_found
from recapd.wire.types import ConfigGetResult, SessionSelector

# A list reads this many of the newest logs; older ones are found by id or path.
MAX_LISTED_LOGS = 400
# Below a folder that somebody names many a file may only be called like a log; that it is none, its beginning shows.
MAX_TRIED_FILES = 10 * MAX_LISTED_LOGS


class Library(Disk):
    """A world that grows as sessions are asked for. Fulfils server.service.Service."""

    # A single command asks once, and no model.
    answers: Answers | None = None
    summarizer: Summarizer | None = None
    reader: Reader | None = None
    serial = 0

    def __init__(self, folders: Iterable[Path] | None = None, *, environ: dict[str, str] | None = None) -> None:
        environ = dict(os.environ) if environ is None else environ
        home = Path(environ.get("HOME") or Path.home())
        roots = default_roots(environ, home) if folders is None else [Root("", folder) for folder in folders]
        self._roots = [Root(root.agent, root.path.resolve()) for root in roots]
        self._is_wanted = wanted_in(self._roots, any_names=LISTED_FILE_NAMES)
        folders_of_presence = [find_presence_folder(root.agent, str(root.path)) for root in roots]
        there = look_at([each for each in folders_of_presence if each is not None], {})
        # With folders of its own it is nobody's library.
        self._offline = Offline(places(environ)) if folders is None else None
        kept = self._offline.known() if self._offline is not None else None
        left = kept.departures() if kept is not None else {}
        self._world = World(
            revision=now_ms(),
            present=dict(there.present),
            attended=there.attended,
            # That an agent left was told to a daemon, and stands in no log.
            signals={session_id: Signal("ended", at) for session_id, at in left.items()},
        )
        self._sessions_in: dict[str, str] = {}
        self.instance_id = f"{os.getpid()}"
        self.durable: Durable = self._offline or InMemory()
        self._own_folder = own_folder(environ)
        self.indexes = Indexes()
        self.rows = Rows()
        self.attributions = Attributions()
        self._memories = Memories()
        self.recaps = Recaps(self._memories.keeps)
        # Files that were looked at and are no session logs, with the reason.
        self.refused: dict[Path, str] = {}

    def now(self) -> str:
        return from_epoch(datetime.now(UTC).timestamp())

    def sessions(self) -> list[Session]:
        loaded = 0
        for path in self.newest_logs()[:MAX_TRIED_FILES]:
            loaded += self.try_load(path) is not None
            if loaded == MAX_LISTED_LOGS:
                break
        self._take_relics()
        return [session for session in sessions_of(self._world, self.now()) if session.id not in self._buried()]

    def session(self, selector: SessionSelector | None, cwd: str | tuple[str, ...] | None) -> Session:
        return self.complete(self.find_session(selector, cwd))

    def find_session(self, selector: SessionSelector | None, cwd: str | tuple[str, ...] | None) -> Session:
        found = self._found(selector, cwd)
        if found.id in self._buried():
            raise session_not_found(selector)
        return found

    def _found(self, selector: SessionSelector | None, cwd: str | tuple[str, ...] | None) -> Session:
        if selector is not None and selector.log is not None:
            return self.load(Path(path_of(selector.log)))
        if selector is not None and selector.named_id is not None:
            return self._by_id(selector)
        workspace = selector.workspace if selector is not None else cwd
        if workspace is None:
            return self._latest()
        folders = workspace_of(workspace)
        for session in self.sessions():
            if belongs_to(session, folders):
                return session
        raise session_not_found(selector)

    def judge_soon(self, session: Session) -> None:
        """Whoever asks judges."""

    def recall_judged(self, session: Session) -> None:
        """Nobody has judged before."""

    def listed(self, session_id: str) -> Session | None:
        return session_of(self._world, session_id)

    def is_at_hand(self, session: Session) -> bool:
        return not cold_sources(session)

    def complete(self, session: Session) -> Session:
        if cold := cold_sources(session):
            session = with_whole(session, {source.key: self._kept().whole(source) for source in cold})
        return self._memories.remind(session)

    whole = complete

    def load(self, path: Path) -> Session:
        """The session a log belongs to, with the logs of its sub-agents."""
        try:
            log = open_log(path)
            self._read(log)
            for child in logs_beside(path, log.adapter.name):
                self.try_load(child)
        except NothingYet as error:
            raise no_session_yet(str(error), SessionSelector(log=str(path))) from None
        except UnreadableLog as error:
            raise request_failed(str(error)) from None
        session = session_at(self._world, log.uri)
        assert session is not None
        return session

    def settings(self, session: Session) -> Settings:
        return self._configured.settings_of(session)

    def configuration(self, workspace: str | None) -> ConfigGetResult:
        return describe_configuration(self._configured, workspace)

    @cached_property
    def _configured(self) -> Configuration:
        """Read when it is first asked for, and good for the one command."""
        return read_configuration()

    def head(self, source: str) -> bytes | None:
        self._check(source)
        return read_range(source, 0, GENERATION_BYTES)

    def bytes_at(self, ref: LogRef) -> bytes | None:
        self._check(ref.source)
        return read_at(ref)

    def mark(self, session_id: str, consumer: str) -> str | None:
        return self.marks(session_id).get(consumer)

    def marks(self, session_id: str) -> Mapping[str, str]:
        return self._offline.marks_of(session_id) if self._offline is not None else {}

    def moved_marks(self) -> int:
        """Answers are kept for nobody here."""
        return 0

    def find(self, query: str) -> frozenset[str]:
        return sessions_saying(map(self.whole, self.sessions()), query_of(query))

    def search(
        self, query: Query, sessions: Collection[str] | None, *, first: int, limit: int
    ) -> tuple[Sequence[Said], bool]:
        return search_sessions(map(self.whole, self.sessions()), query, sessions, first=first, limit=limit)

    def long_texts(self, sessions: Collection[str] | None, most: int) -> Sequence[Said]:
        return long_texts_in(map(self.whole, self.sessions()), sessions, most)

    def forget(self, session: Session) -> int:
        sources = (session.main, *session.children, *session.aliases)
        alone = [path_of(source.uri) for source in sources if not source.part]
        return self._kept().bury(session.id, tuple({source.uri: None for source in sources}), alone)

    def remember(self, selector: SessionSelector | None) -> tuple[str, int]:
        buried = self._buried()
        wanted = selector.named_id if selector is not None else None
        if selector is not None and selector.log is not None:
            uri = Path(os.path.realpath(path_of(selector.log))).as_uri()
            wanted = next((each.session_id for each in buried.values() if uri in each.uris), None)
        if wanted is None or wanted not in buried:
            raise session_not_found(selector)
        return wanted, self._kept().unbury(wanted)

    def _kept(self) -> Offline:
        if self._offline is None:
            raise request_failed("Nothing is kept of these logs; ask the running recapd.")
        return self._offline

    def _buried(self) -> Mapping[str, Tombstone]:
        return self._offline.tombstones() if self._offline is not None else {}

    def has_read(self, uri: str) -> bool:
        return uri in self._sessions_in

    def newest_logs(self) -> list[Path]:
        """Every file below the folders that may be a log, the latest changed first."""
        found = scan([str(root.path) for root in self._roots], {}, is_wanted=self._is_wanted)
        return [Path(path) for path in found.files]

    def _latest(self) -> Session:
        for path in self.newest_logs():
            if session := self.try_load(path):
                return self.load(path) if not session.main.transcript.subagent else session
        self._take_relics()
        for session in sessions_of(self._world, self.now()):
            return session
        raise session_not_found()

    def _by_id(self, selector: SessionSelector) -> Session:
        wanted = selector.named_id or ""
        if session := session_of(self._world, wanted):
            return session
        # Agents put their session's id into the file's name; only where that fails are all logs read.
        native = wanted.partition(":")[2]
        paths = self.newest_logs()
        for path in [path for path in paths if native and native in path.name] or paths:
            if self.try_load(path) and (session := session_of(self._world, wanted)):
                return self.load(Path(path_of(session.main.uri)))
        self._take_relics()
        if session := session_of(self._world, wanted):
            return session
        raise session_not_found(selector)

    def _take_relics(self) -> None:
        """What the daemon kept of logs that are gone, as far as no other log tells it."""
        known = set(self._world.members)
        for relic in self._offline.relics() if self._offline is not None else ():
            source = relic.source
            session_id = session_id_of(source)
            if session_id not in known and not os.path.exists(path_of(source.uri)):
                self._world = restore(self._world, [(source, relic.revision)])
                self._sessions_in[source.uri] = session_id

    def try_load(self, path: Path) -> Session | None:
        try:
            session_id = self._read(open_log(path))
        except UnreadableLog as error:
            self.refused[path] = str(error)
            return None
        return session_of(self._world, session_id)

    def _read(self, log: OpenLog) -> str:
        """Read a log whole, unless it was read before; the id of the last session in it."""
        if log.uri in self._sessions_in:
            return self._sessions_in[log.uri]
        session_id, key = "", log.uri
        try:
            for batch in batches(log):
                self._world, delta = fold(self._world, batch)
                session_id, key = delta.session_id, source_key(batch.uri, batch.part)
        except OSError as error:
            raise UnreadableLog(f"{log.path} could not be read: {error.strerror or error}") from None
        if not session_id:
            raise UnreadableLog(f"{log.path} holds no session")
        # Nobody will read on from here, so the last line may count although its newline is missing.
        for batch in last_batches(log, self._world.sources[key].carry):
            self._world, delta = fold(self._world, batch)
            session_id = delta.session_id
        if self._world.sources[key].is_logged_below(self._own_folder):
            self._world, _ = drop(self._world, [key])
            raise UnreadableLog(f"{log.path} is what a program logged that recapd itself ran, and no session")
        self._sessions_in[log.uri] = session_id
        return session_id

    def _check(self, source: str) -> None:
        """Only logs are read back, whatever a ref says."""
        if not self.has_read(source):
            raise access_denied("That file is no log of this session; use a ref from a recap.")
