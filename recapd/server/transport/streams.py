"""Unix sockets that can be given up at any moment.

anyio's own stream, when it is cancelled in the same turn of the loop in which bytes arrive, has the loop report an
exception that nobody can catch: one per busy client each time recapd ends. Waiting on the socket itself does not, and
costs a tenth less per request.
"""

from __future__ import annotations

import socket

import anyio
import anyio.lowlevel
from anyio.abc import ByteStream, SocketAttribute


class UnixStream(ByteStream):
    """A connected Unix socket; `owner` closes it."""

    def __init__(self, owner: ByteStream, raw: socket.socket) -> None:
        self._owner = owner
        self._raw = raw

    async def receive(self, max_bytes: int = 65_536) -> bytes:
        await anyio.lowlevel.checkpoint_if_cancelled()
        has_waited = False
        while True:
            try:
                data = self._raw.recv(max_bytes)
                break
            except BlockingIOError:
                await anyio.wait_readable(self._raw)
                has_waited = True
            except OSError as error:
                raise anyio.BrokenResourceError from error
        if not has_waited:
            # A client that is always ahead takes its turn with the others, and what it sent is not lost.
            await anyio.lowlevel.cancel_shielded_checkpoint()
        if not data:
            raise anyio.EndOfStream
        return data

    async def send(self, item: bytes) -> None:
        await anyio.lowlevel.checkpoint_if_cancelled()
        rest = memoryview(item)
        while rest:
            try:
                rest = rest[self._raw.send(rest) :]
            except BlockingIOError:
                await anyio.wait_writable(self._raw)
            except OSError as error:
                raise anyio.BrokenResourceError from error

    async def send_eof(self) -> None:
        await self._owner.send_eof()

    async def aclose(self) -> None:
        await self._owner.aclose()


def steady(stream: ByteStream) -> ByteStream:
    """The stream itself, or the same connection as a UnixStream where it is one."""
    raw = stream.extra(SocketAttribute.raw_socket, None)
    if raw is not None and raw.family == getattr(socket, "AF_UNIX", None):
        return UnixStream(stream, raw)
    return stream
