"""From a method and its raw params to the answer, for one connection: params are decoded, the world looked at and the
session found once, and then it is known who answers: the loop, a thread, or somebody to wait for.

What LSP defines is in `lsp.py`.
"""

from __future__ import annotations

import logging
import os
from functools import partial
from urllib.parse import unquote

import anyio
import msgspec
from msgspec import Raw

from recapd.core.state import Session
from recapd.server.backend import Asked, Backend, Client, Mailbox
from recapd.server.methods import Question, answer_question, kept_answer, waiting_handler
from recapd.server.transport.limits import Limits, Peer
from recapd.server.transport.threads import in_thread, worked_out
from recapd.server.workspaces import path_of
from recapd.wire.errors import access_denied, invalid_params, method_not_found, too_slow
from recapd.wire.methods import Method, lookup
from recapd.wire.params import decode_params, paths_in
from recapd.wire.types import RecapdStatusParams, SessionParams, Wire

log = logging.getLogger(__name__)

# Turns and calls of a session that is gone through in a millisecond.
_SHORT = 500
# Longer params are held by nobody once they are answered.
_MOST_NOTED_BYTES = 16_384
# For looking for the session of an answer that nobody waits for yet.
_AHEAD_S = 10.0
# Fields that name a log and not a folder.
_LOGS = (".log", ".source")


class Requests:
    """The requests of one connection."""

    def __init__(self, backend: Backend, mailbox: Mailbox, *, peer: Peer, limits: Limits) -> None:
        self._backend = backend
        self.client = Client(
            backend=backend,
            mailbox=mailbox,
            is_remote=peer.transport == "tcp",
            max_subscriptions=limits.subscriptions,
            subscriptions={},
            after_reply=[],
        )
        # Whether it asked for something that is made again when a session changes.
        self.is_following = False
        # Paths or file URIs of the folders the client works in.
        self.folders: tuple[str, ...] = ()

    def question(self, method: str, raw_params: bytes) -> Question:
        """RecapError where the method is not served, the params do not fit, or the peer may not ask that."""
        row = lookup(method)
        if row is None or not row.is_served:
            raise method_not_found(method)
        params = decode_params(row, raw_params)
        if self.folders and isinstance(params, SessionParams) and params.session is None and params.cwd is None:
            params = msgspec.structs.replace(params, cwd=self.folders)
            raw_params = msgspec.json.encode(params)
        self._check_paths(row, params)
        service = self._backend.snapshot()
        question = Question(
            row=row,
            params=params,
            raw_params=raw_params,
            service=service,
            client=self.client,
            answers=service.answers,
            is_quick=row.cost == "quick",
        )
        if row.scope == "session":
            assert isinstance(params, SessionParams)
            question = _about_session(question, params)
            if row.cached and row.cost == "thinks" and question.session is not None:
                self._note(question)
            return question
        kept = kept_answer(question, None) if row.scope == "all" else None
        if row.scope == "all" and row.cached:
            self._note(question)
        return question if kept is None else msgspec.structs.replace(question, kept=kept, is_quick=True)

    def _note(self, question: Question) -> None:
        row, raw_params = question.row, question.raw_params
        if len(raw_params) <= _MOST_NOTED_BYTES:
            session_id = question.session.id if question.session is not None else None
            make = partial(_make, self._backend, row, question.params, raw_params)
            self._backend.note(self.client.mailbox, Asked(method=row.name, session_id=session_id, make=make))
            self.is_following = True

    def replied(self) -> None:
        """The reply is on its way, and what had to wait for that may happen."""
        while self.client.after_reply:
            self.client.after_reply.pop(0)()

    def _check_paths(self, row: Method, params: Wire) -> None:
        """No path holds a NUL, and over TCP a log must stand below a watched root once links are resolved."""
        logs = []
        for field, path in paths_in(row, params):
            if "\0" in (unquote(path) if path.startswith("file:") else path):
                raise invalid_params(field, "a path or file URI, without NUL characters")
            if field.endswith(_LOGS):
                logs.append(path)
        if not logs or not self.client.is_remote:
            return
        roots = self._backend.status(RecapdStatusParams(limit=1)).roots
        allowed = tuple(os.path.join(os.path.realpath(path_of(root.path)), "") for root in roots)
        if not all(os.path.realpath(path_of(log)).startswith(allowed) for log in logs):
            raise access_denied("Over TCP a log must stand below a watched folder; use the Unix socket for others.")


async def _make(backend: Backend, row: Method, params: Wire, raw_params: bytes) -> None:
    """An answer that is kept for whoever asks next."""
    service = backend.snapshot()
    # Who asks the same meanwhile waits for this one.
    question = Question(row=row, params=params, raw_params=raw_params, service=service, answers=service.answers)
    await answer_any(question, within_s=_AHEAD_S)


async def answer_any(question: Question, *, within_s: float) -> Wire | Raw | None:
    """The answer to any question, or RecapError; blocking work is done in a thread. Who waits for somebody else may do
    so for longer than `within_s`, but not for the session it is about to be found."""
    row, service, params = question.row, question.service, question.params
    if question.is_quick:
        return answer_question(question)
    about = tuple(path for _, path in paths_in(row, params))
    if row.cost == "waits":
        handler = waiting_handler(row)
        if row.scope == "connection":
            return await handler(service, question.client, params)
        assert isinstance(params, SessionParams)
        find = partial(service.session, params.session, params.cwd)
        with anyio.move_on_after(within_s) as patience:
            session = await in_thread(find, about=about)
        if patience.cancelled_caught:
            raise too_slow(within_s)
        return await handler(service, session, params)
    work = partial(answer_question, question)
    if row.cached or row.cost == "thinks":
        return await worked_out((service.instance_id, row.name, question.raw_params), work, about=about)
    return await in_thread(work, about=about)


def _about_session(question: Question, params: SessionParams) -> Question:
    """The question with its session, where finding that does not look at the disk.

    On the loop are answered: what was asked before, and what is quick about a session that is short and at hand. What
    grows with its session is left to a thread, however little of it may have to be made anew.
    """
    row, service = question.row, question.service
    if row.cost == "waits":
        return question
    if _takes_looking(params):
        return msgspec.structs.replace(question, is_quick=False)
    try:
        session = service.find_session(params.session, params.cwd)
    except Exception:
        # Whatever is wrong with the session is said in the answer, and that is quickly made.
        return msgspec.structs.replace(question, is_quick=True)
    kept = kept_answer(question, session)
    is_quick = row.cost == "quick" and _is_short(session) and service.is_at_hand(session)
    return msgspec.structs.replace(question, session=session, kept=kept, is_quick=is_quick or kept is not None)


def _is_short(session: Session) -> bool:
    totals = session.main.transcript.totals
    return totals.turns + totals.calls <= _SHORT


def _takes_looking(params: SessionParams) -> bool:
    """Finding the session of a folder looks for git roots; finding that of a log may read it; finding the latest puts
    all of them in order."""
    return params.session is None or params.session.named_id is None
