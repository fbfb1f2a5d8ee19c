"""Reading a log file from disk into batches for the fold, in pieces, in bounded memory; and the formats this user's
recapd reads: the built-in ones, and dialects described in the configuration."""

from __future__ import annotations

import os
import stat
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

import msgspec
from msgspec import Struct

from recapd.adapters import registry
from recapd.adapters.dialect import adapter_from
from recapd.adapters.shared import Adapter, Document, Lines, first_objects
from recapd.core.log import (
    GENERATION_BYTES,
    START,
    Carry,
    Problem,
    Record,
    Split,
    canonical_all,
    generation_of,
    split,
    unfinished,
)
from recapd.core.state import Batch
from recapd.daemon.config import config_path, usable_dialects

CHUNK_BYTES = 1 << 20
# The first record may be a large one: a pasted screenshot, a long system prompt.
SNIFF_BYTES = 1 << 16
# Several of them in the first prompt of all make a line of tens of megabytes.
MAX_SNIFF_BYTES = 1 << 25
# One odd line has as many read again one by one; decoding fewer in a row takes longer, more gains nothing.
_TOGETHER = 128


@lru_cache(maxsize=1)
def dialect_adapters() -> tuple[Adapter, ...]:
    """Adapters for the user's dialects, as far as they can be used."""
    return tuple(adapter_from(dialect) for dialect in usable_dialects(config_path()))


def known_formats() -> tuple[str, ...]:
    return tuple(adapter.name for adapter in (*registry.ADAPTERS, *dialect_adapters()))


def recognise(head: bytes) -> Adapter | None:
    """A dialect is asked first: its author knows the file better than we do."""
    if dialects := dialect_adapters():
        objects = first_objects(head)
        for adapter in dialects:
            if objects and adapter.recognise(objects):
                return adapter
    return registry.recognise(head)


@lru_cache(maxsize=1)
def _by_name() -> dict[str, Adapter]:
    return {adapter.name: adapter for adapter in (*registry.ADAPTERS, *dialect_adapters())}


def adapter_named(name: str) -> Adapter:
    return _by_name()[name]


class UnreadableLog(Exception):
    """A file that is no session log recapd can read; the message is one sentence for the user."""


class NothingYet(UnreadableLog):
    """One that may become a session log: agents name their log before they write it."""


class KnownLog(Struct, frozen=True):
    """A log whose format is known."""

    uri: str
    adapter: Adapter
    generation: str


class OpenLog(KnownLog, frozen=True):
    """One that is to be read from its file."""

    path: Path


def open_without_waiting(path: str, flags: int) -> int:
    """For `open`: what is named like a log may be a pipe by now, or something of the system that never ends."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def open_log(path: Path) -> OpenLog:
    """Recognise a file, or say in one sentence why it cannot be read."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise UnreadableLog(f"{path} is a directory; name a log file, or list its sessions: recapd sessions {path}")
        if not stat.S_ISREG(mode):
            raise UnreadableLog(f"{path} is not a regular file; recapd reads log files only")
        with open(path, "rb", opener=open_without_waiting) as file:
            # None where there would be something to wait for.
            adapter, head = sniff(lambda length: file.read(length) or b"")
    except FileNotFoundError:
        raise NothingYet(f"{path} does not exist; check the path, or list what there is: recapd sessions") from None
    except PermissionError:
        raise UnreadableLog(f"{path} may not be read by you; check its permissions") from None
    except OSError as error:
        raise UnreadableLog(f"{path} could not be read: {error.strerror or error}") from None
    if adapter is None:
        raise (UnreadableLog if head.strip() else NothingYet)(f"{path} {_why_no_log(head)}")
    return OpenLog(path.resolve().as_uri(), adapter, generation_of(head[:GENERATION_BYTES]), path)


def _why_no_log(head: bytes) -> str:
    """What is to say of a file that begins so and is of no known format."""
    if not head.strip():
        return "is empty; there is nothing to recap yet"
    if b"\0" in head:
        return "is a binary file, not a session log"
    return "is in an unsupported format; what can be read: recapd call recapd/discover"


def batches(log: OpenLog, carry: Carry = START) -> Iterator[Batch]:
    """Everything from where `carry` left off to the end of the file, the unfinished last line excepted."""
    first = carry == START
    if log.adapter.split is not None:
        yield from document_batches(log, log.adapter.split(log.path.read_bytes()))
        return
    last_part: str | None = None
    with open(log.path, "rb", opener=open_without_waiting) as file:
        file.seek(carry.end)
        # A long line grows chunk by chunk: reading as much again as is carried keeps the copying linear.
        while data := file.read(max(CHUNK_BYTES, len(carry.rest))):
            pieces = split(carry, data)
            carry = pieces.carry
            records, problems = parsed(log.adapter, pieces)
            whole = batch_of(log, records, problems, carry, restart=first)
            yield from by_session(log.adapter, whole, last_part=last_part)
            last_part = records[-1].session if records else last_part
            first = False


