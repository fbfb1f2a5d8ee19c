"""Which sections a change is said to touch: never one too few, and not all of them all the time."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.core.log.events import Note, Prompt, Record, Reply, TodoItem, Todos
from recapd.core.state.world import ALL_SECTIONS, Session, World, changed_sections, fold, forget, session_of
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
    fields: dict[str, object] = msgspec.to_builtins(convert.recap(recap_of(session, NOW)))
    fields["recentActions"] = (fields["recentActions"], fields.pop("commands", ()), fields.pop("tests", ()))

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
    assert {name for name, value in after.items() if before.get(name) != value} <= set(delta.sections)


BEGIN: tuple[Row, ...] = (Prompt("fix the parser"), did("edit", "a.py"), Reply("Done."))


@pytest.mark.parametrize(
    ("row", "is_touched", "is_untouched"),
    [
        (Prompt("now the tests"), "userRequests currentFocus state stats session", "files progress recentActions"),
        (Reply("All well."), "state stats", "userRequests files recentActions progress originalRequest"),
        (did("edit", "b.py"), "files recentActions", "userRequests originalRequest progress"),
        (ran("ls"), "recentActions", "userRequests files progress"),
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
