"""The user's word on a decision: told to whoever listens, kept over restarts, and undone by the other word."""

from __future__ import annotations

from pathlib import Path

import pytest

from recapd.wire.types import (
    DecisionsConfirmResult,
    DecisionsDismissResult,
    DecisionsJudgeResult,
    DecisionsListResult,
    RecapDidChangeParams,
    RecapdStatusResult,
    RecapSubscribeResult,
    SessionListResult,
)
from tests.support.clock import a_moment
from tests.support.daemons import Home, client_of
from tests.support.logs import agent, ask, claude_log, human
from tests.support.wire_client import WireClient

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(180)]

# An answer to a question tool is a decision beyond doubt.
TALK = (human("pick a store for the carts"), ask("Which store?", "SQLite"), agent("SQLite it is."))


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def listed(client: WireClient) -> DecisionsListResult:
    while not (await client.request("recapd/status", {}, RecapdStatusResult)).quiescent:
        await a_moment()
    (session,) = (await client.request("session/list", {}, SessionListResult)).sessions
    return await client.request("decisions/list", {"session": {"id": session.id}}, DecisionsListResult)


async def test_a_verdict_is_told_kept_and_undone(tmp_path: Path) -> None:
    home = Home(tmp_path)
    (home.logs / "one.jsonl").write_bytes(claude_log(*TALK))
    async with client_of("socket", home) as client:
        before = await listed(client)
        (decision,) = [each for each in before.decisions if "SQLite" in each.text]
        word = {"session": {"id": before.session_id}, "id": decision.id}
        everything = {"subscriptionId": "s", "selector": {"all": True}, "settle": {"quietMs": 0, "maxMs": 0}}
        await client.request("recap/subscribe", everything, RecapSubscribeResult)
        dismissed = await client.request("decisions/dismiss", word, DecisionsDismissResult)
        assert dismissed.revision > before.revision
        change = await client.expect_notification("recap/didChange", RecapDidChangeParams)
        assert [(each.session_id, each.revision) for each in change.changes] == [
            (before.session_id, dismissed.revision)
        ]
        assert "decisions" in change.changes[0].sections
        assert decision.id not in {each.id for each in (await listed(client)).decisions}

    async with client_of("socket", home) as client:
        after = await listed(client)
        assert after.revision >= dismissed.revision
        assert decision.id not in {each.id for each in after.decisions}
        confirmed = await client.request("decisions/confirm", word, DecisionsConfirmResult)
        assert (confirmed.decision.id, confirmed.decision.confidence) == (decision.id, 1.0)
        assert confirmed.revision > after.revision
        assert decision.id in {each.id for each in (await listed(client)).decisions}
        await client.request("decisions/judge", {**word, "verdict": None}, DecisionsJudgeResult)

    async with client_of("socket", home) as client:
        assert (await listed(client)).decisions == before.decisions
