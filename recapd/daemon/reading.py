"""Reading a log file from disk into batches for the fold, in pieces, in bounded memory."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec
from msgspec import Struct

from recapd.adapters.base import Adapter
from recapd.core.events import Problem, Record
from recapd.core.lines import START, Carry, split, unfinished
from recapd.core.refs import GENERATION_BYTES, Place, generation_of
from recapd.core.world import Batch
from recapd.daemon.formats import recognise

CHUNK_BYTES = 1 << 20
# The first record may be a large one: a pasted screenshot, a long system prompt.
SNIFF_BYTES = 1 << 16
MAX_SNIFF_BYTES = 1 << 23


class UnreadableLog(Exception):
    """A file that is no session log recapd can read; the message is one sentence for the user."""


class OpenLog(Struct, frozen=True):
    """A log whose format is known."""

    path: Path
    uri: str
    adapter: Adapter
    generation: str


def open_log(path: Path) -> OpenLog:
    """Recognise a file, or say in one sentence why it cannot be read."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise UnreadableLog(f"{path} is a directory; name a log file, or list its sessions: recapd sessions {path}")
        if not stat.S_ISREG(mode):
            raise UnreadableLog(f"{path} is not a regular file; recapd reads log files only")
        with path.open("rb") as file:
            adapter, head = _sniff(file)
    except FileNotFoundError:
        raise UnreadableLog(f"{path} does not exist; check the path, or list what there is: recapd sessions") from None
    except PermissionError:
        raise UnreadableLog(f"{path} may not be read by you; check its permissions") from None
    except OSError as error:
        raise UnreadableLog(f"{path} could not be read: {error.strerror or error}") from None
    if not head.strip():
        raise UnreadableLog(f"{path} is empty; there is nothing to recap yet")
    if adapter is None:
        if b"\0" in head:
            raise UnreadableLog(f"{path} is a binary file, not a session log")
        raise UnreadableLog(f"{path} is in an unsupported format; recapd call recapd/discover lists what it reads")
    return OpenLog(path, path.resolve().as_uri(), adapter, generation_of(head))


def batches(log: OpenLog, carry: Carry = START, *, now_ms: int = 0) -> Iterator[Batch]:
    """Everything from where `carry` left off to the end of the file, the unfinished last line excepted."""
    first = carry == START
    if log.adapter.split is not None:
        yield from _document_batches(log, now_ms=now_ms)
        return
    with log.path.open("rb") as file:
        file.seek(carry.end)
        # A long line grows chunk by chunk: reading as much again as is carried keeps the copying linear.
        while data := file.read(max(CHUNK_BYTES, len(carry.rest))):
            pieces = split(carry, data)
            carry = pieces.carry
            records, problems = parse_lines(log.adapter, pieces.lines)
            yield batch_of(log, records, [*pieces.problems, *problems], carry, restart=first, now_ms=now_ms)
            first = False


def _document_batches(log: OpenLog, *, now_ms: int) -> Iterator[Batch]:
    """A log that is one document, read whole: one batch for each session in it."""
    assert log.adapter.split is not None
    document = log.adapter.split(log.path.read_bytes())
    records = list(document.header)
    problems = list(document.problems)
    for number, (piece, place) in enumerate(document.pieces):
        found, wrong = log.adapter.parse(piece, place)
        if document.sessions:
            found = tuple(msgspec.structs.replace(record, session=document.sessions[number]) for record in found)
        records += found
        problems += wrong
    if not log.adapter.holds_many_sessions:
        yield batch_of(log, records, problems, START, restart=True, now_ms=now_ms)
        return
    parts: dict[str, list[Record]] = {}
    for record in records:
        parts.setdefault(record.session, []).append(record)
    for part, its_records in parts.items():
        batch = batch_of(log, its_records, problems, START, restart=True, now_ms=now_ms)
        yield msgspec.structs.replace(batch, part=part)
        problems = []


def last_line(log: OpenLog, carry: Carry) -> list[Record]:
    """The record in an unfinished last line, where it is whole but for its newline."""
    rest = unfinished(carry)
    if rest is None:
        return []
    records, problems = log.adapter.parse(*rest)
    return [] if problems else list(records)


def parse_lines(adapter: Adapter, lines: list[tuple[bytes, Place]]) -> tuple[list[Record], list[Problem]]:
    records: list[Record] = []
    problems: list[Problem] = []
    parse = adapter.parse
    for line, place in lines:
        found, wrong = parse(line, place)
        records += found
        if wrong:
            problems += wrong
    return records, problems


def batch_of(
    log: OpenLog,
    records: list[Record],
    problems: list[Problem],
    carry: Carry,
    *,
    restart: bool = False,
    now_ms: int = 0,
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
        now_ms=now_ms,
    )


def _sniff(file: BinaryIO) -> tuple[Adapter | None, bytes]:
    """The format, from as little of the beginning as shows it."""
    head = b""
    while True:
        piece = file.read(max(SNIFF_BYTES, len(head)))
        head += piece
        adapter = recognise(head)
        if adapter is not None:
            return adapter, head[:GENERATION_BYTES]
        if len(piece) < SNIFF_BYTES or len(head) >= MAX_SNIFF_BYTES:
            return None, head
