"""Handlers of `orientation/*`: what an agent or its harness puts before an answer."""

from __future__ import annotations

from recapd.core.state import Session
from recapd.core.views.context import INSTRUCTION, block_text, facts_text
from recapd.core.views.recap import about_prompt, recap_of, showing
from recapd.core.views.since import cursor_of
from recapd.server.points import news_for
from recapd.server.service import Service
from recapd.wire.types import OrientationGetParams, OrientationGetResult


def get(service: Service, session: Session, params: OrientationGetParams) -> OrientationGetResult:
    settings = service.settings(session)
    now = service.now()
    service.recall_judged(session)
    facts = recap_of(session, now, settings.decisions)
    due = showing(facts, settings.recap, now, params.current_prompt)
    facts = about_prompt(facts, params.current_prompt)
    page = facts if params.consumer is None else news_for(service, session, params.consumer, facts)
    return OrientationGetResult(
        session_id=session.id,
        revision=session.revision,
        shown=due.shown,
        instruction=INSTRUCTION if due.shown else "",
        facts=facts_text(facts, due.turn, settings.recap) if due.shown else "",
        block=block_text(page, settings.recap, now) if due.shown else "",
        turn=due.turn,
        cursor=cursor_of(session),
        reason=due.reason or None,
    )
