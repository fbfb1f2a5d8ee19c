"""Configurations for tests: files in a folder of the test's own, read as the daemon reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args, get_origin

import msgspec

from recapd.core.settings import Settings
from recapd.daemon.config.configuration import Configuration, read_configuration
from recapd.daemon.config.layers import WORKSPACE_FILE
from recapd.daemon.config.setting_keys import Key, Value


def read(folder: Path, text: str = "", **environ: str) -> Configuration:
    """The configuration that a user's file and an environment give."""
    path = folder / "config.toml"
    path.write_text(text)
    return read_configuration(str(path), environ)


def in_workspace(folder: Path, text: str, *, user: str = "", **environ: str) -> Configuration:
    """The same, with a file in the workspace, which is the folder itself."""
    (folder / WORKSPACE_FILE).write_text(text)
    return read(folder, user, **environ)


def value_of(settings: Settings, name: str) -> object:
    section, _, field = name.partition(".")
    return getattr(getattr(settings, section), field)


def other_values(key: Key) -> list[Value]:
    """Values besides the default that a key should take, by its type alone."""
    kind: object = key.type
    base = get_args(kind)[0] if hasattr(kind, "__metadata__") else kind
    if base is bool:
        return [not key.default]
    if get_origin(base) is Literal:
        return [each for each in get_args(base) if each != key.default]
    candidates: list[Value] = [1, 2, 16, 0.5, 9_000, "/srv/x", "claude-next", ("/srv/x",), ("user",), "SOME_NAME"]
    candidates += ["https://example.invalid/v1"]
    return [each for each in candidates if each != key.default and takes(key, each)]


def takes(key: Key, value: Value) -> bool:
    try:
        return bool(msgspec.convert(value, key.type) == value)
    except msgspec.ValidationError:
        return False
