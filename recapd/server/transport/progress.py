"""Work-done progress while logs are read for the first time, for editors that can show it.

Created late, so that what is over in a moment shows nothing, and reported by whole percents. It takes a request of ours
that the client answers, the only one there is.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

import anyio
from msgspec import Struct

from recapd.server.backend import Backend, Indexing
from recapd.server.transport.envelope import Reply, RequestId, request_body
from recapd.server.transport.frames import Outbox

TITLE = "recapd"
# Beyond this an editor's own rounding decides what is shown.
_WHOLE = 100

# Send a request of ours and say whether the client agreed; send a notification.
Ask: TypeAlias = Callable[[str, Struct], Awaitable[bool]]
Tell: TypeAlias = Callable[[str, Struct], Awaitable[None]]


class _Asked(Struct):
    answered: anyio.Event
    agreed: bool = False


class Asking:
    """Requests of ours on one connection."""

    def __init__(self, outbox: Outbox) -> None:
        self._outbox = outbox
        self._open: dict[RequestId, _Asked] = {}
        self._count = 0

    async def ask(self, method: str, params: Struct) -> bool:
        """Send a request, wait for the answer, and say whether it was no error."""
        self._count += 1
        identity = f"recapd/{self._count}"
        asked = self._open[identity] = _Asked(anyio.Event())
        await self._outbox.send(request_body(identity, method, params))
        await asked.answered.wait()
        return asked.agreed

    def answered(self, reply: Reply) -> None:
        """An answer has come; one to nothing that was asked is passed over."""
        asked = self._open.pop(reply.id, None) if reply.id is not None else None
        if asked is not None:
            asked.agreed = not reply.failed
            asked.answered.set()


class CreateParams(Struct, frozen=True):
    token: str


class Value(Struct, frozen=True, omit_defaults=True):
    """LSP's WorkDoneProgressBegin, -Report and -End in one."""

    kind: str
    title: str | None = None
    message: str | None = None
    percentage: int | None = None


class ProgressParams(Struct, frozen=True):
    token: str
    value: Value


class _News:
    """The latest state of indexing, and a way to wait for the next."""

    def __init__(self, now: Indexing) -> None:
        self.now = now
        self._changed = anyio.Event()

    def tell(self, indexing: Indexing) -> None:
        self.now = indexing
        self._changed.set()
        self._changed = anyio.Event()

    async def change(self) -> None:
        await self._changed.wait()

    async def until(self, *, quiescent: bool) -> None:
        while self.now.quiescent is not quiescent:
            await self._changed.wait()


async def show_indexing(backend: Backend, *, ask: Ask, tell: Tell, after_s: float) -> None:
    """Runs as long as the connection, or until the client refuses to show progress."""
    news = _News(backend.indexing())
    stop_listening = backend.on_indexing(news.tell)
    number = 0
    try:
        while True:
            await news.until(quiescent=False)
            with anyio.move_on_after(after_s):
                await news.until(quiescent=True)
                continue
            number += 1
            token = f"recapd/indexing/{number}"
            if not await ask("window/workDoneProgress/create", CreateParams(token)):
                return
            await _show(news, token, tell)
    finally:
        stop_listening()


async def _show(news: _News, token: str, tell: Tell) -> None:
    begin = Value("begin", title=TITLE, message=_message(news.now), percentage=_percentage(news.now))
    await tell("$/progress", ProgressParams(token, begin))
    shown = _percentage(news.now)
    while not news.now.quiescent:
        await news.change()
        # LSP wants it to rise only, and more logs may be found while the first are read.
        percentage = max(shown, _percentage(news.now))
        if percentage != shown and not news.now.quiescent:
            shown = percentage
            report = Value("report", message=_message(news.now), percentage=percentage)
            await tell("$/progress", ProgressParams(token, report))
    await tell("$/progress", ProgressParams(token, Value("end", message=_message(news.now))))


def _percentage(indexing: Indexing) -> int:
    return min(_WHOLE, indexing.done * _WHOLE // indexing.total) if indexing.total > 0 else 0


def _message(indexing: Indexing) -> str:
    return f"{indexing.done} of {indexing.total} session logs read"
