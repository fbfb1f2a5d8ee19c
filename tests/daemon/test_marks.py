"""Readers' marks: each reader's own, moved by the reader alone, and never back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.daemon import marks as marks_module
from recapd.daemon.marks import MAX_NAME_CHARS, Marks
from recapd.daemon.store.in_memory import InMemory
from recapd.wire.errors import CURSOR_EXPIRED, INVALID_PARAMS, LIMIT_EXCEEDED, RecapError


def cursor(offset: int, *, generation: str = "g", revision: int = 0, turn: int = 1) -> str:
    return f"t{turn}.{offset}.{generation}.{revision or offset}.0"


@pytest.mark.parametrize(
    ("before", "new", "after"),
    [
        (None, cursor(10), cursor(10)),
        (cursor(10), cursor(20), cursor(20)),
        (cursor(20), cursor(10), cursor(20)),
        (cursor(20), cursor(20), cursor(20)),
        # Nothing was logged, but more is known: a summary, a dismissal.
        (cursor(20, revision=5), cursor(20, revision=6), cursor(20, revision=6)),
        # The human went back: fewer turns, more log.
        (cursor(20, turn=5), cursor(30, turn=3), cursor(30, turn=3)),
        # The log was rewritten, and is shorter now.
        (cursor(90, revision=1), cursor(10, generation="h", revision=2), cursor(10, generation="h", revision=2)),
        (cursor(10, generation="h", revision=2), cursor(90, revision=1), cursor(10, generation="h", revision=2)),
    ],
)
def test_a_mark_moves_forward_only(before: str | None, new: str, after: str) -> None:
    marks = Marks(InMemory())
    if before is not None:
        marks.acknowledge("s", "editor", before)
    assert marks.acknowledge("s", "editor", new) == after
    assert marks.get("s", "editor") == after


def test_each_reader_has_a_mark_for_each_session() -> None:
    marks = Marks(InMemory())
    marks.acknowledge("s", "editor", cursor(10))
    marks.acknowledge("s", "hook", cursor(20))
    marks.acknowledge("t", "editor", cursor(30))
    assert [marks.get(*each) for each in (("s", "editor"), ("s", "hook"), ("t", "editor"), ("t", "hook"))] == [
        cursor(10),
        cursor(20),
        cursor(30),
        None,
    ]


@pytest.mark.parametrize(
    ("consumer", "text", "code"),
    [
        ("editor", "", CURSOR_EXPIRED),
        ("editor", "i-1.5", CURSOR_EXPIRED),
        ("editor", "t1.x.g.1.1", CURSOR_EXPIRED),
        ("", cursor(10), INVALID_PARAMS),
        (" \n", cursor(10), INVALID_PARAMS),
        ("x" * (MAX_NAME_CHARS + 1), cursor(10), LIMIT_EXCEEDED),
    ],
)
def test_what_is_no_mark_is_refused(consumer: str, text: str, code: int) -> None:
    marks = Marks(InMemory())
    marks.acknowledge("s", "editor", cursor(5))
    with pytest.raises(RecapError) as raised:
        marks.acknowledge("s", consumer, text)
    assert raised.value.code == code
    assert marks.get("s", "editor") == cursor(5)


def test_marks_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marks_module, "MAX_CONSUMERS", 2)
    marks = Marks(InMemory())
    marks.acknowledge("d", "editor", cursor(10))
    marks.acknowledge("d", "hook", cursor(10))
    with pytest.raises(RecapError):
        marks.acknowledge("d", "one more", cursor(10))
    assert marks.acknowledge("d", "hook", cursor(20)) == cursor(20)


class Store:
    """Keeps what it is given."""

    def __init__(self) -> None:
        self.kept: dict[str, dict[str, str]] = {}

    def marks_of(self, session_id: str) -> dict[str, str]:
        return dict(self.kept.get(session_id, {}))

    def set_mark(self, session_id: str, consumer: str, cursor: str) -> None:
        self.kept.setdefault(session_id, {})[consumer] = cursor


@given(st.lists(st.tuples(st.sampled_from("st"), st.sampled_from("ab"), st.integers(0, 50)), max_size=30))
def test_whatever_is_acknowledged_the_furthest_counts_also_after_a_restart(
    acknowledged: list[tuple[str, str, int]],
) -> None:
    store = Store()
    marks = Marks(store)
    furthest: dict[tuple[str, str], int] = {}
    for session, consumer, offset in acknowledged:
        mark = marks.acknowledge(session, consumer, cursor(offset))
        furthest[session, consumer] = max(offset, furthest.get((session, consumer), 0))
        assert mark == cursor(furthest[session, consumer])
    again = Marks(store)
    assert all(again.get(*reader) == cursor(offset) for reader, offset in furthest.items())