def document_batches(log: KnownLog, document: Document) -> list[Batch]:
    """A log that is one document, cut into pieces: one batch for each session in it."""
    records = list(document.header)
    problems = list(document.problems)
    for number, (piece, place) in enumerate(document.pieces):
        found, wrong = log.adapter.parse(piece, place)
        if document.sessions:
            found = tuple(msgspec.structs.replace(record, session=document.sessions[number]) for record in found)
        records += found
        problems += wrong
    return by_session(log.adapter, batch_of(log, records, problems, START, restart=True))


def by_session(adapter: Adapter, batch: Batch, *, last_part: str | None = None) -> list[Batch]:
    """The batch, or one for each session in it where a file holds several.

    A problem is of the session that was written before it: the batch's own, or the last one of the batch before.
    What comes before any session is of the first; without any session there is nobody to tell about it.
    """
    if not adapter.holds_many_sessions:
        return [batch]
    if not batch.records and last_part is None:
        return []
    parts: dict[str, tuple[list[Record], list[Problem]]] = {}
    for record in batch.records:
        parts.setdefault(record.session, ([], []))[0].append(record)
    offsets = [record.place.offset for record in batch.records]
    for problem in batch.problems:
        before = bisect_right(offsets, problem.place.offset)
        writer = batch.records[max(before - 1, 0)].session if batch.records else ""
        part = writer if before or last_part is None else last_part
        parts.setdefault(part, ([], []))[1].append(problem)
    return [
        msgspec.structs.replace(batch, part=part, records=records, problems=problems)
        for part, (records, problems) in parts.items()
    ]


def parse_lines(adapter: Adapter, lines: Lines) -> tuple[list[Record], list[Problem]]:
    """The records and the problems of many lines, in their order.

    Decoding some typed lines in a row, and then reading them, is kinder to the processor's caches than taking turns.
    """
    records: list[Record] = []
    problems: list[Problem] = []
    typed = adapter.typed
    for start in range(0, len(lines), _TOGETHER):
        some = lines[start : start + _TOGETHER]
        if typed is not None:
            try:
                read = [typed.decode(line) for line, _ in some]
            except (msgspec.DecodeError, ValueError, RecursionError):
                pass
            else:
                times = canonical_all([typed.stamp_of(line) for line in read])
                read_line = typed.record_of
                records += [read_line(line, place, at) for line, (_, place), at in zip(read, some, times, strict=True)]
                continue
        for line, place in some:
            found, wrong = adapter.parse(line, place)
            records += found
            if wrong:
                problems += wrong
    return records, problems


def parsed(adapter: Adapter, pieces: Split) -> tuple[list[Record], list[Problem]]:
    """What the completed lines hold, and what is wrong with any line, in the order of the file."""
    records, problems = parse_lines(adapter, pieces.lines)
    if pieces.problems:
        problems = sorted((*pieces.problems, *problems), key=lambda problem: problem.place.offset)
    return records, problems


def last_batches(log: OpenLog, carry: Carry) -> list[Batch]:
    """The record in an unfinished last line, where it is whole but for its newline."""
    rest = unfinished(carry)
    records, problems = log.adapter.parse(*rest) if rest is not None else ((), ())
    return by_session(log.adapter, batch_of(log, list(records), [], carry)) if records and not problems else []


def logs_beside(path: Path, format: str) -> list[Path]:
    """Files that may belong to the session of a log: those of its sub-agents."""
    companions = adapter_named(format).companions
    return (
        [found for pattern in companions(path.name) for found in sorted(path.parent.glob(pattern))]
        if companions
        else []
    )


def batch_of(
    log: KnownLog,
    records: list[Record],
    problems: list[Problem],
    carry: Carry,
    *,
    restart: bool = False,
) -> Batch:
    return Batch(
        uri=log.uri,
        agent=log.adapter.agent,
        format=log.adapter.name,
        generation=log.generation,
        records=records,
        problems=problems,
        carry=carry,
        restart=restart,
    )


def sniff(read: Callable[[int], bytes], *, first_bytes: int = SNIFF_BYTES) -> tuple[Adapter | None, bytes]:
    """The format, from as little of the beginning as shows it, and that beginning. `read` gives the next bytes."""
    head = b""
    while True:
        wanted = max(first_bytes, len(head))
        piece = read(wanted)
        head += piece
        adapter = recognise(head)
        if adapter is not None:
            return adapter, head
        # Text has no zeros: what has them among its first bytes needs no second look. How many those are must not
        # depend on how the bytes come, or a file would be a log to one reader and none to the next.
        is_binary = len(head) >= SNIFF_BYTES and b"\0" in head[:SNIFF_BYTES]
        if len(piece) < wanted or len(head) >= MAX_SNIFF_BYTES or is_binary:
            return None, head
