"""Subscriptions: which sessions they mean, what a cursor tells, and that a slow client gets the latest."""

from __future__ import annotations

from pathlib import Path

import pytest

from recapd.core.log.events import Ended, Prompt, Reply
from recapd.core.presence import Doing, Presence
from recapd.core.state.world import WAITING
from recapd.daemon.engine import LogRead, PresenceSeen
from recapd.wire.errors import SESSION_NOT_FOUND, RecapError
from recapd.wire.types import SubscriptionSelector
from recapd.wire.types.base import SessionSelector
from tests.support.hub import ALL, Changing, id_of, ids, told, uri_of
from tests.support.logs import at
from tests.support.records import batch, did, record, tape


def ours(number: object) -> str:
    """The cursor of a subscription to all sessions."""
    daemon = Changing()
    cursor = daemon.subscribe(daemon.hub.open_mailbox()).cursor
    return f"{cursor.rpartition('.')[0]}.{number}"


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
    daemon = Changing()
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
    daemon = Changing()
    daemon.change("s")
    with pytest.raises(RecapError) as raised:
        daemon.subscribe(daemon.hub.open_mailbox(), SubscriptionSelector(session=wanted))
    assert raised.value.code == SESSION_NOT_FOUND


def test_a_workspace_has_sessions_above_it_in_the_same_git_root(tmp_path: Path) -> None:
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    daemon = Changing()
    daemon.change("root", cwd=str(tmp_path / "repo"))
    daemon.change("outside", cwd=str(tmp_path))
    result = daemon.subscribe(daemon.hub.open_mailbox(), SubscriptionSelector(workspace=str(tmp_path / "repo" / "api")))
    assert ids(result.sessions) == ["root"]


def test_a_new_session_of_the_workspace_is_told() -> None:
    daemon = Changing()
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
        (ours(2), False, ["a", "b"]),
        (ours(3), False, ["b"]),
        (ours(4), False, []),
        (ours(5), True, ["a", "b"]),
        (ours(3).replace("i-1", "i-2"), True, ["a", "b"]),
        ("", True, ["a", "b"]),
        ("3", True, ["a", "b"]),
        (ours(""), True, ["a", "b"]),
        (ours(-1), True, ["a", "b"]),
        (ours("٣"), True, ["a", "b"]),
        (ours("9" * 5_000), True, ["a", "b"]),
        ("i-1.3", True, ["a", "b"]),
        (None, True, ["a", "b"]),
    ],
)
def test_a_cursor_tells_what_was_missed(since: str | None, is_fresh: bool, expected: list[str]) -> None:
    daemon = Changing()
    for name in ("a", "b", "a", "b"):
        daemon.change(name)
    result = daemon.subscribe(daemon.hub.open_mailbox(), since=since)
    assert (result.fresh, ids(result.sessions), result.cursor) == (is_fresh, expected, ours(4))


def test_a_cursor_is_of_its_selector_and_says_nothing_of_other_sessions() -> None:
    """Who asks for more than before has to be told of what it never heard of."""
    daemon = Changing()
    for name, cwd in (("a", "/home/dev/shop"), ("b", "/home/dev/mill")):
        daemon.change(name, cwd=cwd)
    meant = [
        ALL,
        SubscriptionSelector(workspace="/home/dev/shop"),
        SubscriptionSelector(workspace="/home/dev/mill"),
        SubscriptionSelector(session=id_of("a")),
        SubscriptionSelector(session=id_of("b")),
        SubscriptionSelector(session=SessionSelector(log="/logs/a.jsonl")),
    ]
    for one in meant:
        cursor = daemon.subscribe(daemon.hub.open_mailbox(), one).cursor
        for other in meant:
            again = daemon.subscribe(daemon.hub.open_mailbox(), other, since=cursor)
            assert again.fresh is (one is not other)
            assert bool(again.sessions) is again.fresh
    # Another way to say the same.
    named = SubscriptionSelector(session=SessionSelector(id=id_of("b")))
    assert not daemon.subscribe(
        daemon.hub.open_mailbox(),
        named,
        since=daemon.subscribe(daemon.hub.open_mailbox(), SubscriptionSelector(session=id_of("b"))).cursor,
    ).fresh


