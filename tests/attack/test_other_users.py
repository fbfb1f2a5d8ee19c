"""Another user of the machine was there first: nothing is given to them, believed of them, or waited for."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from recapd import __version__
from recapd.client import frames
from recapd.client.paths import places
from recapd.client.version import PROTOCOL_VERSION
from tests.attack.users import User, two_users
from tests.support.processes import until

pytestmark = [pytest.mark.attack, pytest.mark.timeout(300)]

SECRET = "the victims private key"
INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}
SAID = frames.encode(json.dumps(INITIALIZE).encode()).decode()
COMMANDS = (
    ("status",),
    ("status", "--json"),
    ("sockname",),
    ("down",),
    ("doctor",),
    ("sessions",),
    ("recap", "--demo"),
    ("call", "session/list"),
    ("connect",),
    ("sockname", "--start"),
    ("serve", "--socket"),
)
# With nobody to ask they answer themselves, and say so; a check finds what is wrong.
ANSWERED_HERE = {("recap", "--demo"), ("call", "session/list")}


@pytest.fixture(scope="module")
def users() -> Iterator[tuple[User, User]]:
    with two_users() as users:
        yield users


@pytest.fixture
def victim(users: tuple[User, User]) -> Iterator[User]:
    victim = users[0]
    secret = victim.home / ".ssh" / "id_rsa"
    secret.parent.mkdir(mode=0o700)
    secret.write_text(SECRET)
    secret.chmod(0o600)
    for path in (secret, secret.parent):
        os.chown(path, victim.uid, victim.gid)
    yield victim
    victim.end_daemons()
    for name in (".ssh", ".local", "run"):
        shutil.rmtree(victim.home / name, ignore_errors=True)


@pytest.fixture
def attacker(users: tuple[User, User]) -> User:
    return users[1]


@contextmanager
def forger(attacker: User, *paths: str, port: int = 0) -> Iterator[tuple[int, Path]]:
    """The attacker's server: its port, and what it heard."""
    heard = attacker.home / "heard"
    heard.unlink(missing_ok=True)
    with attacker.start(attacker.python, "-m", "tests.attack.forger", str(heard), str(port), *paths) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline()), heard
        finally:
            process.kill()


def about(**said: object) -> str:
    plain = {"pid": 1, "version": __version__, "protocolVersion": PROTOCOL_VERSION, "instanceId": "forged"}
    return json.dumps(plain | said)


PREPARE = """
import os, sys
folder, secret, about, how = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
os.chmod(folder, 0o777 if how == "open to all" else 0o755)
if how in ("a link and a port", "open to all"):
    os.symlink(secret, folder + "/token")
if how == "a pipe for a token":
    os.mkfifo(folder + "/token", 0o666)
    os.chmod(folder + "/token", 0o666)
if how == "a pipe":
    for name in ("recapd.json", "recapd.lock", "daemon.log"):
        os.mkfifo(folder + "/" + name)
        os.chmod(folder + "/" + name, 0o666)
else:
    with open(folder + "/recapd.json", "w") as file:
        file.write(about)
"""
WAYS = ("a link and a port", "a pipe for a token", "a pipe", "a socket", "open to all")


@contextmanager
def prepared(attacker: User, victim: User, folder: str, how: str) -> Iterator[Path]:
    """The attacker is first to make a folder, and puts into it what may be of use; what was heard of the victim."""
    socket_path = f"{folder}/recapd.sock"
    shutil.rmtree(folder, ignore_errors=True)
    attacker.do("import os, sys; os.mkdir(sys.argv[1], 0o755)", folder)
    try:
        with forger(attacker, *([socket_path] if how == "a socket" else [])) as (port, heard):
            said = about(socket=socket_path) if how == "a socket" else about(port=port)
            attacker.do(PREPARE, folder, str(victim.home / ".ssh" / "id_rsa"), said, how)
            yield heard
    finally:
        shutil.rmtree(folder)


@pytest.mark.parametrize("how", WAYS)
def test_a_folder_in_tmp_is_nothing_to_us(how: str, victim: User, attacker: User) -> None:
    with prepared(attacker, victim, f"/tmp/recapd-{victim.uid}", how) as heard:
        for command in COMMANDS[:-1]:
            done = victim.recapd(*command, said=SAID)
            assert "Traceback" not in done.stderr, (command, done.stderr)
            assert "forged" not in done.stdout, command
            if command == ("sockname", "--start"):
                # A daemon of the victim's own, below the home.
                assert json.loads(done.stdout)["socket"].startswith(str(victim.home)), done
        assert heard.read_bytes() == b""


