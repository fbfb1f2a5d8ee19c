"""Writing a small file so that whoever reads it sees the old one or the new one, whatever happens meanwhile.

The new text goes into a temporary file beside the old one, to the disk, and then into its place. All of it works on an
open folder and never follows a link in it. What a crash leaves behind is known by its name (see remove_leftovers).
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

# Log text and folders are the user's own affair: files are for the user alone, also in a folder that others can read.
PRIVATE = 0o600

_SUFFIX = ".tmp"
_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# A folder that is only passed through need not be readable; not every system can say so.
_ABOVE_FLAGS = _FOLDER_FLAGS | getattr(os, "O_PATH", 0)
# Tells this process's files from those of an earlier one, which may have had the same pid.
_RUN = os.urandom(4).hex()
_COUNTER = itertools.count()


@contextmanager
def opened_folder(path: str) -> Iterator[int]:
    """A folder to work in; OSError where it is none or a link."""
    folder = os.open(path, _FOLDER_FLAGS)
    try:
        yield folder
    finally:
        os.close(folder)


@contextmanager
def opened_without_links(path: str) -> Iterator[int]:
    """The same where also no folder above it may be a link: somebody may put one there after the path was looked up."""
    folder = os.open("/", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        *above, last = filter(None, path.split("/"))
        for name, flags in (*((name, _ABOVE_FLAGS) for name in above), (last, _FOLDER_FLAGS)):
            before, folder = folder, os.open(name, flags, dir_fd=folder)
            os.close(before)
        yield folder
    finally:
        os.close(folder)


def replace_file(folder: int, name: str, data: bytes, *, mode: int = PRIVATE) -> None:
    """Put the data in the place of whatever has that name."""
    with _temporary(folder, name, data, mode) as temporary:
        os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)


def create_file(folder: int, name: str, data: bytes, *, mode: int = PRIVATE) -> None:
    """A new file; FileExistsError where something has that name, even if only since a moment ago."""
    with _temporary(folder, name, data, mode) as temporary:
        try:
            os.link(temporary, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
        except FileExistsError:
            raise
        except OSError:
            # Some file systems have no hard links. A look first is the best there is then.
            if is_there(folder, name):
                raise FileExistsError(name) from None
            os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)


def remove_leftovers(folder: int, name: str) -> None:
    """Temporary files of an earlier process of the same user; there is one daemon, so nobody else is using them."""
    for entry in os.listdir(folder):
        if entry.startswith(_prefix(name)) and entry.endswith(_SUFFIX) and _RUN not in entry:
            with suppress(OSError):
                os.unlink(entry, dir_fd=folder)


def _prefix(name: str) -> str:
    """Of the user's own: two people's recapd may work in one folder."""
    return f".{name}.{os.geteuid()}."


def is_there(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True


@contextmanager
def _temporary(folder: int, name: str, data: bytes, mode: int) -> Iterator[str]:
    """The data in a file of its own, on the disk; gone again unless it was moved away."""
    # Never the same twice: a write that hangs in a thread nobody waits for must not get into another's file.
    temporary = f"{_prefix(name)}{_RUN}-{next(_COUNTER)}{_SUFFIX}"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    file = os.open(temporary, flags, PRIVATE, dir_fd=folder)
    try:
        try:
            with os.fdopen(file, "wb", closefd=False) as stream:
                stream.write(data)
            os.fchmod(file, mode)
            os.fsync(file)
        finally:
            os.close(file)
        yield temporary
        # Not every file system can do this for a folder; the file itself is safe either way.
        with suppress(OSError):
            os.fsync(folder)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary, dir_fd=folder)
