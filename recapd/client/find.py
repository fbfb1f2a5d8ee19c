"""Finding the daemon that serves this user, and connecting to it. Starts nothing and changes nothing."""

from __future__ import annotations

import json
import os
import socket

from recapd.client import frames
from recapd.client.errors import ConnectionLost, NotPrivate, what_to_do
from recapd.client.paths import Places, places
from recapd.client.peers import peer_uid

# A connection to a local socket is made at once, unless the daemon is stopped or its queue is full.
CONNECT_TIMEOUT_S = 5.0
_LOOPBACK = "127.0.0.1"


class Address:
    """Who serves, and where. Empty strings and zeros where the daemon did not say."""

    __slots__ = ("instance_id", "pid", "port", "protocol_version", "socket", "started_at", "version")

    def __init__(self, said: dict[str, object], *, default_socket: str) -> None:
        self.socket = _text(said, "socket") or ("" if "port" in said else default_socket)
        self.port = _number(said, "port")
        self.pid = _number(said, "pid")
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


def reach(where: Places) -> tuple[Address, socket.socket] | None:
    """A connection to the daemon that serves, and who that is; None where nobody listens."""
    address = address_in(where)
    while address is not None:
        connection = _open(address)
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
    try:
        if address.port:
            _authenticate(connection, where, address.pid)
        elif (uid := peer_uid(connection)) not in (None, os.geteuid()):
            raise NotPrivate(f"The socket {address.socket} is served by user {uid}, not by you; remove it.")
        connection.settimeout(None)
    except BaseException:
        connection.close()
        raise
    return address, connection


def address_in(where: Places) -> Address | None:
    """What the last daemon wrote about itself, whether or not it still serves."""
    try:
        with open(where.about, "rb") as file:
            said = json.loads(file.read())
    except OSError:
        return Address({}, default_socket=where.socket) if os.path.exists(where.socket) else None
    except ValueError:
        said = {}
    return Address(said if isinstance(said, dict) else {}, default_socket=where.socket)


def _open(address: Address) -> socket.socket | None:
    if address.port:
        connection = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    else:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(CONNECT_TIMEOUT_S)
    try:
        connection.connect((_LOOPBACK, address.port) if address.port else address.socket)
    except TimeoutError:
        connection.close()
        raise ConnectionLost(f"recapd (pid {address.pid}) does not answer; {what_to_do(address.pid)}") from None
    except OSError:
        connection.close()
        return None
    return connection


def _authenticate(connection: socket.socket, where: Places, pid: int) -> None:
    """The frame that a TCP connection must begin with; its answer is read, so that the next one is the caller's."""
    try:
        with open(where.token, encoding="ascii") as file:
            token = file.read().strip()
    except OSError as error:
        raise ConnectionLost(f"recapd's token {where.token} cannot be read: {error.strerror}.") from None
    request = {"jsonrpc": "2.0", "id": "authenticate", "method": "recapd/authenticate", "params": {"token": token}}
    buffer = bytearray()
    try:
        connection.sendall(frames.encode(json.dumps(request).encode()))
        while (body := frames.take(buffer)) is None:
            # Byte by byte would be slow and more at once could take the beginning of what follows; nothing follows yet.
            data = connection.recv(4096)
            if not data:
                raise ConnectionLost("recapd refused the connection; run: recapd down, and try again.")
            buffer += data
    except TimeoutError:
        raise ConnectionLost(f"recapd (pid {pid}) does not answer; {what_to_do(pid)}") from None
    except (OSError, frames.BadFrame):
        raise ConnectionLost(
            "Something other than recapd answers on its port; run: recapd down, and try again."
        ) from None
    if b'"error"' in body:
        raise ConnectionLost("recapd did not accept the token; run: recapd down, and try again.")


def _text(said: dict[str, object], key: str) -> str:
    value = said.get(key)
    return value if isinstance(value, str) else ""


def _number(said: dict[str, object], key: str) -> int:
    value = said.get(key)
    return value if isinstance(value, int) else 0
