"""Wire types of `recap/verify` and `ref/resolve`: the proof of what a recap claims."""

from typing import Annotated, TypeAlias

from recapd.wire.types.base import LogRef, SessionParams, SessionResult, Time, Wire, open_enum

ClaimKind: TypeAlias = Annotated[
    str,
    open_enum(
        "ClaimKind",
        "What sort of line of a recap rests on a ref; `statement` and `fact` are those of `view` that rest on more.",
        (
            "request",
            "focus",
            "decision",
            "proposal",
            "action",
            "command",
            "test",
            "file",
            "milestone",
            "openItem",
            "state",
            "statement",
            "fact",
        ),
    ),
]
RecordKind: TypeAlias = Annotated[
    str,
    open_enum(
        "RecordKind",
        "What stands at a ref.",
        ("userMessage", "agentMessage", "toolCall", "toolResult", "summary", "note", "unknown"),
    ),
]


class RecapVerifyParams(SessionParams, frozen=True, kw_only=True):
    """Params of `recap/verify`."""


class UnprovenClaim(Wire, frozen=True, kw_only=True):
    """A claim whose log line no longer proves it."""

    ref: LogRef
    """Where the proof should stand."""
    kind: ClaimKind
    """What sort of claim."""
    text: str
    """The claim."""
    reason: str
    """What was found instead, in one sentence."""
    id: str | None = None
    """The decision's id, where it is one."""


class RecapVerifyResult(SessionResult, frozen=True, kw_only=True):
    """Every line that the recap cites, read again: `checked` = `ok` + `changed` + `missing`."""

    checked: int
    """Claims that were checked."""
    ok: int
    """Claims whose line still says so."""
    changed: tuple[UnprovenClaim, ...]
    """Claims whose line says something else now."""
    missing: tuple[UnprovenClaim, ...]
    """Claims whose line or file is gone."""


class RefResolveParams(SessionParams, frozen=True, kw_only=True):
    """Params of `ref/resolve`. Without `session` it is the one that `ref.source` belongs to."""

    ref: LogRef
    """The place to read."""


class RefResolveResult(SessionResult, frozen=True, kw_only=True):
    """What stands at a place of a log."""

    excerpt: str
    """The record's text, redacted and shortened; empty when stale and not found again."""
    kind: RecordKind
    """What sort of record."""
    stale: bool
    """True when the log was rewritten since the ref was made."""
    ref: LogRef | None = None
    """Where the record stands now, when it was found again elsewhere."""
    at: Time | None = None
    """Time of the record."""
    turn: int | None = None
    """Turn that the place belongs to, from 1; 0 before the first."""
    message: int | None = None
    """Number of the message it holds, from 0, where it holds one."""
