"""Wire types of `summary/*` and `history/get`: rolling summaries with what they cover, and the messages after them."""

from typing import Annotated, TypeAlias

from recapd.wire.types.activity import ToolUsage
from recapd.wire.types.base import (
    AtLeastOne,
    LogRef,
    SessionPageParams,
    SessionPageResult,
    SessionParams,
    SessionResult,
    Time,
    Wire,
    open_enum,
)

SummaryMethod: TypeAlias = Annotated[
    str,
    open_enum("SummaryMethod", "Sentences taken from the log, or written by a model.", ("extractive", "model")),
]
Speaker: TypeAlias = Annotated[str, open_enum("Speaker", "Who wrote a message.", ("user", "agent"))]


class SummaryDecision(Wire, frozen=True, kw_only=True):
    """A decision as a summary carries it."""

    id: str
    """The decision's id in `decisions/list`."""
    text: str
    """What was decided."""
    turn: int
    """The turn it was made in."""
    status: str
    """Whether it held when the summary was made."""


class SummaryFile(Wire, frozen=True, kw_only=True):
    """A file that was changed in the summarized messages."""

    path: str
    """As the log spells it."""
    action: str
    """What became of it."""


class SummaryCommand(Wire, frozen=True, kw_only=True):
    """A command that was run in the summarized messages."""

    command: str
    """The command line, shortened."""
    ok: bool
    """Whether it came back well the last time."""
    count: int = 1
    """How often it was run."""


class SummaryFacts(Wire, frozen=True, kw_only=True):
    """What a summary carries as data, merged from one summary to the next so that nothing fades."""

    goal: str | None
    """What the user set out to do."""
    topics: tuple[str, ...]
    """The requests that head what was worked on, the most telling few."""
    decisions: tuple[SummaryDecision, ...]
    """Decisions made so far."""
    files: tuple[SummaryFile, ...]
    """Files changed."""
    commands: tuple[SummaryCommand, ...]
    """Commands run, each once."""
    commands_run: int
    """Commands run, all of them."""
    failures: tuple[str, ...]
    """What was tried and failed."""
    commitments: tuple[str, ...]
    """What somebody said they would do."""
    open_questions: tuple[str, ...]
    """What was left open."""
    user_facts: tuple[str, ...]
    """What the user told of themselves and their circumstances."""
    tone: tuple[str, ...]
    """How the user spoke, the most frequent first."""
    tools: tuple[ToolUsage, ...] = ()
    """Tools used so far, most used first."""


class Summary(Wire, frozen=True, kw_only=True):
    """A rolling summary of a stretch of messages, what earlier summaries said carried on."""

    id: str
    """The summary's id."""
    number: int
    """Place among the session's summaries, from 1."""
    text: str
    """Everything up to `toMessage`, earlier summaries included."""
    from_message: int
    """First message that is new in it, from 0."""
    to_message: int
    """Last message it covers."""
    tokens: int
    """Estimated tokens of `text`."""
    method: SummaryMethod
    """How it was made."""
    created_at: Time
    """When it was made."""
    refs: tuple[LogRef, ...]
    """First and last record it covers, and the lines it rests on."""
    model: str | None = None
    """The model that wrote it."""
    focus: str | None = None
    """What it was asked to dwell on."""
    part: str | None = None
    """Messages `fromMessage` to `toMessage` alone; absent where that is the whole."""
    facts: SummaryFacts | None = None
    """What it carries as data."""
    notice: str | None = None
    """For the user, when it was made: what it holds, in a few lines."""
    note: str | None = None
    """Why no model wrote it although one should have."""


class Reduction(Wire, frozen=True, kw_only=True):
    """What a summary saves when it stands in for the messages it covers."""

    messages_before: int
    """Messages before."""
    messages_after: int
    """Messages after, the summary counted as one."""
    tokens_before: int
    """Estimated tokens before."""
    tokens_after: int
    """Estimated tokens after."""
    reduction: float
    """Share of the tokens saved, 0 to 1."""


class SummaryCreateParams(SessionParams, frozen=True, kw_only=True):
    """Params of `summary/create`."""

    focus: str | None = None
    """What to dwell on, in the user's words."""
    model: str | None = None
    """Model to use instead of the configured one."""


class SummaryCreateResult(SessionResult, frozen=True, kw_only=True):
    """A summary made on request."""

    summary: Summary
    """The new summary."""
    stats: Reduction
    """What it saves."""


class SummaryListParams(SessionPageParams, frozen=True, kw_only=True):
    """Params of `summary/list`."""


class SummaryListResult(SessionPageResult, frozen=True, kw_only=True):
    """The session's rolling summaries, oldest first."""

    summaries: tuple[Summary, ...]
    """The summaries of this page."""


class SummaryDigestParams(SessionParams, frozen=True, kw_only=True):
    """Params of `summary/digest`."""

    max_tokens: AtLeastOne | None = None
    """Hard cap of the text; absent: as configured for a full recap."""
    model: str | None = None
    """Model to tell the episodes, where models are switched on; absent: they are told in the log's own sentences."""
    workers: AtLeastOne | None = None
    """Episodes a model tells at the same time, at most; absent: as configured."""


class Episode(Wire, frozen=True, kw_only=True):
    """A stretch of the conversation on one matter, told in a few sentences."""

    text: str
    """The sentences."""
    from_message: int
    """First message of the stretch, from 0."""
    to_message: int
    """Last message of the stretch."""
    ref: LogRef
    """Where it begins."""


class SummaryDigestResult(SessionResult, frozen=True, kw_only=True):
    """A session boiled down to a budget: what was asked and decided, the episodes that matter most, what is open."""

    text: str
    """The digest, in order of time."""
    tokens: int
    """Estimated tokens of `text`."""
    episodes: tuple[Episode, ...]
    """The episodes in the text."""
    total: int
    """Episodes there are, also those that did not fit."""
    method: SummaryMethod
    """How they were told."""
    note: str | None = None
    """Why no model told them although one was named, or told only some."""


class HistoryGetParams(SessionPageParams, frozen=True, kw_only=True):
    """Params of `history/get`."""

    full: bool = False
    """Every message, not only those after the last summary."""


class HistoryMessage(Wire, frozen=True, kw_only=True):
    """One message of the conversation."""

    index: int
    """Place in the conversation, from 0."""
    speaker: Speaker
    """Who wrote it."""
    text: str
    """The text, redacted and shortened."""
    turn: int
    """The turn it belongs to, from 1; 0 before the first."""
    ref: LogRef
    """Where it stands."""
    at: Time | None = None
    """When it was written."""


class HistoryGetResult(SessionPageResult, frozen=True, kw_only=True):
    """The conversation as summaries of its beginning and the messages after them; of a long one, a page."""

    text: str
    """The same as text, between `<recapd-past>` marks: a line `[Summary k] messages a–b` with each summary, then the
    recent messages. There, messages are counted from 1. Pages one after another make up the whole."""
    total: int
    """Messages in the whole session."""
    summaries: tuple[Summary, ...]
    """Summaries, oldest first; on the first page."""
    messages: tuple[HistoryMessage, ...]
    """Messages of this page, oldest first: a thousand at most."""
