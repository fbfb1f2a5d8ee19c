"""Splitting the bytes of a log into lines, in any chunks, remembering where each line stands.

Only the byte `\\n` ends a line: U+2028 and U+0085 are legal inside JSON strings.
An unfinished last line is carried until its rest arrives.
"""

from __future__ import annotations

from io import BytesIO
from itertools import accumulate, count, repeat
from operator import add

from msgspec import Struct

from recapd.core.log.events import Problem
from recapd.core.log.refs import Place

# Agents write screenshots as one line of tens of megabytes; beyond this a line is skipped and reported, not held.
MAX_LINE_BYTES = 64 * 1024 * 1024


class Carry(Struct, frozen=True, gc=False):
    """What the splitter knows between two chunks."""

    # Number and offset of the line that comes next, or is unfinished.
    line: int = 1
    offset: int = 0
    rest: bytes = b""
    # Bytes already dropped of an unfinished line that is too long to hold.
    dropped: int = 0

    @property
    def end(self) -> int:
        """Offset of the next byte to read."""
        return self.offset + self.dropped + len(self.rest)


START = Carry()


class Split(Struct, gc=False):
    """The lines a chunk completed, and what remains."""

    lines: list[tuple[bytes, Place]]
    problems: list[Problem]
    carry: Carry


def split(carry: Carry, data: bytes) -> Split:
    """Lines completed by `data`, without their newline; blank lines are counted and left out."""
    # `split` looks at each byte by itself; this looks for newlines only, in half of the time, and copies.
    whole = BytesIO(data).readlines()
    rest = whole.pop() if whole and not data.endswith(b"\n") else b""
    pieces = [line[:-1] for line in whole]
    if not pieces:
        rest = carry.rest + rest
    elif carry.rest:
        pieces[0] = carry.rest + pieces[0]
    dropped = carry.dropped
    lengths = list(map(len, pieces))
    if lengths:
        lengths[0] += dropped
        dropped = 0
    # Lines are many, and nearly all of them are whole and hold something: none is looked at by itself.
    offsets = list(accumulate(map(add, lengths, repeat(1)), initial=carry.offset))
    lines = list(zip(pieces, map(Place, count(carry.line), offsets, lengths), strict=True))
    problems: list[Problem] = []
    if lengths and max(lengths) > MAX_LINE_BYTES:
        problems = [_too_long(place) for _, place in lines if place.length > MAX_LINE_BYTES]
        lines = [(piece, place) for piece, place in lines if place.length <= MAX_LINE_BYTES]
    if not all(lengths) or any(map(bytes.isspace, pieces)):
        lines = [(piece, place) for piece, place in lines if piece and not piece.isspace()]
    if dropped or len(rest) > MAX_LINE_BYTES:
        dropped += len(rest)
        rest = b""
    return Split(lines, problems, Carry(carry.line + len(pieces), offsets[-1], rest, dropped))


def unfinished(carry: Carry) -> tuple[bytes, Place] | None:
    """The last line while its newline is missing: some writers never write it."""
    if not carry.rest or carry.rest.isspace():
        return None
    return carry.rest, Place(carry.line, carry.offset, len(carry.rest))


def _too_long(place: Place) -> Problem:
    return Problem(place, "tooLong", f"{place.length} bytes skipped")
