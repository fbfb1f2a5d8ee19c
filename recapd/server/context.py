"""Handlers of `context/*`."""

from __future__ import annotations

from recapd.core.excerpt import presentable
from recapd.core.views.context_summary import formatted, tools_used
from recapd.core.views.recap import recap_of
from recapd.core.world import Session
from recapd.server.service import Service
from recapd.wire import convert
from recapd.wire.types import ContextSummaryParams, ContextSummaryResult


def summary(service: Service, session: Session, params: ContextSummaryParams) -> ContextSummaryResult:
    facts = recap_of(session, service.now())
    return ContextSummaryResult(
        session_id=session.id,
        revision=session.revision,
        stats=convert.stats(facts.stats),
        key_decisions=(),
        progress=convert.progress(session, facts.progress),
        file_modifications=tuple(convert.file_entry(row) for row in facts.files),
        tools_used=tuple(presentable(tool) for tool in tools_used(facts)),
        user_requests=tuple(presentable(request.text) for request in facts.requests),
        formatted=presentable(formatted(facts)),
    )
