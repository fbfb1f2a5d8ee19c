"""`recapd connect` between an editor (two pipes) and a daemon (a socket whose other end the test holds)."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from recapd.cli.connect import CALLED_WRONGLY, EXIT_CODES
from recapd.client import frames
from recapd.client.errors import OtherVersion
from recapd.client.find import find
from recapd.client.forward import BROKEN, ENDED, LET_GO, NOT_HAD, REFUSED, _farewell, forward, with_roots
from recapd.client.paths import Places
from recapd.client.start import environment_for_daemon
from recapd.daemon.lifecycle.sockets import listen_unix
from tests.support.clock import PATIENCE_S

ROOT = Path(__file__).parent.parent.parent
FORWARD = "import sys; from recapd.client.forward import forward; from tests.client.fake_daemon import ARGV; "
ROOTS = [{"path": "/home/u/.codex/sessions", "agent": "codex"}]
INITIALIZE = b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
LAST = frames.encode(b"the last answer")
OTHER = b'{"jsonrpc":"2.0","id":2,"method":"recap/get",  "params":{"say":"initialize"}}'


class Editor:
    """Runs the forwarder in a thread; the test writes to its stdin and reads from its stdout."""

    def __init__(self, where: Places) -> None:
        stdin, self.stdin = os.pipe()
        self.stdout, stdout = os.pipe()
        self.exit_code: int | None = None

        def run() -> None:
            self.exit_code = forward(where, argv=["/no/such/daemon"], stdin_fd=stdin, stdout_fd=stdout)
            os.close(stdin)
            os.close(stdout)

        self._thread = threading.Thread(target=run)
        self._thread.start()

    def leave(self) -> None:
        os.close(self.stdin)
        self.stdin = -1

    def wait(self) -> int | None:
        self._thread.join(PATIENCE_S)
        return self.exit_code


@contextmanager
def joined(where: Places) -> Iterator[tuple[socket.socket, Editor, socket.socket]]:
    """A listening daemon, an editor, and the daemon's end of the connection between them."""
    where.prepare()
    with listen_unix(where.socket) as listener:
        listener.setblocking(True)
        listener.settimeout(PATIENCE_S)
        editor = Editor(where)
        connection, _ = listener.accept()
        connection.settimeout(PATIENCE_S)
        try:
            yield listener, editor, connection
        finally:
            listener.close()
            connection.close()
            if editor.stdin >= 0:
                editor.leave()
            editor.wait()
            os.close(editor.stdout)


def read_exactly(fd: int, size: int) -> bytes:
    data = b""
    while len(data) < size and (piece := os.read(fd, size - len(data))):
        data += piece
    return data


def received(connection: socket.socket, size: int) -> bytes:
    data = b""
    while len(data) < size and (piece := connection.recv(size - len(data))):
        data += piece
    return data


def test_bytes_go_both_ways_as_they_are(where: Places) -> None:
    with joined(where) as (_, editor, daemon):
        first = frames.encode(OTHER)
        # In pieces, as a pipe may deliver them; nothing is changed, whatever the frames hold.
        os.write(editor.stdin, first[:9])
        os.write(editor.stdin, first[9:])
        assert received(daemon, len(first)) == first
        second = frames.encode(INITIALIZE) + b"\0\xff not a frame at all"
        os.write(editor.stdin, second)
        assert received(daemon, len(second)) == second
        large = frames.encode(os.urandom(1 << 20))
        sending = threading.Thread(target=daemon.sendall, args=(large,))
        sending.start()
        assert read_exactly(editor.stdout, len(large)) == large
        sending.join()


