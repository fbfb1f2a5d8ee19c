"""Who may serve, what others see of it, and when it ends."""

from __future__ import annotations

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from recapd.client import frames
from recapd.client.errors import ClientError, ConnectionLost
from recapd.client.find import find, reach
from recapd.client.holder import holder_of
from recapd.client.paths import Places
from recapd.daemon.lifecycle.lifecycle import (
    AlreadyServed,
    Claim,
    IdleTimer,
    Readiness,
    ServeOptions,
    Tcp,
    UnixSocket,
    claim,
    inherited_readiness,
)
from recapd.daemon.lifecycle.sockets import CannotListen, is_own_peer, listen_tcp, listen_unix
from recapd.daemon.lock import try_lock
from tests.client.folders import own_folders

ROOT = Path(__file__).parent.parent.parent
DAY_S = 86_400.0


@pytest.fixture
def where() -> Iterator[Places]:
    with own_folders() as folders:
        yield folders


def options(where: Places, transport: UnixSocket | Tcp | None = None) -> ServeOptions:
    return ServeOptions(
        transport=transport or UnixSocket(where.socket), runtime_dir=where.runtime_dir, state_dir=where.state_dir
    )


def claimed(where: Places, transport: UnixSocket | Tcp | None = None) -> Claim:
    return claim(options(where, transport), instance_id="i1", started_at="2026-01-01T00:00:00Z")


