"""Which sections a change is said to touch: never one too few, and not all of them all the time."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.core.log.events import Note, Prompt, Record, Reply, TodoItem, Todos
from recapd.core.state.folding import extend
from recapd.core.state.sections import ALL_SECTIONS
from recapd.core.state.transcript import EMPTY
from recapd.core.state.world import Session, World, changed_sections, fold, forget, session_of
from recapd.core.views.recap.canary import contradictions
from recapd.core.views.recap.recap import recap_of
from recapd.server.methods.session import list_
from recapd.server.rows import Rows
from recapd.wire import convert
from recapd.wire.types import SessionListParams
from tests.core.test_fold_properties import SLOW, records
from tests.support.logs import at
from tests.support.records import URI, Row, batch, call, did, folded, ran, record, tape

NOW = at(3600)


def shown(world: World, session_id: str) -> dict[str, object]:
    """Every section of an answer, as a client gets it."""
    session = session_of(world, session_id)
    assert session is not None
    only = [session]
    facts = recap_of(session, NOW)
    fields: dict[str, object] = {"commands": (), "tests": (), **msgspec.to_builtins(convert.recap(facts))}
    fields["contradictions"] = [each.text for each in contradictions(facts)]

    class Service:
        rows = Rows()

        def sessions(self) -> list[Session]:
            return only

        def now(self) -> str:
            return NOW

        def modified_at(self, source: str) -> str:
            return NOW

        def resume_command(self, session: object) -> None:
            return None

    (listed,) = list_(Service(), SessionListParams()).sessions  # type: ignore[arg-type]
    entry = msgspec.to_builtins(listed)
    return fields | {"session": {name: value for name, value in entry.items() if name != "revision"}}


@SLOW
@given(records(), st.integers(0, 30))
def test_what_differs_is_named(found: list[Record], cut: int) -> None:
    cut %= len(found) + 1
    world, _ = fold(World(), batch(found[:cut]))
    grown, delta = fold(world, batch(found[cut:]))
    if delta.left:
        return
    before, after = shown(world, delta.session_id), shown(grown, delta.session_id)
    differs = {name for name, value in after.items() if before.get(name) != value}
    assert differs <= set(delta.sections)
    # Which of several logs stands for a session may change, and then everything is named.
    if not any(source.transcript.subagent for source in grown.sources.values()):
        assert set(delta.sections) & COMPARED <= differs


# What is told is compared. The others also rest on the clock, on what is judged later, or on words that are not read
# for a hint.
COMPARED = {
    *("originalRequest", "currentFocus", "userRequests", "recentActions", "commands", "tests", "files", "progress"),
}


BEGIN: tuple[Row, ...] = (Prompt("fix the parser"), did("edit", "a.py"), Reply("Done."))


@SLOW
@given(records(), st.integers(0, 30))
def test_of_a_sub_agent_only_what_it_does_is_named(theirs: list[Record], cut: int) -> None:
    cut %= len(theirs) + 1
    uri = "file:///logs/agent1.jsonl"
    world, main = fold(World(), batch(tape(*BEGIN)))
    of_main = tape(*BEGIN)[0]
    begun = [msgspec.structs.replace(of_main, events=(), via="agent1"), *theirs]
    begun = [msgspec.structs.replace(each, via="agent1", session=of_main.session) for each in begun]
    world, _ = fold(world, batch(begun[: cut + 1], uri=uri))
    grown, delta = fold(world, batch(begun[cut + 1 :], uri=uri))
    assert delta.session_id == main.session_id
    before, after = shown(world, delta.session_id), shown(grown, delta.session_id)
    assert {name for name, value in after.items() if before.get(name) != value} <= set(delta.sections)
    if grown.sources[uri].transcript.subagent:
        assert not OF_MAIN & set(delta.sections)


OF_MAIN = {"originalRequest", "userRequests", "currentFocus", "progress", "decisions", "contradictions"}


def test_what_a_sub_agent_was_asked_is_no_section_of_the_session() -> None:
    world, main = fold(World(), batch(tape(*BEGIN)))
    rows = (Prompt("look for dead code"), did("edit", "dead.py"), ran("make"), Reply("All dead code is gone."))
    theirs = [msgspec.structs.replace(each, via="agent1") for each in tape(*rows)]
    _, delta = fold(world, batch(theirs, uri="file:///logs/agent1.jsonl"))
    assert delta.session_id == main.session_id
    assert {"files", "recentActions", "commands", "stats", "session"} <= set(delta.sections)
    assert not OF_MAIN & set(delta.sections)


@pytest.mark.parametrize(
    ("row", "is_touched", "is_untouched"),
    [
        (Prompt("now the tests"), "userRequests currentFocus state stats session", "files progress recentActions"),
        (Prompt("yes"), "userRequests state stats session", "currentFocus files progress recentActions"),
        (Reply("All well."), "state stats", "userRequests files recentActions progress originalRequest"),
        (did("edit", "b.py"), "files recentActions", "userRequests originalRequest progress"),
        (ran("ls"), "recentActions commands", "userRequests files progress tests"),
        (ran("pytest", "1 failed in 1s", exit_code=1), "tests openItems contradictions", "userRequests files progress"),
        (Todos((TodoItem("docs", "pending"),)), "progress openItems", "userRequests files recentActions"),
        (call("ask", "Which one?"), "state openItems", "userRequests files recentActions progress"),
        (Note("compaction", "We fixed the parser. " * 30), "compacted", "userRequests files recentActions progress"),
        (Note("meta", "We fixed the parser. " * 30), "stats", "compacted userRequests files recentActions progress"),
    ],
)
def test_what_does_not_change_is_not_named(row: Row, is_touched: str, is_untouched: str) -> None:
    sections = set(changed_sections(folded(*BEGIN), folded(*BEGIN, row)))
    assert set(is_touched.split()) <= sections
    assert not set(is_untouched.split()) & sections


def test_another_folder_touches_no_actions_where_there_are_none() -> None:
    moved = msgspec.structs.replace(tape(Prompt("fix the parser"))[0], cwd="/elsewhere")
    sections = changed_sections(folded(Prompt("fix the parser")), extend(EMPTY, [moved]))
    assert "session" in sections and "recentActions" not in sections


def test_the_same_again_touches_nothing() -> None:
    transcript = folded(*BEGIN)
    assert changed_sections(transcript, transcript) == ()
    assert changed_sections(transcript, folded(*BEGIN)) == ()


def test_everything_is_touched_where_places_are_no_longer_the_same() -> None:
    world, first = fold(World(), batch(tape(*BEGIN)))
    rewritten = msgspec.structs.replace(batch(tape(*BEGIN), restart=True), generation="h")
    assert set(fold(world, rewritten)[1].sections) == set(ALL_SECTIONS)
    copied, of_copy = fold(world, batch(tape(*BEGIN), uri="file:///logs/copy.jsonl"))
    assert (of_copy.session_id, set(of_copy.sections)) == (first.session_id, set(ALL_SECTIONS))
    _, gone = forget(copied, URI)
    assert [set(delta.sections) for delta in gone] == [set(ALL_SECTIONS)]


def test_a_source_that_turns_out_to_be_anothers_is_news_to_both() -> None:
    world, first = fold(World(), batch(tape(record(Prompt("hi"), session="s1"))))
    _, moved = fold(world, batch(tape(record(Prompt("on"), session="s2"), first=2)))
    assert (moved.session_id, moved.left) == ("claude-code:s2", first.session_id)
    assert {"originalRequest", "userRequests", "session"} <= set(moved.sections)
