"""Paths into a JSON value: names joined by dots, `[*]` behind a name for every item of a list. Knows no format."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from recapd.core import late_re as re

# A name, or None for every item of the list.
Step: TypeAlias = str | None
Path: TypeAlias = tuple[Step, ...]

GRAMMAR = "names joined by dots, with [*] behind a name for every item of a list, like message.content[*].text"
_SEGMENT = re.compile(r"([^.\[\]\s]+)((?:\[\*\])*)")

# A shape is shown on one line: nested deeper, or with more keys than this, nobody reads it.
_MAX_DEPTH = 4
_MAX_KEYS = 16
_MAX_NAME = 40


def path_of(text: str) -> Path:
    """The steps of a path; ValueError where the text is none."""
    steps: list[Step] = []
    for segment in text.split("."):
        found = _SEGMENT.fullmatch(segment)
        if found is None:
            raise ValueError(f"“{text}” is not a path: {GRAMMAR}")
        steps.append(found[1])
        steps += [None] * found[2].count("[*]")
    return tuple(steps)


def values_at(value: object, path: Path) -> Iterator[object]:
    """Every value the path leads to, in the order of the log. Null counts as nothing."""
    if not path:
        if value is not None:
            yield value
        return
    step, rest = path[0], path[1:]
    if step is None:
        if isinstance(value, list):
            for item in value:
                yield from values_at(item, rest)
    elif isinstance(value, dict) and step in value:
        yield from values_at(value[step], rest)


def shape_of(value: object, depth: int = 0) -> str:
    """Names and types of a value without anything it says."""
    if isinstance(value, dict):
        if depth == _MAX_DEPTH:
            return "{…}"
        names = [f"{str(key)[:_MAX_NAME]}: {shape_of(item, depth + 1)}" for key, item in [*value.items()][:_MAX_KEYS]]
        return "{" + ", ".join([*names, *(["…"] if len(value) > _MAX_KEYS else [])]) + "}"
    if isinstance(value, list):
        if depth == _MAX_DEPTH:
            return "[…]"
        # Lists repeat themselves: each shape once.
        return "[" + ", ".join(dict.fromkeys(shape_of(item, depth + 1) for item in value[:_MAX_KEYS])) + "]"
    if isinstance(value, str):
        return "text"
    if value is None:
        return "null"
    return "true or false" if isinstance(value, bool) else "number"
