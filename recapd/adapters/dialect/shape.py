"""What a user may say about a further JSONL format, and what is wrong with it where it cannot be meant."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import msgspec
from msgspec import Struct

from recapd.adapters.dialect.paths import path_of
from recapd.core import late_re as re
from recapd.core.trouble import Trouble

Scalar: TypeAlias = str | int | float | bool


class Roles(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Words of the log for each sort of speaker."""

    human: tuple[str, ...] = ("user", "human")
    agent: tuple[str, ...] = ("assistant", "agent", "ai", "model", "bot")
    tool: tuple[str, ...] = ("tool", "function", "tool_result")
    system: tuple[str, ...] = ("system", "developer")


class Calls(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where tool calls stand; paths are taken from each item, or from the line where there is no list."""

    name: str
    items: str = ""
    arguments: str = ""
    id: str = ""


class Results(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where results of tool calls stand; paths as for calls."""

    id: str
    items: str = ""
    text: str | tuple[str, ...] = ()
    # True, an exit code, or a text that is neither empty nor says that all went well.
    failed: str = ""


class Dialect(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A JSONL format described by paths into its lines."""

    name: str
    role: str
    # Several where lines differ: all texts that are found are taken, in this order.
    text: str | tuple[str, ...]
    roles: Roles = Roles()
    # Values that tell the format's lines from others: all must be met, each by one of its values.
    match: dict[str, Scalar | tuple[Scalar, ...]] = {}
    time: str = ""
    session: str = ""
    cwd: str = ""
    id: str = ""
    parent: str = ""
    model: str = ""
    calls: Calls | None = None
    results: Results | None = None


_KEY = "dialect"
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_PATHS = ("role", "time", "session", "cwd", "id", "parent", "model")
_TABLES: dict[str, type[Struct]] = {"roles": Roles, "calls": Calls, "results": Results}
_WORDS = {"`str`": "a text", "`array`": "a list", "`object`": "a table", "`int`": "a number", "`float`": "a number"}
_AT = re.compile(r" - at `(?:key in )?\$([^`]*)`$")
_UNKNOWN = re.compile(r"unknown field `(.*)`")
_MISSING = re.compile(r"missing required field `(.*)`")
_INDEX = re.compile(r"^\[(\d+)\]\.?")


class BadDialect(ValueError):
    """A dialect that cannot be used."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(str(trouble))
        self.trouble = trouble


def dialects_from(table: object) -> tuple[Dialect, ...]:
    """The dialects of a decoded TOML document, or of its `dialect` list.

    BadDialect says which key is wrong and what it takes.
    """
    entries = table.get(_KEY, []) if isinstance(table, Mapping) else table
    try:
        dialects = msgspec.convert(entries, tuple[Dialect, ...])
    except msgspec.ValidationError as error:
        raise BadDialect(_trouble_of(str(error), entries)) from None
    seen: set[str] = set()
    for dialect in dialects:
        if dialect.name in seen:
            raise BadDialect(Trouble(f"dialect “{dialect.name}” is described twice", "each needs a name of its own"))
        seen.add(dialect.name)
        _check(dialect)
    return dialects


def paths_of(dialect: Dialect) -> tuple[tuple[str, str], ...]:
    """Every path of the dialect with the key it stands under; those inside items as they stand in the items."""
    named = [(key, getattr(dialect, key)) for key in _PATHS]
    named += [("text", text) for text in alternatives(dialect.text)]
    named += [(f"match.{path}", path) for path in dialect.match]
    if (calls := dialect.calls) is not None:
        named += [(f"calls.{key}", getattr(calls, key)) for key in ("items", "name", "arguments", "id")]
    if (results := dialect.results) is not None:
        named += [(f"results.{key}", getattr(results, key)) for key in ("items", "id", "failed")]
        named += [("results.text", text) for text in alternatives(results.text)]
    return tuple((key, path) for key, path in named if path)


def alternatives(paths: str | tuple[str, ...]) -> tuple[str, ...]:
    return (paths,) if isinstance(paths, str) else paths


def _check(dialect: Dialect) -> None:
    if not _NAME.fullmatch(dialect.name):
        what = f"dialect “{dialect.name}”: name takes up to 40 lower-case letters, digits and hyphens, like my-agent"
        raise BadDialect(Trouble(what))
    for key in ("role", "text"):
        if not alternatives(getattr(dialect, key)) or not all(alternatives(getattr(dialect, key))):
            what = f"dialect “{dialect.name}”: {key} is empty"
            raise BadDialect(Trouble(what, f"it takes the path of a line's {key}"))
    for key, path in paths_of(dialect):
        try:
            path_of(path)
        except ValueError as error:
            raise BadDialect(Trouble(f"dialect “{dialect.name}”: {key}: {error}")) from None
    words = [word for key in Roles.__struct_fields__ for word in getattr(dialect.roles, key)]
    if doubled := next((word for word in words if words.count(word) > 1), None):
        what = f"dialect “{dialect.name}”: roles: “{doubled}” is listed twice"
        raise BadDialect(Trouble(what, "a word has one meaning"))


def _trouble_of(message: str, entries: object) -> Trouble:
    found = _AT.search(message)
    problem, where = (message[: found.start()], found[1]) if found else (message, "")
    if (index := _INDEX.match(where)) is None:
        return Trouble(f"{_KEY} is not a list of tables", f"write each dialect under a heading [[{_KEY}]]")
    keys = where[index.end() :].replace("[...]", "").strip(".")
    dialect = f"{_KEY} {_name(entries, int(index[1]))}"
    shape = _TABLES.get(keys, Dialect)
    if unknown := _UNKNOWN.search(problem):
        key = f"{keys}.{unknown[1]}".lstrip(".")
        return Trouble(f"{dialect}: there is no key {key}", f"known here are {', '.join(shape.__struct_fields__)}")
    if missing := _MISSING.search(problem):
        key = f"{keys}.{missing[1]}".lstrip(".")
        return Trouble(f"{dialect}: {key} is missing", f"it takes {'a name to show' if key == 'name' else 'a path'}")
    for word, plain in _WORDS.items():
        problem = problem.replace(word, plain)
    return Trouble(f"{dialect}: {keys or 'the entry'}: {problem[:1].lower()}{problem[1:]}")


def _name(entries: object, index: int) -> str:
    entry = entries[index] if isinstance(entries, (list, tuple)) and index < len(entries) else None
    name = entry.get("name") if isinstance(entry, Mapping) else None
    return f"“{name}”" if isinstance(name, str) and name else f"number {index + 1}"
