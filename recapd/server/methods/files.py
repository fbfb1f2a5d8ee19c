"""Handlers of `files/*`."""

from __future__ import annotations

from recapd.core.state import Session, files_of
from recapd.server.paging import page
from recapd.server.service import Service
from recapd.wire import convert
from recapd.wire.types import FilesListParams, FilesListResult


def list_(service: Service, session: Session, params: FilesListParams) -> FilesListResult:
    rows = [row for row in reversed(files_of(session)) if params.action in (None, row.fact.action)]
    shown, next_cursor = page(rows, params.limit, params.cursor)
    return FilesListResult(
        session_id=session.id,
        revision=session.revision,
        files=tuple(convert.file_entry(row) for row in shown),
        total=len(rows),
        next_cursor=next_cursor,
    )
