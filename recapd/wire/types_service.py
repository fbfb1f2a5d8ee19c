"""Wire types of `recapd/*` and `config/get`: the service itself, and the recapd block of LSP's `initialize`."""

from typing import Annotated, TypeAlias

from recapd.wire.base import AtLeastOne, PathParam, Time, Wire, open_enum

Health: TypeAlias = Annotated[
    str,
    open_enum(
        "Health",
        "`warning`: answers may be incomplete. `error`: recapd needs help.",
        ("ok", "warning", "error"),
    ),
]
WatcherState: TypeAlias = Annotated[
    str,
    open_enum(
        "WatcherState",
        "How changes below a root are noticed; `polling` is slower, `missing` waits for the folder to appear.",
        ("watching", "polling", "missing", "failed"),
    ),
]
ConfigSource: TypeAlias = Annotated[
    str,
    open_enum(
        "ConfigSource",
        "Where a value comes from.",
        ("default", "preset", "user", "workspace", "environment", "commandLine"),
    ),
]
ProblemKind: TypeAlias = Annotated[
    str,
    open_enum(
        "ProblemKind",
        "What was wrong with a piece of a log.",
        ("notJson", "torn", "glued", "shape", "tooLong", "notText"),
    ),
]


class LogRoot(Wire, frozen=True, kw_only=True):
    """A folder in which an agent keeps its logs, as the client's environment says."""

    path: PathParam
    """Path or file URI of the folder."""
    agent: str | None = None
    """The agent that writes there."""


class ClientBlock(Wire, frozen=True, kw_only=True):
    """What a client sends as `capabilities.experimental.recapd` of `initialize`."""

    protocol_versions: tuple[str, ...] = ()
    """Protocol versions it can speak; empty: any."""
    roots: tuple[LogRoot, ...] = ()
    """Folders to watch besides the known ones."""
    features: tuple[str, ...] = ()
    """Optional features it can use."""


class ServerBlock(Wire, frozen=True, kw_only=True):
    """What recapd answers as `capabilities.experimental.recapd` of `initialize`."""

    protocol_version: str
    """The protocol version spoken on this connection."""
    instance_id: str
    """Another one means that recapd was started anew."""
    features: tuple[str, ...]
    """Features by name; what is not named is not supported."""
    version: str | None = None
    """recapd's own version."""


class RecapdDiscoverParams(Wire, frozen=True, kw_only=True):
    """Params of `recapd/discover`, the whole handshake of a client that skips `initialize`."""

    protocol_versions: tuple[str, ...] = ()
    """Protocol versions the client can speak; empty: any. None in common is error 1007."""
    required: tuple[str, ...] = ()
    """Methods the client cannot do without; one that is not served is error -32601."""
    roots: tuple[LogRoot, ...] = ()
    """Folders to watch besides the known ones."""


class RecapdDiscoverResult(Wire, frozen=True, kw_only=True):
    """Who answers, and what it can do."""

    version: str
    """recapd's own version."""
    protocol_version: str
    """The protocol version spoken."""
    instance_id: str
    """Another one means that recapd was started anew, and cursors of subscriptions are void."""
    capabilities: tuple[str, ...]
    """Optional features by name; what is not named is not supported."""
    methods: tuple[str, ...]
    """Methods that are served."""
    formats: tuple[str, ...]
    """Log formats that are read."""


class RecapdStatusParams(Wire, frozen=True, kw_only=True):
    """Params of `recapd/status`."""

    limit: AtLeastOne | None = None
    """Largest number of sources to answer with."""
    cursor: str | None = None
    """`nextCursor` of the answer before."""


class RootStatus(Wire, frozen=True, kw_only=True):
    """A watched folder and how far its files are read."""

    path: str
    """The folder."""
    watcher: WatcherState
    """How changes are noticed."""
    sources: int
    """Session logs found below it."""
    parsed_bytes: int
    """Bytes read of them."""
    size_bytes: int
    """Bytes they have."""
    agent: str | None = None
    """The agent that writes there."""
    message: str | None = None
    """What is wrong and what to do, in one sentence."""


