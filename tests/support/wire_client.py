"""A client for tests: speaks frames, and fails on anything that nobody asked for, read, or expected.

    async with wire_client(stream) as client:
        recap = await client.request("recap/get", RecapGetParams(), RecapGetResult)
        refused = await client.refused("recap/get", {"format": 7})

Leaving the block says `exit`, reads to the end of the stream and fails on messages that nobody took: an unexpected
notification, a second answer, an answer to nothing. `memory_pipe` makes a pair of streams without an operating system.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import TypeVar, overload

import anyio
import msgspec
from anyio.abc import ByteStream, ObjectReceiveStream, ObjectSendStream
from msgspec import UNSET, Raw, Struct, UnsetType

from recapd.server.transport.frames import FrameReader, frame
from recapd.server.transport.limits import DEFAULT_LIMITS
from recapd.wire.types.errors import ErrorObject
from tests.support.clock import PATIENCE_S

T = TypeVar("T")


class Received(Struct, frozen=True):
    """A message from the server."""

    jsonrpc: str
    id: int | str | UnsetType | None = UNSET
    method: str | UnsetType = UNSET
    params: Raw = Raw(b"")
    result: Raw | UnsetType = UNSET
    error: ErrorObject | UnsetType = UNSET


class Refusal(Exception):
    """The server answered with an error."""

    def __init__(self, error: ErrorObject) -> None:
        super().__init__(f"{error.code}: {error.message}")
        self.error = error


class WireClient:
    def __init__(self, stream: ByteStream, *, ignoring: frozenset[str] = frozenset()) -> None:
        self._stream = stream
        self._frames = FrameReader(stream, DEFAULT_LIMITS)
        self._ignoring = ignoring
        self._last_id = 0
        self._unread: list[Received] = []
        self._arrived = anyio.Event()
        self._is_over = False

    @overload
    async def request(self, method: str, params: object, result: type[T]) -> T: ...

    @overload
    async def request(self, method: str, params: object = None) -> object: ...

    async def request(self, method: str, params: object = None, result: type[object] = object) -> object:
        """The result of a request; Refusal where it is an error."""
        answer = await self.answer(await self.send(method, params))
        if isinstance(answer.error, ErrorObject):
            raise Refusal(answer.error)
        assert isinstance(answer.result, Raw), "an answer without result or error"
        return msgspec.json.decode(answer.result, type=result)

    async def refused(self, method: str, params: object = None) -> ErrorObject:
        """The error that a request is answered with."""
        answer = await self.answer(await self.send(method, params))
        assert isinstance(answer.error, ErrorObject), f"{method} was answered with a result"
        return answer.error

    async def send(self, method: str, params: object = None, *, id: int | str | None = None) -> int | str:
        """Send a request without waiting for the answer; its id."""
        if id is None:
            self._last_id += 1
            id = self._last_id
        await self.send_body(msgspec.json.encode({"jsonrpc": "2.0", "id": id, "method": method, **_params(params)}))
        return id

    async def notify(self, method: str, params: object = None) -> None:
        await self.send_body(msgspec.json.encode({"jsonrpc": "2.0", "method": method, **_params(params)}))

    async def reply(self, request: Received, result: object = None) -> None:
        """Answer a request of the server's."""
        await self.send_body(msgspec.json.encode({"jsonrpc": "2.0", "id": request.id, "result": result}))

    async def send_body(self, body: bytes) -> None:
        await self.send_bytes(frame(body))

    async def send_bytes(self, data: bytes) -> None:
        await self._stream.send(data)

    async def answer(self, id: int | str | None) -> Received:
        """The answer to a request, or with None one that names no request."""
        return await self._take(lambda message: message.method is UNSET and message.id == id)

    async def expect_notification(self, method: str, params: type[T]) -> T:
        message = await self._take(lambda message: message.method == method and message.id is UNSET)
        return msgspec.json.decode(message.params, type=params)

    async def expect_request(self, method: str) -> Received:
        """A request of the server's, to be answered with `reply`."""
        return await self._take(lambda message: message.method == method and message.id is not UNSET)

    async def expect_end(self) -> None:
        """The server closes the connection, and everything it sent was taken."""
        with anyio.fail_after(PATIENCE_S):
            while not self._is_over:
                await self._arrived.wait()
        self.check_nothing_unread()

    def check_nothing_unread(self) -> None:
        assert not self._unread, f"messages nobody took: {[_told(message) for message in self._unread]}"

    async def read_all(self) -> None:
        """Receives until the stream ends; runs beside the test."""
        while (body := await self._frames.next()) is not None:
            message = msgspec.json.decode(body, type=Received)
            assert message.jsonrpc == "2.0"
            if message.method not in self._ignoring:
                self._unread.append(message)
            self._wake()
        self._is_over = True
        self._wake()

    async def leave(self) -> None:
        """Say goodbye and see to it that nothing was left unread."""
        if not self._is_over:
            with suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
                await self.notify("exit")
        await self.expect_end()

    def _wake(self) -> None:
        self._arrived.set()
        self._arrived = anyio.Event()

    async def _take(self, is_wanted: Callable[[Received], bool]) -> Received:
        with anyio.fail_after(PATIENCE_S):
            while True:
                for place, message in enumerate(self._unread):
                    if is_wanted(message):
                        return self._unread.pop(place)
                assert not self._is_over, "the server closed the connection instead"
                await self._arrived.wait()


@asynccontextmanager
async def wire_client(stream: ByteStream, *, ignoring: frozenset[str] = frozenset()) -> AsyncIterator[WireClient]:
    """A client on a stream that is connected already. Messages of the methods in `ignoring` may come or not."""
    client = WireClient(stream, ignoring=ignoring)
    async with stream, anyio.create_task_group() as tasks:
        tasks.start_soon(client.read_all)
        try:
            yield client
            await client.leave()
        finally:
            tasks.cancel_scope.cancel()


class MemoryStream(ByteStream):
    """One end of a pipe in memory. What the other end does not read, stops being sent after a few pieces."""

    def __init__(self, sender: ObjectSendStream[bytes], receiver: ObjectReceiveStream[bytes]) -> None:
        self._sender = sender
        self._receiver = receiver
        self._rest = b""

    async def receive(self, max_bytes: int = 65_536) -> bytes:
        data = self._rest or await self._receiver.receive()
        self._rest = data[max_bytes:]
        return data[:max_bytes]

    async def send(self, item: bytes) -> None:
        await self._sender.send(item)

    async def send_eof(self) -> None:
        await self._sender.aclose()

    async def aclose(self) -> None:
        await self._sender.aclose()
        await self._receiver.aclose()


def memory_pipe(pieces: int = 16) -> tuple[MemoryStream, MemoryStream]:
    """Both ends of a connection."""
    to_server, from_client = anyio.create_memory_object_stream[bytes](pieces)
    to_client, from_server = anyio.create_memory_object_stream[bytes](pieces)
    return MemoryStream(to_server, from_server), MemoryStream(to_client, from_client)


def _params(params: object) -> dict[str, object]:
    return {} if params is None else {"params": params}


def _told(message: Received) -> str:
    if message.method is not UNSET:
        return str(message.method)
    return f"answer to {message.id!r}" + (f" ({message.error.message})" if isinstance(message.error, Struct) else "")
