"""Wire types that tell how much of the agents' logs was understood, by version: how a change of format shows."""

from typing import Annotated, TypeAlias

from msgspec import field

from recapd.wire.types.base import Time, Wire, open_enum

CoverageField: TypeAlias = Annotated[
    str,
    open_enum(
        "CoverageField",
        "Something that an agent's logs usually say.",
        ("prompts", "replies", "times", "directory", "sessionIds", "toolCalls", "toolResults"),
    ),
]


class VersionCoverage(Wire, frozen=True, kw_only=True):
    """What was understood of the logs that one version of an agent wrote."""

    agent: str
    """The agent."""
    format: str
    """The log format its logs were read as."""
    agent_version: str | None
    """Its version; null where the logs do not say."""
    sources: int
    """Logs whose latest records are of this version."""
    records: int
    """Records in them."""
    unknown_types: dict[str, int] = field(default_factory=dict)
    """Records of a type this recapd does not know, by the agent's own word for it."""
    problems: int = 0
    """Pieces of them that could not be read."""
    empty: tuple[CoverageField, ...] = ()
    """What earlier versions' logs said and this version's do not."""
    last_at: Time | None = None
    """Time of the latest record."""
