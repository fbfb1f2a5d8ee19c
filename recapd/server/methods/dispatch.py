"""From a request to its result: its method's row says what it is about, its method's name who answers it."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Callable, Coroutine, Hashable
from hashlib import blake2b
from importlib import import_module
from typing import TypeAlias, cast

import msgspec
from msgspec import Raw, Struct

from recapd.core.state import Session
from recapd.server.answers import Answers
from recapd.server.backend import Client
from recapd.server.service import Service, judged
from recapd.wire.errors import method_not_found
from recapd.wire.methods import METHODS, Method, lookup
from recapd.wire.params import decode_params
from recapd.wire.types import (
    OrientationGetParams,
    RecapGetParams,
    SessionListParams,
    SessionOverviewParams,
    SessionParams,
    SessionReadParams,
    TimelineGetParams,
    Unchanged,
    Wire,
)

# It is given the service, what the request is about (by the row's scope: the session, nothing, or the client), and the
# params.
Handler: TypeAlias = Callable[..., Wire | None]
WaitingHandler: TypeAlias = Callable[..., Coroutine[object, None, Wire | None]]

_MINUTE = len("2026-01-01T00:00")


def place_of_handler(method: str) -> tuple[str, str]:
    """The module and the function that answer a method."""
    family, _, tail = method.partition("/")
    # The one that has no family is one.
    tail = tail or family
    return f"{__package__}.{family}", f"{tail}_" if keyword.iskeyword(tail) or hasattr(builtins, tail) else tail


def _handler(method: str) -> object:
    module, function = place_of_handler(method)
    handler: object = getattr(import_module(module), function)
    return handler


_HANDLERS = {row.name: _handler(row.name) for row in METHODS if row.is_served}


def waiting_handler(row: Method) -> WaitingHandler:
    """Of a row whose cost is to wait."""
    return cast(WaitingHandler, _HANDLERS[row.name])


class Question(Struct, frozen=True, kw_only=True):
    """A request whose params fit, and the world as it was when it came."""

    row: Method
    params: Wire
    # Who asks the same sends the same bytes.
    raw_params: bytes
    service: Service
    # The session it is about, where that was found already.
    session: Session | None = None
    # The connection it came by; None in a process that has none.
    client: Client | None = None
    # Where the answer is kept for whoever asks the same next.
    answers: Answers | None = None
    # Whether it can be answered on the loop: without looking at the disk, and in next to no time whatever the session.
    is_quick: bool = False
    # The answer itself, where somebody asked the same before and nothing changed since.
    kept: Wire | Raw | None = None


def answer(service: Service, method: str, raw_params: bytes) -> Wire:
    """The result of a request in a process without connections, or RecapError."""
    row = lookup(method)
    if row is None or not row.is_served_alone:
        raise method_not_found(method)
    params = decode_params(row, raw_params)
    found: Wire | Raw | None
    if row.cost == "waits":
        assert isinstance(params, SessionParams)
        session = judged(service, service.session(params.session, params.cwd))
        found = _run_through(waiting_handler(row)(service, session, params))
    else:
        found = answer_question(Question(row=row, params=params, raw_params=raw_params, service=service))
    assert isinstance(found, Wire)
    return found


def answer_question(question: Question) -> Wire | Raw | None:
    """The result of a request that waits for nobody, or RecapError: as bytes where it is kept. May block."""
    service, row, params = question.service, question.row, question.params
    if question.kept is not None:
        return question.kept
    handler = cast(Handler, _HANDLERS[row.name])
    if row.scope == "all":
        # Somebody may have answered the same since the question was put.
        if (kept := kept_answer(question, None)) is not None:
            return kept
        return _keep(question, _key_of(question, None), handler(service, params))
    if row.scope == "connection":
        return handler(service, question.client, params)
    assert isinstance(params, SessionParams)
    found = question.session
    session = found if found is not None else service.find_session(params.session, params.cwd)
    if (kept := kept_answer(question, session)) is not None:
        return kept
    session = judged(service, service.complete(session))
    return _keep(question, _key_of(question, session), handler(service, session, params))


def _keep(question: Question, key: Hashable | None, made: Wire | None) -> Wire | Raw | None:
    return made if question.answers is None or key is None else question.answers.keep(key, made)


def kept_answer(question: Question, session: Session | None) -> Wire | Raw | None:
    """The answer about a session that was found, or all of them, where it takes nothing to make it: the asker has it,
    or somebody asked the same."""
    params = question.params
    is_known = isinstance(params, SessionReadParams) and session and params.known_revision == session.revision
    if session and is_known and not _rests_on_marks(params):
        return Unchanged(unchanged=True, session_id=session.id, revision=session.revision)
    key = _key_of(question, session)
    return question.answers.get(key) if question.answers is not None and key is not None else None


def _key_of(question: Question, session: Session | None) -> Hashable | None:
    """What the answer depends on; None where more than can be named."""
    row, service = question.row, question.service
    params = question.params
    if not row.cached or _rests_on_index(params):
        return None
    told_of = (session.id, session.revision) if session is not None else (service.serial,)
    # How a session stands also depends on the clock, but nobody needs that to the second.
    # Params may be long, and nobody needs them again.
    asked = blake2b(_without_revision(params), digest_size=16).digest()
    return row.name, asked, *told_of, _marks_of(service, session, params), service.now()[:_MINUTE]


def _without_revision(params: Wire) -> bytes:
    """Whichever answer the asker has, the next one is the same."""
    if isinstance(params, SessionReadParams) and params.known_revision is not None:
        params = msgspec.structs.replace(params, known_revision=None)
    return msgspec.json.encode(params)


def _rests_on_index(params: Wire) -> bool:
    """What was said is found in an index, which is no part of the sessions' state."""
    return isinstance(params, SessionListParams) and params.query is not None


def _marks_of(service: Service, session: Session | None, params: Wire) -> str | int | None:
    """What the answer depends on of readers' marks: the one of its reader, or all of them, which change together."""
    if session is None:
        counts = isinstance(params, (SessionListParams, SessionOverviewParams)) and params.consumer is not None
        return service.moved_marks() if counts else None
    if _tells_of_marks(params):
        return service.moved_marks()
    reader = _reader_of(params)
    return service.mark(session.id, reader) if reader is not None else None


def _rests_on_marks(params: Wire) -> bool:
    """Readers move their marks without changing the session."""
    return _tells_of_marks(params) or _reader_of(params) is not None


def _tells_of_marks(params: Wire) -> bool:
    """Where each reader is."""
    return isinstance(params, TimelineGetParams) or (isinstance(params, RecapGetParams) and params.format == "timeline")


def _reader_of(params: Wire) -> str | None:
    """By whose mark the answer is told."""
    if isinstance(params, OrientationGetParams):
        return params.consumer
    if not isinstance(params, RecapGetParams):
        return None
    return params.consumer if params.since is None else params.since.consumer


def _run_through(waiting: Coroutine[object, None, Wire | None]) -> Wire | None:
    """In a process of its own there is nobody to wait for."""
    try:
        waiting.send(None)
    except StopIteration as end:
        result: Wire | None = end.value
        return result
    raise RuntimeError("a handler waits where there is nobody to wait for")
