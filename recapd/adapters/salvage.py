"""Reading a record whose fields have unexpected types: what fits is kept, what does not is named.

The slow way, for the rare line that an adapter's one typed decode refuses. Knows no format.
"""

from __future__ import annotations

from functools import cache
from typing import TypeVar, get_args

import msgspec
from msgspec import Raw, Struct

from recapd.adapters.base import decode_or_none, mended

S = TypeVar("S", bound=Struct)

_fields = msgspec.json.Decoder(dict[str, Raw])


def salvage(data: bytes | Raw, shape: type[S]) -> tuple[S | None, tuple[str, ...]]:
    """The struct with every field that fits, and the names of those that do not; None where the data is no object."""
    values = decode_or_none(_fields, data)
    if values is None:
        values = decode_or_none(_fields, mended(bytes(data)))
    if values is None:
        return None, ()
    kept = shape()
    lost: list[str] = []
    for field in _fields_of(shape):
        raw = values.get(field.encode_name)
        if raw is None:
            continue
        try:
            setattr(kept, field.name, msgspec.json.decode(raw, type=field.type))
        except (msgspec.DecodeError, ValueError, RecursionError):
            inner = _struct_in(field.type)
            part, lost_inside = salvage(raw, inner) if inner is not None else (None, ())
            if part is None:
                lost.append(field.encode_name)
                continue
            setattr(kept, field.name, part)
            lost += [f"{field.encode_name}.{name}" for name in lost_inside]
    return kept, tuple(lost)


@cache  # msgspec works them out anew at every call, and adapters have a handful of shapes
def _fields_of(shape: type[Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(shape)


def _struct_in(annotation: object) -> type[Struct] | None:
    """The struct that a field holds, also when it may be missing."""
    for kind in (annotation, *get_args(annotation)):
        if isinstance(kind, type) and issubclass(kind, Struct):
            return kind
    return None
