"""One way from a request to its answer: the world is looked at once and the session found once, whoever answers."""

from __future__ import annotations

import threading
from pathlib import Path

import anyio
import anyio.to_thread
import pytest

from recapd.core.state.world import Session
from recapd.server.answers import Answers
from recapd.server.backend import Mailbox
from recapd.wire.types import RecapDidChangeParams, RecapSubscribeParams, RecapSubscribeResult, SessionChange
from recapd.wire.types.base import SessionSelector
from tests.support.clock import PATIENCE_S
from tests.support.fake_backend import FakeBackend, FakeService, backend_of, client_of, session_id
from tests.support.logs import CWD, agent, claude_log, human, read
from tests.support.wire_client import WireClient

pytestmark = pytest.mark.anyio
NAMED = {"session": {"id": session_id(1)}}


class CountingService(FakeService):
    found = 0

    def find_session(self, selector: SessionSelector | None, cwd: str | tuple[str, ...] | None) -> Session:
        self.found += 1
        return super().find_session(selector, cwd)


class CountingBackend(FakeBackend):
    looked = 0

    def snapshot(self) -> FakeService:
        self.looked += 1
        return super().snapshot()


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.parametrize(
    ("method", "params", "found"),
    [
        ("files/list", NAMED, 1),
        ("files/list", {}, 1),
        ("files/list", {"cwd": CWD}, 1),
        ("recap/get", NAMED, 1),
        ("recap/get", {"session": {"workspace": CWD}}, 1),
        ("recap/verify", NAMED, 1),
        ("history/get", NAMED, 1),
        ("summary/digest", NAMED, 1),
        ("session/list", {}, 0),
        ("recapd/status", {}, 0),
    ],
)
async def test_a_request_looks_once(tmp_path: Path, method: str, params: dict[str, object], found: int) -> None:
    backend_of(tmp_path)
    backend = CountingBackend(tmp_path)
    backend.service = service = CountingService(tmp_path)
    async with client_of(backend) as client:
        for times in (1, 2):
            await client.request(method, params)
            assert (backend.looked, service.found) == (times, times * found)


