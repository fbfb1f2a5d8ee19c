"""Cutting a conversation into pieces that belong together.

A prompt always begins a chunk: what the human says next is not the end of the topic before. A paragraph longer than
allowed is split at a sentence, so no chunk is ever longer; one too short to say anything joins its neighbour of the
same turn. Calls stay with the words before them, and the agent's next words begin a chunk: an agent that nobody talks
to tells its work in what it says between calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from recapd.core.log import Place
from recapd.core.settings import DigestSettings
from recapd.core.summaries.digest.script import Beat, Voice
from recapd.core.text import paragraphs_in, sentence_cut


class Piece(Struct, frozen=True, gc=False):
    """A paragraph of a message, or a call told in a line."""

    voice: Voice
    text: str
    message: int
    turn: int
    place: Place
    changed: bool = False
    failed: bool = False
    is_written: bool = False
    is_final: bool = False


class Chunk(Struct, frozen=True):
    """Pieces that follow each other."""

    pieces: tuple[Piece, ...]
    # Seconds of silence before its first piece.
    gap_s: float = 0.0

    @property
    def chars(self) -> int:
        return sum(len(piece.text) + 1 for piece in self.pieces)

    @property
    def text(self) -> str:
        return "\n".join(piece.text for piece in self.pieces)

    @property
    def first_turn(self) -> int:
        return self.pieces[0].turn

    @property
    def consequences(self) -> int:
        """Calls that changed something."""
        return sum(piece.changed for piece in self.pieces)


def chunks_of(beats: Iterable[Beat], settings: DigestSettings) -> list[Chunk]:
    return _compacted(_chunked(beats, settings.max_chunk_chars), settings)


def joined(one: Chunk, other: Chunk) -> Chunk:
    return Chunk(one.pieces + other.pieces, one.gap_s)


def _chunked(beats: Iterable[Beat], most: int) -> list[Chunk]:
    chunks: list[Chunk] = []
    pieces: list[Piece] = []
    gap_s = 0.0

    def close() -> None:
        nonlocal pieces, gap_s
        if pieces:
            chunks.append(Chunk(tuple(pieces), gap_s))
        pieces, gap_s = [], 0.0

    size = 0
    for beat in beats:
        if beat.voice == "user":
            close()
            gap_s, size = beat.gap_s, 0
        for number, paragraph in enumerate(_paragraphs(beat.text, most)):
            # The first paragraph goes on with the words before it; each later one is a thought of its own.
            is_next = beat.voice == "agent" and (number > 0 or (bool(pieces) and pieces[-1].voice == "action"))
            if is_next or size + len(paragraph) + 1 > most:
                close()
                size = 0
            pieces.append(
                Piece(
                    beat.voice,
                    paragraph,
                    beat.message,
                    beat.turn,
                    beat.place,
                    changed=beat.changed,
                    failed=beat.failed,
                    is_written=beat.is_written,
                    is_final=beat.is_final,
                )
            )
            size += len(paragraph) + 1
    close()
    return chunks


def _paragraphs(text: str, most: int) -> Iterator[str]:
    for paragraph in paragraphs_in(text):
        rest = paragraph.strip()
        while len(rest) + 1 > most:
            cut = max(sentence_cut(rest, most - 1), 1)
            yield rest[:cut].rstrip() or rest[:cut]
            rest = rest[cut:].lstrip()
        if rest:
            yield rest


def _compacted(chunks: list[Chunk], settings: DigestSettings) -> list[Chunk]:
    """Chunks too short to say anything join the one before, or the one after where the turn begins with them."""
    least, most = settings.min_chunk_chars, settings.max_chunk_chars
    compact: list[Chunk] = []
    for chunk in chunks:
        if compact:
            last = compact[-1]
            fits = last.chars + chunk.chars <= most and last.pieces[-1].turn == chunk.first_turn
            if fits and (chunk.chars < least or last.chars < least):
                compact[-1] = joined(last, chunk)
                continue
        compact.append(chunk)
    return compact
