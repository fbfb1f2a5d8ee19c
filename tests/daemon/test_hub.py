"""Subscriptions: who is told what, when, and how little it takes to remember."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recapd.core.events import Prompt, Reply
from recapd.core.world import World, fold, forget
from recapd.daemon.hub import MAX_SUBSCRIPTIONS, Hub, HubMailbox
from recapd.wire.base import SessionSelector
from recapd.wire.errors import LIMIT_EXCEEDED, SESSION_NOT_FOUND, RecapError
from recapd.wire.types import (
    RecapdDidChangeStatusParams,
    RecapDidChangeParams,
    RecapSubscribeParams,
    RecapSubscribeResult,
    SessionChange,
    Settle,
    SubscriptionSelector,
)
from tests.support.clock import FakeClock, everybody_waits
from tests.support.records import Row, batch, did, record, tape

ALL = SubscriptionSelector(all=True)
AT_ONCE = Settle(quiet_ms=0, max_ms=0)
CURSOR = "i-1.{}"


class Daemon:
    """A world that changes, a hub that hears of it, and a clock that stands still."""

    def __init__(self, *, max_remembered: int = 1_000) -> None:
        self.clock = FakeClock()
        self.world = World()
        self.hub = Hub("i-1", clock=self.clock, max_remembered=max_remembered)
        self._lines: dict[str, int] = {}

    def change(self, name: str, row: Row | None = None, *, cwd: str = "/p") -> int:
        """One more record in the session's log; the revision after it."""
        line = self._lines[name] = self._lines.get(name, 0) + 1
        rows = row if isinstance(row, tuple) else (row or Reply(f"answer {line}"),)
        records = tape(record(*rows, session=name, cwd=cwd), first=line)
        self.world, delta = fold(self.world, batch(records, uri=uri_of(name)))
        self.hub.publish(delta, self.world)
        return delta.revision

    def delete(self, name: str) -> None:
        self._lines.pop(name, None)
        self.world, deltas = forget(self.world, uri_of(name))
        for delta in deltas:
            self.hub.publish(delta, self.world)

    def subscribe(
        self,
        mailbox: HubMailbox,
        selector: SubscriptionSelector = ALL,
        *,
        name: str = "a",
        since: str | None = None,
        settle: Settle | None = AT_ONCE,
    ) -> RecapSubscribeResult:
        params = RecapSubscribeParams(subscription_id=name, selector=selector, since=since, settle=settle)
        return self.hub.subscribe(mailbox, params, self.world)

    def revisions(self) -> dict[str, int]:
        return {session_id: members.revision for session_id, members in self.world.members.items()}


def uri_of(name: str) -> str:
    return f"file:///logs/{name}.jsonl"


def id_of(name: str) -> str:
    return f"claude-code:{name}"


def told(mailbox: HubMailbox) -> RecapDidChangeParams:
    notification = mailbox.take()
    assert isinstance(notification, RecapDidChangeParams)
    return notification


def ids(changes: tuple[SessionChange, ...]) -> list[str]:
    return [change.session_id.removeprefix("claude-code:") for change in changes]


# ---- what a subscription means


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        (ALL, ["here", "below", "elsewhere"]),
        (SubscriptionSelector(session="claude-code:below"), ["below"]),
        (SubscriptionSelector(session=SessionSelector(id="claude-code:here")), ["here"]),
        (SubscriptionSelector(session=SessionSelector(log="/logs/elsewhere.jsonl")), ["elsewhere"]),
        (SubscriptionSelector(session=SessionSelector(log="file:///logs/here.jsonl")), ["here"]),
        (SubscriptionSelector(workspace="/home/dev/shop"), ["here", "below"]),
        (SubscriptionSelector(workspace="file:///home/dev/shop/api"), ["below"]),
        (SubscriptionSelector(session=SessionSelector(workspace="/home/dev/shop")), ["below"]),
        (SubscriptionSelector(workspace="/nowhere"), []),
    ],
)
def test_a_selector_names_its_sessions(selector: SubscriptionSelector, expected: list[str]) -> None:
    daemon = Daemon()
    places = {"here": "/home/dev/shop", "below": "/home/dev/shop/api", "elsewhere": "/home/dev/shopping"}
    for name, cwd in places.items():
        daemon.change(name, cwd=cwd)
    daemon.change("below", cwd=places["below"])
    mailbox = daemon.hub.open_mailbox()
    result = daemon.subscribe(mailbox, selector)
    assert result.fresh
    assert ids(result.sessions) == expected
    assert {change.revision for change in result.sessions} <= set(daemon.revisions().values())
    for name, cwd in places.items():
        daemon.change(name, cwd=cwd)
    assert sorted(ids(told(mailbox).changes) if expected else []) == sorted(expected)
    assert mailbox.take() is None


