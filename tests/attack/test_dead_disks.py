"""A disk that does not answer costs whoever asks for it an answer, and nobody else anything."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from recapd.client.errors import CallError
from recapd.wire import errors
from tests.attack.dead_disk import DEAD, PIPE
from tests.attack.figures import tell_figures
from tests.support.daemons import Home
from tests.support.logs import agent, claude_log, human
from tests.support.processes import DaemonProcess, until

pytestmark = [pytest.mark.attack, pytest.mark.timeout(300)]

SOON_S = 20.0


@pytest.fixture
def dead(tmp_path: Path) -> Path:
    folder = tmp_path / "dead"
    folder.mkdir()
    (folder / "gone.jsonl").write_bytes(claude_log(human("fix it"), agent("Done."), session="gone"))
    os.mkfifo(tmp_path / "pipe")
    return folder


@pytest.fixture
def daemon(tmp_path: Path, dead: Path) -> Iterator[DaemonProcess]:
    """Follows a folder that lives and one that is dead."""
    home = Home(tmp_path / "home")
    living = tmp_path / "living"
    living.mkdir()
    (living / "there.jsonl").write_bytes(claude_log(human("fix it"), agent("Done."), session="there"))
    process = DaemonProcess(
        home,
        module="tests.attack.dead_disk",
        environ={DEAD: str(dead), PIPE: str(tmp_path / "pipe")},
        arguments=("--root", str(dead), "--root", str(living)),
    )
    yield process
    process.kill()


def refused(daemon: DaemonProcess, log: Path) -> tuple[int, float]:
    """The code of the error, and after how long it came."""
    began = time.monotonic()
    with pytest.raises(CallError) as raised:
        daemon.ask("recap/get", {"session": {"log": str(log)}})
    return raised.value.code, time.monotonic() - began


def listed(daemon: DaemonProcess) -> list[Any]:
    return list(daemon.ask("session/list", {})["sessions"])


def test_a_dead_disk_costs_nobody_but_who_asks_for_it(daemon: DaemonProcess, dead: Path) -> None:
    until(lambda: [each["id"] for each in listed(daemon)] == ["claude-code:there"])
    first = refused(daemon, dead / "gone.jsonl")
    assert first[0] == errors.LIMIT_EXCEEDED
    time.sleep(3)
    second = refused(daemon, dead / "gone.jsonl")
    assert second[0] == errors.REQUEST_FAILED
    for number in range(20):
        refused(daemon, dead / f"{number % 2}.jsonl")
    assert daemon.ask("recap/get", {"session": {"id": "claude-code:there"}})["format"] == "short"
    began = time.monotonic()
    code = daemon.end()
    took = time.monotonic() - began
    tell_figures(f"dead disk: refused after {first[1]:.1f} s, then {second[1]:.2f} s; ended in {took:.1f} s")
    assert (code, took < SOON_S) == (0, True)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        # Where the kernel has nothing to say, as good as a log that is yet to be written.
        ("/proc/kmsg", {errors.REQUEST_FAILED, errors.SESSION_NOT_FOUND}),
        ("/dev/zero", {errors.REQUEST_FAILED}),
        ("pipe", {errors.REQUEST_FAILED}),
    ],
)
def test_what_never_ends_is_no_log(daemon: DaemonProcess, tmp_path: Path, path: str, expected: set[int]) -> None:
    code, took = refused(daemon, tmp_path / path)
    assert code in expected and took < SOON_S
    assert daemon.end() == 0
