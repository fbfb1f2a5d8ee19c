"""Where recapd keeps its socket and its files: two folders in which nobody else can put anything.

    RECAPD_RUNTIME_DIR, $XDG_RUNTIME_DIR/recapd, /run/user/UID/recapd     the first that is given or is the user's, else
    STATE/run/HOST                                                        below the home, unless no socket can be there:
    what STATE/run/HOST.path names                                        see `own_folder`

HOST, because a home may be that of several machines, and a socket is only ever answered on one of them.
"""

from __future__ import annotations

import os
import stat
import sys

from .errors import NotPrivate
from .private import check_private, make_private, read_private

TYPE_CHECKING = False  # typing costs as much to import as everything else here
if TYPE_CHECKING:
    from collections.abc import Mapping

# macOS has 104 bytes for a socket's path with its closing zero, Linux 108: what works on one shall work on the other.
MAX_SOCKET_BYTES = 103
RECORD = ".path"
# In the state folder: what a daemon leaves for hooks that find none.
ORIENTATIONS = "orientations.json"
# Set for programs that recapd itself runs: what serves agents of the user's keeps quiet in them.
ASKED = "RECAPD_ASKED"
_LONGEST_HOST = 32
_LONGEST_RECORD = 4096


class Places:
    """The two folders of one user: what lives as long as the daemon, and what outlives it."""

    __slots__ = ("below_home", "runtime_dir", "state_dir")

    def __init__(self, runtime_dir: str, state_dir: str, *, below_home: str = "") -> None:
        """`below_home` is what the runtime folder is, or would be if it could; "" where the environment names it."""
        self.runtime_dir = runtime_dir
        self.state_dir = state_dir
        self.below_home = below_home

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
    def panel(self) -> str:
        """Where the panel for browsers is while it is switched on, with the token that opens it."""
        return os.path.join(self.runtime_dir, "panel.json")

    @property
    def log(self) -> str:
        return os.path.join(self.state_dir, "daemon.log")

    def is_there(self) -> bool:
        """Whether there is a runtime folder to look into; NotPrivate where somebody else can get at it."""
        if self.below_home and os.path.lexists(self.state_dir):
            check_private(self.state_dir, variable="RECAPD_STATE_DIR")
        if not os.path.lexists(self.runtime_dir):
            return False
        try:
            check_private(self.runtime_dir)
        except NotPrivate:
            if self.below_home in ("", self.runtime_dir):
                raise
            # Ours was cleaned up, and somebody who had seen its name took it: `prepare` settles on another.
            return False
        return True

    def prepare(self) -> None:
        """Both folders, there and private; NotPrivate where that cannot be had. May settle on another to serve from."""
        for path, variable in ((self.state_dir, "RECAPD_STATE_DIR"), (self.runtime_dir, "RECAPD_RUNTIME_DIR")):
            if not is_text(path):
                raise NotPrivate(f"The name of the folder {path} is not UTF-8", f"set {variable} to one whose name is.")
        make_private(self.state_dir, variable="RECAPD_STATE_DIR")
        if self.below_home:
            from .own_folder import settle

            self.runtime_dir = settle(self.runtime_dir, self.below_home)
        make_private(self.runtime_dir)


def places(environ: Mapping[str, str] | None = None) -> Places:
    """The folders that this environment implies; none is created or checked."""
    environ = os.environ if environ is None else environ
    state_dir = _state_dir(environ)
    if given := _given_runtime_dir(environ):
        return Places(given, state_dir)
    below_home = os.path.join(state_dir, "run", _host())
    return Places(recorded_for(below_home) or below_home, state_dir, below_home=below_home)


def recorded_for(below_home: str) -> str:
    """The folder that is used in place of one below the home; "" where there is no record of ours that names one."""
    try:
        path = os.fsdecode(read_private(below_home + RECORD, most=_LONGEST_RECORD)).rstrip("\n")
    except (OSError, NotPrivate):
        return ""
    return path if os.path.isabs(path) and path.isprintable() else ""


def check_socket_path(path: str) -> str:
    """The path, if the kernel can bind it."""
    size = len(os.fsencode(path))
    if size > MAX_SOCKET_BYTES:
        raise NotPrivate(
            f"The socket's path {path} is {size} bytes long and may have {MAX_SOCKET_BYTES}",
            "set RECAPD_RUNTIME_DIR to a shorter folder.",
        )
    return path


def is_text(path: str) -> bool:
    """Whether a name is UTF-8; Python has stand-ins for the bytes that are not."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _given_runtime_dir(environ: Mapping[str, str]) -> str:
    """The folder that the user or the system has for this, "" where there is none."""
    if own := environ.get("RECAPD_RUNTIME_DIR"):
        return os.path.abspath(own)
    # Cron, ssh and su often lack the variable: without the second place their daemon would be another one.
    for base in (environ.get("XDG_RUNTIME_DIR"), f"/run/user/{os.geteuid()}"):
        if base and _is_ours(base):
            return os.path.join(base, "recapd")
    return ""


def _state_dir(environ: Mapping[str, str]) -> str:
    if own := environ.get("RECAPD_STATE_DIR"):
        return os.path.abspath(own)
    if base := environ.get("XDG_STATE_HOME"):
        return os.path.join(os.path.abspath(base), "recapd")
    home = environ.get("HOME") or os.path.expanduser("~")
    is_mac = sys.platform == "darwin"
    below = ("Library", "Application Support") if is_mac else (".local", "state")
    # In a container a user may have no home; what is relative would be another folder for every process.
    return os.path.join(home if os.path.isabs(home) else "/", *below, "recapd")


def _host() -> str:
    """This machine's name, fit for a path; without the domain, which a laptop changes with the network it is in."""
    name = os.uname().nodename.partition(".")[0][:_LONGEST_HOST]
    return "".join(each if each.isascii() and each.isalnum() else "-" for each in name) or "-"


def _is_ours(folder: str) -> bool:
    """With sudo the variable may still name the folder of somebody else."""
    try:
        found = os.stat(folder)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()
