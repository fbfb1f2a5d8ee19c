"""Wire types of errors: the error object, and the data that comes with each code.

Which code has which data, and what the messages say, is in `errors.py`.
"""

from typing import Annotated, TypeAlias

from recapd.wire.types.base import SessionSelector, Wire, open_enum

SummaryObstacle: TypeAlias = Annotated[
    str,
    open_enum(
        "SummaryObstacle",
        "Why no model summary can be had.",
        ("nothing", "disabled", "noKey", "offline", "budget", "refused", "timeout"),
    ),
]


class ErrorData(Wire, frozen=True, kw_only=True):
    """What comes with every error."""

    retryable: bool
    """Whether the same request may succeed later."""


class ErrorObject(Wire, frozen=True, kw_only=True):
    """An error as JSON-RPC sends it."""

    code: int
    """Which error."""
    message: str
    """One sentence for a person, with what to do next."""
    data: ErrorData
    """For programs; which type it is depends on the code."""


class InvalidParamsData(ErrorData, frozen=True, kw_only=True):
    """Which field of the params is wrong."""

    path: str
    """Path of the field, such as `session.id` or `include[2]`; empty for the params as a whole."""
    expected: str
    """What was expected there."""


class MethodNotFoundData(ErrorData, frozen=True, kw_only=True):
    """The method that is not served."""

    method: str
    """Its name."""


class SessionNotFoundData(ErrorData, frozen=True, kw_only=True):
    """The session that was asked for."""

    session: SessionSelector | None = None
    """As the request named it; absent when the request named none."""


class SourceGoneData(ErrorData, frozen=True, kw_only=True):
    """The log that cannot be read any more."""

    source: str
    """File URI of the log."""


class RefStaleData(ErrorData, frozen=True, kw_only=True):
    """The log was rewritten since the ref was made."""

    source: str
    """File URI of the log."""
    current: str | None = None
    """The log's generation now."""


class CursorExpiredData(ErrorData, frozen=True, kw_only=True):
    """The cursor that is no longer understood."""

    cursor: str
    """As the request named it."""


class NotReadyData(ErrorData, frozen=True, kw_only=True):
    """When to ask again."""

    retry_after_ms: int
    """Ask again after this many milliseconds."""


class SummaryUnavailableData(ErrorData, frozen=True, kw_only=True):
    """Why no summary can be had."""

    reason: SummaryObstacle
    """The obstacle."""


class UnsupportedProtocolData(ErrorData, frozen=True, kw_only=True):
    """Which protocol versions would do."""

    supported: tuple[str, ...]
    """Versions this recapd speaks."""


class LimitExceededData(ErrorData, frozen=True, kw_only=True):
    """Which limit was passed."""

    limit: str
    """Name of the limit."""
    maximum: int
    """Its value."""
