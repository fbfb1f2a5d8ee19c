"""What every wire type is built from: the base struct, open enums, places in logs, and how a session is named.

Knows msgspec and nothing else: a client may import the wire types without paying for the rest of recapd.
A field's text in the generated files is the string that follows it.
"""

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

# A date, and it changes only when an old client would misread a new answer. Added fields and methods do not touch it.
PROTOCOL_VERSION = "2026-11-16"


class Wire(Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """Base of all wire types.

    A field without a default is always sent, `null` if need be.
    A field with a default is optional and left out when it holds that default.
    `rename` and `omit_defaults` are inherited; each class repeats `kw_only`, and `frozen` for type checkers.
    """


def open_enum(title: str, description: str, known: tuple[str, ...]) -> Meta:
    """Marks a string whose values may grow: readers accept values they do not know."""
    return Meta(title=title, description=description, extra_json_schema={"x-known-values": list(known)})


def require_one(chosen: int, names: str) -> None:
    """Raises when not exactly one of several fields is set; the text becomes `expected` of the -32602 answer."""
    if chosen != 1:
        raise ValueError(f"an object with exactly one of {names}")


Time: TypeAlias = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]

# Requests may use any offset; answers are always in UTC.
TimeParam: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$",
        description="an RFC 3339 time such as 2026-01-31T09:30:00Z",
    ),
]

# The file system takes no path with a NUL in it, not even as %00 in a URI.
PathParam: TypeAlias = Annotated[
    str,
    Meta(pattern=r"^(?!file:[^\x00]*%00)[^\x00]*$", description="a path or file URI, without NUL characters"),
]

# An editor may have several folders open at once. The single one is not held to the pattern here but where paths are
# checked: msgspec 0.22 crashes in garbage collection over a union of an array and a string with a pattern.
FoldersParam: TypeAlias = str | tuple[PathParam, ...]

AtLeastOne: TypeAlias = Annotated[int, Meta(ge=1)]
AtLeastZero: TypeAlias = Annotated[int, Meta(ge=0)]


class LogRef(Wire, frozen=True, kw_only=True):
    """Where a fact stands in a log.

    The byte range is what counts; the line is for people and editors.
    """

    source: PathParam
    """File URI of the log."""
    generation: str
    """Digest of the file's beginning: another one means that the file was rewritten or replaced."""
    line: AtLeastZero
    """Line of the record, from 1; for a log that is one JSON document, the line where the element begins."""
    byte_offset: AtLeastZero
    """First byte of the record or element, from 0."""
    byte_length: AtLeastZero
    """Length in bytes, without the line's end."""


class SessionSelector(Wire, frozen=True, kw_only=True):
    """Names one session by exactly one of `id`, `log` or `workspace`, or by `agent` and `agentSessionId`."""

    id: str | None = None
    """The session's id."""
    log: PathParam | None = None
    """Path or file URI of a session log. Over TCP only files below the watched roots."""
    workspace: FoldersParam | None = None
    """Path or file URI of a folder, or several: their most recently active session, also of one inside a folder or
    above it in the same git root."""
    agent: str | None = None
    """The agent, as in a list of sessions; with `agentSessionId`."""
    agent_session_id: str | None = None
    """The agent's own id of the session, as it hands it to its hooks."""

    def __post_init__(self) -> None:
        has_agent, has_own_id = self.agent is not None, self.agent_session_id is not None
        named = sum(each is not None for each in (self.id, self.log, self.workspace)) + has_agent
        # One of the two without the other names nothing.
        require_one(named if has_agent == has_own_id else 0, "id, log, workspace, or both of agent, agentSessionId")

    @property
    def named_id(self) -> str | None:
        """The id that is named, in either way."""
        return self.id if self.agent is None else f"{self.agent}:{self.agent_session_id}"


class SessionParams(Wire, frozen=True, kw_only=True):
    """Params of a request about one session.

    Without `session` it is that of `cwd`, else of the connection's workspace, else the most recently active of all.
    """

    session: SessionSelector | None = None
    """Which session."""
    cwd: FoldersParam | None = None
    """Path or file URI of the folder the caller works in, or several; used when `session` is absent."""


class SessionReadParams(SessionParams, frozen=True, kw_only=True):
    """Params of a request that reads one session and need not be answered twice alike."""

    known_revision: int | None = None
    """The revision the caller already has: if it is still current, the answer is `Unchanged`."""


class SessionPageParams(SessionReadParams, frozen=True, kw_only=True):
    """Params of a request that reads a long list of one session page by page."""

    limit: AtLeastOne | None = None
    """Largest number of entries to answer with; recapd may answer with fewer."""
    cursor: str | None = None
    """`nextCursor` of the answer before."""


class SessionResult(Wire, frozen=True, kw_only=True):
    """What every answer about a session carries."""

    session_id: str
    """The session the answer is about."""
    revision: int
    """Grows whenever an answer about this session can have changed."""


class SessionPageResult(SessionResult, frozen=True, kw_only=True):
    """One page of a long list of one session."""

    next_cursor: str | None = None
    """Where the next page begins; absent on the last page."""


class Unchanged(Wire, frozen=True, kw_only=True):
    """The answer when `knownRevision` is still current."""

    unchanged: Annotated[bool, Meta(extra_json_schema={"const": True})]
    """Always true."""
    session_id: str
    """The session asked about."""
    revision: int
    """The revision the caller already has."""
