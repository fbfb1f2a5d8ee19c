"""The server's side towards the daemon: requests that wait for answers, and what is followed. Never blocks for long.

A daemon that is not there is started when an agent connects, so that it is there by the first question; one that ends
is looked for again with the next question, or after a while where something is followed.
"""

from __future__ import annotations

import json
import socket
import time
from contextlib import suppress

from recapd.client import frames
from recapd.client.agents import roots_here
from recapd.client.errors import ClientError
from recapd.client.find import reach
from recapd.client.paths import places
from recapd.client.start import connect_to, start_later

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from recapd.bridges.mcp.asking import Asked, Json

_CHUNK = 1 << 16
_MOST_ANSWERED = 64 << 20
# Between two looks for a daemon that ended.
_LOOK_AGAIN_S = 5.0
# A daemon that is asked for a hook's answer is there, or is not waited for.
_REACH_S = 0.2
# The protocol's notReady, and how long a log that is being read is left alone.
_SESSION_NOT_FOUND = 1001
_NOT_READY = 1005
_AGAIN_S = 0.2


class _Waiting:
    __slots__ = ("asked", "deadline", "fail", "nothing", "request", "tell")

    def __init__(self, request: object, asked: Asked, tell: Callable[[str], None], fail: Callable[[str], None]) -> None:
        self.request = request
        self.asked = asked
        self.tell = tell
        self.fail = fail
        # What to tell if the daemon has looked everywhere, which it is being asked.
        self.nothing = ""
        self.deadline = time.monotonic() + asked.timeout_s

    def be_late(self, why: str) -> None:
        if self.asked.when_late is not None:
            self.tell(self.asked.when_late)
        else:
            self.fail(why)


