"""Which agents run, as they say themselves in a folder beside their logs, and whether that is so. Looking runs in a
thread; nothing is kept.

What stands there is as little trusted as a log: only small files of this user count, no links, and a process that is
named must be there and, where the system tells, be the one that began then.
"""

from __future__ import annotations

import errno
import heapq
import os
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from recapd.adapters.registry import ADAPTERS
from recapd.client.agents import presence_folder
from recapd.core.log import seconds_between
from recapd.core.presence import Presence, RunningAgent
from recapd.core.settings import DEFAULTS
from recapd.core.state import Session, is_plain_id
from recapd.daemon.clock import now

# Each running agent has one; some leave theirs behind when they are killed.
MOST_FILES: Final = 256
# They have half a kilobyte.
MOST_BYTES: Final = 1 << 16

# A process that has ended, and that nobody has asked about its end yet.
_DEAD: Final = "dead"
_READERS = {adapter.agent: adapter.read_presence for adapter in ADAPTERS if adapter.read_presence is not None}


class PresenceFolder(Struct, frozen=True):
    """Where an agent says who is there, and the folder of the logs it says that of."""

    agent: str
    path: str
    logs: str
    # Another inode is another folder.
    identity: tuple[int, int]


class Sighting(Struct, frozen=True):
    """Who is there, by session, and what the URIs of the logs begin with of which that is all."""

    present: Mapping[str, Presence]
    attended: tuple[str, ...]
    # By file, for the next look: one that is being written is what it was.
    read: Mapping[str, RunningAgent]


def find_presence_folder(agent: str, logs: str) -> PresenceFolder | None:
    """The folder that belongs to a folder of logs, where the agent has one and it is this user's own."""
    path = presence_folder(agent, logs) if agent in _READERS else ""
    if not path:
        return None
    try:
        found = os.lstat(path)
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid():
            return None
        return PresenceFolder(agent, os.path.realpath(path), os.path.realpath(logs), (found.st_dev, found.st_ino))
    except OSError:
        return None


def look_at(folders: Sequence[PresenceFolder], known: Mapping[str, RunningAgent]) -> Sighting:
    """`known` is what the look before read."""
    present: dict[str, Presence] = {}
    attended: list[str] = []
    read: dict[str, RunningAgent] = {}
    namespace = _own_namespace()
    for folder in folders:
        try:
            paths = _find_latest(folder.path)
        except OSError:
            continue
        attended.append(Path(folder.logs).as_uri() + "/")
        for path in paths:
            agent = _READERS[folder.agent](_read_own(path)) or known.get(path)
            if agent is None or not is_plain_id(agent.session) or not _is_believed(agent, namespace):
                continue
            read[path] = agent
            session_id = f"{folder.agent}:{agent.session}"
            # Two may have gone on with one session: the one that did something last.
            if session_id not in present or present[session_id].since < agent.presence.since:
                present[session_id] = agent.presence
    return Sighting(present, tuple(attended), read)


def _find_latest(folder: str) -> list[str]:
    """The files that were written last, by name: who was killed long ago must not stand in the way of who runs."""
    with os.scandir(folder) as entries:
        written = [(_modified_ns(entry), entry.path) for entry in entries if entry.name.endswith(".json")]
    return sorted(path for _, path in heapq.nlargest(MOST_FILES, written))


def _modified_ns(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat(follow_symlinks=False).st_mtime_ns
    except OSError:
        # It went away meanwhile.
        return 0


def _read_own(path: str) -> bytes:
    """A small regular file of this user; nothing of anything else."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        found = os.fstat(file)
        is_own = stat.S_ISREG(found.st_mode) and found.st_uid == os.geteuid() and found.st_size <= MOST_BYTES
        return os.read(file, MOST_BYTES) if is_own else b""
    except OSError:
        return b""
    finally:
        os.close(file)


def _is_believed(agent: RunningAgent, namespace: str) -> bool:
    if not (agent.namespace and namespace) or agent.namespace == namespace:
        return is_running(agent.pid, agent.started)
    # Nobody can look into a container: what is said there counts as long as a last record would.
    age = seconds_between(agent.presence.since, now())
    return age is not None and age < DEFAULTS.recap.gap_minutes * 60


def _own_namespace() -> str:
    """Of process numbers; "" where the system has none."""
    try:
        return os.readlink("/proc/self/ns/pid")
    except OSError:
        return ""


def is_running(pid: int, started: str) -> bool:
    """Whether the process is there, this user's, and the one that began then, each where the system tells."""
    if not 0 < pid < 1 << 31 or not _is_own(pid):
        return False
    try:
        os.kill(pid, 0)
    except OSError as error:
        # It is there, and not ours to signal.
        return error.errno == errno.EPERM
    found = began(pid)
    return found != _DEAD and (not (started and found) or started == found)


def is_gone(session: Session) -> bool:
    """Whether the process that a hook of the session named is there no more."""
    signal = session.signal
    return signal is not None and bool(signal.pid) and not is_running(signal.pid, signal.pid_started)


def _is_own(pid: int) -> bool:
    """A number from a container may be anybody's process here; only where the system has no word on it, it is own."""
    try:
        return os.stat(f"/proc/{pid}").st_uid == os.geteuid()
    except OSError:
        # Where others' processes are hidden, one's own are not.
        return not os.path.exists("/proc/self")


def began(pid: int) -> str:
    """When a process began, in ticks since the machine did; "" where the system does not tell."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            line = file.read(4096)
    except OSError:
        return ""
    # The name may hold anything; what stands behind it is numbers.
    fields = line.rpartition(b")")[2].split()
    is_dead = bool(fields) and fields[0] in (b"Z", b"X")
    return _DEAD if is_dead else fields[19].decode("ascii", "replace") if len(fields) > 19 else ""
