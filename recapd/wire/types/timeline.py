"""Wire types of `timeline/get`: the way of a conversation, as a picture of it needs it."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from recapd.wire.types.base import (
    AtLeastOne,
    AtLeastZero,
    LogRef,
    SessionReadParams,
    SessionResult,
    Time,
    Wire,
    open_enum,
)
from recapd.wire.types.decisions import MadeBy
from recapd.wire.types.recap import Since

TurnState: TypeAlias = Annotated[
    str,
    open_enum(
        "TurnState",
        "How a turn ended: `answered` in words, `unanswered`, `interrupted` by the user. Of the last turn, how the "
        "session stands.",
        ("active", "waiting", "answered", "interrupted", "finished", "unanswered"),
    ),
]
MarkKind: TypeAlias = Annotated[
    str,
    open_enum(
        "MarkKind",
        "What stands on the way: a decision, a run of tests, a commit, a pull request, a compaction of the agent's "
        "memory, a failure of the agent itself, a stop by the user, a long break before a turn, or how far a named "
        "reader has read.",
        (
            "decision",
            "testsPassed",
            "testsFailed",
            "commit",
            "pullRequest",
            "compaction",
            "error",
            "interrupted",
            "gap",
            "acknowledged",
        ),
    ),
]


class TimelineGetParams(SessionReadParams, frozen=True, kw_only=True):
    """Params of `timeline/get`."""

    since: Since | None = None
    """Only what came after this."""
    buckets: Annotated[int, Meta(ge=1, le=1_000)] | None = None
    """Most rows in `turns`, and in `marks`; 200 unless said otherwise. Where there are more turns, several that follow
    each other are one row."""


class TimelineTurn(Wire, frozen=True, kw_only=True):
    """A turn, or several that follow each other."""

    turn: AtLeastOne
    """The turn, from 1; of several, the first."""
    at: Time | None
    """When it began, null where the log tells no times."""
    text: str
    """What was asked, on a line; of several turns, the first request that asks for something."""
    calls: AtLeastZero
    """Tool calls of the main agent."""
    failed: AtLeastZero
    """Those that failed."""
    edits: AtLeastZero
    """Calls of its editing tools that succeeded."""
    state: TurnState
    """How it ended; of several, the last."""
    ref: LogRef
    """The message that `text` is from."""
    to_turn: AtLeastOne | None = None
    """The last turn of the row, where it stands for several."""
    until: Time | None = None
    """When the last thing happened in it, where the log tells times."""


class TimelineMark(Wire, frozen=True, kw_only=True):
    """Something that happened on the way."""

    turn: AtLeastZero
    """The turn it stands in, from 1; 0 before the first."""
    at: Time | None
    """When, null where the log tells no times."""
    kind: MarkKind
    """What it is."""
    text: str
    """The same on a line, redacted."""
    ref: LogRef
    """The record that shows it."""
    decision_id: str | None = None
    """Of a decision: its id."""
    by: MadeBy | None = None
    """Of a decision: who decided."""
    count: AtLeastOne | None = None
    """How many of one kind it stands for, the latest of which this is, where there are too many for a mark each."""


class TimelineTopic(Wire, frozen=True, kw_only=True):
    """Turns that follow each other and are about one thing."""

    from_turn: AtLeastOne
    """The first of them."""
    to_turn: AtLeastOne
    """The last of them."""
    title: str
    """What they are about, in the user's words."""


class TimelineGetResult(SessionResult, frozen=True, kw_only=True):
    """The way of a conversation. Turns that were rewound are left out, and what happened in them."""

    turns: tuple[TimelineTurn, ...]
    """The turns, in their order."""
    marks: tuple[TimelineMark, ...]
    """What stands beside them, in the order of the turns."""
    topics: tuple[TimelineTopic, ...]
    """What they were about, without holes."""
    unjudged_turns: AtLeastZero = 0
    """Turns in which decisions are yet to be looked for: their marks come later."""
