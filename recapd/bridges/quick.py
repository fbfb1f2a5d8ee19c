"""For programs that an agent starts and waits for: what it says, and one exchange with the daemon."""

from __future__ import annotations

import json
import os

from recapd.client import frames

TYPE_CHECKING = False
if TYPE_CHECKING:
    import _socket
    from typing import Any, TypeAlias

    Json: TypeAlias = dict[str, Any]

# The alarm ends whatever waits so long.
LONGEST_S = 60.0
# What is longer takes longer to read than is left, and no alarm goes off while it is read.
_LONGEST_INPUT = 2 << 20
_LONGEST_ANSWER = 1 << 20


def read_input() -> object:
    """What the agent says on stdin; ValueError where it is no JSON."""
    parts: list[bytes] = []
    size = 0
    while data := os.read(0, 1 << 16):
        parts.append(data)
        size += len(data)
        if size > _LONGEST_INPUT:
            raise ValueError("too long")
    return json.loads(b"".join(parts))


def ask_all(connection: _socket.socket, asked: list[tuple[str, Json]], *, wait_for: int) -> list[object]:
    """Ask everything at once; the results of the first so many, None for what was refused.

    What is not waited for is nevertheless read by the daemon.
    """
    data = b""
    for number, (method, params) in enumerate(asked):
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        data += frames.encode(json.dumps(message).encode("ascii"))
    # The side that writes stays open: a daemon gives up what it does for somebody who has left.
    connection.sendall(data)
    found: dict[int, object] = {}
    buffer = bytearray()
    while not all(number in found for number in range(wait_for)):
        while (body := frames.take(buffer, max_body_bytes=_LONGEST_ANSWER)) is None:
            if not (more := connection.recv(1 << 16)):
                return [found.get(number) for number in range(wait_for)]
            buffer += more
        answer = json.loads(body)
        if isinstance(answer.get("id"), int):
            found[answer["id"]] = answer.get("result")
    return [found[number] for number in range(wait_for)]
