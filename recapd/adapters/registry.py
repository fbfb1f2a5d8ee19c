"""Every format recapd reads, in the order they are tried. Adding a format is adding a line here."""

from __future__ import annotations

from collections.abc import Sequence

from recapd.adapters.base import Adapter, JsonObject, first_objects
from recapd.adapters.claude_code import ADAPTER as CLAUDE_CODE
from recapd.adapters.codex import ADAPTER as CODEX
from recapd.adapters.codex_bare import ADAPTER as CODEX_BARE
from recapd.adapters.pi import ADAPTER as PI

ADAPTERS: tuple[Adapter, ...] = (CLAUDE_CODE, CODEX, CODEX_BARE, PI)
_BY_NAME = {adapter.name: adapter for adapter in ADAPTERS}


def recognise(head: bytes) -> Adapter | None:
    """The adapter for a log that begins with `head`, or None where no format fits."""
    objects: Sequence[JsonObject] = first_objects(head)
    if not objects:
        return None
    return next((adapter for adapter in ADAPTERS if adapter.recognise(objects)), None)


def adapter_named(name: str) -> Adapter:
    return _BY_NAME[name]
