"""A live daemon of any checkout over one made-up session, and a client of it: what a user could start and say."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

RECORDER = Path(__file__).with_name("recorder.py")
PACKAGE = "recapd"
SESSION = "7ace0000-0000-4000-8000-000000000001"
# Enough for a recap to be worth showing, with files, test runs and decisions in it.
TURNS = 12
# Whatever is waited for longer than this never comes.
PATIENCE_S = 60.0
# What is known is written down within a second of a change; after this nothing that an append caused still runs.
QUIET_S = 1.5

Message = dict[str, Any]


class Connection:
    """One client of it."""

    def __init__(self, socket_path: str) -> None:
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(socket_path)
        self._buffer = bytearray()
        self._last_id = 0
        self.notified: list[Message] = []

    def request(self, method: str, params: Message) -> Message:
        """The result; notifications that come before it are kept."""
        self._last_id += 1
        body = json.dumps({"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params}).encode()
        self._socket.sendall(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        while True:
            message = self.receive(PATIENCE_S)
            assert message is not None, f"no answer to {method}"
            if message.get("id") == self._last_id:
                assert "result" in message, message
                result: Message = message["result"]
                return result
            self.notified.append(message)

    def next_notification(self) -> str:
        """The method of the next notification."""
        message = self.notified.pop(0) if self.notified else self.receive(PATIENCE_S)
        assert message is not None, "no notification"
        return str(message["method"])

    def receive(self, timeout_s: float) -> Message | None:
        deadline = time.monotonic() + timeout_s
        while (body := _take_frame(self._buffer)) is None:
            ready, _, _ = select.select([self._socket], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                return None
            data = self._socket.recv(1 << 16)
            assert data, "the daemon closed the connection"
            self._buffer += data
        message: Message = json.loads(body)
        return message


class Traced:
    """One daemon: its log to append to, its clients, and the switch of its recorder.

    Who subscribes asks for nothing, and who asks does not subscribe: what a client follows is made before it is told of
    a change, and would count as part of an append.
    """

    def __init__(self, log: Path, socket_path: str, control: socket.socket) -> None:
        self.log = log
        self._control = control.makefile("rwb")
        self.subscriber = Connection(socket_path)
        self.asker = Connection(socket_path)
        self._lines = 0

    def begin(self) -> None:
        self._command(b"begin\n")

    def end(self) -> Message:
        """What was recorded since `begin`."""
        found: Message = json.loads(self._command(b"end\n"))
        return found

    def _command(self, line: bytes) -> bytes:
        self._control.write(line)
        self._control.flush()
        return self._control.readline()

    def until_at_rest(self) -> None:
        """Everything is read and written down, and nobody has anything to say."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            status = self.asker.request("recapd/status", {"limit": 1})
            if status["quiescent"] and status["sessions"] and not any(each["depth"] for each in status["queues"]):
                break
            assert time.monotonic() < deadline, "the daemon does not come to rest"
            time.sleep(0.05)
        for client in (self.asker, self.subscriber):
            while client.receive(QUIET_S) is not None:
                pass
            client.notified.clear()

    def append(self) -> None:
        """One more prompt at the end of the log."""
        self._lines += 1
        with self.log.open("ab") as file:
            file.write(_prompt(TURNS + self._lines, _uuid(TURNS + self._lines - 1, "last")))


