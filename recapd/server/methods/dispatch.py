"""From a method's name and raw params to its result: one table, one way in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Raw

from recapd.core.state import Session
from recapd.server.methods import config, context, decisions, digests, export, files, orientation, overview, recap
from recapd.server.methods import recapd as about
from recapd.server.methods import ref as refs
from recapd.server.methods import session as sessions
from recapd.server.methods import summary as summaries
from recapd.server.service import Service
from recapd.wire.errors import method_not_found
from recapd.wire.methods import lookup
from recapd.wire.params import decode_params
from recapd.wire.types import RecapGetParams, SessionParams, SessionReadParams, Unchanged, Wire

# Requests about one session; the session is looked up before the handler runs.
_OF_SESSION: dict[str, Callable[[Service, Session, Any], Wire]] = {
    "recap/get": recap.get,
    "recap/verify": recap.verify,
    "files/list": files.list_,
    "context/summary": context.summary,
    "context/assemble": context.assemble,
    "decisions/list": decisions.list_,
    "decisions/dismiss": decisions.dismiss,
    "decisions/confirm": decisions.confirm,
    "orientation/get": orientation.get,
    "summary/create": summaries.create,
    "summary/list": summaries.list_,
    "summary/digest": digests.create,
    "history/get": summaries.history,
    "session/export": export.export,
    "session/forget": export.forget,
}
_OF_ALL: dict[str, Callable[[Service, Any], Wire]] = {
    "session/list": sessions.list_,
    "session/overview": overview.get,
    # It is not known until it is remembered.
    "session/remember": export.remember,
    "config/get": config.get,
    # A ref names its session by its source, and the source may be gone.
    "ref/resolve": refs.resolve,
    "recapd/discover": lambda service, params: about.discover(service, params, SERVED),
}

# Pure reads of the state that take longer than looking them up; marks of readers are no part of the state.
_KEPT = frozenset({"recap/get", "context/summary", "context/assemble", "orientation/get", "history/get"})
_MINUTE = len("2026-01-01T00:00")

SERVED: tuple[str, ...] = tuple(sorted((*_OF_SESSION, *_OF_ALL)))


def answer(service: Service, method: str, raw_params: bytes) -> Wire:
    """The result of a request, or RecapError."""
    row = lookup(method)
    if row is None or method not in SERVED:
        raise method_not_found(method)
    params = decode_params(row, raw_params)
    if method in _OF_ALL:
        return _OF_ALL[method](service, params)
    assert isinstance(params, SessionParams)
    session = _session(service, params)
    return _unchanged(session, params) or _OF_SESSION[method](service, session, params)


def answer_to_send(service: Service, method: str, params: Wire, raw_params: bytes) -> Wire | Raw:
    """The same for a client whose params fit: as bytes where these are kept for whoever asks the same next."""
    answers = service.answers()
    if method not in _KEPT or answers is None or not isinstance(params, SessionParams) or _rests_on_marks(params):
        return answer(service, method, raw_params)
    session = _session(service, params)
    if (unchanged := _unchanged(session, params)) is not None:
        return unchanged
    # How a session stands also depends on the clock, but nobody needs that to the second.
    key = (method, raw_params, session.id, session.revision, service.now()[:_MINUTE])
    return answers.get_or_make(key, lambda: _OF_SESSION[method](service, session, params))


def _session(service: Service, params: SessionParams) -> Session:
    return decisions.judged(service, service.session(params.session, params.cwd))


def _unchanged(session: Session, params: SessionParams) -> Unchanged | None:
    if not isinstance(params, SessionReadParams) or params.known_revision != session.revision:
        return None
    return Unchanged(unchanged=True, session_id=session.id, revision=session.revision)


def _rests_on_marks(params: SessionParams) -> bool:
    if not isinstance(params, RecapGetParams):
        return False
    return params.format == "timeline" or (params.since is not None and params.since.consumer is not None)
