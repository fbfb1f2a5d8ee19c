"""One request of a browser: a file of the panel, or the web socket by which the page speaks the protocol.

A browser brings requests of any site that is open in it, so each is asked where it comes from: its Host has to be this
address, which the name of a foreign site that points here is not; and what another site's page asks for is refused.
The files hold nothing of anybody: whatever is known of sessions goes over the socket, behind the token.
A page that comes back asks for a proof before it says the token: another process may have taken the port meanwhile.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import re
from collections.abc import Awaitable, Callable, Mapping

import anyio
from anyio.abc import ByteStream
from msgspec import Struct

from recapd.server.web.websocket import WebSocketStream, accept_key

log = logging.getLogger(__name__)

SOCKET_PATH = "/socket"
_PROOF = re.compile(r"/proof/([0-9a-f]{32,128})")
_HEAD_BYTES = 16 * 1024
_HEAD_S = 5.0
_NOTHING = "default-src 'none'"
_FOREIGN = frozenset({"cross-site", "same-site"})
_SECURITY = (
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cache-Control", "no-store"),
)


class Site(Struct, frozen=True, kw_only=True):
    """What is served, and where: `files` by path, with content type and bytes; `token` opens the socket."""

    files: Mapping[str, tuple[str, bytes]]
    port: int
    token: str

    @property
    def hosts(self) -> frozenset[str]:
        return frozenset({f"127.0.0.1:{self.port}", f"localhost:{self.port}"})


class Request(Struct, frozen=True):
    method: str
    path: str
    # By lower-case names; of a name that comes twice, nothing is believed.
    headers: Mapping[str, str]
    # What came after the head already.
    rest: bytes


async def serve_web(stream: ByteStream, site: Site, serve_socket: Callable[[ByteStream], Awaitable[None]]) -> None:
    """Answer one request and close; a web socket is handed on for as long as it lasts."""
    request = None
    with anyio.move_on_after(_HEAD_S):
        request = await _read_request(stream)
    if request is None:
        return
    refusal = refuse(request, site)
    if refusal is not None:
        log.info("web request refused", extra={"reason": refusal})
        await stream.send(_response(403, "Forbidden"))
    elif request.path == SOCKET_PATH:
        await _open_socket(stream, request, serve_socket)
    elif (file := site.files.get(request.path)) is not None:
        kind, body = file
        await stream.send(_response(200, "OK", body, kind, _policy(request.headers["host"])))
    elif (asked := _PROOF.fullmatch(request.path)) is not None:
        await stream.send(_response(200, "OK", prove(site.token, asked[1]).encode()))
    else:
        await stream.send(_response(404, "Not Found"))


def prove(token: str, nonce: str) -> str:
    """What only who has the token can say of this nonce, and what says nothing about the token."""
    return hmac.digest(token.encode(), nonce.encode(), hashlib.sha256).hex()


def refuse(request: Request, site: Site) -> str | None:
    """Why a request gets nothing; None where it may have what it asks for."""
    headers = request.headers
    host = headers.get("host", "")
    if host not in site.hosts:
        return "host"
    origin = headers.get("origin")
    if request.method != "GET":
        return "method"
    if request.path == SOCKET_PATH:
        # A page always says where it comes from when it opens a socket; what is not a page has the daemon's own socket.
        return None if origin == f"http://{host}" else "origin"
    if origin is not None and origin != f"http://{host}":
        return "origin"
    # To follow a link from elsewhere is fine: the page that it leads to holds nothing without the token.
    is_visit = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    return "site" if headers.get("sec-fetch-site") in _FOREIGN and not is_visit else None


async def _read_request(stream: ByteStream) -> Request | None:
    head = bytearray()
    while b"\r\n\r\n" not in head:
        if len(head) > _HEAD_BYTES:
            return None
        try:
            head += await stream.receive(4096)
        except (anyio.EndOfStream, anyio.BrokenResourceError):
            return None
    text, _, rest = bytes(head).partition(b"\r\n\r\n")
    return read_head(text, rest)


def read_head(head: bytes, rest: bytes = b"") -> Request | None:
    """The request that a head spells; None where it is none."""
    first, *lines = head.decode("latin-1").split("\r\n")
    parts = first.split(" ")
    if len(parts) != 3 or not parts[2].startswith("HTTP/1."):
        return None
    headers: dict[str, str] = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon:
            return None
        key = name.strip().lower()
        headers[key] = "" if key in headers else value.strip()
    return Request(parts[0], parts[1].partition("?")[0], headers, rest)


async def _open_socket(
    stream: ByteStream, request: Request, serve_socket: Callable[[ByteStream], Awaitable[None]]
) -> None:
    key = request.headers.get("sec-websocket-key", "")
    if request.headers.get("upgrade", "").lower() != "websocket" or not key:
        await stream.send(_response(400, "Bad Request"))
        return
    answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    await stream.send(f"{answer}Sec-WebSocket-Accept: {accept_key(key)}\r\n\r\n".encode())
    socket = WebSocketStream(stream, request.rest)
    try:
        await serve_socket(socket)
    finally:
        with anyio.move_on_after(1, shield=True):
            await socket.aclose()


def _policy(host: str) -> str:
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        f"connect-src 'self' ws://{host}; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


def _response(status: int, words: str, body: bytes = b"", kind: str = "text/plain", policy: str = _NOTHING) -> bytes:
    rows = [f"HTTP/1.1 {status} {words}", f"Content-Type: {kind}; charset=utf-8", f"Content-Length: {len(body)}"]
    rows += [f"{name}: {value}" for name, value in _SECURITY]
    rows += [f"Content-Security-Policy: {policy}", "Connection: close", "", ""]
    return "\r\n".join(rows).encode() + body
