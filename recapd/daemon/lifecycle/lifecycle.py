"""How the daemon comes to serve and how it ends. Knows processes, the lock and the socket; nothing of sessions.

    detach ─▶ claim: lock ─▶ recapd.json ─▶ bind, listen, name ─▶ the app serves ─▶ ready
                       └─ held: does its holder answer? ─ yes ─▶ AlreadyServed (to the starter as good as ready)
    a signal, idle, recapd/shutdown ─▶ withdraw: no new clients ─▶ the app finishes ─▶ release

The app calls `claim` (in a thread: it may wait for an older daemon to end), `withdraw` when it begins to end and
`release` when nothing is left to write, and looks at `is_intact` now and then.
"""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct

from recapd import __version__
from recapd.client.errors import ClientError
from recapd.client.find import find
from recapd.client.holder import holder_of
from recapd.client.paths import Places
from recapd.client.start import FAILED, READY, READY_FD
from recapd.daemon.lifecycle.sockets import listen_tcp, listen_unix, new_token, still_names, write_private
from recapd.daemon.lock import Lock, try_lock
from recapd.wire.types import PROTOCOL_VERSION, Wire

# A workspace whose `_recap.md` is kept is looked after for a day after its last activity.
WATCHED_ACTIVE_S = 86_400.0
# An older daemon that ends writes what is unsaved; past this it hangs.
LOCK_WAIT_S = 20.0
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.005, 0.1


class Stdio(Struct, frozen=True, tag="stdio"):
    """One client, on stdin and stdout; the process ends with it. Takes no lock: it is nobody else's daemon."""


class UnixSocket(Struct, frozen=True, tag="socket"):
    """The user's daemon."""

    path: str


class Tcp(Struct, frozen=True, tag="tcp"):
    """The user's daemon where there are no Unix sockets; port 0 takes a free one."""

    port: int


class ServeOptions(Struct, frozen=True, kw_only=True):
    """What `recapd serve` was asked for."""

    transport: Stdio | UnixSocket | Tcp
    runtime_dir: str
    state_dir: str
    # None: stay until told to end.
    idle_s: float | None = None
    # End when idle for as long as the configuration says, whatever `idle_s` is.
    is_idle_configured: bool = False
    # Folders to read instead of the agents' own; empty: those.
    roots: tuple[Path, ...] = ()
    # Workspaces to keep `_recap.md` in for as long as this daemon runs, besides those switched on for good.
    recap_files_in: tuple[Path, ...] = ()
    is_foreground: bool = False

    @property
    def places(self) -> Places:
        return Places(self.runtime_dir, self.state_dir)


class About(Wire, frozen=True, kw_only=True):
    """What the daemon writes about itself for clients to find it by: `recapd.json`."""

    pid: int
    version: str
    protocol_version: str
    instance_id: str
    started_at: str
    socket: str | None = None
    port: int | None = None


class AlreadyServed(ClientError):
    """Another daemon serves this user."""


class Claim:
    """The right to serve this user, and the socket to do it on."""

    def __init__(self, lock: Lock, *, listener: socket.socket, about: About, token: str, fds: dict[str, int]) -> None:
        self.listener = listener
        self.about = about
        # What a TCP client has to know; "" for a Unix socket.
        self.token = token
        self._lock = lock
        self._fds = fds
        # The listener and the descriptors keep what the names stand for, so that they can be told from successors.
        self._named = {path: os.fstat(fd) for path, fd in fds.items()}
        if about.socket:
            self._named[about.socket] = os.lstat(about.socket)

    def is_intact(self) -> bool:
        """False when clients can no longer find this daemon: its folder was removed or taken over. It should end then.

        Also keeps the files young, for those who clean up what is old.
        """
        if not self._lock.is_intact() or not all(still_names(path, file) for path, file in self._named.items()):
            return False
        self._lock.touch()
        for path in self._named:
            os.utime(path)
        return True

    def withdraw(self) -> None:
        """Take the names away: who comes now starts a new daemon, which waits for the lock."""
        for path, file in self._named.items():
            if still_names(path, file):
                os.unlink(path)
        self._named = {}

    def release(self) -> None:
        self.withdraw()
        for fd in self._fds.values():
            os.close(fd)
        self._fds = {}
        self.listener.close()
        self._lock.release()


