"""Going back from a place to the bytes and records that stand there."""

from __future__ import annotations

import os
from collections.abc import Callable

from recapd.adapters.shared import edits_in, texts_in
from recapd.core.commands import Hunk
from recapd.core.log import MAX_LINE_BYTES, LogRef, Note, Place, Record, from_epoch
from recapd.core.state import FileChange, Session, Source, is_plain_id, without_handed_over
from recapd.core.why import Edit
from recapd.daemon.log_files.reading import adapter_named, open_without_waiting
from recapd.server.workspaces import path_of


def read_range(source: str, offset: int, length: int) -> bytes | None:
    """Bytes of a log, fewer where it ends before and never more than a line may have; None where it cannot be read."""
    try:
        with open(path_of(source), "rb", opener=open_without_waiting) as file:
            # A ref may say anything: what is not in the file is neither sought nor made room for.
            rest = os.fstat(file.fileno()).st_size - offset
            if rest <= 0:
                return b""
            file.seek(offset)
            return file.read(min(length, rest, MAX_LINE_BYTES)) or b""
    except OSError:
        return None


def modified_at(source: str) -> str:
    """When a log was last written to; "" where it is gone."""
    try:
        return from_epoch(os.stat(path_of(source)).st_mtime)
    except OSError:
        return ""


def read_at(ref: LogRef) -> bytes | None:
    data = read_range(ref.source, ref.byte_offset, ref.byte_length)
    return data if data is not None and len(data) == ref.byte_length else None


def parse_at(source: Source, ref: LogRef, line: bytes) -> tuple[Record, ...]:
    records, _ = adapter_named(source.format).parse(line, Place(ref.line, ref.byte_offset, ref.byte_length))
    handed_over = source.transcript.handed_over
    return tuple(without_handed_over(record, handed_over) for record in records) if handed_over else records


def edits_at(
    source: Source, change: FileChange, lines: tuple[bytes, bytes], is_wanted: Callable[[str], bool]
) -> tuple[Hunk, ...]:
    hunks = edits_in(*lines, call_id=change.call_id, is_wanted=is_wanted)
    handed_over = source.transcript.handed_over
    if not handed_over:
        return hunks

    def masked(text: str) -> str:
        record = without_handed_over(Record(change.returned, "", (Note("meta", text),)), handed_over)
        return next(event.text for event in record.events if isinstance(event, Note))

    return tuple(
        Hunk(tuple(line[:1] + masked(line[1:]) for line in hunk.lines), hunk.old_start, hunk.new_start)
        for hunk in hunks
    )


def texts_at(change: FileChange, lines: tuple[bytes, bytes], is_wanted: Callable[[str], bool]) -> Edit:
    if change.action == "deleted":
        return Edit(after="")
    is_new = change.action == "created" or change.is_first
    return texts_in(*lines, call_id=change.call_id, is_wanted=is_wanted, is_new=is_new)


def resume_command(session: Session) -> str | None:
    """The agent's own command to go on with the session."""
    command = adapter_named(session.main.format).resume_command
    native_id = session.main.transcript.native_id
    return command(native_id) if command is not None and is_plain_id(native_id) else None
