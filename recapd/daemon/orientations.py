"""What a new session in a folder would be told, kept in one small file for the time when no daemon runs.

    Step ─changed()─▶ its folders are due after a pause, and once everything was read; all, where a session is gone
                           └─run()─▶ thread: ask as a hook would, replace the file

A hook reads it and nobody else does (`bridges.hook`): by folder the text, and until when it is worth telling. It holds
no more than hooks tell anyway, and can be deleted at any time: so it is when a session is to be forgotten.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from typing import Final

import anyio
import msgspec
from msgspec import Struct

from recapd.client.errors import ClientError
from recapd.client.paths import ORIENTATIONS
from recapd.client.private import read_private
from recapd.core.state import session_of
from recapd.daemon.atomic import opened_folder, replace_file
from recapd.daemon.clock import WallClock
from recapd.daemon.engine import Step
from recapd.server.service import Service
from recapd.server.starting import Start, tell_start
from recapd.server.threads import in_thread
from recapd.wire.errors import RecapError

log = logging.getLogger(__name__)

# Sessions go on in bursts; a file that is so much behind serves whoever starts next.
_PAUSE_S: Final = 10.0
# A folder nobody has worked in for longer has been left by all the others.
_MOST_FOLDERS: Final = 40
_MOST_BYTES: Final = 1 << 20


class Kept(Struct, frozen=True):
    text: str
    until: str
    session: str


class Orientations:
    """`run` it in a task, `flush` it at the end."""

    def __init__(
        self, folder: str, take: Callable[[], Service], *, is_quiescent: Callable[[], bool], clock: WallClock
    ) -> None:
        self._folder = folder
        self._take = take
        self._is_quiescent = is_quiescent
        self._clock = clock
        # Folders in which something changed, with the time of the last that happened there.
        self._due: dict[str, str] = {}
        # Sessions are known no more: their words may stand in what is told of any folder.
        self._is_any_gone = False
        # What stands in the file, the folder last worked in last; None before anything is written.
        self._kept: dict[str, Kept] | None = None
        self._writing = anyio.Lock()
        self._news = anyio.Event()

    def changed(self, step: Step) -> None:
        for delta in step.deltas:
            session = session_of(step.world, delta.session_id)
            if session is None or (delta.left and delta.left not in step.world.members):
                self._is_any_gone = True
            if session is None:
                continue
            transcript = session.main.transcript
            for folder in transcript.cwds[:1]:
                self._due[folder] = max(self._due.get(folder, ""), transcript.last_at)
        if self._due or self._is_any_gone:
            self._news.set()

    async def run(self) -> None:
        while True:
            await self._news.wait()
            self._news = anyio.Event()
            await self._clock.sleep(_PAUSE_S)
            # While everything is read for the first time all folders change all the time, each is asked about among all
            # sessions, and what is found is out of date with the next log.
            while not self._is_quiescent():
                await self._clock.sleep(_PAUSE_S)
            await self.flush()

    async def flush(self) -> None:
        async with self._writing:
            # Logs are read newest first: what changed last need not be what was worked on last.
            due, self._due = sorted(self._due, key=self._due.__getitem__)[-_MOST_FOLDERS:], {}
            is_any_gone, self._is_any_gone = self._is_any_gone, False
            if due or is_any_gone:
                await in_thread(self._write, due, is_any_gone)

    def _write(self, folders: list[str], is_any_gone: bool) -> None:
        service = self._take()
        kept = self._read(service) if self._kept is None else self._kept
        if is_any_gone:
            folders = [*(each for each in kept if each not in folders), *folders]
        for folder in folders:
            kept.pop(folder, None)
            if (found := _told_in(service, folder)) is not None:
                kept[folder] = Kept(found.text, found.until, found.session.id)
        self._kept = dict(list(kept.items())[-_MOST_FOLDERS:])
        try:
            with opened_folder(self._folder) as opened:
                replace_file(opened, ORIENTATIONS, msgspec.json.encode(self._kept))
        except OSError as error:
            # Without it a hook that finds no daemon says nothing.
            log.warning("orientations not kept", extra={"errno": error.errno})

    def _read(self, service: Service) -> dict[str, Kept]:
        """What the daemon before this one left, as far as it may be told now: folders in which nothing changes are not
        worked out again."""
        try:
            found = read_private(os.path.join(self._folder, ORIENTATIONS), most=_MOST_BYTES)
            left = msgspec.json.decode(found, type=dict[str, Kept])
        except (OSError, ClientError, msgspec.MsgspecError):
            return {}
        known = {each.id: each for each in service.sessions()}
        is_all_known = self._is_quiescent()

        def may_be_told(session_id: str) -> bool:
            session = known.get(session_id)
            return service.settings(session).recap.enabled if session is not None else not is_all_known

        return {folder: each for folder, each in left.items() if may_be_told(each.session)}


def _told_in(service: Service, folder: str) -> Start | None:
    try:
        # Who works there now may be gone when somebody asks.
        return tell_start(service, folder, own=None, also_live=True)
    except RecapError as error:
        # Its log is gone, or its state is nowhere: there is nothing to tell.
        log.info("no orientation", extra={"code": error.code})
    except Exception as error:
        # A fault of ours must not end the daemon. Its message may hold log text, so only its type is logged.
        log.error("no orientation", extra={"error": type(error).__name__})
    return None
