"""One connection: requests are answered once, in the right way, and nothing of one client reaches another."""

from __future__ import annotations

import socket
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from recapd.server.transport.limits import Limits
from recapd.wire import errors
from recapd.wire.methods import METHODS
from recapd.wire.types import (
    RecapAcknowledgeResult,
    RecapdDiscoverResult,
    RecapdStatusResult,
    RecapGetResult,
    SessionListResult,
)
from tests.support.clock import PATIENCE_S
from tests.support.fake_backend import FAILING, FakeBackend, backend_of, client_of, listening, serving, session_id
from tests.support.following import append
from tests.support.logs import claude_log, human
from tests.support.wire_client import Refusal, WireClient, memory_pipe, wire_client

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def backend(tmp_path: Path) -> FakeBackend:
    return backend_of(tmp_path, sessions=2)


def session(number: int) -> dict[str, object]:
    return {"session": {"id": session_id(number)}}


async def test_plain_client(backend: FakeBackend) -> None:
    async with client_of(backend) as client:
        recap = await client.request("recap/get", session(1), RecapGetResult)
        assert "fix parser 1" in recap.markdown
        latest = await client.request("recap/get", None, RecapGetResult)
        assert latest.session_id == session_id(2)
        listed = await client.request("session/list", {"limit": 1}, SessionListResult)
        assert [row.id for row in listed.sessions] == [session_id(2)]
        status = await client.request("recapd/status", {}, RecapdStatusResult)
        assert status.clients == 1
    assert backend.mailboxes[0].is_closed


async def test_discover_names_everything_that_is_served(backend: FakeBackend) -> None:
    async with client_of(backend) as client:
        found = await client.request("recapd/discover", {"roots": [{"path": "/logs"}]}, RecapdDiscoverResult)
        assert found.methods == tuple(sorted(row.name for row in METHODS if row.is_served))
        assert found.capabilities == ("subscriptions",)
        assert [root.path for root in backend.roots] == ["/logs"]
        refused = await client.refused("recapd/discover", {"required": ["recap/sing"], "roots": [{"path": "/more"}]})
        assert refused.code == errors.METHOD_NOT_FOUND
        assert [root.path for root in backend.roots] == ["/logs"]


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("recap/sing", {}, errors.METHOD_NOT_FOUND),
        ("recap/didChange", {}, errors.METHOD_NOT_FOUND),
        ("textDocument/rename", {}, errors.METHOD_NOT_FOUND),
        ("workspace/symbol", {"query": ""}, errors.SERVER_NOT_INITIALIZED),
        ("recap/get", {"session": {"id": "nobody"}}, errors.SESSION_NOT_FOUND),
        ("recap/get", {"session": {"id": FAILING}}, errors.INTERNAL_ERROR),
        ("recap/verify", {"session": {"id": FAILING}}, errors.INTERNAL_ERROR),
        ("recap/get", {"format": "song"}, errors.INVALID_PARAMS),
        ("recap/get", [], errors.INVALID_PARAMS),
        ("recap/get", {"session": {"log": "/tmp/\0"}}, errors.INVALID_PARAMS),
        ("recap/get", {"cwd": "\0"}, errors.INVALID_PARAMS),
        ("recap/subscribe", {"subscriptionId": "s", "selector": {"session": "nobody"}}, errors.SESSION_NOT_FOUND),
        ("recap/subscribe", {"selector": {"all": True}}, errors.INVALID_PARAMS),
    ],
)
async def test_refused(backend: FakeBackend, method: str, params: object, code: int) -> None:
    async with client_of(backend) as client:
        refused = await client.refused(method, params)
        assert refused.code == code
        assert "swordfish" not in str(refused)


async def test_failure_is_logged_without_text(backend: FakeBackend, caplog: pytest.LogCaptureFixture) -> None:
    async with client_of(backend) as client:
        await client.refused("recap/get", {"session": {"id": FAILING}})
    (record,) = [record for record in caplog.records if record.name.startswith("recapd")]
    assert record.__dict__["type"] == "RuntimeError"
    assert "swordfish" not in str(record.__dict__)
    assert record.exc_info is None


async def test_acknowledge(backend: FakeBackend) -> None:
    async with client_of(backend) as client:
        cursor = (await client.request("recap/get", session(1), RecapGetResult)).cursor
        for selector in (session(1), {"session": {"log": str(backend.folder / "session-1.jsonl")}}):
            params = {**selector, "consumer": "me", "cursor": cursor}
            moved = await client.request("recap/acknowledge", params, RecapAcknowledgeResult)
            assert (moved.session_id, moved.cursor) == (session_id(1), cursor)
        earlier = cursor.replace("t1.", "t0.", 1)
        moved = await client.request("recap/acknowledge", {**params, "cursor": earlier}, RecapAcknowledgeResult)
        assert moved.cursor == cursor


