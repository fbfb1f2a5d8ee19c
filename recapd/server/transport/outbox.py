"""What waits to be sent to one client: a queue of frames, bounded in bytes, and the one task that writes them.

A full queue makes whoever answers wait, and so, in the end, the client that does not read.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import anyio
from anyio.abc import ByteSendStream

from recapd.server.transport.frames import header
from recapd.server.transport.limits import Limits
from recapd.server.transport.traffic import Account

# Small frames that wait together leave together; a system call costs more than copying them. Of a large one a client
# takes so much at a time, or it is stuck.
_PIECE_BYTES = 65_536


class Outbox:
    def __init__(self, limits: Limits, account: Account) -> None:
        self._limits = limits
        self._account = account
        self._waiting: deque[bytes] = deque()
        # Of those that wait, and of those that are being written.
        self._bytes = 0
        self._is_writing = False
        self._is_closed = False
        self._filled = anyio.Event()
        self._drained = anyio.Event()
        # Shielded: whoever ends the connection must not cut a frame in two, nor lose the answers already given.
        self._writing = anyio.CancelScope(shield=True)

    async def send(self, body: bytes) -> None:
        """Queue a body, at once, and then wait until there is room for another. What is sent after the end is lost,
        like its reader."""
        self._put(body)
        while self._is_full and not self._is_closed:
            await self._drained.wait()

    def offer(self, body: bytes) -> bool:
        """Queue a body if there is room right now."""
        if self._is_full or self._is_closed:
            return False
        self._put(body)
        return True

    def close(self) -> None:
        """Nothing more will be sent; what is queued has `closing_s` to get out."""
        if not self._is_closed:
            self._is_closed = True
            self._writing.deadline = anyio.current_time() + self._limits.closing_s
        self._filled.set()
        self._drained.set()

    def give_up(self, last: bytes) -> None:
        """Nothing more will be sent of what is queued; `last` is, where the client can take it."""
        self._drop_all()
        if self._is_writing:
            self._writing.cancel()
        else:
            self._put(last)
        self.close()

    async def write_to(self, stream: ByteSendStream) -> bool:
        """Write frames until the outbox is closed; False where the client does not take them."""
        try:
            with self._writing:
                while await self._has_more():
                    if not await self._write_some(stream):
                        return False
            return not self._writing.cancelled_caught
        finally:
            self._drop_all()
            self.close()

    @property
    def _is_full(self) -> bool:
        return self._bytes >= self._limits.outgoing_bytes or len(self._waiting) >= self._limits.outgoing_frames

    def _put(self, body: bytes) -> None:
        if self._is_closed:
            return
        self._waiting.append(body)
        self._bytes += len(body)
        self._filled.set()
        self._account.change(len(body))

    async def _has_more(self) -> bool:
        """Waits until there is something to write; False where there will be nothing."""
        while not self._waiting and not self._is_closed:
            self._filled = anyio.Event()
            await self._filled.wait()
        return bool(self._waiting)

    async def _write_some(self, stream: ByteSendStream) -> bool:
        taken = self._take()
        size = sum(map(len, taken))
        self._is_writing = True
        try:
            for piece in _pieces(taken):
                with anyio.move_on_after(self._limits.stuck_s) as patience:
                    await stream.send(piece)
                if patience.cancelled_caught:
                    return False
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            return False
        finally:
            self._is_writing = False
            taken.clear()
            self._let_out(size)
        return True

    def _take(self) -> list[bytes]:
        """The bodies to write next: a large one, or as many small ones as leave together."""
        taken = [self._waiting.popleft()]
        size = len(taken[0])
        while self._waiting and size + len(self._waiting[0]) <= _PIECE_BYTES:
            taken.append(self._waiting.popleft())
            size += len(taken[-1])
        return taken

    def _let_out(self, size: int) -> None:
        self._bytes -= size
        self._account.change(-size)
        if not self._is_full:
            self._drained.set()
            self._drained = anyio.Event()

    def _drop_all(self) -> None:
        size = sum(map(len, self._waiting))
        self._waiting.clear()
        self._let_out(size)


def _pieces(bodies: list[bytes]) -> Iterator[bytes]:
    """Frames around the bodies, as they are handed to the system."""
    if len(bodies[0]) <= _PIECE_BYTES:
        yield b"".join(header(body) + body for body in bodies)
        return
    body = bodies[0]
    yield header(body)
    for start in range(0, len(body), _PIECE_BYTES):
        yield body[start : start + _PIECE_BYTES]
