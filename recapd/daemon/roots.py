"""Where the agents keep their session logs on this machine."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from recapd.client import roots

LOG_SUFFIXES = (".jsonl",)


class Root(Struct, frozen=True):
    """A directory that one agent writes its sessions below."""

    agent: str
    path: Path


def default_roots(environ: Mapping[str, str], home: Path) -> tuple[Root, ...]:
    """The roots the agents themselves would use in this environment."""
    return tuple(Root(agent, Path(path)) for agent, path in roots.default_roots(environ, str(home)))


def logs_below(folder: Path) -> Iterator[tuple[float, Path]]:
    """Every file below a folder that may be a log, with its time of change; unreadable folders are passed over."""
    for parent, _, names in os.walk(folder):
        for name in names:
            if name.endswith(LOG_SUFFIXES):
                path = Path(parent, name)
                try:
                    yield path.stat().st_mtime, path
                except OSError:
                    continue
