"""The daemon, put together: the engine in the middle, the tailer feeding it, the backend answering connections.

run ─▶ claim the socket ─▶ task group: tailer, recap files, listener, signals, idle watch ─▶ flush ─▶ release
"""

from __future__ import annotations

import logging
import os
import secrets
import socket
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import anyio
from anyio.abc import ByteStream
from anyio.from_thread import BlockingPortal

from recapd.core.settings import StoreSettings
from recapd.daemon import interpreter
from recapd.daemon.ahead import Ahead
from recapd.daemon.backend import DaemonBackend
from recapd.daemon.clock import SystemClock, WallClock, now, time_by
from recapd.daemon.config import Configuration, resolve_folders
from recapd.daemon.elsewhere import Elsewhere
from recapd.daemon.engine import Engine, EngineElsewhere, SettingsChanged, StatusMoved
from recapd.daemon.following import Tailer
from recapd.daemon.health import Oversight, Parts
from recapd.daemon.hub import Hub
from recapd.daemon.lifecycle import (
    Claim,
    IdleTimer,
    ServeOptions,
    Stdio,
    claim,
    end_on_signal,
    is_own_peer,
    stdio_stream,
)
from recapd.daemon.live_configuration import LiveConfiguration
from recapd.daemon.log import set_up
from recapd.daemon.log_files import Root, roots_or_default
from recapd.daemon.marks import Marks
from recapd.daemon.models import Model
from recapd.daemon.orientations import Orientations
from recapd.daemon.own_folder import own_folder
from recapd.daemon.panel import Panel
from recapd.daemon.reader import Reader
from recapd.daemon.recap_file import RecapFiles, WorkspacesOn, is_any_active, workspace_at
from recapd.daemon.renewal import Renewal
from recapd.daemon.signals import Signals
from recapd.daemon.snapshot import Snapshot
from recapd.daemon.snapshots import Snapshots
from recapd.daemon.store import keep_in_memory, keep_on_disk
from recapd.daemon.summarizer import Summarizer
from recapd.server.digests import digest_text
from recapd.server.threads import in_thread
from recapd.server.transport import (
    DEFAULT_LIMITS,
    Peer,
    SocketStream,
    Traffic,
    accept_clients,
    most_clients,
    serve_connection,
)

log = logging.getLogger(__name__)

# What the writer of the store has begun gets this long at the very end: it was flushed before.
_LAST_WRITE_S = 2.0
# How often to see whether the socket is still ours, and whether anybody still needs us.
_LOOK_S = 30.0
# Who asks for a log by its path waits so long for what is kept of it; a disk that takes longer may never answer.
_STORE_S = 5.0


async def run(options: ServeOptions, ready: Callable[[], None]) -> int:
    """Serve until told to end, or until nobody needs it. `ready` is called once clients are answered."""
    set_up()
    interpreter.begin()
    instance_id = secrets.token_hex(8)
    if isinstance(options.transport, Stdio):
        await Daemon(options, instance_id, None).serve(ready)
        return 0
    own = await in_thread(lambda: claim(options, instance_id=instance_id, started_at=now()))
    try:
        await Daemon(options, instance_id, own).serve(ready)
    finally:
        own.release()
    return 0


