"""Finding, starting, replacing and asking a daemon: real processes on real sockets."""

from __future__ import annotations

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from recapd import __version__
from recapd.client.call import Connection, call
from recapd.client.errors import CallError, ConnectionLost, NotRunning, OtherVersion, StartFailed
from recapd.client.find import Address, find
from recapd.client.holder import holder_of
from recapd.client.paths import Places
from recapd.client.start import ask_to_end, connect, connect_to, daemon_command, environment_for_daemon, start
from tests.client.fake_daemon import ARGV
from tests.support.processes import until

ROOT = Path(__file__).parent.parent.parent
ASK = """
from recapd.client.call import call
from recapd.client.paths import places
from tests.client.fake_daemon import ARGV
from tests.support.processes import until
print(call("who", {}, argv=ARGV)["pid"])
"""


def ask(where: Places, method: str = "who", **params: object) -> dict[str, object]:
    result = call(method, params, where=where, argv=ARGV)
    assert isinstance(result, dict)
    return result


def test_the_daemon_stands_apart_from_its_starter(where: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "not-a-key")
    answer = ask(where, x=1)
    assert answer["params"] == {"x": 1}
    assert answer["cwd"] == "/"
    assert not {"ANTHROPIC_API_KEY", "RECAPD_READY_FD"} & set(answer["environ"])  # type: ignore[call-overload]
    pid = answer["pid"]
    assert isinstance(pid, int) and pid != os.getpid()
    assert os.getsid(pid) not in (os.getsid(0), pid)


def test_nobody_else_can_get_at_it(where: Places) -> None:
    connect(where, argv=ARGV).close()
    modes = {path: stat.S_IMODE(os.lstat(path).st_mode) for path in (where.runtime_dir, where.state_dir)}
    assert set(modes.values()) == {0o700}
    for path in (where.socket, where.about, where.lock, where.log):
        assert stat.S_IMODE(os.lstat(path).st_mode) == 0o600, path


