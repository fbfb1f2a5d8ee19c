"""Notifications: after the reply that they follow from, the latest only, and none after the end."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from recapd.server.transport.limits import Limits
from recapd.wire import errors
from recapd.wire.types import RecapdDidChangeStatusParams, RecapDidChangeParams, RecapSubscribeResult
from tests.support.fake_backend import FakeBackend, backend_of, client_of, serving, session_id
from tests.support.wire_client import WireClient, memory_pipe

pytestmark = pytest.mark.anyio
SUBSCRIBE = {"subscriptionId": "s", "selector": {"all": True}}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def backend(tmp_path: Path) -> FakeBackend:
    return backend_of(tmp_path, sessions=2)


def session(number: int) -> dict[str, object]:
    return {"session": {"id": session_id(number)}}


async def test_first_change_comes_after_the_reply(backend: FakeBackend) -> None:
    """The backend has a change ready the moment it is subscribed to."""
    ours, theirs = memory_pipe(pieces=1)
    client = WireClient(ours)
    async with ours, anyio.create_task_group() as tasks:
        tasks.start_soon(serving(backend, theirs))
        # Something unread before, so that the reply has to wait for its turn.
        for _ in range(5):
            await client.send("files/list", session(1))
        await client.send("recap/subscribe", SUBSCRIBE, id="sub")
        await anyio.wait_all_tasks_blocked()
        seen: list[object] = []
        while len(seen) < 7:
            body = await client._frames.next()
            assert body is not None
            seen.append("change" if b"recap/didChange" in body else "reply" if b'"sub"' in body else "files")
        assert seen == ["files"] * 5 + ["reply", "change"]
        tasks.cancel_scope.cancel()


async def test_subscription(backend: FakeBackend) -> None:
    async with client_of(backend) as client, client_of(backend) as other:
        result = await client.request("recap/subscribe", SUBSCRIBE, RecapSubscribeResult)
        assert result.fresh
        assert (await client.expect_notification("recap/didChange", RecapDidChangeParams)).cursor == "c:1"
        backend.publish("s", cursor="c:2")
        assert (await client.expect_notification("recap/didChange", RecapDidChangeParams)).cursor == "c:2"
        # What was on its way when the subscription ended is not told.
        mailbox = backend.subscriptions["s"]
        assert await client.request("recap/unsubscribe", {"subscriptionId": "s"}) is None
        assert await client.request("recap/unsubscribe", {"subscriptionId": "s"}) is None
        backend.subscriptions["s"] = mailbox
        backend.publish("s", cursor="c:3")
        await client.request("recap/get", session(1))
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
