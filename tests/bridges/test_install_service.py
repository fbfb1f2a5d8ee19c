"""`recapd install service`: what systemd and launchd read, and nothing left of it afterwards."""

from __future__ import annotations

import configparser
import os
import plistlib
import shlex
import stat
import subprocess
import sys
from pathlib import Path


def run(
    home: Path, *arguments: str, path: str = os.environ["PATH"], is_mac: bool = False
) -> subprocess.CompletedProcess[str]:
    environ = {"HOME": str(home), "PATH": path, "XDG_RUNTIME_DIR": str(home), "LANG": "C.UTF-8"}
    environ |= {"RECAPD_RUNTIME_DIR": str(home / "run"), "RECAPD_STATE_DIR": str(home / "state")}
    # The standard library takes its own ways where all of it is told of another platform.
    elsewhere = f"import sys; from recapd.bridges.install import service; service._is_mac = lambda: {is_mac}; "
    command = [sys.executable, "-c", f"{elsewhere}from recapd.__main__ import main; sys.exit(main())", *arguments]
    return subprocess.run(command, env=environ, capture_output=True, text=True, cwd=home, check=False, timeout=60)


def with_manager(folder: Path, name: str = "systemctl") -> str:
    """A PATH on which a service manager notes down what it is told."""
    manager = folder / "bin" / name
    manager.parent.mkdir()
    manager.write_text(f'#!/bin/sh\necho "$@" >> {folder}/told\n')
    manager.chmod(manager.stat().st_mode | stat.S_IXUSR)
    return f"{manager.parent}:{os.environ['PATH']}"


def test_a_unit_that_starts_the_daemon_and_goes_without_a_trace(tmp_path: Path) -> None:
    path = with_manager(tmp_path)
    assert run(tmp_path, "install", "service", path=path).returncode == 1, "it is only shown without --yes"
    unit = tmp_path / ".config" / "systemd" / "user" / "recapd.service"
    assert not unit.exists()
    assert run(tmp_path, "install", "service", "--yes", path=path).returncode == 0
    said = configparser.ConfigParser(interpolation=None)
    said.read_string(unit.read_text())
    command = shlex.split(said["Service"]["ExecStart"])
    assert command[-4:] == ["--socket", "--idle", "0", "--foreground"] and Path(command[0]).exists()
    told = (tmp_path / "told").read_text().splitlines()
    assert told == ["--user daemon-reload", "--user enable --now recapd"]
    # Twice is once.
    assert "nothing was changed" in run(tmp_path, "install", "service", "--yes", path=path).stdout
    assert run(tmp_path, "uninstall", "service", "--yes", path=path).returncode == 0
    assert not unit.exists()
    assert (tmp_path / "told").read_text().splitlines()[-1] == "--user disable --now recapd"


def test_where_no_manager_answers_it_says_what_to_run(tmp_path: Path) -> None:
    empty = tmp_path / "bin"
    empty.mkdir()
    done = run(tmp_path, "install", "service", "--yes", path=str(empty))
    assert done.returncode == 0 and "systemctl --user enable --now recapd" in done.stdout


def test_a_launchd_agent_that_starts_the_daemon_and_goes_without_a_trace(tmp_path: Path) -> None:
    path = with_manager(tmp_path, "launchctl")
    assert run(tmp_path, "install", "service", path=path, is_mac=True).returncode == 1
    agents = tmp_path / "Library" / "LaunchAgents"
    assert not agents.exists()
    assert run(tmp_path, "install", "service", "--yes", path=path, is_mac=True).returncode == 0
    (agent,) = agents.iterdir()
    said = plistlib.loads(agent.read_bytes())
    # launchd goes by the label, and takes a file that is named otherwise for another's.
    assert agent.name == f"{said['Label']}.plist"
    command = said["ProgramArguments"]
    assert command[-4:] == ["--socket", "--idle", "0", "--foreground"]
    # launchd has no PATH of the user's.
    assert os.path.isabs(command[0]) and os.access(command[0], os.X_OK)
    # One that was ended by `recapd down` stays down.
    assert said["RunAtLoad"] is True and said["KeepAlive"] == {"SuccessfulExit": False}
    assert (tmp_path / "told").read_text().splitlines() == [f"load {agent}"]
    assert "nothing was changed" in run(tmp_path, "install", "service", "--yes", path=path, is_mac=True).stdout
    assert run(tmp_path, "uninstall", "service", "--yes", path=path, is_mac=True).returncode == 0
    assert not agent.exists()
    assert (tmp_path / "told").read_text().splitlines()[-1] == f"unload {agent}"
