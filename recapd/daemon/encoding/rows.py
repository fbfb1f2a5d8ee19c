"""What is written of a source, worked out before anything is written: the head, the pieces that changed, the texts to
search in. Looking for secrets in all of it takes longer than reading the log did.

    a change        in the writer's thread, of what changed
    a whole source  in the process that reads large logs (see indexer), so that nobody waits for the interpreter
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from recapd.core.hygiene import clean, is_clean
from recapd.core.log import Place
from recapd.core.retrieval import searched_text
from recapd.core.state import Passage, Source, Transcript
from recapd.daemon.encoding.states import (
    Chunk,
    Note,
    Piece,
    changed_chunks,
    head_bytes,
    look_through,
    pieces_of,
    safe_chunks,
)

# A turn takes a millisecond or two to be looked through for secrets: with so many, others would notice.
MANY_TURNS = 16
# Sources that go to a process together: a trip there and back, and tidying up after it, takes longer than the rows of a
# small source. Those of so much take some fifty milliseconds.
BUNDLE_BYTES = 1 << 16


class TextRow(Struct, frozen=True):
    """Something that was said or done, to be searched in: which passage of its source, of what turn, and where."""

    number: int
    kind: str
    turn: int
    at: str
    place: Place
    body: str


class SourceRows(Struct, frozen=True):
    head: bytes
    pieces: tuple[Piece, ...]
    texts: tuple[TextRow, ...]


class Prepared(Struct, frozen=True):
    """All rows of a source, good for no other state of it."""

    source: Source
    rows: SourceRows


class Saved(Struct, frozen=True):
    """A source as it stands in the cache: what the next writing is compared with."""

    source: Source
    notes: dict[tuple[str, int], Note]

    @property
    def size(self) -> int:
        return sum(note.size for note in self.notes.values())

    @property
    def is_exact(self) -> bool:
        return all(note.exact for note in self.notes.values())


def rows_of(source: Source, before: Transcript | None = None, known: Iterable[Note] = ()) -> SourceRows:
    """What differs from the state before, of which `known` are the notes; all of it where there is none."""
    changed = changed_chunks(source.transcript, before)
    replaced = look_through(source, source.transcript, changed)
    safe = safe_chunks(changed, replaced)
    return SourceRows(
        head=head_bytes(source, replaced),
        pieces=tuple(pieces_of(source.transcript, safe, replaced, known=known)),
        texts=tuple(changed_texts(safe, source.transcript, before)),
    )


async def prepare(
    sources: Sequence[Source],
    *,
    body_of: Callable[[Source], bytes | None],
    rows_elsewhere: Callable[[Sequence[bytes]], Awaitable[list[SourceRows | None]]],
) -> dict[str, Prepared]:
    """All rows of sources that are written for the first time, made elsewhere if they are many; by key.

    `body_of` gives all of a source, of which only the head may be known here, as bytes.
    """
    if sum(source.transcript.totals.turns for source in sources) < MANY_TURNS:
        return {}
    prepared: dict[str, Prepared] = {}
    encoded = [(source, body) for source in sources if (body := body_of(source)) is not None]
    while encoded:
        count = _first_few([len(body) for _, body in encoded])
        some, encoded = encoded[:count], encoded[count:]
        found = await rows_elsewhere([body for _, body in some])
        if len(found) < len(some):
            break
        for (source, _), rows in zip(some, found, strict=True):
            if rows is not None:
                prepared[source.key] = Prepared(source, rows)
    return prepared


def _first_few(sizes: Sequence[int]) -> int:
    """How many to hand over at once: one at least, and no more than others can wait for."""
    total = 0
    for count, size in enumerate(sizes):
        total += size
        if total > BUNDLE_BYTES and count:
            return count
    return len(sizes)


def changed_texts(changed: Iterable[Chunk], now: Transcript, was: Transcript | None) -> Iterator[TextRow]:
    """What was said in each passage that is not as it was, without secrets."""
    old = was.passages.chunks if was is not None else ()
    turns = now.turns
    for chunk in changed:
        if chunk.field != "passages":
            continue
        known: tuple[Passage, ...] = old[chunk.number] if chunk.number < len(old) else ()
        passage: Passage
        texts = [searched_text(passage) for passage in chunk.items]
        are_clean = is_clean("".join(texts))
        for row, (passage, text) in enumerate(zip(chunk.items, texts, strict=True)):
            if known[row] == passage if row < len(known) else not text:
                continue
            number = turns[passage.turn_row].number if 0 <= passage.turn_row < len(turns) else 0
            shown = text if are_clean else clean(text)
            yield TextRow(chunk.first + row, passage.kind, number, passage.at, passage.place, shown)
