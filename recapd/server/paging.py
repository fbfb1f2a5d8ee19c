"""Pages of a list: opaque cursors that say where the next page begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from recapd.wire.errors import cursor_expired

T = TypeVar("T")

DEFAULT_LIMIT = 100
MAX_LIMIT = 1_000
_PREFIX = "at:"
# No list is so long that its length has more digits.
_MAX_DIGITS = 12


def page(
    items: Sequence[T], limit: int | None, cursor: str | None, *, first: int = 0
) -> tuple[Sequence[T], str | None]:
    """One page, and the cursor of the next or None. Without a cursor it begins at the item of number `first`."""
    start = first if cursor is None else start_of(cursor)
    if start > len(items):
        raise cursor_expired(cursor or "")
    end = start + cap_limit(limit)
    return items[start:end], cursor_at(end) if end < len(items) else None


def cap_limit(limit: int | None) -> int:
    """How many entries a page has at most."""
    return min(limit or DEFAULT_LIMIT, MAX_LIMIT)


def cursor_at(number: int) -> str:
    """Of the page that begins with the item of this number."""
    return f"{_PREFIX}{number}"


def start_of(cursor: str) -> int:
    """The number of the item that a page begins with; RecapError where the cursor is none."""
    number = cursor.removeprefix(_PREFIX)
    if not cursor.startswith(_PREFIX) or not (number.isascii() and number.isdecimal()) or len(number) > _MAX_DIGITS:
        raise cursor_expired(cursor)
    return int(number)
