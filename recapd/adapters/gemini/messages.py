"""One message of a Gemini CLI session: the human's, the agent's with its calls and their results, or a notice."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import msgspec
from msgspec import Raw, Struct

from recapd.adapters.gemini.prompts import user_events
from recapd.adapters.gemini.tools import Part, ToolCall, response_event, tool_events
from recapd.adapters.shared import decode_or_none, parse_odd, read_call, text_in
from recapd.core import late_re as re
from recapd.core.log import Compacted, Event, Faulted, Interrupted, Note, Parsed, Record, Reply, Thought, canonical

if TYPE_CHECKING:
    from recapd.core.log import Place

_CANCELLED = "Request cancelled."
_DIRECTORIES = "Current workspace directories:\n- "
_COMPRESSED = re.compile(r"[Cc]ompressed from:? (\d{1,12}) to \d")
# The sentence stands near the beginning of a notice.
_NOTICE_HEAD = 300


class Message(Struct, gc=False):
    id: str | None = None
    timestamp: str | None = None
    type: str = ""
    content: Raw = Raw()
    displayContent: Raw = Raw()
    thoughts: Raw = Raw()
    toolCalls: list[ToolCall] | None = None
    model: str | None = None


class _Thinking(Struct, gc=False):
    subject: str | None = None
    description: str | None = None


EventReader: TypeAlias = Callable[[Message], tuple[Event, ...]]

_message = msgspec.json.Decoder(Message)
_parts = msgspec.json.Decoder(list[Part | str])
_thoughts = msgspec.json.Decoder(list[_Thinking])


def parse(line: bytes, place: Place) -> Parsed:
    try:
        message = _message.decode(line)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return parse_odd(line, place, Message, record_of=_record)
    return (_record(message, place),), ()


def _record(message: Message, place: Place) -> Record:
    reader = _TYPES.get(message.type)
    if reader is None and (message.toolCalls or message.thoughts or message.model):
        # Forks of the CLI file the agent's messages under a name of their own.
        reader = _agent
    return Record(
        place,
        message.type or "untyped",
        reader(message) if reader is not None else (),
        at=canonical(message.timestamp) if message.timestamp else "",
        id=message.id or "",
        cwd=_directory(message) if message.type == "info" else "",
        model=message.model or "",
        known=reader is not None,
    )


def parts_of(content: Raw) -> list[Part]:
    """The parts of a content, which may be a text, one part, or a list of both."""
    raw = bytes(content)
    if raw.startswith(b'"'):
        return [Part(text=content)]
    found = decode_or_none(_parts, b"[" + raw + b"]" if raw.startswith(b"{") else raw)
    return [Part(text=Raw(msgspec.json.encode(part))) if isinstance(part, str) else part for part in found or ()]


def text_of(content: Raw) -> str:
    return "\n".join(filter(None, (text_in(part.text) for part in parts_of(content)))) if content else ""


def _user(message: Message) -> tuple[Event, ...]:
    parts = parts_of(message.content)
    results = tuple(response_event(part.functionResponse) for part in parts if part.functionResponse is not None)
    texts = [text_in(part.text) for part in parts if part.text]
    return (*results, *user_events(texts, text_of(message.displayContent)))


def _agent(message: Message) -> tuple[Event, ...]:
    events: list[Event] = []
    thoughts = decode_or_none(_thoughts, message.thoughts) if message.thoughts else None
    if thoughts:
        events.append(Thought(sum(len(each.subject or "") + len(each.description or "") for each in thoughts)))
    calls = message.toolCalls
    for part in parts_of(message.content) if message.content else ():
        text = text_in(part.text)
        if part.thought:
            events.append(Thought(len(text)))
        elif part.functionCall is not None and not calls:
            call = part.functionCall
            events += read_call(call.id or "", call.name or "", call.args)
        elif text and not text.isspace():
            events.append(Reply(text, message.id or ""))
    for tool in calls or ():
        events += tool_events(tool)
    return tuple(events)


def _notice(message: Message) -> tuple[Event, ...]:
    text = text_of(message.content)
    if text.startswith(_CANCELLED):
        return (Interrupted(),)
    compressed = _COMPRESSED.search(text[:_NOTICE_HEAD])
    if compressed:
        return (Compacted(tokens_before=int(compressed[1])),)
    return (Note("meta", text),) if text.strip() else ()


def _error(message: Message) -> tuple[Event, ...]:
    return (Faulted(text_of(message.content)),)


def _directory(message: Message) -> str:
    """The first of the directories that the CLI lists when asked is the one it runs in; nothing else names it."""
    text = text_of(message.content)
    return text[len(_DIRECTORIES) :].partition("\n")[0].strip() if text.startswith(_DIRECTORIES) else ""


_TYPES: dict[str, EventReader] = {
    "user": _user,
    "gemini": _agent,
    "tabnine": _agent,
    "info": _notice,
    "warning": _notice,
    "error": _error,
}
