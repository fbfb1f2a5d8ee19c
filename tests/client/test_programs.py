"""The client for programs that ask many things: both ways, against a real daemon."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from recapd.client import AsyncRecapd, CallError, Recapd
from recapd.client.errors import ConnectionLost, NotRunning
from recapd.client.find import find
from recapd.client.paths import Places
from recapd.client.start import connect_to
from tests.client.fake_daemon import ARGV
from tests.support.daemons import Home
from tests.support.processes import until

COMMAND = (sys.executable, "-m", "recapd")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Home]:
    home = Home(tmp_path)
    for name, value in home.environ.items():
        monkeypatch.setenv(name, value)
    yield home
    subprocess.run([*COMMAND, "down"], capture_output=True, check=False)


def kill_daemon(home: Home) -> None:
    address = find(home.places)
    assert address is not None
    os.kill(address.pid, signal.SIGKILL)
    until(lambda: find(home.places) is None)


def test_one_after_the_other(home: Home) -> None:
    with pytest.raises(NotRunning, match="recapd up"):
        Recapd(start_if_missing=False).call("session/list")
    with Recapd(command=COMMAND) as recapd:
        assert recapd.call("session/list")["sessions"] == []
        with pytest.raises(CallError):
            recapd.call("recap/get", {"session": {"id": "nobody:1"}})
        kill_daemon(home)
        with pytest.raises(ConnectionLost):
            recapd.call("session/list")
        assert recapd.call("session/list")["sessions"] == []


def test_many_at_once(home: Home) -> None:
    asyncio.run(ask_many(home))


async def ask_many(home: Home) -> None:
    async with AsyncRecapd(command=COMMAND) as recapd:
        answers = await asyncio.gather(*(recapd.call("session/list") for _ in range(20)))
        assert [answer["sessions"] for answer in answers] == [[]] * 20
        with pytest.raises(CallError):
            await recapd.call("recap/get", {"session": {"id": "nobody:1"}})
        kill_daemon(home)
        with pytest.raises(ConnectionLost):
            while True:
                await recapd.next_notification(30)
        assert (await recapd.call("session/list"))["sessions"] == []


def test_it_never_replaces_a_daemon(where: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECAPD_TEST_VERSION", "0.0.1")
    older, connection = connect_to(where, argv=ARGV, version="0.0.1")
    connection.close()
    address, connection = connect_to(where, argv=ARGV, version="")
    connection.close()
    assert address.pid == older.pid
