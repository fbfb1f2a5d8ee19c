"""A glance at all sessions: who waits for you comes first, and each says in a line what it is at."""

from __future__ import annotations

import msgspec
import pytest

from recapd.core.log.events import Ended, Prompt, Reply, Titled
from recapd.core.state.world import WAITING, Session, waits
from recapd.core.views.overview import overview, overview_line, overview_markdown
from tests.support.hub import Changing, told
from tests.support.logs import at
from tests.support.records import Row, call, did, folded, record, session_with

NOW = at(600)


def named(name: str, *rows: Row) -> Session:
    return msgspec.structs.replace(session_with(*rows), id=f"claude-code:{name}")


def test_who_waits_comes_first_then_who_works_then_the_rest() -> None:
    sessions = [
        named("works", Prompt("build it"), call("shell", "make")),
        named("asks", Titled("Release"), Prompt("release it"), Reply("Version 2 is built. Shall I publish it?")),
        named("broke", Prompt("try it"), Prompt("again")),
        named("answered", Prompt("explain it"), Reply("The cache is warmed by cron.py.")),
    ]
    rows = overview(sessions, NOW)
    assert [row.standing.status for row in rows] == ["waiting", "waiting", "active", "active"]
    text = overview_markdown([overview_line(row) for row in rows], needing=1)
    assert text.split("\n")[0] == "📍 **4 sessions**, 1 needs you"
    assert "- **needs you**: Release (turn 1, 2026-03-01 09:02 UTC, `claude-code:asks`) — " in text
    assert "— Shall I publish it?" in text
    assert ") — The cache is warmed by cron.py" in text, "without a question, what the answer came to"
    assert overview_markdown([], needing=0) == "No sessions here."


@pytest.mark.parametrize(
    ("rows", "title"),
    [
        ((Titled("Release"), Prompt("fix the parser")), "Release"),
        ((Prompt("fix the parser"), Reply("Fixed."), Prompt("push it"), Reply("Pushed.")), "fix the parser"),
        ((Prompt("yes"), Prompt("push it"), Prompt("port the lexer to C"), Prompt("go on")), "port the lexer to C"),
        ((Prompt("push it"), Prompt("yes")), "push it"),
    ],
)
def test_a_line_is_headed_by_what_the_conversation_is_about(rows: tuple[Row, ...], title: str) -> None:
    (row,) = overview([session_with(*rows)], NOW)
    assert row.title == title


def test_a_date_that_cannot_be_true_puts_no_session_first() -> None:
    early = record(Prompt("fix the parser"), at=at(0))
    sessions = [
        named("astray", early, record(Reply("Fixed."), at="2099-01-01T00:00:00.000Z")),
        named("latest", early, record(Reply("Fixed."), at=at(500))),
    ]
    assert [row.session.id for row in overview(sessions, NOW)] == ["claude-code:latest", "claude-code:astray"]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ((), False),
        ((Prompt("go"),), False),
        ((Prompt("go"), Reply("It is done.")), True),
        ((Prompt("go"), Reply("Let me run the tests.")), False),
        ((Prompt("go"), Reply("The changes are:")), False),
        ((Prompt("go"), Reply("Done."), did("edit", "a.py")), False),
        ((Prompt("go"), did("edit", "a.py"), Ended()), True),
        ((Prompt("go"), call("ask", "Which one?")), True),
        ((Prompt("go"), call("plan", "First this")), True),
        ((Prompt("go"), call("shell", "make")), False),
    ],
)
def test_a_session_waits_when_the_agent_has_stopped(rows: tuple[Row, ...], expected: bool) -> None:
    assert waits(folded(*rows)) == expected


def test_subscribers_are_told_when_a_session_begins_to_wait_and_not_again() -> None:
    daemon = Changing()
    mailbox = daemon.hub.open_mailbox()
    daemon.change("s", Prompt("go"))
    daemon.subscribe(mailbox)
    sections = []
    for row in (Reply("It is done."), Reply("And documented."), Prompt("thanks, and now the docs"), Reply("Written.")):
        daemon.change("s", row)
        sections.append(WAITING in told(mailbox).changes[0].sections)
    assert sections == [True, False, False, True]


def test_one_that_went_on_before_anybody_was_told_does_not_wait() -> None:
    daemon = Changing()
    mailbox = daemon.hub.open_mailbox()
    daemon.change("s", Prompt("go"))
    daemon.subscribe(mailbox)
    daemon.change("s", Reply("It is done."))
    daemon.change("s", call("shell", "make"))
    assert WAITING not in told(mailbox).changes[0].sections
