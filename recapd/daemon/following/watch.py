"""Noticing that something may have changed below the roots. Only hints: whoever gets them looks at the files.

    events    ─▶ files and new folders, within milliseconds: as long as the system has watches left, and not reliably
    reconcile ─▶ folders where something happened lately, every few seconds; everything, now and then

What events miss (measured with watchfiles 1.3): files written right after their folder was made, everything once a
root was deleted, everything beyond the system's limit of watches. Knows no format and reads no file.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import Literal, TypeAlias

import anyio
from anyio.abc import TaskGroup
from msgspec import Struct
from watchfiles import Change, awatch

from recapd.client.paths import is_text
from recapd.core.trouble import Trouble
from recapd.daemon.clock import WallClock
from recapd.daemon.log_files import Root, Wanted, count_folders, folder_prefix, wanted_in
from recapd.daemon.presence import PresenceFolder, find_presence_folder
from recapd.server.threads import Disks
from recapd.wire.errors import limit_exceeded

log = logging.getLogger(__name__)

# What a folder is asked for here is known at once, also of one far away.
ANSWER_S = 30.0

State: TypeAlias = Literal["watching", "polling", "missing", "failed"]

_WATCHES_USED_UP = Trouble(
    "The system's limit of watched folders is used up, so changes are noticed seconds later",
    "raise it: sudo sysctl fs.inotify.max_user_watches=524288",
)
_INSTANCES_USED_UP = Trouble(
    "The system's limit of watchers is used up, so changes are noticed seconds later",
    "raise it: sudo sysctl fs.inotify.max_user_instances=1024",
)
_NO_WATCHER = Trouble(
    "Folders cannot be watched here, so changes are noticed seconds later", "recapd goes on looking by itself"
)

_NOT_UTF_8 = Trouble("A folder or log has a name that is not UTF-8, so changes are noticed seconds later", "rename it")


_TOO_LARGE = Trouble(
    "A client named this folder, and there is too much below it to be followed",
    "name it in the configuration if it is meant: watch.roots",
)
# What clients may have watched, all of them together: a dozen agents keep their logs in a folder or two each.
MOST_NAMED = 64
# Setting up watches holds the loop up, a third of a millisecond for each folder: so many in all that clients name.
MOST_NAMED_FOLDERS = 2_000


class Pace(Struct, frozen=True):
    """How often to look, in seconds unless named otherwise."""

    # A change is told one to two steps after it happened; at 20 ms an idle watcher costs a quarter percent of a core.
    step_ms: int = 20
    # The longest that a file which never stops changing is held back.
    debounce_ms: int = 200
    # Folders with recent changes, whether the roots are still there, and whether agents that run still do: what events
    # missed shows up this late.
    hot_s: float = 3.0
    # Everything below the roots: 10,000 files cost a tenth of a second in a thread.
    all_s: float = 30.0
    # The same where there are no events.
    polling_s: float = 5.0
    # Whether there are events again: setting up watches holds the loop up for as long as there are folders.
    retry_s: float = 300.0
    # Watches are set up anew for what clients name, at most this often.
    named_s: float = 5.0


class Hints(Struct, frozen=True):
    """Where to look: files that may be logs, and folders with everything below them."""

    files: frozenset[str] = frozenset()
    folders: frozenset[str] = frozenset()
    # The folders are all that is watched; also where that is none.
    is_everything: bool = False
    # Who is there may have changed.
    has_presence: bool = False


class RootState(Struct, frozen=True):
    """How changes below a root are noticed, and what to do if that is not as it should be."""

    root: Root
    # Where the root really is, links resolved.
    real_path: str
    state: State
    trouble: Trouble | None = None


class _Armed(Struct, frozen=True):
    """A root as it is on disk: another inode at the same path is another folder, and watched by nobody."""

    root: Root
    real_path: str
    identity: tuple[int, int] | None
    # Where its agent says who is there.
    presence: PresenceFolder | None = None


class Watch:
    """The roots that are watched. `run` it in a task; everything else is called on the loop."""

    def __init__(
        self,
        *,
        send: Callable[[Hints], None],
        on_state: Callable[[], object],
        hot_folders: Callable[[], Iterable[str]],
        is_known: Callable[[str], bool] = lambda path: False,
        is_anybody_there: Callable[[], bool] = lambda: False,
        clock: WallClock,
        pace: Pace,
        exclusions: Sequence[str],
        disks: Disks | None = None,
    ) -> None:
        self._send = send
        self._disks = disks or Disks()
        self._on_state = on_state
        self._hot_folders = hot_folders
        self._is_known = is_known
        self._is_anybody_there = is_anybody_there
        self._clock = clock
        self._pace = pace
        self._exclusions = exclusions
        self._own: dict[Root, None] = {}
        # Roots that clients named, with those of them who are still there.
        self._named: dict[Root, set[object]] = {}
        self._armed: tuple[_Armed, ...] = ()
        # Watches are not what clients want any more; when they were last set up for clients.
        self._is_stale = False
        self._armed_for_clients_ns = 0
        # Named roots with too much below them, as they were when they were looked at.
        self._too_large: frozenset[_Armed] = frozenset()
        self._state: State = "missing"
        self._trouble: Trouble | None = None
        self._is_wanted = wanted_in(())
        self._is_arming = False
        self._rearm: anyio.Event | None = None

    async def run(self) -> None:
        """Send hints until cancelled: first of all, to look at everything."""
        # It writes down paths of users' files.
        logging.getLogger("watchfiles").setLevel(logging.WARNING)
        async with anyio.create_task_group() as group:
            group.start_soon(self._listen, group)
            group.start_soon(self._reconcile)
            group.start_soon(self._stop_listening)

    def add(self, roots: Iterable[Root]) -> None:
        """Watch more; a root that is watched already is no news."""
        new = [root for root in roots if root not in self._own]
        if new:
            self._own.update(dict.fromkeys(new))
            self._arm_again()

    def add_for(self, client: object, roots: Iterable[Root]) -> None:
        """Watch more for a client. RecapError where clients have too many watched already."""
        wanted = [root for root in dict.fromkeys(roots) if root not in self._own]
        new = [root for root in wanted if root not in self._named]
        left = [root for root, clients in self._named.items() if not clients and root not in wanted]
        too_many = len(self._named) + len(new) - MOST_NAMED
        if too_many > len(left):
            raise limit_exceeded("folders that clients have watched", MOST_NAMED)
        for root in left[: max(too_many, 0)]:
            del self._named[root]
        for root in wanted:
            self._named.setdefault(root, set()).add(client)
        if new:
            self._is_stale = True
            self._arm_for_clients()

    def named_by(self, client: object) -> tuple[_Armed, ...]:
        """The roots that this client alone has watched."""
        return tuple(each for each in self._armed if self._named.get(each.root) == {client})

    def release(self, client: object, *, keep: Collection[Root]) -> None:
        """A client left: what it alone had watched is given up, but for what is to be kept."""
        given_up = [root for root, clients in self._named.items() if clients == {client} and root not in keep]
        for clients in self._named.values():
            clients.discard(client)
        for root in given_up:
            del self._named[root]
        if given_up:
            self._armed = tuple(each for each in self._armed if self._is_root(each.root))
            self._is_wanted = self._wanted()
            self._is_stale = True

    def _is_root(self, root: Root) -> bool:
        return root in self._own or root in self._named

    def _roots(self) -> tuple[Root, ...]:
        return (*self._own, *(root for root in self._named if root not in self._own))

    def exclude(self, exclusions: Sequence[str]) -> None:
        """What is excluded from now on, instead of what was."""
        self._exclusions = exclusions
        self._is_wanted = self._wanted()

    def is_wanted(self, path: str) -> bool:
        return self._is_wanted(path)

    def everything(self) -> Hints:
        return Hints(folders=frozenset(self.real_roots()), is_everything=True, has_presence=True)

    def presence_folders(self) -> tuple[PresenceFolder, ...]:
        """Once each: an agent may have several folders of logs."""
        return tuple({each.presence: None for each in self._followed() if each.presence is not None})

    def real_roots(self) -> tuple[str, ...]:
        return drop_nested(armed.real_path for armed in self._followed())

    def states(self) -> tuple[RootState, ...]:
        return tuple(map(self._state_of, self._armed))

    def _state_of(self, armed: _Armed) -> RootState:
        if armed.identity is None:
            return RootState(armed.root, armed.real_path, "missing")
        if armed in self._too_large:
            return RootState(armed.root, armed.real_path, "failed", _TOO_LARGE)
        if not is_text(armed.real_path):
            return RootState(armed.root, armed.real_path, "polling", _NOT_UTF_8)
        return RootState(armed.root, armed.real_path, self._state, self._trouble)

    def _followed(self) -> Iterator[_Armed]:
        return (armed for armed in self._armed if armed not in self._too_large)

    async def _listen(self, group: TaskGroup) -> None:
        while True:
            self._rearm = anyio.Event()
            self._is_stale = False
            found = await self._find_roots()
            named = tuple(each for each in found if each.root not in self._own)
            find = partial(_find_too_large, named, self._too_large)
            too_large = await self._disks.ask("named roots", find, within_s=ANSWER_S) if named else frozenset()
            if too_large is not None:
                self._too_large = too_large
            # Some may have left meanwhile.
            self._armed = tuple(each for each in found if self._is_root(each.root))
            self._is_wanted = self._wanted()
            logs = [each.real_path for each in self._followed() if each.identity is not None]
            there = drop_nested(
                path for path in (*logs, *(each.path for each in self.presence_folders())) if is_text(path)
            )
            self._is_arming = bool(there)
            # awatch sets up its watches before it first waits: when this runs they are in place, or cannot be.
            group.start_soon(self._look_everywhere)
            try:
                try:
                    await self._events(there, self._rearm)
                except PermissionError:
                    # Not from the start: with it, a limit that is used up is passed over like a folder that is closed.
                    await self._events(there, self._rearm, pass_over_closed=True)
            except (OSError, RuntimeError, ExceptionGroup) as error:
                # The limits are the system's, not ours. The reconcile does the work meanwhile, and has it tried again.
                self._is_arming = False
                self._tell("polling", _trouble_of(error))
                await self._rearm.wait()

    async def _events(self, folders: tuple[str, ...], rearm: anyio.Event, *, pass_over_closed: bool = False) -> None:
        if not folders:
            self._tell("missing", None)
            await rearm.wait()
            return
        changes = awatch(
            *folders,
            watch_filter=None,
            debounce=self._pace.debounce_ms,
            step=self._pace.step_ms,
            stop_event=rearm,
            force_polling=False,
            ignore_permission_denied=pass_over_closed,
        )
        async with aclosing(changes):
            async for changed in changes:
                self._send(self._hints_of(changed))

    async def _stop_listening(self) -> None:
        """awatch sits in a thread that does not hear of a cancelled task: without this, ending takes five seconds."""
        try:
            await anyio.sleep_forever()
        finally:
            self._arm_again()

    async def _look_everywhere(self) -> None:
        if self._is_arming:
            self._tell("watching", None)
        self._send(self.everything())

    def _hints_of(self, changed: set[tuple[Change, str]]) -> Hints:
        files: set[str] = set()
        folders: set[str] = set()
        presence = tuple(folder_prefix(each.path) for each in self.presence_folders())
        has_presence = False
        for change, path in changed:
            if path.startswith(presence):
                has_presence = True
            elif self._is_known(path) or self._is_wanted(path):
                # Nearly always one that is followed: it was wanted when it came, and what is so no longer is forgotten.
                files.add(path)
            elif change is not Change.modified:
                # Perhaps a folder: what was written into a new one before it was watched made no event.
                folders.add(path)
        return Hints(frozenset(files), frozenset(folders), has_presence=has_presence)

    async def _reconcile(self) -> None:
        looked_ns = tried_ns = self._clock.time_ns()
        while True:
            await self._clock.sleep(self._pace.hot_s)
            # By the time of day: a machine that was asleep looks at everything when it wakes.
            now_ns = self._clock.time_ns()
            found = await self._find_roots()
            has_failed = self._state == "polling"
            is_polling = has_failed or any(not is_text(each.real_path) for each in found if each.identity is not None)
            if self._own_of(found) != self._own_of(self._armed) or (
                has_failed and _is_due(tried_ns, now_ns, self._pace.retry_s)
            ):
                tried_ns = now_ns
                self._arm_again()
            elif self._is_stale or found != self._armed:
                self._arm_for_clients()
            if _is_due(looked_ns, now_ns, self._pace.polling_s if is_polling else self._pace.all_s):
                looked_ns = now_ns
                self._send(self.everything())
                continue
            hot, is_attended = frozenset(self._hot_folders()), self._is_anybody_there()
            if hot or is_attended:
                # Who is killed says nothing of its end.
                self._send(Hints(folders=hot, has_presence=is_attended))

    def _own_of(self, armed: Iterable[_Armed]) -> tuple[_Armed, ...]:
        return tuple(each for each in armed if each.root in self._own)

    def _arm_for_clients(self) -> None:
        """Soon: if not now, then when the reconcile comes by."""
        now_ns = self._clock.time_ns()
        if _is_due(self._armed_for_clients_ns, now_ns, self._pace.named_s):
            self._armed_for_clients_ns = now_ns
            self._arm_again()

    async def _find_roots(self) -> tuple[_Armed, ...]:
        """All at once, and one by one as long as that is not answered: one dead mount costs itself."""
        roots = self._roots()
        found = await self._disks.ask("all roots", partial(_found, roots), within_s=ANSWER_S)
        if found is not None:
            return found
        each = [await self._disks.ask(str(root.path), partial(_found, (root,)), within_s=ANSWER_S) for root in roots]
        missing = [(_Armed(root, str(root.path), None),) for root in roots]
        return tuple(armed for known, gone in zip(each, missing, strict=True) for armed in known or gone)

    def _arm_again(self) -> None:
        if self._rearm is not None:
            self._rearm.set()

    def _wanted(self) -> Wanted:
        return wanted_in((Root(each.root.agent, Path(each.real_path)) for each in self._followed()), self._exclusions)

    def _tell(self, state: State, trouble: Trouble | None) -> None:
        if (state, trouble) == (self._state, self._trouble):
            return
        self._state, self._trouble = state, trouble
        log.info("watcher", extra={"state": state, "roots": len(self._armed)})
        self._on_state()


def _is_due(last_ns: int, now_ns: int, every_s: float) -> bool:
    """Also where somebody set the clock back."""
    return not 0 <= now_ns - last_ns < every_s * 1e9


def _found(roots: tuple[Root, ...]) -> tuple[_Armed, ...]:
    found: list[_Armed] = []
    for root in roots:
        real_path = os.path.realpath(root.path)
        try:
            there = os.stat(real_path)
            identity = (there.st_dev, there.st_ino)
        except OSError:
            identity = None
        found.append(_Armed(root, real_path, identity, find_presence_folder(root.agent, str(root.path))))
    return tuple(found)


def _find_too_large(named: tuple[_Armed, ...], known: frozenset[_Armed]) -> frozenset[_Armed]:
    """Those of the named roots that do not fit into what is watched for clients, in a thread."""
    found = {each for each in named if each in known}
    left = MOST_NAMED_FOLDERS
    for each in named:
        if each in found or each.identity is None:
            continue
        count = count_folders(each.real_path, most=left)
        if count > left:
            found.add(each)
        else:
            left -= count
    return frozenset(found)


def drop_nested(folders: Iterable[str]) -> tuple[str, ...]:
    """The folders without those that lie below another."""
    kept: list[str] = []
    outer: str | None = None
    # By what paths below them begin with: each folder is followed by those that lie below it, and then by others.
    for prefix, folder in sorted((folder_prefix(folder), folder) for folder in set(folders)):
        if outer is None or not prefix.startswith(outer):
            kept.append(folder)
            outer = prefix
    return tuple(kept)


def _trouble_of(error: Exception) -> Trouble:
    # The library that watches has no kinds of errors, only words.
    text = str(error.exceptions[0] if isinstance(error, ExceptionGroup) else error)
    if "Too many open files" in text:
        return _INSTANCES_USED_UP
    if "limit" in text or "No space" in text:
        return _WATCHES_USED_UP
    return _NOT_UTF_8 if "decode path" in text else _NO_WATCHER
