"""A question or two to a daemon that runs, for commands that somebody waits for. Standard library only."""

from __future__ import annotations

from recapd.client.call import ANSWER_S, Connection
from recapd.client.errors import CallError, ClientError
from recapd.client.find import CONNECT_TIMEOUT_S, reach_bare
from recapd.client.paths import places
from recapd.client.version import PROTOCOL_VERSION


def ask_quickly(*questions: tuple[str, dict[str, object]], timeout_s: float = ANSWER_S) -> list[object] | None:
    """The daemon's answers; None where none runs, or it is not one that this command may use."""
    try:
        reached = reach_bare(places(), timeout_s=CONNECT_TIMEOUT_S)
        if reached is None:
            return None
        address, connection = reached
        with Connection(connection, pid=address.pid) as daemon:
            if address.protocol_version not in ("", PROTOCOL_VERSION):
                return None
            return [daemon.call(method, params, timeout_s=timeout_s) for method, params in questions]
    except (ClientError, CallError):
        return None
