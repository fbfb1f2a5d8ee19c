"""Writes `recapd/client/protocol.py` from the wire types and the method table. For the generator, not for serving."""

import json
import keyword
from collections.abc import Iterator

from msgspec import inspect

from recapd.wire.methods import METHODS, Method
from recapd.wire.schema import GENERATED, field_docs, type_doc, wire_types
from recapd.wire.types import Wire


def python() -> str:
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield '"""What recapd is asked and answers, as types: for type checkers, and for editors that complete names.'
    yield ""
    yield f"{GENERATED}"
    yield '"""'
    yield ""
    yield "from __future__ import annotations"
    yield ""
    yield "from typing import Literal, NotRequired, Protocol, TypeAlias, TypedDict, final, overload"
    enums: dict[str, list[str]] = {}
    # A type stands below those it adds to.
    types = sorted(wire_types(), key=lambda each: (len(each.__mro__), each.__name__))
    classes = [line for each in types for line in _class(each, enums)]
    for name in sorted(enums):
        yield ""
        yield from enums[name]
    yield from classes
    for name, keywords in (("Call", "def"), ("AsyncCall", "async def")):
        yield ""
        yield ""
        yield f"class {name}(Protocol):"
        yield '    """Every request, with the answer to it."""'
        for row in METHODS:
            if row.is_served:
                yield ""
                yield from _overload(row, keywords)


def _class(wire_type: type[Wire], enums: dict[str, list[str]]) -> Iterator[str]:
    """The type as a dictionary; open enums on the way are put into `enums`."""
    info = inspect.type_info(wire_type)
    assert isinstance(info, inspect.StructType)
    parent = wire_type.__base__
    inherits = parent.__name__ if parent is not None and parent is not Wire else "TypedDict"
    docs = field_docs(wire_type)
    fields = [(field, _field_type(field, enums)) for field in info.fields if field.name in wire_type.__annotations__]
    yield ""
    yield ""
    if any(keyword.iskeyword(field.encode_name) for field, _ in fields):
        # The other way to write one, for names that Python has taken.
        inner = ", ".join(f"{_quoted(field.encode_name)}: {_quoted(kind)}" for field, kind in fields)
        yield f"{wire_type.__name__} = {inherits}({_quoted(wire_type.__name__)}, {{{inner}}})"
        yield from _doc(type_doc(wire_type), indent="")
        return
    if not wire_type.__subclasses__():
        # So that a type checker knows which of two answers has a field.
        yield "@final"
    yield f"class {wire_type.__name__}({inherits}):"
    yield from _doc(type_doc(wire_type))
    for field, kind in fields:
        yield f"    {field.encode_name}: {kind}"
        yield from _doc(docs.get(field.name, ""))


def _field_type(field: inspect.Field, enums: dict[str, list[str]]) -> str:
    kind = _type(field.type, enums)
    return kind if field.required else f"NotRequired[{kind}]"


def _type(info: inspect.Type, enums: dict[str, list[str]]) -> str:
    match info:
        case inspect.Metadata(
            extra_json_schema={"x-known-values": list(known), "title": str(title), "description": str(description)}
        ):
            values = ", ".join(_quoted(str(value)) for value in known)
            # Open: later versions of recapd know more values.
            enums[title] = [f"{title}: TypeAlias = Literal[{values}] | str", *_doc(description, indent="")]
            return title
        case inspect.Metadata(extra_json_schema={"const": value}):
            return f"Literal[{value!r}]"
        case inspect.Metadata(type=inner):
            return _type(inner, enums)
        case inspect.UnionType(types=members):
            return " | ".join(dict.fromkeys(_type(each, enums) for each in members))
        case inspect.LiteralType(values=literals):
            return (
                f"Literal[{', '.join(_quoted(value) if isinstance(value, str) else repr(value) for value in literals)}]"
            )
        case inspect.VarTupleType(item_type=item):
            return f"list[{_type(item, enums)}]"
        case inspect.DictType(value_type=values_type):
            return f"dict[str, {_type(values_type, enums)}]"
        case inspect.StructType(cls=struct):
            return struct.__name__
        case inspect.IntType():
            return "int"
        case inspect.FloatType():
            return "float"
        case inspect.BoolType():
            return "bool"
        case inspect.StrType():
            return "str"
        case inspect.NoneType():
            return "None"
    raise TypeError(f"no type in Python for {info}")


def _overload(row: Method, keywords: str) -> Iterator[str]:
    fields = inspect.type_info(row.params)
    assert isinstance(fields, inspect.StructType)
    may_be_left_out = "" if any(field.required for field in fields.fields) else " = ..."
    result = row.result.__name__ if row.result else "None"
    yield "    @overload"
    yield f"    {keywords} __call__("
    yield f"        self, method: Literal[{_quoted(row.name)}], params: {row.params.__name__}{may_be_left_out}, *,"
    yield "        timeout_s: float = ...,"
    yield f"    ) -> {f'{result} | Unchanged' if row.may_be_unchanged else result}:"
    yield from _doc(row.doc, indent="        ")


def _doc(text: str, indent: str = "    ") -> list[str]:
    if not text:
        return []
    first, *others = text.replace("\\", "\\\\").splitlines()
    if not others:
        return [f'{indent}"""{first}"""']
    return [f'{indent}"""{first}', *(f"{indent}{line}".rstrip() for line in others), f'{indent}"""']


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