class Daemon:
    """Everything one daemon process holds, in the order it is made: each part with what it needs."""

    def __init__(
        self, options: ServeOptions, instance_id: str, own: Claim | None, *, clock: WallClock | None = None
    ) -> None:
        self._options = options
        self._own = own
        clock = clock or SystemClock()
        self._now = now = partial(time_by, clock)
        started_at = now()
        self._end = anyio.Event()
        # Whether what is kept on disk is known; for threads.
        self._has_begun = threading.Event()
        self._clients = 0
        self._traffic = Traffic()
        self._idle = IdleTimer(clock=anyio.current_time, idle_s=options.idle_s)
        self._portal = BlockingPortal()
        self.configuration = LiveConfiguration()
        settings = self.configuration.current.settings
        # Nothing is kept by a process that only one client uses: it has no lock, and there may be others.
        keeps = settings.store.enabled and not isinstance(options.transport, Stdio)

        self.engine = engine = Engine(keeps_vanished=keeps, own_folder=own_folder(os.environ))
        status_moved = partial(engine.apply, StatusMoved())
        self.hub = Hub(instance_id, engine)
        cold, keeping_of = (
            keep_on_disk(options.state_dir, engine, self._portal, settings=self._store_settings, clock=clock, now=now)
            if keeps
            else keep_in_memory(options.places, engine, self._portal, now=now)
        )
        watching = resolve_folders(settings.watch)
        self.tailer = Tailer(
            (*roots_or_default(options.roots), *(Root("", Path(root)) for root in watching.roots)),
            engine,
            cold,
            clock=clock,
            exclusions=watching.exclude,
            paused=watching.pause,
        )
        self.keeping = keeping_of(self.tailer)
        self.marks = Marks(self.keeping.store)
        self.summarizer = Summarizer(
            self._take_snapshot,
            self.keeping.store,
            model=Model(self.keeping.store, now=now, clock=time.monotonic, on_trouble=status_moved),
            now=now,
            is_quiescent=self.tailer.is_quiescent,
        )
        self.reader = Reader(
            self._take_snapshot,
            self.keeping.store,
            settings=self.configuration.settings_of,
            model=Model(
                self.keeping.store,
                now=now,
                clock=time.monotonic,
                on_trouble=status_moved,
                without="Sessions are not read",
                beside=self.summarizer.model,
            ),
            now=now,
            portal=self._portal,
            is_quiescent=self.tailer.is_quiescent,
        )
        self.ahead = Ahead(
            self._take_snapshot,
            engine,
            self.keeping.store,
            portal=self._portal,
            is_quiescent=self.tailer.is_quiescent,
        )
        self.snapshots = Snapshots(
            engine,
            self.keeping,
            self.marks,
            self.configuration,
            elsewhere=Elsewhere(
                EngineElsewhere(engine, self._portal).reserve_revision,
                wait_for_store=partial(self._has_begun.wait, _STORE_S),
            ),
            summarizer=self.summarizer,
            reader=self.reader,
            ahead=self.ahead,
            is_quiescent=self.tailer.is_quiescent,
            instance_id=instance_id,
            now=now,
        )
        self._on = WorkspacesOn(options.state_dir)
        self.recap_files = RecapFiles(
            self._on,
            engine,
            now=now,
            is_quiescent=self.tailer.is_quiescent,
            on_trouble=status_moved,
            settings=self.configuration.settings_for,
            whole=self.snapshots.whole,
            digests=lambda: partial(digest_text, self._take_snapshot()),
            besides=tuple(workspace_at(str(folder), started_at) for folder in options.recap_files_in),
        )
        self.orientations = (
            Orientations(options.state_dir, self._take_snapshot, is_quiescent=self.tailer.is_quiescent, clock=clock)
            if keeps
            else None
        )
        self.oversight = Oversight(
            Parts(
                engine,
                self.tailer,
                self.configuration,
                self.keeping,
                self.hub,
                self.recap_files,
                self.summarizer,
                self.reader,
                self.ahead,
                clients=lambda: self._clients,
                instance_id=instance_id,
                started_at=started_at,
            ),
            clock=clock,
        )
        self.signals = Signals(engine, EngineElsewhere(engine, self._portal), clock=clock, now=now)
        self.renewal = Renewal()
        is_alone = isinstance(options.transport, Stdio)
        self.panel = Panel(self._serve_stream, kept_at=None if is_alone else options.places.panel)
        self.backend = DaemonBackend(
            snapshots=self.snapshots,
            marks=self.marks,
            hub=self.hub,
            tailer=self.tailer,
            recap_files=self.recap_files,
            oversight=self.oversight,
            signals=self.signals,
            renewal=self.renewal,
            panel=self.panel,
            on_end=self._end_because,
        )

        engine.listen("store", self.keeping.changed)
        engine.listen("memories", self.snapshots.changed)
        engine.listen("clients", self.hub.changed)
        engine.listen("renewal", self.renewal.changed)
        engine.listen("recap files", self.recap_files.changed)
        if self.orientations is not None:
            engine.listen("orientations", self.orientations.changed)
        engine.listen("summarizer", self.summarizer.changed)
        engine.listen("reader", self.reader.changed)
        engine.listen("ahead", self.ahead.changed)
        engine.listen("status", self.backend.status_moved)
        self._apply_own(self.configuration.current)
        self.configuration.on_change(self._reconfigured)

    def _take_snapshot(self) -> Snapshot:
        """For those that snapshots lead to: a request asks its snapshot for a summary, which is made of later ones."""
        return self.snapshots.take()

    def _store_settings(self) -> StoreSettings:
        return self.configuration.current.settings.store

    def _reconfigured(self, old: Configuration, new: Configuration) -> None:
        self.tailer.reconfigure(old, new)
        self._apply_own(new)
        self.engine.apply(SettingsChanged(old, new))

    def _apply_own(self, configuration: Configuration) -> None:
        """What the settings say of this process."""
        settings = configuration.settings
        if self._options.is_idle_configured:
            self._idle.idle_s = settings.daemon.idle_minutes * 60.0 or None
        self.hub.settle(settings.subscribe.quiet_s, settings.subscribe.max_s)

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
        async with self._portal, anyio.create_task_group() as group:
            group.start_soon(self.engine.run)
            group.start_soon(self.configuration.run)
            try:
                self.tailer.skip(await self.keeping.begin(repr(self.configuration.current.settings)))
                self._has_begun.set()
                group.start_soon(self.keeping.run)
                group.start_soon(self.tailer.run)
                group.start_soon(self.recap_files.run)
                if self.orientations is not None:
                    group.start_soon(self.orientations.run)
                group.start_soon(self.summarizer.run)
                group.start_soon(self.reader.run)
                group.start_soon(self.ahead.run)
                group.start_soon(self.oversight.run)
                group.start_soon(self.signals.run)
                group.start_soon(self.renewal.run)
                group.start_soon(self.panel.run)
                await anyio.sleep_forever()
            finally:
                self.keeping.close(_LAST_WRITE_S)

    async def _listen(self, own: Claim, ready: Callable[[], None]) -> None:
        """Accept clients until cancelled. The socket listened before its name appeared, so none was turned away."""
        ready()
        log.info("serving", extra={"transport": "tcp" if own.token else "unix"})
        await accept_clients(own.listener, partial(self._serve_client, own), most=most_clients())

    async def _serve_client(self, own: Claim, connection: socket.socket, stream: SocketStream) -> None:
        if own.token:
            await self._serve_stream(stream, Peer(transport="tcp", token=own.token))
        elif is_own_peer(connection):
            await self._serve_stream(stream, Peer(transport="unix"))
        else:
            log.warning("peer of another user turned away")

    async def _serve_stream(self, stream: ByteStream, peer: Peer) -> None:
        self._clients += 1
        self._idle.client_came()
        try:
            await serve_connection(self.backend, stream, peer=peer, limits=DEFAULT_LIMITS, traffic=self._traffic)
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
            if not await in_thread(own.is_intact, abandon_on_cancel=True):
                self._end_because("its socket is gone")
            wait_s = self._idle.wait_s(None)
            if wait_s == 0.0 and not is_any_active(self._on.all(), self.snapshots.take().sessions(), self._now()):
                self._end_because("idle")

    async def _finish(self) -> None:
        """What must not be lost: `_recap.md` of folders that are on, and what is known. Subscriptions end."""
        self.hub.end_subscriptions("recapd is ending; connect again.")
        self.engine.tell_rest()
        timeout_s = self.configuration.current.settings.daemon.shutdown_timeout_s
        with anyio.move_on_after(timeout_s, shield=True):
            async with anyio.create_task_group() as group:
                group.start_soon(self.recap_files.flush, timeout_s)
                group.start_soon(self.keeping.flush)
                if self.orientations is not None:
                    group.start_soon(self.orientations.flush)

    def _end_because(self, reason: str) -> None:
        log.info("ending", extra={"reason": reason})
        self._end.set()
