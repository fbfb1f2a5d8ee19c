"""Times as logs write them, brought into one form that compares as text: 2026-02-03T04:05:06.789Z."""

from __future__ import annotations

from datetime import UTC, datetime

_CANONICAL_LENGTH = len("2026-02-03T04:05:06.789Z")
# Seconds since 1970 stay below this for ages to come; larger numbers are milliseconds.
_LARGEST_SECONDS = 100_000_000_000


_read = datetime.fromisoformat


def canonical(stamp: str) -> str:
    """The time in canonical form, or "" where it is none. A time without a zone is taken as UTC."""
    try:
        moment = _read(stamp)
    except ValueError:
        return ""
    # Most stamps are canonical as they stand: reading them proves it, and writing them anew would cost the most.
    if (
        len(stamp) == _CANONICAL_LENGTH
        and stamp[23] == "Z"
        and stamp[19] == "."
        and stamp[10] == "T"
        and stamp[7] == "-"
        and stamp[11:13] != "24"
    ):
        return stamp
    return _format(moment if moment.tzinfo else moment.replace(tzinfo=UTC))


def from_epoch(number: float) -> str:
    """The canonical time of seconds or milliseconds since 1970, or "" where it is out of range."""
    seconds = number / 1000 if abs(number) > _LARGEST_SECONDS else number
    try:
        return _format(datetime.fromtimestamp(seconds, UTC))
    except (ValueError, OverflowError, OSError):
        return ""


def seconds_between(earlier: str, later: str) -> float | None:
    """Seconds from one canonical time to another; None where either is missing or malformed."""
    try:
        return (datetime.fromisoformat(later) - datetime.fromisoformat(earlier)).total_seconds()
    except (ValueError, TypeError):
        return None


def _format(moment: datetime) -> str:
    try:
        moment = moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return ""
    return moment.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"
