"""Where the agents keep their session logs on this machine."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from recapd.client import agents


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
