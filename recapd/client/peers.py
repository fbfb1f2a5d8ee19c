"""Whose process is at the other end of a Unix socket. Asked by both sides."""

from __future__ import annotations

import _socket
import struct
import sys

# From <sys/un.h> and <sys/ucred.h> of macOS and the BSDs; Python has no names for them.
_SOL_LOCAL, _LOCAL_PEERCRED, _XUCRED_BYTES = 0, 1, 76


def peer_uid(connection: _socket.socket) -> int | None:
    """The user at the other end; None where the kernel does not tell."""
    try:
        if sys.platform == "linux":
            credentials = connection.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, struct.calcsize("3i"))
            uid = struct.unpack("3i", credentials)[1]
        else:
            credentials = connection.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, _XUCRED_BYTES)
            uid = struct.unpack_from("=II", credentials)[1]
    except OSError:
        return None
    return int(uid)
