"""The world as one request sees it: immutable, with the logs behind it. Fulfils server.service.Service."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from recapd.core.events import Record
from recapd.core.refs import GENERATION_BYTES, LogRef
from recapd.core.world import Session, World, session_at, session_of, sessions_of
from recapd.daemon.formats import known_formats
from recapd.daemon.library import Library
from recapd.daemon.logs import modified_at, parse_at, read_at, read_range, resume_command
from recapd.server.answers import Answers
from recapd.server.workspaces import belongs_to, path_of
from recapd.wire.base import SessionSelector
from recapd.wire.errors import access_denied, not_ready, session_not_found

# While logs are read for the first time, the one asked for may come any moment.
_RETRY_MS = 200


class Snapshot:
    """One world and the clock. Sessions outside the watched roots are read on request, in the caller's thread."""

    def __init__(
        self,
        world: World,
        *,
        instance_id: str,
        now: Callable[[], str],
        mark: Callable[[str, str], str | None] = lambda session_id, consumer: None,
        answers: Answers | None = None,
        is_complete: bool = True,
    ) -> None:
        self._world = world
        self._instance_id = instance_id
        self._now = now
        self._mark = mark
        self._answers = answers
        self._is_complete = is_complete
        self._sessions: list[Session] | None = None
        self._uris: frozenset[str] | None = None
        self._elsewhere = Library([])

    def answers(self) -> Answers | None:
        return self._answers

    def now(self) -> str:
        return self._now()

    def instance_id(self) -> str:
        return self._instance_id

    def formats(self) -> tuple[str, ...]:
        return known_formats()

    def sessions(self) -> list[Session]:
        if self._sessions is None:
            self._sessions = sessions_of(self._world)
        return self._sessions

    def session(self, selector: SessionSelector | None, cwd: str | None) -> Session:
        if selector is not None and selector.id is not None:
            found = session_of(self._world, selector.id)
        elif selector is not None and selector.log is not None:
            return self._of_log(selector.log)
        else:
            workspace = selector.workspace if selector is not None else cwd
            found = next((each for each in self.sessions() if workspace is None or belongs_to(each, workspace)), None)
        if found is None:
            raise session_not_found(selector) if self._is_complete else not_ready(_RETRY_MS)
        return found

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
        return self._mark(session_id, consumer)

    def _of_log(self, log: str) -> Session:
        """The session of a watched log, or of any log of the user's that is read now and not kept."""
        path = Path(path_of(log)).resolve()
        uri = path.as_uri()
        return session_at(self._world, uri) or self._elsewhere.load(path)

    def _check(self, source: str) -> None:
        """Only logs are read back, whatever a ref says."""
        if self._uris is None:
            self._uris = frozenset(each.uri for each in self._world.sources.values())
        if source not in self._uris and not self._elsewhere.has_read(source):
            raise access_denied("That file is no log recapd knows; use a ref from a recap.")
