"""Wire types of `summary/*` and `history/get`: rolling summaries with what they cover, and the messages after them."""

from typing import Annotated, TypeAlias

from recapd.wire.base import (
    LogRef,
    SessionPageParams,
    SessionPageResult,
    SessionParams,
    SessionReadParams,
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


class Summary(Wire, frozen=True, kw_only=True):
    """A rolling summary of a stretch of messages."""

    id: str
    """The summary's id."""
    number: int
    """Place among the session's summaries, from 1."""
    text: str
    """The summary."""
    from_message: int
    """First message it covers, from 0."""
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


class HistoryGetParams(SessionReadParams, frozen=True, kw_only=True):
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


class HistoryGetResult(SessionResult, frozen=True, kw_only=True):
    """The conversation as summaries of its beginning and the messages after them."""

    text: str
    """The same for people: a line `[Summary k] messages a–b` with each summary, then the recent messages. There,
    messages are counted from 1."""
    total: int
    """Messages in the whole session."""
    summaries: tuple[Summary, ...]
    """Summaries, oldest first."""
    messages: tuple[HistoryMessage, ...]
    """Messages, oldest first."""
