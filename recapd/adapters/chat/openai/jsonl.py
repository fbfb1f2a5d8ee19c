"""OpenAI-style chats, one message per line, as small agents keep them: nanobot and its family, hermes, mindloop.

Owns the lines that are no messages (nanobot's metadata, hermes' session_meta), and what the
agents' loops write in the user's and the system's name. The messages themselves are read elsewhere.
nanobot and hermes write the whole file anew at each save; times are local and carry no zone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import Raw, Struct

from recapd.adapters.chat.anthropic_messages import Row, is_nearly_all, is_row, row_events, row_record
from recapd.adapters.shared import Adapter, JsonObject, decode_or_none, line_count, parse_odd, text_in, time_of
from recapd.core import late_re as re
from recapd.core.log import Ended, Event, Limit, Note, NoteKind, Opened, Parsed, Prompt, Record, Result

if TYPE_CHECKING:
    from recapd.core.log import Place

_METADATA = "metadata"
_SESSION_META = "session_meta"
# What a loop says in the user's place: mindloop whenever the agent stopped to talk and nobody is there,
# nanobot when a sub-agent or a timer has something to tell.
_NUDGES: dict[str, NoteKind] = {"Continue autonomously.": "nudge", "[System: ": "meta", "[Scheduled Task]": "meta"}
# mindloop's own lines among the system messages: counters, and warnings about the budget.
_NOISE = ("[stats]", "Warning:")
# How mindloop says why it stopped; another reason is told as it is.
_STOPS: dict[str, Limit | Literal[""]] = {
    "model finished": "",
    "token budget exceeded": "max_tokens",
    "max iterations reached": "max_iterations",
}
# mindloop's tools: what they return is known by how it begins.
_UNAVAILABLE = b'"User is unavailable."'
_NOTHING_RECALLED = b'"No memories found."'
_EMPTY_FOLDER = b'"(empty directory)"'
_RECALLED_START = b'"[1] #'
_RECALLED = re.compile(r"^\[\d+\] #(\d+) \(score=", re.MULTILINE)
_LISTED_STARTS = (b'"d  ', b'"f  ')
_LISTED = re.compile(r"([df])  (.+)")
# A read that stops before the end of the file says so behind the last line.
_PART_OF_FILE = re.compile(rb'\\n\.\.\. \(\d+ lines remaining\)"$')
_PART_BYTES = 60
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
        events = (_of_loop(events[0], is_named=bool(entry.name)),)
    return row_record(entry, place, events=events)


def _of_loop(event: Event, *, is_named: bool) -> Event:
    """An event as it is, or what the agent's loop meant by it. Results of mindloop do not name their tool."""
    if isinstance(event, Prompt):
        kind = next((kind for start, kind in _NUDGES.items() if event.text.startswith(start)), None)
        return Note(kind, event.text) if kind is not None else event
    if isinstance(event, Ended):
        # Behind the reason stands what the run cost.
        reason, _, cost = event.reason.rpartition(" (")
        reason = reason if " tokens" in cost else event.reason
        return Ended(event.scope, next((ours for start, ours in _STOPS.items() if reason.startswith(start)), reason))
    if isinstance(event, Note):
        return Note("meta", event.text) if event.text.startswith(_NOISE) else event
    return _returned(event) if isinstance(event, Result) and not is_named else event


def _returned(result: Result) -> Result:
    payload = result.payload
    if result.failed and payload.endswith(_DENIED):
        return msgspec.structs.replace(result, denied=True)
    if payload == _UNAVAILABLE:
        result = msgspec.structs.replace(result, undone=True)
    entries, lines = _entries(payload), -1 if result.failed else _lines_read(payload)
    return result if entries is None and lines < 0 else msgspec.structs.replace(result, entries=entries, lines=lines)


def _lines_read(payload: bytes) -> int:
    """Lines of a text, were it a file that was read to its end; -1 where it is cut, or no plain text."""
    is_plain = payload.startswith(b'"') and not payload.startswith(b'"{')
    if not is_plain or _PART_OF_FILE.search(payload, max(0, len(payload) - _PART_BYTES)):
        return -1
    return line_count(text_in(payload))


def _entries(payload: bytes) -> tuple[str, ...] | None:
    """What a listing or a recall came back with, where it is one by its shape."""
    if payload in (_NOTHING_RECALLED, _EMPTY_FOLDER):
        return ()
    if payload.startswith(_RECALLED_START):
        return tuple(f"#{number}" for number in _RECALLED.findall(text_in(payload)))
    if not payload.startswith(_LISTED_STARTS):
        return None
    rows = [_LISTED.fullmatch(line) for line in text_in(payload).split("\n")]
    names = [f"{row[2]}/" if row[1] == "d" else row[2] for row in rows if row is not None]
    return tuple(names) if len(names) == len(rows) else None


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