class WatchedService(FakeService):
    """Knows who made an answer: the loop, or a thread beside it."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.answers = Answers()
        self.made_by: list[str] = []

    def complete(self, session: Session) -> Session:
        is_loop = threading.current_thread() is threading.main_thread()
        self.made_by.append("loop" if is_loop else "thread")
        return super().complete(session)


@pytest.mark.parametrize(
    ("method", "turns", "made_by"),
    [
        ("files/list", 3, ["loop", "loop", "loop"]),
        # As quick as any, of a short session.
        ("files/list", 600, ["thread", "thread", "thread"]),
        # What was decided is at hand from the second on, and the third is asked a second time.
        ("recap/get", 3, ["thread", "thread"]),
        ("recap/get", 600, ["thread", "thread"]),
    ],
)
async def test_nothing_that_grows_with_a_session_is_made_on_the_loop(
    tmp_path: Path, method: str, turns: int, made_by: list[str]
) -> None:
    acts = [act for turn in range(turns) for act in (human(f"look at {turn}"), read(f"/a/{turn}.py"), agent("Done."))]
    (tmp_path / "long.jsonl").write_bytes(claude_log(*acts, session="long"))
    backend = FakeBackend(tmp_path)
    backend.service = service = WatchedService(tmp_path)
    async with client_of(backend) as client:
        for limit in (500, 501, 501):
            size = {"maxTokens": limit} if method == "recap/get" else {"limit": limit}
            await client.request(method, {"session": {"id": "claude-code:long"}} | size)
    assert service.made_by == made_by


ALL = {"subscriptionId": "s", "selector": {"all": True}}


def tell(backend: FakeBackend, cursor: str) -> None:
    """That the session changed."""
    changes = (SessionChange(session_id=session_id(1), revision=2, sections=("files",)),)
    news = RecapDidChangeParams(subscription_id="s", cursor=cursor, fresh=False, changes=changes)
    backend.subscriptions["s"].put("s", news)


async def told(client: WireClient) -> str:
    return (await client.expect_notification("recap/didChange", RecapDidChangeParams)).cursor


@pytest.fixture
def watched(tmp_path: Path) -> tuple[FakeBackend, WatchedService]:
    backend_of(tmp_path)
    backend = FakeBackend(tmp_path)
    backend.service = service = WatchedService(tmp_path)
    return backend, service


async def test_what_a_client_follows_is_made_before_it_is_told_of_the_change(
    watched: tuple[FakeBackend, WatchedService],
) -> None:
    backend, service = watched
    asked = NAMED | {"format": "full", "knownRevision": 0}
    async with client_of(backend) as client:
        await client.request("recap/subscribe", ALL)
        await told(client)
        await client.request("recap/get", asked)
        # Something changed that the answer rests on.
        service.answers = Answers()
        service.made_by.clear()
        tell(backend, "c:2")
        await told(client)
        assert service.made_by == ["thread"]
        await client.request("recap/get", asked | {"knownRevision": 1})
        assert service.made_by == ["thread"]


async def test_the_list_a_client_shows_is_made_before_it_is_told_of_the_change(
    watched: tuple[FakeBackend, WatchedService], monkeypatch: pytest.MonkeyPatch
) -> None:
    backend, service = watched
    async with client_of(backend) as client:
        await client.request("recap/subscribe", ALL)
        await told(client)
        await client.request("session/overview", {"consumer": "panel"})
        service.answers = Answers()
        tell(backend, "c:2")
        await told(client)
        # Nobody has to look at the sessions again.
        monkeypatch.setattr(service, "sessions", fail)
        await client.request("session/overview", {"consumer": "panel"})


async def test_what_a_client_no_longer_asks_for_is_not_made_again(watched: tuple[FakeBackend, WatchedService]) -> None:
    backend, service = watched
    async with client_of(backend) as client:
        await client.request("recap/subscribe", ALL)
        await told(client)
        await client.request("recap/get", NAMED)
        for number in range(3):
            service.answers = Answers()
            tell(backend, f"c:{number}")
            await told(client)
        # By who asked, and once ahead of who might have.
        assert len(service.made_by) == 2


async def test_long_params_are_not_held_once_they_are_answered(watched: tuple[FakeBackend, WatchedService]) -> None:
    backend, service = watched
    async with client_of(backend) as client:
        await client.request("recap/subscribe", ALL)
        await told(client)
        await client.request("recap/get", NAMED | {"currentPrompt": "word " * 10_000})
        service.answers = Answers()
        service.made_by.clear()
        tell(backend, "c:2")
        await told(client)
        assert service.made_by == []


def fail(*about: object) -> Session:
    raise KeyError("no such thing")


async def test_a_fault_in_what_is_made_ahead_costs_nobody_the_connection(
    watched: tuple[FakeBackend, WatchedService], monkeypatch: pytest.MonkeyPatch
) -> None:
    backend, service = watched
    async with client_of(backend) as client:
        await client.request("recap/subscribe", ALL)
        await told(client)
        await client.request("recap/get", NAMED)
        service.answers = Answers()
        with monkeypatch.context() as broken:
            broken.setattr(service, "complete", fail)
            tell(backend, "c:2")
            assert await told(client) == "c:2"
        await client.request("recap/get", NAMED)


async def test_news_is_not_told_under_another_subscription_of_the_same_name(
    watched: tuple[FakeBackend, WatchedService], monkeypatch: pytest.MonkeyPatch
) -> None:
    backend, service = watched
    async with client_of(backend) as client:
        await client.request("recap/subscribe", ALL)
        await told(client)
        await client.request("recap/get", NAMED)
        service.answers = Answers()
        begun, go_on = threading.Event(), threading.Event()
        complete = service.complete

        def wait(session: Session) -> Session:
            begun.set()
            go_on.wait(PATIENCE_S)
            return complete(session)

        monkeypatch.setattr(service, "complete", wait)
        tell(backend, "c:old")
        await anyio.to_thread.run_sync(begun.wait)
        await client.request("recap/unsubscribe", {"subscriptionId": "s"})
        await client.request("recap/subscribe", ALL)
        go_on.set()
        # The fake one tells of a change at once.
        assert await told(client) == "c:1"


async def test_who_ends_a_subscription_that_waits_for_the_disk_is_heard(
    watched: tuple[FakeBackend, WatchedService], monkeypatch: pytest.MonkeyPatch
) -> None:
    backend, _ = watched
    subscribe, waiting = backend.subscribe, anyio.Event()

    async def wait(mailbox: Mailbox, params: RecapSubscribeParams) -> RecapSubscribeResult:
        await waiting.wait()
        return await subscribe(mailbox, params)

    monkeypatch.setattr(backend, "subscribe", wait)
    async with client_of(backend) as client:
        asked = await client.send("recap/subscribe", ALL)
        await client.request("recap/unsubscribe", {"subscriptionId": "s"})
        waiting.set()
        await client.answer(asked)
        assert backend.subscriptions == {}
        await client.request("session/list")
