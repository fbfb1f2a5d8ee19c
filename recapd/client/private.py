"""Folders and files that are this user's alone: looked at before anything in them is opened, let alone believed.

On a machine with several users a folder that is not there yet can be made by any of them, with whatever they like in
it: links to files of ours, pipes that never end, sockets of their own. Creates folders, changes nothing else.
"""

from __future__ import annotations

import errno
import os
import stat

from .errors import NotPrivate

_OTHERS_WRITE = 0o022


def make_private(path: str, *, variable: str = "RECAPD_RUNTIME_DIR") -> str:
    """The folder, there and ours alone; NotPrivate where it is not and cannot be made so.

    `variable` is what a user can set to have it elsewhere.
    """
    try:
        os.makedirs(path, mode=0o700, exist_ok=True)
        if check_private(path, variable=variable) & 0o077:
            os.chmod(path, 0o700)
    except OSError as error:
        raise NotPrivate(
            f"The folder {path} cannot be made: {error.strerror}", f"set {variable} to a folder of your own."
        ) from None
    return path


def check_private(path: str, *, variable: str = "RECAPD_RUNTIME_DIR") -> int:
    """The mode of a folder that nobody else can put anything into; NotPrivate where somebody can."""
    elsewhere = f"set {variable} to a folder of your own"
    try:
        found = os.lstat(path)
    except OSError as error:
        raise NotPrivate(f"The folder {path} cannot be looked at: {error.strerror}", f"{elsewhere}.") from None
    if not stat.S_ISDIR(found.st_mode):
        raise NotPrivate(f"{path} is not a folder itself but a link or a file", f"remove it, or {elsewhere}.")
    if found.st_uid != os.geteuid():
        raise NotPrivate(f"The folder {path} belongs to another user", f"remove it, or {elsewhere}.")
    if found.st_mode & _OTHERS_WRITE:
        # Somebody may have put something in already: tightening it now would hide that.
        raise NotPrivate(
            f"The folder {path} can be written to by others", f"look what is in it, then: chmod 700 {path}"
        )
    return found.st_mode


def read_private(path: str, *, most: int) -> bytes:
    """The beginning of a file that nobody else has written; NotPrivate where somebody may have, else OSError."""
    fd = open_private(path)
    try:
        return os.read(fd, most)
    finally:
        os.close(fd)


def open_private(path: str) -> int:
    """The same file, to be read at leisure."""
    try:
        # A pipe that nobody writes to is opened at once, and then seen to be one.
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise NotPrivate(f"{path} is a link, which recapd does not make", "remove it.") from None
        raise
    found = os.fstat(fd)
    wrong = ""
    if not stat.S_ISREG(found.st_mode):
        wrong = "is no plain file, and recapd makes no other there"
    elif found.st_uid != os.geteuid() or found.st_mode & _OTHERS_WRITE:
        wrong = "can be written to by another user"
    if wrong:
        os.close(fd)
        raise NotPrivate(f"{path} {wrong}", "remove it.")
    return fd
