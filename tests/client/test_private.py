"""What another user has put where a client looks is neither opened nor believed, and nothing is said to it."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from recapd.cli import doctor
from recapd.client import find as find_module
from recapd.client.errors import ClientError, ConnectionLost, NotPrivate, StartFailed
from recapd.client.find import find
from recapd.client.paths import Places
from recapd.client.private import read_private
from recapd.client.start import start
from recapd.daemon.lifecycle.sockets import listen_unix
from recapd.daemon.lock import try_lock
from tests.client.fake_daemon import ARGV
from tests.client.hostile import Port, about, give_away, listening_port

# Whatever waits here waits for ever.
pytestmark = pytest.mark.timeout(30)
SECRET = b"ssh-key-of-the-victim"


@pytest.fixture
def port() -> Iterator[Port]:
    with listening_port() as port:
        yield port


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "id_rsa"
    path.write_bytes(SECRET)
    path.chmod(0o600)
    return path


def foreign(where: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    give_away(where.runtime_dir, monkeypatch)


def open_to_all(where: Places, _: pytest.MonkeyPatch) -> None:
    os.chmod(where.runtime_dir, 0o777)


def linked(where: Places, _: pytest.MonkeyPatch) -> None:
    os.rename(where.runtime_dir, where.runtime_dir + "-theirs")
    os.symlink(where.runtime_dir + "-theirs", where.runtime_dir)


def foreign_file(where: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    give_away(where.about, monkeypatch)


def open_file(where: Places, _: pytest.MonkeyPatch) -> None:
    os.chmod(where.about, 0o666)


def linked_file(where: Places, _: pytest.MonkeyPatch) -> None:
    os.rename(where.about, where.about + "-theirs")
    os.symlink(where.about + "-theirs", where.about)


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (foreign, "belongs to another user; remove it, or set RECAPD_RUNTIME_DIR to a folder of your own"),
        (open_to_all, "can be written to by others; look what is in it, then: chmod 700"),
        (linked, "is not a folder itself but a link"),
        (foreign_file, "can be written to by another user; remove it"),
        (open_file, "can be written to by another user; remove it"),
        (linked_file, "is a link, which recapd does not make; remove it"),
    ],
)
def test_a_port_is_believed_only_where_nobody_else_can_have_named_it(
    spoil: Callable[[Places, pytest.MonkeyPatch], None],
    told: str,
    where: Places,
    port: Port,
    secret: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    where.prepare()
    os.symlink(secret, where.token)
    Path(where.about).write_text(about(port=port.number))
    lock = try_lock(where.lock)
    assert lock is not None
    spoil(where, monkeypatch)
    with pytest.raises(NotPrivate, match=told):
        find(where)
    lock.release()
    assert port.close() == []


def link_to(where: Places, secret: Path) -> None:
    os.symlink(secret, where.token)


def pipe(where: Places, _: Path) -> None:
    os.mkfifo(where.token)


def open_token(where: Places, _: Path) -> None:
    Path(where.token).write_text("x" * 43)
    os.chmod(where.token, 0o622)


def other_file(where: Places, secret: Path) -> None:
    os.link(secret, where.token)
    secret.write_text("-----BEGIN KEY-----\n+/=\n")


def damaged(where: Places, _: Path) -> None:
    Path(where.token).write_bytes(b"\xff" * 43)


@pytest.mark.parametrize(
    ("spoil", "error"),
    [
        (link_to, NotPrivate),
        (pipe, NotPrivate),
        (open_token, NotPrivate),
        (other_file, ConnectionLost),
        (damaged, ConnectionLost),
        (lambda *_: None, ConnectionLost),
    ],
)
def test_what_is_no_token_is_not_sent(
    spoil: Callable[[Places, Path], None], error: type[ClientError], where: Places, port: Port, secret: Path
) -> None:
    where.prepare()
    Path(where.about).write_text(about(port=port.number))
    spoil(where, secret)
    lock = try_lock(where.lock)
    assert lock is not None
    with pytest.raises(error, match=where.token):
        find(where)
    lock.release()
    assert b"".join(port.close()) == b""


def test_a_port_that_a_killed_daemon_left_is_anybodys(where: Places, port: Port) -> None:
    where.prepare()
    Path(where.about).write_text(about(port=port.number))
    Path(where.token).write_text("x" * 43)
    # The lock's file stays; that nobody holds it tells.
    Path(where.lock).write_text("1\n")
    assert find(where) is None
    lock = try_lock(where.lock)
    assert lock is not None
    found = find(where)
    assert found is not None and found.port == port.number
    lock.release()
    first, second = port.close()
    assert first == b"" and b"x" * 43 in second


@pytest.mark.parametrize("name", ["about", "token", "lock", "log", "socket"])
def test_a_pipe_keeps_nobody_waiting(name: str, where: Places) -> None:
    where.prepare()
    os.mkfifo(getattr(where, name))
    for work in (
        lambda: find(where),
        lambda: list(doctor.check_daemon(where)),
        lambda: list(doctor.check_own_log(where)),
    ):
        try:
            work()
        except NotPrivate as error:
            assert getattr(where, name) in str(error)
    if name == "log":
        with pytest.raises(StartFailed, match="remove what is there"):
            start(where, argv=ARGV)


def test_what_is_no_file_of_ours_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    path.write_text("ours")
    assert read_private(str(path), most=3) == b"our"
    with pytest.raises(NotPrivate, match="no plain file"):
        read_private(str(tmp_path), most=9)
    give_away(path, monkeypatch)
    with pytest.raises(NotPrivate, match="another user"):
        read_private(str(path), most=9)
    with pytest.raises(FileNotFoundError):
        read_private(str(tmp_path / "none"), most=9)


@pytest.mark.parametrize("told_by", ["the kernel", "the socket's owner"])
def test_a_socket_that_somebody_else_serves_is_told_nothing(
    told_by: str, where: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    where.prepare()
    with listen_unix(where.socket) as listening:
        assert find(where) is not None
        if told_by == "the kernel":
            monkeypatch.setattr(find_module, "peer_uid", lambda _: os.geteuid() + 1)
        else:
            monkeypatch.setattr(find_module, "peer_uid", lambda _: None)
            assert find(where) is not None
            give_away(where.socket, monkeypatch)
        with pytest.raises(NotPrivate, match="not by you; remove it, or set RECAPD_RUNTIME_DIR"):
            find(where)
        received = b""
        while True:
            try:
                with listening.accept()[0] as connection:
                    received += connection.recv(100)
            except BlockingIOError:
                break
        assert received == b""


@pytest.mark.parametrize(
    "text",
    [
        about(port=70_000),
        about(port=-1),
        about(port=True),
        about(port=1.5),
        about(socket="/\0evil"),
        about(socket="\0evil"),
        about(socket="/\ud800"),
        about(socket="x" * 5_000),
        about(socket="/" + "x" * 500),
        about(socket=""),
        "[" * 100_000,
        '{"pid":' + "9" * 5_000 + "}",
        " " * 100_000,
        '{"socket":"' + "x" * 100_000,
    ],
)
def test_nonsense_about_the_daemon_is_no_daemon(text: str, where: Places) -> None:
    where.prepare()
    Path(where.about).write_text(text)
    assert find(where) is None


@pytest.mark.parametrize("pid", [-1, 0, 2**31, True, "7"])
def test_no_process_is_named_that_cannot_be(pid: object, where: Places) -> None:
    where.prepare()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(where.socket)
        listening.listen()
        Path(where.about).write_text(about(pid=pid))
        found = find(where)
        assert found is not None and found.pid == 0
