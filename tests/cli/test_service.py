"""The commands about the daemon, as a user runs them, and what `doctor` says."""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from recapd.cli import answers, doctor, service
from recapd.cli.answers import answer_somewhere, resume_command
from recapd.cli.connect import is_plain
from recapd.client import call as call_module
from recapd.client.errors import TimedOut
from recapd.client.holder import holder_of
from recapd.client.paths import Places
from recapd.client.start import connect_to, environment_for_daemon
from recapd.daemon.lock import try_lock
from recapd.wire.errors import RecapError
from tests.client.fake_daemon import ARGV
from tests.client.folders import own_folders

DEMO = Path(__file__).parent.parent.parent / "recapd" / "demo" / "session.jsonl"


@pytest.fixture
def where() -> Iterator[Places]:
    with own_folders() as folders:
        yield folders


@pytest.fixture
def here(where: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    """This process as that user, without any logs."""
    for name, value in environ(where, tmp_path).items():
        monkeypatch.setenv(name, value)
    return where


def environ(where: Places, home: Path) -> dict[str, str]:
    folders = {"RECAPD_RUNTIME_DIR": where.runtime_dir, "RECAPD_STATE_DIR": where.state_dir, "HOME": str(home)}
    return environment_for_daemon({"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}) | folders


def run(where: Places, home: Path, *args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "recapd", *args]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        env=environ(where, home),
        cwd=home,
        stdin=subprocess.DEVNULL,
        check=False,
    )


def test_without_a_daemon_it_is_said_and_none_is_started(where: Places, tmp_path: Path) -> None:
    assert run(where, tmp_path, "down").stderr == "recapd is not running.\n"
    status = run(where, tmp_path, "status")
    assert status.returncode == 1 and "recapd up" in status.stdout
    assert json.loads(run(where, tmp_path, "status", "--json").stdout) == {"running": False}
    sockname = run(where, tmp_path, "sockname")
    assert sockname.returncode == 1
    assert json.loads(sockname.stdout) == {"running": False, "socket": where.socket}
    assert not os.path.exists(where.runtime_dir)


def test_with_a_daemon(where: Places, tmp_path: Path) -> None:
    address, connection = connect_to(where, argv=ARGV)
    connection.close()
    sockname = json.loads(run(where, tmp_path, "sockname").stdout)
    assert (sockname["running"], sockname["socket"], sockname["pid"]) == (True, where.socket, address.pid)
    status = run(where, tmp_path, "status")
    assert status.returncode == 0
    assert status.stdout.startswith("recapd is well: 3 sessions, all read.\n" + f"pid {address.pid}, version")
    assert json.loads(run(where, tmp_path, "status", "--json").stdout)["sessions"] == 3
    checked = run(where, tmp_path, "doctor")
    assert f"the daemon (pid {address.pid}" in checked.stdout and "answers and is well" in checked.stdout
    assert checked.returncode == 0
    down = run(where, tmp_path, "down")
    assert (down.returncode, down.stderr) == (0, f"recapd (pid {address.pid}) has ended.\n")
    assert holder_of(where.lock) is None and not os.path.exists(where.socket)


def test_a_command_asks_the_daemon_if_there_is_one(
    here: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    params = b'{"session":{"log":"some/log.jsonl"},"cwd":"~/x"}'
    connect_to(here, argv=ARGV)[1].close()
    monkeypatch.chdir(tmp_path)
    answer = json.loads(answer_somewhere("recap/get", params))
    # The daemon stands elsewhere: what is relative here must not be there.
    assert answer["params"] == {"session": {"log": f"{tmp_path}/some/log.jsonl"}, "cwd": f"{tmp_path}/x"}
    with pytest.raises(RecapError, match="does not exist"):
        answer_somewhere("recap/get", params, use_daemon=False)


@pytest.mark.parametrize("method", ["fail", "exit"])
def test_what_the_daemon_does_not_know_is_looked_up_here(method: str, here: Places) -> None:
    connect_to(here, argv=ARGV)[1].close()
    with pytest.raises(RecapError, match="There is no method"):
        answer_somewhere(method, b"{}")


def test_an_older_daemon_is_not_asked(here: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECAPD_TEST_VERSION", "0.0.1")
    connect_to(here, argv=ARGV, version="0.0.1")[1].close()
    answer = json.loads(answer_somewhere("recap/get", msgspec.json.encode({"session": {"log": str(DEMO)}})))
    assert answer["recap"]["stats"]["turns"] == 2


@pytest.fixture
def stopped(here: Places, monkeypatch: pytest.MonkeyPatch) -> int:
    """The pid of a daemon that takes connections and answers nothing."""
    address, connection = connect_to(here, argv=ARGV)
    connection.close()
    os.kill(address.pid, signal.SIGSTOP)
    for module in (answers, service):
        monkeypatch.setattr(module, "ANSWER_S", 0.1)
    monkeypatch.setattr(call_module, "ANSWER_S", 0.1)
    return address.pid


def test_a_daemon_that_does_not_answer_is_named_and_done_without(
    stopped: int, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = json.loads(answer_somewhere("recap/get", msgspec.json.encode({"session": {"log": str(DEMO)}})))
    assert answer["recap"]["stats"]["turns"] == 2
    assert f"if it was stopped: kill -CONT {stopped}; if it hangs: kill -9 {stopped}" in capsys.readouterr().err
    with pytest.raises(TimedOut, match=f"kill -CONT {stopped}"):
        service.status_command(argparse.Namespace(json=False))


@pytest.mark.parametrize("about", ["as it was", "lost"])
def test_a_daemon_that_does_not_answer_can_be_ended(
    stopped: int, here: Places, about: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if about == "lost":
        os.unlink(here.about)
    assert service.down_command(argparse.Namespace()) == 0
    assert capsys.readouterr().err == f"recapd (pid {stopped}) did not answer; it was sent a signal and has ended.\n"
    assert holder_of(here.lock) is None


@pytest.mark.parametrize(
    ("session_id", "expected"),
    [
        ("codex:0199-abc", "codex resume 0199-abc"),
        ("codex:0123456789abcdef", None),
        ("unheard-of:1", None),
        ("codex:", None),
    ],
)
def test_how_to_go_on(session_id: str, expected: str | None) -> None:
    assert resume_command(session_id) == expected


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["connect"], True),
        (["connect", "--stdio", "--clientProcessId=12"], True),
        (["connect", "--clientProcessId", "12"], True),
        (["connect", "--help"], False),
        (["recap"], False),
        ([], False),
    ],
)
def test_what_editors_add_to_connect(arguments: list[str], expected: bool) -> None:
    assert is_plain(arguments) is expected


def findings(check: str, where: Places) -> list[tuple[str, str]]:
    return [(found.level, f"{found.text} {found.action}") for found in getattr(doctor, f"check_{check}")(where)]


def test_doctor_names_what_is_wrong_and_what_to_do(
    here: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check(name: str, level: str, *expected: str) -> None:
        found = findings(name, here)
        assert any(row[0] == level and all(part in row[1] for part in expected) for row in found), found

    check("versions", "ok", "recapd ")
    check("folders", "ok", "will be made")
    check("daemon", "ok", "no daemon runs")
    check("roots", "warn", "recapd demo")
    check("own_log", "ok", "no log")
    here.prepare()
    check("folders", "ok", "is private")
    os.chmod(here.runtime_dir, 0o777)
    check("folders", "fail", "chmod 700", here.runtime_dir)
    os.chmod(here.runtime_dir, 0o700)
    lock = try_lock(here.lock)
    assert lock is not None
    check("daemon", "fail", f"kill {os.getpid()}", "holds the lock")
    lock.release()
    Path(here.about).write_text("{}")
    check("daemon", "ok", "replaced at the next start")
    Path(here.log).write_text("12:00 INFO fine\n12:01 ERROR broken\n")
    check("own_log", "warn", "1 error ", here.log)
    (tmp_path / ".codex" / "sessions" / "2026").mkdir(parents=True)
    check("roots", "ok", "codex", "2 folders")
    monkeypatch.setattr(doctor, "_limit", lambda *_: 3)
    check("watching", "warn", "max_user_watches")
    check("watching", "warn", "max_user_instances")
    config = tmp_path / "config.toml"
    monkeypatch.setenv("RECAPD_CONFIG", str(config))
    (tmp_path / "more").mkdir()
    config.write_text(f'[watch]\nroots = ["{tmp_path}/more"]')
    check("roots", "ok", f"{tmp_path}/more (any agent), 1 folder")
    config.write_text("not toml")
    check("configuration", "fail", str(config))


def test_a_machine_that_cannot_run_it_fails_the_check(where: Places, tmp_path: Path) -> None:
    os.makedirs(where.runtime_dir)
    os.chmod(where.runtime_dir, 0o777)
    done = run(where, tmp_path, "doctor")
    assert done.returncode == 1 and "\nfail " in done.stdout and "→ look what is in it" in done.stdout


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (
            {"findings": [{"level": "warning", "message": "no room", "action": "free some"}, {"level": "notice"}]},
            [("no room", "free some")],
        ),
        ({"findings": [{"level": "warning", "kind": "configuration", "message": "recap.x: no such setting"}]}, []),
        ({"message": "no room"}, [("no room", "")]),
        ({}, [("it does not say why", "")]),
        (None, [("it does not say why", "")]),
    ],
)
def test_doctor_repeats_what_the_daemon_finds_amiss(said: object, expected: list[tuple[str, str]]) -> None:
    assert [(found.text, found.action) for found in doctor.list_troubles(said)] == expected
