"""Handlers of `config/*`."""

from __future__ import annotations

import msgspec

from recapd.core.text import presentable
from recapd.server.service import Service
from recapd.server.workspaces import folder_of
from recapd.wire.types import ConfigGetParams, ConfigGetResult, ConfigScalar, ConfigValue


def get(service: Service, params: ConfigGetParams) -> ConfigGetResult:
    found = service.configuration(folder_of(params.workspace) if params.workspace is not None else None)
    values = tuple(map(_without_secrets, found.values))
    return msgspec.structs.replace(found, values=values, problems=tuple(map(presentable, found.problems)))


def _without_secrets(entry: ConfigValue) -> ConfigValue:
    """An address may hold a password, and somebody may have pasted a key where its name belongs."""
    return msgspec.structs.replace(entry, key=presentable(entry.key), value=_clean(entry.value))


def _clean(value: ConfigScalar) -> ConfigScalar:
    if isinstance(value, str):
        return presentable(value)
    return tuple(map(presentable, value)) if isinstance(value, tuple) else value
