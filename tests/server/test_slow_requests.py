"""Requests that take their time: cancelled, refused, abandoned, and answered once in every case."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest

from recapd.server.transport.limits import Limits
from recapd.wire import errors
from recapd.wire.types import RecapGetResult
from tests.support.fake_backend import FakeBackend, backend_of, client_of, serving, session_id
from tests.support.wire_client import WireClient, memory_pipe, wire_client

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def backend(tmp_path: Path) -> FakeBackend:
    return backend_of(tmp_path, sessions=2)


def session(number: int) -> dict[str, object]:
    return {"session": {"id": session_id(number)}}


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


async def test_a_request_past_its_deadline_is_answered_once(backend: FakeBackend) -> None:
    async with client_of(backend, limits=Limits(answer_s=2.0)) as client, slow_request(client, backend) as slow:
        error = (await client.answer(slow)).error
        assert (getattr(error, "code", None), "2 seconds" in str(error)) == (errors.LIMIT_EXCEEDED, True)
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
            await client.request("files/list", session(1))
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
