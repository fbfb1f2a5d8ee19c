"""Reading on in one log file: what is new in it since the last look. Runs in a thread and keeps nothing to itself.

    advance(state, path) ─▶ unchanged   nothing to read
                            read        new records: appended, or everything again because it was rewritten
                            refused     no log (yet): looked at again when it grows
                            unsure      in the middle of being rewritten: what was known stands until the next look
                            large       too much to read here: for a worker process
                            gone

The file decides, never an event. Growth counts as such only if the beginning of the file and the bytes before the end
are what they were; anything else is read from zero. A log of up to 64 KB is compared as a whole once it is quiet. Knows
nothing of roots, watching or the loop.
"""

from __future__ import annotations

import os
import stat
from hashlib import blake2b
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from recapd.adapters.shared import Adapter, Document
from recapd.core.log import GENERATION_BYTES, MAX_LINE_BYTES, START, Carry, Place, Record, generation_of, split
from recapd.core.state import Batch
from recapd.daemon.log_files.reading import (
    MAX_SNIFF_BYTES,
    SNIFF_BYTES,
    KnownLog,
    adapter_named,
    batch_of,
    by_session,
    document_batches,
    parsed,
    sniff,
)

# Some file systems count time in steps of two seconds: a file changed since is not trusted to be as its stamp says.
QUIET_NS = 2_000_000_000
# The end of what was read, compared before reading on; with the beginning that is 8 KB for every look.
TAIL_BYTES = 4096
# Up to this size a file's format is made sure of at every look: its beginning is read again anyway.
SURE_BYTES = 8192
# Documents are read whole; the largest known are a few megabytes.
MAX_DOCUMENT_BYTES = 256 * 1024 * 1024
# An unfinished line is tried as a record up to this size: it is tried again at every look.
MAX_TRIED_BYTES = 1 << 20
# A log that has grown by at least this share of itself is cheaper to read anew elsewhere than to be read on here.
ANEW_SHARE = 8

# Not every system has all of them. A pipe that somebody named like a log must not block the thread.
_FLAGS = os.O_RDONLY
for _name in ("O_CLOEXEC", "O_NONBLOCK", "O_NOFOLLOW", "O_BINARY"):
    _FLAGS |= getattr(os, _name, 0)

Outcome: TypeAlias = Literal["unchanged", "read", "refused", "unsure", "large", "gone"]


class Stamp(Struct, frozen=True, gc=False):
    """What tells without reading whether a file is still what it was."""

    device: int
    inode: int
    size: int
    mtime_ns: int


def stamp_of(found: os.stat_result) -> Stamp:
    return Stamp(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)


class Refusal(Struct, frozen=True):
    """Why a file is not read."""

    cause: Literal["noFile", "noLog", "tooLarge", "torn", "unreadable", "fault"]
    # Of what the disk does not give ("unreadable"): the system's number for it, and its words.
    errno: int = 0
    words: str = ""


class TailState(Struct, frozen=True):
    """How far one file is read, and what proves that it is still the same file."""

    uri: str
    stamp: Stamp
    # Name of the adapter; empty while the file is no log, and then `refusal` says why.
    format: str = ""
    refusal: Refusal | None = None
    # Bytes of the beginning that the format was told from, and a proof of them: in a short log, of all there was.
    sniffed: int = 0
    sniff_proof: bytes = b""
    generation: str = ""
    # Where the unfinished line begins; its bytes are in `pending`, the later ones never longer than the ones before.
    carry: Carry = START
    pending: tuple[bytes, ...] = ()
    # Offset of the next byte to read.
    end: int = 0
    head_proof: bytes = b""
    # Of the bytes before `end`; of the whole file where it is a document.
    tail_proof: bytes = b""
    # Sessions in the file, where it holds several; the one written last is the last.
    parts: tuple[str, ...] = ()
    # False while the stamp does not prove that nothing changed.
    is_settled: bool = False

    @property
    def has_more(self) -> bool:
        return self.end < self.stamp.size and bool(self.format)


class Advance(Struct, frozen=True):
    """What one look at a file gave."""

    outcome: Outcome
    # None where the file is gone, or was never looked into.
    state: TailState | None
    batches: tuple[Batch, ...] = ()
    # Everything that was known of the file is void, before the batches count.
    is_void: bool = False
    # What the unfinished last line says, if it is whole but for its newline. Comes again when the newline does.
    unfinished: tuple[Record, ...] = ()


