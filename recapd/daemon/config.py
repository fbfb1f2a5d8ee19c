"""What the user's configuration says about which logs to follow. Dialects stand in the same file, see formats.

[watch]
roots = ["~/shared/logs"]               # folders to follow besides the agents' own
exclude = ["*.old.jsonl", "/scratch/*"] # names or whole paths that are no logs of interest
pause = ["~/work/secret-project"]       # log folders to read nothing more of; what is known stays
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import msgspec
from msgspec import Struct

from recapd.daemon.formats import BadConfiguration


class Watching(Struct, frozen=True, forbid_unknown_fields=True):
    """The `[watch]` table."""

    roots: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    pause: tuple[str, ...] = ()


class _Document(Struct, frozen=True):
    watch: Watching = Watching()


def read_watching(path: Path) -> Watching:
    """BadConfiguration with one sentence that names the file, the key and what is accepted."""
    try:
        document = msgspec.convert(tomllib.loads(path.read_text()), _Document)
    except FileNotFoundError:
        return Watching()
    except (OSError, ValueError) as error:
        raise BadConfiguration(f"{path}: {_told(error)}") from None
    return Watching(
        roots=tuple(map(_expanded, document.watch.roots)),
        exclude=document.watch.exclude,
        pause=tuple(map(_expanded, document.watch.pause)),
    )


def _told(error: Exception) -> str:
    """msgspec says `Expected `array`, got `str` - at `$.watch.roots``; a person reads it the other way round."""
    what, _, where = str(error).partition(" - at `$.")
    return f"{where.rstrip('`')}: {what}" if where else what


def _expanded(folder: str) -> str:
    return os.path.abspath(os.path.expanduser(folder))
