"""The dialects that a configuration describes: further log formats, without code."""

from __future__ import annotations

import os
from pathlib import Path

from recapd.adapters.dialect import BadDialect, Dialect, dialects_from
from recapd.core.trouble import Trouble
from recapd.daemon.config.toml import bytes_of, document_of


class BadConfiguration(Exception):
    """The configuration cannot be used; the message is one sentence that names the file and the key."""


def config_path() -> Path:
    if named := os.environ.get("RECAPD_CONFIG"):
        return Path(named)
    home = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return home / "recapd" / "config.toml"


def read_dialects(path: Path) -> tuple[Dialect, ...]:
    """The dialects in a configuration file; none where there is no file."""
    try:
        document, problems = document_of(bytes_of(str(path)))
        if problems:
            raise BadConfiguration(f"{path}: {problems[0]}")
        return dialects_from(document)
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise BadConfiguration(f"{path} cannot be used: {error.strerror or error}") from None
    except ValueError as error:
        raise BadConfiguration(f"{path}: {error}") from None


def usable_dialects(path: Path) -> tuple[Dialect, ...]:
    """The same without those that cannot be used, whatever else is wrong with the file: the status says what is."""
    try:
        document, _ = document_of(bytes_of(str(path)))
    except OSError:
        return ()
    return sort_out(document.get("dialect", []))[0]


def sort_out(entries: object) -> tuple[tuple[Dialect, ...], tuple[Trouble, ...]]:
    """The dialects of a decoded list that can be used, and what is wrong with the others."""
    try:
        return dialects_from(entries), ()
    except BadDialect as error:
        troubles = [error.trouble]
    good: list[Dialect] = []
    for entry in entries if isinstance(entries, list) else ():
        try:
            (dialect,) = dialects_from([entry])
        except BadDialect as error:
            troubles.append(error.trouble)
            continue
        if dialect.name not in (known.name for known in good):
            good.append(dialect)
    # The whole list's complaint is that of its first bad entry, which has its number right.
    return tuple(good), (troubles[0], *troubles[2:])
