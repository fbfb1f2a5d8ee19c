"""Folders with a `_recap.md`, sessions that go on in them, and a clock that stands still."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import msgspec

from recapd.core.log.events import Prompt, Reply
from recapd.core.settings import DEFAULTS, FileSettings, Settings
from recapd.core.state.world import Session, World, sessions_of
from recapd.daemon.engine import Engine, LogRead
from recapd.daemon.recap_file.files import RecapFiles
from recapd.daemon.recap_file.on_disk import FILE_NAME
from recapd.daemon.recap_file.workspaces import WorkspacesOn
from tests.support.clock import FakeClock, eventually, everybody_waits
from tests.support.logs import at
from tests.support.records import batch, record, tape


class Folders:
    """A daemon's worth of `_recap.md`: what is on, what is said, what time it is."""

    def __init__(self, state: Path, *folders: Path) -> None:
        self.clock = FakeClock()
        self.engine = Engine(keeps_vanished=False)
        # The same log gives the same revision in every life, as it does with a store.
        self.engine.world = World()
        self.seconds = 60.0
        self.is_quiescent = True
        self.troubles = 0
        self.settings = DEFAULTS.recap_file
        # Sessions by id whose feature is switched off.
        self.off: set[str] = set()
        self._lines: dict[str, int] = {}
        self.on = WorkspacesOn(str(state))
        for folder in folders:
            if not self.on.is_on(str(folder)):
                self.on.switch_on(str(folder), at(0))
        self.files = RecapFiles(
            self.on,
            self.engine,
            now=lambda: at(self.seconds),
            is_quiescent=lambda: self.is_quiescent,
            on_trouble=self._count,
            settings=self._settings_of,
            clock=self.clock,
        )
        self.engine.listen("recap files", lambda step: self.files.changed(step))

    def _settings_of(self, workspace: str, session_id: str | None) -> Settings:
        is_on = self.settings.enabled and session_id not in self.off
        return msgspec.structs.replace(DEFAULTS, recap_file=msgspec.structs.replace(self.settings, enabled=is_on))

    def set(self, *, enabled: bool = True, quiet_s: float = DEFAULTS.recap_file.quiet_s) -> None:
        """Other settings, as the daemon passes them on."""
        self.settings = FileSettings(enabled=enabled, quiet_s=quiet_s)
        self.files.settings_changed()

    def _count(self) -> None:
        self.troubles += 1

    def say(self, text: str, folder: Path, name: str = "s") -> None:
        line = self._lines[name] = self._lines.get(name, 0) + 1
        events = (Prompt(text), Reply("Done."))
        records = tape(record(*events, session=name, cwd=str(folder), at=at(self.seconds)), first=line)
        news = batch(records, uri=f"file:///logs/{name}.jsonl")
        self.engine.apply(LogRead(name, (news,)))
        self.engine.tell_rest()

    def sessions(self) -> list[Session]:
        return sessions_of(self.engine.world)

    def tick(self, seconds: float) -> None:
        self.seconds += seconds
        self.clock.tick(seconds)


@asynccontextmanager
async def running(folders: Folders) -> AsyncIterator[None]:
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(folders.files.run)
        await everybody_waits()
        yield
        tasks.cancel_scope.cancel()


def says(folder: Path, text: str) -> Callable[[], bool]:
    file = folder / FILE_NAME
    return lambda: file.exists() and text in file.read_text()


async def at_rest(folders: Folders) -> None:
    """Until nothing is being written."""
    await everybody_waits()
    await eventually(lambda: not folders.files.writing)
    await everybody_waits()


def as_written(file: Path) -> tuple[int, int, int]:
    """The same for as long as nobody writes the file; reading it changes the rest of what there is to see of it."""
    found = file.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns


def a_foreign_file(file: Path) -> None:
    file.write_text("# My own notes\n")


def leftovers(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir() if each.name.endswith(".tmp"))
