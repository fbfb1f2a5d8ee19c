"""A session as a whole: how it stands at a given time, what is left open, and its sub-agents' work among its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.core.log.events import (
    Began,
    Call,
    Ended,
    Faulted,
    Interrupted,
    Note,
    Prompt,
    Queued,
    Reply,
    Result,
    Titled,
    TodoItem,
    Todos,
)
from recapd.core.state.folding import extend
from recapd.core.state.growing import Chunked
from recapd.core.state.sections import current_focus
from recapd.core.state.session import (
    estimated_tokens,
    files_of,
    live_turns,
    open_items,
    open_question,
    standing,
    steps_of,
    turns_by_time,
)
from recapd.core.state.session import tests_of as runs_of  # pytest would take its own name for a test
from recapd.core.state.transcript import EMPTY
from recapd.core.views.changes import changes_of
from recapd.core.views.overview import title_of
from recapd.core.views.recap.recap import recap_of, stats_of
from recapd.core.views.timeline import timeline_of
from tests.support.logs import CWD, at
from tests.support.records import Row, call, did, folded, id_of, place_of, ran, record, session_with, tape

SOON, LATER, NEXT_DAY = 60.0, 3_600.0, 3 * 24 * 3_600.0
REFUSED = did("shell", "rm -rf build", failed=True, denied=True)

# What came last, how long ago, and what the session is: its status and a word of the sentence about it.
STANDINGS: list[tuple[str, list[Row], float, str, str]] = [
    ("at work", [did("edit", "a.py")], SOON, "active", "working"),
    ("just asked", [], SOON, "active", "working"),
    ("in a command", [call("shell", "make all")], SOON, "active", "make all"),
    ("in a command for minutes", [call("shell", "make all")], 10 * SOON, "active", "make all"),
    ("in a command that never ended", [call("shell", "make all")], LATER, "interrupted", "make all"),
    ("nobody answered", [], LATER, "interrupted", "never answered"),
    ("broke off", [did("edit", "a.py")], LATER, "interrupted", "middle of the work"),
    ("answered", [Reply("Done.")], SOON, "waiting", "your turn"),
    ("answered a while ago", [Reply("Done.")], LATER, "answered", "answered"),
    ("answered long ago", [Reply("Done.")], NEXT_DAY, "answered", "answered"),
    ("asks in words", [Reply("Shall I go on?")], SOON, "waiting", "Shall I go on?"),
    ("asked in words long ago", [Reply("Shall I go on?")], NEXT_DAY, "answered", "Shall I go on?"),
    ("asks by a tool", [call("ask", "Which database?")], SOON, "waiting", "Which database?"),
    ("asked by a tool long ago", [call("ask", "Which database?")], NEXT_DAY, "answered", "Which database?"),
    (
        "asks beside another call",
        [(call("read", "a"), call("ask", "Which?", id="q")), Result("c")],
        SOON,
        "waiting",
        "Which?",
    ),
    ("asks before other calls", [(call("ask", "Which?", id="q"), call("read", "a"))], LATER, "answered", "Which?"),
    (
        "asked, then said more",
        [call("ask", "Which?", id="q"), Reply("I try A."), call("read", "a")],
        SOON,
        "active",
        "Reading a",
    ),
    (
        "asked in an earlier turn",
        [call("ask", "Which?"), Prompt("A"), call("read", "a", id="r")],
        SOON,
        "active",
        "Reading a",
    ),
    (
        "shows a plan beside a call",
        [(call("plan", "Split it"), call("read", "a", id="r")), Result("r")],
        LATER,
        "answered",
        "Split it",
    ),
    ("shows a plan", [call("plan", "Split the parser")], SOON, "waiting", "Split the parser"),
    ("the question was answered", [did("ask", "Which?", answers=(("Which?", "A"),))], SOON, "active", "working"),
    ("stopped", [Interrupted()], SOON, "interrupted", "Stopped"),
    ("stopped in a call", [call("shell", "make"), Interrupted(during_tool=True)], LATER, "interrupted", "Stopped"),
    ("stopped by refusing", [REFUSED], LATER, "interrupted", "Stopped"),
    ("stopped, then went on", [Interrupted(), Prompt("go on"), Reply("Done.")], SOON, "waiting", "your turn"),
    ("the service refused", [Faulted("rate limit reached")], LATER, "interrupted", "rate limit reached"),
    ("failed, then went on", [Faulted("overloaded"), Reply("Done.")], SOON, "waiting", "your turn"),
    ("the turn is over", [Reply("I edit."), did("edit", "a.py"), Ended("turn")], SOON, "waiting", "your turn"),
    ("the turn ended without a word", [Ended("turn")], LATER, "answered", "ended without a word"),
    ("ended without a word, then closed", [Ended("turn"), Ended("session")], LATER, "finished", "without a word"),
    ("ended without a word, then failed", [Ended("turn"), Ended("session", "x")], LATER, "interrupted", "never"),
    ("ended without a word, then went on", [Ended("turn"), Reply("Done.")], LATER, "answered", "had answered"),
    ("the work ended without a word", [did("edit", "a.py"), Ended("turn")], LATER, "answered", "No closing word"),
    ("the work ended by a call", [did("edit", "a"), did("done", "All set"), Ended("turn")], SOON, "waiting", "turn"),
    ("closed before anybody answered", [Ended("session")], LATER, "interrupted", "never answered"),
    ("the turn was cut short", [did("edit", "a.py"), Ended("turn", "length")], SOON, "waiting", "cut short (length)"),
    ("the turn was cut short long ago", [did("edit", "a"), Ended("turn", "length")], NEXT_DAY, "answered", "(length)"),
    ("says something before a call", [Reply("I look first.", goes_on=True)], SOON, "active", "working"),
    ("said something, and no call came", [Reply("I look first.", goes_on=True)], LATER, "interrupted", "middle"),
    ("says something in an open turn", [Began(), Reply("I look first.")], SOON, "active", "working"),
    ("the open turn broke off", [Began(), Reply("I look first.")], LATER, "interrupted", "middle of the work"),
    ("the open turn is over", [Began(), Reply("Done."), Ended("turn")], SOON, "waiting", "your turn"),
    ("the open turn ends in a question", [Began(), Reply("Go on?"), Ended("turn")], SOON, "waiting", "Go on?"),
    ("the open turn was stopped", [Began(), Reply("I look."), Interrupted()], SOON, "interrupted", "Stopped"),
    ("closed", [Reply("Done."), Ended("session")], SOON, "finished", "closed"),
    ("notes move nothing", [Reply("Done."), Note("meta", "reminder")], SOON, "waiting", "your turn"),
    ("a sub-agent works", [Reply("Started."), record(call("edit", "a.py"), via="x")], SOON, "waiting", "your turn"),
]


@pytest.mark.parametrize(
    ("rows", "since", "status", "word"), [row[1:] for row in STANDINGS], ids=[row[0] for row in STANDINGS]
)
def test_a_session_stands_as_its_last_record_and_the_clock_say(
    rows: list[Row], since: float, status: str, word: str
) -> None:
    found = standing(session_with(Prompt("fix the parser"), *rows), at(len(rows) * 60 + since))
    assert found.status == status
    assert word in found.detail


def test_a_log_in_which_nothing_was_said_is_no_work() -> None:
    session = session_with(Note("meta", "hello"))
    assert [standing(session, at(since)).status for since in (SOON, NEXT_DAY)] == ["waiting", "answered"]
    assert standing(session, at(SOON)).needs == "nothing"


def test_the_record_that_shows_how_it_stands_is_named() -> None:
    session = session_with(Prompt("fix the parser"), Reply("Shall I?"), Note("meta", "x"))
    found = standing(session, at(500))
    assert (found.place, found.since) == (place_of(2), at(60))


def test_work_of_a_sub_agent_keeps_the_session_going() -> None:
    session = session_with(
        Prompt("fix the parser"), call("delegate", "find it"), children=[[record(*did("read", "a.py"), at=at(5_000))]]
    )
    assert standing(session, at(5_100)).status == "active"
    assert standing(session, at(9_000)).status == "interrupted"


# ---- questions


def test_a_question_at_the_end_of_the_last_words_stands_open() -> None:
    transcript = folded(Prompt("fix it"), Reply("What was wrong? The lexer."), Reply("Done. Shall I add tests?"))
    assert open_question(transcript) == "Shall I add tests?"


def test_a_question_is_answered_by_the_next_prompt() -> None:
    assert open_question(folded(Prompt("fix it"), Reply("Shall I go on?"), Prompt("yes"))) == ""


# ---- what is left open

ITEMS: list[tuple[str, list[Row], list[tuple[str, str]]]] = [
    ("nothing", [Reply("Done.")], []),
    ("a question", [Reply("Shall I go on?")], [("question", "Shall I go on?")]),
    ("a question by a tool", [call("ask", "Which?")], [("question", "Which?")]),
    ("a request that waits", [Queued("and the docs"), Reply("Done.")], [("request", "and the docs")]),
    ("a request that was delivered", [Queued("and the docs"), Prompt("and the docs"), Reply("Done.")], []),
    (
        "the list of work",
        [
            Todos((TodoItem("a", "done"), TodoItem("b", "active"), TodoItem("c", "pending"), TodoItem("d", "dropped"))),
            Reply("."),
        ],
        [("todo", "b"), ("todo", "c")],
    ),
    (
        "tests that fail",
        [ran("pytest -x", "1 failed", exit_code=1, failed=True), Reply("Sorry.")],
        [("failure", "pytest -x")],
    ),
    (
        "tests that were mended",
        [ran("pytest", "1 failed", exit_code=1, failed=True), ran("pytest", "9 passed in 1s"), Reply(".")],
        [],
    ),
    ("work cut short", [call("shell", "make all")], [("interrupted", "make all")]),
    ("stopped", [Interrupted()], [("interrupted", "Stopped")]),
    ("a next step", [Reply("Done.\n\n**Next step:** run the migration on staging.")], [("todo", "run the migration")]),
    (
        "next steps in a list",
        [Reply("Done.\n\n## Next steps\n- run the migration\n- tell ops\n\nThe parser is new.")],
        [("todo", "run the migration"), ("todo", "tell ops")],
    ),
    (
        "next steps below a line in bold",
        [Reply("Done.\n\n**Next steps**\n1. run the migration\n2. tell ops")],
        [("todo", "run the migration"), ("todo", "tell ops")],
    ),
    (
        "a next step behind other sentences",
        [Reply("Tokens live in a cookie. Next step: rotate the secret.")],
        [("todo", "rotate the secret")],
    ),
    ("a line in bold about something else", [Reply("**The next steps page**\n1. is green\n2. is done")], []),
    (
        "a question that work was begun for",
        [Reply("Done."), Prompt("Which port does it use?"), *ran("grep port", "80")],
        [("interrupted", ""), ("request", "Which port does it use?")],
    ),
    ("a mark", [Reply("The lexer works. TODO: unicode names")], [("todo", "unicode names")]),
    ("in another language", [Reply("完成。\n\n下一步：运行迁移")], [("todo", "运行迁移")]),
    ("a mark in code", [Reply("Done.\n\n```py\n# TODO: names\n```")], []),
    ("next steps of an earlier turn", [Reply("Next step: run it."), Prompt("no, leave it"), Reply("Good.")], []),
    ("only the word", [Reply("The next step of the wizard is green now.")], []),
    (
        "a question nobody answered",
        [Reply("Done."), Prompt("Which port does it use?")],
        [("interrupted", ""), ("request", "Which port does it use?")],
    ),
]


@pytest.mark.parametrize(("rows", "expected"), [row[1:] for row in ITEMS], ids=[row[0] for row in ITEMS])
def test_what_is_left_is_told_with_its_proof(rows: list[Row], expected: list[tuple[str, str]]) -> None:
    items = open_items(session_with(Prompt("fix the parser"), *rows), at(100_000))
    assert [item.kind for item in items] == [kind for kind, _ in expected]
    assert all(word in item.text for item, (_, word) in zip(items, expected, strict=True))
    assert all(1 <= item.place.line <= len(rows) + 1 for item in items)


# ---- sub-agents


def test_the_work_of_sub_agents_stands_among_the_sessions_own() -> None:
    session = session_with(
        Prompt("fix the parser"),
        record(*did("edit", "a.py"), at=at(100)),
        record(Prompt("now the lexer"), at=at(200)),
        record(*did("edit", "b.py"), at=at(400)),
        children=[[record(*did("edit", "c.py"), at=at(150)), record(*ran("pytest", "9 passed in 1s"), at=at(300))]],
    )
    steps = [(step.fact.target, step.turn, step.via) for step in steps_of(session)]
    assert steps == [("a.py", 1, ""), ("c.py", 1, "agent1"), ("pytest", 2, "agent1"), ("b.py", 2, "")]
    (run,) = runs_of(session)
    assert (run.fact.ok, run.turn, run.via) == (True, 2, "agent1")
    assert all(step.source.uri.endswith("agent1.jsonl") == bool(step.via) for step in steps_of(session))
    stats = stats_of(session)
    assert (stats.files_changed, stats.commands_run, stats.tests_run, stats.subagents) == (3, 1, 1, 1)
    assert stats.turns == 2


def test_a_sub_agents_log_alone_tells_its_task_and_answer() -> None:
    rows = tape(
        record(Note("task", "find the slow query"), via="agent1"),
        record(*did("read", "a.py"), via="agent1"),
        record(Reply("It is in the loop of a.py."), via="agent1"),
    )
    transcript = extend(EMPTY, rows)
    focus = current_focus(transcript)
    assert focus is not None and focus.text == "find the slow query"
    assert transcript.original == focus
    assert (transcript.ending.moment, transcript.last_words) == ("reply", "It is in the loop of a.py.")
    assert (transcript.totals.turns, transcript.totals.messages) == (0, 0)
    one_by_one = EMPTY
    for row in rows:
        one_by_one = extend(one_by_one, [row])
    assert one_by_one == transcript
    # Where the human speaks after all, the task was a sub-agent's and nothing the human asked for.
    spoken = extend(transcript, tape(Prompt("fix the parser"), first=4))
    assert spoken.original is not None and spoken.original.text == "fix the parser"
    assert spoken.commands_given == ()


def test_a_file_that_both_touched_is_one_row() -> None:
    session = session_with(
        Prompt("fix the parser"),
        did("read", "a.py"),
        did("edit", "b.py"),
        children=[[did("edit", "a.py"), did("read", "b.py"), did("write", "c.py", created=True)]],
    )
    rows = {row.fact.path: (row.fact.action, row.fact.touches, row.via) for row in files_of(session)}
    assert rows == {
        # The change was the sub-agent's, and its log proves it.
        "a.py": ("modified", 2, "agent1"),
        "b.py": ("modified", 2, ""),
        "c.py": ("created", 1, "agent1"),
    }
    assert all(row.source.uri.endswith("agent1.jsonl") == bool(row.via) for row in files_of(session))


def test_after_going_back_the_last_touched_file_is_still_last() -> None:
    session = session_with(
        Prompt("do one thing now"),
        did("edit", "a.py"),
        Prompt("do two things now"),
        did("edit", "b.py"),
        Prompt("do three things now"),
        did("edit", "c.py"),
        record(Prompt("do two otherwise"), parent=id_of(2)),
        did("edit", "d.py"),
    )
    assert [row.fact.path for row in files_of(session)] == ["a.py", "b.py", "c.py", "d.py"]


def test_the_turn_at_a_time_is_the_one_that_was_going_on() -> None:
    transcript = folded(record(Prompt("a"), at=at(100)), record(Prompt("b"), at=at(200)))
    turn_at = turns_by_time(transcript)
    assert [turn_at(at(second)) for second in (9_999, 50, 100, 150, 200, 9_999, 0)] == [2, 0, 1, 1, 2, 2, 0]


@given(asked=st.lists(st.integers(0, 20), max_size=12), times=st.lists(st.integers(0, 21), max_size=12))
def test_clocks_that_go_back_do_not_matter_to_the_turn_at_a_time(asked: list[int], times: list[int]) -> None:
    transcript = folded(*(record(Prompt(f"do thing {number}"), at=at(each)) for number, each in enumerate(asked)))
    turn_at = turns_by_time(transcript)
    for time in times:
        begun = [turn.number for turn in live_turns(transcript) if turn.request.at <= at(time)]
        assert turn_at(at(time)) == (begun[-1] if begun else 0)


def test_what_sub_agents_did_is_put_to_turns_in_one_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    turns, deeds = 60, 40
    worked = [record(*ran("pytest -q", "5 passed in 1s"), *did("edit", "a.py"), at=at(1)) for _ in range(deeds)]
    session = session_with(*(Prompt(f"do thing {number}") for number in range(turns)), children=[worked])
    recap = recap_of(session, at(3_600 * 24))
    walked = 0

    def counted(self: Chunked[object]) -> Iterator[object]:
        nonlocal walked
        for row in range(len(self) - 1, -1, -1):
            walked += 1
            yield self[row]

    monkeypatch.setattr(Chunked, "__reversed__", counted)
    marks = timeline_of(recap, point=None, buckets=200, gap_s=1e9, readings=()).marks
    assert [mark.turn for mark in marks if mark.kind == "testsPassed"] == [1] * deeds and walked <= turns
    walked = 0
    found = changes_of(session, f"{CWD}/a.py", from_turn=0)
    assert [change.turn for change, _ in found] == [1] * deeds and walked <= turns
    walked = 0
    assert {row.turn for row in steps_of(session)} == {1} and walked <= turns


# ---- titles and sizes


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([Prompt("hi"), Prompt("fix the parser")], "fix the parser"),
        ([Prompt("push it"), Prompt("yes"), Prompt("fix the parser"), Prompt("and the lexer")], "fix the parser"),
        ([Prompt("commit this and push"), Prompt("ok")], "commit this and push"),
        ([Prompt("refactor"), Prompt("fix the parser")], "refactor"),
        ([Titled("By a model"), Prompt("fix the parser")], "By a model"),
        ([Titled("By the human", by_human=True), Titled("By a model")], "By the human"),
        ([Titled("Old", by_human=True), Titled("New", by_human=True)], "New"),
        ([Note("meta", "x")], ""),
    ],
)
def test_a_session_has_the_name_it_was_given_or_its_first_request(rows: list[Row], expected: str) -> None:
    assert title_of(session_with(*rows)) == expected


def test_the_size_of_a_session_is_estimated_from_all_that_was_said() -> None:
    words = "the quick brown fox jumps over the lazy dog " * 50
    small = estimated_tokens(folded(Prompt(words)))
    assert 400 <= small <= 800
    large = estimated_tokens(
        folded(Prompt(words), Reply(words), call("shell", "ls"), Result("c", payload=words.encode()))
    )
    assert 2.5 * small <= large <= 4 * small


def test_what_is_needed_asked_and_offered_is_told_apart() -> None:
    asks = Call("c", "Ask", "ask", "Which database?", options=("Postgres", "SQLite"))
    found = standing(session_with(Prompt("go"), asks), at(120))
    assert (found.status, found.needs, found.question) == ("waiting", "answer", "Which database?")
    assert found.options == ("Postgres", "SQLite")
    plan = standing(session_with(Prompt("go"), call("plan", "Split it")), at(120))
    assert (plan.needs, plan.question) == ("plan", "Split it")
    done = standing(session_with(Prompt("go"), Reply("Done.")), at(120))
    assert (done.status, done.needs, done.question) == ("waiting", "nothing", "")


def test_what_runs_is_told_with_its_beginning() -> None:
    found = standing(session_with(Prompt("go"), call("shell", "pytest -q")), at(120))
    assert (found.status, found.running, found.running_since) == ("active", "Running `pytest -q`", at(60))
    assert standing(session_with(Prompt("go"), Reply("Done.")), at(120)).running == ""


def test_nothing_is_finished_because_it_is_old() -> None:
    for rows in ([Reply("Done.")], [Reply("Shall I?")], [did("edit", "a.py"), Ended("turn")], [call("ask", "Which?")]):
        assert standing(session_with(Prompt("go"), *rows), at(400 * 24 * 3600)).status == "answered"
