"""One connection: requests are answered once, in the right way, and nothing of one client reaches another."""

from __future__ import annotations

import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest
from anyio.abc import SocketStream

from recapd.server.connection import serve_connection
from recapd.server.limits import DEFAULT_LIMITS, Limits, Peer
from recapd.server.requests import ALL_SERVED
from recapd.wire import errors
from recapd.wire.types import (
    LogRef,
    RecapAcknowledgeResult,
    RecapdDiscoverResult,
    RecapdDidChangeStatusParams,
    RecapdStatusResult,
    RecapDidChangeParams,
    RecapGetResult,
    RecapSubscribeResult,
    SessionListResult,
)
from tests.support.fake_backend import FAILING, FakeBackend, backend_of, client_of
from tests.support.logs import CWD
from tests.support.wire_client import Refusal, WireClient, memory_pipe, wire_client

pytestmark = pytest.mark.anyio
TCP = Peer(transport="tcp", token="a-token-for-tests")
SUBSCRIBE = {"subscriptionId": "s", "selector": {"all": True}}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def backend(tmp_path: Path) -> FakeBackend:
    return backend_of(tmp_path, sessions=2)


def session(number: int) -> dict[str, object]:
    return {"session": {"id": f"claude-code:session-{number}"}}


async def test_plain_client(backend: FakeBackend) -> None:
    async with client_of(backend) as client:
        recap = await client.request("recap/get", session(1), RecapGetResult)
        assert "fix parser 1" in recap.markdown
        latest = await client.request("recap/get", None, RecapGetResult)
        assert latest.session_id == "claude-code:session-2"
        listed = await client.request("session/list", {"limit": 1}, SessionListResult)
        assert [row.id for row in listed.sessions] == ["claude-code:session-2"]
        status = await client.request("recapd/status", {}, RecapdStatusResult)
        assert status.clients == 1
    assert backend.mailboxes[0].is_closed


async def test_discover_names_everything_that_is_served(backend: FakeBackend) -> None:
    async with client_of(backend) as client:
        found = await client.request("recapd/discover", {"roots": [{"path": "/logs"}]}, RecapdDiscoverResult)
        assert found.methods == ALL_SERVED
        assert found.capabilities == ("subscriptions",)
        assert [root.path for root in backend.roots] == ["/logs"]
        for method in found.methods:
            answer = await client.answer(await client.send(method, {"subscriptionId": 7, "session": 7, "limit": 0}))
            if not isinstance(answer.error, type(None)) and hasattr(answer.error, "code"):
                assert answer.error.code == errors.INVALID_PARAMS, method
        refused = await client.refused("recapd/discover", {"required": ["recap/sing"], "roots": [{"path": "/more"}]})
        assert refused.code == errors.METHOD_NOT_FOUND
        assert [root.path for root in backend.roots] == ["/logs"]


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("recap/sing", {}, errors.METHOD_NOT_FOUND),
        ("recap/didChange", {}, errors.METHOD_NOT_FOUND),
        ("textDocument/hover", {}, errors.METHOD_NOT_FOUND),
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
        for selector in (session(1), {"session": {"log": str(backend.folder / "session-1.jsonl")}}):
            params = {**selector, "consumer": "me", "cursor": "2:1"}
            moved = await client.request("recap/acknowledge", params, RecapAcknowledgeResult)
            assert (moved.session_id, moved.cursor) == ("claude-code:session-1", "2:1")
        moved = await client.request("recap/acknowledge", {**params, "cursor": "1:1"}, RecapAcknowledgeResult)
        assert moved.cursor == "2:1"


# ---- subscriptions


async def test_first_change_comes_after_the_reply(backend: FakeBackend) -> None:
    """The backend has a change ready the moment it is subscribed to."""
    ours, theirs = memory_pipe(pieces=1)
    client = WireClient(ours)
    async with ours, anyio.create_task_group() as tasks:
        tasks.start_soon(serving(backend, theirs))
        # Something unread before, so that the reply has to wait for its turn.
        for _ in range(5):
            await client.send("recap/get", session(1))
        await client.send("recap/subscribe", SUBSCRIBE, id="sub")
        await anyio.wait_all_tasks_blocked()
        seen: list[object] = []
        while len(seen) < 7:
            body = await client._frames.next()
            assert body is not None
            seen.append("change" if b"recap/didChange" in body else "reply" if b'"sub"' in body else "recap")
        assert seen == ["recap"] * 5 + ["reply", "change"]
        tasks.cancel_scope.cancel()


