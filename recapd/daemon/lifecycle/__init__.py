"""Who serves: the lock, the socket, signals, and when nobody needs a daemon any more."""

from recapd.daemon.lifecycle.lifecycle import (
    AlreadyServed,
    Claim,
    IdleTimer,
    Readiness,
    ServeOptions,
    Stdio,
    Tcp,
    UnixSocket,
    claim,
    detach,
    end_on_signal,
    inherited_readiness,
)
from recapd.daemon.lifecycle.sockets import is_own_peer, listen_tcp, new_token
from recapd.daemon.lifecycle.stdio import stdio_stream

__all__ = [
    "AlreadyServed",
    "Claim",
    "IdleTimer",
    "Readiness",
    "ServeOptions",
    "Stdio",
    "Tcp",
    "UnixSocket",
    "claim",
    "detach",
    "end_on_signal",
    "inherited_readiness",
    "is_own_peer",
    "listen_tcp",
    "new_token",
    "stdio_stream",
]