class Look(Struct, frozen=True):
    """One look at an open file."""

    path: str
    descriptor: int
    stamp: Stamp
    # What was known before.
    state: TailState | None
    max_bytes: int
    max_whole: int | None
    now_ns: int

    @property
    def is_quiet(self) -> bool:
        return abs(self.now_ns - self.stamp.mtime_ns) >= QUIET_NS

    @property
    def uri(self) -> str:
        return self.state.uri if self.state is not None else Path(self.path).as_uri()

    def with_pending(self, state: TailState) -> TailState:
        """With the bytes of the unfinished line: a state that was kept over a restart is without them."""
        if state.pending or state.end <= state.carry.end:
            return state
        return msgspec.structs.replace(state, pending=(self.read(state.end - state.carry.end, state.carry.end),))

    def read(self, length: int, offset: int) -> bytes:
        """Bytes of the file, fewer only where it ends."""
        pieces: list[bytes] = []
        os.lseek(self.descriptor, offset, os.SEEK_SET)
        while length > 0 and (piece := os.read(self.descriptor, length)):
            pieces.append(piece)
            length -= len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def joined(pieces: tuple[bytes, ...], data: bytes) -> tuple[bytes, ...]:
    """One piece more. Joining only what is no longer than the new one keeps copying in check for a line of megabytes
    that comes in thousands of pieces."""
    grown = [*pieces, data] if data else list(pieces)
    while len(grown) > 1 and len(grown[-1]) >= len(grown[-2]):
        grown[-2:] = [grown[-2] + grown[-1]]
    return tuple(grown)


def advance(
    state: TailState | None, path: str, *, max_bytes: int, now_ns: int, max_whole: int | None = None
) -> Advance:
    """Read on, `max_bytes` at most; a file of more than `max_whole` bytes that must be read from zero is `large`."""
    try:
        descriptor = os.open(path, _FLAGS)
    except (FileNotFoundError, NotADirectoryError):
        return Advance("gone", None)
    except OSError as error:
        return _unreadable(state, path, error)
    try:
        found = os.fstat(descriptor)
        look = Look(path, descriptor, stamp_of(found), state, max_bytes, max_whole, now_ns)
        if not stat.S_ISREG(found.st_mode):
            return _refuse(look, Refusal("noFile"), sniffed=0)
        return _look_at(look)
    except OSError as error:
        return _unreadable(state, path, error)
    finally:
        os.close(descriptor)


def _look_at(look: Look) -> Advance:
    state, stamp = look.state, look.stamp
    if state is None:
        return _begin(look)
    if stamp == state.stamp and state.is_settled:
        return Advance("unchanged", state)
    if not state.format:
        return _begin(look) if _is_worth_sniffing(look, state) else _still_refused(look, state)
    adapter = adapter_named(state.format)
    was = state.stamp
    if adapter.split is not None or (stamp.device, stamp.inode) != (was.device, was.inode) or stamp.size < state.end:
        return _begin(look)
    if stamp.size == was.size and stamp.mtime_ns != was.mtime_ns:
        # The kernel sets the time before the size: look twice before taking this for a file rewritten in place.
        stamp = stamp_of(os.fstat(look.descriptor))
        if stamp.size == was.size:
            return _begin(look)
        look = msgspec.structs.replace(look, stamp=stamp)
    left = stamp.size - state.end
    if look.max_whole is not None and left > look.max_whole and left * ANEW_SHARE >= stamp.size:
        return Advance("large", state)
    return _read_on(look, state, adapter)


def _is_worth_sniffing(look: Look, state: TailState) -> bool:
    """Whether a file that was no log may have become one, and it is time to read its beginning again."""
    stamp, was = look.stamp, state.stamp
    if (stamp.device, stamp.inode) != (was.device, was.inode) or stamp.size < state.sniffed:
        return True
    if state.sniffed >= MAX_SNIFF_BYTES:
        return False
    return look.is_quiet or stamp.size <= SNIFF_BYTES or state.sniffed == 0


def _still_refused(look: Look, state: TailState) -> Advance:
    if state.sniffed >= MAX_SNIFF_BYTES:
        state = msgspec.structs.replace(state, stamp=look.stamp, is_settled=look.is_quiet)
    else:
        state = msgspec.structs.replace(state, is_settled=False)
    return Advance("unchanged", state)


