"""A source's state as bytes, in pieces: what is bounded, and each chunk of what grows. No secret enters.

A text that holds a secret is written down as it may be shown, any other as logged. A state in which something was
replaced is not `exact`: it tells what is known of a log that was deleted, but while there is the log, that is read.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from functools import cache
from operator import is_
from types import GenericAlias
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Struct

from recapd.core.hygiene import clean, is_clean
from recapd.core.secrets import redact, suspects
from recapd.core.state import GROWING, Chunked, Source, Transcript, bounded_part, fields_within, head_of
from recapd.core.text import presentable_path

T = TypeVar("T")

# The piece with everything that is bounded.
BOUNDED = ""
# A third of the size for a tenth of what it takes to make a state; more effort takes twice as long for a tenth less.
COMPRESSION = 1
# Fewer bytes are written as they are: beginning to compress takes longer than making them did, and a page of the file
# holds them either way. Most pieces of small logs are no longer.
LEAST_COMPRESSED = 1024
_PACKED = b"\x78"
# `pw=1234` is the shortest text that could hold a secret.
LEAST_CHARS = 7
# Texts that are looked at as one: of so many mostly none is unclean.
_TOGETHER = 64
_WORDLESS, _PATHS, _UNWRITTEN = fields_within(Source, "wordless", "paths", "unwritten")


class Note(Struct, frozen=True, array_like=True):
    """What a piece must be, to be believed."""

    field: str
    number: int
    # Before it is compressed.
    size: int
    exact: bool
    checksum: int


class Piece(Struct, frozen=True):
    note: Note
    body: bytes


class Chunk(Struct, frozen=True):
    """A chunk of what grows."""

    field: str
    number: int
    # Position of its first item among all.
    first: int
    items: tuple[Any, ...]
    # Nothing had to be replaced.
    is_exact: bool = True


class Replaced(Struct, frozen=True):
    """Texts that are not written down as they are, with what is written in their place."""

    words: Mapping[str, str]
    paths: Mapping[str, str]
    # There is something that is not written down at all.
    has_unwritten: bool

    @property
    def is_empty(self) -> bool:
        return not (self.words or self.paths or self.has_unwritten)


class Damaged(Exception):
    """What is stored is not what was written, or not of this version."""


def head_bytes(source: Source, replaced: Replaced | None = None) -> bytes:
    """`replaced` is what a look through the source gave, where somebody had one."""
    return msgspec.msgpack.encode(without_secrets(head_of(source), replaced))


def head_from(body: bytes, checksum: int) -> Source:
    return _decoded(body, checksum, _HEAD)


def changed_chunks(now: Transcript, before: Transcript | None) -> list[Chunk]:
    """The chunks that are not the very ones of the state before, as they are: the fold copies only what it touches."""
    changed: list[Chunk] = []
    for field in GROWING:
        old = getattr(before, field).chunks if before is not None else ()
        first = 0
        for number, items in enumerate(getattr(now, field).chunks):
            if number >= len(old) or old[number] is not items:
                changed.append(Chunk(field, number, first, items))
            first += len(items)
    return changed


def look_through(source: Source | None, now: Transcript, changed: Iterable[Chunk]) -> Replaced:
    """What must not be written of the state, of the chunks that changed, and of the source's head. All at once: what
    was asked stands in a turn, in a passage and in the head."""
    chunks = tuple(chunk.items for chunk in changed if chunk.field not in _WORDLESS)
    return _look_through((bounded_part(now), chunks, head_of(source) if source is not None else None))


def safe_chunks(changed: Iterable[Chunk], replaced: Replaced) -> list[Chunk]:
    """The same chunks without secrets."""
    return [
        chunk if replaced.is_empty or chunk.field in _WORDLESS else _safe_chunk(chunk, replaced) for chunk in changed
    ]


def _safe_chunk(chunk: Chunk, replaced: Replaced) -> Chunk:
    items = without_secrets(chunk.items, replaced)
    return msgspec.structs.replace(chunk, items=items, is_exact=items is chunk.items)


def pieces_of(
    now: Transcript, changed: Iterable[Chunk], replaced: Replaced, *, known: Iterable[Note] = ()
) -> list[Piece]:
    """What is bounded, and the chunks that changed, which are safe. `known` are the notes of the state before."""
    pieces = [_piece(chunk.field, chunk.number, chunk.items, is_exact=chunk.is_exact) for chunk in changed]
    written = {(piece.note.field, piece.note.number) for piece in pieces}
    kept = (note for note in known if note.field != BOUNDED and (note.field, note.number) not in written)
    bounded = bounded_part(now)
    safe = without_secrets(bounded, replaced)
    is_exact = safe is bounded and all(note.exact for note in (*(piece.note for piece in pieces), *kept))
    if not is_exact:
        # Only a fold that goes on needs to know where each path stands; and a path that was made plain may no longer
        # show that a part of it is a secret.
        safe = msgspec.structs.replace(safe, file_rows={})
    return [_piece(BOUNDED, 0, safe, is_exact=is_exact), *pieces]


def changed_pieces(now: Transcript, before: Transcript | None, known: Iterable[Note] = ()) -> list[Piece]:
    """All that differs from the state before."""
    changed = changed_chunks(now, before)
    replaced = look_through(None, now, changed)
    return pieces_of(now, safe_chunks(changed, replaced), replaced, known=known)


def transcript_from(notes: Iterable[Note], bodies: Mapping[tuple[str, int], bytes]) -> Transcript:
    """Put together again. Damaged where a piece is missing or not as it was written."""
    bounded: Transcript | None = None
    chunks: dict[str, list[tuple[object, ...]]] = {field: [] for field in GROWING}
    for note in sorted(notes, key=lambda note: (note.field, note.number)):
        body = bodies.get((note.field, note.number))
        if body is None:
            raise Damaged
        if note.field == BOUNDED:
            bounded = _unpacked(body, note, _BOUNDED)
        elif note.field not in chunks:
            # Of a version that knew something else; only states of deleted logs outlive versions.
            continue
        elif note.number != len(chunks[note.field]):
            raise Damaged
        else:
            chunks[note.field].append(_unpacked(body, note, _CHUNKS[note.field]))
    if bounded is None:
        raise Damaged
    return msgspec.structs.replace(bounded, **{field: Chunked(tuple(found)) for field, found in chunks.items()})


def checksum_of(body: bytes) -> int:
    return zlib.crc32(body)


# ---- without secrets


def without_secrets(value: T, replaced: Replaced | None = None) -> T:
    """The value itself, or one with each text that holds a secret as it may be shown."""
    if replaced is None:
        replaced = _look_through(value)
    if replaced.is_empty:
        return value
    made: T = _safe(value, replaced, is_path=False)
    return made


class _Texts(Struct):
    """All that somebody wrote in a value, each once: in fields of paths, and in others."""

    of_paths: set[str] = set()
    others: set[str] = set()
    has_unwritten: bool = False


def _gather(value: Any, found: _Texts, *, is_path: bool) -> None:
    # Texts are many, and most of them stand in a field by themselves: none costs a call of its own.
    if isinstance(value, Struct):
        for name, is_of_paths in _fields_with_words(type(value)):
            said = getattr(value, name)
            # Most of them say nothing.
            if not said:
                continue
            if type(said) is not str:
                _gather(said, found, is_path=is_of_paths)
            elif len(said) >= LEAST_CHARS:
                (found.of_paths if is_of_paths else found.others).add(said)
            if name in _UNWRITTEN:
                found.has_unwritten = True
    elif isinstance(value, tuple):
        for each in value:
            _gather(each, found, is_path=is_path)
    elif isinstance(value, dict):
        for key, each in value.items():
            _gather(key, found, is_path=is_path)
            _gather(each, found, is_path=is_path)
    elif isinstance(value, str) and len(value) >= LEAST_CHARS:
        (found.of_paths if is_path else found.others).add(value)


def _cleaned(texts: Iterable[str]) -> dict[str, str]:
    """Each with what is to be seen of it. Most are clean, which shows sooner of many together."""
    texts = list(texts)
    cleaned = dict(zip(texts, texts, strict=True))
    for start in range(0, len(texts), _TOGETHER):
        some = texts[start : start + _TOGETHER]
        if not is_clean("".join(some)):
            cleaned.update((text, clean(text)) for text in some)
    return cleaned


def _look_through(value: object) -> Replaced:
    """Mostly nothing is replaced, which shows sooner of all texts together than of one after the other."""
    found = _Texts()
    _gather(value, found, is_path=False)
    like_paths = {text for text in found.others if _is_read_as_path(text, is_path=False)}
    words = _cleaned(found.others - like_paths)
    paths = _cleaned(found.of_paths | like_paths)
    parts = {part for path in paths.values() for part in path.split("/") if len(part) >= LEAST_CHARS}
    suspected = suspects([*{*words.values(), *paths.values(), *parts}])
    secret = {text: shown for text in suspected if (shown := redact(text)) != text}
    if not secret:
        return Replaced({}, {}, found.has_unwritten)
    shown_paths = {path: presentable_path(path) for path, plain in paths.items() if _may_show(plain, secret)}
    return Replaced(
        words={text: secret[plain] for text, plain in words.items() if plain in secret},
        paths={path: shown for path, shown in shown_paths.items() if shown != paths[path]},
        has_unwritten=found.has_unwritten,
    )


def _may_show(path: str, secret: Mapping[str, str]) -> bool:
    return path in secret or any(part in secret for part in path.split("/"))


def _safe(value: Any, replaced: Replaced, *, is_path: bool) -> Any:
    if isinstance(value, str):
        return (replaced.paths if _is_read_as_path(value, is_path=is_path) else replaced.words).get(value, value)
    if isinstance(value, Struct):
        return _safe_struct(value, replaced)
    if isinstance(value, tuple):
        made = [_safe(each, replaced, is_path=is_path) for each in value]
        return value if all(map(is_, made, value)) else tuple(made)
    if isinstance(value, dict):
        return _safe_table(value, replaced, is_path=is_path)
    return value


def _safe_struct(value: Struct, replaced: Replaced) -> Struct:
    changed: dict[str, Any] = {}
    for name, is_path in _fields_with_words(type(value)):
        said = getattr(value, name)
        made = () if name in _UNWRITTEN else _safe(said, replaced, is_path=is_path)
        if made is not said:
            changed[name] = made
    return msgspec.structs.replace(value, **changed) if changed else value


def _safe_table(value: dict[Any, Any], replaced: Replaced, *, is_path: bool) -> dict[Any, Any]:
    """Keys may be paths or ids from the log."""
    made = {
        _safe(key, replaced, is_path=is_path): _safe(each, replaced, is_path=is_path) for key, each in value.items()
    }
    return value if all(map(is_, made, value)) and all(map(is_, made.values(), value.values())) else made


def _is_read_as_path(text: str, *, is_path: bool) -> bool:
    # A part of a path or an address may be a secret as a whole, whichever field it stands in.
    return is_path or ("/" in text and " " not in text)


@cache
def _fields_with_words(struct: type[Struct]) -> tuple[tuple[str, bool], ...]:
    """Fields in which something stands that somebody wrote, and whether that are paths."""
    hints = get_type_hints(struct)
    names = [name for name in struct.__struct_fields__ if name not in _WORDLESS and _may_hold_words(hints[name])]
    return tuple((name, name in _PATHS) for name in names)


def _may_hold_words(hint: object) -> bool:
    if hint is str:
        return True
    if isinstance(hint, type) and issubclass(hint, Struct) and _fields_with_words(hint):
        return True
    return get_origin(hint) is not Literal and any(map(_may_hold_words, get_args(hint)))


# ---- as bytes


def _piece(field: str, number: int, value: object, *, is_exact: bool) -> Piece:
    plain = msgspec.msgpack.encode(value)
    body = plain if len(plain) < LEAST_COMPRESSED else zlib.compress(plain, COMPRESSION)
    return Piece(Note(field, number, len(plain), is_exact, checksum_of(body)), body)


def _unpacked(body: bytes, note: Note, decoder: msgspec.msgpack.Decoder[T]) -> T:
    # An array or a map never begins like that.
    is_packed = body[:1] == _PACKED
    if checksum_of(body) != note.checksum:
        raise Damaged
    try:
        return decoder.decode(zlib.decompress(body, bufsize=note.size) if is_packed else body)
    except (msgspec.DecodeError, zlib.error):
        raise Damaged from None


def _decoded(body: bytes, checksum: int, decoder: msgspec.msgpack.Decoder[T]) -> T:
    if checksum_of(body) != checksum:
        raise Damaged
    try:
        return decoder.decode(body)
    except msgspec.DecodeError:
        raise Damaged from None


_HEAD: msgspec.msgpack.Decoder[Source] = msgspec.msgpack.Decoder(Source)
_BOUNDED: msgspec.msgpack.Decoder[Transcript] = msgspec.msgpack.Decoder(Transcript)
_TYPES = get_type_hints(Transcript)
_CHUNKS: dict[str, msgspec.msgpack.Decoder[tuple[object, ...]]] = {
    field: msgspec.msgpack.Decoder(GenericAlias(tuple, (get_args(_TYPES[field])[0], ...))) for field in GROWING
}
