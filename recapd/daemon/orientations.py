"""What a new session in a folder would be told, kept in one small file for the time when no daemon runs.

    Step ─changed()─▶ its folders are due after a pause ─run()─▶ thread: ask as a hook would, replace the file

A hook reads it and nobody else does (`bridges.hook`): by folder the text, and until when it is worth telling. It holds
no more than hooks tell anyway, and can be deleted at any time.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

import anyio
import msgspec
from msgspec import Struct

from recapd.core.state import session_of
from recapd.daemon.atomic import opened_folder, replace_file
from recapd.daemon.clock import WallClock
from recapd.daemon.engine import Step
from recapd.server.service import Service
from recapd.server.starting import tell_start
from recapd.server.threads import in_thread

log = logging.getLogger(__name__)

FILE_NAME: Final = "orientations.json"
# Sessions go on in bursts; a file that is so much behind serves whoever starts next.
_PAUSE_S: Final = 10.0
# A folder nobody has worked in for longer has been left by all the others.
_MOST_FOLDERS: Final = 40


class Kept(Struct, frozen=True):
    text: str
    until: str
    session: str


class Orientations:
    """`run` it in a task, `flush` it at the end."""

    def __init__(self, folder: str, take: Callable[[], Service], *, clock: WallClock) -> None:
        self._folder = folder
        self._take = take
        self._clock = clock
        self._due: dict[str, None] = {}
        self._kept: dict[str, Kept] = {}
        self._news = anyio.Event()

    def changed(self, step: Step) -> None:
        for delta in step.deltas:
            session = session_of(step.world, delta.session_id)
            for folder in session.main.transcript.cwds[:1] if session is not None else ():
                self._due[folder] = None
        if self._due:
            self._news.set()

    async def run(self) -> None:
        while True:
            await self._news.wait()
            self._news = anyio.Event()
            await self._clock.sleep(_PAUSE_S)
            await self.flush()

    async def flush(self) -> None:
        due, self._due = list(self._due)[-_MOST_FOLDERS:], {}
        if due:
            await in_thread(lambda: self._write(due))

    def _write(self, folders: list[str]) -> None:
        service = self._take()
        for folder in folders:
            self._kept.pop(folder, None)
            # Who works there now may be gone when somebody asks.
            found = tell_start(service, folder, own=None, also_live=True)
            if found is not None:
                self._kept[folder] = Kept(found.text, found.until, found.session.id)
        self._kept = dict(list(self._kept.items())[-_MOST_FOLDERS:])
        try:
            with opened_folder(self._folder) as opened:
                replace_file(opened, FILE_NAME, msgspec.json.encode(self._kept))
        except OSError as error:
            # Without it a hook that finds no daemon says nothing.
            log.warning("orientations not kept", extra={"errno": error.errno})
