"""Handler of `search`: what was said and done, in all sessions."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice
from typing import Final

from recapd.core.giving_up import look_up
from recapd.core.log import Prompt, Queued, Reply
from recapd.core.retrieval import Query, has_all_words, line_with, pattern_of, query_of
from recapd.core.state import Session, Source, ref_in
from recapd.core.text import presentable, without_own_text
from recapd.core.views.overview import title_of
from recapd.server.paging import cursor_at, start_of
from recapd.server.searching import Said
from recapd.server.service import Service
from recapd.server.workspaces import belongs_to, workspace_of
from recapd.wire import convert
from recapd.wire.types import SearchHit, SearchParams, SearchResult

_LIMIT: Final = 20
_MOST: Final = 100
# Where few have the words, so many of the longest messages are read for them, of so many bytes in all.
_MOST_LONG: Final = 200
_MOST_READ: Final = 64 << 20
# Begins a cursor that counts what was found in them, which comes after all the rest.
_WITHIN: Final = "within:"
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
    cursor = params.cursor or ""
    is_within = cursor.startswith(_WITHIN)
    first = start_of(cursor.removeprefix(_WITHIN)) if params.cursor is not None else 0
    limit = min(params.limit or _LIMIT, _MOST)
    sessions = None
    if params.workspace is not None:
        folders = workspace_of(params.workspace)
        sessions = frozenset(session.id for session in service.sessions() if belongs_to(session, folders))
    if not query.words:
        return SearchResult(hits=())
    found, has_more = ((), False) if is_within else service.search(query, sessions, first=first, limit=limit)
    hits = [hit for said in found if (hit := _hit(service, said, query)) is not None]
    if has_more:
        return SearchResult(hits=tuple(hits), next_cursor=cursor_at(first + limit))
    start = first if is_within else 0
    end = start + limit - len(hits)
    # One more than there is room for tells whether there is another page.
    within = list(islice(_hits_within(service, query, sessions), start, end + 1))
    return SearchResult(
        hits=(*hits, *within[: end - start]),
        next_cursor=f"{_WITHIN}{cursor_at(end)}" if len(within) > end - start else None,
    )


def _hits_within(service: Service, query: Query, sessions: Collection[str] | None) -> Iterator[SearchHit]:
    """In the middle of messages so long that it is not kept: those are read from the logs, the latest of them."""
    patterns = pattern_of(query)
    bytes_left = _MOST_READ
    for said in service.long_texts(sessions, _MOST_LONG):
        look_up()
        bytes_left -= said.place.length
        if bytes_left < 0:
            return
        # What has all words in what is kept of it was found already.
        if has_all_words(said.body, patterns) or not has_all_words(_read(service, said), patterns):
            continue
        session = service.listed(said.session)
        # What was handed over is known of the whole session alone: nothing is shown without it.
        text = presentable(_read(service, said, service.whole(session))) if session is not None else ""
        if has_all_words(text, patterns) and (hit := _hit(service, said, query, text)) is not None:
            yield hit


def _read(service: Service, said: Said, session: Session | None = None) -> str:
    """All of a message, "" where the log no longer has it."""
    session = session or service.listed(said.session)
    source = _source_of(session, said) if session is not None else None
    ref = ref_in(source, said.place) if source is not None else None
    line = service.bytes_at(ref) if ref is not None else None
    if source is None or ref is None or line is None:
        return ""
    records = service.records_at(source, ref, line)
    texts = [event.text for record in records for event in record.events if isinstance(event, Prompt | Queued | Reply)]
    return without_own_text("\n".join(texts))


def _hit(service: Service, said: Said, query: Query, text: str = "") -> SearchHit | None:
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
        text=presentable(line_with(text or said.body, query)),
        ref=convert.ref_at(source, said.place),
        at=said.at or None,
        partial=None if said.has_all else True,
    )


def _source_of(session: Session, said: Said) -> Source | None:
    sources = (session.main, *session.children)
    return next((each for each in sources if each.uri == said.uri and each.part == said.part), None)
