"""What clients get wrong, by accident or not: each gets the right error or a closed connection, and its neighbour,
which talks to the same backend all the while, notices nothing."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest
from msgspec import Struct

from recapd.server.transport.frames import frame
from recapd.server.transport.limits import Limits
from recapd.wire import errors
from tests.support.clock import PATIENCE_S
from tests.support.fake_backend import FakeBackend, backend_of, client_of, listening
from tests.support.wire_client import Received, WireClient, wire_client

pytestmark = pytest.mark.anyio

OK = 0
DEEP = 100_000


class Row(Struct, frozen=True, kw_only=True):
    """Bytes a client sends, and what it is to hear: code by code and to which id, OK for a result."""

    name: str
    sent: bytes
    heard: tuple[tuple[int | str | None, int], ...] = ()
    is_closed: bool = False


def request(fields: str) -> bytes:
    return frame(f'{{"jsonrpc":"2.0",{fields}}}'.encode())


def refused(name: str, sent: bytes, code: int, id: int | str | None = None) -> Row:
    return Row(name=name, sent=sent, heard=((id, code),))


def closed(name: str, sent: bytes) -> Row:
    return Row(name=name, sent=sent, heard=((None, errors.PARSE_ERROR),), is_closed=True)


ROWS = (
    # Headers: after these nobody knows where the next frame begins.
    closed("garbage", b"\x00\xff\xfe garbage\r\n\r\n"),
    closed("an HTTP request", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    closed("length of letters", b"Content-Length: abc\r\n\r\n{}"),
    closed("negative length", b"Content-Length: -5\r\n\r\n{}"),
    closed("length 10^12", b"Content-Length: 1000000000000\r\n\r\n{}"),
    closed("length of a hundred digits", b"Content-Length: " + b"9" * 100 + b"\r\n\r\n{}"),
    closed("no length", b"Content-Type: application/json\r\n\r\n{}"),
    closed("header line of 70 KB", b"X-Long: " + b"x" * 70_000 + b"\r\nContent-Length: 2\r\n\r\n{}"),
    closed("header of many lines", b"X-Many: 1\r\n" * 10_000),
    closed("body over the cap", b"Content-Length: %d\r\n\r\n" % ((8 << 20) + 1)),
    Row(
        name="length too short",
        sent=b'Content-Length: 5\r\n\r\n{"a":1}\r\n\r\n',
        heard=((None, errors.PARSE_ERROR), (None, errors.PARSE_ERROR)),
        is_closed=True,
    ),
    closed("half a frame, then silence", b"Content-Length: 100\r\n\r\n{"),
    closed("half a header, then silence", b"Content-Len"),
    # Bodies that are no JSON.
    refused("empty body", frame(b""), errors.PARSE_ERROR),
    refused("invalid JSON", frame(b'{"jsonrpc":'), errors.PARSE_ERROR),
    refused("trailing text", frame(b"{} x"), errors.PARSE_ERROR),
    refused("single quotes", frame(b"{'jsonrpc':'2.0'}"), errors.PARSE_ERROR),
    refused("NaN", frame(b'{"jsonrpc":"2.0","id":1,"method":"recap/get","params":{"limit":NaN}}'), errors.PARSE_ERROR),
    refused("invalid UTF-8", frame(b'{"jsonrpc":"2.0","id":1,"method":"recap/\xff"}'), errors.PARSE_ERROR),
    refused(
        "invalid UTF-8 in unread params",
        frame(b'{"jsonrpc":"2.0","id":1,"method":"no/such","params":{"a":"\xc3("}}'),
        errors.PARSE_ERROR,
    ),
    refused("UTF-16", frame('{"jsonrpc":"2.0","id":1,"method":"recap/get"}'.encode("utf-16")), errors.PARSE_ERROR),
    refused("half a surrogate", request(r'"id":"\ud800","method":"recap/get"'), errors.PARSE_ERROR),
    # JSON that is no request.
    refused("deep arrays", frame(b"[" * DEEP), errors.INVALID_REQUEST),
    refused("deep closed arrays", frame(b"[" * DEEP + b"]" * DEEP), errors.INVALID_REQUEST),
    refused(
        "deep objects in params",
        request('"id":1,"method":"recap/get","params":' + '{"a":' * DEEP),
        errors.INVALID_REQUEST,
    ),
    refused(
        "129 arrays in params",
        request('"id":"deep","method":"recap/get","params":{"x":' + "[" * 127 + "]" * 127 + "}"),
        errors.INVALID_REQUEST,
        "deep",
    ),
    Row(
        name="128 levels are not too deep",
        sent=request('"id":1,"method":"recap/get","params":{"x":' + "[" * 126 + "]" * 126 + "}"),
        heard=((1, OK),),
    ),
    refused("batch", frame(b'[{"jsonrpc":"2.0","id":1,"method":"recap/get"}]'), errors.INVALID_REQUEST),
    refused("empty batch", frame(b"[]"), errors.INVALID_REQUEST),
    refused("number", frame(b"42"), errors.INVALID_REQUEST),
    refused("string", frame(b'"recap/get"'), errors.INVALID_REQUEST),
    refused("null", frame(b"null"), errors.INVALID_REQUEST),
    refused("empty object", frame(b"{}"), errors.INVALID_REQUEST),
    refused("no jsonrpc", frame(b'{"id":1,"method":"recap/get"}'), errors.INVALID_REQUEST, 1),
    refused("jsonrpc 1.0", frame(b'{"jsonrpc":"1.0","id":1,"method":"recap/get"}'), errors.INVALID_REQUEST, 1),
    refused("jsonrpc a number", frame(b'{"jsonrpc":2.0,"id":1,"method":"recap/get"}'), errors.INVALID_REQUEST, 1),
    refused("no method", request('"id":1'), errors.INVALID_REQUEST, 1),
    refused("id 0 without method", request('"id":0'), errors.INVALID_REQUEST, 0),
    refused("method a number", request('"id":1,"method":7'), errors.INVALID_REQUEST, 1),
    refused("id null", request('"id":null,"method":"recap/get"'), errors.INVALID_REQUEST),
    refused("id a fraction", request('"id":1.5,"method":"recap/get"'), errors.INVALID_REQUEST),
    refused("id an object", request('"id":{},"method":"recap/get"'), errors.INVALID_REQUEST),
    refused("id true", request('"id":true,"method":"recap/get"'), errors.INVALID_REQUEST),
    refused("id too large to repeat", request('"id":1' + "0" * 30 + ',"method":"recap/get"'), errors.INVALID_REQUEST),
    # Requests that ask for the wrong thing.
    refused("unknown method", request('"id":1,"method":"recap/sing"'), errors.METHOD_NOT_FOUND, 1),
    refused("unknown method, bad params", request('"id":1,"method":"x","params":7'), errors.METHOD_NOT_FOUND, 1),
    refused("notification as request", request('"id":1,"method":"recap/didChange"'), errors.METHOD_NOT_FOUND, 1),
    refused("exit as request", request('"id":1,"method":"exit"'), errors.METHOD_NOT_FOUND, 1),
    refused("params an array", request('"id":1,"method":"recap/get","params":[]'), errors.INVALID_PARAMS, 1),
    refused("params a string", request('"id":1,"method":"recap/get","params":"x"'), errors.INVALID_PARAMS, 1),
    refused("wrong type", request('"id":1,"method":"recap/get","params":{"session":7}'), errors.INVALID_PARAMS, 1),
    refused("missing params", request('"id":1,"method":"ref/resolve"'), errors.INVALID_PARAMS, 1),
    refused("missing field", request('"id":1,"method":"recap/subscribe","params":{}'), errors.INVALID_PARAMS, 1),
    refused("initialize without params", request('"id":1,"method":"initialize"'), errors.INVALID_PARAMS, 1),
    refused("initialize with nonsense", request('"id":1,"method":"initialize","params":[]'), errors.INVALID_PARAMS, 1),
    refused(
        "initialize with wrong types",
        request('"id":1,"method":"initialize","params":{"capabilities":{"workspace":7}}'),
        errors.INVALID_PARAMS,
        1,
    ),
    Row(name="null params count as none", sent=request('"id":1,"method":"recap/get","params":null'), heard=((1, OK),)),
    # Two at once, each answered.
    Row(
        name="the same id twice",
        sent=request('"id":1,"method":"recapd/status"') * 2,
        heard=((1, OK), (1, OK)),
    ),
    Row(
        name="a bad one between two good ones",
        sent=request('"id":1,"method":"recap/get"') + frame(b"nonsense") + request('"id":"2","method":"recap/get"'),
        heard=((1, OK), (None, errors.PARSE_ERROR), ("2", OK)),
    ),
    # Nobody waits for an answer to these.
    Row(name="unknown notification", sent=request('"method":"no/such","params":7')),
    Row(name="request method as notification", sent=request('"method":"recapd/shutdown"')),
    Row(name="answer to nothing", sent=request('"id":1,"result":null') + request('"id":null,"error":{}')),
    Row(name="cancel without id", sent=request('"method":"$/cancelRequest"')),
    Row(name="cancel of nothing", sent=request('"method":"$/cancelRequest","params":{"id":99}')),
    Row(name="cancel with a wrong id", sent=request('"method":"$/cancelRequest","params":{"id":[]}')),
    Row(name="initialized before initialize", sent=request('"method":"initialized","params":{}')),
    Row(name="folders before initialize", sent=request('"method":"workspace/didChangeWorkspaceFolders","params":7')),
    Row(name="blank lines", sent=b"\r\n\r\n\n"),
    # Ends.
    Row(name="exit", sent=request('"method":"exit"'), is_closed=True),
    Row(
        name="shutdown, then more",
        sent=request('"id":1,"method":"shutdown"')
        + request('"id":2,"method":"recap/get"')
        + request('"method":"exit"'),
        heard=((1, OK), (2, errors.INVALID_REQUEST)),
        is_closed=True,
    ),
)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def backend(tmp_path: Path) -> FakeBackend:
    return backend_of(tmp_path)


async def check(row: Row, client: WireClient, neighbour: WireClient) -> None:
    """The only place where rows meet the server."""
    await neighbour.request("recap/get")
    await client.send_bytes(row.sent)
    for id, code in row.heard:
        assert code_of(await client.answer(id)) == code
    if row.is_closed:
        await client.expect_end()
    else:
        # Nothing else was said, and the connection still works.
        await client.request("recap/get")
        client.check_nothing_unread()
    await neighbour.request("recap/get")


def code_of(answer: Received) -> int:
    if isinstance(answer.error, Struct):
        assert "Traceback" not in answer.error.message
        return answer.error.code
    return OK


def named(row: Row) -> str:
    return row.name


# Half a frame is given up at once; everything else arrives whole.
HASTY = Limits(frame_s=0)


@pytest.mark.parametrize("row", ROWS, ids=named)
async def test_in_memory(row: Row, backend: FakeBackend) -> None:
    async with client_of(backend) as neighbour, client_of(backend, limits=HASTY) as client:
        await check(row, client, neighbour)
    assert backend.ended == []


async def test_on_a_unix_socket(backend: FakeBackend, tmp_path: Path) -> None:
    """All rows again, one connection each, beside one that lives through it all."""
    path = tmp_path / "s"
    limits = Limits(frame_s=0.3)
    async with listening(path, backend, limits), wire_client(await anyio.connect_unix(path)) as neighbour:
        for row in ROWS:
            async with wire_client(await anyio.connect_unix(path)) as client:
                await check(row, client, neighbour)


async def test_client_that_never_reads(backend: FakeBackend, tmp_path: Path) -> None:
    """It asks for far more than any buffer holds; the server stops reading from it, then lets it go."""
    path = tmp_path / "s"
    asked = request('"id":1,"method":"recap/get"') * 1_000
    async with listening(path, backend, Limits(stuck_s=0.3)), wire_client(await anyio.connect_unix(path)) as neighbour:
        async with await anyio.connect_unix(path) as deaf:
            sent = 0
            with pytest.raises((anyio.BrokenResourceError, OSError)), anyio.fail_after(PATIENCE_S):
                while True:
                    await deaf.send(asked)
                    sent += len(asked)
                    await neighbour.request("recap/get")
            assert sent < 4 << 20
        await neighbour.request("recap/get")
