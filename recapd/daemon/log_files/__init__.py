"""Log files on disk: where they lie, which there are, in what format, and reading them."""

from recapd.daemon.log_files.formats import known_formats
from recapd.daemon.log_files.read_back import modified_at, parse_at, read_at, read_range, resume_command
from recapd.daemon.log_files.read_state import FAULT, UNREADABLE, Advance, TailState
from recapd.daemon.log_files.reading import OpenLog, UnreadableLog, batch_of, batches, by_session, last_line, open_log
from recapd.daemon.log_files.roots import Root, default_roots, roots_or_default
from recapd.daemon.log_files.scanning import DEFAULT_EXCLUSIONS, Scan, Stamp, Wanted, folder_prefix, scan, wanted_in
from recapd.daemon.log_files.tail import advance

__all__ = [
    "DEFAULT_EXCLUSIONS",
    "FAULT",
    "UNREADABLE",
    "Advance",
    "OpenLog",
    "Root",
    "Scan",
    "Stamp",
    "TailState",
    "UnreadableLog",
    "Wanted",
    "advance",
    "batch_of",
    "batches",
    "by_session",
    "default_roots",
    "folder_prefix",
    "known_formats",
    "last_line",
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
