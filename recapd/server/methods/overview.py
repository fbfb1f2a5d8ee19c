"""Handler of `session/overview`."""

from __future__ import annotations

from recapd.core.state import last_active
from recapd.core.text import presentable
from recapd.core.views.overview import Row, overview, overview_markdown, told
from recapd.server.service import Service
from recapd.server.workspaces import belongs_to
from recapd.wire.types import OverviewRow, SessionOverviewParams, SessionOverviewResult


def get(service: Service, params: SessionOverviewParams) -> SessionOverviewResult:
    sessions = service.sessions()
    if params.workspace is not None:
        sessions = [session for session in sessions if belongs_to(session, params.workspace)]
    rows = overview([session for session in sessions if session.main.transcript.totals.turns], service.now())
    # Of a list only heads are at hand, which tell the order but not what was said last.
    shown = [told(service.whole(row.session), service.now()) for row in rows[: params.limit]]
    return SessionOverviewResult(
        sessions=tuple(_row(service, row) for row in shown),
        waiting=sum(row.standing.status == "waiting" for row in rows),
        total=len(rows),
        markdown=presentable(overview_markdown(shown)),
    )


def _row(service: Service, row: Row) -> OverviewRow:
    session = row.session
    return OverviewRow(
        id=session.id,
        agent=session.agent,
        title=presentable(row.title),
        state=row.standing.status,
        detail=presentable(row.detail),
        turn=session.main.transcript.totals.turns,
        last_active_at=last_active(session, service.now()) or None,
        revision=session.revision,
        resume_command=service.resume_command(session),
    )
