"""`session/signal`: who may tell what of which session."""

from __future__ import annotations

from pathlib import Path

import pytest

from recapd.wire.types import SessionListResult
from tests.support.daemons import Home, client_of
from tests.support.following import grow_to
from tests.support.logs import agent, at, claude_log, human, pause
from tests.support.wire_client import WireClient

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(180)]

OWN_ID = "5e551011-c0de-4a11-8000-000000000001"
SESSION = {"agent": "claude-code", "agentSessionId": OWN_ID}
LOG = claude_log(human("fix it"), agent("Done."))


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


async def state_of(client: WireClient) -> tuple[str, str | None]:
    while True:
        found = await client.request("session/list", {}, SessionListResult)
        if found.sessions:
            return found.sessions[0].state, found.sessions[0].needs


async def test_a_hook_tells_what_happens_also_before_there_is_a_log(home: Home) -> None:
    told = {"session": SESSION, "at": "2099-01-01T00:00:00Z"}
    async with client_of("in process", home) as client:
        asked = {**told, "kind": "permission", "text": "Bash: rm -rf build"}
        assert await client.request("session/signal", asked) is None
        (home.logs / f"{OWN_ID}.jsonl").write_bytes(LOG)
        assert await state_of(client) == ("waiting", "permission")
        await client.request("session/signal", {**told, "kind": "prompt"})
        assert await state_of(client) == ("active", None)
        await client.request("session/signal", {**told, "kind": "ended"})
        assert await state_of(client) == ("finished", None)


async def test_any_request_takes_the_agents_own_id(home: Home) -> None:
    (home.logs / f"{OWN_ID}.jsonl").write_bytes(LOG)
    async with client_of("in process", home) as client:
        await state_of(client)
        for method in ("recap/get", "files/list", "session/export", "decisions/list"):
            found = await client.request(method, {"session": SESSION})
            assert isinstance(found, dict) and found["sessionId"] == f"claude-code:{OWN_ID}"
        selector = {"session": SESSION}
        subscribed = await client.request("recap/subscribe", {"subscriptionId": "s", "selector": selector})
        assert isinstance(subscribed, dict) and len(subscribed["sessions"]) == 1
        unknown = {"agent": "claude-code", "agentSessionId": "nobody"}
        assert (await client.refused("recap/get", {"session": unknown})).code == 1001


async def test_what_a_summary_that_was_handed_over_lost_is_told_before_the_log_has_it(home: Home) -> None:
    acts = (
        human("the exporter must write UTF-16 for Quokkas Ltd"),
        agent("It does now."),
        human("rewrite the parser"),
        agent("The parser was rewritten."),
    )
    log = home.logs / f"{OWN_ID}.jsonl"
    log.write_bytes(claude_log(*acts))
    asked = {"session": SESSION, "maxTokens": 1_000, "include": ["lost"]}
    async with client_of("in process", home) as client:
        await state_of(client)

        async def lost() -> str:
            found = await client.request("context/assemble", asked)
            assert isinstance(found, dict)
            return str(found.get("text") or "")

        assert "Quokkas" not in await lost()
        told = {"session": SESSION, "kind": "compacting", "at": at(3_000), "summary": "The parser was rewritten. " * 30}
        await client.request("session/signal", told)
        text = await lost()
        assert "UTF-16 for Quokkas Ltd" in text and "asked: rewrite the parser" not in text
        # What comes later was not forgotten; and what the log says then is the agent's summary.
        later = (*acts, pause(6_000), human("paint the zebra crossing"), agent("Painted."))
        grow_to(log, claude_log(*later))
        await until_turns(client, 3)
        assert "UTF-16 for Quokkas Ltd" in (text := await lost()) and "zebra" not in text
        summary = "This session is being continued from a previous conversation. " + "UTF-16 for Quokkas Ltd. " * 30
        grow_to(log, claude_log(*later, human(summary), human("go on"), agent("Going on.")))
        await until_turns(client, 4)
        assert "asked: rewrite the parser" in (text := await lost()) and "Quokkas" not in text


async def until_turns(client: WireClient, turns: int) -> None:
    while True:
        found = await client.request("session/list", {}, SessionListResult)
        if found.sessions and found.sessions[0].turns == turns:
            return


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "dreaming"},
        {"at": "yesterday"},
        {"session": {"agent": "claude-code"}},
        {"session": {"agentSessionId": "x"}},
        {"session": {"id": "claude-code:x", "agent": "claude-code", "agentSessionId": "x"}},
        {"session": {"id": "x"}},
        {"session": {"id": "claude-code:../x y"}},
        {"pid": 0},
        {"pid": 1 << 40},
        {"text": "x" * 20_000},
        {"summary": "x" * 300_000},
    ],
)
async def test_what_is_no_signal_is_refused(wrong: dict[str, object], home: Home) -> None:
    async with client_of("in process", home) as client:
        error = await client.refused("session/signal", {"session": SESSION, "kind": "idle", "at": at(0), **wrong})
        assert error.code == -32602
