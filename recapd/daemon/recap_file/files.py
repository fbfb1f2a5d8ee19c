"""When `_recap.md` is written: for each folder that is on, once the conversation settles, and at the end.

    Step ─changed()─▶ the folder is due after a pause ─run()─▶ thread: render, compare with the disk, replace

What stands on disk is compared each time, so a file that is missing, old (a crash) or edited is made anew, and one
that says the same is left alone. Writing changes no log, so it never causes itself. Must not know the file's text.
"""

from __future__ import annotations

import errno
import logging
import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

import anyio

from recapd.core.settings import DEFAULTS, FileSettings, Settings
from recapd.core.state import Session, World, live_turns, main_source_of, session_of
from recapd.core.trouble import Trouble
from recapd.core.views.recap_file import recap_md, told_in_full
from recapd.daemon.clock import Clock, LoopClock, Settling
from recapd.daemon.config import workspace_of
from recapd.daemon.engine import HasWorld, SettingsChanged, Step
from recapd.daemon.recap_file.on_disk import FILE_NAME, CannotWrite, Outcome, check, clean_up, update
from recapd.daemon.recap_file.workspaces import Workspace, WorkspacesOn
from recapd.server.threads import in_thread
from recapd.server.workspaces import folders_of
from recapd.wire.types import RecapdWatchParams, RecapdWatchResult, WatchedWorkspace

log = logging.getLogger(__name__)

# A session told within so many tokens; "" where its log is gone.
Digests: TypeAlias = Callable[[Session, int], str]

# Time alone changes how a session stands (nobody works for 15 minutes: it broke off). Nobody needs that to the minute.
RECHECK_S = 300.0
# A full disk is full for a while; a foreign file is there until its owner moves it.
RETRY_S = 5.0
MAX_RETRY_S = 600.0

_SWITCHED_OFF = Trouble(
    "The configuration says recap_file.enabled = false, so nothing is written", "see: recapd config recap_file"
)


