"""`recapd doctor`: what recapd needs of this machine, checked without changing anything.

A check is a function that yields findings; each says what was found and, unless it is well, what to do.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Literal

from msgspec import Struct

from recapd import __version__
from recapd.cli.terminal import below_home, fill, paint
from recapd.client.agents import default_roots
from recapd.client.call import ANSWER_S, Connection
from recapd.client.errors import CallError, ClientError, NotPrivate, NotRecapd, what_to_do
from recapd.client.find import reach
from recapd.client.holder import holder_of
from recapd.client.paths import Places, check_socket_path, places
from recapd.client.private import check_private, open_private
from recapd.client.version import USE, judge_version
from recapd.daemon.config import config_path, read_configuration, resolve_folders

Level = Literal["ok", "warn", "fail"]

_COLOURS: dict[Level, str] = {"ok": "32", "warn": "33", "fail": "1;31"}
_PACKAGES = ("msgspec", "anyio", "pygls", "lsprotocol", "watchfiles")
# Other programs of the user watch folders too: an editor takes tens of thousands.
_WATCHES_LEFT_TO_OTHERS = 0.5
_FEW_INSTANCES = 16
_FEW_OPEN_FILES = 512
_LOG_TAIL_BYTES = 64 << 10
_INOTIFY = Path("/proc/sys/fs/inotify")


class Diagnosis(Struct, frozen=True):
    level: Level
    text: str
    # What to do about it.
    action: str = ""


def doctor_command(args: argparse.Namespace) -> int:
    levels: list[Level] = []
    for check in CHECKS:
        for found in check(places()):
            lead = f"{found.level:<6}"
            told = fill(sys.stdout, found.text, lead=lead).removeprefix(lead)
            sys.stdout.write(paint(sys.stdout, lead, _COLOURS[found.level]) + told + "\n")
            if found.action:
                sys.stdout.write(fill(sys.stdout, found.action, lead="      → ") + "\n")
            levels.append(found.level)
    # Nearest to where somebody types next: whether there is anything to do.
    worst: Level = "fail" if "fail" in levels else "warn" if "warn" in levels else "ok"
    amiss = len(levels) - levels.count("ok")
    summary = f"{_counted(amiss, 'thing')} to look at, marked above." if amiss else "All is well."
    sys.stdout.write(f"\n{paint(sys.stdout, summary, _COLOURS[worst])}\n")
    sys.stdout.flush()
    return int(worst == "fail")


def check_versions(where: Places) -> Iterator[Diagnosis]:
    yield Diagnosis("ok", f"recapd {__version__}, Python {platform.python_version()}, {platform.system()}")
    for name in _PACKAGES:
        try:
            metadata.version(name)
        except metadata.PackageNotFoundError:
            yield Diagnosis("fail", f"the package {name} is missing", "pip install --upgrade recapd")


def check_configuration(where: Places) -> Iterator[Diagnosis]:
    path = config_path()
    troubles = read_configuration().troubles(os.getcwd())
    for trouble in troubles:
        yield Diagnosis("fail", f"of the configuration this does not count: {trouble}", "see: recapd config --explain")
    if not troubles:
        yield Diagnosis(
            "ok", f"configuration {_shown(path)}" if path.exists() else "no configuration file, and none is needed"
        )


def check_folders(where: Places) -> Iterator[Diagnosis]:
    for path, variable in ((where.runtime_dir, "RECAPD_RUNTIME_DIR"), (where.state_dir, "RECAPD_STATE_DIR")):
        try:
            is_there = where.is_there() if path == where.runtime_dir else os.path.lexists(path)
            if is_there:
                check_private(path, variable=variable)
        except NotPrivate as error:
            yield Diagnosis("fail", error.message, error.action)
        else:
            yield Diagnosis("ok", f"{_shown(path)} {'is private' if is_there else 'will be made at the first start'}")
    if where.below_home:
        # Where no socket can be there, another folder is found at the first start.
        return
    try:
        check_socket_path(where.socket + "~")
    except NotPrivate as error:
        yield Diagnosis("fail", error.message, error.action)


def check_daemon(where: Places) -> Iterator[Diagnosis]:
    try:
        reached = reach(where)
    except ClientError as error:
        yield Diagnosis("fail", error.message, error.action)
        return
    if reached is None:
        if (pid := holder_of(where.lock)) is not None:
            yield Diagnosis("fail", f"process {pid} holds the lock and does not serve", f"kill {pid}, then: recapd up")
        elif os.path.exists(where.about):
            yield Diagnosis("ok", "no daemon runs; what a killed one left behind is replaced at the next start")
        else:
            yield Diagnosis("ok", "no daemon runs; it is started when it is needed, or by: recapd up")
        return
    address, connection = reached
    if address.version and judge_version(address.version, address.protocol_version) != USE:
        yield Diagnosis("warn", f"the daemon is of version {address.version}", "recapd down, then: recapd up")
    with Connection(connection) as asked:
        try:
            status = asked.call("recapd/status", {"limit": 1}, timeout_s=ANSWER_S)
            if not isinstance(status, dict) or "health" not in status:
                raise NotRecapd
        except NotRecapd as error:
            yield Diagnosis("fail", error.message, error.action)
            return
        except (CallError, ClientError):
            yield Diagnosis("fail", f"the daemon (pid {address.pid}) does not answer", what_to_do(address.pid))
            return
    if status["health"] == "ok":
        yield Diagnosis("ok", f"the daemon (pid {address.pid}, version {address.version}) answers and is well")
        return
    yield Diagnosis("warn", f"the daemon (pid {address.pid}) answers and is not quite well", "recapd status")
    yield from list_troubles(status)


def list_troubles(status: object) -> Iterator[Diagnosis]:
    """What the daemon itself finds amiss; an older one says no more than a sentence."""
    said = status if isinstance(status, dict) else {}
    listed = said.get("findings")
    found = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    for each in found or [{"level": "warning", "message": said.get("message") or "it does not say why"}]:
        # Of the configuration the check before says the same, and for this shell's environment too.
        if each.get("level") != "notice" and each.get("kind") != "configuration":
            yield Diagnosis("warn", str(each.get("message")), str(each.get("action") or ""))


def check_roots(where: Places) -> Iterator[Diagnosis]:
    present = 0
    for agent, path in _all_roots():
        if not os.path.isdir(path):
            continue
        present += 1
        if not os.access(path, os.R_OK | os.X_OK):
            yield Diagnosis("fail", f"{path} ({agent}) may not be read", f"chmod u+rx {path}")
            continue
        below, closed = _folders_below(path)
        yield Diagnosis("ok", f"{_shown(path)} ({agent}), {_counted(below, 'folder')}")
        if closed:
            yield Diagnosis(
                "warn", f"{_counted(closed, 'folder')} below {path} may not be read", f"chmod -R u+rX {path}"
            )
    if not present:
        yield Diagnosis("warn", "no agent has written logs on this machine", "see what recapd does: recapd demo")


def check_watching(where: Places) -> Iterator[Diagnosis]:
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < _FEW_OPEN_FILES:
        yield Diagnosis("warn", f"a process may open only {soft} files", f"ulimit -n {2 * _FEW_OPEN_FILES}")
    if not _INOTIFY.is_dir():
        return
    needed = sum(_folders_below(path)[0] for _, path in _all_roots())
    watches = _limit(_INOTIFY / "max_user_watches", Path("/proc/sys/user/max_inotify_watches"))
    if watches is not None and needed > watches * _WATCHES_LEFT_TO_OTHERS:
        yield Diagnosis(
            "warn",
            f"{needed} folders are to be watched and the limit for all programs is {watches}; "
            "what passes it is noticed later, by looking",
            f"sudo sysctl fs.inotify.max_user_watches={max(524_288, 4 * needed)}",
        )
    elif watches is not None:
        yield Diagnosis("ok", f"{_counted(needed, 'folder')} to watch, {watches:,} allowed")
    instances = _limit(_INOTIFY / "max_user_instances", Path("/proc/sys/user/max_inotify_instances"))
    if instances is not None and instances < _FEW_INSTANCES:
        yield Diagnosis(
            "warn", f"only {instances} programs may watch folders", "sudo sysctl fs.inotify.max_user_instances=128"
        )


def check_own_log(where: Places) -> Iterator[Diagnosis]:
    try:
        with open(open_private(where.log), "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _LOG_TAIL_BYTES))
            lines = file.read(_LOG_TAIL_BYTES).splitlines()
    except NotPrivate as error:
        yield Diagnosis("fail", error.message, error.action)
        return
    except OSError:
        yield Diagnosis("ok", "recapd has no log of its own yet")
        return
    errors = sum(b"ERROR" in line or line.startswith(b"Traceback") for line in lines)
    if errors:
        yield Diagnosis("warn", f"{_counted(errors, 'error')} in the end of recapd's own log", f"look into {where.log}")
    else:
        yield Diagnosis("ok", f"no errors in the end of {_shown(where.log)}")


CHECKS: tuple[Callable[[Places], Iterator[Diagnosis]], ...] = (
    check_versions,
    check_configuration,
    check_folders,
    check_daemon,
    check_roots,
    check_watching,
    check_own_log,
)


def _shown(path: str | Path) -> str:
    """As in every list on a terminal; whole in a pipe."""
    return below_home(str(path)) if sys.stdout.isatty() else str(path)


def _counted(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number} {noun}s"


def _all_roots() -> list[tuple[str, str]]:
    """The agents' own folders, and those of the configuration, which may hold logs of any agent."""
    home = os.environ.get("HOME") or os.path.expanduser("~")
    more = resolve_folders(read_configuration().settings.watch).roots
    return [*default_roots(os.environ, home), *(("any agent", path) for path in more)]


def _folders_below(path: str) -> tuple[int, int]:
    """Folders at and below a path, and how many of them may not be read."""
    closed = 0

    def refused(_: OSError) -> None:
        nonlocal closed
        closed += 1

    return sum(1 for _ in os.walk(path, onerror=refused)), closed if os.path.isdir(path) else 0


def _limit(*files: Path) -> int | None:
    """The smallest of the limits that apply."""
    found = []
    for file in files:
        try:
            found.append(int(file.read_text()))
        except (OSError, ValueError):
            continue
    return min(found, default=None)
