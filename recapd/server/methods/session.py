"""Handlers of `session/list`."""

from __future__ import annotations

from recapd.core.state import Session, last_active, standing, title_of
from recapd.core.text import presentable, presentable_path
from recapd.server.paging import page
from recapd.server.service import Service
from recapd.server.workspaces import belongs_to
from recapd.wire.convert import name_of
from recapd.wire.types import SessionInfo, SessionListParams, SessionListResult


def list_(service: Service, params: SessionListParams) -> SessionListResult:
    said = service.find(params.query) if params.query is not None else frozenset()
    found = [
        session
        for session in service.sessions()
        if (params.agent is None or session.agent == params.agent)
        and (params.workspace is None or belongs_to(session, params.workspace))
        and (params.query is None or session.id in said or _matches(session, params.query))
    ]
    found.sort(key=lambda session: _last_active_at(service, session), reverse=True)
    shown, next_cursor = page(found, params.limit, params.cursor)
    return SessionListResult(
        sessions=tuple(session_info(service, session) for session in shown), next_cursor=next_cursor
    )


def session_info(service: Service, session: Session) -> SessionInfo:
    transcript = session.main.transcript
    return SessionInfo(
        id=session.id,
        title=presentable(title_of(session)),
        agent=session.agent,
        last_active_at=_last_active_at(service, session),
        state=standing(session, service.now()).status,
        log=session.main.uri,
        log_gone=session.main.is_gone,
        indexed=True,
        revision=session.revision,
        model=name_of(transcript.model) or None,
        workspace=presentable_path(next(iter(transcript.cwds), "")) or None,
        branch=name_of(transcript.branch) or None,
        started_at=transcript.started_at or None,
        turns=transcript.totals.turns,
        messages=transcript.totals.messages,
        resume_command=service.resume_command(session),
    )


def _last_active_at(service: Service, session: Session) -> str:
    """The last record's time, or the file's where the log tells none that can be true. A file that is just gone was
    there until now."""
    return last_active(session, service.now()) or service.modified_at(session.main.uri) or service.now()


def _matches(session: Session, query: str) -> bool:
    transcript = session.main.transcript
    request = transcript.original.text if transcript.original else ""
    text = " ".join((title_of(session), request, transcript.branch, *transcript.cwds)).lower()
    return all(word in text for word in query.lower().split())
