"""The keys of the configuration: what each takes, and whether a value is that. All of it read off core.settings.

Knows no file and no environment; a sentence made here names the key, its caller names where it stands.
"""

from __future__ import annotations

import difflib
import math
import types
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Annotated, Literal, TypeAlias, get_args, get_origin

import msgspec
from msgspec import Meta, Struct

from recapd.core.settings import Settings
from recapd.core.text import excerpt

Value: TypeAlias = bool | int | float | str | tuple[str, ...]

# Clients read numbers as JavaScript does.
LARGEST = 2**53 - 1
# Not only a name may be pasted where a key's name belongs: values of these are never quoted back.
_NEVER_QUOTED = frozenset({"llm"})
_QUOTED_CHARACTERS = 40
_LONGEST_NAME = 80


class Key(Struct, frozen=True):
    """One setting."""

    section: str
    field: str
    type: object
    default: Value

    @property
    def name(self) -> str:
        return f"{self.section}.{self.field}"

    @property
    def variable(self) -> str:
        """The environment variable that overrides it."""
        return f"RECAPD_{self.section}_{self.field}".upper()


class Rejected(Struct, frozen=True):
    """Why a value is not taken, in one sentence without a full stop."""

    why: str


@cache
def keys() -> dict[str, Key]:
    """Every setting by its dotted name, in the order of the file."""
    found = [
        Key(section.name, field.name, field.type, field.default)
        for section in msgspec.structs.fields(Settings)
        for field in msgspec.structs.fields(section.type)
    ]
    return {key.name: key for key in found}


@cache
def sections() -> tuple[str, ...]:
    return tuple(field.name for field in msgspec.structs.fields(Settings))


def check_value(key: Key, given: object) -> Value | Rejected:
    """The value as the settings take it."""
    fitting = _fitting(key, given)
    return fitting if fitting is not None else Rejected(f"expected {describe_accepted(key)}, got {_told(key, given)}")


def check_text(key: Key, text: str) -> Value | Rejected:
    """The same for an environment variable, where everything is text."""
    base = _base(key.type)
    given: object = text
    if base is bool:
        given = _BOOLEANS.get(text.strip().lower(), text)
    elif base in (int, float):
        given = _number(text)
    elif get_origin(base) is tuple:
        given = [part.strip() for part in text.split(",") if part.strip()]
    return check_value(key, given)


def describe_accepted(key: Key) -> str:
    """What a key takes, in words."""
    return _accepted(key.type)


def find_closest(name: str, known: Iterable[str]) -> str | None:
    """The known name that was probably meant: spelled nearly so, or the same but for its section or its signs."""
    known = list(known)
    plain = {_plain(each): each for each in reversed(known)}
    if same := plain.get(_plain(name)):
        return same
    tails = {_plain(each.rpartition(".")[2]): each for each in reversed(known)}
    near = difflib.get_close_matches(name, known, n=1)
    return near[0] if near else tails.get(_plain(name.rpartition(".")[2]))


def shown_name(name: str) -> str:
    """A key as a file spells it, fit for a sentence: the file may be anybody's."""
    return excerpt(name, _LONGEST_NAME) or "(empty)"


_BOOLEANS = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}


def _fitting(key: Key, given: object) -> Value | None:
    # What TOML calls 3 is meant where 3.0 is taken, and not the other way round.
    if isinstance(given, float) and not math.isfinite(given):
        return None
    if isinstance(given, int) and abs(given) > LARGEST:
        return None
    if isinstance(given, (str, list, tuple)) and not all(map(_is_plain, [given] if isinstance(given, str) else given)):
        return None
    try:
        value: Value = msgspec.convert(given, key.type)
    except msgspec.ValidationError:
        return None
    return value


def _is_plain(item: object) -> bool:
    """Folders and names hold no control characters, and those that do are not to be trusted."""
    return not isinstance(item, str) or item.isprintable()


def _number(text: str) -> object:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text


def _base(kind: object) -> object:
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def _accepted(kind: object) -> str:
    metas = [each for each in get_args(kind)[1:] if isinstance(each, Meta)] if get_origin(kind) is Annotated else []
    if described := next((each.description for each in metas if each.description), None):
        return described
    base = _base(kind)
    if get_origin(base) is tuple:
        return f"a list, each {_accepted(get_args(base)[0])}"
    if get_origin(base) is Literal:
        return "one of " + ", ".join(f'"{value}"' for value in get_args(base))
    words = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
    word = next((text for known, text in words.items() if base is known), "a value")
    return word + "".join(map(_bounds, metas))


def _bounds(meta: Meta) -> str:
    low = meta.ge if meta.ge is not None else meta.gt
    if meta.ge is not None and meta.le is not None:
        return f" from {meta.ge} to {meta.le}"
    least = "" if low is None else f" of at least {low}" if meta.ge is not None else f" above {low}"
    most = "" if meta.le is None else f" and at most {meta.le}" if least else f" of at most {meta.le}"
    return least + most


def _told(key: Key, given: object) -> str:
    if isinstance(given, (list, tuple)):
        wrong = next((item for item in given if _fitting(key, [item]) is None), None)
        return f"a list with {_told(key, wrong)} in it" if wrong is not None else "a list"
    if isinstance(given, bool):
        return str(given).lower()
    if isinstance(given, int) and abs(given) > LARGEST:
        return "a number too large"
    if isinstance(given, (int, float)):
        return str(given)
    if isinstance(given, str):
        return "a text" if key.section in _NEVER_QUOTED else f'"{excerpt(given, _QUOTED_CHARACTERS)}"'
    return "a table" if isinstance(given, Mapping) else "nothing" if isinstance(given, types.NoneType) else "a date"


def _plain(name: str) -> str:
    """`recap.short.maxTokens` and `recap.short_max_tokens` are the same to whoever mixes up the signs."""
    return "".join(character for character in name.lower() if character.isalnum())