async def test_subscription(backend: FakeBackend) -> None:
    async with client_of(backend) as client, client_of(backend) as other:
        result = await client.request("recap/subscribe", SUBSCRIBE, RecapSubscribeResult)
        assert result.fresh
        assert (await client.expect_notification("recap/didChange", RecapDidChangeParams)).cursor == "c:1"
        backend.publish("s", cursor="c:2")
        assert (await client.expect_notification("recap/didChange", RecapDidChangeParams)).cursor == "c:2"
        # Taken back before it is sent: nothing is told after the reply.
        backend.publish("s", cursor="c:3")
        mailbox = backend.subscriptions["s"]
        assert await client.request("recap/unsubscribe", {"subscriptionId": "s"}) is None
        await client.request("recap/get", session(1))
        del mailbox
        await other.request("recap/get", session(1))


async def test_slow_client_gets_the_latest(backend: FakeBackend) -> None:
    ours, theirs = memory_pipe(pieces=1)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(serving(backend, theirs, Limits(outgoing_frames=1)))
        async with ours:
            client = WireClient(ours)
            await client.send("recap/subscribe", SUBSCRIBE)
            await anyio.wait_all_tasks_blocked()
            for number in range(2, 100):
                backend.publish("s", cursor=f"c:{number}")
                await anyio.wait_all_tasks_blocked()
            tasks.start_soon(client.read_all)
            cursors: list[str] = []
            while "c:99" not in cursors:
                cursors.append((await client.expect_notification("recap/didChange", RecapDidChangeParams)).cursor)
            assert len(cursors) < 10
            tasks.cancel_scope.cancel()


async def test_ended_subscription_makes_room(backend: FakeBackend) -> None:
    async with client_of(backend, limits=Limits(subscriptions=1)) as client:
        await client.request("recap/subscribe", SUBSCRIBE)
        await client.expect_notification("recap/didChange", RecapDidChangeParams)
        refused = await client.refused("recap/subscribe", {**SUBSCRIBE, "subscriptionId": "t"})
        assert refused.code == errors.LIMIT_EXCEEDED
        backend.publish("s", cursor="c:2", ended="The session is gone.")
        await client.expect_notification("recap/didChange", RecapDidChangeParams)
        await client.request("recap/subscribe", {**SUBSCRIBE, "subscriptionId": "t"})
        await client.expect_notification("recap/didChange", RecapDidChangeParams)


async def test_status_is_told_after_the_first_reply(backend: FakeBackend) -> None:
    async with client_of(backend) as client:
        await client.notify("nothing/known")
        await anyio.wait_all_tasks_blocked()
        backend.mailboxes[0].put("status", RecapdDidChangeStatusParams(health="ok", quiescent=True))
        await anyio.wait_all_tasks_blocked()
        client.check_nothing_unread()
        await client.request("recap/get", session(1))
        told = await client.expect_notification("recapd/didChangeStatus", RecapdDidChangeStatusParams)
        assert told.health == "ok"


# ---- slow requests


@asynccontextmanager
async def slow_request(client: WireClient, backend: FakeBackend) -> AsyncIterator[int | str]:
    """A request that reads a log and is not done before the block is left."""
    recap = await client.request("recap/get", session(1), RecapGetResult)
    assert recap.recap.original_request is not None
    gate = backend.service.gate = threading.Event()
    try:
        slow = await client.send("ref/resolve", {"ref": recap.recap.original_request.ref})
        await anyio.to_thread.run_sync(backend.service.begun.wait)
        yield slow
    finally:
        gate.set()
        backend.service.gate = None


async def test_cancelled_request_is_answered_once(backend: FakeBackend) -> None:
    async with client_of(backend) as client, slow_request(client, backend) as slow:
        # Others are answered meanwhile.
        await client.request("recap/get", session(2))
        await client.notify("$/cancelRequest", {"id": slow})
        await client.notify("$/cancelRequest", {"id": slow})
        await client.notify("$/cancelRequest", {"id": "unknown"})
        await client.notify("$/cancelRequest", {})
        answer = await client.answer(slow)
        assert getattr(answer.error, "code", None) == errors.REQUEST_CANCELLED
    # Leaving the client has checked that the thread's result was not sent as well.


