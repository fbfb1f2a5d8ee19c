"""Wire types of `recapd/status`: health by progress, and everything that is amiss. No text of a log is among it."""

from typing import Annotated, TypeAlias

from msgspec import field

from recapd.wire.types.base import AtLeastOne, Time, Wire, open_enum
from recapd.wire.types.coverage import VersionCoverage

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
ProblemKind: TypeAlias = Annotated[
    str,
    open_enum(
        "ProblemKind",
        "What was wrong with a piece of a log.",
        ("notJson", "torn", "glued", "shape", "tooLong", "notText"),
    ),
]
FindingLevel: TypeAlias = Annotated[
    str,
    open_enum(
        "FindingLevel",
        "`notice`: good to know, nothing suffers. `warning`: answers may be incomplete. `error`: recapd needs help.",
        ("notice", "warning", "error"),
    ),
]
FindingKind: TypeAlias = Annotated[
    str,
    open_enum(
        "FindingKind",
        "What a finding is about. `sourceStuck`, `readingStuck`, `notLooked`: no progress where there should be some. "
        "`unknownRecords`, `newShape`, `emptyFields`: an agent changed its format.",
        (
            "sourceStuck",
            "readingStuck",
            "notLooked",
            "unreadable",
            "watcher",
            "unknownRecords",
            "newShape",
            "emptyFields",
            "damaged",
            "store",
            "configuration",
            "recapFile",
            "summaries",
            "reading",
            "memory",
        ),
    ),
]
StoreState: TypeAlias = Annotated[
    str,
    open_enum(
        "StoreState",
        "`setAside`: a file could not be used and was begun anew. `cannotWrite`: answers come from memory and logs. "
        "`off`: nothing is kept on disk.",
        ("ok", "setAside", "cannotWrite", "off"),
    ),
]


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
    looked_at: Time | None = None
    """When the folder was last looked at as a whole."""


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
    agent: str | None = None
    """The agent that writes it."""
    agent_version: str | None = None
    """The agent's version, as the log says last."""
    unknown_types: dict[str, int] = field(default_factory=dict)
    """Records of unknown type, by the agent's own word for it and its version."""
    stuck_since: Time | None = None
    """There are bytes to read, and none has been read since then."""


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
    spent_usd: float | None = None
    """The same in US dollars, by the published prices."""
    limit_usd: float | None = None
    """Most that may be spent in a period."""
    message: str | None = None
    """Why summaries are made without the model just now."""


class ReadingStatus(Wire, frozen=True, kw_only=True):
    """The reader: whether sessions are read by themselves, and what that has cost in the current period."""

    enabled: bool
    """Whether sessions are read by themselves."""
    by: str
    """Who reads: the configured provider; `none` where there is none."""
    waiting: int
    """Sessions that wait to be read, or are."""
    spent_tokens: int
    """Tokens sent and received."""
    calls: int
    """Pieces that were sent."""
    model: str | None = None
    """The model that reads, where the provider takes one."""
    limit_tokens: int | None = None
    """Most that may be spent in a period; null without a limit."""
    spent_usd: float | None = None
    """The same in US dollars, by the published prices."""
    limit_usd: float | None = None
    """Most that may be spent in a period."""
    resets_at: Time | None = None
    """When the period ends."""
    message: str | None = None
    """Why nothing is read just now."""


class StatusFinding(Wire, frozen=True, kw_only=True):
    """One thing that is amiss."""

    kind: FindingKind
    """What it is about."""
    level: FindingLevel
    """How bad it is."""
    message: str
    """What is amiss, and where."""
    action: str | None = None
    """What to do next; absent where there is nothing to do."""
    source: str | None = None
    """File URI of the log it is about; of the first where there are several."""
    agent: str | None = None
    """The agent it is about."""
    agent_version: str | None = None
    """The earliest version of the agent that it is about."""
    count: int | None = None
    """How many records, lines, logs or folders it is about."""
    since: Time | None = None
    """Since when it is so."""


class StoreStatus(Wire, frozen=True, kw_only=True):
    """What recapd keeps on disk."""

    state: StoreState
    """Whether it can be used."""
    path: str | None = None
    """The folder it is in."""
    size_bytes: int = 0
    """Bytes it takes."""
    limit_bytes: int | None = None
    """Bytes it may take."""
    pending: int = 0
    """Logs of which more is known than is written down."""
    written_at: Time | None = None
    """When something was last written down."""


class MemoryStatus(Wire, frozen=True, kw_only=True):
    """What is held in memory."""

    resident_bytes: int
    """Resident memory of the process."""
    sessions_whole: int
    """Sessions that are in memory as a whole."""
    sessions_on_disk: int
    """Sessions of which only what a list shows is in memory."""
    limit_bytes: int | None = None
    """Memory that the states of sessions may take."""


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
    findings: tuple[StatusFinding, ...] = ()
    """Everything that is amiss, the worst first."""
    coverage: tuple[VersionCoverage, ...] = ()
    """What was understood, by version of each agent, the latest first: how a change of format shows."""
    store: StoreStatus | None = None
    """What is kept on disk."""
    memory: MemoryStatus | None = None
    """What is held in memory."""
    reading: ReadingStatus | None = None
    """The reader."""
