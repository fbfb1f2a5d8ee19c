"""Log files on disk: where they lie, which there are, in what format, and reading them."""

from recapd.daemon.log_files.read_back import edits_at, modified_at, parse_at, read_at, read_range, resume_command
from recapd.daemon.log_files.reading import (
    NothingYet,
    OpenLog,
    UnreadableLog,
    batches,
    known_formats,
    last_batches,
    logs_beside,
    open_log,
)
from recapd.daemon.log_files.scanning import (
    DEFAULT_EXCLUSIONS,
    Root,
    Scan,
    Stamp,
    Wanted,
    count_folders,
    default_roots,
    folder_prefix,
    roots_or_default,
    scan,
    wanted_in,
)
from recapd.daemon.log_files.tail import Advance, Refusal, TailState, advance

__all__ = [
    "DEFAULT_EXCLUSIONS",
    "Advance",
    "NothingYet",
    "OpenLog",
    "Refusal",
    "Root",
    "Scan",
    "Stamp",
    "TailState",
    "UnreadableLog",
    "Wanted",
    "advance",
    "batches",
    "count_folders",
    "default_roots",
    "edits_at",
    "folder_prefix",
    "known_formats",
    "last_batches",
    "logs_beside",
    "modified_at",
    "open_log",
    "parse_at",
    "read_at",
    "read_range",
    "resume_command",
    "roots_or_default",
    "scan",
    "wanted_in",
]
