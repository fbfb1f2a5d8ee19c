"""What the fuzzer starts from: every adapter there is, and well-formed lines of its format.

Lines come from the adapters' own fixtures and from `shapes`.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
from functools import cache
from pathlib import Path

import recapd.adapters
from recapd.adapters.shared.base import Adapter, first_objects
from recapd.core.log.lines import START, split, unfinished
from tests.fuzz.shapes import SHAPES, built

FIXTURES = Path(__file__).parents[1] / "adapters" / "data"


@cache
def adapters() -> dict[str, Adapter]:
    """Every adapter in the package, also one that is not registered yet."""
    found: dict[str, Adapter] = {}
    for module in pkgutil.walk_packages(recapd.adapters.__path__, "recapd.adapters."):
        adapter = getattr(importlib.import_module(module.name), "ADAPTER", None)
        if isinstance(adapter, Adapter):
            found[adapter.name] = adapter
    return found


@cache
def lines_of() -> dict[str, tuple[bytes, ...]]:
    """Well-formed lines, or pieces of documents, by format; every adapter has some."""
    lines: dict[str, list[bytes]] = {name: [] for name in adapters()}
    for name, shape in SHAPES.items():
        lines.setdefault(name, []).extend(json.dumps(line, ensure_ascii=False).encode() for line in built(shape))
    for path, adapter in fixtures().items():
        data = path.read_bytes()
        if adapter.split is not None:
            lines[adapter.name] += [piece for piece, _ in adapter.split(data).pieces]
            continue
        pieces = split(START, data)
        rest = unfinished(pieces.carry)
        lines[adapter.name] += [line for line, _ in pieces.lines] + ([rest[0]] if rest else [])
    anything = [line for found in lines.values() for line in found]
    return {name: tuple(found or anything) for name, found in lines.items()}


@cache
def fixtures() -> dict[Path, Adapter]:
    """The fixtures that one of the adapters takes for its own."""
    found: dict[Path, Adapter] = {}
    for path in sorted(FIXTURES.rglob("*")):
        if path.is_file() and not path.name.endswith(".expect.json"):
            adapter = recognise(path.read_bytes())
            if adapter is not None:
                found[path] = adapter
    return found


def recognise(head: bytes) -> Adapter | None:
    objects = first_objects(head)
    for adapter in adapters().values():
        if adapter.recognise_head is not None and adapter.recognise_head(head):
            return adapter
    return next((adapter for adapter in adapters().values() if adapter.recognise(objects)), None)
