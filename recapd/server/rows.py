"""Rows of lists, each kept until its session changes, or the clock changes what is said of it.

A list of fifty sessions is asked for again whenever one of them changed, and says of the others what it said before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias, TypeVar, cast

from msgspec import Struct

from recapd.core.state import Session, by_the_clock

T = TypeVar("T")
# What the time of day changes of what is said of a session.
_Clock: TypeAlias = tuple[str, bool, bool, bool]


class _Row(Struct, frozen=True):
    made_of: Session
    clock: _Clock
    row: Any


class Rows:
    """One of each kind for each session, gone with it. For any number of threads."""

    def __init__(self) -> None:
        # By session and kind.
        self._kept: dict[str, dict[str, _Row]] = {}
        # By session, how it stood by the clock for the last who asked: a list is told of one moment.
        self._clocks: dict[str, tuple[Session, str, _Clock]] = {}

    def recall(self, kind: str, session: Session, now: str, make: Callable[[Session], T]) -> T:
        """`make(session)`, made anew only where the session is another, or how it stands by the clock."""
        clock = self._clock(session, now)
        rows = self._kept.get(session.id)
        if rows is None:
            rows = self._kept.setdefault(session.id, {})
        known = rows.get(kind)
        if known is not None and known.clock == clock and is_same_session(known.made_of, session):
            return cast(T, known.row)
        row = make(session)
        rows[kind] = _Row(session, clock, row)
        return row

    def forget(self, session_ids: Iterable[str]) -> None:
        for session_id in session_ids:
            self._kept.pop(session_id, None)
            self._clocks.pop(session_id, None)

    def _clock(self, session: Session, now: str) -> _Clock:
        known = self._clocks.get(session.id)
        if known is not None and known[0] is session and known[1] == now:
            return known[2]
        clock = by_the_clock(session, now)
        self._clocks[session.id] = session, now, clock
        return clock


def is_same_session(one: Session, other: Session) -> bool:
    """By identity: a source that did not change is the same object."""
    return one is other or (
        one.revision == other.revision
        and one.main is other.main
        and len(one.children) == len(other.children)
        and all(before is now for before, now in zip(one.children, other.children, strict=True))
    )
