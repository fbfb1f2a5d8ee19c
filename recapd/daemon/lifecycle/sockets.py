"""The sockets the daemon listens on, and who may speak to them. Only the holder of the lock may call `listen_*`."""

from __future__ import annotations

import os
import secrets
import socket
import stat

from recapd.client.errors import ClientError
from recapd.client.paths import check_socket_path
from recapd.client.peers import peer_uid

# Connections that wait to be accepted: fifty editors that come at once after a restart find room.
_BACKLOG = 128
LOOPBACK = "127.0.0.1"


class CannotListen(ClientError):
    """The place to listen at is taken or not allowed; the message is one sentence."""


def listen_unix(path: str) -> socket.socket:
    """A listening socket that only its owner can reach.

    It gets its name when it listens: whoever finds the name is answered, and a stale name is replaced in one step.
    """
    check_socket_path(path + "~")
    try:
        if not stat.S_ISSOCK(os.lstat(path).st_mode):
            raise CannotListen(f"{path} is there and is no socket", "remove it, or choose another path.")
    except FileNotFoundError:
        pass
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    unnamed = path + "~"
    try:
        _unlink(unnamed)
        listener.bind(unnamed)
        os.chmod(unnamed, 0o600)
        listener.listen(_BACKLOG)
        listener.setblocking(False)
        os.rename(unnamed, path)
    except OSError as error:
        listener.close()
        raise CannotListen(f"recapd cannot listen at {path}: {error.strerror}.") from None
    return listener


def listen_tcp(port: int) -> socket.socket:
    """A listening socket that only this machine can reach; port 0 takes a free one."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((LOOPBACK, port))
        listener.listen(_BACKLOG)
        listener.setblocking(False)
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or "there is none of that number"
        raise CannotListen(f"recapd cannot listen on port {port}: {reason}", "choose another, or 0 for any.") from None
    return listener


def is_own_peer(connection: socket.socket) -> bool:
    """Whether the process at the other end of a Unix socket is of the same user. Asked before anything is read."""
    uid = peer_uid(connection)
    # The socket's permissions stand where the kernel does not tell.
    return uid is None or uid == os.geteuid()


def new_token() -> str:
    return secrets.token_urlsafe(32)


def write_private(path: str, data: bytes) -> int:
    """A whole file in one step, for the owner alone. The descriptor stays open: see `still_names`."""
    temporary = f"{path}.{os.getpid()}~"
    _unlink(temporary)
    fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        os.write(fd, data)
        os.rename(temporary, path)
    except BaseException:
        os.close(fd)
        _unlink(temporary)
        raise
    return fd


def still_names(path: str, file: os.stat_result) -> bool:
    """Whether a name stands for the file it was given to. Only while that is open: numbers of removed files return."""
    try:
        return os.path.samestat(os.lstat(path), file)
    except OSError:
        return False


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        return
