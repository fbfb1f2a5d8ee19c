"""Messages as Anthropic's API takes them, one per line: {role, content}, content a text or a list of blocks.

Owns the blocks, and the row such messages stand in: whose it is, when, of which conversation.
A row may as well be an OpenAI-style message: a log that is not yet recognised for certain loses nothing by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec import Raw, Struct

from recapd.adapters.chat.openai.messages import ROLES, Message, text_of
from recapd.adapters.chat.openai.prompts import user_events
from recapd.adapters.chat.openai.results import read_result
from recapd.adapters.shared import Adapter, JsonObject, decode_or_none, parse_odd, read_call, time_of, word_at
from recapd.core.log import Compacted, Ended, Event, Note, Parsed, Prompt, Record, Reply, Result, Thought

if TYPE_CHECKING:
    from recapd.core.log import Place

# What a summarizer of the older half of a conversation leaves in its place, and what it says to the agent.
_SUMMARIES = ("[Previous conversation summarized", "[Session Summary", "Previous conversation context:")
_SUMMARY_PROMPTS = ("[Session Summary", "Previous context:")
# Ends of a message that only say that a tool is to be called, or that the service wants to be called again.
_GOING_ON = frozenset(("tool_use", "pause_turn"))


class _Block(Struct, gc=False):
    type: str = ""
    text: Raw = Raw()
    thinking: Raw = Raw()
    id: str | None = None
    name: str | None = None
    input: Raw = Raw()
    tool_use_id: str | None = None
    content: Raw = Raw()
    is_error: bool | None = None
    # As programs that spell all their keys so keep them.
    toolUseId: str | None = None
    isError: bool | None = None


class Row(Message, gc=False):
    """A message, and how a table of messages names its time, conversation and place."""

    # Tables count their rows; read as text before anybody else looks.
    id: str | int | None = None  # type: ignore[assignment]
    created_at: str | float | None = None
    createdAt: str | float | None = None
    stop_reason: str | None = None
    conversation_id: str | int | None = None
    conversationId: str | int | None = None
    session_id: str | int | None = None
    sessionId: str | int | None = None
    cwd: str | None = None


_row = msgspec.json.Decoder(Row)
_blocks = msgspec.json.Decoder(list[_Block | str])


def parse(line: bytes, place: Place) -> Parsed:
    try:
        row = _row.decode(line)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return parse_odd(line, place, Row, record_of=_record)
    return (_record(row, place),), ()


def _record(row: Row, place: Place) -> Record:
    return row_record(row, place, events=row_events(row))


def row_record(row: Row, place: Place, *, events: tuple[Event, ...]) -> Record:
    session = row.conversation_id or row.conversationId or row.session_id or row.sessionId
    return Record(
        place,
        row.role or "untyped",
        events,
        at=time_of(row.timestamp or row.created_at or row.createdAt),
        id=id_of(row),
        session="" if session is None else str(session),
        cwd=row.cwd or "",
        model=row.model or "",
        known=row.role in ROLES,
    )


def id_of(row: Row) -> str:
    return str(row.id or row.message_id or "")


def row_events(row: Row) -> tuple[Event, ...]:
    """What the row says, whichever style it is in."""
    reader = ROLES.get(row.role)
    if reader is None:
        return ()
    if isinstance(row.id, int):
        row.id = str(row.id)
    if row.role == "user" or row.role == "assistant":
        # The first byte tells a list from a text without decoding either.
        events = _block_events(row) if memoryview(row.content)[:1].tobytes() == b"[" else None
        if events is not None:
            return events
    events = reader(row)
    if row.role == "system" and len(events) == 1 and isinstance(note := events[0], Note):
        return _summary(note.text) or events
    if row.role == "user" and len(events) == 1 and isinstance(prompt := events[0], Prompt):
        return _summary_note(prompt) or events
    if row.stop_reason and row.role == "assistant":
        return (*events, *_end(row.stop_reason))
    return events


def _block_events(row: Row) -> tuple[Event, ...] | None:
    blocks = decode_or_none(_blocks, row.content)
    if blocks is None:
        return None
    if row.role == "user":
        return _user_events(blocks)
    if row.tool_calls or row.function_call or row.reasoning or row.reasoning_content:
        # An OpenAI-style message whose content is in parts: its own reader knows the fields beside the content.
        return None
    return (*_assistant_events(blocks, id_of(row)), *_end(row.stop_reason))


def _user_events(blocks: list[_Block | str]) -> tuple[Event, ...]:
    """Results first: text beside them was said when they were handed over."""
    events: list[Event] = []
    texts: list[str] = []
    for block in blocks:
        if isinstance(block, str):
            texts.append(block)
        elif block.type == "tool_result":
            events.append(_result(block))
        elif block.type in ("text", "input_text"):
            texts.append(text_of(block.text))
    for event in user_events("\n".join(texts)):
        events += (_summary_note(event) if isinstance(event, Prompt) else ()) or (event,)
    return tuple(events)


def _assistant_events(blocks: list[_Block | str], message_id: str) -> tuple[Event, ...]:
    events: list[Event] = []
    for block in blocks:
        if isinstance(block, str):
            if block.strip():
                events.append(Reply(block, message_id))
        elif block.type in ("tool_use", "server_tool_use"):
            events += read_call(block.id or "", block.name or "", block.input)
        elif block.type in ("thinking", "redacted_thinking", "reasoning"):
            events.append(Thought(len(text_of(block.thinking) or text_of(block.text))))
        else:
            text = text_of(block.text)
            if text and not text.isspace():
                events.append(Reply(text, message_id))
    return tuple(events)


def _result(block: _Block) -> Result:
    result = read_result(block.tool_use_id or block.toolUseId or "", block.content)
    is_error = block.isError if block.is_error is None else block.is_error
    if is_error is None or is_error == result.failed:
        return result
    # The flag is the tool's own word; what looks like a failure in the text may be a file's content.
    return msgspec.structs.replace(result, failed=is_error, denied=result.denied and is_error)


def _end(reason: str | None) -> tuple[Event, ...]:
    if not reason or reason in _GOING_ON:
        return ()
    return (Ended("turn"),) if reason == "end_turn" else (Ended("turn", reason),)


def _summary(text: str) -> tuple[Event, ...]:
    return (Compacted(), Note("compaction", text)) if text.startswith(_SUMMARIES) else ()


def _summary_note(prompt: Prompt) -> tuple[Event, ...]:
    """The agent's own summary, filed under the user's name so that the service takes it."""
    return (Compacted(), Note("compaction", prompt.text)) if prompt.text.startswith(_SUMMARY_PROMPTS) else ()


# Keys of formats that wrap or extend a message: whoever has them is not a row.
_FOREIGN_KEYS = ("message", "payload", "data", "parts", "parentUuid", "_type", "kind", "toolCalls")
_BLOCK_TYPES = frozenset(("text", "image", "document", "thinking", "redacted_thinking", "tool_use", "tool_result"))


def is_row(found: JsonObject) -> bool:
    """Whether an object is a message by itself, of whatever style."""
    if word_at(found, "role") not in ROLES or any(key in found for key in _FOREIGN_KEYS):
        return False
    # Codex's bare items and pi's messages have roles too, and a type that says what they are.
    return found.get("type") in (None, "message") and ("content" in found or "tool_calls" in found)


def is_nearly_all(count: int, objects: Sequence[JsonObject]) -> bool:
    """Nine of ten: a line of another kind is let pass, a format of another kind is not."""
    return count * 10 >= len(objects) * 9 and count > 0


def recognise(objects: Sequence[JsonObject]) -> bool:
    if any("tool_calls" in found or "tool_call_id" in found for found in objects):
        return False
    rows = [found for found in objects if is_row(found) and _fits(found)]
    return is_nearly_all(len(rows), objects) and any(map(_has_blocks, rows))


def _has_blocks(found: JsonObject) -> bool:
    content = found.get("content")
    if not isinstance(content, list) or not content:
        return False
    return any(isinstance(block, dict) and block.get("type") in ("tool_use", "tool_result") for block in content)


def _fits(found: JsonObject) -> bool:
    content = found.get("content")
    if isinstance(content, str):
        return True
    return isinstance(content, list) and all(
        isinstance(block, dict) and word_at(block, "type") in _BLOCK_TYPES for block in content
    )


ADAPTER = Adapter(name="anthropic-messages", title="Anthropic messages", recognise=recognise, parse=parse)
