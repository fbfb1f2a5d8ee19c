"""Sessions read from disk on request, for a single command: what the daemon does, without staying."""

from __future__ import annotations

import os
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from recapd.core.events import Record
from recapd.core.refs import GENERATION_BYTES, LogRef
from recapd.core.times import from_epoch
from recapd.core.world import Session, World, fold, session_at, session_of, sessions_of, source_key
from recapd.daemon.formats import known_formats
from recapd.daemon.logs import modified_at, parse_at, read_at, read_range, resume_command
from recapd.daemon.reading import OpenLog, UnreadableLog, batch_of, batches, by_session, last_line, open_log
from recapd.daemon.roots import Root, default_roots
from recapd.daemon.scan import scan, wanted_in
from recapd.server.workspaces import belongs_to, path_of
from recapd.wire.base import SessionSelector
from recapd.wire.errors import access_denied, request_failed, session_not_found

# A list reads this many of the newest logs; older ones are found by id or path.
MAX_LISTED_LOGS = 400


class Library:
    """A world that grows as sessions are asked for. Fulfils server.service.Service."""

    def __init__(self, folders: Iterable[Path] | None = None, *, environ: dict[str, str] | None = None) -> None:
        environ = dict(os.environ) if environ is None else environ
        home = Path(environ.get("HOME") or Path.home())
        roots = default_roots(environ, home) if folders is None else [Root("", folder) for folder in folders]
        self._roots = [Root(root.agent, root.path.resolve()) for root in roots]
        self._world = World()
        self._sessions_in: dict[str, str] = {}
        # Files that were looked at and are no session logs, with the reason.
        self.refused: dict[Path, str] = {}

    def now(self) -> str:
        return from_epoch(datetime.now(UTC).timestamp())

    def instance_id(self) -> str:
        return f"{os.getpid()}"

    def formats(self) -> tuple[str, ...]:
        return known_formats()

    def sessions(self) -> list[Session]:
        for path in self.newest_logs()[:MAX_LISTED_LOGS]:
            self.try_load(path)
        return sessions_of(self._world)

    def session(self, selector: SessionSelector | None, cwd: str | None) -> Session:
        if selector is not None and selector.log is not None:
            return self.load(Path(path_of(selector.log)))
        if selector is not None and selector.id is not None:
            return self._by_id(selector)
        workspace = selector.workspace if selector is not None else cwd
        if workspace is None:
            return self._latest()
        for session in self.sessions():
            if belongs_to(session, workspace):
                return session
        raise session_not_found(selector)

    def load(self, path: Path) -> Session:
        """The session a log belongs to, with the logs of its sub-agents."""
        try:
            log = open_log(path)
            session_id = self._read(log)
            if (companions := log.adapter.companions) is not None:
                for pattern in companions(path.name):
                    for child in sorted(path.parent.glob(pattern)):
                        self.try_load(child)
        except UnreadableLog as error:
            raise request_failed(str(error)) from None
        session = session_of(self._world, session_id)
        if session is not None and session.main.uri != log.uri:
            session = session_at(self._world, log.uri)
        assert session is not None
        return session

    def modified_at(self, source: str) -> str:
        return modified_at(source)

    def head(self, source: str) -> bytes | None:
        self._check(source)
        return read_range(source, 0, GENERATION_BYTES)

    def bytes_at(self, ref: LogRef) -> bytes | None:
        self._check(ref.source)
        return read_at(ref)

    def records_at(self, format: str, ref: LogRef, line: bytes) -> tuple[Record, ...]:
        return parse_at(format, ref, line)

    def resume_command(self, session: Session) -> str | None:
        return resume_command(session)

    def mark(self, session_id: str, consumer: str) -> str | None:
        """Readers' marks live as long as the daemon; a single command has none."""
        return None

    def answers(self) -> None:
        """A single command asks once."""

    def has_read(self, uri: str) -> bool:
        return uri in self._sessions_in

    def newest_logs(self) -> list[Path]:
        """Every file below the folders that may be a log, the latest changed first."""
        found = scan([str(root.path) for root in self._roots], {}, is_wanted=wanted_in(self._roots))
        return [Path(path) for path in found.files]

    def _latest(self) -> Session:
        for path in self.newest_logs():
            if session := self.try_load(path):
                return self.load(path) if not session.main.transcript.subagent else session
        raise session_not_found()

    def _by_id(self, selector: SessionSelector) -> Session:
        wanted = selector.id or ""
        if session := session_of(self._world, wanted):
            return session
        # Agents put their session's id into the file's name; only where that fails are all logs read.
        native = wanted.partition(":")[2]
        paths = self.newest_logs()
        for path in [path for path in paths if native and native in path.name] or paths:
            if self.try_load(path) and (session := session_of(self._world, wanted)):
                return self.load(Path(path_of(session.main.uri)))
        raise session_not_found(selector)

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
        now_ms = int(datetime.now(UTC).timestamp() * 1000)
        session_id, key = "", log.uri
        try:
            for batch in batches(log, now_ms=now_ms):
                self._world, delta = fold(self._world, batch)
                session_id, key = delta.session_id, source_key(batch.uri, batch.part)
        except OSError as error:
            raise UnreadableLog(f"{log.path} could not be read: {error.strerror or error}") from None
        if not session_id:
            raise UnreadableLog(f"{log.path} holds no session")
        carry = self._world.sources[key].carry
        if rest := last_line(log, carry):
            # Nobody will read on from here, so the last line may count although its newline is missing.
            for batch in by_session(log.adapter, batch_of(log, rest, [], carry)):
                self._world, delta = fold(self._world, batch)
                session_id = delta.session_id
        self._sessions_in[log.uri] = session_id
        return session_id

    def _check(self, source: str) -> None:
        """Only logs are read back, whatever a ref says."""
        if not self.has_read(source):
            raise access_denied("That file is no log of this session; use a ref from a recap.")