class RecapFiles:
    """The files of all folders that are on."""

    def __init__(
        self,
        on: WorkspacesOn,
        engine: HasWorld,
        *,
        now: Callable[[], str],
        is_quiescent: Callable[[], bool] = lambda: True,
        on_trouble: Callable[[], object] = lambda: None,
        settings: Callable[[str, str | None], Settings] = lambda workspace, session_id: DEFAULTS,
        whole: Callable[[Session], Session] = lambda session: session,
        digests: Callable[[], Digests] = lambda: lambda session, max_tokens: "",
        besides: Sequence[Workspace] = (),
        clock: Clock | None = None,
    ) -> None:
        """`now` is the time of day in canonical form; `on_trouble` is called whenever `troubles` changes.

        `settings` are those of a folder and a session that works there; `whole` puts back what of a session is on
        disk, in a thread; `digests` gives, on the loop, who tells a session that has no turns, in a thread. Folders
        `besides` those of the list are on as long as this process lives.
        """
        self._on = on
        self._engine = engine
        self._now = now
        self._is_quiescent = is_quiescent
        self._on_trouble = on_trouble
        self._settings = settings
        self._whole = whole
        self._digests = digests
        self._clock: Clock = clock or LoopClock()
        self._news = anyio.Event()
        # Writes under way.
        self.writing = 0
        # Two clients that switch at once must not save each other's change away.
        self._switching = anyio.Lock()
        self._files = {workspace.folder: self._file(workspace) for workspace in (*besides, *on.all())}

    def settings_changed(self) -> None:
        """What is switched off now is not written any more, also if that has begun; the rest is looked at anew."""
        for file in self._files.values():
            file.take_pace()
            file.settling.changed(self._clock.now())
        self._news.set()

    def changed(self, step: Step) -> None:
        """Sessions changed, or the settings."""
        if isinstance(step.change, SettingsChanged):
            self.settings_changed()
        if not self._files:
            return
        now = self._clock.now()
        ids = dict.fromkeys(each for delta in step.deltas for each in (delta.session_id, delta.left) if each)
        for session_id in ids:
            main = main_source_of(step.world, session_id)
            for file in self._files.values():
                # Where one belonged that is gone is not known any more; looking once too often does no harm.
                if main is None or file.sessions.has(folders_of(main)):
                    if file.settling.due is None:
                        self._news.set()
                    file.settling.changed(now)

    async def run(self) -> None:
        """Write whatever becomes due, until cancelled."""
        for file in self._files.values():
            # Whatever stands on disk may be older than the log, or not be there at all.
            file.settling.changed(self._clock.now())
        while True:
            self._news = anyio.Event()
            dues = [file.due for file in self._files.values()]
            await self._clock.wait(self._news, min((due for due in dues if due is not None), default=None))
            now = self._clock.now()
            for file in list(self._files.values()):
                if (due := file.due) is not None and due <= now:
                    await self._write(file)

    async def flush(self, timeout_s: float = DEFAULTS.daemon.shutdown_timeout_s) -> None:
        """Write what waits to be written, for this is the end: what a slow disk keeps back is made anew next time."""
        with anyio.move_on_after(timeout_s, shield=True):
            for file in list(self._files.values()):
                if file.settling.due is not None and file.is_enabled:
                    await self._write(file)

    async def watch(self, params: RecapdWatchParams) -> RecapdWatchResult:
        """Switch a folder on or off, or only tell which are on. A folder's first file is there with the answer."""
        if params.workspace is not None:
            async with self._switching:
                await (self._switch_on if params.on else self._switch_off)(params.workspace)
        return RecapdWatchResult(workspaces=tuple(file.told() for file in self._files.values()))

    async def look_after_list(self) -> None:
        """What was switched on is so after the next start, also where somebody removed the list."""
        async with self._switching:
            await in_thread(self._on.put_back)

    @property
    def troubles(self) -> tuple[Trouble, ...]:
        """What keeps files from being written."""
        found = (self._on.trouble, *(file.trouble for file in self._files.values()))
        return tuple(trouble for trouble in found if trouble is not None)

    async def _switch_on(self, workspace: str) -> None:
        added = await in_thread(self._on.switch_on, workspace, self._now())
        file = self._files.setdefault(added.folder, self._file(added))
        if file.is_enabled:
            await self._write(file)
        # The task that writes has to know when to look again.
        self._news.set()

    async def _switch_off(self, workspace: str) -> None:
        removed = await in_thread(self._on.switch_off, workspace)
        if removed is not None and self._files.pop(removed.folder, None) is not None:
            self._on_trouble()

    def _file(self, workspace: Workspace) -> _File:
        return _File(workspace, lambda: self._settings(workspace.path, None).recap_file)

    def _is_told(self, session: Session) -> bool:
        """Whether the session may be part of its folder's file."""
        return self._settings(workspace_of(session) or "", session.id).recap_file.enabled

    async def _write(self, file: _File) -> None:
        before, waited = file.trouble, file.settling
        # A change that comes while this is written waits for the next time.
        file.settling = file.new_settling()
        work = partial(
            _render_and_update,
            file,
            self._engine.world,
            self._now(),
            is_told=self._is_told,
            whole=self._whole,
            digest_of=self._digests(),
            settings=self._settings(file.workspace.path, None),
            even_if_ahead=self._is_quiescent(),
        )
        self.writing += 1
        try:
            outcome = await in_thread(work, abandon_on_cancel=True)
        except CannotWrite as error:
            log.warning("recap file refused")
            file.failed(error.trouble, self._clock.now())
        except OSError as error:
            log.warning("recap file not written", extra={"errno": error.errno})
            file.failed(_trouble_of(error, file.workspace.folder), self._clock.now())
        except Exception as error:
            # A bug of ours must not end the daemon. Its message may hold log text, so only its type is logged.
            log.error("recap file failed", extra={"error": type(error).__name__})
            what = f"recapd failed to make the recap of {file.workspace.folder} ({type(error).__name__})"
            file.failed(Trouble(what, "please report it."), self._clock.now())
        except BaseException:
            file.settling = waited
            raise
        else:
            file.succeeded(outcome, self._clock.now(), self._now())
        finally:
            self.writing -= 1
        if file.trouble != before:
            self._on_trouble()


