"""What a client that is still there asked for is there again soon after its session changed; nothing else is."""

from __future__ import annotations

from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import msgspec
import pytest
from msgspec import Raw

from recapd.core.log.events import Reply
from recapd.daemon import renewal as renewal_module
from recapd.daemon.engine import Engine, LogRead
from recapd.daemon.hub import Hub
from recapd.daemon.renewal import Renewal
from recapd.server.answers import Answers
from recapd.server.backend import Asked
from recapd.server.methods import Question, kept_answer
from recapd.server.transport import DEFAULT_LIMITS, Peer, serve_connection
from recapd.wire.methods import lookup
from recapd.wire.params import decode_params
from recapd.wire.types import SessionListResult
from recapd.wire.types.base import SessionParams, Wire
from tests.support.clock import PATIENCE_S
from tests.support.daemons import AMBIENT
from tests.support.following import append
from tests.support.kept import Running, kept_daemon
from tests.support.logs import agent, claude_log, human
from tests.support.records import batch, record, tape
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
        ("context/assemble", NAMED | {"maxTokens": 2_000, "prompt": "what was mended?"}),
    ],
)
async def test_what_was_asked_before_is_there_without_being_asked_for(
    tmp_path: Path, method: str, params: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    talk = Talk(tmp_path)
    # Looked at as they are kept: right after, the session may be judged, and the next answer is another.
    kept: list[tuple[object, ...]] = []
    keep = Answers.keep

    def seen(self: Answers, key: Hashable, answer: Wire | None) -> Raw:
        assert isinstance(key, tuple)
        kept.append(key)
        return keep(self, key, answer)

    monkeypatch.setattr(Answers, "keep", seen)
    async with kept_daemon(tmp_path) as running, client_of(running) as client:
        await settled(running, client, 2)
        await client.request(method, params)
        before = kept[-1]
        assert is_kept(running, method, params)
        talk.go_on()
        # The same question, of a later state.
        await running.until(lambda: any(key[:2] == before[:2] and key[2:] > before[2:] for key in kept))


async def test_it_is_made_once_for_each_time_it_is_asked_for(tmp_path: Path) -> None:
    talk = Talk(tmp_path)
    async with kept_daemon(tmp_path) as running, client_of(running) as client:
        await settled(running, client, 2)
        await client.request("recap/get", NAMED)
        assert running.daemon.renewal.is_following("claude-code:s")
        talk.go_on()
        await running.until(lambda: not running.daemon.renewal.is_following("claude-code:s"))


async def test_what_never_comes_keeps_nobody_else_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renewal_module, "LONGEST_S", 0.01)
    engine, renewal, made = Engine(keeps_vanished=False), Renewal(), anyio.Event()
    engine.listen("renewal", renewal.changed)
    asker = Hub("test", engine).open_mailbox()

    async def make() -> None:
        made.set()

    for method, work in (("context/assemble", anyio.sleep_forever), ("recap/get", make)):
        renewal.note(asker, Asked(method=method, session_id=None, make=work))
    async with anyio.create_task_group() as group:
        group.start_soon(renewal.run)
        engine.apply(LogRead("s", (batch(tape(record(Reply("done"), session="s"))),)))
        engine.tell_rest()
        with anyio.fail_after(PATIENCE_S):
            await made.wait()
        group.cancel_scope.cancel()


async def test_nothing_is_made_for_who_left(tmp_path: Path) -> None:
    talk = Talk(tmp_path)
    async with kept_daemon(tmp_path) as running:
        async with client_of(running) as client:
            await settled(running, client, 2)
            await client.request("recap/get", NAMED)
        before = running.engine.world
        talk.go_on()
        await running.until(lambda: running.engine.world is not before)
        # Who renews is told of a step once everybody who answers has it.
        await running.until(lambda: not running.daemon.renewal.is_following("claude-code:s"))
        assert not is_kept(running, "recap/get", NAMED)
