"""GitHub Copilot CLI: `events.jsonl` of {type, data, id, timestamp, parentId} lines, one chain in order of time.

Owns the envelope and what it says of the session; `events` reads the events, `tools` calls and results.
A sub-agent's events stand in the same file and carry its `agentId`; older versions name the call that started it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from recapd.adapters.copilot.events import READERS, Data
from recapd.adapters.shared import Adapter, JsonObject, decode_or_none, parse_odd, word_at
from recapd.core.log import Ended, Event, Note, Parsed, Prompt, Record, canonical

if TYPE_CHECKING:
    from recapd.core.log import Place


class _Context(Struct, gc=False):
    cwd: str | None = None
    branch: str | None = None


class _Line(Struct, gc=False):
    type: str = ""
    id: str | None = None
    parentId: str | None = None
    timestamp: str = ""
    agentId: str | None = None
    data: Data | None = None


_line = msgspec.json.Decoder(_Line)
_context = msgspec.json.Decoder(_Context)
_HEADERS = frozenset(("session.start", "session.resume", "session.context_changed", "session.model_change"))


def parse(line: bytes, place: Place) -> Parsed:
    try:
        entry = _line.decode(line)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return parse_odd(line, place, _Line, record_of=_record, is_whole=_is_whole, is_read=_is_read)
    return (_record(entry, place),), ()


def _record(entry: _Line, place: Place) -> Record:
    kind = entry.type
    data = entry.data
    at = canonical(entry.timestamp)
    if data is None or kind not in READERS:
        return Record(
            place,
            kind or "untyped",
            (),
            at,
            entry.id or "",
            entry.parentId or "",
            known=data is None and kind in READERS,
        )
    reader = READERS[kind]
    events = reader(data) if reader is not None else ()
    via = entry.agentId or data.parentToolCallId or ""
    if via:
        events = _of_subagent(events)
    if kind in _HEADERS:
        return _header(entry, data, place, events)
    return Record(
        place, kind, events, at, entry.id or "", entry.parentId or "", model="" if via else data.model or "", via=via
    )


def _of_subagent(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """Its prompt is its task, and with its turn nobody else's is over."""
    kept = (event for event in events if not isinstance(event, Ended))
    return tuple(Note("task", event.text) if isinstance(event, Prompt) else event for event in kept)


def _header(entry: _Line, data: Data, place: Place, events: tuple[Event, ...]) -> Record:
    context = decode_or_none(_context, data.context) or _Context(data.cwd, data.branch)
    return Record(
        place,
        entry.type,
        events,
        canonical(entry.timestamp),
        entry.id or "",
        entry.parentId or "",
        session=data.sessionId or "",
        cwd=context.cwd or "",
        branch=context.branch or "",
        version=data.copilotVersion or "",
        model=data.newModel or data.selectedModel or "",
    )


def _is_whole(entry: _Line, _: Record) -> bool:
    """Objects inside an event's data are of no type that stands on a line."""
    return entry.type in READERS and bool(entry.id)


def _is_read(_: _Line, record: Record) -> bool:
    """Nobody reads the fields of a type nobody knows, nor of one that says nothing."""
    return READERS.get(record.type) is not None


def recognise(objects: Sequence[JsonObject]) -> bool:
    """The first event opens the session; without it (a file cut at its head) nearly all must be of known types."""
    if not objects:
        return False
    ours = sum(map(_is_ours, objects))
    return ours * 10 >= len(objects) * 9


def _is_ours(found: JsonObject) -> bool:
    return word_at(found, "type") in READERS and isinstance(found.get("data"), dict) and "parentId" in found


def resume_command(session: str) -> str:
    return f"copilot --resume={session}"


ADAPTER = Adapter(
    name="copilot",
    title="Copilot CLI",
    recognise=recognise,
    parse=parse,
    resume_command=resume_command,
)