@pytest.mark.parametrize(
    "wanted",
    [SessionSelector(id="claude-code:none"), SessionSelector(log="/logs/none.jsonl"), SessionSelector(workspace="/n")],
)
def test_a_session_that_is_not_there_is_an_error(wanted: SessionSelector) -> None:
    daemon = Daemon()
    daemon.change("s")
    with pytest.raises(RecapError) as raised:
        daemon.subscribe(daemon.hub.open_mailbox(), SubscriptionSelector(session=wanted))
    assert raised.value.code == SESSION_NOT_FOUND


def test_a_workspace_has_sessions_above_it_in_the_same_git_root(tmp_path: Path) -> None:
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    daemon = Daemon()
    daemon.change("root", cwd=str(tmp_path / "repo"))
    daemon.change("outside", cwd=str(tmp_path))
    result = daemon.subscribe(daemon.hub.open_mailbox(), SubscriptionSelector(workspace=str(tmp_path / "repo" / "api")))
    assert ids(result.sessions) == ["root"]


def test_a_new_session_of_the_workspace_is_told() -> None:
    daemon = Daemon()
    mailbox = daemon.hub.open_mailbox()
    daemon.subscribe(mailbox, SubscriptionSelector(workspace="/home/dev/shop"))
    daemon.change("other", cwd="/home/dev")
    assert mailbox.take() is None
    daemon.change("new", Prompt("fix the parser"), cwd="/home/dev/shop")
    (change,) = told(mailbox).changes
    assert change.session_id == id_of("new")
    assert {"session", "originalRequest", "userRequests"} <= set(change.sections)


# ---- cursors


@pytest.mark.parametrize(
    ("since", "is_fresh", "expected"),
    [
        ("i-1.2", False, ["a", "b"]),
        ("i-1.3", False, ["b"]),
        ("i-1.4", False, []),
        ("i-1.5", True, ["a", "b"]),
        ("i-2.3", True, ["a", "b"]),
        ("", True, ["a", "b"]),
        ("3", True, ["a", "b"]),
        ("i-1.", True, ["a", "b"]),
        ("i-1.-1", True, ["a", "b"]),
        ("i-1.٣", True, ["a", "b"]),
        ("i-1." + "9" * 5_000, True, ["a", "b"]),
        (None, True, ["a", "b"]),
    ],
)
def test_a_cursor_tells_what_was_missed(since: str | None, is_fresh: bool, expected: list[str]) -> None:
    daemon = Daemon()
    for name in ("a", "b", "a", "b"):
        daemon.change(name)
    result = daemon.subscribe(daemon.hub.open_mailbox(), since=since)
    assert (result.fresh, ids(result.sessions), result.cursor) == (is_fresh, expected, CURSOR.format(4))


def test_only_the_sections_after_the_cursor_are_named() -> None:
    daemon = Daemon()
    daemon.change("s", Prompt("fix the parser"))
    mailbox = daemon.hub.open_mailbox()
    cursor = daemon.subscribe(mailbox).cursor
    daemon.change("s", did("edit", "a.py"))
    (change,) = daemon.subscribe(mailbox, since=cursor).sessions
    assert "files" in change.sections
    assert "originalRequest" not in change.sections


def test_a_cursor_older_than_the_memory_is_fresh() -> None:
    daemon = Daemon(max_remembered=2)
    mailbox = daemon.hub.open_mailbox()
    for name in ("a", "b", "c"):
        daemon.change(name)
    assert daemon.hub.remembered == 2
    assert daemon.subscribe(mailbox, since=CURSOR.format(0)).fresh
    assert ids(daemon.subscribe(mailbox, since=CURSOR.format(1)).sessions) == ["b", "c"]


