"""Handlers of `session/*`: which sessions there are, how they stand, and the user's hand on what is kept of one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, TypeVar

import msgspec

from recapd.core.log import canonical
from recapd.core.presence import Signal
from recapd.core.state import Cause, Session, Source, Standing, is_plain_id, last_active, standing
from recapd.core.text import beginning, excerpt, presentable, presentable_path
from recapd.core.views.overview import in_order, overview_line, overview_markdown, title_of, told
from recapd.core.views.since import count_unseen, parse_cursor
from recapd.server.backend import Client
from recapd.server.methods import decisions, files, recap
from recapd.server.paging import MAX_LIMIT, page
from recapd.server.service import Service
from recapd.server.summarizing import numbered_summaries
from recapd.server.workspaces import belongs_to, workspace_of
from recapd.wire import convert
from recapd.wire.convert import name_of, source_status
from recapd.wire.errors import access_denied, invalid_params
from recapd.wire.types import (
    AuditEntry,
    Decision,
    DecisionsListParams,
    FileEntry,
    FilesListParams,
    Mark,
    OverviewRow,
    RecapGetParams,
    SessionExportParams,
    SessionExportResult,
    SessionForgetParams,
    SessionForgetResult,
    SessionInfo,
    SessionListParams,
    SessionListResult,
    SessionOverviewParams,
    SessionOverviewResult,
    SessionRememberParams,
    SessionRememberResult,
    SessionSelector,
    SessionSignalParams,
)

T = TypeVar("T")

_NOTE_CHARS: Final = 120
_NUMBERED: Final = re.compile(r"\d{1,6}_\w")
_ENDS: Final[dict[Cause, str]] = {
    "closed": "clean",
    "broke off": "crashed",
    "calling": "crashed",
    "never answered": "crashed",
    "no words": "clean",
    "out of tokens": "tokens",
    "out of iterations": "iterations",
    "stopped": "stopped",
    "failed": "failed",
}


def list_(service: Service, params: SessionListParams) -> SessionListResult:
    said = service.find(params.query) if params.query is not None else frozenset()
    folders = workspace_of(params.workspace) if params.workspace is not None else None
    found = [
        session
        for session in service.sessions()
        if (params.agent is None or session.agent == params.agent)
        and (params.id_prefix is None or _begins_with(session.id, params.id_prefix))
        and (folders is None or belongs_to(session, folders))
        and (params.query is None or session.id in said or _matches(session, params.query))
    ]
    found.sort(key=lambda session: _last_active_at(service, session), reverse=True)
    shown, next_cursor = page(found, params.limit, params.cursor)
    rows = [_session_info(service, session) for session in shown]
    instances = Counter(filter(None, map(_folder_of_instances, service.sessions())))
    counts = [instances.get(_folder_of_instances(session)) for session in shown]
    rows = [msgspec.structs.replace(row, instances=count) for row, count in zip(rows, counts, strict=True)]
    if params.consumer is not None:
        seen_by = [_unseen(service, session, params.consumer) for session in shown]
        rows = [msgspec.structs.replace(row, unseen=unseen) for row, unseen in zip(rows, seen_by, strict=True)]
    return SessionListResult(sessions=tuple(rows), next_cursor=next_cursor, total=len(found))


def _folder_of_instances(session: Session) -> str:
    """The folder of a session whose agent begins a log at each start, and numbers them; "" for any other."""
    folder, _, name = session.main.uri.rpartition("/")
    return folder if not session.main.transcript.native_id and _NUMBERED.match(name) else ""


def _unseen(service: Service, session: Session, consumer: str) -> int | None:
    """None for a reader that never said how far it has read."""
    mark = parse_cursor(service.mark(session.id, consumer) or "")
    return count_unseen(session, mark) if mark is not None else None


def _begins_with(session_id: str, prefix: str) -> bool:
    return session_id.startswith(prefix) or session_id.partition(":")[2].startswith(prefix)


def _session_info(service: Service, session: Session) -> SessionInfo:
    return service.rows.recall("listed", session, service.now(), partial(_listed, service))


def _listed(service: Service, session: Session) -> SessionInfo:
    transcript = session.main.transcript
    stand = standing(session, service.now())
    return SessionInfo(
        id=session.id,
        title=presentable(title_of(session)),
        agent=session.agent,
        last_active_at=_last_active_at(service, session),
        state=stand.status,
        needs=stand.needs,
        question=presentable(stand.question) or None,
        running=convert.running(stand),
        live=stand.live,
        state_since=stand.since or None,
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
        ended=_end_of(session, stand),
        note=excerpt(transcript.own_note, _NOTE_CHARS) or None,
    )


def _end_of(session: Session, stand: Standing) -> str | None:
    if stand.status not in ("interrupted", "finished"):
        return None
    ending = session.main.transcript.ending
    # An agent that was shut down in order did not crash, whatever it left unanswered.
    if stand.cause == "never answered" and ending.moment == "closed" and not ending.reason:
        return _ENDS["closed"]
    return _ENDS.get(stand.cause)


def _last_active_at(service: Service, session: Session) -> str:
    """The last record's time, or the file's where the log tells none that can be true. A file that is just gone was
    there until now."""
    return last_active(session, service.now()) or service.modified_at(session.main.uri) or service.now()


def _matches(session: Session, query: str) -> bool:
    transcript = session.main.transcript
    request = transcript.original.text if transcript.original else ""
    text = " ".join((title_of(session), request, transcript.branch, *transcript.cwds)).lower()
    return all(word in text for word in query.lower().split())


def overview(service: Service, params: SessionOverviewParams) -> SessionOverviewResult:
    sessions, now = service.sessions(), service.now()
    if params.workspace is not None:
        folders = workspace_of(params.workspace)
        sessions = [session for session in sessions if belongs_to(session, folders)]
    rows = in_order([service.rows.recall("standing", each, now, partial(told, now=now)) for each in sessions], now)
    shown = [service.rows.recall("told", row.session, now, partial(_told, service)) for row in rows[: params.limit]]
    told_rows = [row for row, _ in shown]
    if params.consumer is not None:
        seen_by = [_unseen(service, row.session, params.consumer) for row in rows[: params.limit]]
        told_rows = [msgspec.structs.replace(row, unseen=new) for row, new in zip(told_rows, seen_by, strict=True)]
    return SessionOverviewResult(
        sessions=tuple(told_rows),
        waiting=sum(row.standing.status == "waiting" for row in rows),
        needs_you=sum(row.standing.is_needing for row in rows),
        total=len(rows),
        markdown=overview_markdown(
            [line for _, line in shown], needing=sum(row.standing.is_needing for row in rows[: params.limit])
        ),
    )


def _told(service: Service, session: Session) -> tuple[OverviewRow, str]:
    """The row, and the line that says the same."""
    # Of a list only heads are at hand, which tell the order but not what was said last.
    row = told(service.whole(session), service.now())
    session = row.session
    return OverviewRow(
        id=session.id,
        agent=session.agent,
        title=presentable(row.title),
        state=row.standing.status,
        needs=row.standing.needs,
        question=presentable(row.standing.question) or None,
        running=convert.running(row.standing),
        live=row.standing.live,
        state_since=row.standing.since or None,
        workspace=presentable_path(next(iter(session.main.transcript.cwds), "")) or None,
        branch=name_of(session.main.transcript.branch) or None,
        log=session.main.uri,
        detail=presentable(row.detail),
        turn=session.main.transcript.totals.turns,
        last_active_at=last_active(session, service.now()) or None,
        revision=session.revision,
        resume_command=service.resume_command(session),
    ), presentable(overview_line(row))


def export(service: Service, session: Session, params: SessionExportParams) -> SessionExportResult:
    sources: list[Source] = [session.main, *session.children, *session.aliases]
    return SessionExportResult(
        session_id=session.id,
        revision=session.revision,
        exported_at=service.now(),
        session=_session_info(service, session),
        sources=tuple(source_status(source) for source in sources),
        recap=recap.get(service, session, RecapGetParams(format="full", force=True)).recap,
        decisions=_all(lambda cursor: _decisions(service, session, cursor)),
        files=_all(lambda cursor: _files(service, session, cursor)),
        summaries=tuple(numbered_summaries(service, session)),
        marks=tuple(Mark(consumer=name, cursor=cursor) for name, cursor in service.marks(session.id).items()),
        audit=tuple(
            AuditEntry(at=row.at, action=row.action, detail=row.detail or None)
            for row in service.durable.audit_of(session.id)
        ),
    )


def _decisions(service: Service, session: Session, cursor: str | None) -> tuple[Sequence[Decision], str | None]:
    params = DecisionsListParams(include_tentative=True, include_dismissed=True, limit=MAX_LIMIT, cursor=cursor)
    found = decisions.list_(service, session, params)
    return found.decisions, found.next_cursor


def _files(service: Service, session: Session, cursor: str | None) -> tuple[Sequence[FileEntry], str | None]:
    found = files.list_(service, session, FilesListParams(limit=MAX_LIMIT, cursor=cursor))
    return found.files, found.next_cursor


def _all(page: Callable[[str | None], tuple[Sequence[T], str | None]]) -> tuple[T, ...]:
    """Every entry of a list that is answered page by page."""
    found: list[T] = []
    cursor: str | None = None
    while True:
        entries, cursor = page(cursor)
        found += entries
        if cursor is None:
            return tuple(found)


def signal(service: Service, client: Client, params: SessionSignalParams) -> None:
    if client.is_remote:
        raise access_denied("What an agent does is not told over TCP; use the Unix socket, or `recapd connect`.")
    # Of a session that is named by its id nothing need be known yet.
    session_id = params.session.named_id or service.find_session(params.session, None).id
    agent, _, native = session_id.partition(":")
    if not (is_plain_id(agent) and is_plain_id(native)):
        raise invalid_params("session", "the agent's name and its own id of the session")
    # What is yet to come would outweigh the log until then.
    at = min(canonical(params.at), service.now())
    summary = presentable(params.summary) if params.kind == "compacting" and params.summary else ""
    client.backend.signal(
        session_id,
        Signal(
            kind=params.kind,
            at=at,
            text=beginning(params.text or ""),
            pid=params.pid or 0,
            summary=summary,
            summary_at=at if summary else "",
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
