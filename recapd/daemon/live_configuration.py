"""The configuration while the daemon runs: files are looked at now and then, and what changed is told.

    files ─look()─▶ Configuration' ─on_change(old, new)─▶ engine, recap files, tailer, whoever works by a setting

A file that is no TOML changes nothing, and a value that is not taken leaves the one before it in force: half a file,
or a slip of the pen, must not make recapd read what its user had excluded. Runs on the event loop; the disk is looked
at in a thread.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from itertools import islice

import anyio
import msgspec

from recapd.core.settings import Settings
from recapd.core.state import Session
from recapd.core.trouble import Trouble
from recapd.daemon.clock import Clock, LoopClock
from recapd.daemon.config import (
    Configuration,
    Layer,
    read_configuration,
    read_user,
    read_workspace_of,
    stamp_of,
    workspace_file,
)
from recapd.server.threads import in_thread
from recapd.wire.types import ConfigGetResult, ConfigValue

log = logging.getLogger(__name__)

# Who saves the file and goes back to the editor finds it in effect. A look at a file costs some microseconds.
LOOK_S = 2.0
# Folders without a file of their own are looked at in turns: there may be thousands.
_LOOKED_AT_ONCE = 50
_AT_NEXT_START = "{} changed in the configuration, and that counts from the next start: recapd down, then recapd up."

Listener = Callable[[Configuration, Configuration], None]


class LiveConfiguration:
    """What is configured now, and who wants to know when that changes."""

    def __init__(
        self, path: str | None = None, environ: Mapping[str, str] | None = None, *, clock: Clock | None = None
    ) -> None:
        self.current = read_configuration(path, environ)
        self._first = self.current
        self._clock: Clock = clock or LoopClock()
        self._listeners: list[Listener] = []

    def settings_for(self, workspace: str | None = None, session_id: str | None = None) -> Settings:
        return self.current.settings_for(workspace, session_id)

    def settings_of(self, session: Session) -> Settings:
        return self.current.settings_of(session)

    def on_change(self, listener: Listener) -> Callable[[], None]:
        """Call the listener with the old and the new configuration, on the loop; returns what ends that."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    @property
    def troubles(self) -> tuple[Trouble, ...]:
        """What of the configuration does not count."""
        return (*self.current.all_troubles(), *_waiting(self._first, self.current))

    async def run(self) -> None:
        """Follow the files until cancelled."""
        never = anyio.Event()
        while True:
            await self._clock.wait(never, self._clock.now() + LOOK_S)
            await self.look()

    async def look(self) -> bool:
        """Whether the files say something else than before; whoever wants to know has been told then."""
        old = self.current
        new = await in_thread(_looked_at, old, abandon_on_cancel=True)
        if new is old:
            return False
        log.info("configuration changed", extra={"problems": len(new.all_troubles())})
        self.current = new
        for listener in tuple(self._listeners):
            listener(old, new)
        return True


def describe_configuration(configuration: Configuration, workspace: str | None) -> ConfigGetResult:
    """The configuration in effect as a client is told; what is secret in it is still to be taken out."""
    layer = configuration.workspace_at(workspace)
    return ConfigGetResult(
        values=tuple(
            ConfigValue(key=each.key, value=each.value, source=each.source, path=each.path or None)
            for each in sorted(
                (*configuration.extras(workspace), *configuration.effective(workspace)), key=lambda each: each.key
            )
        ),
        workspace=os.path.dirname(layer.path) if layer.path else workspace,
        problems=tuple(map(str, configuration.troubles(workspace))),
    )


def _looked_at(old: Configuration) -> Configuration:
    """The configuration as the files are now; the old one where they are as they were."""
    user = old.user
    if stamp_of(user.path) != user.stamp:
        user = _unless_broken(old.user, read_user(user.path, old.environment.preset))
    folders = {**_with_files(old), **_some_without(old)}
    moved = {
        folder: layer
        for folder, known in folders.items()
        if (layer := _looked_for(folder, known, old.environment.preset or user.preset)) is not known
    }
    if user is old.user and not moved:
        return old
    if user.preset != old.user.preset:
        # A workspace's file may be spelled as the preset has it.
        return Configuration(user, old.environment)
    return Configuration(user, old.environment, {**old.workspaces, **moved})


def _with_files(configuration: Configuration) -> dict[str, Layer]:
    return {folder: layer for folder, layer in list(configuration.workspaces.items()) if layer.path}


def _some_without(configuration: Configuration) -> dict[str, Layer]:
    """The next few in turn: each goes to the end of the line. Requests in other threads may add to it meanwhile."""
    known = configuration.workspaces
    found = dict(islice((each for each in list(known.items()) if not each[1].path), _LOOKED_AT_ONCE))
    for folder, layer in found.items():
        known.pop(folder, None)
        known[folder] = layer
    return found


def _looked_for(folder: str, known: Layer, preset: str) -> Layer:
    path = workspace_file(folder)
    if path == known.path and (not path or stamp_of(path) == known.stamp):
        return known
    return _unless_broken(known, read_workspace_of(folder, preset))


def _unless_broken(known: Layer, read: Layer) -> Layer:
    """What was read; where that cannot be used, what was known, with what is wrong now."""
    if not read.is_broken:
        kept = {name: known.values[name] for name in read.refused if name in known.values and name not in read.values}
        return msgspec.structs.replace(read, values={**kept, **read.values}) if kept else read
    return msgspec.structs.replace(known, path=read.path, troubles=read.troubles, stamp=read.stamp)


def _waiting(first: Configuration, now: Configuration) -> tuple[Trouble, ...]:
    """What cannot change while the daemon runs."""
    found = []
    if set(first.settings.watch.roots) - set(now.settings.watch.roots):
        found.append(_AT_NEXT_START.format("watch.roots"))
    if first.user.dialects != now.user.dialects:
        found.append(_AT_NEXT_START.format("dialect"))
    if first.settings.store != now.settings.store:
        found.append(_AT_NEXT_START.format("[store]"))
    return tuple(map(Trouble, found))
