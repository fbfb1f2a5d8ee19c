"""What a handler may ask of the process it runs in. The daemon fulfils it, and so does a single command."""

from __future__ import annotations

from typing import Protocol

from recapd.core.events import Record
from recapd.core.refs import LogRef
from recapd.core.world import Session
from recapd.server.answers import Answers
from recapd.wire.base import SessionSelector


class Service(Protocol):
    """Snapshots of the world, and the logs behind it."""

    def now(self) -> str:
        """The time, in canonical form."""
        ...

    def instance_id(self) -> str:
        """Tells this process from an earlier one."""
        ...

    def formats(self) -> tuple[str, ...]:
        """Names of the log formats that are read."""
        ...

    def sessions(self) -> list[Session]:
        """All sessions known now, most recently active first."""
        ...

    def session(self, selector: SessionSelector | None, cwd: str | None) -> Session:
        """The session a request names, or RecapError."""
        ...

    def modified_at(self, source: str) -> str:
        """When a log was last written to, in canonical form, or "" where it is gone."""
        ...

    def head(self, source: str) -> bytes | None:
        """The first 4 KB of a known log, or None where it is gone."""
        ...

    def bytes_at(self, ref: LogRef) -> bytes | None:
        """The bytes at a place of a known log, or None where the file is gone or too short."""
        ...

    def records_at(self, format: str, ref: LogRef, line: bytes) -> tuple[Record, ...]:
        """The bytes of one record, parsed as this format; empty where they hold none."""
        ...

    def resume_command(self, session: Session) -> str | None:
        """The agent's own command to go on with the session."""
        ...

    def answers(self) -> Answers | None:
        """Where answers are kept for others who ask the same; None where nobody will."""
        ...

    def mark(self, session_id: str, consumer: str) -> str | None:
        """The cursor up to which a named reader has read; None where it has not."""
        ...