def test_the_first_initialize_brings_the_editors_environment(where: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEX_HOME", "/work/codex")
    with joined(where) as (_, editor, daemon):
        os.write(editor.stdin, frames.encode(INITIALIZE) + frames.encode(OTHER))
        buffer = bytearray()
        bodies: list[bytes] = []
        while len(bodies) < 2:
            buffer += daemon.recv(4096)
            while (body := frames.take(buffer)) is not None:
                bodies.append(body)
        experimental = json.loads(bodies[0])["params"]["capabilities"]["experimental"]
        # By a block of its own an extension would be known, and this editor has none.
        assert "recapd" not in experimental
        roots = experimental["recapdConnect"]["roots"]
        assert {"agent": "codex", "path": "/work/codex/sessions"} in roots
        assert bodies[1] == OTHER


@pytest.mark.parametrize(
    "first", [b"GET / HTTP/1.1\r\n\r\n", b"Content-Length: x\r\n\r\n", b"Content-Length: 9\r\n\r\n{"]
)
def test_what_is_no_frame_is_the_daemons_to_judge(first: bytes, where: Places) -> None:
    with joined(where) as (_, editor, daemon):
        os.write(editor.stdin, first)
        editor.leave()
        assert received(daemon, len(first)) == first


def test_the_editor_leaves_and_still_gets_its_last_answer(where: Places) -> None:
    with joined(where) as (_, editor, daemon):
        os.write(editor.stdin, frames.encode(OTHER))
        editor.leave()
        assert received(daemon, 1 << 16) == frames.encode(OTHER)
        daemon.sendall(LAST)
        daemon.close()
        assert read_exactly(editor.stdout, 100) == LAST
        assert editor.wait() == 0


def test_the_editor_comes_and_goes_without_a_word(where: Places) -> None:
    with joined(where) as (_, editor, daemon):
        editor.leave()
        assert daemon.recv(1) == b""
        daemon.close()
        assert editor.wait() == 0


EXIT = b'{"jsonrpc":"2.0","method":"exit"}'


@pytest.mark.parametrize(("last_word", "code"), [(EXIT, ENDED), (OTHER, LET_GO)])
def test_a_daemon_that_hangs_up_and_goes_on_serving_meant_it(last_word: bytes, code: int, where: Places) -> None:
    with joined(where) as (listener, editor, daemon):
        os.write(editor.stdin, frames.encode(last_word))
        assert received(daemon, len(frames.encode(last_word))) == frames.encode(last_word)
        daemon.sendall(LAST)
        assert read_exactly(editor.stdout, len(LAST)) == LAST
        daemon.close()
        with listener.accept()[0]:
            assert editor.wait() == code


def test_a_daemon_that_dies_is_told(where: Places, capsys: pytest.CaptureFixture[str]) -> None:
    with joined(where) as (listener, editor, daemon):
        daemon.sendall(LAST)
        assert read_exactly(editor.stdout, len(LAST)) == LAST
        listener.close()
        daemon.close()
        assert editor.wait() == 1
    assert capsys.readouterr().err == "recapd: the daemon ended; start `recapd connect` again to get a new one.\n"


NO_FRAMES = [
    b"HTTP/1.1 400 Bad Request\r\nContent-Length: 5\r\n\r\nhello",
    b"<html>Content-Length: 2\r\n\r\n{}</html>",
    b'{"jsonrpc":"2.0"}',
    b"\0" * 100,
    b"c0ntent-",
]


@pytest.mark.parametrize("said", NO_FRAMES)
def test_what_is_no_recapd_is_not_for_the_editor(
    said: bytes, where: Places, capsys: pytest.CaptureFixture[str]
) -> None:
    with joined(where) as (_, editor, daemon):
        os.write(editor.stdin, frames.encode(OTHER))
        daemon.sendall(said[:1])
        # The first byte may have been enough.
        with suppress(ConnectionError):
            daemon.sendall(said[1:])
        assert editor.wait() == NOT_HAD
        assert read_exactly(editor.stdout, 1) == b""
    assert "Something other than recapd answers in its place; run: recapd down" in capsys.readouterr().err


def test_an_answer_may_come_byte_by_byte(where: Places) -> None:
    with joined(where) as (_, editor, daemon):
        for byte in b"CONTENT-type: x\r\n" + LAST:
            daemon.sendall(bytes([byte]))
        assert read_exactly(editor.stdout, 17 + len(LAST)) == b"CONTENT-type: x\r\n" + LAST


def refuse(*_: object, **__: object) -> None:
    raise OtherVersion("The recapd that runs is newer.")


def test_exit_codes_tell_why_it_ended(where: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len({ENDED, BROKEN, NOT_HAD, REFUSED, CALLED_WRONGLY, LET_GO}) == 6
    for code in (ENDED, BROKEN, NOT_HAD, REFUSED, CALLED_WRONGLY, LET_GO):
        assert str(code) in dict(EXIT_CODES)
        assert f"\n| {code} | " in (ROOT / "protocol" / "README.md").read_text()
    monkeypatch.setattr("recapd.client.forward.connect_to", refuse)
    assert forward(where) == REFUSED


def connected(*redirections: str, where: Places) -> tuple[int, str, str]:
    """`recapd connect` as a shell starts it; exit code, stdout, stderr."""
    environ = environment_for_daemon({"PATH": os.environ["PATH"]})
    environ |= {"RECAPD_RUNTIME_DIR": where.runtime_dir, "RECAPD_STATE_DIR": where.state_dir}
    command = f"{sys.executable} -m recapd connect {' '.join(redirections)}"
    done = subprocess.run(["sh", "-c", command], env=environ, capture_output=True, text=True, check=False, timeout=60)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    ("redirections", "code", "told"),
    [
        (("<&-",), CALLED_WRONGLY, "recapd: There is no stdin to speak on"),
        (
            ("</dev/null", ">&-"),
            CALLED_WRONGLY,
            "recapd: There is no stdout to speak on",
        ),
        (("<&-", ">&-", "2>&-"), CALLED_WRONGLY, ""),
        (("</dev/null", "2>&-"), ENDED, ""),
        (("</dev/null",), ENDED, ""),
        (("</dev/null", ">/dev/full"), ENDED, ""),
    ],
)
def test_streams_that_are_closed(redirections: tuple[str, ...], code: int, told: str, where: Places) -> None:
    found, out, err = connected(*redirections, where=where)
    assert (found, out, err.partition(";")[0]) == (code, "", told)


def test_a_daemon_that_ends_before_its_first_word_is_not_noticed(where: Places) -> None:
    with joined(where) as (listener, editor, daemon):
        os.write(editor.stdin, frames.encode(OTHER))
        assert received(daemon, len(frames.encode(OTHER))) == frames.encode(OTHER)
        daemon.close()
        successor, _ = listener.accept()
        with successor:
            successor.settimeout(PATIENCE_S)
            assert received(successor, len(frames.encode(OTHER))) == frames.encode(OTHER)
            successor.sendall(LAST)
            assert read_exactly(editor.stdout, len(LAST)) == LAST


def test_no_daemon_to_be_had_is_one_sentence(where: Places, capsys: pytest.CaptureFixture[str]) -> None:
    editor = Editor(where)
    assert editor.wait() == NOT_HAD
    editor.leave()
    os.close(editor.stdout)
    assert capsys.readouterr().err.startswith("recapd: recapd could not be started")


@pytest.mark.parametrize(("is_killed", "code"), [(True, 1), (False, 0)])
def test_a_daemon_that_is_being_killed_did_not_mean_to_end(where: Places, is_killed: bool, code: int) -> None:
    where.prepare()
    about = {"pid": os.getpid(), "version": "1", "protocolVersion": "1", "instanceId": "i", "socket": where.socket}
    Path(where.about).write_text(json.dumps(about))
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(where.socket)
        listening.listen()
        address = find(where)
        assert address is not None
        listening.accept()[0].close()

        def serve() -> None:
            with listening.accept()[0] as connection:
                if not is_killed:
                    connection.recv(1)

        thread = threading.Thread(target=serve)
        thread.start()
        assert _farewell(where, address, has_left=True) == code
        thread.join()


def test_editors_share_the_daemon_that_the_first_one_started(where: Places) -> None:
    environ = environment_for_daemon(os.environ) | {
        "RECAPD_RUNTIME_DIR": where.runtime_dir,
        "RECAPD_STATE_DIR": where.state_dir,
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }
    editors = [
        subprocess.Popen(
            [sys.executable, "-c", FORWARD + "sys.exit(forward(argv=ARGV))"],
            env=environ,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(2)
    ]
    pids = set()
    for editor in editors:
        assert editor.stdin is not None and editor.stdout is not None
        editor.stdin.write(frames.encode(OTHER))
        editor.stdin.flush()
        size = int(editor.stdout.readline().split()[1])
        editor.stdout.readline()
        pids.add(json.loads(editor.stdout.read(size))["result"]["pid"])
    assert len(pids) == 1
    out, err = editors[0].communicate()
    assert (editors[0].returncode, out, err) == (0, b"", b"")
    os.kill(pids.pop(), signal.SIGKILL)
    other = editors[1]
    assert other.stdout is not None and other.stdout.read() == b""
    assert other.wait() == 1
    assert b"the daemon ended" in other.communicate()[1]
    assert find(where) is None


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({}, {}),
        ({"capabilities": None}, {}),
        ({"capabilities": {"experimental": {"other": 7}}}, {"other": 7}),
        (
            {"capabilities": {"experimental": {"recapd": {"roots": [{"path": "/mine"}]}}}},
            {"recapd": {"roots": [{"path": "/mine"}]}},
        ),
    ],
)
def test_roots_stand_beside_what_the_editor_says(params: dict[str, object], expected: dict[str, object]) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}).encode()
    experimental = json.loads(with_roots(body, ROOTS))["params"]["capabilities"]["experimental"]
    assert experimental == {**expected, "recapdConnect": {"roots": ROOTS}}


@pytest.mark.parametrize(
    "body",
    [
        OTHER,
        b"not json initialize",
        b'["initialize"]',
        b'{"method":"initialize"}',
        b'{"method":"initialize","params":[]}',
        b'{"method":"initialize","params":{"capabilities":7}}',
        b'{"method":"initialize","params":{"capabilities":{"experimental":[1]}}}',
    ],
)
def test_what_does_not_fit_is_left_as_it_is(body: bytes) -> None:
    assert with_roots(body, ROOTS) == body
