"""LSP framing: `Content-Length` headers around bodies, read with a cap on everything a stranger may send.

Knows bytes, not JSON-RPC. Reading is lenient where the meaning is plain (case, LF only, other headers, blank lines
between frames) and ends where it is not: after a bad header nobody knows where the next frame begins.
"""

from __future__ import annotations

import re
from itertools import accumulate

import anyio
import anyio.lowlevel
from anyio.abc import ByteReceiveStream

from recapd.server.transport.limits import Limits
from recapd.server.transport.traffic import Account

_RECEIVE_BYTES = 65_536
_BREAKS = b"\r\n"
# The string is closed or runs to the end: never tried again from inside, so linear on any input.
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
_NOT_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
_STEP = [0] * 256
for _opening in b"[{":
    _STEP[_opening] = 1
for _closing in b"]}":
    _STEP[_closing] = -1
# Brackets are counted in slices, so that a bad body is refused at its first deep place.
_SLICE = 65_536


# What an editor tells of a document begins with this, whatever the order of its keys. An editor to which somebody shows
# a log sends the whole of it, which nobody wants: it is read past, and its connection lives.
_OF_DOCUMENTS = b'"textDocument'
_HEAD_BYTES = 512


class BrokenFrame(Exception):
    """The stream is no longer a sequence of frames; there is nothing left to do but say so and close."""


class FrameReader:
    """Bodies of frames, one after the other."""

    def __init__(self, stream: ByteReceiveStream, limits: Limits, account: Account | None = None) -> None:
        self._stream = stream
        self._limits = limits
        self._account = account
        self._buffer = bytearray()
        # Length of the body whose header is read already.
        self._expected: int | None = None
        # What is still to come of a body that is passed over.
        self._passing = 0

    async def next(self, body_bytes: int | None = None) -> bytes | None:
        """The next body, or None where the stream ends between two frames; BrokenFrame where it makes no sense."""
        cap = self._limits.body_bytes if body_bytes is None else body_bytes
        if (body := self._take(cap)) is not None:
            # A client that sends many at once takes its turn with the others.
            await anyio.lowlevel.checkpoint()
            return body
        while (body := self._take(cap)) is None:
            if self._has_begun:
                return await self._rest_of_frame(cap)
            if not await self._fill():
                return None
        return body

    def close(self) -> None:
        """Nothing more will be read. What is left goes now, and not when the collector comes by."""
        self._hold(-len(self._buffer))
        self._buffer = bytearray()

    @property
    def _has_begun(self) -> bool:
        return bool(self._buffer) or self._expected is not None or self._passing > 0

    async def _rest_of_frame(self, cap: int) -> bytes | None:
        with anyio.move_on_after(self._limits.frame_s):
            while self._has_begun:
                if not await self._fill():
                    raise BrokenFrame("the stream ended inside a frame")
                if (body := self._take(cap)) is not None:
                    return body
        if self._has_begun:
            raise BrokenFrame("a frame was begun and not finished in time")
        # What was passed over is done with, and the client may be silent for hours after that.
        return await self.next(cap)

    async def _fill(self) -> bool:
        try:
            data = await self._stream.receive(_RECEIVE_BYTES)
        except (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError):
            return False
        self._buffer += data
        self._hold(len(data))
        return True

    def _hold(self, by: int) -> None:
        if self._account is not None:
            self._account.change(by)

    def _take(self, cap: int) -> bytes | None:
        """A whole body out of the buffer, or None where more must be read."""
        if self._passing:
            passed = min(self._passing, len(self._buffer))
            self._drop(passed)
            self._passing -= passed
            if self._passing:
                return None
        if self._expected is None:
            self._expected = self._take_header()
            if self._expected is None:
                return None
        length = self._expected
        if length > cap:
            if length > self._limits.passed_bytes:
                raise BrokenFrame("the body is too long")
            if len(self._buffer) < _HEAD_BYTES:
                return None
            if _OF_DOCUMENTS not in self._buffer[:_HEAD_BYTES]:
                raise BrokenFrame("the body is too long")
            self._expected, self._passing = None, length
            return self._take(cap)
        if len(self._buffer) < length:
            return None
        with memoryview(self._buffer) as view, view[:length] as found:
            body = bytes(found)
        self._drop(length)
        self._expected = None
        return body

    def _drop(self, length: int) -> None:
        """The beginning of the buffer was dealt with. What is left after a large frame is small, and so is its room."""
        if length > _RECEIVE_BYTES:
            self._buffer = self._buffer[length:]
        else:
            del self._buffer[:length]
        self._hold(-length)

    def _take_header(self) -> int | None:
        """The length that a header announces, or None where it is not there whole."""
        buffer = self._buffer
        if buffer.startswith((b"\r", b"\n")):
            self._drop(len(buffer) - len(buffer.lstrip(_BREAKS)))
            buffer = self._buffer
        length: int | None = None
        start = 0
        while (end := buffer.find(b"\n", start, start + self._limits.header_line_bytes)) >= 0:
            line = bytes(buffer[start:end]).rstrip(b"\r")
            start = end + 1
            if start > self._limits.header_bytes:
                raise BrokenFrame("the header is too long")
            if not line:
                self._drop(start)
                if length is None:
                    raise BrokenFrame("the header has no Content-Length")
                return length
            name, colon, value = line.partition(b":")
            if not colon:
                raise BrokenFrame("a header line has no colon")
            if name.strip().lower() == b"content-length":
                length = _length(value.strip(), length)
        if len(buffer) - start >= self._limits.header_line_bytes:
            raise BrokenFrame("a header line is too long")
        return None


def header(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n" % len(body)


def frame(body: bytes) -> bytes:
    return header(body) + body


def is_deeper_than(nesting: int, body: bytes) -> bool:
    """Whether arrays and objects in this JSON stand deeper in each other than so many levels."""
    if body.count(b"[") + body.count(b"{") <= nesting:
        return False
    brackets = _STRING.sub(b"", body).translate(None, _NOT_BRACKETS)
    depth = 0
    for start in range(0, len(brackets), _SLICE):
        depths = list(accumulate(map(_STEP.__getitem__, brackets[start : start + _SLICE]), initial=depth))
        if max(depths) > nesting:
            return True
        depth = depths[-1]
    return False


def _length(value: bytes, earlier: int | None) -> int:
    # More digits than any length has: int() of a megabyte of digits would take its time.
    if not value.isdigit() or len(value) > 18:
        raise BrokenFrame("the Content-Length is no length")
    length = int(value)
    if earlier not in (None, length):
        raise BrokenFrame("two lengths for one frame")
    return length
