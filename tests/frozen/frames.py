"""A client of the protocol that keeps every byte it gets. Knows frames, no method and none of recapd's modules."""

from __future__ import annotations

import contextlib
import json
import queue
import socket
import subprocess
import threading
from collections.abc import Callable
from typing import IO, Any

# Longer than anything takes on a busy machine: past this the daemon hangs.
PATIENCE_S = 60.0
# One request at a time: all may have the same id, and what is recorded of one does not depend on those before it.
_ID = "q"


class Silence(Exception):
    """Nothing came for as long as one waits."""


class Client:
    """One connection. A frame is its header and its body, as they came; None stands for the end."""

    def __init__(self, sending: IO[bytes], receiving: IO[bytes], close: Callable[[], None]) -> None:
        self._sending = sending
        self._receiving = receiving
        self._close = close
        self._frames: queue.Queue[bytes | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read_all, daemon=True)
        self._reader.start()

    def send_bytes(self, data: bytes) -> None:
        try:
            self._sending.write(data)
            self._sending.flush()
        except (BrokenPipeError, ConnectionResetError):
            # That the other side has left is seen by reading.
            return

    def send(self, message: object) -> None:
        self.send_bytes(framed(json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()))

    def next(self, patience_s: float = PATIENCE_S) -> bytes | None:
        """The next frame; Silence where none comes."""
        try:
            return self._frames.get(timeout=patience_s)
        except queue.Empty:
            raise Silence(f"nothing came for {patience_s} s") from None

    def ask(self, method: str, params: object, *, id: object = _ID) -> str:
        """The body of the answer to one request. Notifications that come before it are passed over."""
        self.send({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        while (frame := self.next()) is not None:
            body = body_of(frame)
            if "method" not in json.loads(body):
                return body
        raise EOFError(f"the connection ended instead of an answer to {method}")

    def result(self, method: str, params: object) -> Any:
        """The result of a request that must not fail."""
        answer = json.loads(self.ask(method, params))
        if "result" not in answer:
            raise AssertionError(f"{method} {params}: {answer}")
        return answer["result"]

    def close(self) -> None:
        self._close()
        self._reader.join(PATIENCE_S)

    def _read_all(self) -> None:
        try:
            while (frame := _read_frame(self._receiving)) is not None:
                self._frames.put(frame)
        except (OSError, ValueError):
            pass
        self._frames.put(None)


def framed(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def body_of(frame: bytes) -> str:
    return frame.partition(b"\r\n\r\n")[2].decode("utf-8", "surrogateescape")


def client_of_socket(path: str) -> Client:
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(path)
    return _client_of(connection)


def client_of_port(port: int) -> Client:
    return _client_of(socket.create_connection(("127.0.0.1", port)))


def client_of_process(process: subprocess.Popen[bytes]) -> Client:
    """A client on a process's stdin and stdout; closing it closes the process's stdin."""
    assert process.stdin is not None and process.stdout is not None
    return Client(process.stdin, process.stdout, process.stdin.close)


def _client_of(connection: socket.socket) -> Client:
    def close() -> None:
        with contextlib.suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)
        connection.close()

    return Client(connection.makefile("wb"), connection.makefile("rb"), close)


def _read_frame(stream: IO[bytes]) -> bytes | None:
    header = b""
    length = 0
    while not header.endswith(b"\r\n\r\n"):
        line = stream.readline()
        if not line:
            return header or None
        header += line
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return header + stream.read(length)
