"""What handlers may ask of the disk, the same whoever holds the world: logs read back, source files that somebody asks
about, and pages for editors that show files.

Owns the reads that only pass something on: nothing of them is kept. Blocks; call it in a thread.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from recapd.client.errors import NotPrivate
from recapd.client.paths import places
from recapd.client.private import make_private
from recapd.core.log import Record
from recapd.core.state import Source, without_handed_over
from recapd.daemon.atomic import opened_folder, replace_file
from recapd.daemon.log_files import (
    UnreadableLog,
    batches,
    edits_at,
    known_formats,
    modified_at,
    open_log,
    parse_at,
    resume_command,
    texts_at,
)
from recapd.daemon.presence import is_gone
from recapd.server.workspaces import path_of

# Of a source file: longer ones are data.
MOST_BYTES = 8 << 20
# Pages are the user's own, replaced at every showing.
_PAGES = "pages"
_ODD = re.compile(r"[^A-Za-z0-9._-]+")
_NAME_CHARS = 80


def document_records(source: Source) -> tuple[Record, ...] | None:
    """The records of a log that is one document: it has no lines to go through, so all of it is cut again."""
    try:
        log = open_log(Path(path_of(source.uri)))
        if log.adapter.split is None or log.generation != source.generation:
            return None
        found = [record for batch in batches(log) if batch.part == source.part for record in batch.records]
    except (UnreadableLog, OSError):
        return None
    handed_over = source.transcript.handed_over
    return tuple(without_handed_over(record, handed_over) if handed_over else record for record in found)


def source_text(path: str) -> str | None:
    """The text of a plain file; None where there is none, it cannot be read or is too long."""
    try:
        # A pipe that nobody writes to is opened at once, and then seen to be one.
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode) or found.st_size > MOST_BYTES:
                return None
            return file.read(MOST_BYTES).decode("utf-8", "replace")
    except OSError:
        return None


def write_page(name: str, markdown: str) -> str | None:
    """The path of a file with this page; None where nothing can be written."""
    try:
        folder = make_private(os.path.join(places().state_dir, _PAGES), variable="RECAPD_STATE_DIR")
        file = f"{_ODD.sub('-', name)[:_NAME_CHARS].strip('.-') or 'page'}.md"
        with opened_folder(folder) as opened:
            replace_file(opened, file, markdown.encode("utf-8", "replace"))
    except (OSError, NotPrivate):
        return None
    return os.path.join(folder, file)


class Disk:
    """The part of server.service.Service that is the same with a daemon and without one."""

    formats = staticmethod(known_formats)
    modified_at = staticmethod(modified_at)
    records_at = staticmethod(parse_at)
    document_records = staticmethod(document_records)
    edits_at = staticmethod(edits_at)
    texts_at = staticmethod(texts_at)
    source_text = staticmethod(source_text)
    write_page = staticmethod(write_page)
    resume_command = staticmethod(resume_command)
    is_gone = staticmethod(is_gone)
