"""Sources and the sessions they make up: the same in whatever order the files are read, and never an older revision."""

from __future__ import annotations

from itertools import permutations

import msgspec
import pytest

from recapd.core.log.events import Event, Opened, Prompt, Record, Reply
from recapd.core.state.world import Batch, World, fold, last_active, session_of, sessions_of
from tests.support.logs import at
from tests.support.records import batch, did, record, tape, world_of

MAIN, COPY, SCOUT, OTHER = (f"file:///logs/{name}.jsonl" for name in ("main", "copy", "scout", "other"))


def said(*texts: str, session: str = "s1", first: int = 1) -> list[Record]:
    return tape(*(record(Prompt(text), session=session) for text in texts), first=first)


def by_agent(*events: Event, session: str = "s1", first: int = 1) -> list[Record]:
    return tape(*(record(event, session=session, via="scout") for event in events), first=first)


SESSION = [
    batch(said("build the parser", "then the lexer", "and the docs"), uri=MAIN),
    batch(said("build the parser", "then the lexer"), uri=COPY),
    batch(by_agent(*did("edit", "a.py")), uri=SCOUT),
    batch(said("something else", session="s2", first=50), uri=OTHER),
]


@pytest.mark.parametrize("order", list(permutations(range(len(SESSION)))))
def test_any_order_of_files_makes_the_same_sessions(order: tuple[int, ...]) -> None:
    world = world_of(*(SESSION[number] for number in order))
    first, second = sessions_of(world)
    assert (first.id, first.main.uri) == ("claude-code:s2", OTHER)
    assert (second.id, second.main.uri) == ("claude-code:s1", MAIN)
    assert [child.uri for child in second.children] == [SCOUT]
    assert [alias.uri for alias in second.aliases] == [COPY]


def test_the_copy_that_goes_furthest_is_the_log() -> None:
    world = world_of(*SESSION[:2], batch(said("a", "b", "c", first=3), uri=COPY))
    (session,) = sessions_of(world)
    assert session.main.uri == COPY
    assert session.main.transcript.totals.turns == 5


def test_sessions_are_listed_by_their_last_activity_the_sub_agents_counted() -> None:
    late = [msgspec.structs.replace(each, at=at(1e6)) for each in by_agent(*did("edit", "a.py"))]
    world = world_of(SESSION[0], SESSION[3], batch(late, uri=SCOUT))
    assert [session.id for session in sessions_of(world)] == ["claude-code:s1", "claude-code:s2"]
    assert last_active(sessions_of(world)[0]) == at(1e6)


NOW = at(1e5)
ASTRAY = "2099-01-01T00:00:00.000Z"


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        ((at(0), at(50)), at(50)),
        # Clocks and zones differ by less than a day.
        ((at(0), at(1e5 + 80_000)), at(1e5 + 80_000)),
        # What came after it is dated again, or what came before it is known.
        ((at(0), ASTRAY, at(70)), at(70)),
        ((at(0), ASTRAY), at(0)),
        ((ASTRAY, ASTRAY), ""),
    ],
)
def test_a_date_far_ahead_of_the_clock_is_none(dates: tuple[str, ...], expected: str) -> None:
    talk = tape(*(record(Prompt("go on"), at=each) for each in dates))
    (session,) = sessions_of(world_of(batch(talk, uri=MAIN)))
    assert last_active(session, NOW) == expected
    # Without a clock, or with one that tells nothing, a log is taken at its word.
    assert last_active(session) == last_active(session, "noon") == max(dates)


def test_a_session_dated_ahead_is_not_the_latest_for_good() -> None:
    world = world_of(
        batch(tape(record(Prompt("astray"), session="s1", at=ASTRAY)), uri=MAIN),
        batch(tape(record(Prompt("further astray"), session="s3", at="2100-01-01T00:00:00.000Z")), uri=COPY),
        batch(said("the latest", session="s2"), uri=OTHER),
    )
    assert [session.main.uri for session in sessions_of(world, NOW)] == [OTHER, COPY, MAIN]
    # A clock that is years behind changes nothing.
    assert sessions_of(world, "2001-01-01T00:00:00.000Z") == sessions_of(world)


