"""How far each named reader has read each session: "since I last looked". Reading never moves a mark; only its reader
does, and only forward.

A mark is the cursor of a recap. In a `MarkStore` that outlives the process it is there before anybody is told that it
was moved.
"""

from __future__ import annotations

from collections.abc import Mapping
from threading import Lock
from typing import Protocol

from recapd.core.views.since import is_later, parse_cursor
from recapd.wire.errors import cursor_expired, invalid_params, limit_exceeded

# A reader is an editor, a hook, a status bar: a person has a handful of them. More for one session is a client that
# makes up a name each time.
MAX_CONSUMERS = 1_000
MAX_NAME_CHARS = 200


class MarkStore(Protocol):
    """Where marks are kept."""

    def marks_of(self, session_id: str) -> Mapping[str, str]:
        """By reader: the cursor."""
        ...

    def set_mark(self, session_id: str, consumer: str, cursor: str) -> None:
        """RecapError where it cannot be written down."""
        ...


class Marks:
    """The marks of all readers. Safe to use in threads."""

    def __init__(self, store: MarkStore) -> None:
        self._store = store
        self._lock = Lock()
        self._moved = 0

    def get(self, session_id: str, consumer: str) -> str | None:
        """The reader's mark; None where it has not read anything yet."""
        return self._store.marks_of(session_id).get(consumer)

    def of_session(self, session_id: str) -> Mapping[str, str]:
        """By reader: where its mark stands."""
        return self._store.marks_of(session_id)

    def moved(self) -> int:
        """How often a mark was moved."""
        return self._moved

    def acknowledge(self, session_id: str, consumer: str, cursor: str) -> str:
        """Move the mark to the cursor, unless it is further already; the mark after that."""
        new = parse_cursor(cursor)
        if new is None:
            raise cursor_expired(cursor)
        if not consumer.strip():
            raise invalid_params("consumer", "the name of a reader")
        if len(consumer) > MAX_NAME_CHARS:
            raise limit_exceeded("characters of a consumer's name", MAX_NAME_CHARS)
        with self._lock:
            marks = self._store.marks_of(session_id)
            known = marks.get(consumer)
            old = parse_cursor(known) if known is not None else None
            if known is not None and old is not None and not is_later(new, old):
                return known
            if known is None and len(marks) >= MAX_CONSUMERS:
                raise limit_exceeded("consumers of a session", MAX_CONSUMERS)
            self._store.set_mark(session_id, consumer, cursor)
            self._moved += 1
            return cursor
