"""A daemon without one: sessions read from a folder, and switches for everything else that a connection can meet."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from threading import Event

import anyio
from anyio.abc import ByteStream

from recapd import __version__
from recapd.core.presence import Signal
from recapd.core.state.world import Session
from recapd.daemon.library import Library
from recapd.daemon.lifecycle.sockets import listen_unix
from recapd.daemon.renewal import Renewal
from recapd.server.backend import Indexing, Mailbox
from recapd.server.transport.accepting import MOST_CLIENTS, accept_clients
from recapd.server.transport.connection import serve_connection
from recapd.server.transport.frames import SocketStream
from recapd.server.transport.limits import DEFAULT_LIMITS, Limits, Peer
from recapd.wire.errors import session_not_found
from recapd.wire.types import (
    LogRoot,
    RecapdDidChangeStatusParams,
    RecapDidChangeParams,
    RecapdPanelParams,
    RecapdPanelResult,
    RecapdStatusParams,
    RecapdStatusResult,
    RecapdWatchParams,
    RecapdWatchResult,
    RecapSubscribeParams,
    RecapSubscribeResult,
    RootStatus,
    SessionChange,
    SummaryBudget,
)
from recapd.wire.types.base import PROTOCOL_VERSION, SessionSelector
from tests.support.clock import PATIENCE_S
from tests.support.logs import CWD, agent, claude_log, edit, human, pause
from tests.support.wire_client import WireClient, memory_pipe, wire_client

UNIX = Peer(transport="unix")
# Asking for this session makes the service fail, with text from a log in the exception.
FAILING = "test:failing"


class FakeMailbox:
    def __init__(self) -> None:
        self.is_closed = False
        self.is_told = False
        self._waiting: dict[str, RecapDidChangeParams | RecapdDidChangeStatusParams] = {}
        self._arrived = anyio.Event()

    async def next(self) -> RecapDidChangeParams | RecapdDidChangeStatusParams:
        while not self._waiting:
            await self._arrived.wait()
        return self._waiting.pop(next(iter(self._waiting)))

    def close(self) -> None:
        self.is_closed = True

    def put(self, name: str, news: RecapDidChangeParams | RecapdDidChangeStatusParams) -> None:
        self._waiting.pop(name, None)
        self._waiting[name] = news
        self._arrived.set()
        self._arrived = anyio.Event()


class FakeService(Library):
    """A library that can be made slow: reading a log's head waits until `gate` is opened."""

    def __init__(self, folder: Path) -> None:
        super().__init__([folder], environ={"HOME": str(folder)})
        self.gate: Event | None = None
        self.begun = Event()

    def find_session(self, selector: SessionSelector | None, cwd: str | tuple[str, ...] | None) -> Session:
        if selector is not None and selector.id == FAILING:
            raise RuntimeError("the prompt said: swordfish")
        return super().find_session(selector, cwd)

    def head(self, source: str) -> bytes | None:
        if self.gate is not None:
            self.begun.set()
            self.gate.wait(PATIENCE_S)
        return super().head(source)