# ---- latest wins


def test_a_slow_client_gets_the_latest_and_no_backlog() -> None:
    daemon = Daemon()
    mailbox = daemon.hub.open_mailbox()
    daemon.subscribe(mailbox)
    daemon.change("s", Prompt("fix the parser"))
    for number in range(100):
        daemon.change("s", did("edit", f"{number}.py"))
    revision = daemon.change("s")
    notification = told(mailbox)
    (change,) = notification.changes
    assert (change.revision, notification.fresh, notification.cursor) == (revision, False, CURSOR.format(102))
    assert {"originalRequest", "files", "state"} <= set(change.sections)
    assert mailbox.take() is None


def test_a_client_that_missed_more_than_is_remembered_is_told_afresh() -> None:
    daemon = Daemon(max_remembered=3)
    mailbox = daemon.hub.open_mailbox()
    daemon.subscribe(mailbox)
    for number in range(5):
        daemon.change(f"s{number}")
    notification = told(mailbox)
    assert notification.fresh
    assert {change.session_id: change.revision for change in notification.changes} == daemon.revisions()
    assert mailbox.take() is None
    daemon.change("s1")
    again = told(mailbox)
    assert (again.fresh, ids(again.changes)) == (False, ["s1"])


def test_others_changes_do_not_age_a_subscription() -> None:
    """One session rests while thousands change: its next change is told as such."""
    daemon = Daemon(max_remembered=3)
    daemon.change("mine")
    mailbox = daemon.hub.open_mailbox()
    daemon.subscribe(mailbox, SubscriptionSelector(session=id_of("mine")))
    for number in range(10):
        daemon.change(f"s{number}")
    assert mailbox.take() is None
    daemon.change("mine")
    notification = told(mailbox)
    assert (notification.fresh, ids(notification.changes)) == (False, ["mine"])


def test_a_session_that_is_gone_is_told_as_removed() -> None:
    daemon = Daemon()
    mailbox = daemon.hub.open_mailbox()
    daemon.change("s", cwd="/home/dev/shop")
    for name, selector in {"a": ALL, "w": SubscriptionSelector(workspace="/home/dev/shop")}.items():
        daemon.subscribe(mailbox, selector, name=name)
    daemon.subscribe(mailbox, SubscriptionSelector(workspace="/elsewhere"), name="e")
    daemon.delete("s")
    for _ in range(2):
        (change,) = told(mailbox).changes
        assert (change.session_id, change.sections) == (id_of("s"), ("removed",))
    assert mailbox.take() is None
    daemon.change("s", cwd="/home/dev/shop")
    assert "removed" not in told(mailbox).changes[0].sections


def test_a_session_whose_log_turned_out_to_be_anothers_is_told() -> None:
    daemon = Daemon()
    mailbox = daemon.hub.open_mailbox()
    daemon.change("s")
    daemon.subscribe(mailbox, SubscriptionSelector(session=SessionSelector(log="/logs/s.jsonl")))
    world, delta = fold(daemon.world, batch(tape(record(Reply("x"), session="t"), first=2), uri=uri_of("s")))
    daemon.hub.publish(delta, world)
    changes = {change.session_id: change.sections for change in told(mailbox).changes}
    assert changes[id_of("s")] == ("removed",)
    assert "session" in changes[id_of("t")]


# ---- settling


@pytest.mark.parametrize(
    ("settle", "changes_at_ms", "told_at_ms"),
    [
        (None, [0], [300]),
        (None, [0, 200, 400], [700]),
        (None, [*range(0, 4000, 250)], [2000, 4050]),
        (Settle(quiet_ms=0, max_ms=0), [0, 100], [0, 100]),
        (Settle(quiet_ms=0, max_ms=5_000), [0, 100], [0, 100]),
        (Settle(quiet_ms=1_000, max_ms=100), [0, 50, 300], [100, 400]),
    ],
)
def test_a_burst_is_told_when_it_ends(settle: Settle | None, changes_at_ms: list[int], told_at_ms: list[int]) -> None:
    daemon = Daemon()
    mailbox = daemon.hub.open_mailbox()
    daemon.subscribe(mailbox, settle=settle)
    heard: list[int] = []
    for now_ms in range(0, 6_000, 50):
        if now_ms in changes_at_ms:
            daemon.change("s")
        if mailbox.take() is not None:
            heard.append(now_ms)
        daemon.clock.tick(0.05)
    assert heard == told_at_ms


