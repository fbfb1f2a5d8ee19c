"""What formats that are one JSON document share: their keys from a cut head, their elements with byte ranges.

Knows JSON, no format. Offsets always refer to the file as it is, also where a document had to be mended to be read.
"""

from __future__ import annotations

from typing import Literal, TypeVar

import msgspec
from msgspec import Raw, Struct

from recapd.adapters.shared.base import Document, mended
from recapd.adapters.shared.damaged import salvage
from recapd.core import late_re as re
from recapd.core.log import Place, Problem

S = TypeVar("S", bound=Struct)

# A string that the head cuts off runs to the end. Possessive: no text makes it try twice.
_TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[{}\[\]:,]', re.DOTALL)
# What stands before and between an array's elements.
_GAP = re.compile(rb"[\s,]*")
_SPACE = b" \t\r\n"
# A value is looked for by its beginning; one that begins like this many others is looked for as a whole.
_PROBE_BYTES = 64
_PROBES = 8
_elements = msgspec.json.Decoder(list[Raw])


def top_level(head: bytes) -> dict[str, bytes]:
    """The keys of the object that a file begins with, each with the bytes of its value as far as the head goes."""
    fields: dict[str, bytes] = {}
    if head.lstrip(_SPACE)[:1] != b"{":
        return fields
    depth = 0
    key = ""
    value_start = -1
    for token in _TOKEN.finditer(head):
        mark = head[token.start()]
        if mark in b"{[":
            depth += 1
        elif mark in b"}]":
            depth -= 1
        if depth > 1:
            continue
        if mark == ord('"') and value_start < 0:
            key = token[0][1:-1].decode("utf-8", "replace")
        elif mark == ord(":"):
            value_start = token.end()
        elif value_start >= 0 and (depth == 0 or mark == ord(",")):
            fields[key] = head[value_start : token.start()].strip(_SPACE)
            value_start = -1
        if depth == 0:
            return fields
    if value_start >= 0:
        fields[key] = head[value_start:].strip(_SPACE)
    return fields


def decode_mended(decoder: msgspec.json.Decoder[S], data: bytes) -> tuple[S | None, bytes]:
    """The value, and the data it was read from; None where the data is not of the decoder's shape, mended or not."""
    try:
        return decoder.decode(data), data
    except (msgspec.DecodeError, ValueError, RecursionError):
        again = mended(data)
    if again is data:
        return None, data
    try:
        return decoder.decode(again), again
    except (msgspec.DecodeError, ValueError, RecursionError):
        return None, again


def decode_document(decoder: msgspec.json.Decoder[S], data: bytes) -> tuple[S | None, bytes, tuple[Problem, ...]]:
    """The same of a whole file, also where some of its fields are of other types: those are named, the others kept."""
    value, data = decode_mended(decoder, data)
    if value is not None:
        return value, data, ()
    value, lost = salvage(data, decoder.type)
    return value, data, (Problem(Place(1, 0, len(data)), "shape", " ".join(lost)),) if lost else ()


def cut_elements(data: bytes, array: Raw) -> list[tuple[bytes, Place]]:
    """The elements of an array that stands in the data, each with its place. Nothing where it is no array."""
    try:
        elements = _elements.decode(array)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return []
    position = _offset_of(data, array) + 1
    line = 1 + data.count(b"\n", 0, position)
    pieces: list[tuple[bytes, Place]] = []
    for element in elements:
        piece = bytes(element)
        gap = _GAP.match(data, position)
        start = gap.end() if gap is not None else position
        line += data.count(b"\n", position, start)
        pieces.append((piece, Place(line, start, len(piece))))
        line += piece.count(b"\n")
        position = start + len(piece)
    return pieces


def place_of(data: bytes, value: Raw) -> Place:
    """Where a value stands that was read from the data."""
    start = _offset_of(data, value)
    return Place(1 + data.count(b"\n", 0, start), start, len(value))


def _offset_of(data: bytes, value: Raw) -> int:
    """The offset of a value that was read from the data. Looking for all of a long one costs more than decoding it."""
    whole = bytes(value)
    beginning = whole[:_PROBE_BYTES]
    start = data.find(beginning)
    for _ in range(_PROBES):
        if start < 0 or data.startswith(whole, start):
            return max(start, 0)
        start = data.find(beginning, start + 1)
    return max(data.find(whole), 0)


def unreadable(data: bytes) -> Document:
    """A file that is being rewritten, or damaged: nothing of it is sure, so there are no pieces."""
    kind: Literal["torn", "notJson"] = "torn" if data.lstrip(_SPACE)[:1] in (b"{", b"") else "notJson"
    return Document((), problems=(Problem(Place(1, 0, len(data)), kind, f"{len(data)} bytes skipped"),))


def misshapen(data: bytes, detail: str) -> Document:
    """Whole JSON, but not the document that was expected."""
    return Document((), problems=(Problem(Place(1, 0, len(data)), "shape", detail),))
