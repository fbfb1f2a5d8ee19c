"""Finding the daemon that serves this user, and connecting to it. Starts nothing and changes nothing.

Nothing is believed that another user may have written or may serve: see `private`. All that is read has a bound.
"""

from __future__ import annotations

import _socket
import json
import os
import time

from . import frames
from .errors import ConnectionLost, NotPrivate, NotRecapd, what_to_do
from .paths import Places, places
from .peers import peer_uid
from .private import read_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket

# A connection to a local socket is made at once, unless the daemon is stopped or its queue is full.
CONNECT_TIMEOUT_S = 5.0
_QUEUE_PAUSE_S = 0.01
_LOOPBACK = "127.0.0.1"
_LARGEST_PORT, _LARGEST_PID = 65_535, 2**31 - 1
# A few lines; what is longer is something else.
_LONGEST_FILE = 64 << 10
_LONGEST_TEXT = 4096
# The answer to the token is one of two short ones.
_LONGEST_ANSWER = 64 << 10
# The protocol's limitExceeded.
_LIMIT_EXCEEDED = 1008


class Address:
    """Who serves, and where. Empty strings and zeros where the daemon did not say."""

    __slots__ = ("instance_id", "pid", "port", "protocol_version", "socket", "started_at", "version")

    def __init__(self, said: dict[str, object], *, default_socket: str) -> None:
        self.socket = _text(said, "socket") or ("" if said.get("port") is not None else default_socket)
        self.port = _number(said, "port", most=_LARGEST_PORT)
        self.pid = _number(said, "pid", most=_LARGEST_PID)
        self.version = _text(said, "version")
        self.protocol_version = _text(said, "protocolVersion")
        self.instance_id = _text(said, "instanceId")
        self.started_at = _text(said, "startedAt")


def find(where: Places | None = None) -> Address | None:
    """The daemon that serves, or None. What a killed one left behind does not count."""
    reached = reach(where or places())
    if reached is None:
        return None
    reached[1].close()
    return reached[0]


def reach(where: Places, *, timeout_s: float = CONNECT_TIMEOUT_S) -> tuple[Address, socket.socket] | None:
    """A connection to the daemon that serves, and who that is; None where nobody listens."""
    reached = reach_bare(where, timeout_s=timeout_s)
    if reached is None:
        return None
    import socket

    return reached[0], socket.socket(fileno=reached[1].detach())


def reach_bare(where: Places, *, timeout_s: float) -> tuple[Address, _socket.socket] | None:
    """The same, with what `socket` itself is made from: half of what a hook imports would be what that adds."""
    address = address_in(where)
    while address is not None:
        connection = _open(address, timeout_s)
        if connection is None:
            return None
        # One daemon may have followed another since the file was read: who was asked must be who is meant.
        now = address_in(where)
        if now is None or now.instance_id == address.instance_id:
            break
        connection.close()
        address = now
    else:
        return None
    if address.port and not _is_held(where.lock):
        # A killed daemon leaves its port to whoever comes, and its files: but not its lock.
        connection.close()
        return None
    try:
        if address.port:
            _authenticate(connection, where, address.pid, timeout_s)
        else:
            _check_server(connection, address.socket)
        connection.settimeout(None)
    except BaseException:
        connection.close()
        raise
    return address, connection


def address_in(where: Places) -> Address | None:
    """What the last daemon wrote about itself, whether or not it still serves; NotPrivate where it may not have."""
    if not where.is_there():
        return None
    try:
        said = json.loads(read_private(where.about, most=_LONGEST_FILE))
    except OSError:
        return Address({}, default_socket=where.socket) if os.path.lexists(where.socket) else None
    except (ValueError, RecursionError):
        said = {}
    return Address(said if isinstance(said, dict) else {}, default_socket=where.socket)


