"""Writes `types.ts` from the wire types and the method table. For the generator, not for serving."""

import json
from collections.abc import Iterator

from msgspec import inspect

from recapd.wire.errors import ERRORS
from recapd.wire.methods import METHODS, Method
from recapd.wire.schema import GENERATED, field_docs, type_doc, wire_types
from recapd.wire.types import PROTOCOL_VERSION, Wire


def typescript() -> str:
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield f"// {GENERATED}"
    yield ""
    yield f"export const PROTOCOL_VERSION = {_quoted(PROTOCOL_VERSION)};"
    enums: dict[str, list[str]] = {}
    interfaces = [line for each in wire_types() for line in _interface(each, enums)]
    for name in sorted(enums):
        yield ""
        yield from enums[name]
    yield from interfaces
    yield ""
    yield from _doc("Requests that a client sends, with the answer to each.")
    yield "export interface Methods {"
    for row in METHODS:
        if row.kind == "request":
            yield from _doc(row.doc, indent="  ")
            yield f"  {_quoted(row.name)}: {{ params: {row.params.__name__}; result: {_result(row)} }};"
    yield "}"
    yield ""
    yield from _doc("Notifications that recapd sends.")
    yield "export interface Notifications {"
    for row in METHODS:
        if row.kind == "notification":
            yield from _doc(row.doc, indent="  ")
            yield f"  {_quoted(row.name)}: {{ params: {row.params.__name__} }};"
    yield "}"
    yield ""
    yield from _doc("Codes of errors by name.")
    yield "export const ErrorCode = {"
    for error in ERRORS:
        yield from _doc(error.doc, indent="  ")
        yield f"  {error.name}: {error.code},"
    yield "} as const;"
    yield ""
    yield from _doc("Data of errors by name.")
    yield "export interface ErrorDataByName {"
    for error in ERRORS:
        yield f"  {error.name}: {error.data.__name__};"
    yield "}"


def _interface(wire_type: type[Wire], enums: dict[str, list[str]]) -> Iterator[str]:
    """The type as an interface; open enums on the way are put into `enums`."""
    info = inspect.type_info(wire_type)
    assert isinstance(info, inspect.StructType)
    parent = wire_type.__base__
    inherits = f" extends {parent.__name__}" if parent is not None and parent is not Wire else ""
    docs = field_docs(wire_type)
    yield ""
    yield from _doc(type_doc(wire_type))
    yield f"export interface {wire_type.__name__}{inherits} {{"
    for field in info.fields:
        if field.name not in wire_type.__annotations__:
            continue
        yield from _doc(docs.get(field.name, ""), indent="  ")
        # recapd leaves an optional field out rather than send null, and takes null for it: a client may do either.
        yield f"  {field.encode_name}{'' if field.required else '?'}: {_type(field.type, enums)};"
    yield "}"


def _type(info: inspect.Type, enums: dict[str, list[str]]) -> str:
    match info:
        case inspect.Metadata(
            extra_json_schema={"x-known-values": list(known), "title": str(title), "description": str(description)}
        ):
            values = " | ".join(_quoted(str(value)) for value in known)
            # The last member keeps completion for the known values and still takes any string.
            enums[title] = [*_doc(description), f"export type {title} = {values} | (string & {{}});"]
            return title
        case inspect.Metadata(extra_json_schema={"const": value}):
            return json.dumps(value)
        case inspect.Metadata(type=inner):
            return _type(inner, enums)
        case inspect.UnionType(types=members):
            return " | ".join(dict.fromkeys(_type(each, enums) for each in members))
        case inspect.LiteralType(values=literals):
            return " | ".join(json.dumps(value) for value in literals)
        case inspect.VarTupleType(item_type=item):
            inner_type = _type(item, enums)
            return f"({inner_type})[]" if " | " in inner_type else f"{inner_type}[]"
        case inspect.DictType(value_type=values_type):
            return f"Record<string, {_type(values_type, enums)}>"
        case inspect.StructType(cls=struct):
            return struct.__name__
        case inspect.IntType() | inspect.FloatType():
            return "number"
        case inspect.BoolType():
            return "boolean"
        case inspect.StrType():
            return "string"
        case inspect.NoneType():
            return "null"
    raise TypeError(f"no TypeScript for {info}")


def _result(row: Method) -> str:
    result = row.result.__name__ if row.result else "null"
    return f"{result} | Unchanged" if row.may_be_unchanged else result


def _doc(text: str, indent: str = "") -> list[str]:
    lines = text.splitlines()
    if len(lines) < 2:
        return [f"{indent}/** {text} */"] if text else []
    return [f"{indent}/**", *(f"{indent} * {line}".rstrip() for line in lines), f"{indent} */"]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
