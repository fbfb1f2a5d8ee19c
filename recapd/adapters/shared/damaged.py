"""Reading a line that is not as its agent writes it: what fits is kept, what does not is named.

The slow way, for the rare line that an adapter's one typed decode refuses. Knows no format.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, TypeVar, get_args

import msgspec
from msgspec import Raw, Struct

from recapd.adapters.shared.base import decode_or_none, mended, recover
from recapd.core.log import Parsed, Problem, Record

if TYPE_CHECKING:
    from recapd.core.log import Place

S = TypeVar("S", bound=Struct)

_fields = msgspec.json.Decoder(dict[str, Raw])


def _is_known(_: Struct, record: Record) -> bool:
    return record.known


def parse_odd(
    line: bytes,
    place: Place,
    shape: type[S],
    *,
    record_of: Callable[[S, Place], Record],
    is_whole: Callable[[S, Record], bool] = _is_known,
    is_read: Callable[[S, Record], bool] = _is_known,
) -> Parsed:
    """What a line says that the decode of `shape` refused: odd field types, or no JSON object at all.

    `is_whole` tells an object that stands on a line of its own from an inner one that a torn line left behind.
    `is_read` says whether anybody reads the fields of such a record: what is lost of the others is no problem.
    """
    if not line.strip():
        return (), ()
    value, lost = salvage(line, shape)
    if value is not None:
        record = record_of(value, place)
        is_problem = bool(lost) and is_read(value, record)
        return (record,), (Problem(place, "shape", " ".join(lost)),) if is_problem else ()

    def whole_record(piece: bytes, place: Place) -> Record | None:
        value, _ = salvage(piece, shape)
        if value is None:
            return None
        record = record_of(value, place)
        return record if is_whole(value, record) else None

    return recover(line, place, whole_record)


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
