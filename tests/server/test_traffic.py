"""What clients make recapd hold is bounded in bytes: for each of them, and for all together."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import anyio
import anyio.lowlevel
import pytest

from recapd.server.answers import Answers
from recapd.server.transport.connection import serve_connection
from recapd.server.transport.frames import Outbox, Traffic
from recapd.server.transport.limits import DEFAULT_LIMITS, Limits
from recapd.wire.errors import LIMIT_EXCEEDED
from recapd.wire.types.recap import RecapAcknowledgeResult
from tests.support.clock import eventually
from tests.support.fake_backend import UNIX, FakeBackend, backend_of, client_of
from tests.support.wire_client import MemoryStream, WireClient, memory_pipe

pytestmark = pytest.mark.anyio

HALF = b"Content-Length: 1000000\r\n\r\n"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def backend(tmp_path: Path) -> FakeBackend:
    return backend_of(tmp_path)


@asynccontextmanager
async def served_together(
    backend: FakeBackend, traffic: Traffic, count: int
) -> AsyncIterator[list[tuple[WireClient, MemoryStream]]]:
    async with AsyncExitStack() as stack, anyio.create_task_group() as tasks:
        found = []
        for _ in range(count):
            ours, theirs = memory_pipe(pieces=64)
            await stack.enter_async_context(ours)

            async def serve(stream: MemoryStream = theirs) -> None:
                await serve_connection(backend, stream, peer=UNIX, limits=DEFAULT_LIMITS, traffic=traffic)

            tasks.start_soon(serve)
            client = WireClient(ours)
            tasks.start_soon(client.read_all)
            found.append((client, ours))
        yield found
        tasks.cancel_scope.cancel()


async def test_whoever_holds_most_is_let_go_and_told_why(backend: FakeBackend) -> None:
    traffic = Traffic(most_bytes=300_000)
    async with served_together(backend, traffic, 3) as ((honest, _), (small, _), (large, _)):
        await honest.request("recap/get")
        await small.send_bytes(HALF + b" " * 100_000)
        await large.send_bytes(HALF + b" " * 150_000)
        await anyio.wait_all_tasks_blocked()
        assert 250_000 <= traffic.held < 260_000
        await small.send_bytes(b" " * 100_000)
        told = await small.answer(None)
        assert getattr(told.error, "code", None) == LIMIT_EXCEEDED and "read the answers" in str(told.error)
        await small.expect_end()
        # Only what the others hold is left, and they are served.
        assert 150_000 <= traffic.held < 160_000
        await honest.request("recap/get")
        large.check_nothing_unread()


async def test_nothing_is_held_for_those_who_left(backend: FakeBackend) -> None:
    traffic = Traffic(most_bytes=300_000)
    for _ in range(10):
        async with served_together(backend, traffic, 1) as ((client, stream),):
            await client.request("recap/get")
            await client.send_bytes(HALF + b" " * 200_000)
            await stream.send_eof()
            await client.answer(None)
            await client.expect_end()
    assert traffic.held == 0


async def test_an_outbox_is_full_by_bytes_and_keeps_the_order() -> None:
    account = Traffic().open(lambda: None)
    outbox = Outbox(Limits(outgoing_bytes=1_000, outgoing_frames=64), account)
    ours, theirs = memory_pipe()
    sent: list[int] = []

    async def send(number: int) -> None:
        await outbox.send(b"%d" % number * 600)
        sent.append(number)

    async with ours, theirs, anyio.create_task_group() as tasks:
        for number in range(6):
            tasks.start_soon(send, number)
        await anyio.wait_all_tasks_blocked()
        # There was room for one more; whoever brought more than that waits, and nothing more is begun meanwhile.
        assert sent == [0] and account.held == 3_600 and not outbox.offer(b"more")
        tasks.start_soon(outbox.write_to, theirs)
        await anyio.wait_all_tasks_blocked()
        assert sorted(sent) == list(range(6)) and account.held == 0
        outbox.close()
        received = b""
        while b"5" * 600 not in received:
            received += await ours.receive()
    assert [received.index(b"%d" % number * 600) for number in range(6)] == sorted(
        received.index(b"%d" % number * 600) for number in range(6)
    )


async def test_no_more_is_worked_out_than_is_read(backend: FakeBackend) -> None:
    """A client that asks and does not read has a few answers made for it, and then none."""
    worked_out = 0
    made = backend.service.head

    def head(source: str) -> bytes | None:
        nonlocal worked_out
        worked_out += 1
        return made(source)

    backend.service.head = head  # type: ignore[method-assign]
    limits = Limits(outgoing_bytes=1, working_requests=2)
    ours, theirs = memory_pipe(pieces=1)
    async with client_of(backend) as other:
        recap = await other.request("recap/get", None, dict[str, object])
        assert isinstance(recap["recap"], dict)
        ref = recap["recap"]["originalRequest"]["ref"]
    async with anyio.create_task_group() as tasks, ours:
        tasks.start_soon(lambda: serve_connection(backend, theirs, peer=UNIX, limits=limits))
        client = WireClient(ours)
        for _ in range(30):
            await client.send("ref/resolve", {"ref": ref})
        await eventually(lambda: worked_out > 0)
        # As long as others would take that nothing holds back.
        await anyio.sleep(0.5)
        assert worked_out <= 2 + 2 + 1
        tasks.cancel_scope.cancel()


@pytest.mark.parametrize(("method", "params"), [("history/get", {"full": True}), ("recapd/status", None)])
async def test_an_answer_that_is_too_large_is_refused(
    backend: FakeBackend, method: str, params: dict[str, object] | None
) -> None:
    """Also one that is made while nobody else is served."""
    async with client_of(backend, limits=Limits(answer_bytes=100)) as client:
        refused = await client.refused(method, params)
        assert refused.code == LIMIT_EXCEEDED and "100" in refused.message
        await client.request("recap/unsubscribe", {"subscriptionId": "none"})


async def test_kept_answers_are_bounded_by_bytes() -> None:
    answers = Answers(most=100, most_bytes=1_000)
    for number in range(50):
        answers.keep(number, RecapAcknowledgeResult(session_id="x" * 200, revision=1, consumer="c", cursor="d"))
    kept = [number for number in range(50) if answers.get(number) is not None]
    assert kept == [46, 47, 48, 49] or kept == [47, 48, 49]
    large = answers.keep("large", RecapAcknowledgeResult(session_id="x" * 2_000, revision=1, consumer="c", cursor="d"))
    assert len(large) > 2_000 and answers.get("large") is None