def test_several_started_at_once_are_one(where: Places) -> None:
    environ = environment_for_daemon(os.environ) | {
        "RECAPD_RUNTIME_DIR": where.runtime_dir,
        "RECAPD_STATE_DIR": where.state_dir,
    }
    starters = [
        subprocess.Popen([sys.executable, "-c", ASK], env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(4)
    ]
    said = [starter.communicate() for starter in starters]
    assert [starter.returncode for starter in starters] == [0] * 4, said
    assert {int(out) for out, _ in said} == {holder_of(where.lock)}


def until_unreachable(where: Places) -> None:
    """The kernel closes a killed process's sockets one after the other: the listening one may be the last."""
    until(lambda: find(where) is None)


def test_a_killed_daemon_is_replaced_at_once(where: Places) -> None:
    address, connection = connect_to(where, argv=ARGV)
    os.kill(address.pid, signal.SIGKILL)
    with Connection(connection) as killed, pytest.raises(ConnectionLost):
        killed.wait_for_end(10)
    assert os.path.exists(where.socket) and os.path.exists(where.about)
    until_unreachable(where)
    assert ask(where)["pid"] not in (None, address.pid)


def test_none_is_started_where_none_is_wanted(where: Places) -> None:
    with pytest.raises(NotRunning, match="recapd up"):
        connect(where, start_if_missing=False)
    assert not os.path.exists(where.runtime_dir)


@pytest.mark.parametrize(
    ("variable", "said", "expected"),
    [
        ("RECAPD_TEST_FAIL", "The disk is full; make room.", "^The disk is full; make room.$"),
        ("RECAPD_TEST_CRASH", "1", r"RuntimeError: planted crash.*daemon\.log"),
    ],
)
def test_why_a_start_failed_is_told(
    variable: str, said: str, expected: str, where: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, said)
    with pytest.raises(StartFailed, match=expected):
        start(where, argv=ARGV)


def test_a_client_alone_starts_the_command_a_person_would_type(
    where: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in an editor's own Python, or where only the client is installed."""
    command = tmp_path / "bin" / "recapd"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m recapd "$@"\n')
    command.chmod(0o755)
    alone = tmp_path / "alone"
    shutil.copytree(ROOT / "recapd" / "client", alone / "recapd" / "client")
    shutil.copy(ROOT / "recapd" / "__init__.py", alone / "recapd")
    asking = "from recapd.client.call import call; print(call('recapd/discover', {})['version'])"
    environ = {"PATH": str(command.parent), "HOME": str(tmp_path), "PYTHONPATH": str(alone)}
    environ |= {"RECAPD_RUNTIME_DIR": where.runtime_dir, "RECAPD_STATE_DIR": where.state_dir}
    asked = [sys.executable, "-S", "-c", asking]
    done = subprocess.run(asked, env=environ, capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout.strip() == __version__, done.stderr
    monkeypatch.setattr("sys.executable", "/usr/bin/vim")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("recapd.client.start._COMMANDS", ("~/bin",))
    assert daemon_command() == [str(command), "serve", "--socket"]
    command.unlink()
    with pytest.raises(StartFailed, match="install it with"):
        daemon_command()


def test_a_daemon_that_stays_silent_is_not_waited_for(where: Places) -> None:
    with pytest.raises(StartFailed, match="was not ready"):
        start(where, argv=[sys.executable, "-c", "import signal; signal.pause()"], timeout_s=0.2)
    with pytest.raises(StartFailed, match="could not be started"):
        start(where, argv=["/no/such/program"])


def test_a_long_log_is_set_aside(where: Places) -> None:
    where.prepare()
    Path(where.log).write_bytes(b"x" * (1 << 20) + b"x")
    connect(where, argv=ARGV).close()
    assert os.path.getsize(where.log) == 0 and os.path.getsize(where.log + ".1") > 1 << 20


def test_a_newer_client_replaces_an_older_daemon(where: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECAPD_TEST_VERSION", "0.9.0")
    old, connection = connect_to(where, argv=ARGV, version="0.9.0")
    connection.close()
    monkeypatch.setenv("RECAPD_TEST_VERSION", "0.10.0")
    new, connection = connect_to(where, argv=ARGV, version="0.10.0")
    with Connection(connection) as daemon:
        answer = daemon.call("who")
    assert isinstance(answer, dict) and answer["version"] == "0.10.0"
    assert new.pid != old.pid and holder_of(where.lock) == new.pid
    # The older client, come back, uses what there is.
    again, connection = connect_to(where, argv=ARGV, version="0.9.0")
    connection.close()
    assert again.pid == new.pid


def test_a_newer_protocol_is_refused_with_the_command_to_run(where: Places) -> None:
    connect(where, argv=ARGV).close()
    about = json.loads(Path(where.about).read_text())
    Path(where.about).write_text(json.dumps(about | {"version": "99.0", "protocolVersion": "2999-01-01"}))
    with pytest.raises(OtherVersion, match="pip install --upgrade recapd"):
        connect(where, argv=ARGV)
    assert holder_of(where.lock) == about["pid"]


def test_a_daemon_that_does_not_make_way_is_named(where: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECAPD_TEST_STUBBORN", "1")
    address, connection = connect_to(where, argv=ARGV)
    with pytest.raises(OtherVersion, match=f"kill {address.pid}"):
        ask_to_end(address, connection, reason="test", timeout_s=0.2)


def test_answers_errors_and_notifications(where: Places) -> None:
    with Connection(connect(where, argv=ARGV)) as daemon:
        with pytest.raises(CallError, match="No session") as failed:
            daemon.call("fail")
        assert failed.value.code == 1001 and failed.value.data == {"retryable": False}
        answer = daemon.call("noisy", {"deep": {"text": "ü\ud83d"}})
        assert isinstance(answer, dict) and answer["method"] == "noisy"
        assert daemon.next_notification(1) == ("recapd/didChangeStatus", {"health": "ok"})
        assert daemon.next_notification(0.001) is None


@pytest.mark.parametrize("method", ["exit", "die"])
def test_a_daemon_that_ends_instead_of_answering_is_asked_twice_and_no_more(method: str, where: Places) -> None:
    with pytest.raises(ConnectionLost):
        ask(where, method)
    assert ask(where)["method"] == "who"


@pytest.mark.parametrize("about", ["", "[]", "{", '{"pid": "x", "socket": 7}'])
def test_a_damaged_file_about_the_daemon_hides_nobody(about: str, where: Places) -> None:
    connect(where, argv=ARGV).close()
    Path(where.about).write_text(about)
    found = find(where)
    assert isinstance(found, Address) and found.socket == where.socket


def test_keys_and_tokens_stay_behind() -> None:
    passed = {"PATH", "HOME", "LC_ALL", "XDG_STATE_HOME", "CODEX_HOME", "PI_CODING_AGENT_DIR", "RECAPD_CONFIG"}
    # Settings have such names and are no secrets.
    passed |= {"RECAPD_SUMMARY_MAX_TOKENS", "RECAPD_LLM_API_KEY_ENV"}
    kept_back = {"ANTHROPIC_API_KEY", "GEMINI_API_KEY", "COPILOT_GITHUB_TOKEN", "SSH_AUTH_SOCK", "EDITOR", "AWS_SECRET"}
    kept_back |= {"RECAPD_LLM_API_KEY", "RECAPD_TOKEN"}
    given = dict.fromkeys(passed | kept_back, "x")
    assert set(environment_for_daemon(given)) - {"PYTHONPATH"} == passed
    chosen = environment_for_daemon(given | {"RECAPD_PASS_ENV": "ANTHROPIC_API_KEY, EDITOR"})
    assert set(chosen) & kept_back == {"ANTHROPIC_API_KEY", "EDITOR"}
