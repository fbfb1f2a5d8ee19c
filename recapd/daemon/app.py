"""The daemon, put together: the engine in the middle, the tailer feeding it, connections asking it.

run ─▶ claim the socket ─▶ task group: tailer, recap files, listener, signals, idle watch ─▶ flush ─▶ release
"""

from __future__ import annotations

import gc
import logging
import os
import secrets
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import anyio
import anyio.to_thread
from anyio.abc import ByteStream, SocketAttribute, SocketListener

from recapd.core.times import from_epoch
from recapd.daemon.config import Watching, read_watching
from recapd.daemon.engine import Engine
from recapd.daemon.formats import BadConfiguration, config_path
from recapd.daemon.hub import Hub
from recapd.daemon.lifecycle import Claim, IdleTimer, ServeOptions, Stdio, claim, end_on_signal
from recapd.daemon.log import set_up
from recapd.daemon.marks import Marks
from recapd.daemon.recap_file import RecapFiles
from recapd.daemon.roots import Root, default_roots
from recapd.daemon.scan import DEFAULT_EXCLUSIONS
from recapd.daemon.sockets import is_own_peer
from recapd.daemon.status import Vitals, health_of, root_status, status_of
from recapd.daemon.stdio import stdio_stream
from recapd.daemon.tail_listener import Listener
from recapd.daemon.tailer import Tailer
from recapd.daemon.workspaces_on import WorkspacesOn, is_any_active, workspace_at
from recapd.server.backend import Indexing
from recapd.server.connection import serve_connection
from recapd.server.limits import DEFAULT_LIMITS, Peer
from recapd.server.workspaces import path_of
from recapd.wire.types import LogRoot, QueueStatus, RecapdStatusParams, RecapdStatusResult, RootStatus

log = logging.getLogger(__name__)

SWITCH_S = 0.0005
# Clients that are still being answered when the daemon ends get this long.
_LAST_ANSWERS_S = 2.0
# How often to see whether the socket is still ours, and whether anybody still needs us.
_LOOK_S = 30.0


async def run(options: ServeOptions, ready: Callable[[], None]) -> int:
    """Serve until told to end, or until nobody needs it. `ready` is called once clients are answered."""
    set_up()
    # Threads that parse give way to the loop this often; with Python's own 5 ms a client waits that long for each.
    sys.setswitchinterval(SWITCH_S)
    # While everything is read for the first time next to nothing is garbage, and walking through it all takes longer
    # each time; the engine switches the collector on again when that is over.
    gc.disable()
    instance_id = secrets.token_hex(8)
    if isinstance(options.transport, Stdio):
        await Daemon(options, instance_id, None).serve(ready)
        return 0
    own = await anyio.to_thread.run_sync(lambda: claim(options, instance_id=instance_id, started_at=_now()))
    try:
        await Daemon(options, instance_id, own).serve(ready)
    finally:
        own.release()
    return 0