def _open(address: Address, timeout_s: float) -> _socket.socket | None:
    family = _socket.AF_INET if address.port else _socket.AF_UNIX
    connection = _socket.socket(family, _socket.SOCK_STREAM)
    connection.settimeout(timeout_s)
    try:
        _connect(connection, address, timeout_s)
    except TimeoutError:
        connection.close()
        raise ConnectionLost(f"recapd (pid {address.pid}) does not answer", what_to_do(address.pid)) from None
    except (OSError, ValueError):
        # Nobody there, or no path that anybody could be at.
        connection.close()
        return None
    return connection


def _connect(connection: _socket.socket, address: Address, timeout_s: float) -> None:
    """Waits for a place in the daemon's queue: so many may come at once that there is none."""
    deadline = time.monotonic() + timeout_s
    while True:
        try:
            return connection.connect((_LOOPBACK, address.port) if address.port else address.socket)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise TimeoutError from None
            time.sleep(_QUEUE_PAUSE_S)


def _is_held(lock: str) -> bool:
    from .holder import holder_of

    return holder_of(lock) is not None


def _check_server(connection: _socket.socket, path: str) -> None:
    """That a process of the same user listens at the other end; before anything is said to it."""
    uid = peer_uid(connection)
    if uid is None:
        # Where the kernel does not tell, the socket's owner stands for its server's.
        try:
            uid = os.lstat(path).st_uid
        except OSError:
            uid = -1
    if uid != os.geteuid():
        raise NotPrivate(
            f"The socket {path} is served by user {uid}, not by you",
            "remove it, or set RECAPD_RUNTIME_DIR to a folder of your own.",
        )


def _authenticate(connection: _socket.socket, where: Places, pid: int, timeout_s: float) -> None:
    """The frame that a TCP connection must begin with; its answer is read, so that the next one is the caller's."""
    try:
        token = read_private(where.token, most=_LONGEST_TEXT).strip()
    except OSError as error:
        raise ConnectionLost(f"recapd's token {where.token} cannot be read: {error.strerror}.") from None
    if not token.replace(b"-", b"").replace(b"_", b"").isalnum():
        # Whatever else it is, it is not to be sent anywhere.
        raise ConnectionLost(f"{where.token} holds no token", "run: recapd down, and try again.")
    params = {"token": token.decode()}
    request = {"jsonrpc": "2.0", "id": "authenticate", "method": "recapd/authenticate", "params": params}
    buffer = bytearray()
    deadline = time.monotonic() + timeout_s
    try:
        connection.sendall(frames.encode(json.dumps(request).encode()))
        while (body := frames.take(buffer, max_body_bytes=_LONGEST_ANSWER)) is None:
            # Byte by byte would be slow and more at once could take the beginning of what follows; nothing follows yet.
            connection.settimeout(max(0.001, deadline - time.monotonic()))
            data = connection.recv(4096)
            if not data:
                raise ConnectionLost("recapd refused the connection", "run: recapd down, and try again.")
            buffer += data
    except TimeoutError:
        raise ConnectionLost(f"recapd (pid {pid}) does not answer", what_to_do(pid)) from None
    except (OSError, frames.BadFrame):
        raise NotRecapd from None
    if why := _turned_away(body):
        raise ConnectionLost(why)
    if b'"error"' in body:
        raise ConnectionLost("recapd did not accept the token", "run: recapd down, and try again.")


def _turned_away(body: bytes) -> str:
    """Why recapd has no room for this client, in its own words; "" where that is not what it says."""
    try:
        error = json.loads(body)["error"]
        return _text(error, "message") if error["code"] == _LIMIT_EXCEEDED else ""
    except (ValueError, TypeError, KeyError, RecursionError):
        return ""


def _text(said: dict[str, object], key: str) -> str:
    value = said.get(key)
    return value if isinstance(value, str) and len(value) <= _LONGEST_TEXT else ""


def _number(said: dict[str, object], key: str, *, most: int) -> int:
    value = said.get(key)
    return value if type(value) is int and 0 < value <= most else 0
