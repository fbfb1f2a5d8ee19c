"""The formats this user's recapd reads: the built-in ones, and dialects described in the configuration."""

from __future__ import annotations

from functools import lru_cache

from recapd.adapters import registry
from recapd.adapters.dialect import adapter_from
from recapd.adapters.shared import Adapter, first_objects
from recapd.daemon.config import config_path, usable_dialects


@lru_cache(maxsize=1)
def dialect_adapters() -> tuple[Adapter, ...]:
    """Adapters for the user's dialects, as far as they can be used."""
    return tuple(adapter_from(dialect) for dialect in usable_dialects(config_path()))


def known_formats() -> tuple[str, ...]:
    return tuple(adapter.name for adapter in (*registry.ADAPTERS, *dialect_adapters()))


def recognise(head: bytes) -> Adapter | None:
    """A dialect is asked first: its author knows the file better than we do."""
    if dialects := dialect_adapters():
        objects = first_objects(head)
        for adapter in dialects:
            if objects and adapter.recognise(objects):
                return adapter
    return registry.recognise(head)


def adapter_named(name: str) -> Adapter:
    return next((adapter for adapter in dialect_adapters() if adapter.name == name), None) or registry.adapter_named(
        name
    )
