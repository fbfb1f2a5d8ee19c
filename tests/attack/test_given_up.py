"""Work that takes too long, or that nobody waits for any more, really ends: the processor is idle again."""

from __future__ import annotations

import time
from pathlib import Path

import anyio
import pytest

from recapd.server.transport.limits import Limits
from recapd.wire import errors
from tests.attack.figures import tell_figures
from tests.support.fake_backend import FakeBackend, client_of
from tests.support.logs import agent, claude_log, human

pytestmark = [pytest.mark.anyio, pytest.mark.attack, pytest.mark.timeout(300)]

# Judging what was decided in it takes most of a minute.
TURNS = 1000
SAYS = "We should use parser {0} instead of the old one, because it is faster; never touch table_{0} again. "
# Between two looks there is one scene to judge, on a machine that has other things to do.
SOON_S = 4.0
ALLOWED_S = 1.0


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def backend(tmp_path: Path) -> FakeBackend:
    acts = [act for turn in range(TURNS) for act in (human(SAYS.format(turn) * 30), agent(SAYS.format(turn) * 30))]
    (tmp_path / "long.jsonl").write_bytes(claude_log(*acts, session="long"))
    return FakeBackend(tmp_path)


async def comes_to_rest() -> float:
    """Seconds until the process computes no more."""
    began = time.monotonic()
    while True:
        before = time.process_time()
        await anyio.sleep(0.5)
        if time.process_time() - before < 0.1:
            return time.monotonic() - began


@pytest.mark.parametrize("method", ["decisions/list", "recap/get", "context/assemble", "session/export"])
async def test_a_request_past_its_deadline_is_answered_and_its_work_ends(backend: FakeBackend, method: str) -> None:
    params: dict[str, object] = {"session": {"id": "claude-code:long"}, "maxTokens": 4000}
    async with client_of(backend, limits=Limits(answer_s=ALLOWED_S)) as client:
        began = time.monotonic()
        refused = await client.refused(method, params)
        took = time.monotonic() - began
        rest = await comes_to_rest()
    tell_figures(f"{method} past its deadline: answered after {took:.1f} s, at rest {rest:.1f} s later")
    assert (refused.code, ALLOWED_S <= took < SOON_S) == (errors.LIMIT_EXCEEDED, True)
    assert rest < SOON_S


async def test_the_work_of_a_cancelled_request_ends(backend: FakeBackend) -> None:
    async with client_of(backend) as client:
        slow = await client.send("decisions/list", {"session": {"id": "claude-code:long"}})
        await anyio.sleep(ALLOWED_S)
        await client.notify("$/cancelRequest", {"id": slow})
        answer = await client.answer(slow)
        assert getattr(answer.error, "code", None) == errors.REQUEST_CANCELLED
        assert await comes_to_rest() < SOON_S


async def test_the_work_of_a_client_that_left_ends(backend: FakeBackend) -> None:
    async with client_of(backend) as client:
        await client.send("decisions/list", {"session": {"id": "claude-code:long"}})
        await anyio.sleep(ALLOWED_S)
    assert await comes_to_rest() < SOON_S