def _begin(look: Look) -> Advance:
    """Read a file from zero."""
    size = look.stamp.size
    if look.max_whole is not None and size > look.max_whole:
        return Advance("large", look.state)
    adapter, data = _sniffed(look, first_bytes=min(SNIFF_BYTES, max(look.max_bytes, GENERATION_BYTES)))
    sniffed = len(data)
    if adapter is None:
        return _refuse(look, Refusal("noLog"), sniffed=sniffed)
    if adapter.split is not None:
        if size > MAX_DOCUMENT_BYTES:
            return _refuse(look, Refusal("tooLarge"), sniffed=sniffed)
        return _read_document(look, adapter, data + look.read(size - sniffed, sniffed))
    data += look.read(look.max_bytes - sniffed, sniffed)
    fresh = TailState(look.uri, look.stamp, adapter.name, sniffed=sniffed, sniff_proof=_digest(data[:sniffed]))
    return _take(look, fresh, adapter, head=data[:GENERATION_BYTES], before=b"", data=data)


def _read_on(look: Look, state: TailState, adapter: Adapter) -> Advance:
    """Read what was appended, once it is proved that it was."""
    size = look.stamp.size
    wanted = min(look.max_bytes, size - state.end)
    if look.stamp == state.stamp and wanted:
        # The next slice of what was proved before. The look after the last slice proves it once more.
        overlap = min(max(TAIL_BYTES - wanted, 0), state.end)
        chunk = look.read(overlap + wanted, state.end - overlap)
        return _take(look, state, adapter, head=None, before=chunk[:overlap], data=chunk[overlap:])
    if state.sniffed < min(size, SNIFF_BYTES) and (size <= SURE_BYTES or look.is_quiet):
        told, prefix = _sniffed(look, first_bytes=SNIFF_BYTES)
        # All of it is at hand now, also what lies between the two ends that are compared at every look.
        is_same = not state.sniff_proof or _digest(prefix[: state.sniffed]) == state.sniff_proof
        if told is None or told.name != adapter.name or not is_same:
            return _begin(look)
        state = msgspec.structs.replace(state, sniffed=len(prefix), sniff_proof=_digest(prefix))
    else:
        prefix = look.read(GENERATION_BYTES, 0)
    overlap = min(state.end, TAIL_BYTES)
    start, stop = state.end - overlap, state.end + wanted
    chunk = prefix[start:stop] if stop <= len(prefix) else look.read(stop - start, start)
    head, before = prefix[:GENERATION_BYTES], chunk[:overlap]
    if (_digest(head[: state.end]), _digest(before)) != (state.head_proof, state.tail_proof):
        return _begin(look)
    return _take(look, look.with_pending(state), adapter, head=head, before=before, data=chunk[overlap:])


def _take(look: Look, state: TailState, adapter: Adapter, *, head: bytes | None, before: bytes, data: bytes) -> Advance:
    """Split and parse new bytes. `head` is the file's beginning, or None where it is known; `before` ends at `end`."""
    is_first = state.end == 0
    end = state.end + len(data)
    # Of a file that was longer than its beginning before, the proof says that it still begins as it did.
    beginning = head if state.end < GENERATION_BYTES else None
    state = msgspec.structs.replace(
        state,
        stamp=look.stamp,
        refusal=None,
        generation=state.generation if beginning is None else generation_of(beginning),
        end=end,
        head_proof=state.head_proof if beginning is None else _digest(beginning[:end]),
        tail_proof=_digest((before + data[-TAIL_BYTES:])[-TAIL_BYTES:]) if data else state.tail_proof,
        is_settled=head is not None and look.is_quiet and end >= look.stamp.size,
    )
    held = sum(map(len, state.pending)) + len(data)
    if not is_first and b"\n" not in data and held <= MAX_LINE_BYTES and not state.carry.dropped:
        state = msgspec.structs.replace(state, pending=joined(state.pending, data))
        return Advance("read" if data else "unchanged", state, unfinished=_unfinished(adapter, state))
    # Joined to the first line alone: all of the bytes would be copied once more.
    pieces = split(msgspec.structs.replace(state.carry, rest=b"".join(state.pending)), data)
    # The world is told where the unfinished line begins, not its bytes: they would be held twice.
    carry = msgspec.structs.replace(pieces.carry, rest=b"")
    records, problems = parsed(adapter, pieces)
    log = KnownLog(state.uri, adapter, state.generation)
    batches: list[Batch] = []
    if records or problems or is_first:
        batch = batch_of(log, records, problems, carry, restart=is_first)
        batches = by_session(adapter, batch, last_part=state.parts[-1] if state.parts else None)
    pending = (pieces.carry.rest,) if pieces.carry.rest else ()
    parts = _parts(state.parts, records) if adapter.holds_many_sessions else ()
    state = msgspec.structs.replace(state, carry=carry, pending=pending, parts=parts)
    return Advance("read", state, tuple(batches), is_first and _voids(look, adapter), _unfinished(adapter, state))


