"""Logs that are one document, read back: they have no lines to go through, so all of it is cut again."""

from __future__ import annotations

from pathlib import Path

from recapd.core.log import Record
from recapd.core.state import Source, without_handed_over
from recapd.daemon.log_files import UnreadableLog, batches, open_log
from recapd.server.workspaces import path_of


def document_records(source: Source) -> tuple[Record, ...] | None:
    """See Service."""
    try:
        log = open_log(Path(path_of(source.uri)))
        if log.adapter.split is None or log.generation != source.generation:
            return None
        found = [record for batch in batches(log) if batch.part == source.part for record in batch.records]
    except (UnreadableLog, OSError):
        return None
    handed_over = source.transcript.handed_over
    return tuple(without_handed_over(record, handed_over) if handed_over else record for record in found)
