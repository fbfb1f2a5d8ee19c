"""Wire types of `session/*`: finding, forgetting, remembering and exporting sessions, and word from their hooks."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from recapd.wire.types.activity import Needs, Running, SessionStatus
from recapd.wire.types.base import (
    AtLeastOne,
    FoldersParam,
    SessionParams,
    SessionReadParams,
    SessionResult,
    SessionSelector,
    Time,
    TimeParam,
    Wire,
    open_enum,
)
from recapd.wire.types.decisions import Decision
from recapd.wire.types.files import FileEntry
from recapd.wire.types.recap import Recap
from recapd.wire.types.status import SourceStatus
from recapd.wire.types.summary import Summary

SignalKind: TypeAlias = Literal["started", "prompt", "permission", "idle", "stopped", "failed", "compacting", "ended"]
Pid: TypeAlias = Annotated[int, Meta(ge=1, le=(1 << 31) - 1)]


SessionEnd: TypeAlias = Annotated[
    str,
    open_enum(
        "SessionEnd",
        "How a session ended.",
        ("clean", "crashed", "tokens", "iterations", "stopped", "failed"),
    ),
]


class SessionInfo(Wire, frozen=True, kw_only=True):
    """One session in a list."""

    id: str
    """The session's id."""
    title: str
    """The title the agent or the user gave it, else the first request, shortened."""
    agent: str
    """The agent that wrote the log."""
    last_active_at: Time
    """Time of the last record, or of the file where the log tells no times."""
    state: SessionStatus
    """Whether it goes on, waits or ended."""
    log: str
    """File URI of its main log."""
    indexed: bool
    """False while recapd has read only the beginning and end of the log."""
    revision: int
    """The session's revision."""
    model: str | None = None
    """The model last used."""
    workspace: str | None = None
    """Folder the agent works in, as the log names it."""
    branch: str | None = None
    """Git branch, as the log names it."""
    started_at: Time | None = None
    """Time of the first record."""
    turns: int | None = None
    """Turns, once indexed."""
    messages: int | None = None
    """Messages, once indexed."""
    resume_command: str | None = None
    """Command line that goes on with the session."""
    needs: Needs | None = None
    """What the agent needs from the user to go on."""
    question: str | None = None
    """What it asked and nobody answered."""
    running: Running | None = None
    """What it is doing."""
    live: bool | None = None
    """Whether the agent's process is known to run; absent where nobody can tell."""
    state_since: Time | None = None
    """When it came into this state."""
    unseen: int | None = None
    """How many turns are new to the `consumer` that was named, or have gone on; absent where it never acknowledged a
    recap of this session."""
    ended: SessionEnd | None = None
    """How it ended; absent where it goes on, or where nobody can tell."""
    note: str | None = None
    """What the agent last noted for itself, shortened."""
    instances: int | None = None
    """How many logs its agent wrote of it, one after the other in one folder; absent for agents that keep to one."""
    log_gone: bool = False
    """True where the log was deleted: what was known of it is kept and answers, but proves nothing any more."""


class SessionListParams(Wire, frozen=True, kw_only=True):
    """Params of `session/list`. Filters add up."""

    workspace: FoldersParam | None = None
    """Path or file URI of a folder, or several: only sessions of it, below it, or above it in the same git root."""
    agent: str | None = None
    """Only sessions of this agent."""
    query: str | None = None
    """Only sessions in whose title, workspace, branch, or anything that was said these words stand."""
    id_prefix: str | None = None
    """Only sessions whose id, or the agent's own part of it, begins with this."""
    consumer: str | None = None
    """Name of a reader, to be told what is `unseen` by it."""
    limit: AtLeastOne | None = None
    """Largest number of entries to answer with; recapd may answer with fewer."""
    cursor: str | None = None
    """`nextCursor` of the answer before."""


class SessionListResult(Wire, frozen=True, kw_only=True):
    """Sessions, most recently active first. Answered also while indexing goes on."""

    sessions: tuple[SessionInfo, ...]
    """The sessions of this page."""
    next_cursor: str | None = None
    """Where the next page begins; absent on the last page."""
    total: int | None = None
    """Number of sessions on all pages."""


class SessionForgetParams(SessionParams, frozen=True, kw_only=True):
    """Params of `session/forget`. The session must be named: the latest is not forgotten by accident."""


class SessionForgetResult(SessionResult, frozen=True, kw_only=True):
    """What recapd knew of the session is gone and the session is not indexed again. The log is untouched."""

    forgotten: bool
    """True after `session/forget`."""


class SessionRememberParams(SessionParams, frozen=True, kw_only=True):
    """Params of `session/remember`. The session must be named."""


class SessionRememberResult(SessionResult, frozen=True, kw_only=True):
    """The session is indexed again."""

    forgotten: bool
    """False after `session/remember`."""


class SessionExportParams(SessionReadParams, frozen=True, kw_only=True):
    """Params of `session/export`."""


class SessionSignalParams(Wire, frozen=True, kw_only=True):
    """Params of `session/signal`. The session must be named; its log need not exist yet."""

    session: SessionSelector
    """Which session."""
    kind: SignalKind
    """What happened."""
    at: TimeParam
    """When. What the log says of later counts more."""
    text: str | None = None
    """What permission is asked for, or why it failed."""
    summary: str | None = None
    """With `compacting`: the summary that the agent goes on from."""
    pid: Pid | None = None
    """The agent's process: once it is gone, so is the agent."""


class Mark(Wire, frozen=True, kw_only=True):
    """How far a named reader has read."""

    consumer: str
    """Name of the reader."""
    cursor: str
    """Where its mark stands."""
    at: Time | None = None
    """When it was moved."""


class AuditEntry(Wire, frozen=True, kw_only=True):
    """Something that was done with the session on the user's word or by a model."""

    at: Time
    """When."""
    action: str
    """What: the method, or `summarized`."""
    detail: str | None = None
    """On what, and why if a reason was given. Never text of the log."""


class SessionExportResult(SessionResult, frozen=True, kw_only=True):
    """Everything recapd knows of one session."""

    exported_at: Time
    """When."""
    session: SessionInfo
    """Its entry in the list."""
    sources: tuple[SourceStatus, ...]
    """The files it was read from."""
    recap: Recap
    """The recap."""
    decisions: tuple[Decision, ...]
    """The whole ledger, also what recaps leave out."""
    files: tuple[FileEntry, ...]
    """All files it touched."""
    summaries: tuple[Summary, ...]
    """All rolling summaries."""
    marks: tuple[Mark, ...]
    """Readers' marks."""
    audit: tuple[AuditEntry, ...]
    """What was done with it."""
