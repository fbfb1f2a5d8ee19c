"""The bytes of a connection: its socket; LSP frames (`Content-Length` headers around bodies), read with a cap on all
that a stranger may send, and written from a queue that is bounded in bytes; and what all connections together hold.

Knows bytes, not JSON-RPC. Reading is lenient where the meaning is plain (case, LF only, other headers, blank lines
between frames) and ends where it is not: after a bad header nobody knows where the next frame begins.
A full queue makes whoever answers wait, and so, in the end, the client that does not read. Where all of them hold too
much (frames that are not whole yet, requests that wait, answers that nobody has taken), whoever holds most is let go:
that costs a client that sends halves or does not read its connection, and the others nothing.
"""

from __future__ import annotations

import socket
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress

import anyio
import anyio.lowlevel
from anyio.abc import ByteReceiveStream, ByteSendStream, ByteStream

from recapd.server.transport.limits import Limits

_RECEIVE_BYTES = 65_536
_BREAKS = b"\r\n"
# What an editor tells of a document begins with this, whatever the order of its keys. An editor to which somebody shows
# a log sends the whole of it, which nobody wants: it is read past, and its connection lives.
_OF_DOCUMENTS = b'"textDocument'
_HEAD_BYTES = 512


class SocketStream(ByteStream):
    """A connected socket that does not block, and can be given up at any moment.

    anyio's own stream, when it is cancelled in the same turn of the loop in which bytes arrive, has the loop report an
    exception that nobody can catch: one per busy client each time recapd ends. Waiting on the socket itself does not,
    and costs a tenth less per request.
    """

    def __init__(self, connection: socket.socket) -> None:
        self._socket = connection

    async def receive(self, max_bytes: int = 65_536) -> bytes:
        await anyio.lowlevel.checkpoint_if_cancelled()
        has_waited = False
        while True:
            try:
                data = self._socket.recv(max_bytes)
                break
            except BlockingIOError:
                await anyio.wait_readable(self._socket)
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
                rest = rest[self._socket.send(rest) :]
            except BlockingIOError:
                await anyio.wait_writable(self._socket)
            except OSError as error:
                raise anyio.BrokenResourceError from error

    async def send_eof(self) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)

    async def aclose(self) -> None:
        self._socket.close()


# ---- reading


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


def _length(value: bytes, earlier: int | None) -> int:
    # More digits than any length has: int() of a megabyte of digits would take its time.
    if not value.isdigit() or len(value) > 18:
        raise BrokenFrame("the Content-Length is no length")
    length = int(value)
    if earlier not in (None, length):
        raise BrokenFrame("two lengths for one frame")
    return length


# ---- writing


def header(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n" % len(body)


def frame(body: bytes) -> bytes:
    return header(body) + body


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


# ---- all of them together


# Hundreds of times what fifty busy editors hold, and still less than recapd itself takes with a year of logs.
MOST_BYTES = 64 << 20


class Account:
    """What one connection holds."""

    def __init__(self, traffic: Traffic, let_go: Callable[[], None]) -> None:
        self._traffic = traffic
        self.let_go = let_go
        self.held = 0

    def change(self, by: int) -> None:
        """More or less is held; whoever holds most may be let go for it."""
        self.held += by
        self._traffic.changed(self, by)

    def close(self) -> None:
        self._traffic.close(self)


class Traffic:
    """The accounts of all connections of one daemon. Lives on the loop."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self.most_bytes = most_bytes
        self._accounts: set[Account] = set()
        self.held = 0

    def open(self, let_go: Callable[[], None]) -> Account:
        """`let_go` is called at most once; what is held is held no longer after that."""
        account = Account(self, let_go)
        self._accounts.add(account)
        return account

    def close(self, account: Account) -> None:
        if account in self._accounts:
            self._accounts.remove(account)
            self.held -= account.held

    def changed(self, account: Account, by: int) -> None:
        if account not in self._accounts:
            return
        self.held += by
        while self.held > self.most_bytes:
            largest = max(self._accounts, key=lambda each: each.held)
            self.close(largest)
            largest.let_go()
