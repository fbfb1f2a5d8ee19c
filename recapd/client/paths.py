"""Where recapd keeps its socket and its files, and that nobody else can get at them. Creates folders, nothing else."""

from __future__ import annotations

import os
import stat
import sys

from recapd.client.errors import NotPrivate

TYPE_CHECKING = False  # typing costs as much to import as everything else here
if TYPE_CHECKING:
    from collections.abc import Mapping

# macOS has 104 bytes for a socket's path with its closing zero, Linux 108: what works on one shall work on the other.
MAX_SOCKET_BYTES = 103


class Places:
    """The two folders of one user: what lives as long as the daemon, and what outlives it."""

    __slots__ = ("runtime_dir", "state_dir")

    def __init__(self, runtime_dir: str, state_dir: str) -> None:
        self.runtime_dir = runtime_dir
        self.state_dir = state_dir

    @property
    def socket(self) -> str:
        return os.path.join(self.runtime_dir, "recapd.sock")

    @property
    def lock(self) -> str:
        return os.path.join(self.runtime_dir, "recapd.lock")

    @property
    def about(self) -> str:
        """Who serves: pid, version, socket or port. Only the holder of the lock writes it."""
        return os.path.join(self.runtime_dir, "recapd.json")

    @property
    def token(self) -> str:
        return os.path.join(self.runtime_dir, "token")

    @property
    def log(self) -> str:
        return os.path.join(self.state_dir, "daemon.log")

    def prepare(self) -> None:
        """Both folders, there and private; NotPrivate where that cannot be had."""
        make_private(self.runtime_dir)
        make_private(self.state_dir, variable="RECAPD_STATE_DIR")


def places(environ: Mapping[str, str] | None = None) -> Places:
    """The folders that this environment implies; none is created or checked."""
    environ = os.environ if environ is None else environ
    return Places(_runtime_dir(environ), _state_dir(environ))


def make_private(path: str, *, variable: str = "RECAPD_RUNTIME_DIR") -> str:
    """The folder, there and ours alone; NotPrivate where it is not and cannot be made so.

    `variable` is what a user can set to have it elsewhere.
    """
    try:
        os.makedirs(path, mode=0o700, exist_ok=True)
    except OSError as error:
        reason = error.strerror
        raise NotPrivate(
            f"The folder {path} cannot be made: {reason}; set {variable} to a folder of your own."
        ) from None
    if check_private(path, variable=variable) & 0o077:
        os.chmod(path, 0o700)
    return path


def check_private(path: str, *, variable: str = "RECAPD_RUNTIME_DIR") -> int:
    """The mode of a folder that nobody else can put anything into; NotPrivate where somebody can."""
    elsewhere = f"set {variable} to a folder of your own"
    try:
        found = os.lstat(path)
    except OSError as error:
        raise NotPrivate(f"The folder {path} cannot be looked at: {error.strerror}; {elsewhere}.") from None
    if not stat.S_ISDIR(found.st_mode):
        raise NotPrivate(f"{path} is not a folder itself but a link or a file; remove it, or {elsewhere}.")
    if found.st_uid != os.geteuid():
        raise NotPrivate(f"The folder {path} belongs to another user; remove it, or {elsewhere}.")
    if found.st_mode & 0o022:
        # Somebody may have put something in already: tightening it now would hide that.
        raise NotPrivate(f"The folder {path} can be written to by others; look what is in it, then: chmod 700 {path}")
    return found.st_mode


def check_socket_path(path: str) -> str:
    """The path, if the kernel can bind it."""
    size = len(os.fsencode(path))
    if size > MAX_SOCKET_BYTES:
        raise NotPrivate(
            f"The socket's path {path} is {size} bytes long and may have {MAX_SOCKET_BYTES}; "
            "set RECAPD_RUNTIME_DIR to a shorter folder."
        )
    return path


def _runtime_dir(environ: Mapping[str, str]) -> str:
    if own := environ.get("RECAPD_RUNTIME_DIR"):
        return os.path.abspath(own)
    # Cron, ssh and su often lack the variable: without the second place their daemon would be another one.
    for base in (environ.get("XDG_RUNTIME_DIR"), f"/run/user/{os.geteuid()}"):
        if base and _is_ours(base):
            return os.path.join(base, "recapd")
    # Not tempfile's choice: on macOS that is a long path, and it differs between sessions.
    return f"/tmp/recapd-{os.geteuid()}"


def _state_dir(environ: Mapping[str, str]) -> str:
    if own := environ.get("RECAPD_STATE_DIR"):
        return os.path.abspath(own)
    if base := environ.get("XDG_STATE_HOME"):
        return os.path.join(base, "recapd")
    home = environ.get("HOME") or os.path.expanduser("~")
    is_mac = sys.platform == "darwin"
    return os.path.join(home, *(("Library", "Application Support") if is_mac else (".local", "state")), "recapd")


def _is_ours(folder: str) -> bool:
    """With sudo the variable may still name the folder of somebody else."""
    try:
        found = os.stat(folder)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()
