"""What a user sees, the same in process, over the socket and through `recapd connect`."""

from __future__ import annotations

from pathlib import Path

import pytest

from recapd.wire.types import (
    FilesListResult,
    RecapAcknowledgeResult,
    RecapdDiscoverResult,
    RecapDidChangeParams,
    RecapdStatusResult,
    RecapGetResult,
    RecapSubscribeResult,
    RecapVerifyResult,
    SessionListResult,
)
from tests.support.clock import a_moment
from tests.support.daemons import MODES, Home, Mode, client_of
from tests.support.following import grow_to
from tests.support.logs import agent, claude_log, edit, human, shell
from tests.support.wire_client import WireClient

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(180)]

FIRST = (human("Fix the flaky login test"), edit("/work/shop/login.py"), agent("Fixed it. Shall I commit?"))
MORE = (human("yes, commit it"), shell("git commit -m 'Fix login'", "1 file changed"), agent("Committed."))
EVERYTHING = {"subscriptionId": "s", "selector": {"all": True}, "settle": {"quietMs": 0, "maxMs": 0}}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest) -> Mode:
    found: Mode = request.param
    return found


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


async def indexed(client: WireClient, sessions: int) -> SessionListResult:
    """Wait until so many sessions are known; told by the status, not by the clock."""
    while True:
        status = await client.request("recapd/status", {}, RecapdStatusResult)
        if status.quiescent and (status.sessions or 0) >= sessions:
            return await client.request("session/list", {}, SessionListResult)
        await a_moment()


async def test_a_session_is_listed_recapped_and_proved(mode: Mode, home: Home) -> None:
    (home.logs / "one.jsonl").write_bytes(claude_log(*FIRST))
    async with client_of(mode, home) as client:
        (session,) = (await indexed(client, 1)).sessions
        assert (session.title, session.turns, session.agent) == ("Fix the flaky login test", 1, "claude-code")
        about = {"session": {"id": session.id}}
        recap = await client.request("recap/get", about, RecapGetResult)
        assert "Fix the flaky login test" in recap.markdown and "Shall I commit?" in recap.markdown
        files = await client.request("files/list", about, FilesListResult)
        assert [(file.path, file.action) for file in files.files] == [("/work/shop/login.py", "modified")]
        proof = await client.request("recap/verify", about, RecapVerifyResult)
        assert proof.checked > 0 and proof.ok == proof.checked


async def test_growth_is_told_and_seen(mode: Mode, home: Home) -> None:
    log = home.logs / "one.jsonl"
    log.write_bytes(claude_log(*FIRST))
    async with client_of(mode, home) as client:
        (session,) = (await indexed(client, 1)).sessions
        subscribed = await client.request("recap/subscribe", EVERYTHING, RecapSubscribeResult)
        assert subscribed.fresh and [each.session_id for each in subscribed.sessions] == [session.id]
        grow_to(log, claude_log(*FIRST, *MORE))
        revision = session.revision
        turns = 1
        while turns < 2:
            told = await client.expect_notification("recap/didChange", RecapDidChangeParams)
            assert [each.session_id for each in told.changes] == [session.id]
            assert told.changes[0].revision > revision
            revision = told.changes[0].revision
            recap = await client.request("recap/get", {"session": {"id": session.id}}, RecapGetResult)
            turns = recap.recap.stats.turns
        await client.request("recap/unsubscribe", {"subscriptionId": "s"})


async def test_only_what_is_new_since_the_reader_last_looked(mode: Mode, home: Home) -> None:
    log = home.logs / "one.jsonl"
    log.write_bytes(claude_log(*FIRST))
    async with client_of(mode, home) as client:
        (session,) = (await indexed(client, 1)).sessions
        about = {"session": {"id": session.id}}
        recap = await client.request("recap/get", about, RecapGetResult)
        mark = about | {"consumer": "panel", "cursor": recap.cursor}
        assert (await client.request("recap/acknowledge", mark, RecapAcknowledgeResult)).cursor == recap.cursor
        grow_to(log, claude_log(*FIRST, *MORE))
        while (await client.request("recap/get", about, RecapGetResult)).recap.stats.turns < 2:
            await a_moment()
        news = await client.request("recap/get", about | {"since": {"consumer": "panel"}}, RecapGetResult)
        assert [request.text for request in news.recap.user_requests] == ["yes, commit it"]
        assert news.recap.since_last_recap is not None and news.recap.since_last_recap.turns == 1


async def test_what_is_wrong_is_said_once_and_nothing_else_breaks(mode: Mode, home: Home) -> None:
    (home.logs / "one.jsonl").write_bytes(claude_log(*FIRST))
    async with client_of(mode, home) as client:
        await indexed(client, 1)
        assert (await client.refused("recap/get", {"format": 7})).code == -32602
        assert (await client.refused("no/such", {})).code == -32601
        assert (await client.refused("recap/get", {"session": {"id": "claude-code:none"}})).code == 1001
        found = await client.request("recapd/discover", {}, RecapdDiscoverResult)
        assert {"recap/get", "recap/subscribe", "recapd/status"} <= set(found.methods)


async def test_rewritten_deleted_and_new_logs(mode: Mode, home: Home) -> None:
    log = home.logs / "one.jsonl"
    log.write_bytes(claude_log(*FIRST, *MORE))
    async with client_of(mode, home) as client:
        (session,) = (await indexed(client, 1)).sessions
        log.write_bytes(claude_log(human("Something else entirely"), agent("Sure."), session="other"))
        while (titles := [each.title for each in (await indexed(client, 1)).sessions]) != ["Something else entirely"]:
            # A file that is rewritten may be seen while it is empty.
            assert titles in (["Fix the flaky login test"], [])
        other = home.logs / "two.jsonl"
        other.write_bytes(claude_log(*FIRST, session="third"))
        await indexed(client, 2)
        log.unlink()
        # A daemon of one client keeps nothing; the user's keeps what was known of the deleted log.
        count = 1 if mode == "in process" else 2
        while not all(each.log_gone == (each.log == log.as_uri()) for each in (await indexed(client, count)).sessions):
            await a_moment()
        assert {each.title for each in (await indexed(client, count)).sessions} >= {"Fix the flaky login test"}
        assert (await client.refused("recap/get", {"session": {"id": session.id}})).code == 1001
