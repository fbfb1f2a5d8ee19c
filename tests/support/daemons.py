"""Real daemons for tests: in this process, behind a socket, or through `recapd connect`; each with its own folders."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Literal, TypeAlias

import anyio
import anyio.abc
from anyio.abc import ByteStream, Process

from recapd.client.call import call
from recapd.client.paths import Places
from recapd.daemon.app import Daemon
from recapd.daemon.lifecycle.lifecycle import ServeOptions, Stdio
from recapd.server.transport.connection import serve_connection
from recapd.server.transport.limits import DEFAULT_LIMITS, Peer
from tests.support.clock import PATIENCE_S
from tests.support.wire_client import WireClient, memory_pipe, wire_client

Mode: TypeAlias = Literal["in process", "socket", "connect"]
MODES: tuple[Mode, ...] = ("in process", "socket", "connect")
ROOT = Path(__file__).parent.parent.parent

# Status changes come whenever the index moves on; scenarios that do not ask for them let them pass.
AMBIENT = frozenset({"recapd/didChangeStatus"})


class Home:
    """The folders of one user: logs, runtime, state."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.logs = folder / ".claude" / "projects" / "-work-shop"
        self.logs.mkdir(parents=True, exist_ok=True)
        self.runtime = folder / "run"
        self.state = folder / "state"

    @property
    def environ(self) -> dict[str, str]:
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder),
            "LANG": "C.UTF-8",
            "PYTHONPATH": str(ROOT),
            "RECAPD_RUNTIME_DIR": str(self.runtime),
            "RECAPD_STATE_DIR": str(self.state),
        }

    @property
    def places(self) -> Places:
        return Places(str(self.runtime), str(self.state))


@asynccontextmanager
async def client_of(mode: Mode, home: Home, *, ignoring: frozenset[str] = AMBIENT) -> AsyncIterator[WireClient]:
    """A client of a daemon that watches the home's logs."""
    if mode == "in process":
        async with in_process(home) as stream, wire_client(stream, ignoring=ignoring) as client:
            yield client
    elif mode == "socket":
        async with served(home):
            stream = await anyio.connect_unix(home.places.socket)
            async with wire_client(stream, ignoring=ignoring) as client:
                yield client
    else:
        async with connected(home) as stream, wire_client(stream, ignoring=ignoring) as client:
            yield client


@asynccontextmanager
async def in_process(home: Home) -> AsyncIterator[ByteStream]:
    home.state.mkdir(mode=0o700, exist_ok=True)
    options = ServeOptions(
        transport=Stdio(),
        runtime_dir=str(home.runtime),
        state_dir=str(home.state),
        roots=(home.folder / ".claude" / "projects",),
    )
    daemon = Daemon(options, "test", None)
    ours, theirs = memory_pipe()
    async with anyio.create_task_group() as group:
        group.start_soon(daemon.follow)
        group.start_soon(_serve, daemon, theirs)
        yield ours
        group.cancel_scope.cancel()


async def _serve(daemon: Daemon, stream: ByteStream) -> None:
    await serve_connection(daemon.backend, stream, peer=Peer(transport="unix"), limits=DEFAULT_LIMITS)


@asynccontextmanager
async def served(home: Home, *arguments: str) -> AsyncIterator[Process]:
    """A daemon process in the foreground, ready to be connected to."""
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    command = [sys.executable, "-m", "recapd", "serve", "--socket", "--foreground", *arguments]
    process = await anyio.open_process(
        command,
        env=home.environ | {"RECAPD_READY_FD": str(writing)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=None,
        pass_fds=(writing,),
    )
    os.close(writing)
    try:
        said = await anyio.to_thread.run_sync(lambda: os.read(reading, 200))
        assert said == b"ready\n", said
        yield process
    finally:
        os.close(reading)
        await _end(process)


@asynccontextmanager
async def connected(home: Home) -> AsyncIterator[ByteStream]:
    """`recapd connect`, which starts the daemon by itself; the daemon is told to end afterwards."""
    process = await anyio.open_process([sys.executable, "-m", "recapd", "connect"], env=home.environ, stderr=None)
    assert process.stdin is not None and process.stdout is not None
    try:
        yield _Piped(process)
    finally:
        await _end(process)
        await anyio.to_thread.run_sync(lambda: call("recapd/shutdown", {}, where=home.places, start_if_missing=False))


async def _end(process: Process) -> None:
    with anyio.CancelScope(shield=True):
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        with anyio.move_on_after(PATIENCE_S):
            await process.wait()
        if process.returncode is None:
            process.kill()
            await process.wait()


class _Piped(ByteStream):
    """A process's stdin and stdout as one stream."""

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None and process.stdout is not None
        self._to = process.stdin
        self._from = process.stdout

    async def receive(self, max_bytes: int = 65_536) -> bytes:
        return await self._from.receive(max_bytes)

    async def send(self, item: bytes) -> None:
        await self._to.send(item)

    async def send_eof(self) -> None:
        await self._to.aclose()

    async def aclose(self) -> None:
        await self._to.aclose()
        await self._from.aclose()

    @property
    def extra_attributes(self) -> dict[Any, Any]:
        return {}
