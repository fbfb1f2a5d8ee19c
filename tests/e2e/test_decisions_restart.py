"""A long conversation's decisions are the same after a restart, and keep their ids as the conversation goes on."""

from __future__ import annotations

from pathlib import Path

import pytest

from recapd.wire.types import Decision, DecisionsListResult, RecapdStatusResult, SessionListResult
from tests.support.clock import a_moment
from tests.support.daemons import Home, client_of
from tests.support.logs import Act, agent, claude_log, edit, human
from tests.support.wire_client import WireClient

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(180)]

TURNS = 200
THINGS = ("avatar size", "cart expiry", "banner height", "queue depth", "worker pool", "map zoom", "trial period")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def talk(turns: int) -> list[Act]:
    """Values are set, changed and changed back, again and again."""
    acts: list[Act] = []
    for turn in range(turns):
        thing, value = THINGS[turn % len(THINGS)], (10, 40, 10, 70)[turn // len(THINGS) % 4]
        request = f"no, the {thing} must be {value}, not {value + 1}"
        acts += [human(request), edit(f"/home/dev/shop/part{turn % 9}.py"), agent("Done.")]
    return acts


async def listed(client: WireClient) -> tuple[Decision, ...]:
    while not (await client.request("recapd/status", {}, RecapdStatusResult)).quiescent:
        await a_moment()
    (session,) = (await client.request("session/list", {}, SessionListResult)).sessions
    params = {"session": {"id": session.id}, "limit": 500}
    return (await client.request("decisions/list", params, DecisionsListResult)).decisions


async def test_a_restart_changes_no_decision_and_more_of_the_log_no_id(tmp_path: Path) -> None:
    home = Home(tmp_path)
    log = home.logs / "one.jsonl"
    log.write_bytes(claude_log(*talk(TURNS)))
    async with client_of("socket", home) as client:
        before = await listed(client)
    assert {each.status for each in before} == {"active", "superseded"}
    assert len({each.id for each in before}) == len(before) == TURNS

    async with client_of("socket", home) as client:
        assert await listed(client) == before

    log.write_bytes(claude_log(*talk(TURNS + 20)))
    async with client_of("socket", home) as client:
        after = await listed(client)
    assert [each.id for each in after][:TURNS] == [each.id for each in before]
