"""What `since` of a request means: where in a session the news begins, for whoever reads by turn, time or cursor."""

from __future__ import annotations

import msgspec

from recapd.core.log import is_same_beginning
from recapd.core.state import Session
from recapd.core.views.recap import Recap
from recapd.core.views.since import (
    Cursor,
    Point,
    after_cursor,
    after_mark,
    after_time,
    after_turn,
    is_of_log,
    news_page,
    parse_cursor,
)
from recapd.server.service import Service
from recapd.wire.errors import cursor_expired
from recapd.wire.types import Since


def point_of(service: Service, session: Session, since: Since) -> Point:
    """Where the news begins; RecapError where a cursor is none, or its log was rewritten."""
    if since.turn is not None:
        return after_turn(session, since.turn)
    if since.time is not None:
        return after_time(session, since.time)
    if since.consumer is not None:
        mark = parse_cursor(service.mark(session.id, since.consumer) or "")
        return after_mark(session, _of_today(service, session, mark) if mark is not None else None)
    text = since.cursor or ""
    cursor = parse_cursor(text)
    point = after_cursor(session, _of_today(service, session, cursor)) if cursor is not None else None
    if point is None:
        raise cursor_expired(text)
    return point


def news_for(service: Service, session: Session, consumer: str, facts: Recap) -> Recap:
    """What a short recap tells a named reader: the whole at first, then what is new, and what still holds in a line."""
    if service.mark(session.id, consumer) is None:
        return facts
    return news_page(facts, point_of(service, session, Since(consumer=consumer)))


def check_cursor(service: Service, session: Session, text: str) -> None:
    """RecapError where a cursor is none of this session's: of another one, or of a log that was rewritten."""
    cursor = parse_cursor(text)
    if cursor is None or not is_of_log(session, _of_today(service, session, cursor)):
        raise cursor_expired(text)


def marks_of(service: Service, session: Session) -> list[tuple[str, Cursor]]:
    """Each reader, and how far it has read; a mark in a log that was rewritten stands nowhere now."""
    parsed = ((reader, parse_cursor(text)) for reader, text in service.marks(session.id).items())
    marks = [(reader, _of_today(service, session, cursor)) for reader, cursor in parsed if cursor is not None]
    return [(reader, cursor) for reader, cursor in marks if after_cursor(session, cursor) is not None]


def _of_today(service: Service, session: Session, cursor: Cursor) -> Cursor:
    """A log's generation changes once without a rewriting, when it outgrows its first 4 KB."""
    current = session.main.generation
    if cursor.generation == current:
        return cursor
    head = service.head(session.main.uri)
    if head is None or not is_same_beginning(cursor.generation, head):
        return cursor
    return msgspec.structs.replace(cursor, generation=current)
