"""A source's state as bytes, in pieces: what is bounded, and each chunk of what grows. No secret enters.

A text that holds a secret is written down as it may be shown, any other as logged. A state in which something was
replaced is not `exact`: it tells what is known of a log that was deleted, but while there is the log, that is read.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import GenericAlias, NoneType
from typing import TypeVar, get_args, get_type_hints

import msgspec
from msgspec import Struct

from recapd.core.hygiene import clean
from recapd.core.secrets import redact
from recapd.core.state import GROWING, Chunked, Source, Transcript, bounded_part, fields_within, head_of
from recapd.core.text import presentable_path

T = TypeVar("T")

# A chunk that grows is written again with every item it gains, second by second, and most of its texts were looked
# through before. Enough for what a dozen sessions that are at work write again; a text has a few hundred characters.
REMEMBERED_TEXTS = 4_096
# The piece with everything that is bounded.
BOUNDED = ""
# By name: what is encoded is plain by then, and no longer knows which struct it was.
_WORDLESS = fields_within("wordless", Source)
_PATHS = fields_within("paths", Source)
_UNWRITTEN = fields_within("unwritten", Source)
_NUMBERS = frozenset({int, float, bool, NoneType})


class Note(Struct, frozen=True, array_like=True):
    """What a piece must be, to be believed."""

    field: str
    number: int
    size: int
    exact: bool
    checksum: int


class Piece(Struct, frozen=True):
    note: Note
    body: bytes


class Damaged(Exception):
    """What is stored is not what was written, or not of this version."""


def head_bytes(source: Source) -> bytes:
    return _encoded(head_of(source))[0]


def head_from(body: bytes, checksum: int) -> Source:
    return _decoded(body, checksum, _HEAD)


def changed_pieces(now: Transcript, before: Transcript | None, known: Iterable[Note] = ()) -> list[Piece]:
    """What is bounded, and the chunks that are not the very ones of the state before: the fold copies only what it
    touches. `known` are the notes of that state."""
    pieces = []
    for field in GROWING:
        old = getattr(before, field).chunks if before is not None else ()
        for number, chunk in enumerate(getattr(now, field).chunks):
            if number >= len(old) or old[number] is not chunk:
                pieces.append(_piece(field, number, chunk))
    bounded = _piece(BOUNDED, 0, bounded_part(now))
    written = {(piece.note.field, piece.note.number) for piece in pieces}
    kept = (note for note in known if note.field != BOUNDED and (note.field, note.number) not in written)
    if not all(note.exact for note in (bounded.note, *(piece.note for piece in pieces), *kept)):
        # Only a fold that goes on needs to know where each path stands; and a path that was made plain may no longer
        # show that a part of it is a secret.
        bounded = _piece(BOUNDED, 0, msgspec.structs.replace(bounded_part(now), file_rows={}), is_exact=False)
    return [bounded, *pieces]


def transcript_from(notes: Iterable[Note], bodies: Mapping[tuple[str, int], bytes]) -> Transcript:
    """Put together again. Damaged where a piece is missing or not as it was written."""
    bounded: Transcript | None = None
    chunks: dict[str, list[tuple[object, ...]]] = {field: [] for field in GROWING}
    for note in sorted(notes, key=lambda note: (note.field, note.number)):
        body = bodies.get((note.field, note.number))
        if body is None or len(body) != note.size:
            raise Damaged
        if note.field == BOUNDED:
            bounded = _decoded(body, note.checksum, _BOUNDED)
        elif note.field not in chunks:
            # Of a version that knew something else; only states of deleted logs outlive versions.
            continue
        elif note.number != len(chunks[note.field]):
            raise Damaged
        else:
            chunks[note.field].append(_decoded(body, note.checksum, _CHUNKS[note.field]))
    if bounded is None:
        raise Damaged
    return msgspec.structs.replace(bounded, **{field: Chunked(tuple(found)) for field, found in chunks.items()})


def checksum_of(body: bytes) -> int:
    return zlib.crc32(body)


@lru_cache(maxsize=REMEMBERED_TEXTS)
def safe_text(text: str) -> str:
    """The text itself, or as it may be shown where it holds a secret."""
    if len(text) < 7:
        return text
    plain = clean(text)
    shown = redact(plain)
    return text if shown == plain else shown


@lru_cache(maxsize=REMEMBERED_TEXTS)
def safe_path(path: str) -> str:
    shown = presentable_path(path)
    return path if shown == clean(path) else shown


def _piece(field: str, number: int, value: object, *, is_exact: bool = True) -> Piece:
    if field in _WORDLESS:
        body, exact = msgspec.msgpack.encode(value), True
    else:
        body, exact = _encoded(value)
    return Piece(Note(field, number, len(body), exact and is_exact, checksum_of(body)), body)


def _encoded(value: object) -> tuple[bytes, bool]:
    safe = _Safe()
    plain = msgspec.to_builtins(value, builtin_types=(bytes,))
    body = msgspec.msgpack.encode(safe.made_of(plain, ""))
    return body, safe.is_exact


def _decoded(body: bytes, checksum: int, decoder: msgspec.msgpack.Decoder[T]) -> T:
    if checksum_of(body) != checksum:
        raise Damaged
    try:
        return decoder.decode(body)
    except msgspec.DecodeError:
        raise Damaged from None


class _Safe:
    """Walks through plain values and replaces texts that hold secrets."""

    def __init__(self) -> None:
        self.is_exact = True

    def made_of(self, value: object, name: str) -> object:
        if isinstance(value, str):
            return self._text(value, is_path=name in _PATHS)
        if isinstance(value, dict):
            return self._mapping(value, name)
        if isinstance(value, (list, tuple)):
            return [self.made_of(each, name) for each in value]
        return value

    def _mapping(self, value: dict[object, object], name: str) -> dict[object, object]:
        made: dict[object, object] = {}
        for key, each in value.items():
            # Keys of a struct are too short to hold anything; keys of a table may be paths or ids from the log.
            safe_key = self._text(key, is_path=name in _PATHS) if isinstance(key, str) and len(key) > 20 else key
            if key in _UNWRITTEN and each:
                self.is_exact = False
                continue
            # Most of what there is are numbers: it is quicker not to look into them.
            is_wordless = type(each) in _NUMBERS or key in _WORDLESS
            made[safe_key] = each if is_wordless else self.made_of(each, key if isinstance(key, str) else name)
        return made

    def _text(self, text: str, *, is_path: bool) -> str:
        # A part of a path or an address may be a secret as a whole, whichever field it stands in.
        safe = safe_path(text) if is_path or ("/" in text and " " not in text) else safe_text(text)
        if safe != text:
            self.is_exact = False
        return safe


_HEAD: msgspec.msgpack.Decoder[Source] = msgspec.msgpack.Decoder(Source)
_BOUNDED: msgspec.msgpack.Decoder[Transcript] = msgspec.msgpack.Decoder(Transcript)
_CHUNKS: dict[str, msgspec.msgpack.Decoder[tuple[object, ...]]] = {
    field: msgspec.msgpack.Decoder(GenericAlias(tuple, (get_args(get_type_hints(Transcript)[field])[0], ...)))
    for field in GROWING
}
