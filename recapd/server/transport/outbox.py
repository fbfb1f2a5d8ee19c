"""What waits to be sent to one client: a bounded queue of frames and the one task that writes them.

A full queue makes whoever answers wait, and so, in the end, the client that does not read.
"""

from __future__ import annotations

import anyio
from anyio.abc import ByteSendStream

from recapd.server.transport.frames import frame
from recapd.server.transport.limits import Limits

# Small frames that wait together leave together; a system call costs more than copying them.
_JOINED_BYTES = 65_536


class Outbox:
    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._sender, self._receiver = anyio.create_memory_object_stream[bytes](limits.outgoing_frames)
        # Shielded: whoever ends the connection must not cut a frame in two, nor lose the answers already given.
        self._writing = anyio.CancelScope(shield=True)

    async def send(self, body: bytes) -> None:
        """Queue a body; waits while the queue is full. What is sent after the end is lost, like its reader."""
        try:
            await self._sender.send(body)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            return

    def offer(self, body: bytes) -> bool:
        """Queue a body if there is room right now."""
        try:
            self._sender.send_nowait(body)
        except (anyio.WouldBlock, anyio.BrokenResourceError, anyio.ClosedResourceError):
            return False
        return True

    def close(self) -> None:
        """Nothing more will be sent; what is queued has `closing_s` to get out."""
        self._sender.close()
        self._writing.deadline = anyio.current_time() + self._limits.closing_s

    async def write_to(self, stream: ByteSendStream) -> bool:
        """Write frames until the outbox is closed; False where the client does not take them."""
        with self._writing, self._receiver:
            async for body in self._receiver:
                with anyio.move_on_after(self._limits.stuck_s) as patience:
                    try:
                        await stream.send(self._joined(body))
                    except (anyio.BrokenResourceError, anyio.ClosedResourceError):
                        return False
                if patience.cancelled_caught:
                    return False
        return not self._writing.cancelled_caught

    def _joined(self, body: bytes) -> bytes:
        frames = [frame(body)]
        size = len(body)
        while size < _JOINED_BYTES:
            try:
                body = self._receiver.receive_nowait()
            except (anyio.WouldBlock, anyio.EndOfStream):
                break
            frames.append(frame(body))
            size += len(body)
        return b"".join(frames)