@contextmanager
def traced_daemon(checkout: Path) -> Iterator[Traced]:
    """A daemon of the checkout's own environment, with folders of its own, that knows one session."""
    with tempfile.TemporaryDirectory(prefix="walks") as name:
        home = Path(name).resolve()
        log = home / ".claude" / "projects" / "-work-shop" / f"{SESSION}.jsonl"
        log.parent.mkdir(parents=True)
        log.write_bytes(_conversation())
        socket_path = str(home / "run" / "recapd.sock")
        environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "PYTHONPATH": str(checkout),
            "PYTHONDONTWRITEBYTECODE": "1",
            "RECAPD_RUNTIME_DIR": str(home / "run"),
            "RECAPD_STATE_DIR": str(home / "state"),
        }
        ours, theirs = socket.socketpair()
        recorded = [str(RECORDER), str(theirs.fileno()), str(checkout / PACKAGE), str(home / "run")]
        command = [str(checkout / ".venv" / "bin" / "python"), "-P", *recorded, "serve", "--socket", "--foreground"]
        process = subprocess.Popen(command, env=environ, pass_fds=(theirs.fileno(),), stdin=subprocess.DEVNULL)
        theirs.close()
        try:
            _wait_for(socket_path, process)
            yield Traced(log, socket_path, ours)
        finally:
            ours.close()
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _wait_for(socket_path: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not os.path.exists(socket_path):
        assert process.poll() is None, f"the daemon ended with {process.returncode}"
        assert time.monotonic() < deadline, "the daemon did not begin to serve"
        time.sleep(0.02)


def _take_frame(buffer: bytearray) -> bytes | None:
    head, found, rest = buffer.partition(b"\r\n\r\n")
    if not found:
        return None
    length = int(head.lower().partition(b"content-length:")[2].split()[0])
    if len(rest) < length:
        return None
    del buffer[: len(head) + len(found) + length]
    return bytes(rest[:length])


# ---- the session


def _conversation() -> bytes:
    lines: list[bytes] = []
    for turn in range(TURNS):
        before = _uuid(turn - 1, "last") if turn else None
        edit = {"file_path": f"/work/shop/part{turn}.py", "old_string": "a", "new_string": "b"}
        lines += [
            _prompt(turn, before, uuid=_uuid(turn, "ask")),
            _call(turn, "edit", "ask", "Edit", edit),
            _result(turn, "edited", "edit", "The file was updated."),
            _call(turn, "run", "edited", "Bash", {"command": "pytest -q"}),
            _result(turn, "ran", "run", f"{turn + 3} passed in 0.10s"),
            _say(turn, "ran", f"Part {turn} is changed and its {turn + 3} tests pass. Shall I go on with the next?"),
        ]
    return b"".join(lines)


def _prompt(turn: int, parent: str | None, *, uuid: str | None = None) -> bytes:
    text = f"Use SQLite instead of Redis for part {turn}, and never block the checkout when it is down."
    return _line(turn, uuid or _uuid(turn, "last"), parent, "user", {"role": "user", "content": text})


def _call(turn: int, name: str, parent: str, tool: str, arguments: Message) -> bytes:
    block = {"type": "tool_use", "id": f"call_{turn}_{name}", "name": tool, "input": arguments}
    return _line(turn, _uuid(turn, name), _uuid(turn, parent), "assistant", _message(turn, name, block))


def _result(turn: int, name: str, call: str, text: str) -> bytes:
    block = {"type": "tool_result", "tool_use_id": f"call_{turn}_{call}", "content": text}
    return _line(turn, _uuid(turn, name), _uuid(turn, call), "user", {"role": "user", "content": [block]})


def _say(turn: int, parent: str, text: str) -> bytes:
    message = _message(turn, "said", {"type": "text", "text": text})
    return _line(turn, _uuid(turn, "last"), _uuid(turn, parent), "assistant", message)


def _message(turn: int, name: str, block: Message) -> Message:
    return {"role": "assistant", "id": f"msg_{turn}_{name}", "model": "claude-opus-4-6", "content": [block]}


def _line(turn: int, uuid: str, parent: str | None, kind: str, message: Message) -> bytes:
    entry = {
        "parentUuid": parent,
        "isSidechain": False,
        "uuid": uuid,
        "sessionId": SESSION,
        "cwd": "/work/shop",
        "version": "2.1.50",
        "gitBranch": "main",
        "timestamp": f"2026-03-01T{9 + turn // 60:02}:{turn % 60:02}:00.000Z",
        "type": kind,
        "message": message,
    }
    return json.dumps(entry, separators=(",", ":")).encode() + b"\n"


def _uuid(turn: int, name: str) -> str:
    return f"{turn:08x}-{name.encode().hex():0>12.12}"
