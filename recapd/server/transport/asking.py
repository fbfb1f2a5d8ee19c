"""Requests of ours that a client answers, as when it is asked to show progress."""

from __future__ import annotations

import anyio
from msgspec import Struct

from recapd.server.transport.envelope import Reply, RequestId, request_body
from recapd.server.transport.outbox import Outbox


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
