"""Codex of summer 2025: the conversation's items bare, one per line, after a header line and between state marks.

No record but the header has a time, no event repeats a prompt, and failures stand only in the outputs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec

from recapd.adapters.codex.items import ITEMS, Item
from recapd.adapters.shared import Adapter, JsonObject, parse_odd
from recapd.core.log import Opened, Parsed, Record, canonical

if TYPE_CHECKING:
    from recapd.core.log import Place

_item = msgspec.json.Decoder(Item)
# What else an item of each type must have, to tell it from other agents' records that share the type's name.
_MARKS = {
    "function_call": ("call_id", "arguments"),
    "function_call_output": ("call_id", "output"),
    "reasoning": ("summary",),
    "message": ("role", "content"),
}
_BLOCK_TYPES = ("input_text", "output_text")


def parse(line: bytes, place: Place) -> Parsed:
    try:
        item = _item.decode(line)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return parse_odd(line, place, Item, record_of=_record)
    return (_record(item, place),), ()


def _record(item: Item, place: Place) -> Record:
    if item.type in ITEMS:
        reader = ITEMS[item.type]
        return Record(place, item.type, reader(item) if reader is not None else ())
    if item.record_type:
        return Record(place, item.record_type, known=item.record_type == "state")
    if not item.type and item.id and item.timestamp:
        return Record(
            place,
            "header",
            (Opened(),),
            at=canonical(item.timestamp),
            session=item.id,
            branch=(item.git.branch or "") if item.git is not None else "",
        )
    return Record(place, item.type or "untyped", known=False)


def recognise(objects: Sequence[JsonObject]) -> bool:
    return any(map(_is_ours, objects))


def _is_ours(found: JsonObject) -> bool:
    if found.get("record_type") == "state":
        return True
    kind = found.get("type")
    if kind is None:
        return "instructions" in found and "timestamp" in found and isinstance(found.get("id"), str)
    marks = _MARKS.get(kind) if isinstance(kind, str) else None
    if marks is None or not all(mark in found for mark in marks):
        return False
    return kind != "message" or _has_codex_blocks(found.get("content"))


def _has_codex_blocks(content: object) -> bool:
    return isinstance(content, list) and any(
        isinstance(block, Mapping) and block.get("type") in _BLOCK_TYPES for block in content
    )


def resume_command(session: str) -> str:
    return f"codex resume {session}"


ADAPTER = Adapter(
    agent="codex",
    name="codex-bare",
    title="Codex (2025, without envelope)",
    recognise=recognise,
    parse=parse,
    resume_command=resume_command,
)
