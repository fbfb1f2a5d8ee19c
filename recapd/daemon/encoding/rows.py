"""What is written of a source, worked out before anything is written: the head, the pieces that changed, the texts to
search in. Looking for secrets in all of it takes longer than reading the log did.

    a change        in the writer's thread, of what changed
    a whole source  in the process that reads large logs (see indexer), so that nobody waits for the interpreter
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from recapd.core.state import Source, Transcript, Turn
from recapd.core.text import presentable
from recapd.daemon.encoding.states import Note, Piece, changed_pieces, head_bytes

# A turn takes a millisecond or two to be looked through for secrets: with so many, others would notice.
MANY_TURNS = 16


class SourceRows(Struct, frozen=True):
    head: bytes
    pieces: tuple[Piece, ...]
    # With the number of the turn that each is of.
    texts: tuple[tuple[int, str], ...]


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
    return SourceRows(
        head=head_bytes(source),
        pieces=tuple(changed_pieces(source.transcript, before, known)),
        texts=tuple(changed_texts(source.transcript, before)),
    )


async def prepare(
    sources: Sequence[Source], rows_elsewhere: Callable[[Source], Awaitable[SourceRows | None]]
) -> dict[str, Prepared]:
    """All rows of sources that are written for the first time, made elsewhere if they are many; by key."""
    if sum(len(source.transcript.turns) for source in sources) < MANY_TURNS:
        return {}
    prepared: dict[str, Prepared] = {}
    for source in sources:
        if (rows := await rows_elsewhere(source)) is None:
            break
        prepared[source.key] = Prepared(source, rows)
    return prepared


def changed_texts(now: Transcript, was: Transcript | None) -> Iterator[tuple[int, str]]:
    """The words of each turn that is not as it was, redacted and bounded, and the turn's number."""
    old = was.turns.chunks if was is not None else ()
    first = 0
    for chunk, turns in enumerate(now.turns.chunks):
        known: tuple[Turn, ...] = old[chunk] if chunk < len(old) else ()
        start, first = first, first + len(turns)
        if known is turns:
            continue
        for row, turn in enumerate(turns):
            if row < len(known) and known[row] == turn:
                continue
            body = presentable("\n".join(part for part in (turn.request.text, turn.gist, turn.outcome) if part))
            yield start + row, body.encode("utf-8", "replace").decode()
