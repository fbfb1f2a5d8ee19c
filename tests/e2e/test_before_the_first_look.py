"""What commands say while a daemon that was just started has yet to look into the folders: a disk may be slow."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.daemons import Home
from tests.support.logs import agent, claude_log, human
from tests.support.processes import daemon_process

WORDS = "Downloads fail on flaky networks"
# Taken up by the interpreter of the daemon as it starts: no folder is listed before a file says so.
SLOW_DISK = """
import os, time
plain = os.scandir
def scandir(path="."):
    while str(path).startswith({logs!r}) and not os.path.exists({go!r}):
        time.sleep(0.01)
    return plain(path)
os.scandir = scandir
"""


@pytest.mark.parametrize("arguments", [("sessions",), ("overview", "--all"), ("search", "flaky")], ids=" ".join)
def test_a_command_does_not_say_that_there_is_nothing_before_somebody_looked(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    home = Home(tmp_path / "home")
    (home.logs / "a.jsonl").write_bytes(claude_log(human(f"{WORDS}; please add retries."), agent("Done.")))
    (tmp_path / "sitecustomize.py").write_text(SLOW_DISK.format(logs=str(home.logs), go=str(tmp_path / "go")))
    with daemon_process(home, environ={"PYTHONPATH": str(tmp_path)}) as daemon:
        assert daemon.ask("session/list")["sessions"] == [] and not daemon.status()["quiescent"]
        command = [sys.executable, "-m", "recapd", *arguments]
        said = subprocess.run(command, env=home.environ, check=False, capture_output=True, text=True)
        assert WORDS in said.stdout and (said.stderr, said.returncode) == ("", 0)
        (tmp_path / "go").touch()
        daemon.settled()
        assert WORDS in daemon.ask("session/list")["sessions"][0]["title"]
