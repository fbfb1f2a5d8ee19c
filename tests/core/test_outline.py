"""The outline of a session: turns with their decisions below, of which an append makes no more than the last anew."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from recapd.core.settings import DEFAULTS
from recapd.core.state import Memory, Session
from recapd.core.views import outline
from recapd.core.views.outline import OutlineRow, outline_of
from recapd.core.views.recap.recap import recap_of
from recapd.core.views.timeline import timeline_of
from tests.core.test_memory import NOW, story
from tests.support.records import Row, session_with

MOST = 20
GAP_S = DEFAULTS.recap.gap_minutes * 60


def rows_of(session: Session) -> list[OutlineRow]:
    decisions = recap_of(session, NOW).decisions
    return outline_of(session, decisions, most=MOST, gap_s=GAP_S, read_turns=())


def with_memory(rows: list[Row], memory: Memory) -> Session:
    return msgspec.structs.replace(session_with(*rows), memory=memory)


@pytest.mark.parametrize("turns", [0, 1, 4, 9, 15, 30, 70])
def test_it_says_what_a_timeline_says(turns: int) -> None:
    session = session_with(*story(turns))
    timeline = timeline_of(recap_of(session, NOW), point=None, buckets=MOST, gap_s=GAP_S, readings=())
    found = rows_of(session)
    assert sum(1 + len(row.decisions) for row in found) <= MOST
    # The latest, and of the first of them as many decisions as there was room for.
    told = timeline.turns[len(timeline.turns) - len(found) :]
    assert [(row.turn, row.text, row.line) for row in found] == [(row.first, row.text, row.place.line) for row in told]
    for row, its_turns in list(zip(found, told, strict=True))[1:]:
        marks = [mark for mark in timeline.marks if its_turns.first <= mark.turn <= its_turns.last]
        decided = [(mark.text, mark.place.line) for mark in marks if mark.kind == "decision"]
        assert [(each.text, each.line) for each in row.decisions] == decided
    assert any(row.decisions for row in found) or turns < 2


def test_a_session_that_grows_has_the_outline_of_a_fresh_one_and_only_the_last_rows_are_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[int] = []
    make: Callable[..., OutlineRow] = outline._row

    def counted(made_of: Any, memory: Memory) -> OutlineRow:
        made.append(made_of[0][0].number)
        return make(made_of, memory)

    rows, memory = story(60), Memory()
    per_turn = len(rows) // 60
    monkeypatch.setattr(outline, "_row", counted)
    rows_of(with_memory(rows[: 41 * per_turn], memory))
    assert len(made) == 11
    made.clear()
    rows_of(with_memory(rows[: 41 * per_turn], memory))
    assert made == []
    for end in range(41 * per_turn + 1, len(rows) + 1):
        made.clear()
        found = rows_of(with_memory(rows[:end], memory))
        # What is said may also change the row before, and end a decision of long ago.
        assert len(made) <= 3, (end, made)
        assert found == rows_of(session_with(*rows[:end]))
