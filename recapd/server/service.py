"""What a handler may ask of the process it runs in. The daemon fulfils it, and so does a single command."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Protocol

import msgspec

from recapd.core.commands import Hunk
from recapd.core.log import LogRef, Record
from recapd.core.retrieval import Query
from recapd.core.settings import Settings
from recapd.core.state import FileChange, Session, Source
from recapd.server.answers import Answers
from recapd.server.durable import Durable
from recapd.server.indexes import Indexes
from recapd.server.rows import Rows
from recapd.server.searching import Said
from recapd.wire.types import (
    ConfigGetResult,
    SessionSelector,
    SummaryCreateParams,
    SummaryCreateResult,
    SummaryDigestParams,
    SummaryDigestResult,
)


class Summarizer(Protocol):
    """Who makes summaries on request, and may ask a model for them. RecapError where none can be had."""

    async def create(self, session: Session, params: SummaryCreateParams) -> SummaryCreateResult: ...

    async def digest(self, session: Session, params: SummaryDigestParams) -> SummaryDigestResult: ...


class Service(Protocol):
    """Snapshots of the world, and the logs behind it."""

    @property
    def instance_id(self) -> str:
        """Tells this process from an earlier one."""
        ...

    @property
    def durable(self) -> Durable:
        """What cannot be read again from logs: verdicts, summaries, audit."""
        ...

    @property
    def indexes(self) -> Indexes:
        """Passages of conversations that were asked about before."""
        ...

    @property
    def rows(self) -> Rows:
        """Rows of lists that were made before."""
        ...

    @property
    def serial(self) -> int:
        """Which of the worlds of this process it is: another number where anything may have changed."""
        ...

    @property
    def answers(self) -> Answers | None:
        """Where answers are kept for others who ask the same; None where nobody will."""
        ...

    @property
    def summarizer(self) -> Summarizer | None:
        """None in a process of its own, which asks no model and keeps no summary."""
        ...

    def now(self) -> str:
        """The time, in canonical form."""
        ...

    def formats(self) -> tuple[str, ...]:
        """Names of the log formats that are read."""
        ...

    def sessions(self) -> list[Session]:
        """All sessions known now, most recently active first. Of some only the head is at hand (see core.cold): ask
        for the session by its id to tell more of it than a list does."""
        ...

    def session(self, selector: SessionSelector | None, cwd: str | tuple[str, ...] | None) -> Session:
        """The session a request names, with everything that is known of it, or RecapError."""
        ...

    def find_session(self, selector: SessionSelector | None, cwd: str | tuple[str, ...] | None) -> Session:
        """The same as a list has it. Looks at the disk only where a log or a folder is named."""
        ...

    def is_at_hand(self, session: Session) -> bool:
        """Whether a session that was found is completed without looking at the disk."""
        ...

    def complete(self, session: Session) -> Session:
        """A session that was found, with everything that is known of it, or RecapError."""
        ...

    def judge_soon(self, session: Session) -> None:
        """See to it that the decisions of a session that somebody asks about are known, now or soon. Looks at the
        disk."""
        ...

    def listed(self, session_id: str) -> Session | None:
        """The session as `sessions` has it, without looking at the disk."""
        ...

    def whole(self, session: Session) -> Session:
        """A session of the list with as much as is known of it. Looks at the disk."""
        ...

    def settings(self, session: Session) -> Settings:
        """The settings that hold for the session: its workspace may have some of its own."""
        ...

    def configuration(self, workspace: str | None) -> ConfigGetResult:
        """The configuration in effect, with whatever is secret in it: for `config/get` to clean."""
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

    def records_at(self, source: Source, ref: LogRef, line: bytes) -> tuple[Record, ...]:
        """The bytes of one record of a source, parsed, without secrets that were handed over in it or before it; empty
        where they hold none."""
        ...

    def edits_at(
        self, source: Source, change: FileChange, lines: tuple[bytes, bytes], is_wanted: Callable[[str], bool]
    ) -> tuple[Hunk, ...]:
        """What a change did to the file whose paths are wanted, from the bytes of its call's record and its result's;
        empty where they do not tell. Without secrets that were handed over before."""
        ...

    def resume_command(self, session: Session) -> str | None:
        """The agent's own command to go on with the session."""
        ...

    def mark(self, session_id: str, consumer: str) -> str | None:
        """The cursor up to which a named reader has read; None where it has not."""
        ...

    def marks(self, session_id: str) -> Mapping[str, str]:
        """By reader: the cursor up to which it has read."""
        ...

    def find(self, query: str) -> frozenset[str]:
        """Ids of the sessions in which somebody said all of these words."""
        ...

    def search(
        self, query: Query, sessions: Collection[str] | None, *, first: int, limit: int
    ) -> tuple[Sequence[Said], bool]:
        """What was said and done with these words, the best first, from the number `first` on, and whether there is
        more; only in the given sessions, where some are given."""
        ...

    def long_texts(self, sessions: Collection[str] | None, most: int) -> Sequence[Said]:
        """The latest messages of which the middle may not be kept, with what is kept of them."""
        ...

    def forget(self, session: Session) -> int:
        """Keep nothing of a session, and do not read it again; its revision after that. Waits for the disk."""
        ...

    def remember(self, selector: SessionSelector | None) -> tuple[str, int]:
        """Take that back: the session's id and revision. RecapError where it was not forgotten. Waits for the disk."""
        ...


def judged(service: Service, session: Session) -> Session:
    """The session with the user's word on its decisions."""
    given = service.durable.verdicts(session.id)
    if not given:
        return session
    return msgspec.structs.replace(session, verdicts={entry: verdict.word for entry, verdict in given.items()})
