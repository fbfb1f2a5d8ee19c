"""Handler of `search`: what was said and done, in all sessions."""

from __future__ import annotations

from typing import Final

from recapd.core.retrieval import Query, line_with, query_of
from recapd.core.state import Session, Source, title_of
from recapd.core.text import presentable
from recapd.server.paging import cursor_at, start_of
from recapd.server.searching import Said
from recapd.server.service import Service
from recapd.server.workspaces import belongs_to, workspace_of
from recapd.wire import convert
from recapd.wire.types import SearchHit, SearchParams, SearchResult

_LIMIT: Final = 20
_MOST: Final = 100
# As the protocol names what has the words.
_KINDS: Final = {
    "prompt": "user",
    "queued": "user",
    "command": "user",
    "reply": "agent",
    "answer": "answer",
    "rejected": "answer",
    "plan": "plan",
    "task": "task",
    "commit": "commit",
    "run": "command",
    "failed": "command",
    "edit": "file",
}


def search(service: Service, params: SearchParams) -> SearchResult:
    query = query_of(params.query)
    first = start_of(params.cursor) if params.cursor is not None else 0
    limit = min(params.limit or _LIMIT, _MOST)
    sessions = None
    if params.workspace is not None:
        folders = workspace_of(params.workspace)
        sessions = frozenset(session.id for session in service.sessions() if belongs_to(session, folders))
    found, has_more = service.search(query, sessions, first=first, limit=limit) if query.words else ((), False)
    hits = (_hit(service, said, query) for said in found)
    return SearchResult(
        hits=tuple(hit for hit in hits if hit is not None),
        next_cursor=cursor_at(first + limit) if has_more else None,
    )


def _hit(service: Service, said: Said, query: Query) -> SearchHit | None:
    """None where the session went away since, and for a copy of a log, which says the same as the log."""
    session = service.listed(said.session)
    source = _source_of(session, said) if session is not None else None
    if session is None or source is None:
        return None
    return SearchHit(
        session_id=session.id,
        title=presentable(title_of(session)),
        turn=said.turn,
        kind=_KINDS.get(said.kind, said.kind),
        text=presentable(line_with(said.body, query)),
        ref=convert.ref_at(source, said.place),
        at=said.at or None,
        partial=None if said.has_all else True,
    )


def _source_of(session: Session, said: Said) -> Source | None:
    sources = (session.main, *session.children)
    return next((each for each in sources if each.uri == said.uri and each.part == said.part), None)
