"""The daemon, put together: the engine in the middle, the tailer feeding it, connections asking it.

run ─▶ claim the socket ─▶ task group: tailer, recap files, listener, signals, idle watch ─▶ flush ─▶ release
"""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import anyio
import anyio.to_thread
from anyio.abc import ByteStream, SocketAttribute, SocketListener
from anyio.from_thread import BlockingPortal

from recapd.core.log import from_epoch
from recapd.core.state import Batch, Session
from recapd.daemon import interpreter
from recapd.daemon.clock import SystemClock
from recapd.daemon.config import Configuration, with_folders
from recapd.daemon.engine import Engine
from recapd.daemon.following import Listener, Tailer, follow_watching
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
from recapd.daemon.log_files import DEFAULT_EXCLUSIONS, Root, roots_or_default
from recapd.daemon.recap_file import RecapFiles, WorkspacesOn, is_any_active, workspace_at
from recapd.daemon.store import Keeping, Store, fingerprint, forgotten_paths
from recapd.daemon.summarizer import Model, Summarizer
from recapd.server.backend import Indexing
from recapd.server.service import judged
from recapd.server.transport import DEFAULT_LIMITS, Peer, serve_connection
from recapd.server.workspaces import folder_of
from recapd.wire.types import LogRoot

log = logging.getLogger(__name__)

# What the writer of the store has begun gets this long at the very end: it was flushed before.
_LAST_WRITE_S = 2.0
# How often to see whether the socket is still ours, and whether anybody still needs us.
_LOOK_S = 30.0


async def run(options: ServeOptions, ready: Callable[[], None]) -> int:
    """Serve until told to end, or until nobody needs it. `ready` is called once clients are answered."""
    set_up()
    interpreter.begin()
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
        self.configuration = LiveConfiguration()
        self._idle = IdleTimer(clock=anyio.current_time, idle_s=options.idle_s)
        self._hub = Hub(instance_id)
        self._apply_own(self.configuration.current)
        self.engine = Engine(instance_id=instance_id, now=_now, hub=self._hub, on_end=self._end_because)
        self.engine.configured = self.configuration.current
        self.configuration.on_change(self._reconfigured)
        watching = with_folders(self.configuration.current.settings.watch)
        self._tailer = Tailer(
            (*roots_or_default(options.roots), *(Root("", Path(root)) for root in watching.roots)),
            Listener(
                on_batch=self.engine.apply,
                on_gone=self.engine.forget,
                on_status=self.engine.status_moved,
                on_unfinished=self.engine.unfinished,
                on_vanished=self.engine.vanish,
                on_proved=lambda uris: self._keeping.proved(uris) if self._keeping is not None else None,
                on_outgrown=lambda uri: self._keeping.outgrown(uri) if self._keeping is not None else None,
                on_noted=lambda path: self._keeping.saver.note(path) if self._keeping is not None else None,
                before_news=self._before_news,
            ),
            exclusions=(*DEFAULT_EXCLUSIONS, *watching.exclude),
        )
        for folder in watching.pause:
            self._tailer.pause(folder)
        self._keeping = self._made_keeping()
        self._on = WorkspacesOn(options.state_dir)
        self.engine.reader = self
        self._oversight = Oversight(
            Parts(
                self.engine,
                self._tailer,
                self.configuration,
                self._keeping,
                clients=lambda: self._clients,
                state_dir=options.state_dir,
                started_at=self._started_at,
            ),
            clock=SystemClock(),
        )
        self.engine.describe = self._oversight.describe
        self.engine.health = self._oversight.health
        self.engine.recap_files = RecapFiles(
            self._on,
            world=lambda: self.engine.world,
            now=_now,
            is_quiescent=lambda: self._tailer.indexing().quiescent,
            on_trouble=self.engine.status_moved,
            settings=self.configuration.settings_for,
            whole=self._whole,
            besides=tuple(workspace_at(str(folder), self._started_at) for folder in options.recap_files_in),
        )

        self.engine.summarizer = Summarizer(
            lambda: self.engine.snapshot(),
            lambda: self.engine.durable,
            model=Model(
                lambda: self.engine.durable,
                now=_now,
                clock=time.monotonic,
                on_trouble=self.engine.status_moved,
            ),
            now=_now,
            on_done=self.engine.summary_done,
            is_quiescent=lambda: self._tailer.indexing().quiescent,
        )

    def _made_keeping(self) -> Keeping | None:
        """What is kept on disk. Not by a process that only one client uses: it has no lock, and there may be others."""
        settings = self.configuration.current.settings
        if isinstance(self._options.transport, Stdio) or not settings.store.enabled:
            return None
        store = Store(self._options.state_dir, now=_now, fingerprint=fingerprint)
        keeping = Keeping(
            store,
            worlds=self.engine,
            files=self._tailer,
            settings=lambda: self.configuration.current.settings.store,
            clock=SystemClock(),
            now=_now,
        )
        self.engine.keep_with(keeping)
        return keeping

    async def _before_news(self, batches: Sequence[Batch]) -> bool:
        return self._keeping is None or await self._keeping.before_news(batches)

    def _reconfigured(self, old: Configuration, new: Configuration) -> None:
        follow_watching(self._tailer, old, new)
        self._apply_own(new)
        self.engine.recap_files.settings_changed()
        self.engine.reconfigure(new)
        if self._keeping is not None:
            self._keeping.settings_changed(repr(new.settings))
        self.engine.summarizer.settings_changed()

    def _apply_own(self, configuration: Configuration) -> None:
        """What the settings say of this process."""
        settings = configuration.settings
        if self._options.is_idle_configured:
            self._idle.idle_s = settings.daemon.idle_minutes * 60.0 or None
        self._hub.settle(settings.subscribe.quiet_s, settings.subscribe.max_s)

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
        async with BlockingPortal() as portal, anyio.create_task_group() as group:
            group.start_soon(self.configuration.run)
            try:
                if self._keeping is not None:
                    await self._keeping.begin(portal, repr(self.configuration.current.settings))
                    group.start_soon(self._keeping.saver.run)
                else:
                    self._tailer.skip(await anyio.to_thread.run_sync(forgotten_paths, self._options.places))
                group.start_soon(self._tailer.run)
                group.start_soon(self.engine.recap_files.run)
                group.start_soon(self.engine.summarizer.run)
                group.start_soon(self._oversight.run)
                await anyio.sleep_forever()
            finally:
                if self._keeping is not None:
                    self._keeping.store.close(_LAST_WRITE_S)

    def indexing(self) -> Indexing:
        return self._tailer.indexing()

    def add_roots(self, roots: tuple[LogRoot, ...]) -> None:
        self._tailer.add_roots(Root(root.agent or "", Path(folder_of(root.path))) for root in roots)

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
        """What must not be lost: `_recap.md` of folders that are on, and what is known. Subscriptions end."""
        self._hub.end_subscriptions("recapd is ending; connect again.")
        timeout_s = self.configuration.current.settings.daemon.shutdown_timeout_s
        with anyio.move_on_after(timeout_s, shield=True):
            async with anyio.create_task_group() as group:
                group.start_soon(self.engine.recap_files.flush, timeout_s)
                if self._keeping is not None:
                    group.start_soon(self._keeping.saver.flush)

    def _end_because(self, reason: str) -> None:
        log.info("ending", extra={"reason": reason})
        self._end.set()

    def _whole(self, session: Session) -> Session:
        """All that is known of a session, with the user's word on its decisions."""
        snapshot = self.engine.snapshot()
        return judged(snapshot, snapshot.whole(session))


def _now() -> str:
    return from_epoch(time.time())
