"""Decodes the params of a request into their type, says which field is wrong or too long, and which paths they name.

Owns the translation of msgspec's messages into `path` and `expected`; a path never names more than the caller sent.
"""

import re
from collections.abc import Iterator
from typing import TypeVar

import msgspec
from msgspec import inspect

from recapd.wire.errors import RecapError, invalid_params, parse_error
from recapd.wire.methods import Method
from recapd.wire.types import Wire

# msgspec's own wording, which the tests hold it to: "Expected `int`, got `str` - at `$.session.id`".
_AT = re.compile(r" - at `(?P<path>[^`]*)`$")
_MISSING = re.compile(r"^Object missing required field `(?P<name>[^`]+)`")
_STEP = re.compile(r"\.(?P<name>[^.\[]+)|\[(?P<index>[^\[\]]*)\]")

# What a request may hold. Names, ids and cursors have tens of characters and a path has up to 4096, of which each may
# be three in a URI; a prompt may have a log pasted into it.
MOST_CHARS = 16_384
MOST_PROMPT_CHARS = 262_144
PROMPTS = ("prompt", "currentPrompt", "summary")
MOST_ITEMS = 1_000

P = TypeVar("P", bound=Wire)


def decode_params(row: Method, raw: bytes) -> Wire:
    """Params of a request to `row`, as `decode_as` gives them."""
    return decode_as(row.params, raw)


def decode_as(params: type[P], raw: bytes) -> P:
    """Params of this type; absent or null ones count as an empty object.

    Raises RecapError -32602 with the path of the bad field, or -32700 where `raw` is not JSON.
    """
    if raw in (b"", b"null"):
        raw = b"{}"
    try:
        found = msgspec.json.decode(raw, type=params)
    except msgspec.ValidationError as error:
        raise _bad_params(params, error) from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise parse_error() from None
    if len(raw) > MOST_ITEMS:
        # Shorter ones have room for nothing that is too long.
        _check_lengths(found, "")
    return found


def _check_lengths(value: object, path: str) -> None:
    match value:
        case str():
            most = MOST_PROMPT_CHARS if path in PROMPTS else MOST_CHARS
            if len(value) > most:
                raise invalid_params(path, f"a string of at most {most} characters")
        case tuple():
            if len(value) > MOST_ITEMS:
                raise invalid_params(path, f"an array of at most {MOST_ITEMS} elements")
            for index, each in enumerate(value):
                _check_lengths(each, f"{path}[{index}]")
        case Wire():
            names = zip(value.__struct_fields__, value.__struct_encode_fields__, strict=True)
            for name, encoded in names:
                _check_lengths(getattr(value, name), f"{path}.{encoded}".removeprefix("."))


def paths_in(row: Method, params: Wire) -> Iterator[tuple[str, str]]:
    """The paths and file URIs in the params of a request to `row`, each after the field it stands in."""
    for field in row.paths:
        for value in _values_at(params, field):
            # A session that is named by a plain string is named by its id, which has no fields.
            if isinstance(value, str):
                yield field, value


def _values_at(holder: object, field: str) -> Iterator[object]:
    """What stands in a field of a field; of each element where one holds several."""
    name, _, rest = field.partition(".")
    found = getattr(holder, name, None)
    for each in found if isinstance(found, tuple) else (found,):
        if rest:
            yield from _values_at(each, rest)
        else:
            yield each


def _bad_params(params: type[Wire], error: msgspec.ValidationError) -> RecapError:
    message = str(error)
    at = _AT.search(message)
    path = at["path"].removeprefix("$") if at else ""
    missing = _MISSING.match(message)
    if missing:
        path = f"{path}.{missing['name']}"
    # A struct's own check (`__post_init__`) says itself what it expected.
    own_words = str(error.__cause__) if isinstance(error.__cause__, ValueError) else ""
    return invalid_params(path.removeprefix("."), own_words or _expected_at(params, path))


def _expected_at(params: type[Wire], path: str) -> str:
    found: inspect.Type = inspect.type_info(params)
    for step in _STEP.finditer(path):
        inner = _step_into(found, step["name"])
        if inner is None:
            break
        found = inner
    return _described(found)


def _step_into(outer: inspect.Type, name: str | None) -> inspect.Type | None:
    """The type of the named field, or of the elements where there is no name; None where `outer` has no such thing."""
    match outer:
        case inspect.Metadata(type=inner):
            return _step_into(inner, name)
        case inspect.UnionType(types=types):
            return next((found for each in types if (found := _step_into(each, name)) is not None), None)
        case inspect.StructType(fields=fields) if name is not None:
            return next((field.type for field in fields if field.encode_name == name), None)
        case inspect.VarTupleType(item_type=item) if name is None:
            return item
    return None


def _described(found: inspect.Type) -> str:
    match found:
        case inspect.Metadata(type=inner, extra_json_schema=extra):
            # Where a params type has a description of its own, it is phrased to follow "must be".
            own_words = extra and "x-known-values" not in extra and extra.get("description")
            return own_words or _described(inner)
        case inspect.UnionType(types=types):
            return " or ".join(_described(each) for each in types if not isinstance(each, inspect.NoneType))
        case inspect.LiteralType(values=values):
            return "one of " + ", ".join(str(value) for value in values)
        case inspect.IntType(ge=lowest):
            return "an integer" if lowest is None else f"an integer of at least {lowest}"
        case inspect.FloatType(ge=lowest, le=highest):
            return "a number" if lowest is None else f"a number from {lowest} to {highest}"
        case inspect.BoolType():
            return "true or false"
        case inspect.StrType():
            return "a string"
        case inspect.VarTupleType(item_type=item):
            return f"an array, each element {_described(item)}"
    return "an object"