def test_only_the_sections_after_the_cursor_are_named() -> None:
    daemon = Changing()
    daemon.change("s", Prompt("fix the parser"))
    mailbox = daemon.hub.open_mailbox()
    cursor = daemon.subscribe(mailbox).cursor
    daemon.change("s", did("edit", "a.py"))
    (change,) = daemon.subscribe(mailbox, since=cursor).sessions
    assert "files" in change.sections
    assert "originalRequest" not in change.sections


def test_a_cursor_older_than_the_memory_is_fresh() -> None:
    daemon = Changing(max_remembered=2)
    mailbox = daemon.hub.open_mailbox()
    for name in ("a", "b", "c"):
        daemon.change(name)
    assert daemon.hub.remembered == 2
    assert daemon.subscribe(mailbox, since=ours(0)).fresh
    assert ids(daemon.subscribe(mailbox, since=ours(1)).sessions) == ["b", "c"]


# ---- latest wins


def test_a_slow_client_gets_the_latest_and_no_backlog() -> None:
    daemon = Changing()
    mailbox = daemon.hub.open_mailbox()
    daemon.subscribe(mailbox)
    daemon.change("s", Prompt("fix the parser"))
    for number in range(100):
        daemon.change("s", did("edit", f"{number}.py"))
    revision = daemon.change("s")
    notification = told(mailbox)
    (change,) = notification.changes
    assert (change.revision, notification.fresh, notification.cursor) == (revision, False, ours(102))
    assert {"originalRequest", "files", "state"} <= set(change.sections)
    assert mailbox.take() is None


def test_a_client_that_missed_more_than_is_remembered_is_told_afresh() -> None:
    daemon = Changing(max_remembered=3)
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
    daemon = Changing(max_remembered=3)
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
    daemon = Changing()
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


def test_a_client_that_was_away_is_told_what_is_gone() -> None:
    daemon = Changing()
    daemon.change("t", cwd="/home/dev/shop")
    daemon.change("s", cwd="/home/dev/shop")
    selectors = (ALL, SubscriptionSelector(workspace="/home/dev/shop"))
    cursors = [daemon.subscribe(daemon.hub.open_mailbox(), selector).cursor for selector in selectors]
    daemon.delete("s")
    for selector, cursor in zip(selectors, cursors, strict=True):
        (change,) = daemon.subscribe(daemon.hub.open_mailbox(), selector, since=cursor).sessions
        assert (change.session_id, change.sections) == (id_of("s"), ("removed",))


def test_a_session_that_moves_into_a_workspace_is_its_own_from_then_on() -> None:
    daemon = Changing()
    mailbox = daemon.hub.open_mailbox()
    daemon.subscribe(mailbox, SubscriptionSelector(workspace="/home/dev/shop"))
    daemon.change("s", cwd="/home/dev")
    assert mailbox.take() is None
    daemon.change("s", cwd="/home/dev/shop")
    assert ids(told(mailbox).changes) == ["s"]


def test_a_session_whose_log_turned_out_to_be_anothers_is_told() -> None:
    daemon = Changing()
    mailbox = daemon.hub.open_mailbox()
    daemon.change("s")
    daemon.subscribe(mailbox, SubscriptionSelector(session=SessionSelector(log="/logs/s.jsonl")))
    moved = batch(tape(record(Reply("x"), session="t"), first=2), uri=uri_of("s"))
    daemon.engine.apply(LogRead("s", (moved,)))
    changes = {change.session_id: change.sections for change in told(mailbox).changes}
    assert changes[id_of("s")] == ("removed",)
    assert "session" in changes[id_of("t")]


def test_who_begins_to_wait_by_its_own_word_is_told_and_who_is_at_work_is_not() -> None:
    changing = Changing()
    mailbox = changing.hub.open_mailbox()
    changing.change("s", Prompt("fix it"))
    changing.subscribe(mailbox)

    def sees(doing: Doing) -> list[str]:
        """What of the session is told to whoever subscribed."""
        present = {"claude-code:s": Presence(doing, at(90))}
        changing.engine.apply(PresenceSeen(present, (), at(90)))
        return [section for change in told(mailbox).changes for section in change.sections]

    assert WAITING not in sees("working")
    changing.change("s", (Reply("I look at it."), Ended("turn")))
    assert WAITING not in [section for change in told(mailbox).changes for section in change.sections], (
        "it says it works"
    )
    assert WAITING in sees("permission")
    assert WAITING not in sees("working")
    assert WAITING in sees("resting")