class ProblemCount(Wire, frozen=True, kw_only=True):
    """How often something in a source could not be read. Never holds text of the log."""

    kind: ProblemKind
    """What was wrong."""
    count: int
    """How often."""
    last_line: int | None = None
    """Line of the latest, from 1."""


class SourceStatus(Wire, frozen=True, kw_only=True):
    """One log file and how far it is read."""

    source: str
    """File URI of the log."""
    format: str
    """The log format it was read as."""
    generation: str
    """Digest of its beginning."""
    parsed_offset: int
    """Bytes read so far."""
    size_bytes: int
    """Bytes it has; more than `parsedOffset` for long means that recapd is stuck."""
    session_ids: tuple[str, ...]
    """Sessions it belongs to."""
    records: dict[str, int]
    """Records read, by the agent's own word for their type."""
    unknown_records: int
    """Records of a type this recapd does not know: many of them mean that the agent changed its format."""
    problems: tuple[ProblemCount, ...]
    """What could not be read."""


class QueueStatus(Wire, frozen=True, kw_only=True):
    """A queue inside recapd."""

    name: str
    """Which queue."""
    depth: int
    """Entries waiting."""
    capacity: int | None = None
    """Most entries it can hold."""


class SummaryBudget(Wire, frozen=True, kw_only=True):
    """What model summaries have cost in the current period."""

    spent_tokens: int
    """Tokens sent and received."""
    limit_tokens: int | None
    """Most that may be spent; null when model summaries are off."""
    calls: int
    """Calls made."""
    resets_at: Time | None = None
    """When the period ends."""


class RecapdStatusResult(Wire, frozen=True, kw_only=True):
    """Health by progress: what was read against what there is to read."""

    health: Health
    """The whole in one word."""
    quiescent: bool
    """True when nothing is left to read."""
    version: str
    """recapd's own version."""
    protocol_version: str
    """The protocol version spoken."""
    instance_id: str
    """Another one means that recapd was started anew."""
    roots: tuple[RootStatus, ...]
    """Watched folders."""
    sources: tuple[SourceStatus, ...]
    """Log files, those with trouble first, then the latest."""
    queues: tuple[QueueStatus, ...]
    """Queues inside recapd."""
    memory_bytes: int
    """Resident memory of the process."""
    clients: int
    """Open connections."""
    summary_budget: SummaryBudget
    """What model summaries have cost."""
    message: str | None = None
    """What is wrong and what to do, in one sentence."""
    started_at: Time | None = None
    """When recapd was started."""
    sessions: int | None = None
    """Sessions known."""
    next_cursor: str | None = None
    """Where the next page of `sources` begins; absent on the last page."""


class RecapdDidChangeStatusParams(Wire, frozen=True, kw_only=True):
    """Params of `recapd/didChangeStatus`."""

    health: Health
    """The whole in one word."""
    quiescent: bool
    """True when nothing is left to read."""
    message: str | None = None
    """What is wrong and what to do, in one sentence."""


class RecapdAuthenticateParams(Wire, frozen=True, kw_only=True):
    """Params of `recapd/authenticate`, the first frame of a TCP connection."""

    token: str
    """The token from recapd's runtime folder."""


class RecapdShutdownParams(Wire, frozen=True, kw_only=True):
    """Params of `recapd/shutdown`."""

    reason: str | None = None
    """Why, for the log."""


ConfigScalar: TypeAlias = bool | int | float | str | tuple[str, ...] | None


class ConfigGetParams(Wire, frozen=True, kw_only=True):
    """Params of `config/get`."""

    workspace: PathParam | None = None
    """Path or file URI of a folder whose own configuration counts too."""


class ConfigValue(Wire, frozen=True, kw_only=True):
    """One setting in effect."""

    key: str
    """Dotted name, such as `recap.turn_threshold`."""
    value: ConfigScalar
    """Its value; a secret is replaced by [REDACTED]."""
    source: ConfigSource
    """Where the value comes from."""
    path: str | None = None
    """The file it comes from."""


class ConfigGetResult(Wire, frozen=True, kw_only=True):
    """The configuration in effect, sorted by key."""

    values: tuple[ConfigValue, ...]
    """All settings."""
    workspace: str | None = None
    """The folder whose own configuration counts too."""
    problems: tuple[str, ...] = ()
    """Settings that were not understood, one sentence each."""
