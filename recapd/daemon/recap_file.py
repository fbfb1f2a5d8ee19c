"""When `_recap.md` is written: for each folder that is on, once the conversation settles, and at the end.

    Delta ─note()─▶ the folder is due after a pause ─run()─▶ thread: render, compare with the disk, replace

What stands on disk is compared each time, so a file that is missing, old (a crash) or edited is made anew, and one
that says the same is left alone. Writing changes no log, so it never causes itself. Must not know the file's text.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial

import anyio
import anyio.to_thread

from recapd.core.world import Delta, World, session_of
from recapd.daemon.recap_on_disk import Outcome, Refused
from recapd.daemon.settling import Clock, LoopClock, Settling
from recapd.daemon.workspaces_on import Workspace, WorkspacesOn
from recapd.wire.types import RecapdWatchParams, RecapdWatchResult

log = logging.getLogger(__name__)

# A turn of the conversation is over when nothing was logged for this long; while the agent works it logs more often.
QUIET_S = 2.0
# Somebody who looks into the file during a long turn finds it at most this old.
MAX_S = 30.0
# Time alone changes how a session stands (nobody works for 15 minutes: it broke off). Nobody needs that to the minute.
RECHECK_S = 300.0
# A full disk is full for a while; a foreign file is there until its owner moves it.
RETRY_S = 5.0
MAX_RETRY_S = 600.0
# A shutdown waits this long for a slow disk: the file is made anew at the next start in any case.
FLUSH_S = 3.0


class RecapFiles:
    """The files of all folders that are on."""

    def __init__(
        self,
        on: WorkspacesOn,
        *,
        world: Callable[[], World],
        now: Callable[[], str],
        is_quiescent: Callable[[], bool] = lambda: True,
        on_trouble: Callable[[], None] = lambda: None,
        clock: Clock | None = None,
    ) -> None:
        """`now` is the time of day in canonical form; `on_trouble` is called whenever `messages` changes."""
        self._on = on
        self._world = world
        self._now = now
        self._is_quiescent = is_quiescent
        self._on_trouble = on_trouble
        self._clock: Clock = clock or LoopClock()
        self._news = anyio.Event()
        self._files: dict[str, _File] = {}
        # One at a time: two writers of one file would take each other's temporary file away.
        self._writing = anyio.Lock()
        for workspace in on.all():
            self._add(workspace)

    def note(self, delta: Delta, world: World) -> None:
        """A session changed."""
        if not self._files:
            return
        now = self._clock.now()
        for session_id in (delta.session_id, delta.left):
            session = session_of(world, session_id)
            for file in self._files.values():
                if file.matcher.matches(session_id, session):
                    was_waiting = file.due is not None
                    file.settling.changed(now)
                    if not was_waiting or file.recheck_at is not None:
                        self._news.set()

    async def run(self) -> None:
        """Write whatever becomes due, until cancelled."""
        while True:
            self._news = anyio.Event()
            await self._clock.wait(self._news, min((due for due in map(_due, self._all()) if due is not None), default=None))
            now = self._clock.now()
            for file in self._all():
                if (due := file.due) is not None and due <= now:
                    await self._write(file)

    async def flush(self, timeout_s: float = FLUSH_S) -> None:
        """Write what waits to be written, for this is the end."""
        with anyio.move_on_after(timeout_s, shield=True):
            for file in self._all():
                if file.settling.due is not None:
                    await self._write(file)

    async def watch(self, params: RecapdWatchParams) -> RecapdWatchResult:
        """Switch a folder on or off, or only tell which are on. A folder's first file is there with the answer."""
        if params.workspace is not None and params.on:
            workspace = await anyio.to_thread.run_sync(self._on.switch_on, params.workspace, self._now())
            await self._write(self._files.get(workspace.folder) or self._add(workspace))
        elif params.workspace is not None:
            removed = await anyio.to_thread.run_sync(self._on.switch_off, params.workspace)
            if removed is not None and self._files.pop(removed.folder, None) is not None:
                self._on_trouble()
        self._news.set()
        return RecapdWatchResult(workspaces=tuple(file.told() for file in self._all()))

    @property
    def messages(self) -> tuple[str, ...]:
        """What keeps files from being written, one sentence each."""
        found = [file.message for file in self._files.values() if file.message is not None]
        return tuple(found if self._on.problem is None else [self._on.problem, *found])

    def _all(self) -> list[_File]:
        return list(self._files.values())

    def _add(self, workspace: Workspace) -> _File:
        file = self._files[workspace.folder] = _File(workspace)
        # Whatever stands on disk may be older than the log, or not be there at all.
        file.settling.changed(self._clock.now())
        return file

    async def _write(self, file: _File) -> None:
        async with self._writing:
            waited = file.settling
            file.settling = Settling(QUIET_S, MAX_S)
            try:
                outcome = await self._updated(file)
            except BaseException:
                file.settling = waited
                raise
            file.settle(outcome, self._clock.now(), self._now())
        if file.is_told_anew():
            self._on_trouble()

    async def _updated(self, file: _File) -> Outcome | str | None:
        """What became of the file, or in one sentence why nothing did; None where there is nothing to write yet."""
        work = partial(_render_and_update, file, self._world(), self._now(), even_if_ahead=self._is_quiescent())
        try:
            return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
        except Refused as error:
            log.warning("recap file refused")
            return str(error)
        except OSError as error:
            log.warning("recap file not written", extra={"errno": error.errno})
            return _in_words(error, file.path)