class _File:
    """One folder's file: when it is due, and what became of it last."""

    def __init__(self, workspace: Workspace, settings: Callable[[], FileSettings]) -> None:
        self.workspace = workspace
        self.sessions = workspace.sessions()
        self._settings = settings
        self.settling = self.new_settling()
        self.trouble: Trouble | None = None
        self.is_clean = False
        self._written_at: str | None = None
        self._look_again_at: float | None = None
        self._failures = 0

    @property
    def is_enabled(self) -> bool:
        return self._settings().enabled

    def new_settling(self) -> Settling:
        settings = self._settings()
        return Settling(settings.quiet_s, settings.max_s)

    def take_pace(self) -> None:
        settings = self._settings()
        self.settling.quiet_s, self.settling.max_s = settings.quiet_s, settings.max_s

    @property
    def due(self) -> float | None:
        """After a failure only when it is time to try again, whatever changes meanwhile."""
        if not self.is_enabled:
            return None
        settled = self.settling.due if not self._failures else None
        return min((due for due in (settled, self._look_again_at) if due is not None), default=None)

    def succeeded(self, outcome: Outcome | None, now: float, time: str) -> None:
        self._failures = 0
        self.trouble = None
        if outcome == "written":
            self._written_at = time
        self._look_again_at = now + (RETRY_S if outcome == "ahead" else RECHECK_S)

    def failed(self, trouble: Trouble, now: float) -> None:
        self._look_again_at = now + min(RETRY_S * 2**self._failures, MAX_RETRY_S)
        # Beyond this many the pause is as long as it gets.
        self._failures = min(self._failures + 1, 16)
        self.trouble = trouble

    def told(self) -> WatchedWorkspace:
        trouble = self.trouble if self.is_enabled else _SWITCHED_OFF
        return WatchedWorkspace(
            path=self.workspace.path,
            file=os.path.join(self.workspace.folder, FILE_NAME),
            written_at=self._written_at,
            message=str(trouble) if trouble is not None else None,
        )


def _render_and_update(
    file: _File,
    world: World,
    now: str,
    *,
    is_told: Callable[[Session], bool],
    whole: Callable[[Session], Session],
    digest_of: Digests,
    settings: Settings,
    even_if_ahead: bool,
) -> Outcome | None:
    """What became of the file; None where there is nothing to write yet. Runs in a thread."""
    folder = file.workspace.folder
    if not file.is_clean:
        clean_up(folder)
        file.is_clean = True
    here = [
        each for each in world.members if (main := main_source_of(world, each)) and file.sessions.has(folders_of(main))
    ]
    sessions = [session for each in here if (session := session_of(world, each)) is not None and is_told(session)]
    first = told_in_full(sessions, now)
    shown = {session.id: whole(session) if session is first else session for session in sessions}
    is_unasked = first is not None and not live_turns(shown[first.id].main.transcript)
    digest = digest_of(shown[first.id], settings.recap.full_max_tokens) if first is not None and is_unasked else ""
    text = recap_md(list(shown.values()), now, settings, digest=digest)
    # The feature may have been switched off since this began.
    if not file.is_enabled:
        return None
    if text is None:
        # Somebody's own file is told of before there is anything to write.
        check(folder)
        return None
    return update(folder, text, even_if_ahead=even_if_ahead)


def _trouble_of(error: OSError, folder: str) -> Trouble:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return Trouble(f"There is no room for {FILE_NAME} in {folder}", "free some, and recapd tries again.")
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        action = f"allow it, or switch it off: recapd unwatch {folder}"
        return Trouble(f"recapd may not write {FILE_NAME} in {folder}", action)
    if error.errno == errno.ENOENT:
        return Trouble(f"The folder {folder} is gone", f"switch it off with: recapd unwatch {folder}")
    if error.errno in (errno.ENOTDIR, errno.ELOOP):
        action = f"remove it, or switch off: recapd unwatch {folder}"
        return Trouble(f"A link or a file is in the way to {folder} now", action)
    return Trouble(f"{FILE_NAME} in {folder} could not be written: {error.strerror or error}", "recapd tries again.")
