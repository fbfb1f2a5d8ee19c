"""A disk that does not answer is asked once, and again when it is back."""

from __future__ import annotations

import threading

import anyio
import anyio.to_thread
import pytest

from recapd.server.threads import Disks
from tests.support.clock import PATIENCE_S, a_moment

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_who_asks_a_silent_disk_is_told_and_nobody_asks_twice() -> None:
    disks, answers, looks = Disks(), threading.Event(), 0

    def look() -> str:
        nonlocal looks
        looks += 1
        answers.wait(PATIENCE_S)
        return "found"

    while not looks:
        assert await disks.ask("/far", look, within_s=0.01) is None
    assert await disks.ask("/far", look, within_s=PATIENCE_S) is None
    assert (looks, disks.is_silent("/far"), disks.is_silent("/near")) == (1, True, False)
    assert await disks.ask("/near", lambda: "found", within_s=PATIENCE_S) == "found"
    answers.set()
    with anyio.fail_after(PATIENCE_S):
        while disks.is_silent("/far"):
            await a_moment()
    assert await disks.ask("/far", look, within_s=PATIENCE_S) == "found"


async def test_a_disk_that_nobody_got_to_ask_is_asked_again() -> None:
    disks, goes_on = Disks(), threading.Event()
    limiter = anyio.to_thread.current_default_thread_limiter()
    threads, limiter.total_tokens = limiter.total_tokens, 1
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(anyio.to_thread.run_sync, goes_on.wait, PATIENCE_S)
            while not limiter.borrowed_tokens:
                await a_moment()
            assert await disks.ask("/far", lambda: "found", within_s=0.01) is None
            goes_on.set()
        assert await disks.ask("/far", lambda: "found", within_s=PATIENCE_S) == "found"
    finally:
        limiter.total_tokens = threads


async def test_what_fails_fails_for_who_asked() -> None:
    with pytest.raises(ZeroDivisionError):
        await Disks().ask("/far", lambda: str(1 // 0), within_s=PATIENCE_S)
