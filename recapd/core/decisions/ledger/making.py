"""A ledger while it is put together, row by row; it can go back to where it was marked, and on from there.

    feed ─▶ settle ─▶ mark ─▶ feed ─▶ mark ─▶ feed ─▶ entries ─▶ back ─▶ mark ─▶ feed ─▶ entries

Owns: which rows are told, and what is needed to take the last ones out again: most of what a log gains follows on what
was fed before. Must not know: sessions, ids, what the rows were made of.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import Struct

from recapd.core.decisions.entries import Entry
from recapd.core.decisions.ledger.past import Past, PastMark, Row
from recapd.core.decisions.ledger.scenes import Circumstances
from recapd.core.decisions.ledger.subjects import subject_of

# What is only likely by its words, and takes the place of something: as sure as what is stated.
_SHOWN: Final = 0.7


class _Mark(Struct, frozen=True):
    past: PastMark
    rows: int = 0
    told: int = 0
    first: int = 0


class Making:
    def __init__(self) -> None:
        self._past = Past()
        self._rows = 0
        self._told: list[Row] = []
        # Resumed logs hold some records twice: the first counts, and knows where the others stand.
        self._first: dict[tuple[str, int, str], Row] = {}
        # Which of those that are told a row is, by its id.
        self._told_at: dict[str, int] = {}
        # Those that were told when it was settled, as they were then; None where one is part of another.
        self._settled: list[Entry | None] = []
        self._settled_rows = 0
        # Since then, the latest last.
        self._marks: list[_Mark] = []

    @property
    def kept(self) -> int:
        """How many rows are settled: nobody goes back to before them."""
        return self._settled_rows

    def feed(self, row: Row, around: Circumstances) -> None:
        self._rows += 1
        found = row.finding
        original = self._first.setdefault((found.record, found.ordinal, found.quote), row) if found.record else row
        if original is not row and original.status != "abandoned":
            self._past.change(original).restated += (found.place,)
            return
        # Only what counts can change what counts: nothing is buried by a guess, or by what the user dismissed.
        counts = row.status == "active" and row.verdict != "dismissed" and not row.supersedes
        if row.status == "tentative" and row.verdict != "dismissed" and found.made_by != "agent":
            likely = subject_of(found, row.turn, around, verdict=row.verdict)
            if self._past.shows_change(likely):
                counts, row.status = True, "active"
                row.finding = found = msgspec.structs.replace(found, proof="statement", confidence=_SHOWN)
            else:
                self._past.take_likely(row, likely)
        if not counts or self._past.take(row, subject_of(found, row.turn, around, verdict=row.verdict)):
            self._told_at[row.id] = len(self._told)
            self._told.append(row)

    def settle(self) -> None:
        for row in self._past.changed:
            if (at := self._told_at.get(row.id)) is not None and at < len(self._settled):
                self._settled[at] = _told(row)
        self._settled += map(_told, self._told[len(self._settled) :])
        self._settled_rows = self._rows
        self._past.settle()
        self._marks.clear()

    def mark(self) -> None:
        self._marks.append(_Mark(self._past.mark(), self._rows, len(self._told), len(self._first)))

    def back(self, most: int) -> int:
        """To the last mark with no more rows than so many, which are at least those that are settled; how many are
        left."""
        while self._rows > most:
            mark = self._marks.pop()
            self._past.back(mark.past)
            self._rows = mark.rows
            for row in self._told[mark.told :]:
                del self._told_at[row.id]
            del self._told[mark.told :]
            while len(self._first) > mark.first:
                self._first.popitem()
        return self._rows

    def entries(self) -> tuple[Entry, ...]:
        entries = [*self._settled, *map(_told, self._told[len(self._settled) :])]
        for row in self._past.changed:
            if (at := self._told_at.get(row.id)) is not None:
                entries[at] = _told(row)
        return tuple(filter(None, entries))


def _told(row: Row) -> Entry | None:
    return row.frozen() if not row.is_part_of else None
