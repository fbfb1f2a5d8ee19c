"""Passages of conversations that were asked about, kept for the next question: the process holds them, bounded.

An index grows with its conversation and is made anew where the log was rewritten or the human went back in it.
The least recently asked goes first. Reading happens in the caller's thread, one conversation at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock

from recapd.core.retrieval import Hit, Index, Known, Unit, by_likeness, known_of, search, units_of
from recapd.core.state import Source, Utterance
from recapd.core.views.context import Found

# About 300 bytes each, and a word's own list where it is new: 60,000 are some 40 MB.
MAX_PASSAGES = 60_000
# Longer conversations are found in by their latest part: 16 million characters of words.
MAX_OF_ONE = 50_000


# The words of units, fit to be shown: secrets go while the text is whole.
ReadTexts = Callable[[Source, Sequence[Unit]], list[str]]


class Indexes:
    """Indexes of the conversations asked about last. For any number of threads."""

    def __init__(self, most_passages: int = MAX_PASSAGES) -> None:
        self._most = most_passages
        self._kept: dict[str, _Kept] = {}
        self._lock = Lock()

    def find(self, source: Source, prompt: str, *, before: int, read: ReadTexts) -> list[Found]:
        """The passages of living messages with a number below `before` that fit a prompt best, best first."""
        with self._lock:
            kept = self._kept.pop(source.key, None)
            if kept is None or not kept.belongs_to(source):
                kept = _Kept(source)
            self._kept[source.key] = kept
        with kept.lock:
            kept.extend(source, read)
            hits = kept.search(source, prompt, before)
            found = kept.with_texts(source, hits, read)
        self._shrink()
        ranked = by_likeness(hits, [each.text for each in found], prompt)
        by_row = dict(zip([hit.row for hit in hits], found, strict=True))
        return [
            Found(each.unit, each.start, each.end, each.text, hit.score)
            for hit in ranked
            if (each := by_row[hit.row]).text
        ]

    def _shrink(self) -> None:
        with self._lock:
            while len(self._kept) > 1 and sum(len(each.index) for each in self._kept.values()) > self._most:
                del self._kept[next(iter(self._kept))]


class _Kept:
    """The index of one source, and how far it goes."""

    def __init__(self, source: Source) -> None:
        self.generation = source.generation
        self.index = Index()
        self.known = Known()
        self.lock = Lock()
        self._last: Utterance | None = None

    def belongs_to(self, source: Source) -> bool:
        """Whether what is indexed is still the beginning of the source."""
        utterances = source.transcript.utterances
        count = self.known.utterances
        if self.generation != source.generation or count > len(utterances):
            return False
        return len(source.transcript.passages) >= self.known.passages and (
            count == 0 or utterances[count - 1] == self._last
        )

    def extend(self, source: Source, read: ReadTexts) -> None:
        transcript = source.transcript
        now = known_of(transcript)
        if now == self.known:
            return
        units = units_of(transcript, self.known)
        if len(self.index) > MAX_OF_ONE:
            units = [*self.index.units[len(self.index.units) // 2 :], *units]
            self.index = Index()
        for unit, text in zip(units, read(source, units), strict=True):
            self.index.add(unit, text)
        self.known = now
        self._last = transcript.utterances[-1] if now.utterances else None

    def search(self, source: Source, prompt: str, before: int) -> list[Hit]:
        units, turns = self.index.units, source.transcript.turns

        def is_wanted(number: int) -> bool:
            unit = units[number]
            if unit.message >= before or unit.turn_row >= len(turns):
                # The latter: somebody with a later snapshot was quicker.
                return False
            return unit.turn_row < 0 or not turns[unit.turn_row].abandoned

        return search(self.index, prompt, is_wanted=is_wanted)

    def with_texts(self, source: Source, hits: Sequence[Hit], read: ReadTexts) -> list[Found]:
        numbers = sorted({self.index.unit_of[hit.row] for hit in hits})
        texts = dict(zip(numbers, read(source, [self.index.units[number] for number in numbers]), strict=True))
        found: list[Found] = []
        for hit in hits:
            number = self.index.unit_of[hit.row]
            span = self.index.span(hit.row)
            text = texts[number][span.start : span.end]
            found.append(Found(self.index.units[number], span.start, span.end, text, hit.score))
        return found
