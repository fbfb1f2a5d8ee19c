"""Source files that somebody asks about, as they are on disk: read, never kept, told of by numbers of lines alone."""

from __future__ import annotations

import os
import stat

# Longer files are data.
MOST_BYTES = 8 << 20


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
