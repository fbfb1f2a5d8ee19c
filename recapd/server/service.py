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
from recapd.core.why import Edit
from recapd.server.answers import Answers
from recapd.server.attributions import Attributions
from recapd.server.durable import Durable
from recapd.server.indexes import Indexes
from recapd.server.readings import reading_of
from recapd.server.recaps import Recaps
from recapd.server.rows import Rows
from recapd.server.searching import Said
from recapd.wire.types import (
    ConfigGetResult,
    ReadingStartParams,
    ReadingStartResult,
    ReadingStopResult,
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


class Reader(Protocol):
    """Who has sessions read by a model."""

    async def start(self, session: Session, params: ReadingStartParams) -> ReadingStartResult: ...

    async def stop(self, session: Session) -> ReadingStopResult: ...


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
    def recaps(self) -> Recaps:
        """Recaps of sessions as they stand."""
        ...

    @property
    def attributions(self) -> Attributions:
        """Who wrote the lines of files that were asked about before."""
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

    @property
    def reader(self) -> Reader | None:
        """None in a process of its own, which asks no model."""
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

    def recall_judged(self, session: Session) -> None:
        """See to it that whoever needs all decisions of a session judges only what nobody has judged. Looks at the
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

    def document_records(self, source: Source) -> tuple[Record, ...] | None:
        """All records of a log that is one document, likewise; None where it is gone, or another one by now."""
        ...

    def edits_at(
        self, source: Source, change: FileChange, lines: tuple[bytes, bytes], is_wanted: Callable[[str], bool]
    ) -> tuple[Hunk, ...]:
        """What a change did to the file whose paths are wanted, from the bytes of its call's record and its result's;
        empty where they do not tell. Without secrets that were handed over before."""
        ...

    def texts_at(self, change: FileChange, lines: tuple[bytes, bytes], is_wanted: Callable[[str], bool]) -> Edit:
        """The same by the texts before and after it, as logged, with whatever is secret in them: to be compared with
        the file's, never to be shown."""
        ...

    def source_text(self, path: str) -> str | None:
        """A source file as it is now, or None where it cannot be read; not to be shown either."""
        ...

    def write_page(self, name: str, markdown: str) -> str | None:
        """The path of a file of the user's own with this page, for an editor to show; None where none can be had."""
        ...

    def resume_command(self, session: Session) -> str | None:
        """The agent's own command to go on with the session."""
        ...

    def is_gone(self, session: Session) -> bool:
        """Whether the process that a hook named is gone, looked at now; otherwise that is noticed only now and then."""
        ...

    def mark(self, session_id: str, consumer: str) -> str | None:
        """The cursor up to which a named reader has read; None where it has not."""
        ...

    def marks(self, session_id: str) -> Mapping[str, str]:
        """By reader: the cursor up to which it has read."""
        ...

    def moved_marks(self) -> int:
        """How often a reader moved a mark: while this is the same, so is every mark of a session that is there."""
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
    """The session with the user's word on its decisions, and with what a reader made of it."""
    given = service.durable.verdicts(session.id)
    reading = reading_of(service.durable, session)
    if not given and reading is None:
        return session
    verdicts = {entry: verdict.word for entry, verdict in given.items()}
    return msgspec.structs.replace(session, verdicts=verdicts, reading=reading)
