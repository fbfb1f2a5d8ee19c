"""What is known of a source as bytes for the store: rows, pieces of the state, texts to search in."""

from recapd.daemon.encoding.judged import JudgedRow, findings_in, judged_row
from recapd.daemon.encoding.rows import Prepared, Saved, SourceRows, TextRow, prepare, rows_of
from recapd.daemon.encoding.states import (
    Damaged,
    Note,
    Piece,
    changed_pieces,
    checksum_of,
    head_bytes,
    head_from,
    transcript_from,
)

__all__ = [
    "Damaged",
    "JudgedRow",
    "Note",
    "Piece",
    "Prepared",
    "Saved",
    "SourceRows",
    "TextRow",
    "changed_pieces",
    "checksum_of",
    "findings_in",
    "head_bytes",
    "head_from",
    "judged_row",
    "prepare",
    "rows_of",
    "transcript_from",
]
