"""Wire types of `transcript/get`: the conversation itself, turn by turn."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from recapd.wire.types.base import (
    AtLeastOne,
    AtLeastZero,
    LogRef,
    SessionPageParams,
    SessionPageResult,
    Time,
    Wire,
    open_enum,
    require_one,
)

TranscriptFormat: TypeAlias = Literal["data", "markdown"]
EntryKind: TypeAlias = Annotated[
    str,
    open_enum(
        "EntryKind",
        "Who or what an entry of a turn comes from: the user, the agent, a tool call, its result, a note of its "
        "program, a summary that stands for what came before.",
        ("user", "agent", "call", "result", "note", "summary"),
    ),
]


class TranscriptGetParams(SessionPageParams, frozen=True, kw_only=True):
    """Params of `transcript/get`: one turn, the turns of a range, or the turn around a place. Without any of them, the
    last turn. `limit` counts turns."""

    turn: AtLeastZero | None = None
    """The turn, from 1; 0 is what stands before the first."""
    from_turn: AtLeastZero | None = None
    """First turn of a range."""
    to_turn: AtLeastZero | None = None
    """Last turn of a range; without it, the last of the session."""
    around: LogRef | None = None
    """A place in a log of the session, as any answer gives it: the turn that holds it."""
    max_chars: Annotated[int, Meta(ge=100, le=200_000)] | None = None
    """Longest text of one entry; 20,000 unless said otherwise."""
    format: TranscriptFormat = "data"
    """`markdown` adds a page that people can read."""

    def __post_init__(self) -> None:
        given = (self.turn, self.around, self.from_turn if self.from_turn is not None else self.to_turn)
        if any(each is not None for each in given):
            require_one(sum(each is not None for each in given), "turn, around, fromTurn with toTurn")


class TranscriptEntry(Wire, frozen=True, kw_only=True):
    """One message, call, result or note."""

    index: AtLeastZero
    """Its position in the turn, from 0."""
    kind: EntryKind
    """Whose it is."""
    text: str
    """The whole text with its line breaks, redacted; of a call the agent's own label or its arguments."""
    ref: LogRef
    """The record it stands in."""
    at: Time | None = None
    """When, where the log tells times."""
    tool: str | None = None
    """Of a call and its result: the tool."""
    target: str | None = None
    """Of a call and its result: what it is about, as a path, a command line, a pattern."""
    ok: bool | None = None
    """Of a result: whether the call succeeded."""
    exit_code: int | None = None
    """Of a result: the command's exit code, where the log tells it."""
    truncated: bool | None = None
    """True where the text is longer than `maxChars`."""
    line: AtLeastOne | None = None
    """In the form `markdown`: the line of the page where the text begins, from 1."""
    via: str | None = None
    """The sub-agent whose doing it is, if not the main agent's."""


class TranscriptTurn(Wire, frozen=True, kw_only=True):
    """A turn: one message of the user and everything up to the next."""

    turn: AtLeastZero
    """Its number, from 1; 0 before the first."""
    entries: tuple[TranscriptEntry, ...]
    """What happened, in the order of the log. A long turn goes on with `nextCursor`."""
    at: Time | None = None
    """When it began, where the log tells times."""
    duration_ms: AtLeastZero | None = None
    """From the first of these entries to the last."""


class TranscriptGetResult(SessionPageResult, frozen=True, kw_only=True):
    """Turns of a conversation, whole."""

    turns: tuple[TranscriptTurn, ...]
    """The turns asked for; those the user rewound are left out."""
    total: AtLeastZero
    """How many turns the session has."""
    markdown: str | None = None
    """The page, in the form `markdown`. Texts of the log stand in fenced blocks, word for word."""
