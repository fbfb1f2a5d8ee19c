"""Whose doing each sort of event is, and that every sort has an answer."""

from __future__ import annotations

from typing import get_args

import pytest

from recapd.core.log.events import (
    Began,
    Call,
    Compacted,
    Ended,
    Event,
    Faulted,
    Interrupted,
    Linked,
    Note,
    NoteKind,
    Opened,
    Origin,
    Prompt,
    Queued,
    Record,
    Reply,
    Result,
    Rewound,
    Thought,
    Titled,
    TodoChanged,
    Todos,
)
from recapd.core.log.origins import author_of, origin_of
from recapd.core.log.refs import Place

ROWS: list[tuple[Event, Origin]] = [
    (Prompt("go"), "human"),
    (Prompt("later", "queued"), "human"),
    (Queued("later"), "human"),
    (Interrupted(), "human"),
    (Rewound(1), "human"),
    (Titled("mine", by_human=True), "human"),
    (Result("c", denied=True, reason="no"), "human"),
    (Result("c", answers=(("which?", "this"),)), "human"),
    (Result("c", approved=True), "human"),
    (Result("c", approved=False), "human"),
    (Reply("done"), "agent"),
    (Thought(3), "agent"),
    (Call("c", "Read", "read"), "agent"),
    (Todos(()), "agent"),
    (TodoChanged(id="1"), "agent"),
    (Note("task"), "agent"),
    (Result("c"), "tool"),
    (Result("c", failed=True), "tool"),
    (Note("compaction"), "summary"),
    (Note("away"), "summary"),
    (Note("branch"), "summary"),
    (Titled("made up"), "summary"),
    (Note("teammate"), "subagent"),
    (Note("meta"), "injected"),
    (Note("nudge"), "injected"),
    (Note("command"), "injected"),
    (Note("shell"), "injected"),
    (Note("system"), "injected"),
    (Note("stage"), "injected"),
    (Opened("s"), "injected"),
    (Compacted(), "injected"),
    (Began(), "injected"),
    (Ended(), "injected"),
    (Faulted("limit"), "injected"),
    (Linked("PR #1", "https://example.org/1"), "injected"),
]


@pytest.mark.parametrize(("event", "origin"), ROWS)
def test_origin(event: Event, origin: Origin) -> None:
    record = Record(Place(1, 0, 1), "line", (event,))
    assert origin_of(record, event) == origin
    assert author_of(event) == origin


def test_all_of_a_subagents_record_is_the_subagents() -> None:
    event = Reply("found it")
    assert origin_of(Record(Place(1, 0, 1), "line", (event,), via="a1"), event) == "subagent"
    assert author_of(event) == "agent"


def test_every_sort_of_event_and_note_has_a_row() -> None:
    assert {type(event) for event, _ in ROWS} == set(get_args(Event))
    assert {event.kind for event, _ in ROWS if isinstance(event, Note)} == set(get_args(NoteKind))
    assert {origin for _, origin in ROWS} == set(get_args(Origin))
