"""What is new after a point: nothing that was known, everything that was not, and what came of open calls."""

from __future__ import annotations

from itertools import pairwise

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recapd.adapters.registry import recognise
from recapd.core.log.events import Prompt, Reply
from recapd.core.log.lines import START, split
from recapd.core.log.refs import generation_of
from recapd.core.state.session import live_turns
from recapd.core.state.transcript import Transcript, Turn
from recapd.core.state.world import Batch, Session, World, fold, session_of
from recapd.core.views.recap.recap import Recap, recap_of
from recapd.core.views.since import (
    BEGINNING,
    Point,
    after_cursor,
    after_mark,
    after_time,
    after_turn,
    cursor_of,
    is_later,
    news_of,
    only_new,
    parse_cursor,
)
from tests.support.logs import LOGS, Act, agent, at, claude_log, edit, human, pause, read, shell, todo
from tests.support.records import did, ran, record, session_with

NOW = at(24 * 3600)
BEFORE = (human("fix the parser"), edit("/home/dev/shop/a.py"), shell("pytest -q", "3 passed"), agent("Done."))
AFTER = (human("now the docs"), read("/home/dev/shop/b.md"), edit("/home/dev/shop/b.md"), agent("Written."))


def session_in(data: bytes, *, generation: str = "") -> Session:
    """The session as the daemon has it after reading all of it, the unfinished last line excepted."""
    adapter = recognise(data)
    assert adapter is not None
    pieces = split(START, data)
    records = [record for line, place in pieces.lines for record in adapter.parse(line, place)[0]]
    world, delta = fold(
        World(revision=len(data)),
        Batch(
            uri="file:///logs/a.jsonl",
            agent=adapter.agent,
            format=adapter.name,
            generation=generation or generation_of(data),
            records=records,
            problems=(),
            carry=pieces.carry,
        ),
    )
    session = session_of(world, delta.session_id)
    assert session is not None
    return session


def point_at(session: Session, later: Session) -> Point:
    """Where somebody who read one state stands in a later one."""
    cursor = parse_cursor(cursor_of(session))
    assert cursor is not None
    point = after_cursor(later, cursor)
    assert point is not None
    return point


def told(recap: Recap) -> dict[str, list[str]]:
    return {
        "requests": [request.text for request in recap.requests],
        "turns": [turn.request.text for turn in recap.turns],
        "steps": [each.fact.target for each in recap.steps],
        "files": sorted(each.fact.path for each in recap.files),
        "milestones": [each.text for each in recap.progress.milestones],
    }


@pytest.mark.parametrize("name", LOGS)
def test_everything_after_a_cursor_and_nothing_before_it(name: str) -> None:
    first = session_in(LOGS[name](*BEFORE), generation="g")
    second = session_in(LOGS[name](*BEFORE, *AFTER), generation="g")
    recap = recap_of(second, NOW)
    point = point_at(first, second)
    new = only_new(recap, point)
    assert told(new) == {
        "requests": ["now the docs"],
        "turns": ["now the docs"],
        "steps": ["/home/dev/shop/b.md"] * 2,
        "files": ["/home/dev/shop/b.md"],
        "milestones": [],
    }
    assert (new.original, new.standing, new.stats) == (recap.original, recap.standing, recap.stats)
    news = news_of(recap, point)
    assert (news.from_turn, news.turns, news.actions, news.files) == (1, 1, 2, 1)
    assert news.text == "Since turn 1: 1 new turn, 2 actions, 1 file touched."
    assert news.from_time == first.main.transcript.last_at


@pytest.mark.parametrize("name", LOGS)
def test_nothing_is_new_after_the_end_and_everything_after_the_beginning(name: str) -> None:
    session = session_in(LOGS[name](*BEFORE, *AFTER))
    recap = recap_of(session, NOW)
    end = point_at(session, session)
    assert not any(told(only_new(recap, end)).values())
    assert news_of(recap, end).text == "Nothing new since turn 2."
    assert told(only_new(recap, BEGINNING)) == told(recap)
    assert (news_of(recap, BEGINNING).from_turn, news_of(recap, BEGINNING).turns) == (0, 2)


