"""Going back from a place to the bytes and records that stand there."""

from __future__ import annotations

from recapd.core.events import Record
from recapd.core.refs import LogRef, Place
from recapd.core.world import Session
from recapd.daemon.formats import adapter_named
from recapd.server.workspaces import path_of


def read_range(source: str, offset: int, length: int) -> bytes | None:
    """Bytes of a log, fewer where it ends before; None where it cannot be read."""
    try:
        with open(path_of(source), "rb") as file:
            file.seek(offset)
            return file.read(length)
    except OSError:
        return None


def read_at(ref: LogRef) -> bytes | None:
    data = read_range(ref.source, ref.byte_offset, ref.byte_length)
    return data if data is not None and len(data) == ref.byte_length else None


def parse_at(format: str, ref: LogRef, line: bytes) -> tuple[Record, ...]:
    records, _ = adapter_named(format).parse(line, Place(ref.line, ref.byte_offset, ref.byte_length))
    return records


def resume_command(session: Session) -> str | None:
    """The agent's own command to go on with the session."""
    command = adapter_named(session.main.format).resume_command
    native_id = session.main.transcript.native_id
    return command(native_id) if command is not None and native_id else None
