"""Computing goes to a few threads, and the same answer is worked out once, however many want it at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

import anyio
import pytest

from recapd.core.giving_up import look_up
from recapd.server.transport import threads
from recapd.server.transport.threads import in_thread, worked_out
from recapd.wire.errors import REQUEST_FAILED, RecapError
from tests.support.clock import PATIENCE_S, a_moment

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Work:
    """Begins, and is not done before it may be. What was made once is kept."""

    def __init__(self) -> None:
        self.may_end = threading.Event()
        self.made = 0
        self.running = 0
        self.most = 0
        self._lock = threading.Lock()

    def __call__(self) -> int:
        if self.made:
            return self.made
        with self._lock:
            self.running += 1
            self.most = max(self.most, self.running)
        self.may_end.wait(PATIENCE_S)
        with self._lock:
            self.running -= 1
            self.made += 1
        return self.made


async def until(condition: Callable[[], bool]) -> None:
    with anyio.fail_after(PATIENCE_S):
        while not condition():
            await a_moment()


async def test_what_is_under_way_is_waited_for() -> None:
    work = Work()
    found: list[int] = []

    async def ask() -> None:
        found.append(await worked_out("the same", work))

    async with anyio.create_task_group() as group:
        for _ in range(5):
            group.start_soon(ask)
        await until(lambda: work.running == 1)
        await anyio.wait_all_tasks_blocked()
        work.may_end.set()
    assert (work.made, work.most, found) == (1, 1, [1] * 5)


async def test_who_waits_for_one_that_is_given_up_works_it_out() -> None:
    work = Work()
    found: list[int] = []

    async def wait() -> None:
        found.append(await worked_out("the same", work))

    async with anyio.create_task_group() as group:
        with anyio.CancelScope() as first:
            async with anyio.create_task_group() as asking:
                asking.start_soon(worked_out, "the same", work)
                await until(lambda: work.running == 1)
                group.start_soon(wait)
                await anyio.wait_all_tasks_blocked()
                first.cancel()
        await until(lambda: work.running == 2)
        work.may_end.set()
    assert len(found) == 1


async def test_few_compute_at_a_time_and_others_are_read_for_meanwhile() -> None:
    work = Work()
    async with anyio.create_task_group() as group:
        for number in range(threads.THINKING + 3):
            group.start_soon(worked_out, number, work)
        await until(lambda: work.running == threads.THINKING)
        with anyio.fail_after(PATIENCE_S):
            assert await in_thread(lambda: "read") == "read"
        work.may_end.set()
    assert work.most == threads.THINKING


async def test_what_nobody_waits_for_ends_before_its_next_piece() -> None:
    has_begun, has_ended = threading.Event(), threading.Event()

    def work() -> None:
        has_begun.set()
        try:
            while True:
                look_up()
        finally:
            has_ended.set()

    async with anyio.create_task_group() as group:
        group.start_soon(in_thread, work)
        await until(has_begun.is_set)
        group.cancel_scope.cancel()
    await until(has_ended.is_set)
    assert await in_thread(lambda: "read") == "read"


async def test_a_disk_that_does_not_answer_costs_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "SILENT_S", 0.0)
    work = Work()
    try:
        with anyio.CancelScope() as first:
            async with anyio.create_task_group() as asking:
                asking.start_soon(partial(in_thread, work, about=("/far",)))
                await until(lambda: work.running == 1)
                first.cancel()
        await a_moment()
        with pytest.raises(RecapError) as refused:
            await in_thread(work, about=("/far",))
        assert (refused.value.code, work.most) == (REQUEST_FAILED, 1)
        assert await in_thread(lambda: "read", about=("/near",)) == "read"
    finally:
        work.may_end.set()
    await until(lambda: work.running == 0)
    assert await in_thread(lambda: "read", about=("/far",)) == "read"