async def test_finished_request_is_answered_once(backend: FakeBackend) -> None:
    async with client_of(backend) as client:
        async with slow_request(client, backend) as slow:
            pass
        assert "fix parser 1" in bytes((await client.answer(slow)).result).decode()  # type: ignore[arg-type]
        await client.notify("$/cancelRequest", {"id": slow})


async def test_duplicate_id(backend: FakeBackend) -> None:
    async with client_of(backend) as client:
        async with slow_request(client, backend) as slow:
            await client.send("recap/get", session(1), id=slow)
            answer = await client.answer(slow)
            assert getattr(answer.error, "code", None) == errors.INVALID_REQUEST
        assert not hasattr((await client.answer(slow)).error, "code")


async def test_too_many_pending_requests(backend: FakeBackend) -> None:
    async with client_of(backend, limits=Limits(pending_requests=1)) as client:
        async with slow_request(client, backend) as slow:
            refused = await client.refused("session/list")
            assert refused.code == errors.LIMIT_EXCEEDED
            # Quick ones are never pending.
            await client.request("recap/get", session(1))
        await client.answer(slow)
        await client.request("session/list")


async def test_client_leaves_and_its_requests_end(backend: FakeBackend) -> None:
    async with anyio.create_task_group() as tasks:
        ours, theirs = memory_pipe()
        tasks.start_soon(serving(backend, theirs))
        async with wire_client(ours) as client, slow_request(client, backend):
            await ours.send_eof()
            await client.expect_end()
            assert backend.mailboxes[0].is_closed


async def test_half_closed_client_gets_its_answers(backend: FakeBackend) -> None:
    """`printf … | nc -U socket`: the client has said all it has to say and waits."""
    ours, theirs = memory_pipe()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(serving(backend, theirs))
        async with wire_client(ours) as client:
            sent = [await client.send("recap/get", session(1)) for _ in range(5)]
            await ours.send_eof()
            for each in sent:
                await client.answer(each)
            await client.expect_end()


async def test_cancelling_the_connection_answers_what_is_pending(backend: FakeBackend) -> None:
    """recapd ends: pending requests are told, and no frame is cut in two."""
    ours, theirs = memory_pipe()
    async with wire_client(ours) as client, anyio.create_task_group() as tasks:
        tasks.start_soon(serving(backend, theirs))
        async with slow_request(client, backend) as slow:
            tasks.cancel_scope.cancel()
            with anyio.CancelScope(shield=True):
                answer = await client.answer(slow)
                assert getattr(answer.error, "code", None) == errors.SERVER_CANCELLED
                await client.expect_end()


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
        with pytest.raises((anyio.BrokenResourceError, anyio.ClosedResourceError)), anyio.fail_after(5):
            while True:
                await client.send_body(body)
                asked += 1
                await other.request("recap/get", session(1))
        assert asked < 12


# ---- the connection's workspace, and who may ask for what


async def test_cwd_chooses_the_session(backend: FakeBackend) -> None:
    async with client_of(backend) as client:
        recap = await client.request("recap/get", {"cwd": CWD}, RecapGetResult)
        assert recap.session_id == "claude-code:session-2"
        assert (await client.refused("recap/get", {"cwd": "/nowhere"})).code == errors.SESSION_NOT_FOUND


async def test_tcp_needs_the_token_first(backend: FakeBackend) -> None:
    async with client_of(backend, peer=TCP) as client:
        assert await client.request("recapd/authenticate", {"token": TCP.token}) is None
        await client.request("recap/get", session(1))
        assert await client.request("recapd/authenticate", {"token": "any"}) is None


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("recapd/authenticate", {"token": "another"}),
        ("recapd/authenticate", {"token": ""}),
        ("recapd/authenticate", {"token": 7}),
        ("recapd/authenticate", None),
        ("recap/get", None),
        ("initialize", {"capabilities": {}}),
    ],
)
async def test_tcp_without_the_token(backend: FakeBackend, method: str, params: object) -> None:
    async with client_of(backend, peer=TCP) as client:
        assert (await client.refused(method, params)).code == errors.ACCESS_DENIED
        await client.expect_end()
    assert backend.mailboxes == []


