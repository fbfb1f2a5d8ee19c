"""How much of each session a reader has not seen, in the lists of sessions."""

from __future__ import annotations

from pathlib import Path

import pytest

from recapd.wire.types import RecapGetResult, SessionListResult, SessionOverviewResult
from tests.support.clock import a_moment
from tests.support.daemons import Home, client_of
from tests.support.following import grow_to
from tests.support.logs import agent, claude_log, human, raw
from tests.support.wire_client import WireClient

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(180)]

FIRST = (human("fix it"), agent("Done."))
BOOKKEEPING = raw(b'{"type":"last-prompt","lastPrompt":"p","sessionId":"5e551011-c0de-4a11-8000-000000000001"}')
MORE = (human("and the docs"), agent("Done too."))


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def unseen(client: WireClient, *, messages: int, records: int = 0) -> int | None:
    """By the panel, once so much is read."""
    while True:
        found = await client.request("session/list", {"consumer": "panel"}, SessionListResult)
        if found.sessions and found.sessions[0].messages == messages:
            break
        await a_moment()
    rows = (await client.request("session/overview", {"consumer": "panel"}, SessionOverviewResult)).sessions
    assert [row.unseen for row in rows] == [found.sessions[0].unseen]
    plain = await client.request("session/list", {}, SessionListResult)
    assert plain.sessions[0].unseen is None
    return found.sessions[0].unseen


async def acknowledge(client: WireClient) -> None:
    recap = await client.request("recap/get", {}, RecapGetResult)
    session = {"session": {"id": recap.session_id}}
    await client.request("recap/acknowledge", {**session, "consumer": "panel", "cursor": recap.cursor})


async def test_what_came_after_the_readers_mark_is_unseen(tmp_path: Path) -> None:
    home = Home(tmp_path)
    log = home.logs / "one.jsonl"
    log.write_bytes(claude_log(*FIRST))
    async with client_of("in process", home) as client:
        assert await unseen(client, messages=2) is None, "it never looked"
        await acknowledge(client)
        assert await unseen(client, messages=2) == 0
        grow_to(log, claude_log(*FIRST, BOOKKEEPING))
        assert await unseen(client, messages=2) == 0
        grow_to(log, claude_log(*FIRST, BOOKKEEPING, *MORE, *MORE))
        assert await unseen(client, messages=6) == 2
        await acknowledge(client)
        assert await unseen(client, messages=6) == 0
        grow_to(log, claude_log(*FIRST, BOOKKEEPING, *MORE, *MORE, agent("One more word.")))
        assert await unseen(client, messages=7) == 1, "the same turn went on"