@pytest.mark.parametrize(("turn", "requests"), [(0, 2), (1, 1), (2, 0), (9, 0)])
def test_after_a_turn(turn: int, requests: int) -> None:
    recap = recap_of(session_in(claude_log(*BEFORE, *AFTER)), NOW)
    point = after_turn(recap.session, turn)
    new = only_new(recap, point)
    assert (len(new.requests), news_of(recap, point).turns) == (requests, requests)
    assert bool(new.steps) is bool(new.files) is bool(requests)


@pytest.mark.parametrize(
    ("time", "requests"),
    [
        (at(-1), 2),
        (at(0), 1),
        (at(3600 - 1), 1),
        (at(24 * 3600), 0),
        ("2026-03-01T10:30:00+01:00", 1),
        ("2026-03-01T09:00:00Z", 1),
    ],
)
def test_after_a_time_in_any_zone(time: str, requests: int) -> None:
    recap = recap_of(session_in(claude_log(*BEFORE, pause(3600), *AFTER)), NOW)
    point = after_time(recap.session, time)
    assert len(only_new(recap, point).requests) == requests
    assert news_of(recap, point).from_time.endswith("Z")


def test_what_becomes_of_a_call_that_was_open_is_new() -> None:
    """The test run began before somebody looked, and failed after."""
    running = claude_log(human("fix the parser"), edit("/a.py"), shell("pytest -q", outcome="open"))
    done = claude_log(human("fix the parser"), edit("/a.py"), shell("pytest -q", "1 failed", exit_code=1))
    assert done.startswith(running)
    session = session_in(done, generation="g")
    recap = recap_of(session, NOW)
    point = point_at(session_in(running, generation="g"), session)
    new = only_new(recap, point)
    assert [each.fact.target for each in new.steps] == ["pytest -q"]
    assert [each.fact.ok for each in new.tests] == [False]
    assert news_of(recap, point).actions == 1
    assert [each.kind for each in new.items] == ["interrupted", "failure"]


def test_of_all_agents_results_the_latest_is_told() -> None:
    failing, passing = ran("pytest -q", "2 failed in 1s", exit_code=1), ran("pytest -q", "5 passed in 1s")

    def check(mine: str, its: str, *, told: str) -> None:
        first, second = Prompt("fix the parser"), Prompt("Go on")
        ours, theirs = record(*failing, at=mine), record(*passing, at=its)
        session = session_with(first, second, ours, Reply("Done."), children=[[theirs]])
        news = news_of(recap_of(session, NOW), Point(1, 100, at(30)))
        tests = [change.kind for change in news.changes if change.kind.startswith("tests")]
        assert len(session.children) == 1 and tests == [told]

    check(at(300), at(200), told="testsFailed")
    check(at(200), at(300), told="testsPassed")


def test_turns_are_not_gone_through_for_each_deed_of_a_sub_agent(monkeypatch: pytest.MonkeyPatch) -> None:
    walks = 0

    def counted(transcript: Transcript) -> list[Turn]:
        nonlocal walks
        walks += 1
        return live_turns(transcript)

    monkeypatch.setattr("recapd.core.views.since.live_turns", counted)
    walked = []
    for deeds in (2, 40):
        its = [record(*did("edit", f"{number}.py"), at=at(70)) for number in range(deeds)]
        session = session_with(Prompt("fix the parser"), Prompt("Go on"), Reply("Done."), children=[its])
        walks = 0
        assert news_of(recap_of(session, NOW), Point(1, 100)).actions == deeds
        walked.append(walks)
    assert walked[0] == walked[1]


def test_an_answer_to_a_known_question_is_new() -> None:
    asked, answered = claude_log(human("fix the parser")), claude_log(human("fix the parser"), agent("Done."))
    session = session_in(answered, generation="g")
    recap = recap_of(session, NOW)
    point = point_at(session_in(asked, generation="g"), session)
    assert news_of(recap, point).text == "Since turn 1: a new answer."
    assert [turn.outcome for turn in only_new(recap, point).turns] == ["Done."]
    assert only_new(recap, point).requests == ()


def test_a_list_of_work_is_new_when_it_was_written_anew() -> None:
    before = (human("fix the parser"), todo({"parser": "pending", "docs": "pending"}))
    listed = session_in(claude_log(*before), generation="g")
    for act, expected in ((agent("Fine."), 0), (todo({"parser": "completed", "docs": "pending"}), 2)):
        session = session_in(claude_log(*before, act), generation="g")
        new = only_new(recap_of(session, NOW), point_at(listed, session))
        assert len(new.progress.items) == expected