@pytest.mark.parametrize(
    "data",
    [
        b"GET / HTTP/1.1\r\n",
        b"Content-Length: 5000\r\n\r\n",
        b'Content-Length: 36\r\n\r\n{"jsonrpc":"2.0","method":"recap/x"}',
        b"Content-Length: 3\r\n\r\n[1]",
        b"",
    ],
)
async def test_stranger_on_tcp_is_told_nothing(backend: FakeBackend, data: bytes) -> None:
    async with client_of(backend, peer=TCP, limits=Limits(authenticate_s=0 if not data else 5)) as client:
        if data:
            await client.send_bytes(data)
        await client.expect_end()
    assert backend.mailboxes == []


async def test_tcp_reads_below_the_watched_roots_only(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    backend = backend_of(root)
    backend_of(outside)
    (root / "link.jsonl").symlink_to(outside / "session-1.jsonl")
    inside = str(root / "session-1.jsonl")
    ref = LogRef(source=(outside / "session-1.jsonl").as_uri(), generation="", line=1, byte_offset=0, byte_length=1)
    away = [str(outside / "session-1.jsonl"), str(root / "link.jsonl"), f"{root}/../outside/session-1.jsonl"]
    for peer in (TCP, Peer(transport="unix")):
        async with client_of(backend, peer=peer) as client:
            if peer.needs_token:
                await client.request("recapd/authenticate", {"token": peer.token})
            await client.request("recap/get", {"session": {"log": inside}})
            if not peer.needs_token:
                await client.request("recap/get", {"session": {"log": away[0]}})
                continue
            refused = [await client.refused("recap/get", {"session": {"log": log}}) for log in away]
            refused.append(await client.refused("ref/resolve", {"ref": ref}))
            refused.append(await client.refused("ref/resolve", {"ref": ref, "session": {"log": inside}}))
            selector = {"session": {"log": away[0]}}
            refused.append(await client.refused("recap/subscribe", {"subscriptionId": "s", "selector": selector}))
            refused.append(await client.refused("recapd/discover", {"roots": [{"path": "/"}]}))
            assert {each.code for each in refused} == {errors.ACCESS_DENIED}


def test_tcp_without_a_token_cannot_be_served() -> None:
    with pytest.raises(ValueError, match="token"):
        Peer(transport="tcp")


# ---- real sockets


async def test_many_clients_on_a_unix_socket(backend: FakeBackend, tmp_path: Path) -> None:
    answers: list[str] = []

    async def ask(path: Path, number: int) -> None:
        async with wire_client(await anyio.connect_unix(path)) as client:
            for _ in range(5):
                recap = await client.request("recap/get", session(number), RecapGetResult)
                answers.append(f"{number}{recap.session_id[-1]}")

    async def handle(stream: SocketStream) -> None:
        await serve_connection(backend, stream, peer=Peer(transport="unix"), limits=DEFAULT_LIMITS)

    path = tmp_path / "s"
    listener = await anyio.create_unix_listener(path)
    async with listener, anyio.create_task_group() as serving_all:
        serving_all.start_soon(listener.serve, handle)
        async with anyio.create_task_group() as tasks:
            for number in range(20):
                tasks.start_soon(ask, path, 1 + number % 2)
        serving_all.cancel_scope.cancel()
    assert sorted(answers) == ["11"] * 50 + ["22"] * 50


async def test_client_that_dies_on_a_unix_socket(backend: FakeBackend, tmp_path: Path) -> None:
    async def handle(stream: SocketStream) -> None:
        await serve_connection(backend, stream, peer=Peer(transport="unix"), limits=DEFAULT_LIMITS)

    listener = await anyio.create_unix_listener(tmp_path / "s")
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, handle)
        async with await anyio.connect_unix(tmp_path / "s") as stream:
            await stream.send(b'Content-Length: 45\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"recap/get"}' * 50)
            raw = stream.extra(anyio.abc.SocketAttribute.raw_socket)
            raw.shutdown(socket.SHUT_RD)
        async with wire_client(await anyio.connect_unix(tmp_path / "s")) as client:
            await client.request("recap/get", session(1))
        tasks.cancel_scope.cancel()


def serving(
    backend: FakeBackend, stream: anyio.abc.ByteStream, limits: Limits = DEFAULT_LIMITS
) -> Callable[[], Awaitable[None]]:
    async def serve() -> None:
        await serve_connection(backend, stream, peer=Peer(transport="unix"), limits=limits)

    return serve


async def test_refusal_says_what_and_what_to_do(backend: FakeBackend) -> None:
    async with client_of(backend) as client:
        with pytest.raises(Refusal, match="`session/list` shows those there are"):
            await client.request("recap/get", {"session": {"id": "nobody"}})