def claim(
    options: ServeOptions,
    *,
    instance_id: str,
    started_at: str,
    version: str = __version__,
    wait_s: float = LOCK_WAIT_S,
    pause: Callable[[float], None] = time.sleep,
) -> Claim:
    """Become the user's daemon. AlreadyServed where there is one; ClientError with the reason where it cannot be."""
    places = options.places
    places.prepare()
    lock = _lock_or_leave(places, wait_s=wait_s, pause=pause)
    about = About(
        pid=os.getpid(),
        version=version,
        protocol_version=PROTOCOL_VERSION,
        instance_id=instance_id,
        started_at=started_at,
    )
    try:
        match options.transport:
            case UnixSocket(path=path):
                return _claim_unix(places, lock, about=msgspec.structs.replace(about, socket=path))
            case Tcp(port=port):
                return _claim_tcp(places, lock, about=msgspec.structs.replace(about, port=port))
            case Stdio():
                raise AssertionError("stdio needs no claim")
    except BaseException:
        lock.release()
        raise


def _claim_unix(places: Places, lock: Lock, *, about: About) -> Claim:
    # Who finds the socket must find the right words about it: they are written first.
    fds = {places.about: write_private(places.about, msgspec.json.encode(about))}
    try:
        listener = listen_unix(about.socket or places.socket)
    except BaseException:
        os.close(fds[places.about])
        raise
    return Claim(lock, listener=listener, about=about, token="", fds=fds)


def _claim_tcp(places: Places, lock: Lock, *, about: About) -> Claim:
    listener = listen_tcp(about.port or 0)
    about = msgspec.structs.replace(about, port=listener.getsockname()[1])
    token = new_token()
    fds = {places.token: write_private(places.token, token.encode())}
    fds[places.about] = write_private(places.about, msgspec.json.encode(about))
    return Claim(lock, listener=listener, about=about, token=token, fds=fds)


def _lock_or_leave(places: Places, *, wait_s: float, pause: Callable[[float], None]) -> Lock:
    """The lock; while another holds it without serving, that one starts or ends, and either is over soon."""
    deadline = time.monotonic() + wait_s
    pause_s = _FIRST_PAUSE_S
    while (lock := try_lock(places.lock)) is None:
        if (other := find(places)) is not None:
            raise AlreadyServed(f"recapd runs already (pid {other.pid}, version {other.version}).")
        if time.monotonic() > deadline:
            holder = holder_of(places.lock)
            raise ClientError(
                f"Another recapd (pid {holder}) neither serves nor ends", f"end it with: kill -9 {holder}"
            )
        pause(pause_s)
        pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)
    return lock


class Readiness:
    """The starter's pipe, if there is one. Exactly one line goes into it."""

    def __init__(self, fd: int | None) -> None:
        self._fd = fd

    @property
    def is_awaited(self) -> bool:
        return self._fd is not None

    def ready(self) -> None:
        self._say(READY)

    def failed(self, sentence: str) -> None:
        self._say(f"{FAILED} {' '.join(sentence.split())}")

    def _say(self, line: str) -> None:
        if self._fd is None:
            return
        fd, self._fd = self._fd, None
        try:
            os.write(fd, line.encode("utf-8", "replace") + b"\n")
        except OSError:
            # The starter gave up waiting; whoever needs the daemon finds it.
            return
        finally:
            os.close(fd)


def inherited_readiness() -> Readiness:
    """Takes the starter's pipe out of the environment, so that no child of the daemon holds it open."""
    number = os.environ.pop(READY_FD, "")
    if not number.isdecimal():
        return Readiness(None)
    try:
        os.set_inheritable(int(number), False)
    except OSError:
        return Readiness(None)
    return Readiness(int(number))


def detach() -> None:
    """Leave the starter: its child ends here, and a grandchild without terminal, folder or parent goes on."""
    if os.fork():
        os._exit(0)
    os.chdir("/")
    os.umask(0o077)


async def end_on_signal(end: Callable[[str], None]) -> None:
    """Call `end` at the first SIGTERM or SIGINT; at the second the process ends at once. Runs until cancelled."""
    import anyio

    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        is_ending = False
        async for number in signals:
            if is_ending:
                os._exit(128 + number)
            is_ending = True
            end(signal.Signals(number).name)


class IdleTimer:
    """Says when a daemon that nobody uses may end. The clock is the caller's."""

    def __init__(self, *, clock: Callable[[], float], idle_s: float | None) -> None:
        self._clock = clock
        # May be set to another time later.
        self.idle_s = idle_s
        self._clients = 0
        self._left_at = clock()

    def client_came(self) -> None:
        self._clients += 1

    def client_left(self) -> None:
        self._clients -= 1
        self._left_at = self._clock()

    def wait_s(self, watched_active_at: float | None) -> float | None:
        """Seconds until the daemon may end if nothing happens; 0: now. None: no time can be told.

        `watched_active_at` is the latest activity in a workspace whose `_recap.md` is kept, None where there is none.
        """
        if self.idle_s is None or self._clients > 0:
            return None
        end_at = self._left_at + self.idle_s
        if watched_active_at is not None:
            end_at = max(end_at, watched_active_at + WATCHED_ACTIVE_S)
        return max(0.0, end_at - self._clock())
