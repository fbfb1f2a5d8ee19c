"""Messages of orchestrators that keep them by type: {type, content: [{type, text, toolName, toolInput, toolResult}]}.

Blocks of tools carry no ids: the first result of a message belongs to the first call of the one before, and so on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import Raw, Struct

from recapd.adapters.chat.anthropic_messages import is_nearly_all
from recapd.adapters.chat.openai.messages import text_of
from recapd.adapters.chat.openai.prompts import user_events
from recapd.adapters.chat.openai.results import read_result
from recapd.adapters.shared import Adapter, JsonObject, decode_or_none, parse_odd, read_call, time_of, word_at
from recapd.core.log import Event, Note, Parsed, Record, Reply, Result, Thought

if TYPE_CHECKING:
    from recapd.core.log import Place


class _Block(Struct, gc=False):
    type: str = ""
    text: Raw = Raw()
    toolName: str | None = None
    toolInput: Raw = Raw()
    toolResult: Raw = Raw()
    id: str | None = None
    toolUseId: str | None = None
    toolCallId: str | None = None
    isError: bool | None = None


class _Message(Struct, gc=False):
    type: str = ""
    content: Raw = Raw()
    id: str | None = None
    timestamp: str | float | None = None
    sessionId: str | None = None
    taskId: str | None = None
    model: str | None = None
    cwd: str | None = None


_message = msgspec.json.Decoder(_Message)
_blocks = msgspec.json.Decoder(list[_Block | str])
SPEAKERS = frozenset(("user", "assistant", "system", "tool", "result"))


def parse(line: bytes, place: Place) -> Parsed:
    try:
        message = _message.decode(line)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return parse_odd(line, place, _Message, record_of=_record, is_whole=_is_whole)
    return (_record(message, place),), ()


def _record(message: _Message, place: Place) -> Record:
    return Record(
        place,
        message.type or "untyped",
        _events(message),
        at=time_of(message.timestamp),
        id=message.id or "",
        session=message.sessionId or message.taskId or "",
        cwd=message.cwd or "",
        model=message.model or "",
        known=message.type in SPEAKERS,
    )


def _events(message: _Message) -> tuple[Event, ...]:
    if message.type not in SPEAKERS:
        return ()
    blocks = decode_or_none(_blocks, message.content)
    if blocks is None:
        return _said(message.type, [text_of(message.content)], message.id or "")
    events: list[Event] = []
    texts: list[str] = []
    calls = results = 0
    for block in blocks:
        if isinstance(block, str):
            texts.append(block)
        elif block.type == "tool_use":
            events += read_call(_id(block, calls), block.toolName or "", block.toolInput)
            calls += 1
        elif block.type == "tool_result":
            events.append(_result(block, results))
            results += 1
        elif block.type == "thinking":
            events.append(Thought(len(text_of(block.text))))
        elif block.type == "text":
            texts.append(text_of(block.text))
    said = _said(message.type, texts, message.id or "")
    # The agent speaks before it acts; a human's words beside results were said after them.
    return (*said, *events) if message.type == "assistant" else (*events, *said)


def _said(speaker: str, texts: list[str], message_id: str) -> tuple[Event, ...]:
    if speaker == "assistant":
        return tuple(Reply(text, message_id) for text in texts if text and not text.isspace())
    text = "\n".join(texts)
    if speaker == "user":
        return user_events(text)
    if speaker == "system" and text.strip():
        return (Note("system", text),)
    return ()


def _id(block: _Block, position: int) -> str:
    return block.toolUseId or block.toolCallId or block.id or f"#{position}"


def _result(block: _Block, position: int) -> Result:
    # An object's text is looked for where results are shown.
    result = read_result(_id(block, position), block.toolResult if block.toolResult else block.text)
    if block.isError is None or block.isError == result.failed:
        return result
    return msgspec.structs.replace(result, failed=block.isError)


def _is_whole(message: _Message, record: Record) -> bool:
    """A message's blocks are of other types, or hold nothing."""
    return record.known and bool(message.content)


# Keys of the many formats that also have a type: whoever has one is another's.
_FOREIGN_KEYS = ("message", "payload", "data", "role", "uuid", "parentUuid", "parentId", "_type", "kind", "source")
_BLOCK_TYPES = frozenset(("text", "tool_use", "tool_result", "thinking"))


def recognise(objects: Sequence[JsonObject]) -> bool:
    ours = [found for found in objects if _is_ours(found)]
    return is_nearly_all(len(ours), objects) and any(found.get("type") == "user" for found in ours)


def _is_ours(found: JsonObject) -> bool:
    if word_at(found, "type") not in SPEAKERS or any(key in found for key in _FOREIGN_KEYS):
        return False
    content = found.get("content")
    return isinstance(content, list) and all(
        isinstance(block, dict) and word_at(block, "type") in _BLOCK_TYPES and "tool_use_id" not in block
        for block in content
    )


ADAPTER = Adapter(name="agent-messages", title="Agent messages", recognise=recognise, parse=parse)
