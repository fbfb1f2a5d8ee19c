"""Where the agents keep their session logs on this machine."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from recapd.client import roots


class Root(Struct, frozen=True):
    """A directory that one agent writes its sessions below."""

    agent: str
    path: Path


def default_roots(environ: Mapping[str, str], home: Path) -> tuple[Root, ...]:
    """The roots the agents themselves would use in this environment."""
    return tuple(Root(agent, Path(path)) for agent, path in roots.default_roots(environ, str(home)))
