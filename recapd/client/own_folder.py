"""Settling on a folder for the socket where the system has none for this: in containers, after su, from cron, on Macs.

Below the home, where nobody else can put anything first. Where no socket can be there, because the path is too long or
the file system has none, a folder with a name that nobody can know before it is made; a file below the home says which.
"""

from __future__ import annotations

import contextlib
import os

from .errors import NotPrivate
from .paths import MAX_SOCKET_BYTES, RECORD, recorded_for
from .private import make_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

# Not tempfile's choice: on macOS that is a long path, and it differs between sessions.
SHORT_FOLDER = "/tmp"
# What a socket is called before it listens.
_LONGEST_NAME = "/recapd.sock~"


def settle(runtime_dir: str, below_home: str) -> str:
    """The folder to serve from, there and private; `runtime_dir` is where clients look until now."""
    if runtime_dir != below_home:
        try:
            return make_private(runtime_dir)
        except NotPrivate:
            return _settle_elsewhere(below_home + RECORD, stale=runtime_dir)
    make_private(os.path.dirname(below_home), variable="RECAPD_STATE_DIR")
    is_short = len(os.fsencode(below_home + _LONGEST_NAME)) <= MAX_SOCKET_BYTES
    if is_short and _can_serve_from(make_private(below_home)):
        return below_home
    return _settle_elsewhere(below_home + RECORD, stale="")


def _settle_elsewhere(record: str, *, stale: str) -> str:
    """A new folder and a record of it; another's, where several settle at once: all must mean the same."""
    written = f"{record}.{os.getpid()}~"
    try:
        folder = f"{SHORT_FOLDER}/recapd-{os.geteuid()}-{os.urandom(8).hex()}"
        os.mkdir(folder, 0o700)
        with _new_file(written) as file:
            file.write(os.fsencode(folder) + b"\n")
        try:
            # Unlike a rename it takes nobody's place.
            os.link(written, record)
            os.unlink(written)
        except OSError:
            if (other := recorded_for(record.removesuffix(RECORD))) not in ("", stale):
                os.unlink(written)
                os.rmdir(folder)
                return make_private(other)
            os.rename(written, record)
    except OSError as error:
        raise NotPrivate(
            f"There is no place for recapd's socket: {error.strerror}",
            "set RECAPD_RUNTIME_DIR to a folder of your own with a short name.",
        ) from None
    return folder


def _can_serve_from(folder: str) -> bool:
    """Network and shared file systems may have no sockets, or no locks."""
    import fcntl
    import socket

    if os.path.lexists(f"{folder}/recapd.lock"):
        # A daemon could before: that the disk is full now must not part it from its clients.
        return True
    tried = f"{folder}/{os.getpid()}~"
    try:
        with _new_file(tried) as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.unlink(tried)
        with socket.socket(socket.AF_UNIX) as bound:
            bound.bind(tried)
    except OSError:
        return False
    finally:
        with contextlib.suppress(OSError):
            os.unlink(tried)
    return True


def _new_file(path: str) -> BinaryIO:
    """In place of what a killed process with our number left."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    return open(path, "xb", opener=lambda name, flags: os.open(name, flags | os.O_NOFOLLOW, 0o600))
