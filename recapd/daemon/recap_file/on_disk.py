"""`_recap.md` on disk: is it ours, does it say the same, and if not, replace it. Blocks: run it in a thread.

Never through a link, be it the file, its folder or one above; never over a file that recapd did not write; never half a
file.
"""

from __future__ import annotations

import errno
import os
import stat
from typing import Literal, TypeAlias

from msgspec import Struct

from recapd.core.trouble import Trouble
from recapd.core.views.recap_file import MARK_CHARS, is_ahead, is_ours, mark_in, says_the_same
from recapd.daemon.atomic import PRIVATE, create_file, opened_without_links, remove_leftovers, replace_file

FILE_NAME = "_recap.md"
# Ours have a few KB; more is not read to find out that it says something else.
_MAX_BYTES = 1 << 20
# Somebody who saves the file at this very moment is given way, but not for ever.
_ATTEMPTS = 3

Outcome: TypeAlias = Literal["written", "same", "ahead"]


class CannotWrite(Exception):
    """The file cannot be written for a reason that only the user can remove."""

    def __init__(self, message: str, action: str) -> None:
        self.trouble = Trouble(message, action)
        super().__init__(str(self.trouble))


class _Found(Struct, frozen=True):
    """What has the name now. The first three change with whatever anybody does to it."""

    inode: int
    size: int
    changed_ns: int
    mode: int
    text: str


def update(folder: str, text: str, *, even_if_ahead: bool) -> Outcome:
    """Make the folder's file say this. Refused or OSError where that cannot be.

    A file that tells of more than the text does ("ahead") is left alone while the logs are still being read.
    """
    data = text.encode("utf-8", "replace")
    with opened_without_links(folder) as opened:
        for _ in range(_ATTEMPTS):
            found = _look(opened, folder)
            if found is None:
                try:
                    create_file(opened, FILE_NAME, data)
                    return "written"
                except FileExistsError:
                    continue
            if says_the_same(found.text, text):
                return "same"
            if not even_if_ahead and _is_ahead(found.text, text):
                return "ahead"
            if _look(opened, folder) == found:
                replace_file(opened, FILE_NAME, data, mode=found.mode)
                return "written"
    raise CannotWrite(
        f"Something else keeps writing {os.path.join(folder, FILE_NAME)}", "stop it, and recapd tries again."
    )


def check(folder: str) -> None:
    """Refused or OSError where the file could not be written if there were something to write."""
    with opened_without_links(folder) as opened:
        _look(opened, folder)


def clean_up(folder: str) -> None:
    """Take away what a crash left beside the file."""
    with opened_without_links(folder) as opened:
        remove_leftovers(opened, FILE_NAME)


def _look(folder: int, path: str) -> _Found | None:
    """The file as it is; None where there is none, Refused where it is not ours."""
    shown = os.path.join(path, FILE_NAME)
    try:
        # Without O_NONBLOCK a pipe of that name would hold us for ever.
        file = os.open(FILE_NAME, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise CannotWrite(f"{shown} is a link", "remove it, and recapd writes a file of its own.") from None
        raise
    try:
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode):
            raise CannotWrite(f"{shown} is no regular file", "remove it, and recapd writes one.")
        text = os.read(file, _MAX_BYTES).decode("utf-8", "replace")
    finally:
        os.close(file)
    if not is_ours(text[:MARK_CHARS]):
        raise CannotWrite(
            f"{shown} was not written by recapd, which leaves it alone",
            "rename or remove it, and recapd writes its own.",
        )
    mode = stat.S_IMODE(found.st_mode)
    return _Found(found.st_ino, found.st_size, found.st_mtime_ns, mode & 0o777 or PRIVATE, text)


def _is_ahead(found: str, text: str) -> bool:
    there, here = (mark_in(each.partition("\n")[0][:MARK_CHARS]) for each in (found, text))
    return there is not None and here is not None and is_ahead(there, here)
