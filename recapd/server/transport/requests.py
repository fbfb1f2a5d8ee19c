"""From a method and its raw params to the answer, for one connection.

Most methods are pure reads of a snapshot, answered by `dispatch`. The few that concern the connection itself
(subscriptions, marks, the service) are answered here. What LSP defines is in `lsp.py`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
from msgspec import Raw, Struct

from recapd.core.decisions import is_at_hand
from recapd.server.backend import Backend, Mailbox
from recapd.server.methods import SERVED, answer_to_send, discover
from recapd.server.service import Service
from recapd.server.since import check_cursor
from recapd.server.transport.limits import Limits, Peer
from recapd.server.transport.threads import in_thread, worked_out
from recapd.server.workspaces import path_of
from recapd.wire.errors import access_denied, invalid_params, limit_exceeded, method_not_found
from recapd.wire.methods import lookup
from recapd.wire.params import decode_params
from recapd.wire.types import (
    ConfigGetParams,
    RecapAcknowledgeParams,
    RecapAcknowledgeResult,
    RecapdDiscoverParams,
    RecapdShutdownParams,
    RecapdStatusParams,
    RecapdWatchParams,
    RecapSubscribeParams,
    RecapUnsubscribeParams,
    RefResolveParams,
    SessionListParams,
    SessionParams,
    SessionSelector,
    SummaryCreateParams,
    SummaryDigestParams,
    Wire,
)

# Optional features by name, for `recapd/discover` and `initialize`.
FEATURES = ("subscriptions",)

# These read logs, or walk over all sessions; on the loop they would keep every other client waiting.
_SLOW = frozenset(
    {
        "config/get",
        "context/assemble",
        "decisions/confirm",
        "decisions/dismiss",
        "history/get",
        "recap/verify",
        "recapd/watch",
        "ref/resolve",
        "recap/acknowledge",
        "session/export",
        "session/forget",
        "session/list",
        "session/overview",
        "session/remember",
        "summary/create",
        "summary/digest",
    }
)
# These tell what was decided: a conversation that was not judged yet takes its time.
_JUDGING = frozenset({"context/summary", "decisions/list", "orientation/get", "recap/get"})
# What these take is computing.
_THINKING = _JUDGING | {"context/assemble", "history/get"}


class Question(Struct, frozen=True):
    """A request whose params fit."""

    method: str
    params: Wire
    raw_params: bytes
    # Whether it can be answered on the loop, without looking at the disk.
    is_quick: bool


class Requests:
    """The requests of one connection."""

    def __init__(self, backend: Backend, mailbox: Mailbox, *, peer: Peer, limits: Limits) -> None:
        self._backend = backend
        self._mailbox = mailbox
        self._peer = peer
        self._limits = limits
        # Ids of open subscriptions.
        self.subscriptions: set[str] = set()
        # Path or file URI of the folder the client works in.
        self.workspace: str | None = None

    def question(self, method: str, raw_params: bytes) -> Question:
        """RecapError where the method is not served, the params do not fit, or the peer may not ask that."""
        row = lookup(method)
        if row is None or method not in ALL_SERVED:
            raise method_not_found(method)
        params = decode_params(row, raw_params)
        self._check_paths(params)
        if self.workspace and isinstance(params, SessionParams) and params.session is None and params.cwd is None:
            params = msgspec.structs.replace(params, cwd=self.workspace)
            raw_params = msgspec.json.encode(params)
        is_quick = method not in _SLOW and not _looks_at_disk(params) and self._is_at_hand(method, params)
        return Question(method, params, raw_params, is_quick)

    def _is_at_hand(self, method: str, params: Wire) -> bool:
        """Not of sessions that nobody asked about lately: they are on disk, or nobody knows what was decided there."""
        if not isinstance(params, SessionParams):
            return True
        if not self._backend.is_at_hand(params.session):
            return False
        if method not in _JUDGING:
            return True
        try:
            return is_at_hand(self._backend.snapshot().session(params.session, params.cwd))
        except Exception:
            # Whatever is wrong with the session is said in the answer, and that is quickly made.
            return True

    def answer_now(self, question: Question) -> Wire | Raw | None:
        """The answer to a quick question, or RecapError."""
        own = _OWN.get(question.method)
        if own is not None:
            return own(self, question.params)
        return answer_to_send(self._backend.snapshot(), question.method, question.params, question.raw_params)

    async def answer(self, question: Question) -> Wire | Raw | None:
        """The answer to any question, or RecapError; blocking work is done in a thread."""
        if question.is_quick:
            return self.answer_now(question)
        service = self._backend.snapshot()
        params = question.params
        if isinstance(params, RecapdWatchParams):
            if self._peer.transport == "tcp" and params.workspace is not None:
                raise access_denied("Folders cannot be switched over TCP; use the Unix socket, or `recapd watch`.")
            return await self._backend.watch(params)
        if isinstance(params, SummaryCreateParams):
            session = await in_thread(lambda: service.session(params.session, params.cwd))
            return await self._backend.create_summary(session, params)
        if isinstance(params, SummaryDigestParams):
            session = await in_thread(lambda: service.session(params.session, params.cwd))
            return await self._backend.create_digest(session, params)
        if isinstance(params, RecapAcknowledgeParams):
            return await in_thread(lambda: self._acknowledged(service, params))
        work = partial(answer_to_send, service, question.method, params, question.raw_params)
        if question.method in _THINKING:
            return await worked_out((service.instance_id(), question.method, question.raw_params), work)
        return await in_thread(work)

    def after_reply(self, question: Question) -> None:
        """What must not happen before the reply is on its way."""
        if isinstance(question.params, RecapdShutdownParams):
            self._backend.shut_down(question.params.reason or "a client asked for it")

    def discover(self, params: RecapdDiscoverParams) -> Wire:
        if params.roots and self._peer.transport == "tcp":
            raise access_denied("Folders to watch cannot be added over TCP; use `recapd connect`.")
        found = discover(self._backend.snapshot(), params, ALL_SERVED)
        if params.roots:
            self._backend.add_roots(params.roots)
        return msgspec.structs.replace(found, capabilities=FEATURES)

    def subscribe(self, params: RecapSubscribeParams) -> Wire:
        if params.subscription_id not in self.subscriptions and len(self.subscriptions) >= self._limits.subscriptions:
            raise limit_exceeded("subscriptions of a connection", self._limits.subscriptions)
        result = self._backend.subscribe(self._mailbox, params)
        self.subscriptions.add(params.subscription_id)
        return result

    def unsubscribe(self, params: RecapUnsubscribeParams) -> None:
        self.subscriptions.discard(params.subscription_id)
        self._backend.unsubscribe(self._mailbox, params.subscription_id)

    def status(self, params: RecapdStatusParams) -> Wire:
        return self._backend.status(params)

    def _acknowledged(self, service: Service, params: RecapAcknowledgeParams) -> RecapAcknowledgeResult:
        session = service.session(params.session, params.cwd)
        check_cursor(service, session, params.cursor)
        mark = self._backend.acknowledge(session.id, params.consumer, params.cursor)
        return RecapAcknowledgeResult(
            session_id=session.id, revision=session.revision, consumer=params.consumer, cursor=mark
        )

    def _check_paths(self, params: Wire) -> None:
        """Over TCP a log must stand below a watched root once links are resolved."""
        logs, folders = _paths_in(params)
        if any("\0" in path for path in (*logs, *folders)):
            raise invalid_params("session" if logs else "cwd", "a path without NUL characters")
        if not logs or self._peer.transport != "tcp":
            return
        roots = self._backend.status(RecapdStatusParams(limit=1)).roots
        allowed = [os.path.join(os.path.realpath(path_of(root.path)), "") for root in roots]
        for log in logs:
            if not os.path.realpath(path_of(log)).startswith(tuple(allowed)):
                raise access_denied("Over TCP a log must stand below a watched folder; use the Unix socket for others.")


def _looks_at_disk(params: Wire) -> bool:
    """Finding the session of a folder looks for git roots; finding that of a log may read it."""
    if not isinstance(params, SessionParams):
        return False
    if params.session is None:
        return params.cwd is not None
    return params.session.id is None


def _paths_in(params: Wire) -> tuple[list[str], list[str]]:
    """Logs and folders that a request names, in whichever way."""
    if isinstance(params, (SessionListParams, ConfigGetParams)):
        return [], [params.workspace] if params.workspace else []
    selector: SessionSelector | str | None = None
    logs: list[str] = []
    folders: list[str] = []
    if isinstance(params, SessionParams):
        selector = params.session
        folders += [params.cwd] if params.cwd else []
    if isinstance(params, RecapSubscribeParams):
        selector = params.selector.session
        folders += [params.selector.workspace] if params.selector.workspace else []
    if isinstance(params, RefResolveParams):
        logs.append(params.ref.source)
    if isinstance(selector, SessionSelector):
        logs += [selector.log] if selector.log else []
        folders += [selector.workspace] if selector.workspace else []
    return logs, folders


# Of a connection, not of a snapshot. Each is quick.
_OWN: dict[str, Callable[[Requests, Any], Wire | None]] = {
    "recap/subscribe": Requests.subscribe,
    "recap/unsubscribe": Requests.unsubscribe,
    "recapd/discover": Requests.discover,
    "recapd/status": Requests.status,
    # The first frame of a TCP connection is dealt with before there are requests; later it changes nothing.
    "recapd/authenticate": lambda requests, params: None,
    "recapd/shutdown": lambda requests, params: None,
}

ALL_SERVED: tuple[str, ...] = tuple(sorted({*SERVED, *_OWN, "recap/acknowledge", "recapd/watch"}))