@pytest.mark.parametrize("how", WAYS)
def test_a_folder_that_the_user_names_is_looked_at_first(how: str, victim: User, attacker: User) -> None:
    folder = "/tmp/recapd-test-shared"
    with prepared(attacker, victim, folder, how) as heard:
        for command in COMMANDS:
            done = victim.recapd(*command, environ={"RECAPD_RUNTIME_DIR": folder}, said=SAID)
            said = done.stdout if command == ("doctor",) else done.stderr
            assert "Traceback" not in done.stderr, (command, done.stderr)
            assert f"{folder} belongs to another user" in said and "RECAPD_RUNTIME_DIR" in said, (command, done)
            assert "forged" not in done.stdout
            assert (done.returncode == 0) is (command in ANSWERED_HERE), (command, done)
        assert heard.read_bytes() == b""


def test_a_folder_of_ours_that_others_can_write_to(victim: User, attacker: User) -> None:
    """The attacker has put a socket into it, or may have: what is ours there is not ours alone."""
    folder = f"{victim.home}/run"
    victim.do("import os, sys; os.mkdir(sys.argv[1]); os.chmod(sys.argv[1], 0o777)", folder)
    with forger(attacker, f"{folder}/recapd.sock") as (_, heard):
        for command in COMMANDS:
            done = victim.recapd(*command, environ={"RECAPD_RUNTIME_DIR": folder}, said=SAID)
            said = done.stdout if command == ("doctor",) else done.stderr
            assert "Traceback" not in done.stderr and f"chmod 700 {folder}" in said, (command, done)
        assert heard.read_bytes() == b""


def test_a_socket_that_the_attacker_serves_in_a_folder_of_ours(victim: User, attacker: User) -> None:
    """Once open, closed since: the owner and the mode are right, and who listens is not."""
    folder = f"{victim.home}/run"
    victim.do("import os, sys; os.mkdir(sys.argv[1]); os.chmod(sys.argv[1], 0o777)", folder)
    with forger(attacker, f"{folder}/recapd.sock") as (_, heard):
        os.chmod(folder, 0o700)
        for command in COMMANDS[:-1]:
            done = victim.recapd(*command, environ={"RECAPD_RUNTIME_DIR": folder}, said=SAID)
            said = done.stdout if command == ("doctor",) else done.stderr
            assert "Traceback" not in done.stderr, (command, done.stderr)
            assert f"is served by user {attacker.uid}, not by you" in said, (command, done)
        assert heard.read_bytes().replace(b"<somebody came>", b"") == b""


def test_the_port_of_a_killed_daemon_is_not_told_the_token(victim: User, attacker: User) -> None:
    folder = f"{victim.home}/run"
    environ = {"RECAPD_RUNTIME_DIR": folder}
    with victim.start(victim.python, "-m", "recapd", "serve", "--tcp", "0", "--foreground", environ=environ) as serving:
        until(lambda: os.path.exists(f"{folder}/recapd.json"))
        port = json.loads(Path(folder, "recapd.json").read_text())["port"]
        assert victim.recapd("status", environ=environ).returncode == 0
        serving.kill()
    token = Path(folder, "token").read_bytes()
    with forger(attacker, port=port) as (_, heard):
        assert "not running" in victim.recapd("status", environ=environ).stdout
        assert victim.recapd("sessions", environ=environ).returncode == 1
        assert token not in heard.read_bytes() and heard.read_bytes().replace(b"<somebody came>", b"") == b""


def test_the_attacker_gets_nowhere_near_the_daemon(victim: User, attacker: User) -> None:
    found = json.loads(victim.recapd("sockname", "--start").stdout)
    where = places({"HOME": str(victim.home)})
    assert found["socket"] == where.socket
    code = """
import socket, sys, os
for path in sys.argv[1:]:
    try:
        if path.endswith(".sock"):
            socket.socket(socket.AF_UNIX).connect(path)
        else:
            os.listdir(path) if os.path.isdir(path) else open(path)
        print("got at", path)
    except PermissionError:
        pass
"""
    assert attacker.do(code, where.socket, where.about, where.lock, where.log, where.runtime_dir, where.state_dir) == ""
    # A client of the attacker's that is told to go there is told why it may not.
    done = attacker.recapd("status", environ={"RECAPD_RUNTIME_DIR": where.runtime_dir})
    assert done.returncode == 1 and "Traceback" not in done.stderr
