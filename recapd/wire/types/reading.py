"""Wire types of `reading/*`: a model that the user chose reads a session, and how far it is."""

from typing import Annotated, TypeAlias

from recapd.wire.types.base import SessionParams, SessionResult, Time, Wire, open_enum

ReadingState: TypeAlias = Annotated[
    str,
    open_enum(
        "ReadingState",
        "How the reading of a session stands.",
        (
            "off",  # no reader is set up
            "unread",  # there is something to read
            "waiting",  # it is the next in turn, or one of the next
            "reading",
            "done",  # all is read
            "failed",  # there is something to read, and the last try failed
        ),
    ),
]


class ReadingStartParams(SessionParams, frozen=True, kw_only=True):
    """Params of `reading/start`."""

    dry_run: bool = False
    """Only say how far it is and what the rest will cost. Who began it asks so for its progress."""


class ReadingStopParams(SessionParams, frozen=True, kw_only=True):
    """Params of `reading/stop`."""


class ReadingProgress(SessionResult, frozen=True, kw_only=True):
    """How far a session is read, and what the rest will cost."""

    state: ReadingState
    """How it stands."""
    by: str
    """Who reads: the configured provider; `none` where there is none."""
    model: str | None = None
    """The model that reads, where the provider takes one."""
    pieces: int = 0
    """Pieces that are to be read, or that were begun."""
    pieces_done: int = 0
    """How many of them are read."""
    tokens: int | None = None
    """About how many tokens the rest takes, sent and received; absent while it is read."""
    usd: float | None = None
    """The same in US dollars, by the published prices; 0 where it costs nothing or nobody knows."""
    through_turn: int = 0
    """The last turn that is read."""
    turns: int = 0
    """Turns of the session."""
    pending: int = 0
    """Turns of which something is yet to be read."""
    decisions: int = 0
    """Decisions that were read."""
    dropped: int = 0
    """What the reader said and the log does not bear out."""
    input_tokens: int = 0
    """Tokens that were sent to read it so far."""
    output_tokens: int = 0
    """Tokens that came back."""
    message: str | None = None
    """Why nothing is read, and what to do."""


class ReadingStartResult(ReadingProgress, frozen=True, kw_only=True):
    """How far it is. The request does not wait for the reading: `recap/didChange` tells of each piece."""


class ReadingStopResult(ReadingProgress, frozen=True, kw_only=True):
    """How far it got. What was read is kept."""


class ReaderNote(Wire, frozen=True, kw_only=True):
    """Of `recap/get`: who read the session, and how far."""

    by: str
    """The provider."""
    through_turn: int
    """The last turn that was read; what came later is told without a reader."""
    at: Time
    """When it was read."""
    pending: int
    """Turns of which something is yet to be read."""
    model: str | None = None
    """The model that read it."""
    dropped: int = 0
    """What the reader said and the log does not bear out; none of it is shown."""