async def test_only_the_sessions_own_cursors_are_acknowledged(backend: FakeBackend) -> None:
    async with client_of(backend) as client:
        cursor = (await client.request("recap/get", session(1), RecapGetResult)).cursor
        foreign = (await client.request("recap/get", session(2), RecapGetResult)).cursor
        for refused in (foreign, "2:1", ""):
            params = {**session(1), "consumer": "me", "cursor": refused}
            assert (await client.refused("recap/acknowledge", params)).code == errors.CURSOR_EXPIRED
        # A log that outgrew its first 4 KB is the same log; less may be read of it than the reader was shown.
        native = session_id(1).removeprefix("claude-code:")
        append(backend.folder / "session-1.jsonl", claude_log(human("and more " * 500), session=native))
        ahead = cursor.replace(f".{cursor.split('.')[1]}.", ".9999999.", 1)
        async with client_of(FakeBackend(backend.folder)) as later:
            for own in (cursor, ahead):
                params = {**session(1), "consumer": "me", "cursor": own}
                moved = await later.request("recap/acknowledge", params, RecapAcknowledgeResult)
                assert (moved.session_id, moved.cursor) == (session_id(1), own)


# ---- ends


async def test_exit_ends_one_connection(backend: FakeBackend) -> None:
    async with client_of(backend) as client, client_of(backend) as other:
        assert await client.request("shutdown") is None
        assert (await client.refused("recap/get", session(1))).code == errors.INVALID_REQUEST
        assert (await client.refused("shutdown")).code == errors.INVALID_REQUEST
        await client.notify("exit")
        await client.expect_end()
        await other.request("recap/get", session(1))
    assert backend.ended == []


async def test_recapd_shutdown_is_answered_first(backend: FakeBackend) -> None:
    async with client_of(backend) as client:
        assert await client.request("recapd/shutdown", {"reason": "upgrade"}) is None
    assert backend.ended == ["upgrade"]


async def test_stuck_client_is_let_go(backend: FakeBackend) -> None:
    """A client that asks and asks and never reads; another notices nothing."""
    ours, theirs = memory_pipe(pieces=1)
    body = b'{"jsonrpc":"2.0","id":1,"method":"recap/get"}'
    asked = 0
    async with client_of(backend) as other, anyio.create_task_group() as tasks, ours:
        tasks.start_soon(serving(backend, theirs, Limits(stuck_s=0.2, outgoing_frames=4)))
        client = WireClient(ours)
        with pytest.raises((anyio.BrokenResourceError, anyio.ClosedResourceError)), anyio.fail_after(PATIENCE_S):
            while True:
                await client.send_body(body)
                asked += 1
                await other.request("recap/get", session(1))
        assert asked < 24


# ---- real sockets


async def test_many_clients_on_a_unix_socket(backend: FakeBackend, tmp_path: Path) -> None:
    answers: list[str] = []

    async def ask(path: Path, number: int) -> None:
        async with wire_client(await anyio.connect_unix(path)) as client:
            for _ in range(5):
                recap = await client.request("recap/get", session(number), RecapGetResult)
                answers.append(f"{number}{recap.session_id[-1]}")

    path = tmp_path / "s"
    async with listening(path, backend), anyio.create_task_group() as tasks:
        for number in range(20):
            tasks.start_soon(ask, path, 1 + number % 2)
    assert sorted(answers) == ["11"] * 50 + ["22"] * 50


async def test_client_that_dies_on_a_unix_socket(backend: FakeBackend, tmp_path: Path) -> None:
    async with listening(tmp_path / "s", backend):
        async with await anyio.connect_unix(tmp_path / "s") as stream:
            await stream.send(b'Content-Length: 45\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"recap/get"}' * 50)
            raw = stream.extra(anyio.abc.SocketAttribute.raw_socket)
            raw.shutdown(socket.SHUT_RD)
        async with wire_client(await anyio.connect_unix(tmp_path / "s")) as client:
            await client.request("recap/get", session(1))


async def test_refusal_says_what_and_what_to_do(backend: FakeBackend) -> None:
    async with client_of(backend) as client:
        with pytest.raises(Refusal, match="`session/list` shows those there are"):
            await client.request("recap/get", {"session": {"id": "nobody"}})


async def test_recapd_ends_as_a_request_arrives(backend: FakeBackend, tmp_path: Path) -> None:
    """Cancelled in the very turn of the loop in which bytes arrive: nothing is left for the loop to complain about."""
    with socket.socket(socket.AF_UNIX) as client:
        async with anyio.create_task_group() as tasks, listening(tmp_path / "s", backend):
            client.connect(str(tmp_path / "s"))
            while not backend.mailboxes:
                await anyio.lowlevel.checkpoint()
            await anyio.wait_all_tasks_blocked()
            client.send(b"Content-Length")
            await anyio.lowlevel.checkpoint()
            tasks.cancel_scope.cancel()
    assert backend.mailboxes[0].is_closed
