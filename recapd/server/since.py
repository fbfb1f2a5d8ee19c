"""What `since` of a request means, and how the news goes out."""

from __future__ import annotations

import msgspec

from recapd.core.log import is_same_beginning
from recapd.core.state import Session
from recapd.core.text import count_for_budget, fit_tokens
from recapd.core.views.since import (
    Cursor,
    News,
    Point,
    after_cursor,
    after_mark,
    after_time,
    after_turn,
    is_of_log,
    parse_cursor,
)
from recapd.server.service import Service
from recapd.wire.errors import cursor_expired
from recapd.wire.types import Since, SinceLastRecap

_GAP = "\n\n"


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


def check_cursor(service: Service, session: Session, text: str) -> None:
    """RecapError where a cursor is none of this session's: of another one, or of a log that was rewritten."""
    cursor = parse_cursor(text)
    if cursor is None or not is_of_log(session, _of_today(service, session, cursor)):
        raise cursor_expired(text)


def _of_today(service: Service, session: Session, cursor: Cursor) -> Cursor:
    """A log's generation changes once without a rewriting, when it outgrows its first 4 KB."""
    current = session.main.generation
    if cursor.generation == current:
        return cursor
    head = service.head(session.main.uri)
    if head is None or not is_same_beginning(cursor.generation, head):
        return cursor
    return msgspec.structs.replace(cursor, generation=current)


def room_below(news: News | None, max_tokens: int) -> int:
    """What the sentence on top leaves of the budget for the rest."""
    return max_tokens if news is None else max_tokens - count_for_budget(_line(news) + _GAP)


def with_news(news: News | None, markdown: str, max_tokens: int) -> str:
    if news is None:
        return markdown
    return fit_tokens(_line(news), max_tokens) if not markdown else f"{_line(news)}{_GAP}{markdown}"


def _line(news: News) -> str:
    return f"**New:** {news.text}"


def since_last_recap(news: News) -> SinceLastRecap:
    return SinceLastRecap(
        text=news.text,
        from_turn=news.from_turn,
        turns=news.turns,
        from_time=news.from_time or None,
        decisions=news.decisions,
        actions=news.actions,
        files=news.files,
    )
