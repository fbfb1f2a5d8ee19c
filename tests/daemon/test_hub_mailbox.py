"""A connection's mailbox: when it has something, how it ends, and that a client always ends on the truth."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recapd.daemon.hub import MAX_SUBSCRIPTIONS, HubMailbox
from recapd.wire.errors import LIMIT_EXCEEDED, RecapError
from recapd.wire.types import (
    RecapdDidChangeStatusParams,
    RecapDidChangeParams,
    SessionChange,
    Settle,
    SubscriptionSelector,
)
from tests.support.clock import everybody_waits
from tests.support.hub import ALL, AT_ONCE, Changing, id_of, ids, told

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
    daemon = Changing()
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
    daemon = Changing()
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
    daemon = Changing()
    mailbox = daemon.hub.open_mailbox()
    reading = RecapdDidChangeStatusParams(health="ok", quiescent=False)
    resting = RecapdDidChangeStatusParams(health="ok", quiescent=True)
    for status in (reading, resting, resting):
        daemon.hub.status_changed(status)
    assert (mailbox.take(), mailbox.take()) == (resting, None)
    daemon.hub.status_changed(resting)
    assert mailbox.take() is None


def test_the_end_is_told_to_every_subscription() -> None:
    daemon = Changing()
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
    daemon = Changing()
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
    daemon = Changing()
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
    act: Callable[[Changing], object], seconds: float, expected: int
) -> None:
    async def run() -> None:
        daemon = Changing()
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
        daemon = Changing()
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

    def __init__(self, daemon: Changing, selector: SubscriptionSelector, settle: Settle | None) -> None:
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
    daemon = Changing(max_remembered=max_remembered)
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
