"""Pages of a list: opaque cursors that say where the next page begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from recapd.wire.errors import cursor_expired

T = TypeVar("T")

DEFAULT_LIMIT = 100
MAX_LIMIT = 1_000
_PREFIX = "at:"


def page(items: Sequence[T], limit: int | None, cursor: str | None) -> tuple[Sequence[T], str | None]:
    """One page, and the cursor of the next or None."""
    start = 0
    if cursor is not None:
        number = cursor.removeprefix(_PREFIX)
        if not cursor.startswith(_PREFIX) or not number.isdecimal() or int(number) > len(items):
            raise cursor_expired(cursor)
        start = int(number)
    end = start + min(limit or DEFAULT_LIMIT, MAX_LIMIT)
    return items[start:end], f"{_PREFIX}{end}" if end < len(items) else None
