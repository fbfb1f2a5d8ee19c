"""Starting the daemon, and connecting to it wherever it comes from.

    starter ──fork, exec──▶ recapd serve ──fork──▶ the daemon (own session, cwd /, no terminal)
       ▲                                              │ takes the lock, binds, …
       └───────────── one line on a pipe ◀────────────┘ READY | FAILED and a sentence

Nothing is slept for: the starter waits for that line, and the pipe's end tells it that the daemon is gone.
"""

from __future__ import annotations

import os
import select
import sys
import time

from .agents import AGENTS
from .errors import ClientError, ConnectionLost, NotPrivate, NotRunning, OtherVersion, StartFailed
from .find import Address, reach
from .paths import Places, places
from .private import open_private
from .version import REFUSE, REPLACE, __version__, judge_version

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket
    from collections.abc import Mapping, Sequence

READY_FD = "RECAPD_READY_FD"
# What the line begins with.
READY = "ready"
FAILED = "error:"
# A cold start on a loaded machine takes some seconds; one that takes this long will not come.
START_TIMEOUT_S = 30.0
# The daemon writes what is unsaved before it ends.
END_TIMEOUT_S = 15.0
MAX_LOG_BYTES = 1 << 20
# More rounds than two daemons that replace each other and a lost race need.
_ATTEMPTS = 4
# Where daemons were before there was a folder below the home.
_FORMER = "/tmp/recapd"

