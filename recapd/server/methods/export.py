"""Handlers of `session/export`, `session/forget` and `session/remember`: the user's hand on what is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from recapd.core.state import Session, Source
from recapd.server.methods import decisions, files, recap
from recapd.server.methods import summary as summaries
from recapd.server.methods.session import session_info
from recapd.server.paging import MAX_LIMIT
from recapd.server.service import Service
from recapd.wire.convert import source_status
from recapd.wire.errors import invalid_params
from recapd.wire.types import (
    AuditEntry,
    Decision,
    DecisionsListParams,
    FileEntry,
    FilesListParams,
    Mark,
    RecapGetParams,
    SessionExportParams,
    SessionExportResult,
    SessionForgetParams,
    SessionForgetResult,
    SessionRememberParams,
    SessionRememberResult,
    SessionSelector,
    Summary,
    SummaryListParams,
)

T = TypeVar("T")


def export(service: Service, session: Session, params: SessionExportParams) -> SessionExportResult:
    sources: list[Source] = [session.main, *session.children, *session.aliases]
    return SessionExportResult(
        session_id=session.id,
        revision=session.revision,
        exported_at=service.now(),
        session=session_info(service, session),
        sources=tuple(source_status(source) for source in sources),
        recap=recap.get(service, session, RecapGetParams(format="full", force=True)).recap,
        decisions=_all(lambda cursor: _decisions(service, session, cursor)),
        files=_all(lambda cursor: _files(service, session, cursor)),
        summaries=_all(lambda cursor: _summaries(service, session, cursor)),
        marks=tuple(Mark(consumer=name, cursor=cursor) for name, cursor in service.marks(session.id).items()),
        audit=tuple(
            AuditEntry(at=row.at, action=row.action, detail=row.detail or None)
            for row in service.durable().audit_of(session.id)
        ),
    )


def forget(service: Service, session: Session, params: SessionForgetParams) -> SessionForgetResult:
    _check_named(params.session)
    return SessionForgetResult(session_id=session.id, revision=service.forget(session), forgotten=True)


def remember(service: Service, params: SessionRememberParams) -> SessionRememberResult:
    _check_named(params.session)
    session_id, revision = service.remember(params.session)
    return SessionRememberResult(session_id=session_id, revision=revision, forgotten=False)


def _check_named(selector: SessionSelector | None) -> None:
    """The latest session is a good guess for a reader; what cannot be undone is done to none that was not named."""
    if selector is None:
        raise invalid_params("session", "the session's id, its log or its workspace")


def _decisions(service: Service, session: Session, cursor: str | None) -> tuple[Sequence[Decision], str | None]:
    params = DecisionsListParams(include_tentative=True, include_dismissed=True, limit=MAX_LIMIT, cursor=cursor)
    found = decisions.list_(service, session, params)
    return found.decisions, found.next_cursor


def _files(service: Service, session: Session, cursor: str | None) -> tuple[Sequence[FileEntry], str | None]:
    found = files.list_(service, session, FilesListParams(limit=MAX_LIMIT, cursor=cursor))
    return found.files, found.next_cursor


def _summaries(service: Service, session: Session, cursor: str | None) -> tuple[Sequence[Summary], str | None]:
    found = summaries.list_(service, session, SummaryListParams(limit=MAX_LIMIT, cursor=cursor))
    return found.summaries, found.next_cursor


def _all(page: Callable[[str | None], tuple[Sequence[T], str | None]]) -> tuple[T, ...]:
    """Every entry of a list that is answered page by page."""
    found: list[T] = []
    cursor: str | None = None
    while True:
        entries, cursor = page(cursor)
        found += entries
        if cursor is None:
            return tuple(found)
