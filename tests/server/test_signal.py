"""`session/signal`: who may tell what of which session."""

from __future__ import annotations

from pathlib import Path

import pytest

from recapd.wire.types import SessionListResult
from tests.support.daemons import Home, client_of
from tests.support.logs import agent, at, claude_log, human
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
