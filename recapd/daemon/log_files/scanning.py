"""Where the agents keep their logs, which there are below these roots, and which of them changed. Looking runs in a
thread and reads no file.

No link below a root is followed: what it points to lies below a root anyway, or was never given to recapd. The root
itself may be a link.
"""

from __future__ import annotations

import fnmatch
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from recapd.client import agents
from recapd.client.agents import ANY_FILE_NAMES, file_names_of
from recapd.daemon.log_files.tail import Stamp, stamp_of


class Root(Struct, frozen=True):
    """A directory that one agent writes its sessions below."""

    agent: str
    path: Path


def default_roots(environ: Mapping[str, str], home: Path) -> tuple[Root, ...]:
    """The roots the agents themselves would use in this environment."""
    return tuple(Root(agent, Path(path)) for agent, path in agents.default_roots(environ, str(home)))


def roots_or_default(named: Sequence[Path]) -> tuple[Root, ...]:
    """The roots that somebody named, or where there are none, those of this process's environment."""
    return tuple(Root("", path) for path in named) or default_roots(os.environ, Path.home())


# The deepest known logs lie five folders below their root; a root that a user names may be a whole workspace.
MAX_DEPTH = 12
# Ten times the logs of the busiest known machine: a root that is somebody's home must not fill the memory.
MAX_FILES = 200_000
# No agent keeps logs in these, and they hold more files than everything else.
PASSED_OVER = frozenset((".git", "node_modules", ".venv", "__pycache__"))
# Copies that tools leave beside the log they were made from.
DEFAULT_EXCLUSIONS = ("*.uncompressed.jsonl", "*.bak.jsonl", "*.backup.jsonl", "*.bak.json", "*.backup.json")


class Scan(Struct, frozen=True):
    """What lies below the folders that were looked at."""

    # Newest first.
    files: dict[str, Stamp]
    # Files that are new or not as they were known, newest first; then known ones that were not found.
    changed: tuple[str, ...]
    # Folders that could not be read.
    unreadable: int = 0
    # There were more files than are looked at.
    is_cut: bool = False


Wanted: TypeAlias = Callable[[str], bool]


def wanted_in(
    roots: Iterable[Root],
    exclusions: Sequence[str] = DEFAULT_EXCLUSIONS,
    *,
    any_names: tuple[str, ...] = ANY_FILE_NAMES,
) -> Wanted:
    """Whether a path may be a log, by the names that the agents below these roots use, or any may. Roots are real
    paths."""
    rules: dict[str, Callable[[str], re.Match[str] | None]] = {}
    for root in roots:
        rules.setdefault(folder_prefix(str(root.path)), _any_of(file_names_of(root.agent, any_names)))
    is_excluded = _any_of(exclusions)

    def is_wanted(path: str) -> bool:
        # The innermost root that a path lies below is the one that counts. However many there are: a path has few
        # folders above it.
        end = len(path)
        while (end := path.rfind(os.sep, 0, end)) >= 0:
            if (is_name := rules.get(path[: end + 1])) is not None:
                name = os.path.basename(path)
                return is_name(name) is not None and is_excluded(name) is None and is_excluded(path) is None
        return False

    return is_wanted


def folder_prefix(folder: str) -> str:
    """What every path below the folder begins with."""
    return folder.rstrip(os.sep) + os.sep


@lru_cache(maxsize=64)
def _matching(patterns: tuple[str, ...]) -> Callable[[str], re.Match[str] | None]:
    # Without any pattern nothing matches.
    return re.compile("|".join(map(fnmatch.translate, patterns)) or r"(?!)").match


def _any_of(patterns: Iterable[str]) -> Callable[[str], re.Match[str] | None]:
    return _matching(tuple(sorted(patterns)))


def count_folders(root: str, *, most: int) -> int:
    """How many folders lie below a root, itself included; more than `most` where there are more, or too many files to
    look through."""
    count = entries = 0
    pending = [root]
    while pending and count <= most:
        count += 1
        try:
            with os.scandir(pending.pop()) as found:
                for entry in found:
                    entries += 1
                    if entries > MAX_FILES:
                        return most + 1
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
        except OSError:
            continue
    return count


def scan(folders: Iterable[str], known: Mapping[str, Stamp], *, is_wanted: Wanted, max_depth: int = MAX_DEPTH) -> Scan:
    """Logs below the folders, as they are now and against what is known of them. What is no folder holds nothing."""
    found: dict[str, Stamp] = {}
    unreadable = 0
    prefixes: list[str] = []
    for folder in folders:
        prefixes.append(folder_prefix(folder))
        for step in _walk(folder, max_depth, is_wanted):
            if step is None:
                unreadable += 1
            elif len(found) < MAX_FILES:
                found[step[0]] = step[1]
    files = dict(sorted(found.items(), key=lambda item: -item[1].mtime_ns))
    changed = [path for path, stamp in files.items() if known.get(path) != stamp]
    below = tuple(prefixes)
    changed += [path for path in known if path not in files and path.startswith(below)]
    return Scan(files, tuple(changed), unreadable, len(found) >= MAX_FILES)


def _walk(folder: str, depth: int, is_wanted: Wanted) -> Iterator[tuple[str, Stamp] | None]:
    """Files with their stamps; None for every folder that could not be read."""
    pending = [(folder, depth)]
    while pending:
        folder, depth = pending.pop()
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        if depth and entry.name not in PASSED_OVER:
                            pending.append((entry.path, depth - 1))
                    elif is_wanted(entry.path) and (stamp := _stamp_of(entry)) is not None:
                        yield entry.path, stamp
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError:
            yield None


def _stamp_of(entry: os.DirEntry[str]) -> Stamp | None:
    """The stamp of a regular file; None for anything else, and for a file that is gone already."""
    try:
        found = entry.stat(follow_symlinks=False)
    except OSError:
        return None
    return stamp_of(found) if stat.S_ISREG(found.st_mode) else None
