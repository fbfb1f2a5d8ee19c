"""What a connection asks of this daemon, and which part of it answers. Fulfils server.backend.Backend."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from recapd.daemon import interpreter
from recapd.daemon.engine import Step
from recapd.daemon.following import Tailer
from recapd.daemon.health import Oversight
from recapd.daemon.hub import Hub, look_at, paths_of
from recapd.daemon.log_files import Root
from recapd.daemon.marks import Marks
from recapd.daemon.panel import Panel
from recapd.daemon.recap_file import RecapFiles
from recapd.daemon.renewal import Renewal
from recapd.daemon.signals import Signals
from recapd.daemon.snapshots import Snapshots
from recapd.server.backend import Indexing, Mailbox
from recapd.server.threads import Disks
from recapd.server.workspaces import folder_of
from recapd.wire.errors import limit_exceeded, too_slow
from recapd.wire.types import (
    LogRoot,
    RecapdDidChangeStatusParams,
    RecapSubscribeParams,
    RecapSubscribeResult,
)

# Those of every known agent, several times over; most are watched anyway.
_MOST_ROOTS = 256
# How long a disk may take to say what a path is; those that are well take milliseconds.
_DISK_S = 10.0


class DaemonBackend:
    """Lives on the loop, but for `acknowledge` and `signal`."""

    def __init__(
        self,
        *,
        snapshots: Snapshots,
        marks: Marks,
        hub: Hub,
        tailer: Tailer,
        recap_files: RecapFiles,
        oversight: Oversight,
        signals: Signals,
        renewal: Renewal,
        panel: Panel,
        on_end: Callable[[str], None],
    ) -> None:
        self._hub = hub
        self._tailer = tailer
        self._oversight = oversight
        self._disks = Disks()
        self._indexing_listeners: list[Callable[[Indexing], None]] = []
        self._is_settled = False
        # What a part answers as it is, it is asked itself.
        self.snapshot = snapshots.take
        self.open_mailbox = hub.open_mailbox
        self.unsubscribe = hub.unsubscribe
        self.status = oversight.describe
        self.indexing = tailer.indexing
        self.release_roots = tailer.release_roots
        self.signal = signals.take
        self.note = renewal.note
        self.make_ahead = renewal.make_ahead
        self.acknowledge = marks.acknowledge
        self.watch = recap_files.watch
        self.panel = panel.switch
        self.shut_down = on_end

    async def subscribe(self, mailbox: Mailbox, params: RecapSubscribeParams) -> RecapSubscribeResult:
        paths = paths_of(params.selector)
        if not paths:
            return self._hub.subscribe(mailbox, params)
        looked = await self._disks.ask(paths[0], partial(look_at, params.selector), within_s=_DISK_S)
        if looked is None:
            raise too_slow(_DISK_S)
        return self._hub.subscribe(mailbox, params, looked)

    def status_moved(self, step: Step) -> None:
        """Tell whoever shows it."""
        indexing = self._tailer.indexing()
        if indexing.quiescent and not self._is_settled:
            self._is_settled = True
            interpreter.settle()
        for listener in tuple(self._indexing_listeners):
            listener(indexing)
        if not self._hub.is_heard:
            # Every file is looked at for it: while thousands are read, nobody does that for nobody.
            return
        health, message = self._oversight.health()
        self._hub.status_changed(
            RecapdDidChangeStatusParams(health=health, quiescent=indexing.quiescent, message=message)
        )

    def on_indexing(self, listener: Callable[[Indexing], None]) -> Callable[[], None]:
        self._indexing_listeners.append(listener)
        return lambda: self._indexing_listeners.remove(listener)

    def add_roots(self, mailbox: Mailbox, roots: tuple[LogRoot, ...]) -> None:
        if len(roots) > _MOST_ROOTS:
            raise limit_exceeded("folders named at once", _MOST_ROOTS)
        named = (Root(root.agent or "", Path(folder_of(root.path))) for root in roots)
        self._tailer.add_roots_for(mailbox, named)
