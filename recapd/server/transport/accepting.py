"""Taking in clients: as many as are served, and a sentence for whoever comes when there is no room.

A process that has used up its descriptors cannot accept a connection to say so, and the connection goes on waiting:
one descriptor is kept for that.
"""

from __future__ import annotations

import errno
import logging
import os
import resource
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress

import anyio

from recapd.server.transport import envelope
from recapd.server.transport.frames import SocketStream, frame
from recapd.wire.errors import RecapError, overloaded

log = logging.getLogger(__name__)

# Ten windows of ten editors, with room to spare; each costs some 20 KB and a look at every change.
MOST_CLIENTS = 256
# What recapd needs for itself: databases, watcher, processes, and logs that are being read.
OWN_DESCRIPTORS = 48
# However few descriptors there are.
_FEWEST_CLIENTS = 4
# The system is out of something that somebody may give back.
_USED_UP = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
_PAUSE_S = 0.1
# What a client has said before it is turned away: unread, it would make the system cut the sentence off.
_UNREAD_BYTES = 1 << 16


def most_clients() -> int:
    """How many can be served with the descriptors that this process may have."""
    descriptors, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if descriptors == resource.RLIM_INFINITY:
        return MOST_CLIENTS
    return min(MOST_CLIENTS, max(descriptors - OWN_DESCRIPTORS, _FEWEST_CLIENTS))


async def accept_clients(
    listener: socket.socket, serve: Callable[[socket.socket, SocketStream], Awaitable[None]], *, most: int
) -> None:
    """Serve whoever comes until cancelled, `most` at once. The listener does not block; `serve` closes the stream."""
    clients = 0

    async def serve_one(connection: socket.socket) -> None:
        nonlocal clients
        try:
            await serve(connection, SocketStream(connection))
        finally:
            clients -= 1
            connection.close()

    async with anyio.create_task_group() as group:
        spare = _spare_descriptor()
        try:
            while True:
                await anyio.wait_readable(listener)
                connection = _accepted(listener)
                if isinstance(connection, OSError):
                    if connection.errno in _USED_UP:
                        log.warning("client turned away", extra={"error": connection.strerror, "clients": clients})
                        spare = _turn_away_with(spare, listener)
                        await anyio.sleep(_PAUSE_S)
                elif clients >= most:
                    _turn_away(connection, _too_many(most))
                else:
                    clients += 1
                    group.start_soon(serve_one, connection)
        finally:
            if spare is not None:
                os.close(spare)


def _accepted(listener: socket.socket) -> socket.socket | OSError:
    """A connection; or why there is none: it may have ended while it waited."""
    try:
        connection, _ = listener.accept()
    except OSError as error:
        return error
    connection.setblocking(False)
    if connection.family == socket.AF_INET:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def _spare_descriptor() -> int | None:
    try:
        return os.open(os.devnull, os.O_RDONLY)
    except OSError:
        return None


def _turn_away_with(spare: int | None, listener: socket.socket) -> int | None:
    """Give the spare descriptor to whoever waits for longest, for as long as it takes to say why; the new spare one."""
    if spare is not None:
        os.close(spare)
        connection = _accepted(listener)
        if not isinstance(connection, OSError):
            _turn_away(connection, _no_descriptor())
    return _spare_descriptor()


def _turn_away(connection: socket.socket, why: RecapError) -> None:
    """Say why and close, without waiting: a socket that nobody has written to takes a sentence."""
    with connection, suppress(OSError):
        connection.send(frame(envelope.error_body(None, why)))
        connection.shutdown(socket.SHUT_WR)
        connection.recv(_UNREAD_BYTES)


def _too_many(most: int) -> RecapError:
    problem = f"recapd serves {most} clients already; end one of them, or try again later."
    return overloaded(problem, limit="clients", maximum=most)


def _no_descriptor() -> RecapError:
    descriptors, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    problem = "recapd has no file descriptor left for another client; try again later, or raise the limit: ulimit -n"
    return overloaded(problem, limit="file descriptors", maximum=descriptors)