def test_each_subscription_settles_for_itself_and_none_starves() -> None:
    daemon = Daemon()
    mailbox = daemon.hub.open_mailbox()
    daemon.subscribe(mailbox, name="slow", settle=None)
    daemon.subscribe(mailbox, name="fast")
    heard: list[str] = []
    for _ in range(60):
        daemon.change("s")
        while (notification := mailbox.take()) is not None:
            assert isinstance(notification, RecapDidChangeParams)
            heard.append(notification.subscription_id)
        daemon.clock.tick(0.1)
    assert heard.count("fast") == 60
    assert heard.count("slow") >= 2


# ---- the rest of a mailbox


def test_status_comes_at_once_and_only_when_it_changed() -> None:
    daemon = Daemon()
    mailbox = daemon.hub.open_mailbox()
    reading = RecapdDidChangeStatusParams(health="ok", quiescent=False)
    resting = RecapdDidChangeStatusParams(health="ok", quiescent=True)
    for status in (reading, resting, resting):
        daemon.hub.status_changed(status)
    assert (mailbox.take(), mailbox.take()) == (resting, None)
    daemon.hub.status_changed(resting)
    assert mailbox.take() is None


def test_the_end_is_told_to_every_subscription() -> None:
    daemon = Daemon()
    mailbox = daemon.hub.open_mailbox()
    daemon.subscribe(mailbox, name="a", settle=None)
    daemon.subscribe(mailbox, name="b")
    daemon.change("s")
    daemon.hub.end_subscriptions("recapd is ending.")
    last = [told(mailbox), told(mailbox)]
    assert {(each.subscription_id, each.ended) for each in last} == {
        ("a", "recapd is ending."),
        ("b", "recapd is ending."),
    }
    assert all(ids(each.changes) == ["s"] for each in last)
    daemon.change("s")
    assert mailbox.take() is None


def test_what_ends_is_forgotten() -> None:
    daemon = Daemon()
    mailbox = daemon.hub.open_mailbox()
    daemon.subscribe(mailbox, name="a")
    daemon.subscribe(mailbox, name="b")
    daemon.hub.unsubscribe(mailbox, "a")
    daemon.hub.unsubscribe(mailbox, "never")
    daemon.change("s")
    assert told(mailbox).subscription_id == "b"
    mailbox.close()
    daemon.change("s")
    assert (mailbox.take(), daemon.hub.subscriptions) == (None, 0)


def test_a_subscription_is_replaced_by_its_id_and_there_is_a_limit() -> None:
    daemon = Daemon()
    daemon.change("s")
    daemon.change("t")
    mailbox = daemon.hub.open_mailbox()
    for number in range(MAX_SUBSCRIPTIONS):
        daemon.subscribe(mailbox, name=f"{number}")
    daemon.subscribe(mailbox, SubscriptionSelector(session=id_of("s")), name="0")
    with pytest.raises(RecapError) as raised:
        daemon.subscribe(mailbox, name="one too many")
    assert raised.value.code == LIMIT_EXCEEDED
    daemon.change("t")
    heard = {told(mailbox).subscription_id for _ in range(MAX_SUBSCRIPTIONS - 1)}
    assert "0" not in heard and mailbox.take() is None


@asynccontextmanager
async def listening(mailbox: HubMailbox) -> AsyncIterator[list[object]]:
    heard: list[object] = []

    async def listen() -> None:
        while True:
            heard.append(await mailbox.next())

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(listen)
        await everybody_waits()
        yield heard
        tasks.cancel_scope.cancel()


