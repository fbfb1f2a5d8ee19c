"""Who holds the daemon's lock. The lock itself is `recapd.daemon.lock`."""

from __future__ import annotations

import os


def holder_of(path: str) -> int | None:
    """The process that holds the lock, 0 where it does not say which it is, None where nobody does.

    Never takes it: a daemon may be starting.
    """
    import fcntl

    try:
        fd = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    try:
        # Shared: two who look at once do not take each other for the holder.
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        said = os.read(fd, 32).strip()
        return int(said) if said.isdigit() else 0
    except OSError:
        return None
    finally:
        os.close(fd)
    return None
