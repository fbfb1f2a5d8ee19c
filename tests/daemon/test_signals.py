"""A hook that names its agent's process need not be called when that is killed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from recapd.core.presence import Signal
from recapd.daemon import signals as signals_module
from recapd.daemon.signals import LOOK_S
from recapd.server.transport.threads import in_thread
from tests.support.ticking import ticking_daemon

pytestmark = pytest.mark.anyio
ID = "codex:s"
TELLS_OWNERS = Path("/proc/self").exists()
AT = "2026-03-01T09:00:00.000Z"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def process() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield process
        process.kill()


async def test_who_is_killed_has_left(
    process: subprocess.Popen[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with ticking_daemon(tmp_path, monkeypatch) as daemon:
        take = daemon.running.daemon.signals.take

        def known() -> Signal:
            return daemon.engine.world.signals[ID]

        await in_thread(lambda: take(ID, Signal("idle", AT, pid=process.pid)))
        await daemon.pass_time(2 * LOOK_S)
        assert known().kind == "idle"
        process.kill()
        await in_thread(process.wait)
        await daemon.pass_time(2 * LOOK_S)
        assert known().kind == "ended"
        await in_thread(lambda: take(ID, Signal("idle", known().at, pid=process.pid)))
        assert known().pid == 0, "it was gone when it was named"


async def test_a_process_of_another_user_is_not_the_agent(
    process: subprocess.Popen[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hook in a container names a number of its own, which may be a service's here that never ends."""
    async with ticking_daemon(tmp_path, monkeypatch) as daemon:
        take = daemon.running.daemon.signals.take
        with monkeypatch.context() as as_another:
            as_another.setattr(os, "geteuid", lambda: os.getuid() + 1)
            await in_thread(lambda: take(ID, Signal("idle", AT, pid=process.pid)))
        assert daemon.engine.world.signals[ID].pid == (0 if TELLS_OWNERS else process.pid)
        await in_thread(lambda: take(ID, Signal("idle", AT, pid=process.pid)))
        assert daemon.engine.world.signals[ID].pid == process.pid


async def test_a_session_that_somebody_goes_on_with_meanwhile_has_not_ended(
    process: subprocess.Popen[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with ticking_daemon(tmp_path, monkeypatch) as daemon:
        take, find_gone = daemon.running.daemon.signals.take, signals_module._find_gone
        await in_thread(lambda: take(ID, Signal("idle", AT, pid=process.pid)))
        process.kill()
        await in_thread(process.wait)
        looked: list[list[str]] = []

        def find_while_another_starts(named: Mapping[str, Signal]) -> list[str]:
            looked.append(find_gone(named))
            take(ID, Signal("started", AT, pid=os.getpid()))
            return looked[-1]

        monkeypatch.setattr(signals_module, "_find_gone", find_while_another_starts)
        await daemon.pass_time(2 * LOOK_S)
        assert looked[0] == [ID]
        assert (daemon.engine.world.signals[ID].kind, daemon.engine.world.signals[ID].pid) == ("started", os.getpid())
