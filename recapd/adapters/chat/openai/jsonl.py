"""OpenAI-style chats, one message per line, as small agents keep them: nanobot and its family, hermes, mindloop.

Owns the lines that are no messages (nanobot's metadata, hermes' session_meta), and what the
agents' loops write in the user's and the system's name. The messages themselves are read elsewhere.
nanobot and hermes write the whole file anew at each save; times are local and carry no zone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import Raw, Struct

from recapd.adapters.chat.anthropic_messages import Row, is_nearly_all, is_row, row_events, row_record
from recapd.adapters.shared import Adapter, JsonObject, decode_or_none, parse_odd, time_of
from recapd.core.log import Ended, Event, Note, Opened, Parsed, Prompt, Record, Result

if TYPE_CHECKING:
    from recapd.core.log import Place

_METADATA = "metadata"
_SESSION_META = "session_meta"
# What a loop says in the user's place: mindloop whenever the agent stopped to talk and nobody is there,
# nanobot when a sub-agent or a timer has something to tell.
_NUDGES = ("Continue autonomously.", "[System: ", "[Scheduled Task]")
# mindloop's own lines among the system messages: counters, and warnings about the budget.
_NOISE = ("[stats]", "Warning:")
_DENIED = b' was denied by the user."'


class _Line(Row, gc=False):
    kind: str | None = msgspec.field(default=None, name="_type")
    # nanobot's name of the conversation: the channel and who is in it.
    key: str | None = None
    metadata: Raw = Raw()


class _Metadata(Struct, gc=False):
    model: str | None = None


_line = msgspec.json.Decoder(_Line)
_metadata = msgspec.json.Decoder(_Metadata)


def parse(line: bytes, place: Place) -> Parsed:
    try:
        entry = _line.decode(line)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return parse_odd(line, place, _Line, record_of=_record)
    return (_record(entry, place),), ()


def _record(entry: _Line, place: Place) -> Record:
    if entry.kind == _METADATA:
        return Record(
            place, _METADATA, (Opened(),), at=time_of(entry.created_at or entry.timestamp), session=entry.key or ""
        )
    if entry.role == _SESSION_META:
        return Record(place, _SESSION_META, (Opened(),), at=time_of(entry.timestamp), model=entry.model or "")
    if entry.metadata and not entry.model and entry.role == "assistant":
        metadata = decode_or_none(_metadata, entry.metadata)
        entry.model = metadata.model if metadata is not None else None
    events = row_events(entry)
    if len(events) == 1 and entry.role != "assistant":
        events = (_of_loop(events[0]),)
    return row_record(entry, place, events=events)


def _of_loop(event: Event) -> Event:
    """An event as it is, or what the agent's loop meant by it."""
    if isinstance(event, Prompt):
        return Note("meta", event.text) if event.text.startswith(_NUDGES) else event
    if isinstance(event, Ended):
        # Behind the reason stands what the run cost.
        reason, _, cost = event.reason.rpartition(" (")
        return Ended(event.scope, reason) if " tokens" in cost else event
    if isinstance(event, Note):
        return Note("meta", event.text) if event.text.startswith(_NOISE) else event
    if isinstance(event, Result) and event.failed and event.payload.endswith(_DENIED):
        return msgspec.structs.replace(event, denied=True)
    return event


_TOOL_KEYS = ("tool_calls", "tool_call_id", "function_call", "reasoning_content", "finish_reason")
_TOOL_ROLES = ("tool", "function")


def recognise(objects: Sequence[JsonObject]) -> bool:
    """A header, or something only this style has; and hardly anything that is no message."""
    headers = sum(map(_is_header, objects))
    rows = [found for found in objects if is_row(found)]
    return is_nearly_all(headers + len(rows), objects) and (headers > 0 or any(map(_is_of_style, rows)))


def _is_header(found: JsonObject) -> bool:
    if found.get("_type") == _METADATA:
        return "created_at" in found or "updated_at" in found
    return found.get("role") == _SESSION_META


def _is_of_style(found: JsonObject) -> bool:
    return found.get("role") in _TOOL_ROLES or any(key in found for key in _TOOL_KEYS)


ADAPTER = Adapter(name="openai-chat", title="OpenAI-style chat", recognise=recognise, parse=parse)
