"""Times as logs write them, brought into one form that compares as text: 2026-02-03T04:05:06.789Z."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache

# The canonical form with its digits wiped out.
_SHAPE = b"0000-00-00T00:00:00.000Z"
_SHAPE_LINE = _SHAPE + b"\n"
_DAY = b"0000-00-00T"
_WITHOUT_DIGITS = bytes.maketrans(b"123456789", b"0" * 9)
# So many are looked at in less time together than one by one.
_MANY = 5
# Seconds since 1970 stay below this for ages to come; larger numbers are milliseconds.
_LARGEST_SECONDS = 100_000_000_000


_read = datetime.fromisoformat


def canonical(stamp: str) -> str:
    """The time in canonical form, or "" where it is none. A time without a zone is taken as UTC."""
    try:
        moment = _read(stamp)
        shape = stamp.encode().translate(_WITHOUT_DIGITS)
    except ValueError:
        return ""
    # Most stamps are canonical as they stand: reading them proves it, and writing them anew would cost the most.
    if shape == _SHAPE and stamp[11:13] != "24":
        return stamp
    return _format(moment if moment.tzinfo else moment.replace(tzinfo=UTC))


def canonical_all(stamps: Sequence[str]) -> list[str]:
    """`canonical` of each. Stamps that stand together in a log are mostly canonical and of one day: then one look at
    all of them does, and nothing is read one by one."""
    if len(stamps) >= _MANY and _are_canonical(list(filter(None, stamps))):
        return list(stamps)
    return [canonical(stamp) if stamp else "" for stamp in stamps]


def _are_canonical(stamps: list[str]) -> bool:
    """True only where every one is canonical as it stands: of the shape, on the first one's day, at a time there is."""
    if not stamps:
        return True
    size = len(_SHAPE_LINE)
    try:
        joined = "\n".join(stamps).encode() + b"\n"
    except ValueError:
        return False
    # All line ends stand where the joining put them, so none is in a stamp, and each stamp is of the shape.
    if joined.translate(_WITHOUT_DIGITS) != _SHAPE_LINE * len(stamps):
        return False
    if joined.count(b"\n" + joined[: len(_DAY)]) != len(stamps) - 1:
        return False
    # Each column holds one digit of every stamp. An hour in the twenties needs a second digit below 4.
    columns = [joined[at::size] for at in (11, 12, 14, 17)]
    hours, last_digits, minutes, seconds = columns
    is_time = not (hours.translate(None, b"012") or minutes.translate(None, b"012345"))
    is_time = is_time and not seconds.translate(None, b"012345")
    return is_time and (b"2" not in hours or not last_digits.translate(None, b"0123")) and canonical(stamps[0]) != ""


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


# Whole lists are judged by one moment.
@lru_cache(maxsize=8)
def a_day_after(at: str) -> str:
    """The same time on the next day, or "" where it is none."""
    try:
        return _format(datetime.fromisoformat(at) + timedelta(days=1))
    except (ValueError, OverflowError):
        return ""


def _format(moment: datetime) -> str:
    try:
        moment = moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return ""
    return moment.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"
