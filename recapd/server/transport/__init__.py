"""One connection: frames in and out, each request answered exactly once, LSP for editors."""

from recapd.server.transport.accepting import accept_clients, most_clients
from recapd.server.transport.connection import serve_connection
from recapd.server.transport.frames import SocketStream, Traffic
from recapd.server.transport.limits import DEFAULT_LIMITS, Peer

__all__ = [
    "DEFAULT_LIMITS",
    "Peer",
    "SocketStream",
    "Traffic",
    "accept_clients",
    "most_clients",
    "serve_connection",
]