def test_a_lock_is_one_processs_and_ends_with_it(where: Places) -> None:
    where.prepare()
    code = "import sys; from recapd.daemon.lock import try_lock; lock = try_lock(sys.argv[1]); print(1); input()"
    holder = subprocess.Popen(
        [sys.executable, "-c", f"{code.replace('print(1)', 'print(1, flush=True)')}", where.lock],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        assert holder_of(where.lock) == holder.pid
        assert try_lock(where.lock) is None
        holder.kill()
        holder.wait()
    assert holder_of(where.lock) is None
    lock = try_lock(where.lock)
    assert lock is not None and holder_of(where.lock) == os.getpid()
    lock.release()


# Later versions of Python warn where tests before this one have left a thread. The child does nothing but wait.
@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_a_forked_child_does_not_keep_the_lock(where: Places) -> None:
    where.prepare()
    lock = try_lock(where.lock)
    assert lock is not None
    waiting, going = os.pipe()
    hearing, saying = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(going)
        os.write(saying, b"!")
        os.read(waiting, 1)
        os._exit(0)
    os.read(hearing, 1)
    # As when the parent is killed: its descriptor goes, and the child's copy must not count.
    lock.release()
    again = try_lock(where.lock)
    for fd in (going, waiting, hearing, saying):
        os.close(fd)
    os.waitpid(child, 0)
    assert again is not None
    again.release()


def test_a_lock_whose_file_was_removed_is_known_to_be_void(where: Places) -> None:
    where.prepare()
    lock = try_lock(where.lock)
    assert lock is not None and lock.is_intact()
    os.unlink(where.lock)
    other = try_lock(where.lock)
    assert other is not None and other.is_intact() and not lock.is_intact()
    lock.release()
    other.release()


def test_a_claim_can_be_found_and_is_gone_afterwards(where: Places) -> None:
    held = claimed(where)
    found = find(where)
    assert found is not None
    assert (found.pid, found.instance_id, found.socket) == (os.getpid(), "i1", where.socket)
    assert held.is_intact()
    with pytest.raises(AlreadyServed, match=f"pid {os.getpid()}"):
        claimed(where)
    held.withdraw()
    assert find(where) is None and holder_of(where.lock) == os.getpid()
    held.release()
    assert os.listdir(where.runtime_dir) == ["recapd.lock"]
    claimed(where).release()


def test_a_claim_waits_for_one_that_ends_and_not_for_one_that_hangs(where: Places) -> None:
    old = claimed(where)
    old.withdraw()
    with pytest.raises(ClientError, match=f"kill -9 {os.getpid()}"):
        claim(options(where), instance_id="i2", started_at="", wait_s=0.0, pause=lambda _: None)
    pauses: list[float] = []

    def pause(pause_s: float) -> None:
        pauses.append(pause_s)
        if len(pauses) == 3:
            old.release()

    new = claim(options(where), instance_id="i2", started_at="", pause=pause)
    assert len(pauses) == 3 and pauses == sorted(pauses)
    new.release()


@pytest.mark.parametrize("name", ["recapd.sock", "recapd.json", "recapd.lock"])
def test_a_daemon_notices_that_clients_cannot_find_it(name: str, where: Places) -> None:
    held = claimed(where)
    os.unlink(f"{where.runtime_dir}/{name}")
    Path(where.runtime_dir, name).write_text("of somebody else")
    assert not held.is_intact()
    held.release()
    # What took the name's place is not ours to remove.
    assert Path(where.runtime_dir, name).read_text() == "of somebody else"


def test_the_socket_has_its_name_only_while_it_listens(where: Places) -> None:
    where.prepare()
    stale = socket.socket(socket.AF_UNIX)
    stale.bind(where.socket)
    stale.close()
    with listen_unix(where.socket):
        assert stat.S_IMODE(os.lstat(where.socket).st_mode) == 0o600
        assert os.listdir(where.runtime_dir) == ["recapd.sock"]
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(where.socket)
            assert is_own_peer(client)


def test_a_file_of_the_users_is_not_replaced_by_a_socket(where: Places) -> None:
    where.prepare()
    path = f"{where.runtime_dir}/notes"
    Path(path).write_text("keep me")
    with pytest.raises(CannotListen, match="is no socket"):
        listen_unix(path)
    assert Path(path).read_text() == "keep me"
    with pytest.raises(CannotListen, match="No such file"):
        listen_unix(f"{where.runtime_dir}/no/such/folder.sock")
    with pytest.raises(CannotListen, match="port 99999: there is none of that number; choose another"):
        listen_tcp(99999)


@pytest.mark.parametrize("answer", ['"result":null', '"error":{"code":1009}', None])
def test_tcp_is_for_those_who_know_the_token(answer: str | None, where: Places) -> None:
    held = claimed(where, Tcp(0))
    assert held.token and held.about.port and held.about.socket is None
    assert stat.S_IMODE(os.lstat(where.token).st_mode) == 0o600
    said: list[str] = []

    def accept() -> None:
        held.listener.setblocking(True)
        connection, _ = held.listener.accept()
        with connection:
            buffer = bytearray(connection.recv(4096))
            said.append(json.loads(frames.take(buffer) or b"{}")["params"]["token"])
            if answer is not None:
                connection.sendall(frames.encode(b'{"jsonrpc":"2.0","id":"authenticate",' + answer.encode() + b"}"))

    daemon = threading.Thread(target=accept)
    daemon.start()
    if answer == '"result":null':
        reached = reach(where)
        assert reached is not None and reached[0].port == held.about.port
        reached[1].close()
    else:
        with pytest.raises(ConnectionLost, match="recapd down"):
            reach(where)
    daemon.join()
    assert said[0] == held.token
    held.release()
    assert os.listdir(where.runtime_dir) == ["recapd.lock"]


def test_the_starter_hears_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    monkeypatch.setenv("RECAPD_READY_FD", str(writing))
    readiness = inherited_readiness()
    assert readiness.is_awaited and "RECAPD_READY_FD" not in os.environ
    readiness.failed("It broke\nin two lines.")
    readiness.ready()
    with os.fdopen(reading) as said:
        assert said.read() == "error: It broke in two lines.\n"


@pytest.mark.parametrize("number", ["", "x", "-1", "9999"])
def test_without_a_starter_nothing_is_said(number: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECAPD_READY_FD", number)
    readiness = inherited_readiness()
    assert not readiness.is_awaited
    readiness.ready()
    Readiness(None).failed("unheard")


SIGNALS = """
import anyio
from recapd.daemon.lifecycle.lifecycle import end_on_signal
async def main():
    async with anyio.create_task_group() as group:
        group.start_soon(end_on_signal, lambda name: print(name, flush=True))
        await anyio.sleep(0)
        print("up", flush=True)
anyio.run(main)
"""


def test_the_first_signal_asks_and_the_second_ends() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SIGNALS], env=os.environ | {"PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "up\n"
        process.send_signal(signal.SIGTERM)
        assert process.stdout.readline() == "SIGTERM\n"
        process.send_signal(signal.SIGINT)
        assert process.wait() == 128 + signal.SIGINT


@pytest.mark.parametrize(
    ("idle_s", "clients", "left_at", "watched_at", "now", "expected"),
    [
        (600.0, 0, 0.0, None, 0.0, 600.0),
        (600.0, 0, 0.0, None, 599.0, 1.0),
        (600.0, 0, 0.0, None, 600.0, 0.0),
        (600.0, 0, 0.0, None, 9_999.0, 0.0),
        # A client counts from when it left, not from when it came.
        (600.0, 0, 5_000.0, None, 5_001.0, 599.0),
        (600.0, 1, 0.0, None, 9_999.0, None),
        # A workspace that is looked after keeps the daemon for a day after its last activity.
        (600.0, 0, 0.0, 100.0, 700.0, DAY_S - 600.0),
        (600.0, 0, 0.0, 100.0, DAY_S + 100.0, 0.0),
        (600.0, 0, DAY_S, 0.0, DAY_S + 1.0, 599.0),
        (600.0, 1, 0.0, 0.0, 9 * DAY_S, None),
        (None, 0, 0.0, None, 9 * DAY_S, None),
    ],
)
def test_when_an_unused_daemon_may_end(
    idle_s: float | None, clients: int, left_at: float, watched_at: float | None, now: float, expected: float | None
) -> None:
    time = [0.0]
    timer = IdleTimer(clock=lambda: time[0], idle_s=idle_s)
    time[0] = left_at
    if left_at:
        timer.client_came()
        timer.client_left()
    for _ in range(clients):
        timer.client_came()
    time[0] = now
    assert timer.wait_s(watched_at) == expected
