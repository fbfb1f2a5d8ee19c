"""What an agent says of itself goes before its log and the clock; one that is gone waits for nobody."""

from __future__ import annotations

import msgspec
import pytest

from recapd.core.log.events import Ended, Faulted, Interrupted, Prompt, Reply
from recapd.core.presence import ABSENT, Doing, Presence
from recapd.core.state.session import open_items, standing
from recapd.core.state.world import WAITING, World, fold, rests, see_presence, session_of
from recapd.core.views.overview import overview, overview_line
from recapd.core.views.recap.markdown import Wanted, markdown_of
from recapd.core.views.recap.recap import recap_of
from tests.support.logs import at
from tests.support.records import Row, batch, call, did, record, session_with, tape

HOUR, DAY = 3_600.0, 24 * 3_600.0
# What the log ends in, what its agent does, how long after the last record; the status, what is needed, a word of it.
STANDINGS: list[tuple[str, list[Row], Doing, float, str, str | None, str]] = [
    ("works in silence", [call("shell", "make all")], "working", 2 * HOUR, "active", None, "make all"),
    ("works although it said something", [Reply("I look.")], "working", 60, "active", None, "working"),
    ("works again after it was stopped", [Interrupted()], "working", 60, "active", None, "working"),
    ("asks for permission", [call("shell", "rm -rf build")], "permission", 60, "waiting", "permission", "run `rm"),
    (
        "asks for permission of the first of two calls",
        [(call("shell", "make clean", id="a"), call("shell", "make all", id="b"))],
        "permission",
        60,
        "waiting",
        "permission",
        "make clean",
    ),
    ("asks for permission of what is not logged", [], "permission", 60, "waiting", "permission", "permission"),
    (
        "has waited for permission since yesterday",
        [call("shell", "ls")],
        "permission",
        DAY,
        "waiting",
        "permission",
        "",
    ),
    ("asks by a tool", [call("ask", "Which?")], "permission", 60, "waiting", "answer", "Which?"),
    ("shows a plan", [call("plan", "Split it")], "permission", 60, "waiting", "plan", "Split it"),
    ("has a dialog open", [Reply("Done.")], "asking", 60, "waiting", "answer", "answer"),
    ("rests", [Reply("Done.")], "resting", 60, "waiting", "nothing", "your turn"),
    ("has rested since yesterday", [Reply("Done.")], "resting", DAY, "waiting", "nothing", "your turn"),
    ("rests after a question", [Reply("Shall I?")], "resting", DAY, "waiting", "answer", "Shall I?"),
    ("rests before anything was said", [], "resting", 60, "waiting", "nothing", "your turn"),
    ("was stopped and rests", [Interrupted()], "resting", 60, "interrupted", None, "Stopped"),
    ("failed and rests", [Faulted("overloaded")], "resting", 60, "interrupted", None, "overloaded"),
    ("was closed and opened again", [Reply("Done."), Ended("session")], "resting", 60, "waiting", "nothing", "turn"),
    ("runs, and nobody knows what", [Reply("Done.")], "running", DAY, "waiting", "nothing", "your turn"),
    ("left", [Reply("Done.")], "left", 60, "finished", None, "closed"),
    ("left with an open question", [Reply("Shall I?")], "left", 60, "answered", "answer", "Shall I?"),
    ("left with an open dialog", [call("ask", "Which?")], "left", 60, "answered", "answer", "Which?"),
    ("left in the middle of the work", [call("shell", "make")], "left", 60, "interrupted", None, "make"),
    ("is absent", [Reply("Done.")], "absent", 60, "answered", "nothing", "answered"),
    ("is absent with an open question", [Reply("Shall I?")], "absent", 60, "answered", "answer", "Shall I?"),
    ("is absent and works", [did("edit", "a.py")], "absent", 60, "active", None, "working"),
]


@pytest.mark.parametrize(
    ("rows", "doing", "later", "status", "needs", "word"),
    [row[1:] for row in STANDINGS],
    ids=[row[0] for row in STANDINGS],
)
def test_a_session_stands_as_its_agent_says(
    rows: list[Row], doing: Doing, later: float, status: str, needs: str | None, word: str
) -> None:
    last = len(rows) * 60
    presence = Presence(doing, at(last + 1)) if doing != "absent" else ABSENT
    session = msgspec.structs.replace(session_with(Prompt("fix the parser"), *rows), presence=presence)
    found = standing(session, at(last + later))
    assert (found.status, found.needs) == (status, needs)
    assert word in found.detail
    is_there = doing not in ("left", "absent")
    assert found.live == (None if doing == "absent" and status == "active" else is_there)
    assert rests(session) == (status == "waiting")


