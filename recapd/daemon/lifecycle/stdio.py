"""stdin and stdout as one byte stream, for an editor that starts recapd itself."""

from __future__ import annotations

import os
import stat
import sys
from typing import Any

import anyio
import anyio.lowlevel
from anyio.abc import ByteStream

_CHUNK = 65_536
# What a pipe that is ready takes without blocking.
_PIPE_CHUNK = 4_096


async def stdio_stream() -> ByteStream:
    """Takes stdin and stdout over; whatever else prints goes to stderr from now on."""
    reading, writing = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return _Stdio(reading, writing)


class _Stdio(ByteStream):
    def __init__(self, reading: int, writing: int) -> None:
        self._reading = reading
        self._writing = writing
        # A file or /dev/null is always ready, and the system refuses to wait for it.
        self._waits_to_read = _can_wait_for(reading)
        self._waits_to_write = _can_wait_for(writing)

    async def receive(self, max_bytes: int = _CHUNK) -> bytes:
        if self._waits_to_read:
            await anyio.wait_readable(self._reading)
        else:
            await anyio.lowlevel.checkpoint()
        data = os.read(self._reading, max_bytes)
        if not data:
            raise anyio.EndOfStream
        return data

    async def send(self, item: bytes) -> None:
        view = memoryview(item)
        while view:
            if self._waits_to_write:
                await anyio.wait_writable(self._writing)
            try:
                view = view[os.write(self._writing, view[:_PIPE_CHUNK]) :]
            except OSError:
                raise anyio.BrokenResourceError from None

    async def send_eof(self) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        for fd in {self._reading, self._writing} - {-1}:
            os.close(fd)
        self._reading = self._writing = -1

    @property
    def extra_attributes(self) -> dict[Any, Any]:
        return {}


def _can_wait_for(fd: int) -> bool:
    mode = os.fstat(fd).st_mode
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or os.isatty(fd)