_SYSTEM = ("PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR")
_PYTHONS = ("PYTHONPATH", "PYTHONHOME")
_LOADERS = (*_PYTHONS, "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
_OF_AGENTS = tuple(name for agent in AGENTS for name in agent.passed)
_PASSED = frozenset((*_SYSTEM, *_LOADERS, *_OF_AGENTS))
_PASSED_PREFIXES = ("LC_", "XDG_", "RECAPD_", *(name for name in _OF_AGENTS if name.endswith("_")))
# Where installers put commands, should PATH not say so: an editor's often does not.
_COMMANDS = (
    "~/.local/bin",
    "~/.local/share/uv/tools/recapd/bin",
    "~/.local/share/pipx/venvs/recapd/bin",
    "~/.local/pipx/venvs/recapd/bin",
    "/opt/homebrew/bin",
    "/usr/local/bin",
)
_SECRETIVE = ("KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIAL")


def connect(
    where: Places | None = None, *, start_if_missing: bool = True, argv: Sequence[str] | None = None
) -> socket.socket:
    """A connection to the user's daemon, which is started or replaced where need be; ClientError where none is had."""
    return connect_to(where, start_if_missing=start_if_missing, argv=argv)[1]


def connect_to(
    where: Places | None = None,
    *,
    start_if_missing: bool = True,
    argv: Sequence[str] | None = None,
    version: str = __version__,
) -> tuple[Address, socket.socket]:
    """`connect`, with who answers. Without a `version` (""): a daemon that runs is never replaced."""
    where = where or places()
    replaced = False
    for _ in range(_ATTEMPTS):
        reached = reach(where)
        if reached is not None:
            address, connection = reached
            found = judge_version(address.version, address.protocol_version, version=version) if address.version else ""
            if found == REFUSE:
                connection.close()
                if not version:
                    raise OtherVersion(
                        f"The recapd that runs ({address.version}) speaks another protocol than this client",
                        "upgrade both with pip: recapd and recapd-client",
                    )
                raise OtherVersion(
                    f"The recapd that runs ({address.version}) is newer than this one ({version}) and speaks another "
                    "protocol",
                    "upgrade with: pip install --upgrade recapd",
                )
            if found != REPLACE or replaced:
                return reached
            ask_to_end(address, connection, reason=f"recapd {version} takes over")
            replaced = True
        elif not start_if_missing:
            raise NotRunning("recapd is not running", "start it with: recapd up")
        else:
            _end_former(where)
        start(where, argv=argv)
    raise StartFailed(f"recapd was started {_ATTEMPTS} times and ended each time", f"its log {where.log} says why.")


def _end_former(where: Places) -> None:
    """Without a folder of the system's the socket once was in one that anybody could make: what is ours there ends."""
    if not where.below_home:
        return
    former = Places(f"{_FORMER}-{os.geteuid()}", where.state_dir)
    try:
        reached = reach(former)
    except ClientError:
        # Of somebody else, then.
        return
    if reached is not None:
        ask_to_end(*reached, reason=f"recapd {__version__} serves elsewhere")


def start(
    where: Places | None = None, *, argv: Sequence[str] | None = None, timeout_s: float = START_TIMEOUT_S
) -> None:
    """Start a daemon and wait until one serves: this one, or another that was faster. StartFailed with the reason."""
    import subprocess

    where = where or places()
    where.prepare()
    command = argv or daemon_command()
    reading, writing = os.pipe()
    try:
        log = _open_log(where.log)
        try:
            process = subprocess.Popen(
                command,
                cwd="/",
                env=_environment_of(command, where) | {READY_FD: str(writing)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                pass_fds=(writing,),
                start_new_session=True,
                umask=0o077,
            )
        except OSError as error:
            raise StartFailed(f"recapd could not be started: {error.strerror}.") from None
        finally:
            os.close(log)
            os.close(writing)
            writing = -1
        line = _first_line(reading, timeout_s)
        if line is None:
            process.kill()
        # The daemon has left it by its second fork: without the wait it would stay as a zombie.
        process.wait()
    finally:
        os.close(reading)
        if writing >= 0:
            os.close(writing)
    if line is None:
        raise StartFailed(f"recapd was not ready after {timeout_s:.0f} s", f"its log {where.log} may say why.")
    outcome, _, sentence = line.partition(" ")
    if outcome == READY:
        return
    if outcome == FAILED:
        raise StartFailed(sentence)
    raise StartFailed(f"recapd ended while it started{_last_words(where.log)}", f"its log is {where.log}")


def start_later(where: Places | None = None) -> None:
    """Start a daemon for the next who asks, and wait for nothing: not that it serves, nor that it can."""
    where = where or places()
    try:
        where.prepare()
        command = daemon_command()
        log = _open_log(where.log)
    except ClientError:
        return
    environ = _environment_of(command, where)
    # Nothing of this process is kept open: an agent waits for the end of what its hooks write.
    nothing = os.open(os.devnull, os.O_RDWR)
    child = os.fork()
    if child:
        os.close(log)
        os.close(nothing)
        # It has a child of its own, which is nobody's, and is gone at once.
        os.waitpid(child, 0)
        return
    try:
        os.setsid()
        if os.fork():
            os._exit(0)
        os.chdir("/")
        os.umask(0o077)
        for theirs, ours in ((nothing, 0), (nothing, 1), (log, 2)):
            os.dup2(theirs, ours)
        os.closerange(3, max(256, nothing + 1, log + 1))
        os.execve(command[0], command, environ)
    finally:
        os._exit(1)


def _environment_of(command: Sequence[str], where: Places) -> dict[str, str]:
    environ = environment_for_daemon(os.environ)
    if command[0] != sys.executable:
        # What this interpreter imports is not for another's.
        environ = {name: value for name, value in environ.items() if name not in _PYTHONS}
    return environ | {"RECAPD_RUNTIME_DIR": where.runtime_dir, "RECAPD_STATE_DIR": where.state_dir}


def daemon_command() -> list[str]:
    """What starts the daemon: this interpreter where it can, as the client alone may be installed in it, else the
    command a person would type. StartFailed where there is none."""
    if _can_serve():
        return [sys.executable, "-m", "recapd", "serve", "--socket"]
    folders = (*os.environ.get("PATH", "").split(os.pathsep), *map(os.path.expanduser, _COMMANDS))
    for folder in folders:
        path = os.path.join(folder, "recapd")
        if os.path.isabs(path) and os.path.isfile(path) and os.access(path, os.X_OK):
            return [path, "serve", "--socket"]
    raise StartFailed("There is no recapd command to start", "install it with: pipx install recapd")


def _can_serve() -> bool:
    from importlib.util import find_spec

    # A program that has Python inside is not started like Python.
    is_python = os.path.basename(sys.executable or "").startswith(("python", "pypy"))
    has_recapd = find_spec("recapd") is not None and find_spec("recapd.daemon") is not None
    return is_python and has_recapd and find_spec("msgspec") is not None


def ask_to_end(address: Address, connection: socket.socket, *, reason: str, timeout_s: float = END_TIMEOUT_S) -> None:
    """Ask the daemon to end, and wait until it has left this connection; closes it. OtherVersion where it stays."""
    from .call import ANSWER_S, Connection
    from .errors import CallError

    asked = Connection(connection)
    try:
        asked.call("recapd/shutdown", {"reason": reason}, timeout_s=min(timeout_s, ANSWER_S))
        asked.wait_for_end(timeout_s)
    except ConnectionLost:
        return
    except (CallError, ClientError):
        raise OtherVersion(
            f"The recapd that runs (pid {address.pid}) does not end", f"end it with: kill {address.pid}"
        ) from None
    finally:
        asked.close()


def environment_for_daemon(environ: Mapping[str, str]) -> dict[str, str]:
    """What the daemon needs of a client's environment: it outlives the client, so keys and tokens stay behind.

    RECAPD_PASS_ENV names more variables to pass, such as the key of a model that was configured.
    """
    wanted = set(environ.get("RECAPD_PASS_ENV", "").replace(",", " ").split())
    passed = {
        name: value
        for name, value in environ.items()
        if name in wanted or name in _PASSED or (name.startswith(_PASSED_PREFIXES) and not _is_secretive(name.upper()))
    }
    passed.pop(READY_FD, None)
    package = os.path.abspath(__file__)
    # `recapd.client.start`, or `recapd_client.start` where the client alone is installed.
    for _ in __name__.split("."):
        package = os.path.dirname(package)
    if os.path.basename(package) not in ("site-packages", "dist-packages"):
        # A checkout is found by the client's folder or path, and the daemon has neither.
        known = passed.get("PYTHONPATH", "").split(os.pathsep)
        passed["PYTHONPATH"] = os.pathsep.join([package, *(path for path in known if path not in ("", package))])
    return passed


def _is_secretive(name: str) -> bool:
    """Settings have names such as RECAPD_SUMMARY_MAX_TOKENS: of ours only those that end so hold a secret."""
    if name.startswith("RECAPD_"):
        return name.endswith(_SECRETIVE)
    return any(word in name for word in _SECRETIVE)


def _open_log(path: str) -> int:
    """The log to append to; a long one is set aside first."""
    try:
        if os.lstat(path).st_size > MAX_LOG_BYTES:
            os.replace(path, path + ".1")
    except OSError:
        pass
    try:
        # Waits for nobody to read it, should it be a pipe.
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)
    except OSError as error:
        raise StartFailed(f"recapd's log {path} cannot be written: {error.strerror}", "remove what is there.") from None
    os.set_blocking(fd, True)
    return fd


def _first_line(reading: int, timeout_s: float) -> str | None:
    """What the daemon says, "" where it ended without a word, None where it stayed silent."""
    deadline = time.monotonic() + timeout_s
    said = b""
    while b"\n" not in said:
        ready, _, _ = select.select([reading], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return None
        data = os.read(reading, 4096)
        if not data:
            break
        said += data
    return said.partition(b"\n")[0].decode("utf-8", "replace").strip()


def _last_words(log: str) -> str:
    """The log's last line, for a daemon that could not say more: an import that failed, a signal."""
    try:
        with open(open_private(log), "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - 2000))
            lines = file.read(2000).decode("utf-8", "replace").strip().splitlines()
    except (OSError, NotPrivate):
        return ""
    return f" ({lines[-1][:200]})" if lines else ""