def test_a_cursor_of_a_rewritten_log_is_expired_and_a_mark_goes_by_time() -> None:
    first = session_in(claude_log(*BEFORE), generation="g")
    rewritten = session_in(claude_log(human("fix the lexer"), pause(3600), *AFTER), generation="h")
    cursor = parse_cursor(cursor_of(first))
    assert cursor is not None
    assert after_cursor(rewritten, cursor) is None
    new = only_new(recap_of(rewritten, NOW), after_mark(rewritten, cursor))
    assert [request.text for request in new.requests] == ["now the docs"]
    assert after_mark(rewritten, None) == BEGINNING


def test_a_cursor_beyond_the_end_is_expired() -> None:
    longer = parse_cursor(cursor_of(session_in(claude_log(*BEFORE, *AFTER), generation="g")))
    assert longer is not None
    assert after_cursor(session_in(claude_log(*BEFORE), generation="g"), longer) is None


def test_a_document_is_rewritten_as_a_whole_and_its_cursors_hold() -> None:
    """One JSON document moves all its places with each message, and its beginning may count them."""

    def as_document(data: bytes, generation: str) -> Session:
        session = session_in(data, generation=generation)
        return msgspec.structs.replace(session, main=msgspec.structs.replace(session.main, carry=START))

    first = as_document(claude_log(*BEFORE), "g")
    second = as_document(claude_log(*BEFORE, *AFTER), "h")
    new = only_new(recap_of(second, NOW), point_at(first, second))
    assert [request.text for request in new.requests] == ["now the docs"]


@pytest.mark.parametrize(
    "text",
    ["", "t", "t1.0", "t1.2.g.3", "t1.2.g.3.4.5", "1.2.g.3.4", "tx.2.g.3.4", "t1.2..3.4", "t-1.2.g.3.4", "t٣.2.g.3.4"],
)
def test_what_is_no_cursor_is_none(text: str) -> None:
    assert parse_cursor(text) is None
    assert parse_cursor("t1.2.g.3.4") is not None
    assert parse_cursor("t1.2." + "g" * 10_000 + ".3.4") is None


# ---- whatever is logged, in whatever pieces it is read

ACTS: st.SearchStrategy[Act] = st.sampled_from(
    [
        human("go on with the lexer"),
        human("ok"),
        agent("Done. What next?"),
        edit("/home/dev/shop/a.py"),
        edit("/home/dev/shop/c.py", outcome="failed"),
        read("/home/dev/shop/b.md"),
        shell("pytest -q", "3 passed"),
        shell("make", outcome="open"),
        todo({"parser": "completed", "docs": "pending"}),
        pause(60),
    ]
)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(ACTS, max_size=12), st.lists(st.integers(0, 12), min_size=2, max_size=4))
def test_cursors_only_move_forward_and_lose_nothing(acts: list[Act], stops: list[int]) -> None:
    data = claude_log(human("fix the parser"), *acts)
    lines = data.splitlines(keepends=True)
    cuts = sorted({1 + stop % len(lines) for stop in stops})
    states = [session_in(b"".join(lines[:cut]), generation="g") for cut in cuts]
    whole = session_in(data, generation="g")
    cursors = [parse_cursor(cursor_of(state)) for state in states]
    for earlier, later in pairwise(cursors):
        assert earlier is not None and later is not None
        assert is_later(later, earlier) and not is_later(earlier, later)
    recap = recap_of(whole, NOW)
    for state in states:
        point = point_at(state, whole)
        known = {turn.request.place.offset for turn in recap_of(state, NOW).turns}
        new = only_new(recap, point)
        missed = [turn for turn in recap.turns if turn.request.place.offset not in known]
        assert news_of(recap, point).turns == len(missed)
        assert {turn.number for turn in missed} <= {turn.number for turn in new.turns}
        finished = {step.place.offset for step in state.main.transcript.steps}
        fresh = [step for step in whole.main.transcript.steps if step.place.offset not in finished]
        assert news_of(recap, point).actions >= len([step for step in fresh if step.kind != "todo"])