def test_only_a_sub_agents_log_is_known() -> None:
    (session,) = sessions_of(world_of(batch(by_agent(*did("edit", "a.py")), uri=SCOUT)))
    assert (session.id, session.main.uri) == ("claude-code:s1", SCOUT)


def test_a_format_may_say_whose_sub_agent_a_log_is() -> None:
    opened = tape(record(Opened("child", subagent="child", parent_session="s1"), session=""), Prompt("find it"))
    opened = [msgspec.structs.replace(each, session="") for each in opened]
    (session,) = sessions_of(world_of(SESSION[0], batch(opened, uri=SCOUT)))
    assert [child.uri for child in session.children] == [SCOUT]
    assert session.main.transcript.totals.turns == 3, "what the agent asked its sub-agent is no turn of the human"


def test_a_log_that_names_no_session_is_one_of_its_own() -> None:
    nameless = [msgspec.structs.replace(each, session="") for each in said("build the parser")]
    world = world_of(batch(nameless, uri=MAIN), batch(nameless, uri=COPY))
    ids = [session.id for session in sessions_of(world)]
    assert len(set(ids)) == 2
    assert ids == [
        session.id for session in sessions_of(world_of(batch(nameless, uri=MAIN), batch(nameless, uri=COPY)))
    ]


def test_a_file_may_hold_several_sessions() -> None:
    world = world_of(batch(said("a"), part="one"), batch(said("b"), part="two"))
    assert len(sessions_of(world)) == 2


def test_a_source_may_turn_out_to_belong_to_another_session() -> None:
    world, before = fold(World(), batch(said("build the parser")))
    world, after = fold(world, batch(said("go on", session="s2", first=2)))
    assert (before.session_id, after.session_id) == ("claude-code:s1", "claude-code:s2")
    assert session_of(world, before.session_id) is None
    (session,) = sessions_of(world)
    assert session.main.transcript.totals.turns == 2


# ---- rewritten files and revisions


def test_a_rewritten_file_says_only_what_it_says_now() -> None:
    world = world_of(batch(said("build the parser", "then the lexer")), batch(said("start over"), restart=True))
    (session,) = sessions_of(world)
    assert session.main.transcript.original is not None
    assert session.main.transcript.original.text == "start over"
    assert session.main.transcript.totals.turns == 1


NEWS: list[tuple[str, Batch]] = [
    ("more of the log", batch(tape(record(Reply("Done."), session="s1"), first=9), uri=MAIN)),
    ("a sub-agent's work", batch(by_agent(*did("edit", "b.py"), first=9), uri=SCOUT)),
    ("a new sub-agent", batch(by_agent(*did("edit", "b.py")), uri="file:///logs/new.jsonl")),
    ("another copy", batch(said("build the parser"), uri="file:///logs/copy2.jsonl")),
    ("the log written anew", batch(said("start over"), uri=MAIN, restart=True)),
]


@pytest.mark.parametrize("news", [row[1] for row in NEWS], ids=[row[0] for row in NEWS])
def test_whatever_changes_a_session_makes_its_revision_grow(news: Batch) -> None:
    world = world_of(*SESSION)
    before, other = (session_of(world, f"claude-code:{name}") for name in ("s1", "s2"))
    world, delta = fold(world, news)
    after, same = (session_of(world, f"claude-code:{name}") for name in ("s1", "s2"))
    assert before is not None and after is not None and other is not None and same is not None
    assert after.revision > before.revision
    assert delta.revision == after.revision
    assert same.revision == other.revision, "nothing changed for the other session"


def test_a_world_is_never_changed_under_its_readers() -> None:
    world = world_of(*SESSION)
    sources, members = dict(world.sources), dict(world.members)
    for _, news in NEWS:
        fold(world, news)
    assert (dict(world.sources), dict(world.members)) == (sources, members)


@pytest.mark.parametrize("native", ["x; rm -rf ~", "-option", "a b", "$(id)", "\x1b[31m", "é", "x" * 300])
def test_an_id_that_could_do_harm_is_not_used(native: str) -> None:
    """Session ids are shown and put into commands to resume by; a log may say anything."""
    world = world_of(batch(said("fix the parser", session=native)))
    (session_id,) = world.members
    assert native not in session_id
