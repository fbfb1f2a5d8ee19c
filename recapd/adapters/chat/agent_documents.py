"""Messages of orchestrators in one document: their list alone, or a checkpoint that has it beside where the task is.

A checkpoint names its task, the stage it is in and when it was made, and has the list as `conversationState`; what an
orchestrator keeps to resume from has the end of it as `conversationHistory`. The messages are read by
`agent_messages`.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Raw, Struct

from recapd.adapters.chat.agent_messages import SPEAKERS
from recapd.adapters.chat.agent_messages import parse as parse_message
from recapd.adapters.shared import (
    Adapter,
    Document,
    JsonObject,
    cut_elements,
    decode_document,
    misshapen,
    place_of,
    text_in,
    time_of,
    top_level,
    unreadable,
)
from recapd.core.log import Note, Opened, Parsed, Place, Record

_SPACE = b" \t\r\n"
_LISTS = ("conversationState", "conversationHistory")
# Beside its list a checkpoint says of what it is one.
_CHECKPOINT_KEYS = frozenset(("taskId", "checkpointId", "lastCheckpoint", "resumePoint"))


class _ResumePoint(Struct, gc=False):
    stage: Raw = Raw()


class _Checkpoint(Struct, gc=False):
    taskId: str | None = None
    stage: Raw = Raw()
    createdAt: str | float | None = None
    lastCheckpoint: str | float | None = None
    resumePoint: _ResumePoint | None = None
    conversationState: Raw = Raw()
    conversationHistory: Raw = Raw()


_checkpoint = msgspec.json.Decoder(_Checkpoint)


def split(data: bytes) -> Document:
    if data.lstrip(_SPACE)[:1] == b"[":
        return _split_list(data)
    checkpoint, data, problems = decode_document(_checkpoint, data)
    if checkpoint is None:
        return unreadable(data)
    messages = checkpoint.conversationState or checkpoint.conversationHistory
    if bytes(messages)[:1] != b"[":
        return misshapen(data, "conversationState")
    pieces = cut_elements(data, messages)
    before = Place(1, 0, pieces[0][1].offset if pieces else len(data))
    # Where the task was when the checkpoint was made: behind all that is said in it.
    stage = checkpoint.stage or (checkpoint.resumePoint.stage if checkpoint.resumePoint is not None else Raw())
    if text_in(stage).strip():
        pieces.append((bytes(stage), place_of(data, stage)))
    return Document(pieces, _header(checkpoint, before), problems)


def parse(piece: bytes, place: Place) -> Parsed:
    """A message, or the name of the stage that the task is in."""
    if piece[:1] == b'"':
        return (Record(place, "stage", (Note("stage", text_in(piece).strip()),)),), ()
    return parse_message(piece, place)


def _split_list(data: bytes) -> Document:
    start = len(data) - len(data.lstrip(_SPACE))
    pieces = cut_elements(data, Raw(data[start:].rstrip(_SPACE)))
    return Document(pieces) if pieces or data.strip(_SPACE) == b"[]" else unreadable(data)


def _header(checkpoint: _Checkpoint, place: Place) -> tuple[Record, ...]:
    made_at = time_of(checkpoint.createdAt or checkpoint.lastCheckpoint)
    return (Record(place, "checkpoint", (Opened(),), at=made_at, session=checkpoint.taskId or ""),)


def recognise(objects: Sequence[JsonObject]) -> bool:
    """Documents show in their first bytes, also those on a single line."""
    return False


def recognise_head(head: bytes) -> bool:
    start = head.lstrip(_SPACE)
    if start[:1] == b"[":
        return _is_message(start[1:])
    if not any(name.encode() in head for name in _LISTS):
        return False
    fields = top_level(start)
    if _CHECKPOINT_KEYS.isdisjoint(fields):
        return False
    messages = next((fields[name] for name in _LISTS if name in fields), b"")
    return messages[:1] == b"[" and (_is_message(messages[1:]) or not messages[1:].strip(_SPACE + b"]"))


def _is_message(head: bytes) -> bool:
    """Whether what begins here is a message by type: no other format has both keys and no role."""
    fields = top_level(head)
    return (
        "role" not in fields
        and fields.get("type", b"")[1:-1].decode("utf-8", "replace") in SPEAKERS
        and fields.get("content", b"")[:1] == b"["
    )


ADAPTER = Adapter(
    name="agent-messages-json",
    title="Agent messages (JSON)",
    recognise=recognise,
    parse=parse,
    split=split,
    recognise_head=recognise_head,
)
