"""How far a log file is read, what a look at it gives, and the open file during the look."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from recapd.core.log import START, Carry, Record
from recapd.core.state import Batch
from recapd.daemon.log_files.scanning import Stamp

# Some file systems count time in steps of two seconds: a file changed since is not trusted to be as its stamp says.
QUIET_NS = 2_000_000_000

# How `refusal` begins for what the disk does not give, and what it is for a fault of recapd's own.
UNREADABLE = "could not be read"
FAULT = "made recapd fail"

Outcome: TypeAlias = Literal["unchanged", "read", "refused", "unsure", "large", "gone"]


class TailState(Struct, frozen=True):
    """How far one file is read, and what proves that it is still the same file."""

    uri: str
    stamp: Stamp
    # Name of the adapter; empty while the file is no log, and then `refusal` says why.
    format: str = ""
    refusal: str = ""
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
