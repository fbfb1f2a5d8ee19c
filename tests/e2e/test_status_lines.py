"""The status lines in the protocol's document, run as they are printed there."""

from __future__ import annotations

import json
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

from tests.support.daemons import ROOT, Home
from tests.support.following import append, grow_to
from tests.support.logs import agent, claude_log, human

README = (ROOT / "protocol" / "README.md").read_text(encoding="utf-8")
PATIENCE_S = 60.0
FIRST = claude_log(human("Fix the login"), agent("Done."))
MORE = claude_log(human("Fix the login"), agent("Done."), human("And now the logout"), agent("Shall I?"))


def printed(language: str) -> str:
    """The one program in that language."""
    found = re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)
    assert len(found) == 1
    return str(found[0])


@contextmanager
def running(home: Home, *command: str) -> Iterator[queue.Queue[str]]:
    """The lines it prints; on its PATH there is a `recapd`, as after an installation."""
    bin_folder = home.folder / "bin"
    bin_folder.mkdir()
    recapd = bin_folder / "recapd"
    recapd.write_text(f'#!/bin/sh\nexec {sys.executable} -m recapd "$@"\n')
    recapd.chmod(0o755)
    environ = home.environ | {"PATH": f"{bin_folder}:{os.environ['PATH']}"}
    process = subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stdout is not None
    lines: queue.Queue[str] = queue.Queue()
    reader = threading.Thread(target=read, args=(process.stdout, lines))
    reader.start()
    try:
        yield lines
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        reader.join()
        process.stdout.close()
        subprocess.run([str(recapd), "down"], env=environ, capture_output=True, check=False)


def read(stream: IO[str], lines: queue.Queue[str]) -> None:
    for line in stream:
        lines.put(line)


def wait_for(lines: queue.Queue[str], text: str) -> None:
    while text not in lines.get(timeout=PATIENCE_S):
        pass


def daemon_pid(home: Home) -> int:
    return int(json.loads((home.runtime / "recapd.json").read_text())["pid"])


def check(home: Home, *command: str) -> None:
    log = home.logs / "a.jsonl"
    log.write_bytes(FIRST)
    with running(home, *command) as lines:
        wait_for(lines, "Fix the login")
        grow_to(log, MORE)
        wait_for(lines, ": ")
        killed = daemon_pid(home)
        os.kill(killed, signal.SIGKILL)
        wait_for(lines, "Fix the login")
        assert daemon_pid(home) != killed
        append(log, claude_log(human("x"), human("More work")).splitlines(keepends=True)[1])
        wait_for(lines, ": ")


def test_a_status_line_in_python_survives_the_daemon(tmp_path: Path) -> None:
    program = printed("python")
    assert len(program.splitlines()) <= 30
    check(Home(tmp_path), sys.executable, "-I", "-c", program)


@pytest.mark.editors
def test_a_status_line_in_node_survives_the_daemon(tmp_path: Path) -> None:
    program = printed("js")
    assert len(program.splitlines()) <= 30
    node = shutil.which("node")
    assert node is not None, "Node.js is needed"
    check(Home(tmp_path), node, "-e", program)