def test_what_the_log_says_later_outdates_that_an_agent_rests() -> None:
    session = session_with(Prompt("fix the parser"), Reply("Done."), Prompt("and the lexer"))
    session = msgspec.structs.replace(session, presence=Presence("resting", at(61)))
    assert standing(session, at(121)).status == "active"


def test_a_permission_is_an_open_item_that_names_the_call() -> None:
    session = session_with(Prompt("clean up"), call("shell", "rm -rf build"))
    session = msgspec.structs.replace(session, presence=Presence("permission", at(61)))
    assert standing(session, at(90)).question == "May I run `rm -rf build`?"
    assert [item.kind for item in open_items(session, at(90))] == ["question"]


def test_a_permission_is_told_in_the_same_words_everywhere() -> None:
    session = session_with(Prompt("clean up"), call("shell", "rm -rf build"))
    session = msgspec.structs.replace(session, presence=Presence("permission", at(61)))
    (row,) = overview([session], at(90))
    assert overview_line(row).startswith("- **needs permission**: ") and row.detail.startswith("May I run")
    page = markdown_of(recap_of(session, at(90)), Wanted("short", 500))
    assert "needs permission — May I run" in page and "rm -rf build" in page


# ---- how the world hears of it

ID, OTHER = "claude-code:a", "claude-code:b"
FOLDER = "file:///logs/"
THERE = Presence("resting", at(70))


def world_with(*names: str) -> World:
    world = World()
    for name in names:
        rows = tape(record(Prompt("fix it"), session=name), record(Reply("Done."), session=name))
        world, _ = fold(world, batch(rows, uri=f"{FOLDER}{name}.jsonl"))
    return world


def presence_in(world: World, session_id: str) -> Presence | None:
    session = session_of(world, session_id)
    assert session is not None
    return session.presence


def test_sessions_whose_agent_came_changed_or_left_are_told_of() -> None:
    world = world_with("a", "b")
    world, first = see_presence(world, {}, (FOLDER,), at(60))
    assert {delta.session_id for delta in first} == {ID, OTHER}, "nobody is there"
    world, came = see_presence(world, {ID: THERE}, (FOLDER,), at(70))
    assert [(delta.session_id, WAITING in delta.sections) for delta in came] == [(ID, True)]
    assert presence_in(world, ID) == THERE and presence_in(world, OTHER) == ABSENT
    same, told = see_presence(world, {ID: THERE}, (FOLDER,), at(80))
    assert same is world and told == ()
    working = {ID: Presence("working", at(90))}
    world, changed = see_presence(world, working, (FOLDER,), at(90))
    assert [(delta.session_id, WAITING in delta.sections) for delta in changed] == [(ID, False)]
    world, left = see_presence(world, {}, (FOLDER,), at(95))
    assert [delta.session_id for delta in left] == [ID]
    assert presence_in(world, ID) == Presence("left", at(95))
    assert see_presence(world, {}, (FOLDER,), at(99)) == (world, ())


def test_who_is_there_before_its_log_is_known_is_remembered() -> None:
    world, deltas = see_presence(World(), {ID: THERE}, (FOLDER,), at(0))
    assert deltas == ()
    rows = tape(record(Prompt("fix it"), session="a"))
    world, _ = fold(world, batch(rows, uri=f"{FOLDER}a.jsonl"))
    assert presence_in(world, ID) == THERE


def test_nothing_is_known_of_logs_whose_agents_do_not_say_who_is_there() -> None:
    world, _ = see_presence(world_with("a"), {}, ("file:///elsewhere/",), at(60))
    assert presence_in(world, ID) is None


def test_of_those_who_left_the_latest_are_remembered() -> None:
    world = World()
    for number in range(400):
        world, _ = see_presence(world, {f"claude-code:{number}": THERE}, (FOLDER,), at(number))
    assert len(world.present) < 300 and "claude-code:398" in world.present