class FakeBackend:
    """Fulfils server.backend.Backend."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.service = FakeService(folder)
        self.mailboxes: list[FakeMailbox] = []
        self.subscriptions: dict[str, FakeMailbox] = {}
        self.roots: list[LogRoot] = []
        self.released = 0
        self.signals: list[tuple[str, Signal]] = []
        self.marks: dict[tuple[str, str], str] = {}
        self.ended: list[str] = []
        self.now = Indexing(0, 0, True)
        self._listeners: list[Callable[[Indexing], None]] = []
        renewal = Renewal()
        self.note, self.make_ahead = renewal.note, renewal.make_ahead

    def snapshot(self) -> FakeService:
        return self.service

    def open_mailbox(self) -> FakeMailbox:
        self.mailboxes.append(FakeMailbox())
        return self.mailboxes[-1]

    async def subscribe(self, mailbox: Mailbox, params: RecapSubscribeParams) -> RecapSubscribeResult:
        assert isinstance(mailbox, FakeMailbox)
        if params.selector.session == "nobody":
            raise session_not_found(SessionSelector(id="nobody"))
        self.subscriptions[params.subscription_id] = mailbox
        mailbox.is_told = True
        # The first change comes at once: as early as it can.
        self.publish(params.subscription_id, cursor="c:1")
        return RecapSubscribeResult(cursor="c:0", fresh=True, sessions=())

    def unsubscribe(self, mailbox: Mailbox, subscription_id: str) -> None:
        self.subscriptions.pop(subscription_id, None)

    def publish(self, subscription_id: str, *, cursor: str, ended: str | None = None) -> None:
        changes = (SessionChange(session_id="test:1", revision=1, sections=("files",)),)
        news = RecapDidChangeParams(
            subscription_id=subscription_id, cursor=cursor, fresh=False, changes=changes, ended=ended
        )
        self.subscriptions[subscription_id].put(subscription_id, news)

    def status(self, params: RecapdStatusParams) -> RecapdStatusResult:
        return RecapdStatusResult(
            health="ok",
            quiescent=self.now.quiescent,
            version=__version__,
            protocol_version=PROTOCOL_VERSION,
            instance_id="i-test",
            roots=(RootStatus(path=str(self.folder), watcher="watching", sources=0, parsed_bytes=0, size_bytes=0),),
            sources=(),
            queues=(),
            memory_bytes=0,
            clients=len([mailbox for mailbox in self.mailboxes if not mailbox.is_closed]),
            summary_budget=SummaryBudget(spent_tokens=0, limit_tokens=None, calls=0),
        )

    def indexing(self) -> Indexing:
        return self.now

    def on_indexing(self, listener: Callable[[Indexing], None]) -> Callable[[], None]:
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def index(self, done: int, total: int) -> None:
        """Indexing moves on, and is over when all is done."""
        self.now = Indexing(done, total, done >= total)
        for listener in self._listeners:
            listener(self.now)

    def add_roots(self, mailbox: Mailbox, roots: tuple[LogRoot, ...]) -> None:
        self.roots += roots

    def release_roots(self, mailbox: Mailbox) -> None:
        self.released += 1

    def signal(self, session_id: str, signal: Signal) -> None:
        self.signals.append((session_id, signal))

    def acknowledge(self, session_id: str, consumer: str, cursor: str) -> str:
        mark = max(self.marks.get((session_id, consumer), ""), cursor)
        self.marks[session_id, consumer] = mark
        return mark

    async def watch(self, params: RecapdWatchParams) -> RecapdWatchResult:
        return RecapdWatchResult(workspaces=())

    async def panel(self, params: RecapdPanelParams) -> RecapdPanelResult:
        return RecapdPanelResult(url=None)

    def shut_down(self, reason: str) -> None:
        self.ended.append(reason)


def session_id(number: int) -> str:
    return f"claude-code:{_native_id(number)}"


def _native_id(number: int) -> str:
    return f"5e551011-c0de-4a11-8001-{number:012}"


def backend_of(folder: Path, sessions: int = 1) -> FakeBackend:
    """A backend with so many sessions, counted from 1, in files called session-1.jsonl and so on; the last is the
    latest."""
    for number in range(1, sessions + 1):
        log = claude_log(
            pause(number * 60),
            human(f"fix parser {number}"),
            edit(f"{CWD}/parser.py"),
            agent("Done."),
            session=_native_id(number),
        )
        (folder / f"session-{number}.jsonl").write_bytes(log)
    backend = FakeBackend(folder)
    backend.service.sessions()
    return backend


@asynccontextmanager
async def client_of(
    backend: FakeBackend, *, peer: Peer = UNIX, limits: Limits = DEFAULT_LIMITS
) -> AsyncIterator[WireClient]:
    """A client connected to a backend in memory; the connection has ended when the block has."""
    ours, theirs = memory_pipe()

    async def serve() -> None:
        await serve_connection(backend, theirs, peer=peer, limits=limits)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(serve)
        async with wire_client(ours) as client:
            yield client


def serving(
    backend: FakeBackend, stream: ByteStream, limits: Limits = DEFAULT_LIMITS
) -> Callable[[], Coroutine[None, None, None]]:
    """To be started in a task group: serves one stream."""

    async def serve() -> None:
        await serve_connection(backend, stream, peer=UNIX, limits=limits)

    return serve


@asynccontextmanager
async def listening(path: Path, backend: FakeBackend, limits: Limits = DEFAULT_LIMITS) -> AsyncIterator[None]:
    """A real Unix socket."""

    async def handle(connection: socket.socket, stream: SocketStream) -> None:
        await serve_connection(backend, stream, peer=UNIX, limits=limits)

    with listen_unix(str(path)) as listener:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(partial(accept_clients, listener, handle, most=MOST_CLIENTS))
            yield
            tasks.cancel_scope.cancel()
