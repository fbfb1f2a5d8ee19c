"""What answers in the daemon's place may be anything: it is told in a sentence, in time, and without filling memory."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from recapd.cli import answers
from recapd.client import call as call_module
from recapd.client import frames
from recapd.client.call import Connection, call
from recapd.client.errors import CallError, ClientError, NotRecapd, TimedOut
from recapd.client.paths import Places
from recapd.client.start import environment_for_daemon
from recapd.daemon.lifecycle.sockets import listen_unix

pytestmark = pytest.mark.timeout(120)

Imposter = Callable[[socket.socket], None]


def say(data: bytes) -> Imposter:
    """Says this to whatever it hears, and keeps the connection."""

    def answer(connection: socket.socket) -> None:
        while connection.recv(1 << 16):
            connection.sendall(data)

    return answer


def flood(piece: bytes, *, first: bytes = b"") -> Imposter:
    """Never stops saying this."""

    def answer(connection: socket.socket) -> None:
        connection.recv(1 << 16)
        connection.sendall(first)
        while True:
            connection.sendall(piece)

    return answer


def answer_with(result: object) -> Imposter:
    """Answers every request, and always the same."""

    def answer(connection: socket.socket) -> None:
        buffer = bytearray()
        while data := connection.recv(1 << 16):
            buffer += data
            while (body := frames.take(buffer)) is not None:
                said = {"jsonrpc": "2.0", "id": json.loads(body)["id"], "result": result}
                connection.sendall(frames.encode(json.dumps(said).encode()))

    return answer


@contextmanager
def served(where: Places, imposter: Imposter) -> Iterator[None]:
    where.prepare()
    with listen_unix(where.socket) as listening:
        listening.settimeout(0.05)
        is_over = threading.Event()

        def serve(connection: socket.socket) -> None:
            connection.settimeout(60)
            with connection, suppress(OSError):
                imposter(connection)

        def accept() -> None:
            while not is_over.is_set():
                with suppress(TimeoutError):
                    threading.Thread(target=serve, args=(listening.accept()[0],), daemon=True).start()

        thread = threading.Thread(target=accept)
        thread.start()
        try:
            yield
        finally:
            is_over.set()
            thread.join()


NOTIFICATION = frames.encode(b'{"jsonrpc":"2.0","method":"recapd/didChangeStatus","params":{}}')
OTHER_ANSWER = frames.encode(b'{"jsonrpc":"2.0","id":"another","result":{}}')
NO_RECAPD = [
    pytest.param(b"<html><body>It works!</body></html>" + b" " * 5_000, id="HTML"),
    pytest.param(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n", id="HTTP"),
    pytest.param(b"\0" * 8_000, id="zeros"),
    pytest.param(b"Content-Length: 99999999999\r\n\r\n", id="length of 100 GB"),
    pytest.param(b"Content-Length: " + b"9" * 3_000 + b"\r\n\r\n", id="length of 3000 digits"),
    pytest.param(b"Content-Length: -1\r\n\r\n", id="negative length"),
    pytest.param(frames.encode(b"{"), id="half JSON"),
    pytest.param(frames.encode(b"\xff\xfe"), id="no UTF-8"),
    pytest.param(frames.encode(b"[" * 200_000), id="deep JSON"),
    pytest.param(frames.encode(b"[1]"), id="a list"),
    pytest.param(frames.encode(b'"hello"'), id="a text"),
    pytest.param(frames.encode(b"9" * 5_000), id="a long number"),
]


@pytest.mark.parametrize("said", NO_RECAPD)
def test_what_is_no_answer_is_told(said: bytes, where: Places) -> None:
    with served(where, say(said)), pytest.raises(NotRecapd, match="Something other than recapd answers"):
        call("recapd/status", where=where, start_if_missing=False, timeout_s=30)


@pytest.mark.parametrize(
    "imposter",
    [
        pytest.param(say(b""), id="silence"),
        pytest.param(say(b"Content-Length: 100\r\n\r\n{"), id="half a frame"),
        pytest.param(say(b"Content-Le"), id="half a header"),
        pytest.param(say(OTHER_ANSWER), id="answers to others"),
        pytest.param(flood(NOTIFICATION), id="notifications without end"),
        pytest.param(flood(OTHER_ANSWER), id="answers without end"),
        pytest.param(flood(b" " * 1_000, first=b"Content-Length: 60000000\r\n\r\n"), id="a body without end"),
    ],
)
def test_nobody_is_waited_for_longer_than_was_meant(imposter: Imposter, where: Places) -> None:
    with served(where, imposter):
        began = time.monotonic()
        with pytest.raises((TimedOut, NotRecapd)):
            call("recapd/status", where=where, start_if_missing=False, timeout_s=0.5)
        assert time.monotonic() - began < 20


def test_an_answer_has_a_bound_and_an_export_a_larger_one(where: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(call_module, "_MOST_ANSWERED", 1_000)
    body = b'{"jsonrpc":"2.0","id":1,"result":"' + b"x" * 2_000 + b'"}'
    with served(where, say(frames.encode(body))):
        with pytest.raises(NotRecapd):
            call("recap/get", where=where, start_if_missing=False)
        assert call("session/export", where=where, start_if_missing=False) == "x" * 2_000


def test_an_error_without_an_id_is_the_answer(where: Places) -> None:
    error = b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"no JSON"}}'
    with served(where, say(frames.encode(error))), pytest.raises(CallError, match="no JSON"):
        call("recapd/status", where=where, start_if_missing=False)


def test_notifications_that_never_end_are_not_all_kept(where: Places) -> None:
    with served(where, flood(NOTIFICATION)):
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(where.socket)
        with Connection(connection) as daemon:
            with pytest.raises(TimedOut):
                daemon.call("recapd/status", timeout_s=0.3)
            assert len(daemon._kept) <= 101


WITHOUT = "Something other than recapd answers in its place; run: recapd down"
NAMED = {
    ("status",): WITHOUT,
    ("recap", "--demo"): WITHOUT,
    ("overview", "--all"): WITHOUT,
    ("watch", "--list"): WITHOUT,
}
CODES = {("status",): 1, ("recap", "--demo"): 0, ("overview", "--all"): 1, ("watch", "--list"): 1}
COMMANDS = [
    ("status",),
    ("status", "--json"),
    ("doctor",),
    ("sockname",),
    ("recap", "--demo"),
    ("call", "session/list"),
    ("overview", "--all"),
    ("watch", "--list"),
    ("connect",),
]


@pytest.mark.parametrize(
    "imposter",
    [
        pytest.param(say(b"<html>" + b" " * 5_000), id="HTML"),
        pytest.param(say(frames.encode(b"[" * 200_000)), id="deep JSON"),
        pytest.param(answer_with([7]), id="a list"),
        pytest.param(answer_with({"health": 7, "sessions": "many", "findings": [7], "recap": 7}), id="wrong types"),
    ],
)
def test_commands_say_so_and_go_on_without_where_they_can(imposter: Imposter, where: Places) -> None:
    folders = {"RECAPD_RUNTIME_DIR": where.runtime_dir, "RECAPD_STATE_DIR": where.state_dir, "HOME": where.state_dir}
    environ = environment_for_daemon({"PATH": os.environ["PATH"]}) | folders
    with served(where, imposter):
        for command in COMMANDS:
            done = subprocess.run(
                [sys.executable, "-m", "recapd", *command],
                env=environ,
                input=frames.encode(b'{"jsonrpc":"2.0","id":1,"method":"recapd/status"}'),
                capture_output=True,
                check=False,
                timeout=60,
            )
            told = (done.stdout + done.stderr).decode()
            assert "Traceback" not in told, (command, told)
            if command in CODES:
                assert WITHOUT in told and done.returncode == CODES[command], (command, told)


def test_an_answer_that_does_not_fit_is_asked_for_here(
    where: Places, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from recapd.wire.types import SessionListParams, SessionListResult

    monkeypatch.setenv("RECAPD_RUNTIME_DIR", where.runtime_dir)
    monkeypatch.setenv("RECAPD_STATE_DIR", where.state_dir)
    monkeypatch.setenv("HOME", where.state_dir)
    monkeypatch.setattr(answers, "answer_somewhere", lambda *_, **__: b'{"sessions":7}')
    assert answers.ask("session/list", SessionListParams(), SessionListResult).sessions == ()
    assert "answered without the daemon. Something other than recapd" in capsys.readouterr().err


def test_every_error_is_one_sentence_for_a_person() -> None:
    assert isinstance(NotRecapd(), ClientError) and str(NotRecapd()).count("; ") == 1
