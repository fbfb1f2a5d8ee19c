"""Who gets the panel's page and its socket from a browser on this machine, and who gets nothing."""

from __future__ import annotations

from contextlib import suppress

import anyio
import pytest
from anyio.abc import ByteStream

from recapd.server.web.serving import Site, read_head, refuse
from recapd.server.web.websocket import WebSocketStream, accept_key

SITE = Site(files={"/": ("text/html", b"<p>")}, port=4711, token="secret")
HERE = "127.0.0.1:4711"


@pytest.mark.parametrize(
    ("path", "headers", "reason"),
    [
        ("/", {"Host": HERE}, None),
        ("/", {"Host": "localhost:4711", "Sec-Fetch-Site": "none"}, None),
        ("/", {"Host": HERE, "Origin": f"http://{HERE}", "Sec-Fetch-Site": "same-origin"}, None),
        # A name of somebody else's that points to this machine.
        ("/", {"Host": "evil.example:4711"}, "host"),
        ("/", {"Host": "127.0.0.1:80"}, "host"),
        ("/", {}, "host"),
        ("/", {"Host": HERE, "Origin": "http://evil.example"}, "origin"),
        ("/", {"Host": HERE, "Origin": "null"}, "origin"),
        ("/", {"Host": HERE, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, "site"),
        ("/", {"Host": HERE, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, "site"),
        (
            "/",
            {
                "Host": HERE,
                "Sec-Fetch-Site": "cross-site",
                "Sec-Fetch-Mode": "navigate",
                "Sec-Fetch-Dest": "document",
            },
            None,
        ),
        ("/socket", {"Host": HERE, "Origin": f"http://{HERE}"}, None),
        ("/socket", {"Host": HERE}, "origin"),
        ("/socket", {"Host": HERE, "Origin": "http://localhost:4711"}, "origin"),
        ("/socket", {"Host": HERE, "Origin": "http://evil.example"}, "origin"),
        ("/socket", {"Host": "evil.example", "Origin": "http://evil.example"}, "host"),
    ],
)
def test_a_request_is_judged_by_where_it_comes_from(path: str, headers: dict[str, str], reason: str | None) -> None:
    lines = [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    request = read_head("\r\n".join(lines).encode())
    assert request is not None and refuse(request, SITE) == reason


def test_a_header_that_comes_twice_is_not_believed() -> None:
    request = read_head(f"GET / HTTP/1.1\r\nHost: {HERE}\r\nHost: evil.example".encode())
    assert request is not None and refuse(request, SITE) == "host"


@pytest.mark.parametrize("head", [b"", b"GET /", b"GET / HTTP/2", b"GET / HTTP/1.1\r\nno colon", b"\x00\xff"])
def test_what_is_no_request_is_none(head: bytes) -> None:
    assert read_head(head) is None


def test_only_reading_is_allowed() -> None:
    request = read_head(f"POST / HTTP/1.1\r\nHost: {HERE}".encode())
    assert request is not None and refuse(request, SITE) == "method"


def test_the_key_is_answered_as_the_standard_says() -> None:
    # The example of RFC 6455, section 1.3.
    assert accept_key("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="


def masked(kind: int, data: bytes, mask: bytes = b"\x11\x22\x33\x44") -> bytes:
    """A frame as browsers send it."""
    body = bytes(byte ^ mask[index % 4] for index, byte in enumerate(data))
    if len(data) < 126:
        length = bytes((0x80 | len(data),))
    elif len(data) < 1 << 16:
        length = bytes((0x80 | 126,)) + len(data).to_bytes(2, "big")
    else:
        length = bytes((0x80 | 127,)) + len(data).to_bytes(8, "big")
    return bytes((0x80 | kind,)) + length + mask + body


class Pieces(ByteStream):
    """What a browser sent, as the network cut it; what is sent back is not looked at."""

    def __init__(self, sent: bytes, piece: int) -> None:
        self._pieces = [sent[start : start + piece] for start in range(0, len(sent), piece)]

    async def receive(self, max_bytes: int = 65_536) -> bytes:
        if not self._pieces:
            raise anyio.EndOfStream
        return self._pieces.pop(0)

    async def send(self, item: bytes) -> None: ...

    async def send_eof(self) -> None: ...

    async def aclose(self) -> None: ...


async def _all_of(sent: bytes, *, piece: int) -> bytes:
    stream = WebSocketStream(Pieces(sent, piece))
    got = b""
    with suppress(anyio.EndOfStream, anyio.BrokenResourceError):
        while True:
            got += await stream.receive(7)
    return got


@pytest.mark.parametrize("piece", [1, 3, 4096])
def test_bytes_come_out_as_they_went_in_however_they_are_cut(piece: int) -> None:
    data = bytes(range(256)) * 3
    sent = masked(2, data[:100]) + masked(9, b"ping") + masked(0, data[100:]) + masked(2, b"") + masked(1, b"end")
    assert anyio.run(lambda: _all_of(sent + masked(8, b"\x03\xe8"), piece=piece)) == data + b"end"


def test_a_long_message_comes_out_whole() -> None:
    data = bytes(range(256)) * 300
    assert anyio.run(lambda: _all_of(masked(2, data), piece=4096)) == data


@pytest.mark.parametrize(
    "sent", [b"\x82\x01a", masked(9, b"x" * 126), b"\xf2" + masked(2, b"a")[1:]], ids=["unmasked", "ping", "reserved"]
)
def test_what_must_not_be_sent_ends_the_stream(sent: bytes) -> None:
    assert anyio.run(lambda: _all_of(masked(2, b"good") + sent + masked(2, b"bad"), piece=4096)) == b"good"