@pytest.mark.parametrize(
    ("act", "seconds", "expected"),
    [
        (lambda daemon: daemon.change("s"), 0, 0),
        (lambda daemon: daemon.change("s"), 0.29, 0),
        (lambda daemon: daemon.change("s"), 0.31, 1),
        (lambda daemon: daemon.hub.status_changed(RecapdDidChangeStatusParams(health="ok", quiescent=True)), 0, 1),
        (lambda daemon: daemon.hub.end_subscriptions("over"), 0, 1),
    ],
)
def test_a_waiting_connection_wakes_when_there_is_something(
    act: Callable[[Daemon], object], seconds: float, expected: int
) -> None:
    async def run() -> None:
        daemon = Daemon()
        mailbox = daemon.hub.open_mailbox()
        daemon.subscribe(mailbox, settle=None)
        async with listening(mailbox) as heard:
            act(daemon)
            await everybody_waits()
            daemon.clock.tick(seconds)
            await everybody_waits()
            assert len(heard) == expected

    anyio.run(run)


def test_a_waiting_connection_is_told_at_once_without_settling() -> None:
    async def run() -> None:
        daemon = Daemon()
        mailbox = daemon.hub.open_mailbox()
        daemon.subscribe(mailbox)
        async with listening(mailbox) as heard:
            for _ in range(3):
                daemon.change("s")
                await everybody_waits()
            assert len(heard) == 3

    anyio.run(run)


# ---- whatever happens, a client that applies what it is told ends on the truth

NAMES = st.sampled_from(["a", "b", "c", "d", "e"])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("change"), NAMES),
        st.tuples(st.just("delete"), NAMES),
        st.tuples(st.just("read"), st.just("")),
        st.tuples(st.just("reconnect"), st.just("")),
        st.tuples(st.just("tick"), st.sampled_from(["0.05", "0.4", "3"])),
    ),
    max_size=40,
)


class Client:
    """Knows nothing but what it was told."""

    def __init__(self, daemon: Daemon, selector: SubscriptionSelector, settle: Settle | None) -> None:
        self._daemon, self._selector, self._settle = daemon, selector, settle
        self._cursor: str | None = None
        self.known: dict[str, int] = {}
        self.connect()

    def connect(self) -> None:
        self._mailbox = self._daemon.hub.open_mailbox()
        result = self._daemon.subscribe(self._mailbox, self._selector, since=self._cursor, settle=self._settle)
        self._apply(result.cursor, result.sessions, is_fresh=result.fresh)

    def reconnect(self) -> None:
        self._mailbox.close()
        self.connect()

    def read(self) -> None:
        while (notification := self._mailbox.take()) is not None:
            assert isinstance(notification, RecapDidChangeParams)
            assert notification.fresh or notification.changes
            self._apply(notification.cursor, notification.changes, is_fresh=notification.fresh)

    def _apply(self, cursor: str, changes: tuple[SessionChange, ...], *, is_fresh: bool) -> None:
        self._cursor = cursor
        if is_fresh:
            self.known.clear()
        for change in changes:
            if "removed" in change.sections:
                self.known.pop(change.session_id, None)
            else:
                assert change.revision >= self.known.get(change.session_id, 0)
                self.known[change.session_id] = change.revision


@settings(max_examples=150, deadline=None)
@given(
    steps=STEPS,
    settle=st.sampled_from([AT_ONCE, None, Settle(quiet_ms=100, max_ms=100)]),
    max_remembered=st.integers(1, 6),
    is_workspace=st.booleans(),
)
def test_a_client_ends_on_the_true_revisions(
    steps: list[tuple[str, str]], settle: Settle | None, max_remembered: int, is_workspace: bool
) -> None:
    daemon = Daemon(max_remembered=max_remembered)
    folders = {"a": "/w", "b": "/w/x", "c": "/v", "d": "/w", "e": "/wx"}
    client = Client(daemon, SubscriptionSelector(workspace="/w") if is_workspace else ALL, settle)
    for action, argument in steps:
        if action == "change":
            daemon.change(argument, cwd=folders[argument])
        elif action == "delete":
            daemon.delete(argument)
        elif action == "tick":
            daemon.clock.tick(float(argument))
        elif action == "reconnect":
            client.reconnect()
        else:
            client.read()
        assert daemon.hub.remembered <= max_remembered
    daemon.clock.tick(10)
    client.read()
    meant = {id_of(name) for name, folder in folders.items() if not is_workspace or folder in ("/w", "/w/x")}
    assert client.known == {each: revision for each, revision in daemon.revisions().items() if each in meant}
