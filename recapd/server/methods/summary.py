"""Handlers of `summary/*`: what a conversation comes to, kept as it grows or boiled down now."""

from __future__ import annotations

import msgspec

from recapd.core.state import Session
from recapd.core.summaries import extractive, on_request
from recapd.server.digests import made_of, plan_of, to_wire
from recapd.server.paging import page
from recapd.server.service import Service
from recapd.server.summarizing import describe_creation, draft_for, keep_summary, numbered_summaries, summaries_of
from recapd.wire.errors import RecapError, summary_unavailable
from recapd.wire.types import (
    SummaryCreateParams,
    SummaryCreateResult,
    SummaryDigestParams,
    SummaryDigestResult,
    SummaryListParams,
    SummaryListResult,
)


async def create(service: Service, session: Session, params: SummaryCreateParams) -> SummaryCreateResult:
    """In a process of its own: by our own means."""
    if service.summarizer is not None:
        return await service.summarizer.create(session, params)
    chain = summaries_of(service, session)
    wanted = on_request(session.main.transcript, chain[-1] if chain else None, service.settings(session))
    draft = draft_for(service, session, wanted, focus=params.focus or "") if wanted is not None else None
    note = "Models write summaries in the daemon only; start it with: recapd up" if params.model else ""
    made = extractive(draft, note=note) if draft is not None else None
    if made is None or wanted is None:
        raise summary_unavailable("nothing")
    try:
        keep_summary(service.durable, session.id, made, wanted)
    except RecapError as error:
        made = msgspec.structs.replace(made, note=f"{note} It is not kept: {error.message}".strip())
    return describe_creation(session, made, number=len(chain) + 1)


def list_(service: Service, session: Session, params: SummaryListParams) -> SummaryListResult:
    shown, next_cursor = page(numbered_summaries(service, session), params.limit, params.cursor)
    return SummaryListResult(
        session_id=session.id, revision=session.revision, summaries=tuple(shown), next_cursor=next_cursor
    )


async def digest(service: Service, session: Session, params: SummaryDigestParams) -> SummaryDigestResult:
    """In a process of its own: by our own means."""
    if service.summarizer is not None:
        return await service.summarizer.digest(session, params)
    note = "Models write in the daemon only; start it with: recapd up" if params.model else None
    return to_wire(session, made_of(plan_of(service, session, params), {}, ()), note=note)
