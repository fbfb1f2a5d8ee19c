"""Answers that clients ask for again, made anew once their session changed: who asks next finds them.

    asked ─▶ in mind while the client is there ─┬─ it is about to be told of a change ──▶ in a thread ─▶ server/answers
                                                └─ it is told of none: a moment after ──▶

Once for each time it was asked: what nobody wants any more is made once in vain. Knows no method.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from typing import TypeAlias

import anyio
from msgspec import Struct

from recapd.daemon.engine import Step
from recapd.server.backend import Asked, Mailbox

log = logging.getLogger(__name__)

# Fewer than answers are kept (`server/answers.py`), or they would push each other out.
MOST = 96
# Agents write several records at once; what stands between them nobody sees.
_SETTLE_S = 0.03
# What takes longer waits for a disk that does not answer, and the others must not wait with it.
LONGEST_S = 10.0

# A client asks the same of a session again, or something else instead.
_Key: TypeAlias = tuple[int, str | None, str]


class _Kept(Struct, frozen=True):
    asked: Asked
    asker: Mailbox


class Renewal:
    """Lives on the loop, `run` in a task."""

    def __init__(self) -> None:
        # The longest not asked first.
        self._kept: dict[_Key, _Kept] = {}
        # Those to be made for clients that are told of no change, the first to be due first.
        self._due: dict[_Key, None] = {}
        self._news = anyio.Event()

    def is_following(self, session_id: str) -> bool:
        """Whether anything would be made if the session changed."""
        return any(kept.asked.session_id == session_id for kept in self._kept.values())

    def note(self, asker: Mailbox, asked: Asked) -> None:
        """Somebody asks this whose answer is kept until a session changes, and may ask it again."""
        key = id(asker), asked.session_id, asked.method
        self._let_go(key)
        self._kept[key] = _Kept(asked, asker)
        if len(self._kept) > MOST:
            self._let_go(next(iter(self._kept)))

    def changed(self, step: Step) -> None:
        touched = {each for delta in step.deltas for each in (delta.session_id, delta.left)}
        for key, kept in tuple(self._kept.items()) if touched else ():
            if kept.asker.is_closed:
                self._let_go(key)
            elif not kept.asker.is_told and (kept.asked.session_id is None or kept.asked.session_id in touched):
                self._due[key] = None
        if self._due:
            self._news.set()

    async def make_ahead(self, asker: Mailbox, session_ids: Collection[str], *, within_s: float) -> None:
        """Of sessions that changed, make what this client asked last: it is about to be told of the change, and what it
        will ask then is there already."""
        concerned = [
            key
            for key, kept in self._kept.items()
            if kept.asker is asker and (kept.asked.session_id is None or kept.asked.session_id in session_ids)
        ]
        with anyio.move_on_after(within_s):
            for key in concerned:
                await self._make(key)

    async def run(self) -> None:
        """Make whatever is due, until cancelled: one at a time, half of the time at most."""
        while True:
            await self._news.wait()
            await anyio.sleep(_SETTLE_S)
            while (key := next(iter(self._due), None)) is not None:
                began = anyio.current_time()
                with anyio.move_on_after(LONGEST_S):
                    await self._make(key)
                await anyio.sleep(anyio.current_time() - began)
            self._news = anyio.Event()

    async def _make(self, key: _Key) -> None:
        kept = self._kept.get(key)
        # Whatever comes of it: it is made again once it is asked for again.
        self._let_go(key)
        if kept is None:
            return
        try:
            await kept.asked.make()
        except Exception as error:
            # Who asks is told what is wrong.
            log.info("nothing made anew", extra={"type": type(error).__name__})

    def _let_go(self, key: _Key) -> None:
        self._kept.pop(key, None)
        self._due.pop(key, None)
