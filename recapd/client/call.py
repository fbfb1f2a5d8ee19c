"""Asking the daemon one thing after another, blocking. One answer at a time; notifications are kept until asked for."""

from __future__ import annotations

import json
import time

from . import frames
from .errors import CallError, ConnectionLost, NotRecapd, TimedOut, what_to_do
from .paths import Places

TYPE_CHECKING = False
if TYPE_CHECKING:
    import _socket
    from collections.abc import Mapping, Sequence

# Every request but one is answered from what is known: long before this, unless the daemon hangs.
TIMEOUT_S = 30.0
# What takes no reading is answered on the spot: a daemon that needs this long for it is stopped, or hangs.
ANSWER_S = 5.0
# The same where it may have been started just now, and has everything to read.
FIRST_ANSWER_S = 10.0
# Notifications are hints of which the latest counts.
MAX_KEPT = 100
# Far more than any answer has but that of all that is known of a session; JSON takes many times its size in memory.
_MOST_ANSWERED = 64 << 20
_UNBOUNDED = "session/export"


class Connection:
    """One connection to the daemon. Not for several threads."""

    def __init__(self, connection: _socket.socket, *, pid: int = 0) -> None:
        """`pid` is the daemon's, to be named where it does not answer."""
        self._socket = connection
        self._pid = pid
        self._buffer = bytearray()
        self._kept: list[tuple[str, object]] = []
        self._last_id = 0
        self._most = _MOST_ANSWERED

    def call(self, method: str, params: Mapping[str, object] | None = None, *, timeout_s: float = TIMEOUT_S) -> object:
        """The result; CallError with the daemon's error, ClientError where there is no answer."""
        deadline = time.monotonic() + timeout_s
        self._most = most_answered(method)
        self._last_id += 1
        self._send({"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": dict(params or {})})
        while True:
            message = self._receive(deadline)
            if message is None:
                who = f"recapd (pid {self._pid})" if self._pid else "recapd"
                raise TimedOut(f"{who} did not answer {method} within {timeout_s:.0f} s", what_to_do(self._pid))
            if "method" in message:
                self._keep(message)
            elif message.get("id") == self._last_id or (message.get("id") is None and "error" in message):
                # Without an id it is about a request that could not be read, and there is but one.
                return result_of(message)

    def next_notification(self, timeout_s: float) -> tuple[str, object] | None:
        """The oldest notification not yet taken, method and params; None where none comes in time."""
        deadline = time.monotonic() + timeout_s
        while not self._kept:
            message = self._receive(deadline)
            if message is None:
                return None
            if "method" in message:
                self._keep(message)
        return self._kept.pop(0)

    def wait_for_end(self, timeout_s: float) -> None:
        """Wait until the daemon closes the connection: ConnectionLost, or TimedOut where it does not."""
        deadline = time.monotonic() + timeout_s
        while self._receive(deadline) is not None:
            pass
        raise TimedOut("recapd did not end in time", "see: recapd doctor")

    def fileno(self) -> int:
        """To be told when something arrives; what is kept already is not told again."""
        return self._socket.fileno()

    def close(self) -> None:
        self._socket.close()

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _send(self, message: dict[str, object]) -> None:
        try:
            self._socket.settimeout(TIMEOUT_S)
            self._socket.sendall(frames.encode(json.dumps(message).encode("ascii")))
        except OSError:
            # Whoever was turned away is told why, before the connection was closed: that is read next.
            return

    def _receive(self, deadline: float) -> dict[str, object] | None:
        """The next message; None where none is whole by then, however much else arrives."""
        try:
            while (body := frames.take(self._buffer, max_body_bytes=self._most)) is None:
                left_s = deadline - time.monotonic()
                if left_s <= 0:
                    return None
                self._socket.settimeout(left_s)
                data = self._socket.recv(1 << 16)
                if not data:
                    raise ConnectionLost("recapd closed the connection", "see: recapd status")
                self._buffer += data
            message = json.loads(body)
        except TimeoutError:
            return None
        except (ValueError, RecursionError, frames.BadFrame):
            raise NotRecapd from None
        except OSError:
            raise ConnectionLost("The connection to recapd broke", "see: recapd status") from None
        if not isinstance(message, dict):
            raise NotRecapd
        return message

    def _keep(self, message: dict[str, object]) -> None:
        del self._kept[:-MAX_KEPT]
        self._kept.append((str(message["method"]), message.get("params")))


def call(
    method: str,
    params: Mapping[str, object] | None = None,
    *,
    timeout_s: float = TIMEOUT_S,
    where: Places | None = None,
    start_if_missing: bool = True,
    argv: Sequence[str] | None = None,
) -> object:
    """Ask the user's daemon one thing. A daemon that was just ending is replaced, and asked again, once."""
    for is_last in (False, True):
        try:
            # What starts a daemon is not needed to ask one that runs.
            from .start import connect_to

            address, reached = connect_to(where, start_if_missing=start_if_missing, argv=argv)
            with Connection(reached, pid=address.pid) as connection:
                return connection.call(method, params, timeout_s=timeout_s)
        except ConnectionLost:
            if is_last:
                raise
    raise AssertionError("unreachable")


def most_answered(method: str) -> int:
    """The largest answer that is taken for one to this."""
    return frames.MAX_BODY_BYTES if method == _UNBOUNDED else _MOST_ANSWERED


def result_of(message: dict[str, object]) -> object:
    """What an answer holds; CallError where that is an error."""
    error = message.get("error")
    if not isinstance(error, dict):
        return message.get("result")
    code = error.get("code")
    raise CallError(code if isinstance(code, int) else 0, str(error.get("message")), error.get("data"))
