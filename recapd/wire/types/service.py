"""Wire types of `recapd/*` and `config/get`: the service itself, and the recapd block of LSP's `initialize`."""

from typing import Annotated, TypeAlias

from recapd.wire.types.base import PathParam, Wire, open_enum
from recapd.wire.types.status import Health

ConfigSource: TypeAlias = Annotated[
    str,
    open_enum(
        "ConfigSource",
        "Where a value comes from.",
        ("default", "preset", "user", "workspace", "environment", "commandLine"),
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
