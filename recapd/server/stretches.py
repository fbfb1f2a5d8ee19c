"""Reading a stretch of a conversation back from its log: the shell's part between planning a summary and writing it.

Blocks; call it in a thread. Memory is bounded by the stretch's messages, not by the log: lines are read, parsed and
let go.
"""

from __future__ import annotations

from collections.abc import Iterator

from recapd.core.log import START, Carry, LogRef, Place, Record, ref_of, split, unfinished
from recapd.core.state import Source
from recapd.core.summaries import Stretch, byte_range, live_utterances, stretch_of
from recapd.server.service import Service
from recapd.wire.errors import source_gone

_CHUNK_BYTES = 1 << 20


def read_stretch(service: Service, source: Source, *, first: int, last: int) -> Stretch:
    """Messages `first` to `last` with the calls between them. RecapError where the log is gone."""
    transcript = source.transcript
    found = byte_range(transcript, first, last)
    if found is None:
        return Stretch()
    if source.carry == START:
        return _from_document(service, source, first=first, last=last)
    begin, end = found
    records = _records(
        service, source, Carry(line=begin.line, offset=begin.offset), end if end >= 0 else source.carry.end
    )
    return stretch_of(transcript, records, first=first, last=last)


def read_all(service: Service, source: Source) -> Stretch:
    """The whole conversation."""
    return read_stretch(service, source, first=0, last=max(source.transcript.totals.messages - 1, 0))


def _records(service: Service, source: Source, carry: Carry, end: int) -> Iterator[Record]:
    position = carry.offset
    while position < end:
        size = min(_CHUNK_BYTES, end - position)
        data = service.bytes_at(LogRef(source.uri, source.generation, carry.line, position, size))
        if data is None:
            raise source_gone(source.uri)
        position += size
        pieces = split(carry, data)
        carry = pieces.carry
        for text, place in pieces.lines:
            yield from _of_session(service, source, text, place)
    rest = unfinished(carry)
    if rest is not None and position >= source.carry.end:
        yield from _of_session(service, source, *rest)


def _of_session(service: Service, source: Source, line: bytes, place: Place) -> Iterator[Record]:
    for record in service.records_at(source.format, ref_of(source.uri, source.generation, place), line):
        if not source.part or record.session == source.part:
            yield record


def _from_document(service: Service, source: Source, *, first: int, last: int) -> Stretch:
    """A log that is one document has no lines to go through: the pieces in which something is said."""
    transcript = source.transcript
    spoken = [each for each in live_utterances(transcript) if first <= each.message <= last]
    records: list[Record] = []
    for each in spoken:
        ref = ref_of(source.uri, source.generation, each.place)
        data = service.bytes_at(ref)
        if data is None:
            raise source_gone(source.uri)
        records += service.records_at(source.format, ref, data)
    return stretch_of(transcript, records, first=first, last=last)
