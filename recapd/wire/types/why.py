"""Wire types of `why/get`: from lines of a source file to the turns that wrote them."""

from msgspec import field

from recapd.wire.types.base import AtLeastOne, AtLeastZero, LogRef, PathParam, Time, Wire
from recapd.wire.types.decisions import Decision


class LineRange(Wire, frozen=True, kw_only=True):
    """Lines of a file that follow each other."""

    from_: AtLeastOne = field(name="from")
    """The first, from 1."""
    to: AtLeastOne
    """The last, itself included."""


class WhyGetParams(Wire, frozen=True, kw_only=True):
    """Params of `why/get`. It is about a file and whichever sessions changed it; without `line` and `range`, about all
    of its lines."""

    path: PathParam
    """Path or file URI of the source file."""
    line: AtLeastOne | None = None
    """One line, from 1."""
    range: LineRange | None = None
    """Some lines; not together with `line`."""
    text: str | None = None
    """The file's text where it is not as on disk, as in an editor that has not saved it."""

    def __post_init__(self) -> None:
        if self.line is not None and self.range is not None:
            raise ValueError("either line or range, not both")


class WhyLines(Wire, frozen=True, kw_only=True):
    """Lines that follow each other and were last written in one turn of a session."""

    from_: AtLeastOne = field(name="from")
    """The first, from 1."""
    to: AtLeastOne
    """The last, itself included."""
    session_id: str
    """The session."""
    turn: AtLeastZero
    """The turn, from 1; 0 before the first."""
    at: Time | None
    """When the latest of the edits was made, null where the log tells no times."""
    request: str
    """The beginning of what the user asked for in that turn, redacted; empty where nobody asked."""
    decisions: tuple[Decision, ...]
    """Decisions that were in force then: those of the turn and those about the file first, at most five."""
    refs: tuple[LogRef, ...]
    """The calls that wrote these lines, latest first, at most five; then the request."""
    agent: str = ""
    """The agent, as in a list of sessions."""
    title: str = ""
    """The session's title."""
    decisions_total: AtLeastZero = 0
    """How many were in force."""
    via: str | None = None
    """The sub-agent that wrote them, if not the main agent."""
    markdown: str = ""
    """The same for people, in at most three lines."""


class WhyGetResult(Wire, frozen=True, kw_only=True):
    """Who wrote the lines, in their order. Lines that no known session is proved to have written are left out."""

    lines: tuple[WhyLines, ...]
    """Lines with the turn that wrote them."""
    line_count: AtLeastZero = 0
    """How many lines the file has; 0 where it is empty or cannot be read."""
    edits: AtLeastZero = 0
    """How many edits of the file the known sessions log, under any name it had."""
