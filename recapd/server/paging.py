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
    start = first if cursor is None else _start_of(cursor, len(items))
    end = start + cap_limit(limit)
    return items[start:end], f"{_PREFIX}{end}" if end < len(items) else None


def cap_limit(limit: int | None) -> int:
    """How many entries a page has at most."""
    return min(limit or DEFAULT_LIMIT, MAX_LIMIT)


def _start_of(cursor: str, count: int) -> int:
    number = cursor.removeprefix(_PREFIX)
    is_ours = cursor.startswith(_PREFIX) and number.isascii() and number.isdecimal() and len(number) <= _MAX_DIGITS
    if not is_ours or int(number) > count:
        raise cursor_expired(cursor)
    return int(number)