class Daemon:
    def __init__(self, tell_changed: Callable[[str], None]) -> None:
        self._tell_changed = tell_changed
        self._socket: socket.socket | None = None
        self._buffer = bytearray()
        self._last_id = 0
        self._waiting: dict[int, _Waiting] = {}
        # By the name under which it is followed: the session or folder.
        self._followed: dict[str, Json] = {}
        self._look_at = 0.0
        # Whether the daemon is known to have looked for logs: one that was just started has yet to.
        self._has_looked = False
        # Asked again when it is time.
        self._again: list[tuple[float, _Waiting]] = []

    def descriptors(self) -> list[int]:
        return [self._socket.fileno()] if self._socket is not None else []

    def patience_s(self) -> float | None:
        """How long nothing may happen before somebody is late; None: for ever."""
        until = [each.deadline for each in self._waiting.values()] + [at for at, _ in self._again]
        if self._followed and self._socket is None:
            until.append(self._look_at)
        return max(0.0, min(until) - time.monotonic()) if until else None

    def warm_up(self) -> None:
        """A daemon is there by the time somebody asks; nobody waits for it now."""
        try:
            reached = reach(places(), timeout_s=_REACH_S)
        except ClientError:
            return
        if reached is None:
            start_later()
            return
        self._use(reached[0].port, reached[1])

    def ask(self, request: object, asked: Asked, tell: Callable[[str], None], fail: Callable[[str], None]) -> None:
        """One of the two is called, once, unless the request is forgotten before."""
        waiting = _Waiting(request, asked, tell, fail)
        why = self._connect(can_wait=asked.when_late is None)
        if why:
            waiting.be_late(why)
            return
        self._waiting[self._send(asked.method, asked.params)] = waiting

    def forget(self, request: object) -> None:
        for number, waiting in list(self._waiting.items()):
            if waiting.request == request:
                del self._waiting[number]
        self._again = [each for each in self._again if each[1].request != request]

    def follow(self, name: str, session: Json) -> None:
        selector = session if "workspace" in session else {"session": session}
        self._followed[name] = {"subscriptionId": name, "selector": selector}
        if self._connect(can_wait=True) == "":
            self._send("recap/subscribe", self._followed[name])

    def unfollow(self, name: str) -> None:
        if self._followed.pop(name, None) is not None and self._socket is not None:
            self._send("recap/unsubscribe", {"subscriptionId": name})

    def read(self) -> None:
        assert self._socket is not None
        try:
            data = self._socket.recv(_CHUNK)
            self._buffer += data
            while data and (body := frames.take(self._buffer, max_body_bytes=_MOST_ANSWERED)) is not None:
                self._take(json.loads(body))
        except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError, frames.BadFrame):
            # It is gone, or it is no daemon of this protocol.
            data = b""
        if not data:
            self._lose()

    def look_at_clock(self) -> None:
        """Whoever waited too long is told so, and what is due is done."""
        now = time.monotonic()
        for number, waiting in list(self._waiting.items()):
            if waiting.deadline <= now:
                del self._waiting[number]
                waiting.be_late(f"recapd did not answer within {waiting.asked.timeout_s:.0f} s; see: recapd doctor")
        due = [waiting for at, waiting in self._again if at <= now]
        self._again = [each for each in self._again if each[0] > now]
        for waiting in due:
            if waiting.deadline <= now or self._connect(can_wait=False):
                waiting.be_late("The log is still being read; ask again in a moment.")
            else:
                self._waiting[self._send(waiting.asked.method, waiting.asked.params)] = waiting
        if self._followed and self._socket is None and self._look_at <= now:
            self._look_at = now + _LOOK_AGAIN_S
            self._connect(can_wait=False)

    # ---- the connection

    def _connect(self, *, can_wait: bool) -> str:
        """ "" where there is one, else why not. `can_wait`: for a daemon to start."""
        if self._socket is not None:
            return ""
        try:
            if can_wait:
                address, reached = connect_to()
            else:
                found = reach(places(), timeout_s=_REACH_S)
                if found is None:
                    start_later()
                    return "recapd is not running"
                address, reached = found
        except ClientError as error:
            return str(error)
        self._use(address.port, reached)
        return ""

    def _use(self, port: int, connection: socket.socket) -> None:
        self._socket = connection
        self._has_looked = False
        self._buffer.clear()
        # Where this agent keeps its logs may be known to its own environment alone.
        self._send("recapd/discover", {"roots": roots_here(port)})
        for params in self._followed.values():
            self._send("recap/subscribe", params)

    def _lose(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None
        self._look_at = time.monotonic() + _LOOK_AGAIN_S
        lost, self._waiting = self._waiting, {}
        for waiting in lost.values():
            waiting.be_late("recapd ended before it answered; ask again.")

    def _send(self, method: str, params: Json) -> int:
        self._last_id += 1
        message = {"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params}
        assert self._socket is not None
        try:
            self._socket.settimeout(_REACH_S * 5)
            self._socket.sendall(frames.encode(json.dumps(message).encode("ascii")))
        except OSError:
            # Its end is read next, and whoever waits is told.
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
        return self._last_id

    def _take(self, message: Any) -> None:
        if message.get("method") == "recap/didChange":
            self._tell_changed(str(message["params"]["subscriptionId"]))
            return
        waiting = self._waiting.get(message.get("id"))
        if waiting is None:
            return
        error = message.get("error")
        if waiting.nothing:
            del self._waiting[message["id"]]
            self._take_status(waiting, message.get("result") or {})
            return
        # Whoever waits stays in the list until there is something to tell: an answer that cannot be read loses the
        # daemon, and everybody who waits is told.
        told = waiting.asked.tell(message.get("result")) if error is None else ""
        del self._waiting[message["id"]]
        if error is None and not self._has_looked and waiting.asked.is_nothing(message.get("result")):
            waiting.nothing = told
            self._waiting[self._send("recapd/status", {"limit": 1})] = waiting
        elif error is None:
            waiting.tell(told)
        elif error.get("code") == _NOT_READY and waiting.asked.when_late is None:
            # A log is read within moments; whoever asks has time until the deadline.
            self._again.append((time.monotonic() + _AGAIN_S, waiting))
        else:
            waiting.be_late(_in_words_of_tools(error))

    def _take_status(self, waiting: _Waiting, status: Any) -> None:
        """Somebody was told of nothing: so it is where the daemon has looked, and else it is asked again."""
        nothing, waiting.nothing = waiting.nothing, ""
        self._has_looked = bool(status.get("quiescent", True) or status.get("sessions"))
        if self._has_looked:
            waiting.tell(nothing)
        else:
            self._again.append((time.monotonic() + _AGAIN_S, waiting))


def _in_words_of_tools(error: Any) -> str:
    """The daemon's sentence that a session is not there names its methods; who asks here knows tools."""
    if error.get("code") != _SESSION_NOT_FOUND:
        return str(error.get("message"))
    return "There is no such session; the tool `sessions` lists those there are, with the ids to name them by."