class Daemon:
    """Everything one daemon process holds."""

    def __init__(self, options: ServeOptions, instance_id: str, own: Claim | None) -> None:
        self._options = options
        self._own = own
        self._started_at = _now()
        self._end = anyio.Event()
        self._clients = 0
        self._troubles: tuple[str, ...] = ()
        self._idle = IdleTimer(clock=anyio.current_time, idle_s=options.idle_s)
        self._hub = Hub(instance_id)
        self.engine = Engine(instance_id=instance_id, now=_now, hub=self._hub, marks=Marks(), on_end=self._end_because)
        watching = self._configured()
        self._tailer = Tailer(
            (*_roots(options), *(Root("", Path(root)) for root in watching.roots)),
            Listener(
                on_batch=self.engine.apply,
                on_gone=self.engine.forget,
                on_status=self.engine.status_moved,
                on_unfinished=self.engine.unfinished,
            ),
            exclusions=(*DEFAULT_EXCLUSIONS, *watching.exclude),
        )
        for folder in watching.pause:
            self._tailer.pause(folder)
        self._on = WorkspacesOn(options.state_dir)
        self.engine.reader = self
        self.engine.describe = self._describe
        self.engine.health = lambda: health_of(self._messages(), self._root_statuses())
        self.engine.recap_files = RecapFiles(
            self._on,
            world=lambda: self.engine.world,
            now=_now,
            is_quiescent=lambda: self._tailer.indexing().quiescent,
            on_trouble=self.engine.status_moved,
            besides=tuple(workspace_at(str(folder), self._started_at) for folder in options.recap_files_in),
        )

    def _configured(self) -> Watching:
        """What the configuration says; a configuration that cannot be used says nothing, and the status says why."""
        try:
            return read_watching(config_path())
        except BadConfiguration as error:
            self._troubles = (f"The configuration cannot be used: {error}",)
            return Watching()

    async def serve(self, ready: Callable[[], None]) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(self.follow)
            if self._own is None:
                group.start_soon(self._serve_stdio)
            else:
                group.start_soon(end_on_signal, self._end_because)
                group.start_soon(self._listen, self._own, ready)
                group.start_soon(self._watch_over, self._own)
            await self._end.wait()
            if self._own is not None:
                self._own.withdraw()
            await self._finish()
            group.cancel_scope.cancel()

    async def follow(self) -> None:
        """Keep the world and the recap files up to date until cancelled, whoever may be asking."""
        async with anyio.create_task_group() as group:
            group.start_soon(self._tailer.run)
            group.start_soon(self.engine.recap_files.run)

    def indexing(self) -> Indexing:
        return self._tailer.indexing()

    def add_roots(self, roots: tuple[LogRoot, ...]) -> None:
        self._tailer.add_roots(Root(root.agent or "", Path(path_of(root.path))) for root in roots)

    async def _listen(self, own: Claim, ready: Callable[[], None]) -> None:
        """Accept clients until cancelled. The socket listened before its name appeared, so none was turned away."""
        listener = await SocketListener.from_socket(own.listener)
        async with anyio.create_task_group() as group:
            ready()
            log.info("serving", extra={"transport": "tcp" if own.token else "unix"})
            await listener.serve(partial(self._serve_client, own), group)

    async def _serve_client(self, own: Claim, stream: ByteStream) -> None:
        if not own.token:
            raw = stream.extra(SocketAttribute.raw_socket)
            if not is_own_peer(raw):
                log.warning("peer of another user turned away")
                await stream.aclose()
                return
            peer = Peer(transport="unix")
        else:
            peer = Peer(transport="tcp", token=own.token)
        await self._serve_stream(stream, peer)

    async def _serve_stream(self, stream: ByteStream, peer: Peer) -> None:
        self._clients += 1
        self._idle.client_came()
        try:
            await serve_connection(self.engine, stream, peer=peer, limits=DEFAULT_LIMITS)
        finally:
            self._clients -= 1
            self._idle.client_left()

    async def _serve_stdio(self) -> None:
        """One client on stdin and stdout; the process ends with it."""
        stream = await stdio_stream()
        await self._serve_stream(stream, Peer(transport="stdio"))
        self._end_because("the client left")

    async def _watch_over(self, own: Claim) -> None:
        """End when nobody needs the daemon any more, or nobody can find it."""
        while True:
            wait_s = self._idle.wait_s(None)
            await anyio.sleep(_LOOK_S if wait_s is None else min(max(wait_s, 0.05), _LOOK_S))
            if not await anyio.to_thread.run_sync(own.is_intact):
                self._end_because("its socket is gone")
            wait_s = self._idle.wait_s(None)
            if wait_s == 0.0 and not is_any_active(self._on.all(), self.engine.snapshot().sessions(), _now()):
                self._end_because("idle")

    async def _finish(self) -> None:
        """What must not be lost: `_recap.md` of folders that are on. Clients are told that subscriptions end."""
        self._hub.end_subscriptions("recapd is ending; connect again.")
        with anyio.move_on_after(_LAST_ANSWERS_S, shield=True):
            await self.engine.recap_files.flush()

    def _end_because(self, reason: str) -> None:
        log.info("ending", extra={"reason": reason})
        self._end.set()

    def _messages(self) -> tuple[str, ...]:
        return (*self._troubles, *self.engine.recap_files.messages)

    def _root_statuses(self) -> tuple[RootStatus, ...]:
        return tuple(root_status(progress) for progress in self._tailer.roots())

    def _describe(self, params: RecapdStatusParams) -> RecapdStatusResult:
        tailer = self._tailer
        vitals = Vitals(
            instance_id=self.engine.instance_id,
            started_at=self._started_at,
            indexing=tailer.indexing(),
            roots=self._root_statuses(),
            progress={state.uri: (state.end, state.stamp.size) for _, state in tailer.files() if state.format},
            queues=(QueueStatus(name="files", depth=tailer.queue_depth),),
            clients=self._clients,
            messages=self._messages(),
        )
        return status_of(self.engine.world, vitals, params)


def _roots(options: ServeOptions) -> tuple[Root, ...]:
    if options.roots:
        return tuple(Root("", path) for path in options.roots)
    return default_roots(os.environ, Path.home())


def _now() -> str:
    return from_epoch(time.time())
