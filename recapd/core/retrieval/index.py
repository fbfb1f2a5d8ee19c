"""Which words stand in which passage of one conversation. Grows with it; holds numbers, no text.

    postings   term ─▶ passages that have it, and how often
    passages   row ─▶ which unit, from which character to which

A unit is one text that stands somewhere in the log (see units). Whoever owns the index reads the texts.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from typing import Final
from zlib import crc32

from recapd.core.retrieval.causes import states_cause
from recapd.core.retrieval.passages import Span, passages_in
from recapd.core.retrieval.terms import terms_of
from recapd.core.retrieval.units import Unit

# A posting is a number: the row in its upper bits, how often in its lower ones.
COUNT_BITS: Final = 6
MOST_COUNTED: Final = (1 << COUNT_BITS) - 1
# Of one text; what is longer is pasted, and its beginning tells what it is.
MOST_CHARS: Final = 60_000


class Index:
    """The passages of one conversation, in its order. Not for several threads at once."""

    def __init__(self) -> None:
        self.units: list[Unit] = []
        self.unit_of = array("I")
        # Of each passage, as of its unit: the row of its turn, and whether the human said it.
        self.turn_of = array("i")
        self.is_human = bytearray()
        # Whether it states the cause of something.
        self.is_cause = bytearray()
        self.lengths = array("H")
        self._starts = array("I")
        self._ends = array("I")
        self._postings: dict[int, array[int]] = {}
        self._total_length = 0
        self._by_mean: list[float] = []

    def __len__(self) -> int:
        return len(self.unit_of)

    def add(self, unit: Unit, text: str) -> None:
        """One more unit with its text, which is of a later place than all before."""
        number = len(self.units)
        self.units.append(unit)
        for span in passages_in(text[:MOST_CHARS]):
            self._add_passage(number, span, text[span.start : span.end])

    def span(self, row: int) -> Span:
        return Span(self._starts[row], self._ends[row])

    def postings(self, term: str) -> Sequence[int]:
        """The passages in which a term stands, in order: of each its row above COUNT_BITS, and below how often."""
        return self._postings.get(_key(term), ())

    def lengths_by_mean(self) -> list[float]:
        """How long each passage is beside the others."""
        if len(self._by_mean) != len(self):
            # Where there are only marks and pictures, all are of no length.
            mean = self._total_length / len(self) or 1.0
            self._by_mean = [length / mean for length in self.lengths]
        return self._by_mean

    def _add_passage(self, unit: int, span: Span, text: str) -> None:
        row = len(self.unit_of)
        counts = Counter(map(_key, terms_of(text)))
        length = min(counts.total(), 0xFFFF)
        self.unit_of.append(unit)
        self.turn_of.append(self.units[unit].turn_row)
        self.is_human.append(self.units[unit].speaker == "user")
        self.is_cause.append(states_cause(text))
        self._starts.append(span.start)
        self._ends.append(span.end)
        self.lengths.append(length)
        self._total_length += length
        for key, count in counts.items():
            found = self._postings.get(key)
            if found is None:
                found = self._postings[key] = array("I")
            found.append(row << COUNT_BITS | min(count, MOST_COUNTED))


def _key(term: str) -> int:
    """Terms by number: a collision in 4 billion costs one wrong passage, a string costs twice the memory."""
    return crc32(term.encode("utf-8", "surrogatepass"))
