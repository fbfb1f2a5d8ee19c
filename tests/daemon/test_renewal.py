"""What a client that is still there asked for is there again soon after its session changed; nothing else is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import msgspec
import pytest

from recapd.server.methods import Question, kept_answer
from recapd.server.transport import DEFAULT_LIMITS, Peer, serve_connection
from recapd.wire.methods import lookup
from recapd.wire.params import decode_params
from recapd.wire.types import SessionListResult
from recapd.wire.types.base import SessionParams
from tests.support.daemons import AMBIENT
from tests.support.following import append
from tests.support.kept import Running, kept_daemon
from tests.support.logs import agent, claude_log, human
from tests.support.wire_client import WireClient, memory_pipe, wire_client

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]
NAMED: dict[str, object] = {"session": {"id": "claude-code:s"}}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Talk:
    """A session that goes on."""

    def __init__(self, folder: Path) -> None:
        (folder / "logs").mkdir()
        self.path = folder / "logs" / "s.jsonl"
        self._acts = [human("mend the parser"), agent("Mended.")]
        self._written = b""
        self.go_on()

    def go_on(self) -> None:
        self._acts += [human(f"and part {len(self._acts)}"), agent("Done too.")]
        whole = claude_log(*self._acts, session="s")
        append(self.path, whole[len(self._written) :])
        self._written = whole


@asynccontextmanager
async def client_of(running: Running) -> AsyncIterator[WireClient]:
    ours, theirs = memory_pipe()
    async with anyio.create_task_group() as group:

        async def serve() -> None:
            await serve_connection(running.backend, theirs, peer=Peer(transport="stdio"), limits=DEFAULT_LIMITS)

        group.start_soon(serve)
        async with wire_client(ours, ignoring=AMBIENT) as client:
            yield client


def is_kept(running: Running, method: str, params: dict[str, object]) -> bool:
    """Whether the answer is there, as the session is now."""
    row, service, raw = lookup(method), running.backend.snapshot(), msgspec.json.encode(params)
    assert row is not None
    decoded = decode_params(row, raw)
    question = Question(row=row, params=decoded, raw_params=raw, service=service, answers=service.answers)
    session = service.find_session(decoded.session, None) if isinstance(decoded, SessionParams) else None
    return kept_answer(question, session) is not None


async def settled(running: Running, client: WireClient, turns: int) -> None:
    """Until so much is read, and nothing else will change."""
    while True:
        found = await client.request("session/list", {"limit": 1}, SessionListResult)
        if found.sessions and found.sessions[0].turns == turns:
            break
        await anyio.sleep(0.01)
    await running.until(lambda: running.daemon.ahead.depth == 0)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("recap/get", NAMED | {"format": "full"}),
        ("recap/get", NAMED | {"consumer": "status line"}),
        ("session/overview", {"consumer": "panel"}),
        ("session/list", {"limit": 7}),
    ],
)
async def test_what_was_asked_before_is_there_without_being_asked_for(
    tmp_path: Path, method: str, params: dict[str, object]
) -> None:
    talk = Talk(tmp_path)
    async with kept_daemon(tmp_path) as running, client_of(running) as client:
        await settled(running, client, 2)
        await client.request(method, params)
        before = running.engine.world
        talk.go_on()
        await running.until(lambda: running.engine.world is not before and is_kept(running, method, params))


async def test_it_is_made_once_for_each_time_it_is_asked_for(tmp_path: Path) -> None:
    talk = Talk(tmp_path)
    async with kept_daemon(tmp_path) as running, client_of(running) as client:
        await settled(running, client, 2)
        await client.request("recap/get", NAMED)
        assert running.daemon.renewal.is_following("claude-code:s")
        talk.go_on()
        await running.until(lambda: not running.daemon.renewal.is_following("claude-code:s"))


async def test_nothing_is_made_for_who_left(tmp_path: Path) -> None:
    talk = Talk(tmp_path)
    async with kept_daemon(tmp_path) as running:
        async with client_of(running) as client:
            await settled(running, client, 2)
            await client.request("recap/get", NAMED)
        before = running.engine.world
        talk.go_on()
        await running.until(lambda: running.engine.world is not before)
        assert not running.daemon.renewal.is_following("claude-code:s")
        assert not is_kept(running, "recap/get", NAMED)
