"""Passages of conversations that were asked about, kept for the next question: the process holds them, bounded.

An index grows with its conversation and is made anew where the log was rewritten or the human went back in it.
The least recently asked goes first. Reading happens in the caller's thread, one conversation at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import count
from threading import Lock

from recapd.core.retrieval import Hit, Index, Known, Unit, by_likeness, known_of, search, units_of
from recapd.core.state import Source, Utterance, session_id_of
from recapd.core.views.context import Found, FoundText, found_text_of, word_numbers

# About 300 bytes each, and a word's own list where it is new: 60,000 are some 40 MB.
MAX_PASSAGES = 60_000
# Longer conversations are found in by their latest part: 16 million characters of words.
MAX_OF_ONE = 50_000


# Passages of which it is kept what was made of their texts: 6 KB each.
MAX_READ = 2_000
# Words of one conversation that have numbers: each passage that was read has a bit for each of them.
MAX_WORDS = 16_384


# The words of units, fit to be shown: secrets go while the text is whole.
ReadTexts = Callable[[Source, Sequence[Unit]], list[str]]


# No two indexes of this process have the same.
_serials = count(1)


class Indexes:
    """Indexes of the conversations asked about last. For any number of threads."""

    def __init__(self, most_passages: int = MAX_PASSAGES) -> None:
        self._most = most_passages
        self._kept: dict[str, _Kept] = {}
        # Passages that were found lately, by the serial of their index and their row in it; the latest last.
        self._passages: dict[tuple[int, int], FoundText] = {}
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
            serial, numbers = kept.serial, kept.numbers
            passages = self._known(serial, hits)
            unread = [hit for hit in hits if hit.row not in passages]
            texts = kept.texts_of(source, unread, read)
            places = {hit.row: (kept.unit_of(hit.row), kept.index.span(hit.row)) for hit in hits}
        self._shrink()
        for hit, text in zip(unread, texts, strict=True):
            made = found_text_of(text, numbers, is_agent=places[hit.row][0].speaker == "agent")
            passages[hit.row] = made
            # A log that cannot be read now may be later.
            if text:
                self._keep((serial, hit.row), made)
        ranked = by_likeness(hits, [passages[hit.row].features for hit in hits], prompt)
        return [
            Found(unit, span.start, span.end, passages[hit.row], hit.score)
            for hit in ranked
            for unit, span in [places[hit.row]]
            if passages[hit.row].text
        ]

    def forget(self, session_ids: Collection[str]) -> None:
        """Nothing is kept of what was said in sessions that are known no more."""
        with self._lock:
            gone = {key: kept.serial for key, kept in self._kept.items() if kept.session_id in session_ids}
            for key in gone:
                del self._kept[key]
            for name in [name for name in self._passages if name[0] in gone.values()]:
                del self._passages[name]

    def _known(self, serial: int, hits: Sequence[Hit]) -> dict[int, FoundText]:
        """By row, what was made of passages for an earlier prompt: the next one finds many of the same, and what an
        index holds of a log stays what it is."""
        found: dict[int, FoundText] = {}
        with self._lock:
            for hit in hits:
                name = serial, hit.row
                if (known := self._passages.pop(name, None)) is not None:
                    self._passages[name] = found[hit.row] = known
        return found

    def _keep(self, name: tuple[int, int], passage: FoundText) -> None:
        with self._lock:
            self._passages[name] = passage
            if len(self._passages) > MAX_READ:
                del self._passages[next(iter(self._passages))]

    def _shrink(self) -> None:
        with self._lock:
            while len(self._kept) > 1 and sum(len(each.index) for each in self._kept.values()) > self._most:
                del self._kept[next(iter(self._kept))]


class _Kept:
    """The index of one source, and how far it goes."""

    def __init__(self, source: Source) -> None:
        self.session_id = session_id_of(source)
        self.serial = next(_serials)
        self.generation = source.generation
        self.index = Index()
        self.numbers = word_numbers()
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
        if len(self.numbers) > MAX_WORDS:
            self.numbers = word_numbers()
            self.serial = next(_serials)
        transcript = source.transcript
        now = known_of(transcript)
        if now == self.known:
            return
        units = units_of(transcript, self.known)
        if len(self.index) > MAX_OF_ONE:
            units = [*self.index.units[len(self.index.units) // 2 :], *units]
            self.index = Index()
            self.serial = next(_serials)
        for unit, text in zip(units, read(source, units), strict=True):
            self.index.add(unit, text)
        self.known = now
        self._last = transcript.utterances[-1] if now.utterances else None

    def search(self, source: Source, prompt: str, before: int) -> list[Hit]:
        turns = source.transcript.turns
        # Where there are more turns, somebody with a later snapshot was quicker.
        end = len(turns)
        wanted = [unit.message < before and unit.turn_row < end for unit in self.index.units]
        if source.transcript.totals.abandoned_turns:
            for number, unit in enumerate(self.index.units):
                if wanted[number] and unit.turn_row >= 0:
                    wanted[number] = not turns[unit.turn_row].abandoned
        return search(self.index, prompt, wanted=wanted)

    def unit_of(self, row: int) -> Unit:
        return self.index.units[self.index.unit_of[row]]

    def texts_of(self, source: Source, hits: Sequence[Hit], read: ReadTexts) -> list[str]:
        numbers = sorted({self.index.unit_of[hit.row] for hit in hits})
        texts = dict(zip(numbers, read(source, [self.index.units[number] for number in numbers]), strict=True))
        spans = ((self.index.unit_of[hit.row], self.index.span(hit.row)) for hit in hits)
        return [texts[number][span.start : span.end] for number, span in spans]
