"""One client: its frames are read, its requests answered exactly once, its notifications sent, until it leaves.

          ┌─ reader ── quick requests answered at once ──────────┐
 stream ──┤                                                      ├─▶ outbox ── writer ──▶ stream
          │  each other request in a task, cancelled with the    │
          │  client or by it ────────────────────────────────────┤
          └─ pump: mailbox ▶ recap/didChange, didChangeStatus ───┘

Nothing is unbounded: a client that does not read fills the outbox, then nothing more is worked out for it nor read
from it, then it is let go; earlier where all together hold too much (`frames.py`).
Knows no method's meaning but those of the connection itself (`initialize`, `shutdown`, `exit`, `$/cancelRequest`).
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

import anyio
import msgspec
from anyio.abc import ByteStream, TaskGroup
from msgspec import Raw, Struct

from recapd.server.backend import Backend, Mailbox
from recapd.server.methods import Question, answer_question
from recapd.server.outlines import Outline, outline
from recapd.server.transport import envelope
from recapd.server.transport.authenticate import is_authenticated
from recapd.server.transport.envelope import Notification, Refused, Reply, Request, RequestId
from recapd.server.transport.frames import Account, BrokenFrame, FrameReader, Outbox, Traffic
from recapd.server.transport.limits import Limits, Peer
from recapd.server.transport.progress import Asking, show_indexing
from recapd.server.transport.requests import Requests, answer_any
from recapd.server.transport.threads import in_thread, worked_out
from recapd.wire.errors import (
    RecapError,
    internal_error,
    invalid_request,
    limit_exceeded,
    overloaded,
    parse_error,
    request_cancelled,
    server_cancelled,
    server_not_initialized,
    too_slow,
)
from recapd.wire.methods import lookup
from recapd.wire.types import LogRoot, RecapDidChangeParams, SessionParams, SessionSelector, Wire

if TYPE_CHECKING:
    from recapd.server.transport.lsp import Editor

log = logging.getLogger(__name__)

# What a client is about to ask is made before it is told to, unless that takes long.
_AHEAD_S = 0.5
# LSP's requests that an editor may send once it has sent `initialize`.
_LSP_REQUESTS = frozenset(
    {
        "workspace/symbol",
        "workspace/executeCommand",
        "textDocument/hover",
        "textDocument/codeLens",
        "textDocument/documentSymbol",
        "textDocument/documentLink",
    }
)
_OF_DOCUMENTS = frozenset({"textDocument/didOpen", "textDocument/didChange", "textDocument/didClose"})
# A client that is gone is not worked for any longer than this; one that only listens has its answers by then.
_LAST_ANSWERS_S = 1.0
# Of a request's id in our log; a client's ids may be of any length.
_ID_CHARACTERS = 40

Work: TypeAlias = Callable[[], Awaitable[object]]


async def serve_connection(
    backend: Backend, stream: ByteStream, *, peer: Peer, limits: Limits, traffic: Traffic | None = None
) -> None:
    """Serve one client until it leaves, breaks the rules, or this is cancelled. Closes the stream. Never raises.

    Connections that share a process share their `traffic`.
    """
    held_by_all = traffic or Traffic()

    def let_go() -> None:
        log.warning("client let go", extra={"held": account.held})
        outbox.give_up(envelope.error_body(None, _holds_too_much(held_by_all.most_bytes)))
        group.cancel_scope.cancel()

    account = held_by_all.open(let_go)
    outbox = Outbox(limits, account)
    frames = FrameReader(stream, limits, account)
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(_write, outbox, stream, group.cancel_scope)
            try:
                if not peer.needs_token or await is_authenticated(frames, outbox, peer=peer, limits=limits):
                    await Connection(backend, frames, outbox, account, peer=peer, limits=limits).run()
            finally:
                outbox.close()
    except Exception as error:
        log.error("connection failed", extra={"type": type(error).__name__})
    finally:
        frames.close()
        account.close()
        with anyio.CancelScope(shield=True):
            await anyio.aclose_forcefully(stream)


def _holds_too_much(most_bytes: int) -> RecapError:
    return overloaded(
        f"recapd holds {most_bytes >> 20} MB for its clients, most of it for this one; read the answers, ask for less.",
        limit="bytes held for all clients",
        maximum=most_bytes,
    )


async def _write(outbox: Outbox, stream: ByteStream, connection: anyio.CancelScope) -> None:
    if not await outbox.write_to(stream):
        connection.cancel()


class _CancelParams(Struct, frozen=True):
    id: RequestId


class Connection:
    """The state of one connection, from its first request to its end."""

    def __init__(
        self, backend: Backend, frames: FrameReader, outbox: Outbox, account: Account, *, peer: Peer, limits: Limits
    ) -> None:
        self._backend = backend
        self._frames = frames
        self._outbox = outbox
        self._account = account
        self._limits = limits
        self._peer = peer
        self._mailbox: Mailbox = backend.open_mailbox()
        self._requests = Requests(backend, self._mailbox, peer=peer, limits=limits)
        # Whoever takes a request out of here answers it, and nobody else does.
        self._pending: dict[RequestId, anyio.CancelScope] = {}
        self._working = anyio.Semaphore(limits.working_requests)
        # Requests whose answers are not on their way yet; set when one is.
        self._at_work = 0
        self._answered = anyio.Event()
        self._asking = Asking(outbox)
        self._editor: Editor | None = None
        self._is_initializing = False
        self._is_shut_down = False
        # Notifications come after the first reply: LSP wants it so, and others expect it.
        self._greeted = anyio.Event()

    async def run(self) -> None:
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._pump)
                while await self._read(tasks):
                    pass
                tasks.cancel_scope.cancel()
        except anyio.get_cancelled_exc_class():
            # recapd ends, or the client is stuck; in the first case these still get out.
            for identity in self._pending:
                self._outbox.offer(envelope.error_body(identity, server_cancelled()))
            raise
        finally:
            self._backend.release_roots(self._mailbox)
            self._mailbox.close()

    async def _read(self, tasks: TaskGroup) -> bool:
        """Deal with the next message; whether there may be another. What it was goes with it: a client may be silent
        for hours after it."""
        try:
            body = await self._frames.next()
        except BrokenFrame:
            await self._outbox.send(envelope.error_body(None, parse_error()))
            return False
        if body is None:
            await self._finish()
            return False
        match envelope.read_message(body, self._limits.nesting):
            case Request() as request:
                await self._handle_request(request, tasks)
            case Notification(method="exit"):
                return False
            case Notification() as notification:
                self._handle_notification(notification, tasks)
            case Reply() as reply:
                self._asking.answered(reply)
            case Refused(id=identity, error=error):
                await self._outbox.send(envelope.error_body(identity, error))
        return True

    async def _finish(self) -> None:
        """Answer what can be answered soon: the client may have said all it had to say, and still be listening."""
        with anyio.move_on_after(_LAST_ANSWERS_S):
            while self._at_work:
                self._answered = anyio.Event()
                await self._answered.wait()

    async def _handle_request(self, request: Request, tasks: TaskGroup) -> None:
        if request.method == "shutdown" and not self._is_shut_down:
            self._is_shut_down = True
            await self._outbox.send(envelope.result_body(request.id, None))
            return
        try:
            work = self._work_for(request)
            if not isinstance(work, Question):
                if len(self._pending) >= self._limits.pending_requests:
                    raise limit_exceeded("pending requests", self._limits.pending_requests)
                scope = self._pending[request.id] = anyio.CancelScope()
                self._account.change(len(request.params))
                self._at_work += 1
                tasks.start_soon(self._answer_or_forget, request, work, scope)
                return
        except RecapError as error:
            await self._outbox.send(envelope.error_body(request.id, error))
            return
        # The outbox is a queue, also of those who wait for room in it, and nobody else runs between answering and
        # sending: no notification overtakes the reply to the subscription that it follows from.
        await self._outbox.send(self._bounded(request, _body_now(request, work)))
        self._greeted.set()
        self._requests.replied()

    def _work_for(self, request: Request) -> Question | Work:
        """A question to be answered at once, or what to do in a task of its own; RecapError where there is neither."""
        if self._is_shut_down:
            raise invalid_request("`shutdown` was sent, only `exit` may follow")
        if request.id in self._pending:
            raise invalid_request("its `id` is that of a request still pending")
        method, params = request.method, request.params
        if method == "initialize":
            if self._is_initializing:
                raise invalid_request("`initialize` was sent before")
            self._is_initializing = True
            return lambda: self._initialize(params)
        if method in _LSP_REQUESTS:
            if self._editor is None:
                raise server_not_initialized()
            editor = self._editor
            return lambda: editor.answer(method, params)
        question = self._requests.question(method, params)
        return question if question.is_quick else lambda: answer_any(question, within_s=self._limits.answer_s)

    async def _answer_or_forget(self, request: Request, work: Work, scope: anyio.CancelScope) -> None:
        """A task that was cancelled lives on in circles of tracebacks and frames until the collector comes by, which
        may be hours: what it was asked, and its answer, go now."""
        try:
            await self._answer(request, work, scope)
        except BaseException as error:
            del request, work
            traceback.clear_frames(error.__traceback__)
            raise

    async def _answer(self, request: Request, work: Work, scope: anyio.CancelScope) -> None:
        body = b""
        has_result = has_turn = False
        row = lookup(request.method)
        try:
            with scope:
                try:
                    # Who waits for somebody else may do so for minutes, and does no work.
                    does_wait = row is not None and row.cost == "waits"
                    with anyio.move_on_after(None if does_wait else self._limits.answer_s) as patience:
                        if not does_wait:
                            await self._working.acquire()
                            has_turn = True
                        body = envelope.result_body(request.id, await work())
                        has_result = True
                    if patience.cancelled_caught:
                        body = envelope.error_body(request.id, too_slow(self._limits.answer_s))
                except Exception as error:
                    body = _failure(request, error)
            if scope.cancelled_caught:
                body = envelope.error_body(request.id, request_cancelled())
            if self._pending.pop(request.id, None) is None:
                return
            await self._outbox.send(self._bounded(request, body))
            if has_result:
                self._greeted.set()
        finally:
            self._at_work -= 1
            self._answered.set()
            self._account.change(-len(request.params))
            if has_turn:
                self._working.release()

    def _bounded(self, request: Request, body: bytes) -> bytes:
        """The answer, or that it is too large to be sent."""
        if len(body) <= self._limits.answer_bytes:
            return body
        return envelope.error_body(request.id, limit_exceeded("bytes of an answer", self._limits.answer_bytes))

    async def _initialize(self, raw_params: bytes) -> object:
        try:
            editor_class = await worked_out(_load_editor, _load_editor)
            editor = editor_class(
                ask=self._ask_recapd,
                write=self._outbox.offer,
                ask_client=self._asking.ask,
                write_page=self._write_page,
                outline_of=self._outline_of,
                revision_of=self._revision_of,
            )
            result = editor.initialize(raw_params, instance_id=self._backend.snapshot().instance_id)
            if editor.roots and not self._peer.needs_token:
                self._add_roots(editor.roots)
            self._requests.folders = editor.folders
            self._editor = editor
        finally:
            self._is_initializing = self._editor is not None
        return result

    def _add_roots(self, roots: tuple[LogRoot, ...]) -> None:
        """An editor is served also where others have taken the room for its folders."""
        try:
            self._backend.add_roots(self._mailbox, roots)
        except RecapError as error:
            log.warning("roots passed over", extra={"code": error.code, "roots": len(roots)})

    async def _write_page(self, name: str, markdown: str) -> str | None:
        return await in_thread(partial(self._backend.snapshot().write_page, name, markdown))

    def _revision_of(self, session_id: str) -> int | None:
        try:
            return self._backend.snapshot().find_session(SessionSelector(id=session_id), None).revision
        except RecapError:
            return None

    async def _outline_of(self, log: str) -> Outline:
        asked = SessionParams(session=SessionSelector(log=log))
        question = self._requests.question("timeline/get", msgspec.json.encode(asked))
        work = partial(outline, question.service, asked)
        return await worked_out((question.service.instance_id, "outline", log), work, about=(log,))

    async def _ask_recapd(self, method: str, raw_params: bytes) -> Wire | None:
        """An answer that can be looked into; what is kept for whoever asks next is kept as it is sent."""
        question = self._requests.question(method, raw_params)
        found = await answer_any(question, within_s=self._limits.answer_s)
        if not isinstance(found, Raw):
            return found
        result = question.row.result
        return msgspec.json.decode(found, type=result) if result is not None else None

    def _handle_notification(self, notification: Notification, tasks: TaskGroup) -> None:
        """What is not understood is passed over: there is nobody to tell."""
        editor = self._editor
        try:
            if notification.method == "$/cancelRequest":
                identity = msgspec.json.decode(notification.params, type=_CancelParams).id
                if identity in self._pending:
                    self._pending[identity].cancel()
            elif notification.method == "initialized" and editor is not None and editor.shows_progress:
                editor.shows_progress = False
                tasks.start_soon(self._show_indexing)
            elif notification.method in _OF_DOCUMENTS and editor is not None:
                editor.follow_document(notification.method, notification.params)
            elif notification.method == "workspace/didChangeWorkspaceFolders" and editor is not None:
                editor.change_folders(notification.params)
                self._requests.folders = editor.folders
        except Exception as error:
            log.info("notification passed over", extra={"type": type(error).__name__})

    async def _show_indexing(self) -> None:
        after_s = self._limits.progress_after_s
        await show_indexing(self._backend, ask=self._asking.ask, tell=self._tell, after_s=after_s)

    async def _tell(self, method: str, params: Struct) -> None:
        await self._outbox.send(envelope.notification_body(method, params))

    async def _pump(self) -> None:
        """Send what the mailbox holds. Of a subscription that ended meanwhile, nothing more is told."""
        subscriptions = self._requests.client.subscriptions
        await self._greeted.wait()
        while True:
            news = await self._mailbox.next()
            if not isinstance(news, RecapDidChangeParams):
                # An editor without an extension would only log that it does not know this.
                if self._editor is None or self._editor.block is not None:
                    await self._tell("recapd/didChangeStatus", news)
                continue
            meant = subscriptions.get(news.subscription_id)
            if self._requests.is_following:
                concerned = frozenset(change.session_id for change in news.changes)
                await self._backend.make_ahead(self._mailbox, concerned, within_s=_AHEAD_S)
            # Somebody may have ended it meanwhile, or begun another of that name.
            if meant is not None and subscriptions.get(news.subscription_id) is meant:
                if news.ended is not None:
                    del subscriptions[news.subscription_id]
                await self._tell("recap/didChange", news)


def _load_editor() -> type[Editor]:
    from recapd.server.transport.lsp import Editor

    return Editor


def _body_now(request: Request, question: Question) -> bytes:
    try:
        return envelope.result_body(request.id, answer_question(question))
    except Exception as error:
        return _failure(request, error)


def _failure(request: Request, error: Exception) -> bytes:
    """The answer to a request that failed; where recapd is at fault, its log gets the place and no text."""
    if isinstance(error, RecapError):
        return envelope.error_body(request.id, error)
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = f"{place.tb_frame.f_code.co_name}:{place.tb_lineno}" if place is not None else ""
    identity = str(request.id)[:_ID_CHARACTERS]
    log.error("request failed", extra={"request": identity, "type": type(error).__name__, "where": where})
    return envelope.error_body(request.id, internal_error())
