"""A ledger while it is put together, row by row; it can go back to where it was marked, and on from there.

    feed ─▶ feed ─▶ mark ─▶ feed ─▶ entries ─▶ back ─▶ feed ─▶ entries

Owns: which rows are told, and what is needed to take the last ones out again: most of what a log gains follows on what
was fed before. Must not know: sessions, ids, what the rows were made of.
"""

from __future__ import annotations

from msgspec import Struct

from recapd.core.decisions.entries import Entry
from recapd.core.decisions.ledger.past import Past, PastMark, Row, RowState
from recapd.core.decisions.ledger.scenes import Circumstances
from recapd.core.decisions.ledger.subjects import subject_of


class _Mark(Struct, frozen=True):
    past: PastMark
    told: int
    first: int
    # Of each row fed so far.
    states: tuple[RowState, ...]


class Making:
    def __init__(self) -> None:
        self._past = Past()
        self._rows: list[Row] = []
        self._told: list[Row] = []
        # Resumed logs hold some records twice: the first counts, and knows where the others stand.
        self._first: dict[tuple[str, int, str], Row] = {}
        self._mark = self._marked()

    @property
    def kept(self) -> int:
        """How many rows are left after going back."""
        return len(self._mark.states)

    def feed(self, row: Row, around: Circumstances) -> None:
        self._rows.append(row)
        found = row.finding
        original = self._first.setdefault((found.record, found.ordinal, found.quote), row) if found.record else row
        if original is not row and original.status != "abandoned":
            original.restated.append(found.place)
            return
        # Only what counts can change what counts: nothing is buried by a guess, or by what the user dismissed.
        counts = row.status == "active" and row.verdict != "dismissed" and not row.supersedes
        if not counts or self._past.take(row, subject_of(found, row.turn, around, verdict=row.verdict)):
            self._told.append(row)

    def mark(self) -> None:
        self._mark = self._marked()

    def back(self) -> None:
        mark = self._mark
        self._past.back(mark.past)
        del self._rows[self.kept :], self._told[mark.told :]
        while len(self._first) > mark.first:
            self._first.popitem()
        for row, state in zip(self._rows, mark.states, strict=True):
            row.put_back(state)

    def entries(self) -> tuple[Entry, ...]:
        return tuple(row.frozen() for row in self._told if not row.is_part_of)

    def _marked(self) -> _Mark:
        states = tuple(row.state() for row in self._rows)
        return _Mark(self._past.mark(), len(self._told), len(self._first), states)
