"""Reading what was said back from a log: single places, in as few reads as they allow, and whole stretches.

Blocks; call it in a thread. Memory is bounded by what is asked for, not by the log: lines are read, parsed and let go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from recapd.core.giving_up import look_up
from recapd.core.log import START, Carry, LogRef, Note, Place, Prompt, Queued, Record, Reply, ref_of, split, unfinished
from recapd.core.retrieval import MOST_CHARS, Unit
from recapd.core.state import Source
from recapd.core.summaries import Beat, Stretch, byte_range, live_utterances, messages_of, stretch_of
from recapd.core.text import presentable, without_own_text
from recapd.core.views.pages import bytes_of_turn
from recapd.server.service import Service
from recapd.wire.errors import source_gone

# Places this close are read together: opening a file costs as much as reading so much of it.
_GAP_BYTES = 64 * 1024
_MOST_AT_ONCE = 1 << 20
# A secret at the cut is still seen whole.
_READ_AHEAD = 4_096
_CHUNK_BYTES = 1 << 20


# ---- single places


def texts_of(service: Service, source: Source, units: Sequence[Unit]) -> list[str]:
    """The words of each unit, as logged but for what recapd itself put there; "" where the log no longer has them."""
    wanted = {unit.place.offset: unit.place for unit in units if not unit.text}
    found = _records_at(service, source, wanted.values())
    said = {place.offset: _said_in(records) for place, records in found}
    return [unit.text or without_own_text(_said_by(unit, said.get(unit.place.offset))) for unit in units]


def shown_texts_of(service: Service, source: Source, units: Sequence[Unit]) -> list[str]:
    """The same, fit to be shown, and of very long texts the beginning."""
    return [presentable(text[: MOST_CHARS + _READ_AHEAD])[:MOST_CHARS] for text in texts_of(service, source, units)]


def instructions_of(service: Service, source: Source) -> list[tuple[str, Place]]:
    """What the agent was told to be, and where; nothing where the log no longer has it."""
    found = _records_at(service, source, source.transcript.instructions)
    texts = [
        ("\n".join(event.text for record in records for event in record.events if isinstance(event, Note)), place)
        for place, records in found
    ]
    return [(text[:MOST_CHARS], place) for text, place in texts if text.strip()]


def _said_by(unit: Unit, said: tuple[list[str], list[str]] | None) -> str:
    if said is None:
        return ""
    texts = said[0] if unit.speaker == "user" else said[1]
    return texts[unit.ordinal] if unit.ordinal < len(texts) else ""


def _said_in(records: Iterable[Record]) -> tuple[list[str], list[str]]:
    """What the human says in these records, and what the agent says."""
    human: list[str] = []
    agent: list[str] = []
    for event in (event for record in records for event in record.events):
        match event:
            case Prompt(text=text) | Queued(text=text):
                human.append(text)
            case Reply(text=text):
                agent.append(text)
    return human, agent


def _records_at(
    service: Service, source: Source, places: Iterable[Place]
) -> Iterator[tuple[Place, tuple[Record, ...]]]:
    """The records at each place, in the order of the log; a place that the log no longer has is left out."""
    for run in _runs(sorted(places, key=lambda place: place.offset)):
        start = run[0].offset
        length = run[-1].offset + run[-1].length - start
        data = service.bytes_at(LogRef(source.uri, source.generation, run[0].line, start, length))
        if data is None:
            continue
        for place in run:
            line = data[place.offset - start : place.offset - start + place.length]
            yield place, service.records_at(source, ref_of(source.uri, source.generation, place), line)


def _all_records_at(service: Service, source: Source, places: Iterable[Place]) -> Iterator[Record]:
    """The same without the places, each read once. RecapError where the log no longer has one of them."""
    wanted = {place.offset: place for place in places}
    found = 0
    for _, records in _records_at(service, source, wanted.values()):
        found += 1
        yield from records
    if found < len(wanted):
        raise source_gone(source.uri)


def _runs(places: Sequence[Place]) -> list[list[Place]]:
    """Places in order, those together that are worth reading at once."""
    runs: list[list[Place]] = []
    start = end = 0
    for place in places:
        is_far = place.offset - end > _GAP_BYTES or place.offset + place.length - start > _MOST_AT_ONCE
        if not runs or is_far:
            runs.append([])
            start = place.offset
        runs[-1].append(place)
        end = place.offset + place.length
    return runs


# ---- stretches


def read_stretch(service: Service, source: Source, *, first: int, last: int) -> Stretch:
    """Messages `first` to `last` with the calls between them. RecapError where the log is gone."""
    transcript = source.transcript
    found = byte_range(transcript, first, last)
    if found is None:
        return Stretch()
    begin, end = found
    return stretch_of(transcript, _records_between(service, source, begin, end), first=first, last=last)


def read_all(service: Service, source: Source) -> Stretch:
    """The whole conversation."""
    return read_stretch(service, source, first=0, last=max(source.transcript.totals.messages - 1, 0))


def read_turn(service: Service, source: Source, row: int) -> Iterator[Record]:
    """The records of a turn, or of what stands before the first (-1). RecapError where the log is gone."""
    transcript = source.transcript
    begin, end = bytes_of_turn(transcript, row)
    yield from _records_between(service, source, begin or Place(1, 0, 0), end)


def _records_between(service: Service, source: Source, begin: Place, end: int) -> Iterator[Record]:
    """The records from a place up to an offset, or to the end (-1)."""
    if source.carry != START:
        carry = Carry(line=begin.line, offset=begin.offset)
        return _records(service, source, carry, end if end >= 0 else source.carry.end)
    # A log that is one document has no lines to go through.
    records = service.document_records(source)
    if records is None:
        raise source_gone(source.uri)
    return (each for each in records if each.place.offset >= begin.offset and not 0 <= end <= each.place.offset)


def _records(service: Service, source: Source, carry: Carry, end: int) -> Iterator[Record]:
    position = carry.offset
    while position < end:
        size = min(_CHUNK_BYTES, end - position)
        look_up()
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
    for record in service.records_at(source, ref_of(source.uri, source.generation, place), line):
        if not source.part or record.session == source.part:
            yield record


def read_messages(service: Service, source: Source, *, first: int, last: int) -> Iterator[Beat]:
    """What was said alone: the calls between are not even read. RecapError where the log is gone."""
    return messages_of(source.transcript, _spoken(service, source, first=first, last=last), first=first, last=last)


def _spoken(service: Service, source: Source, *, first: int, last: int) -> Iterator[Record]:
    """The records in which these messages stand."""
    said = (each for each in live_utterances(source.transcript) if first <= each.message <= last)
    return _all_records_at(service, source, (each.place for each in said))
