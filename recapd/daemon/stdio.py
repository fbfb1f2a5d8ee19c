"""stdin and stdout as one byte stream, for an editor that starts recapd itself."""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Any

import anyio
from anyio.abc import ByteStream

_CHUNK = 65_536


async def stdio_stream() -> ByteStream:
    """Takes stdin and stdout over; whatever else prints goes to stderr from now on."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(os.dup(0), "rb", 0))
    out = os.dup(1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, os.fdopen(out, "wb", 0))
    return _Stdio(reader, asyncio.StreamWriter(transport, protocol, None, loop))


class _Stdio(ByteStream):
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def receive(self, max_bytes: int = _CHUNK) -> bytes:
        data = await self._reader.read(max_bytes)
        if not data:
            raise anyio.EndOfStream
        return data

    async def send(self, item: bytes) -> None:
        try:
            self._writer.write(item)
            await self._writer.drain()
        except (BrokenPipeError, ConnectionResetError):
            raise anyio.BrokenResourceError from None

    async def send_eof(self) -> None:
        self._writer.close()

    async def aclose(self) -> None:
        self._writer.close()

    @property
    def extra_attributes(self) -> dict[Any, Any]:
        return {}
