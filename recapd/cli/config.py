"""`recapd config`: the configuration in effect, where each value comes from, and what every key means."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import TextIO

import msgspec

from recapd.cli.answers import ask
from recapd.cli.markdown import render_lines
from recapd.cli.terminal import (
    below_home,
    fill_lines,
    format_table,
    has_colours,
    paint,
    screen_size,
    screen_width,
    show,
    tell,
    wrap,
)
from recapd.wire.errors import request_failed
from recapd.wire.types import ConfigGetParams, ConfigGetResult, ConfigScalar, ConfigValue

# Below this three columns are no longer readable, and each setting gets two lines.
_NARROW = 72
_WIDEST = 100
_LEAST_WIDTH = 30
_INDENT = "    "


def config_command(args: argparse.Namespace) -> int:
    if args.explain:
        return _print(explain_settings(sys.stdout, args.key))
    folder = os.path.abspath(args.workspace or ".")
    if args.workspace is not None and not os.path.isdir(folder):
        raise request_failed(f"{folder} is no folder; name the folder the agent works in.")
    result = ask("config/get", ConfigGetParams(workspace=folder), ConfigGetResult, use_daemon=not args.no_daemon)
    shown = _asked_for(result.values, args.key)
    if args.json:
        return _print(
            msgspec.json.format(msgspec.json.encode(msgspec.structs.replace(result, values=shown)), indent=2).decode()
        )
    for problem in result.problems:
        tell(f"recapd: {problem}")
    if args.key is not None and [each.key for each in shown] == [args.key]:
        return _print(_told(shown[0].value))
    return _print(config_text(sys.stdout, shown))


def config_text(stream: TextIO, values: Sequence[ConfigValue]) -> str:
    """A table on a wide terminal or in a pipe; two lines for each setting on a narrow one."""
    rows = [(each.key, _told(each.value), _source(each)) for each in values]
    if stream.isatty() and screen_size()[0] < _NARROW:
        text = "\n".join(f"{key}\n  {value or '(empty)'}  ({source})" for key, value, source in rows)
    else:
        lines = format_table(stream, rows).split("\n") if rows else []
        text = "\n".join(_marked(stream, line, each) for line, each in zip(lines, values, strict=True))
    if stream.isatty():
        text += "\n\n" + "\n".join(_last_words(stream, values))
    return text


def _last_words(stream: TextIO, values: Sequence[ConfigValue]) -> list[str]:
    """How many were chosen and in which files, and where to go on; nearest to where somebody types next."""
    files = {each.source: each.path for each in values if each.path is not None and each.source != "preset"}
    chosen = sum(each.source != "default" for each in values)
    told = f"{chosen} of {len(values)} chosen." if chosen else f"All {len(values)} are defaults."
    if len(values) == 1:
        told = ""
    hint = f"{told} What each means, takes, and how it is set: recapd config --explain".strip()
    lines = [f"{source}: {below_home(path)}" for source, path in files.items()]
    return [*lines, *fill_lines(stream, hint, screen_width())]


def explain_settings(stream: TextIO, key: str | None = None) -> str:
    """Every key with its default, what it takes and what it means; of one section or one key where that is named."""
    from recapd.daemon.config import describe_accepted, doc_of, keys, write_toml_value

    chosen = [each for each in keys().values() if key in (None, each.name, each.section)]
    if not chosen:
        raise request_failed(_unknown(key or ""))
    is_seen = stream.isatty()
    width = max(screen_width() if is_seen else _WIDEST, _LEAST_WIDTH) - len(_INDENT)
    parts = []
    for each in chosen:
        doc = doc_of(each)
        lines = render_lines(doc, width=width, has_colours=has_colours(stream)) if is_seen else wrap(doc, width)
        for note in (f"Accepted: {describe_accepted(each)}.", f"Environment: {each.variable}"):
            lines += [paint(stream, line, "2") for line in wrap(note, width)]
        head = f"{paint(stream, each.name, '1')} = {write_toml_value(each.default)}"
        parts.append("\n".join((head, *(_INDENT + line for line in lines))))
    return "\n\n".join(parts)


def _asked_for(values: tuple[ConfigValue, ...], key: str | None) -> tuple[ConfigValue, ...]:
    """One setting, a whole section, or everything."""
    if key is None:
        return values
    found = tuple(each for each in values if each.key == key or each.key.startswith(f"{key}."))
    if not found and key != "preset":
        raise request_failed(_unknown(key))
    return found or (ConfigValue(key="preset", value=None, source="default"),)


def _unknown(key: str) -> str:
    from recapd.daemon.config import find_closest, keys, sections

    found = find_closest(key, (*keys(), *sections()))
    return f"There is no setting {key}; " + (f"did you mean {found}?" if found else "see: recapd config --explain")


def _told(value: ConfigScalar) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ", ".join(value)
    return "" if value is None else str(value)


def _source(entry: ConfigValue) -> str:
    if entry.source != "environment":
        return entry.source
    return f"RECAPD_{entry.key.replace('.', '_')}".upper()


def _marked(stream: TextIO, line: str, entry: ConfigValue) -> str:
    """What somebody chose stands out; of the rest where it comes from stands back."""
    if entry.source != "default":
        return paint(stream, line, "1")
    told = line.removesuffix("default")
    return told + paint(stream, "default", "2") if told != line else line


def _print(text: str) -> int:
    show(text)
    return 0
