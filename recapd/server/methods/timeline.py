"""Handlers of `timeline/*`: the way of a conversation, for whoever draws it."""

from __future__ import annotations

from typing import Final

from recapd.core.log import from_epoch
from recapd.core.state import Session
from recapd.core.views.recap import recap_so_far
from recapd.core.views.timeline import Mark, Reading, TurnRow, timeline_of
from recapd.server.points import marks_of, point_of
from recapd.server.service import Service
from recapd.wire.convert import ref_at
from recapd.wire.types import TimelineGetParams, TimelineGetResult, TimelineMark, TimelineTopic, TimelineTurn

_BUCKETS: Final = 200


def get(service: Service, session: Session, params: TimelineGetParams) -> TimelineGetResult:
    settings = service.settings(session)
    service.judge_soon(session)
    recap = recap_so_far(session, service.now(), settings.decisions)
    found = timeline_of(
        recap,
        point=point_of(service, session, params.since) if params.since is not None else None,
        buckets=params.buckets or _BUCKETS,
        gap_s=settings.recap.gap_minutes * 60,
        readings=tuple(
            Reading(reader, cursor.turn, from_epoch(cursor.at_ms) if cursor.at_ms else "")
            for reader, cursor in marks_of(service, session)
        ),
    )
    return TimelineGetResult(
        session_id=session.id,
        revision=session.revision,
        turns=tuple(_turn(session, row) for row in found.turns),
        marks=tuple(map(_mark, found.marks)),
        topics=tuple(
            TimelineTopic(from_turn=topic.first, to_turn=topic.last, title=topic.title) for topic in found.topics
        ),
        unjudged_turns=recap.unjudged,
    )


def _turn(session: Session, row: TurnRow) -> TimelineTurn:
    return TimelineTurn(
        turn=row.first,
        to_turn=row.last if row.last != row.first else None,
        at=row.at or None,
        until=row.until or None,
        text=row.text,
        calls=row.calls,
        failed=row.failed,
        edits=row.edits,
        state=row.state,
        ref=ref_at(session.main, row.place),
    )


def _mark(mark: Mark) -> TimelineMark:
    return TimelineMark(
        turn=mark.turn,
        at=mark.at or None,
        kind=mark.kind,
        text=mark.text,
        ref=ref_at(mark.source, mark.place),
        decision_id=mark.decision or None,
        by=mark.made_by or None,
        count=mark.count if mark.count > 1 else None,
    )
