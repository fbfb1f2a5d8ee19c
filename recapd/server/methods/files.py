"""Handlers of `files/*`: which files a session touched, and what it changed in each."""

from __future__ import annotations

from typing import Final

from recapd.core.state import FileChange as Change
from recapd.core.state import FileFact, Session, Sourced, files_of, ref_in
from recapd.core.views.changes import changes_of, count_lines, is_of, shown_changes
from recapd.server.paging import page
from recapd.server.service import Service
from recapd.server.workspaces import path_of
from recapd.wire import convert
from recapd.wire.errors import source_gone
from recapd.wire.types import (
    FileChange,
    FilesChangesParams,
    FilesChangesResult,
    FilesListParams,
    FilesListResult,
    Hunk,
)

# Each change is read from the log, and may be long.
_CHANGES: Final = 20
_MOST_CHANGES: Final = 50


def list_(service: Service, session: Session, params: FilesListParams) -> FilesListResult:
    rows = [row for row in reversed(files_of(session)) if params.action in (None, convert.file_action(row.fact))]
    shown, next_cursor = page(rows, params.limit, params.cursor)
    return FilesListResult(
        session_id=session.id,
        revision=session.revision,
        files=tuple(convert.file_entry(row) for row in shown),
        total=len(rows),
        next_cursor=next_cursor,
    )


def changes(service: Service, session: Session, params: FilesChangesParams) -> FilesChangesResult:
    # As a path it may be the log's own spelling, which is not from the root.
    path = path_of(params.uri) if params.uri.startswith("file:") else params.uri
    rows = changes_of(session, path, from_turn=params.from_turn or 0)
    shown, next_cursor = page(rows, min(params.limit or _CHANGES, _MOST_CHANGES), params.cursor)
    return FilesChangesResult(
        session_id=session.id,
        revision=session.revision,
        changes=tuple(_change(service, row, fact) for row, fact in shown),
        total=len(rows),
        next_cursor=next_cursor,
    )


def _change(service: Service, row: Sourced[Change], fact: FileFact) -> FileChange:
    change, source = row.fact, row.source
    called = service.bytes_at(ref_in(source, change.place))
    if called is None:
        raise source_gone(source.uri)
    answered = service.bytes_at(ref_in(source, change.returned)) or b""
    hunks = service.edits_at(source, change, (called, answered), lambda path: is_of(fact, path))
    found = shown_changes(hunks)
    added, removed = count_lines(found.hunks)
    return FileChange(
        turn=row.turn,
        at=change.at or None,
        tool=convert.name_of(change.tool),
        ok=change.ok,
        hunks=tuple(
            Hunk(lines=hunk.lines, old_start=hunk.old_start or None, new_start=hunk.new_start or None)
            for hunk in found.hunks
        ),
        ref=convert.ref_at(source, change.place),
        added=added if found.hunks else None,
        removed=removed if found.hunks else None,
        truncated=True if found.is_cut else None,
        via=convert.name_of(row.via) or None,
    )