def _read_document(look: Look, adapter: Adapter, data: bytes) -> Advance:
    assert adapter.split is not None
    known = look.state if look.state is not None and look.state.format else None
    proof = _digest(data)
    if known is not None and known.format == adapter.name and known.tail_proof == proof:
        known = msgspec.structs.replace(known, stamp=look.stamp, refusal=None, is_settled=look.is_quiet)
        return Advance("unchanged", known)
    document = adapter.split(data)
    if _is_torn(document) and (known is not None or not look.is_quiet):
        if known is not None and look.is_quiet:
            # Nobody is going to finish it: what was read before is the best there is.
            return Advance("unsure", msgspec.structs.replace(known, stamp=look.stamp, is_settled=True))
        return _unsure(look, Refusal("torn"))
    log = KnownLog(look.uri, adapter, generation_of(data[:GENERATION_BYTES]))
    batches = tuple(document_batches(log, document))
    state = TailState(
        look.uri,
        look.stamp,
        adapter.name,
        sniffed=len(data),
        generation=log.generation,
        end=len(data),
        tail_proof=proof,
        parts=tuple(batch.part for batch in batches) if adapter.holds_many_sessions else (),
        is_settled=look.is_quiet,
    )
    return Advance("read", state, batches, is_void=_voids(look, adapter))


def _voids(look: Look, adapter: Adapter) -> bool:
    """Whether what was read before is void as a whole. A batch that restarts replaces one session, not several."""
    known = look.state
    return known is not None and bool(known.format) and (bool(known.parts) or adapter.holds_many_sessions)


def _is_torn(document: Document) -> bool:
    return bool(document.problems) and not document.pieces and not document.header


def _refuse(look: Look, why: Refusal, *, sniffed: int) -> Advance:
    was_log = look.state is not None and bool(look.state.format)
    if was_log and not look.is_quiet:
        return _unsure(look, why)
    state = TailState(look.uri, look.stamp, refusal=why, sniffed=sniffed, is_settled=look.is_quiet)
    return Advance("refused", state, is_void=was_log)


def _unsure(look: Look, why: Refusal) -> Advance:
    """What was known stands, under its old stamp, so that the file is looked at again."""
    state = look.state or TailState(look.uri, look.stamp, refusal=why)
    return Advance("unsure", msgspec.structs.replace(state, is_settled=False))


def _unreadable(state: TailState | None, path: str, error: OSError) -> Advance:
    why = Refusal("unreadable", error.errno or 0, error.strerror or type(error).__name__)
    state = state or TailState(Path(path).as_uri(), Stamp(0, 0, 0, 0))
    return Advance("unsure", msgspec.structs.replace(state, refusal=why, is_settled=False))


def _sniffed(look: Look, *, first_bytes: int) -> tuple[Adapter | None, bytes]:
    offset = 0

    def read(length: int) -> bytes:
        nonlocal offset
        data = look.read(length, offset)
        offset += len(data)
        return data

    return sniff(read, first_bytes=first_bytes)


def _unfinished(adapter: Adapter, state: TailState) -> tuple[Record, ...]:
    if not state.pending or state.has_more or sum(map(len, state.pending)) > MAX_TRIED_BYTES:
        return ()
    line = b"".join(state.pending)
    if not line.rstrip().endswith(b"}"):
        return ()
    records, problems = adapter.parse(line, Place(state.carry.line, state.carry.offset, len(line)))
    return () if problems else tuple(records)


def _parts(parts: tuple[str, ...], records: list[Record]) -> tuple[str, ...]:
    ordered = dict.fromkeys(parts)
    for record in records:
        ordered.pop(record.session, None)
        ordered[record.session] = None
    return tuple(ordered)


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).digest()
