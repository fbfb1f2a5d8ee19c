"""A web socket as a stream of bytes (RFC 6455): where its messages begin and end does not matter, for the frames of the
protocol inside say that themselves."""

from __future__ import annotations

import base64
import hashlib
from contextlib import suppress

import anyio
from anyio.abc import ByteStream

_GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_CONTINUATION, _TEXT, _BINARY, _CLOSE, _PING, _PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA
_FIN, _MASKED = 0x80, 0x80
# What is said about the connection itself is short.
_MOST_CONTROL_BYTES = 125
_RECEIVE_BYTES = 65_536


def accept_key(key: str) -> str:
    """What proves to a client that its handshake was understood."""
    return base64.b64encode(hashlib.sha1(key.encode("latin-1") + _GUID, usedforsecurity=False).digest()).decode()


class WebSocketStream(ByteStream):
    """The server's end. Whatever a client does that it must not do ends the stream."""

    def __init__(self, stream: ByteStream, begun: bytes = b"") -> None:
        self._stream = stream
        self._buffer = bytearray(begun)
        # Of the data frame that is being read: what is left of it, its mask, and where in the mask it stands.
        self._left = 0
        self._mask = b""
        self._is_over = False

    async def receive(self, max_bytes: int = _RECEIVE_BYTES) -> bytes:
        while True:
            if self._left and self._buffer:
                return self._take_data(max_bytes)
            if not self._left and (frame := self._take_header()) is not None:
                kind, length, mask = frame
                if kind in (_CONTINUATION, _TEXT, _BINARY):
                    self._left, self._mask = length, mask
                else:
                    await self._control(kind, length, mask)
                continue
            self._buffer += await self._stream.receive(_RECEIVE_BYTES)

    async def send(self, item: bytes) -> None:
        await self._stream.send(_header(_BINARY, len(item)) + item)

    async def send_eof(self) -> None:
        await self._close()

    async def aclose(self) -> None:
        await self._close()
        await self._stream.aclose()

    async def _close(self) -> None:
        if self._is_over:
            return
        self._is_over = True
        with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
            # 1000: nothing is wrong.
            await self._stream.send(_header(_CLOSE, 2) + (1000).to_bytes(2, "big"))

    async def _control(self, kind: int, length: int, mask: bytes) -> None:
        while len(self._buffer) < length:
            self._buffer += await self._stream.receive(_RECEIVE_BYTES)
        said = _unmask(bytes(self._buffer[:length]), mask)
        del self._buffer[:length]
        if kind == _CLOSE:
            await self._close()
            raise anyio.EndOfStream
        if kind == _PING:
            await self._stream.send(_header(_PONG, len(said)) + said)

    def _take_data(self, max_bytes: int) -> bytes:
        count = min(max_bytes, self._left, len(self._buffer))
        data = _unmask(bytes(self._buffer[:count]), self._mask)
        del self._buffer[:count]
        self._left -= count
        # The next piece goes on in the middle of the mask.
        turn = count % 4
        self._mask = self._mask[turn:] + self._mask[:turn]
        return data

    def _take_header(self) -> tuple[int, int, bytes] | None:
        """Kind, length and mask of the next frame; None where its header is not there whole."""
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        kind, length = buffer[0] & 0x0F, buffer[1] & 0x7F
        if buffer[0] & 0x70 or not buffer[1] & _MASKED:
            raise anyio.BrokenResourceError
        start = 2
        if length >= 126:
            start += 2 if length == 126 else 8
            if len(buffer) < start:
                return None
            length = int.from_bytes(buffer[2:start], "big")
        if kind >= _CLOSE and length > _MOST_CONTROL_BYTES:
            raise anyio.BrokenResourceError
        if len(buffer) < start + 4:
            return None
        mask = bytes(buffer[start : start + 4])
        del buffer[: start + 4]
        return kind, length, mask


def _unmask(data: bytes, mask: bytes) -> bytes:
    """As one large number: byte by byte takes a hundred times as long."""
    repeated = (mask * (len(data) // 4 + 1))[: len(data)]
    return (int.from_bytes(data, "big") ^ int.from_bytes(repeated, "big")).to_bytes(len(data), "big")


def _header(kind: int, length: int) -> bytes:
    if length < 126:
        return bytes((_FIN | kind, length))
    if length < 1 << 16:
        return bytes((_FIN | kind, 126)) + length.to_bytes(2, "big")
    return bytes((_FIN | kind, 127)) + length.to_bytes(8, "big")
