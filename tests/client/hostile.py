"""What another user of the machine can put where recapd looks, made by this user: a test need not be root."""

from __future__ import annotations

import json
import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.support.clock import PATIENCE_S

NOBODY = 65534
_LAST = b"the last"


def give_away(path: str | Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if it belonged to another user; really so where that is allowed."""
    if os.geteuid() == 0:
        os.chown(path, NOBODY, NOBODY, follow_symlinks=False)
        return
    given = os.lstat(path)

    def foreign(found: os.stat_result) -> os.stat_result:
        return os.stat_result((*found[:4], NOBODY, *found[5:])) if os.path.samestat(found, given) else found

    lstat, fstat = os.lstat, os.fstat
    monkeypatch.setattr(os, "lstat", lambda *args, **named: foreign(lstat(*args, **named)))
    monkeypatch.setattr(os, "fstat", lambda fd: foreign(fstat(fd)))


def about(**said: object) -> str:
    return json.dumps({"pid": 1, "version": "0.1.0", "protocolVersion": "x", "instanceId": "i", **said})


class Port:
    """A port that keeps what it is told."""

    def __init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.number: int = self._listening.getsockname()[1]
        self._received: list[bytes] = []
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        while self._received[-1:] != [_LAST]:
            # Who has heard enough may hang up at any time.
            with self._listening.accept()[0] as connection, suppress(OSError):
                self._received.append(b"")
                while data := connection.recv(4096):
                    self._received[-1] += data
                    connection.sendall(b'Content-Length: 38\r\n\r\n{"jsonrpc":"2.0","id":1,"result":null} ')

    def close(self) -> list[bytes]:
        """What each connection said. Comes last itself, so that none is overlooked which came before."""
        if self._received[-1:] != [_LAST]:
            with socket.create_connection(("127.0.0.1", self.number)) as last:
                last.sendall(_LAST)
            self._thread.join(PATIENCE_S)
            self._listening.close()
        return self._received[:-1]


@contextmanager
def listening_port() -> Iterator[Port]:
    port = Port()
    try:
        yield port
    finally:
        port.close()
