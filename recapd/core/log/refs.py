"""Where a fact stands: the line and the bytes of the log that prove it.

A `Place` is relative to one source; a `LogRef` names the source too.
State keeps places (a source's facts all stand in that source); a ref is made when a fact goes out.
"""

from __future__ import annotations

from hashlib import blake2b

from msgspec import Struct

# A file's beginning tells files apart that share a path over time; 4 KB is read anyway to sniff the format.
GENERATION_BYTES = 4096


class Place(Struct, frozen=True, gc=False):
    """A record's position in its source: 1-based line, byte offset and byte length without the newline."""

    line: int
    offset: int
    length: int


class LogRef(Struct, frozen=True, gc=False):
    """A place in a named source; `generation` tells whether the file still begins as it did."""

    source: str
    generation: str
    line: int
    byte_offset: int
    byte_length: int


def generation_of(head: bytes) -> str:
    """Digest of a file's beginning; `head` is at least its first 4 KB, or all of it.

    A file shorter than that changes its beginning by growing, so only its first line counts until then:
    the first line of an append-only log never changes.
    """
    if len(head) < GENERATION_BYTES:
        head = head.partition(b"\n")[0]
    return _digest(head[:GENERATION_BYTES])


def is_same_beginning(generation: str, head: bytes) -> bool:
    """Whether `generation` was taken from a file that began as `head` does, also when it was still short then."""
    return generation in (generation_of(head), _digest(head[:GENERATION_BYTES].partition(b"\n")[0]))


def ref_of(source: str, generation: str, place: Place) -> LogRef:
    return LogRef(source, generation, place.line, place.offset, place.length)


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=8).hexdigest()
