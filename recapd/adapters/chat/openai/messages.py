"""One message of an OpenAI-style chat: {role, content, tool_calls, tool_call_id, …}, as many agents keep them.

Owns the message only: files that hold such messages, and what those files say of their session, are read elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import msgspec
from msgspec import Raw, Struct

from recapd.adapters.chat.openai.prompts import user_events
from recapd.adapters.chat.openai.results import read_result
from recapd.adapters.shared import decode_or_none, kind_of, read_call, text_in
from recapd.core.log import Compacted, Ended, Event, Faulted, Note, Reply, Result, Thought

# Converters of other agents' logs leave their mark in a system message.
_COMPACTED = "[compact_boundary]"
# mindloop writes why a run ended as its last system message.
_STOPPED = "[stop]"


class Function(Struct, gc=False):
    name: str | None = None
    # A JSON object, or the text of one.
    arguments: Raw = Raw()


class ToolCall(Struct, gc=False):
    id: str | None = None
    call_id: str | None = None
    function: Function | None = None
    name: str | None = None
    arguments: Raw = Raw()


class Block(Struct, gc=False):
    type: str = ""
    text: Raw = Raw()
    thinking: Raw = Raw()
    refusal: Raw = Raw()


class Message(Struct, gc=False):
    """Every field that somebody reads. A file format with lines of other kinds may add fields in a subclass."""

    role: str = ""
    content: Raw = Raw()
    tool_calls: list[ToolCall] | None = None
    function_call: Function | None = None
    tool_call_id: str | None = None
    name: str | None = None
    reasoning: Raw = Raw()
    reasoning_content: Raw = Raw()
    refusal: Raw = Raw()
    finish_reason: str | None = None
    is_error: bool | None = None
    id: str | None = None
    message_id: str | None = None
    model: str | None = None
    timestamp: str | float | None = None


EventReader: TypeAlias = Callable[[Message], tuple[Event, ...]]

_blocks = msgspec.json.Decoder(list[Block | str])

_TEXT_BLOCKS = frozenset(("text", "input_text", "output_text"))
# Ends that only say that a tool is to be called.
_CALLING = frozenset(("tool_calls", "function_call", "tool_use"))
_ENDED = Ended("turn")


def text_of(content: Raw) -> str:
    """The text of a content: a string, or the texts of a list of blocks."""
    first = _first_byte(content)
    if first == b'"':
        return text_in(content)
    # Most are null where they are no text: trying to decode one costs more than looking.
    if first != b"[":
        return ""
    return "\n".join(
        block if isinstance(block, str) else text_of(block.text)
        for block in decode_or_none(_blocks, content) or ()
        if isinstance(block, str) or block.type in _TEXT_BLOCKS
    )


def _first_byte(value: Raw) -> bytes:
    return bytes(memoryview(value)[:1])


def _user(message: Message) -> tuple[Event, ...]:
    return user_events(text_of(message.content))


def _system(message: Message) -> tuple[Event, ...]:
    text = text_of(message.content)
    if text.startswith(_COMPACTED):
        return (Compacted(),)
    if text.startswith(_STOPPED):
        return (Ended("session", text[len(_STOPPED) :].strip()),)
    return (Note("system", text),)


def _assistant(message: Message) -> tuple[Event, ...]:
    events: list[Event] = []
    for thought in (message.reasoning, message.reasoning_content):
        if length := len(text_of(thought)):
            events.append(Thought(length))
            break
    message_id = message.id or message.message_id or ""
    events += _said(message.content, message_id)
    if refusal := text_of(message.refusal).strip():
        events.append(Reply(refusal, message_id))
    for call in message.tool_calls or ():
        function = call.function or Function(call.name, call.arguments)
        events += _call(call.id or call.call_id or "", function)
    if message.function_call is not None:
        # The old shape has no ids: the result names the function.
        events += _call(message.function_call.name or "", message.function_call)
    if (end := _end(message.finish_reason)) is not None:
        events.append(end)
    return tuple(events)


def _said(content: Raw, message_id: str) -> list[Event]:
    if _first_byte(content) != b"[":
        text = text_of(content)
        return [Reply(text, message_id)] if text and not text.isspace() else []
    events: list[Event] = []
    for block in decode_or_none(_blocks, content) or ():
        text = block if isinstance(block, str) else text_of(block.text) or text_of(block.refusal)
        if isinstance(block, Block) and block.type in ("thinking", "reasoning"):
            events.append(Thought(len(text_of(block.thinking) or text)))
        elif text and not text.isspace():
            events.append(Reply(text, message_id))
    return events


def _call(call_id: str, function: Function) -> tuple[Event, ...]:
    arguments: bytes | Raw = function.arguments
    text = text_of(function.arguments)
    # Arguments that are no object stay a string: some tools take plain text.
    if text.lstrip().startswith("{"):
        arguments = text.encode()
    return read_call(call_id, function.name or "", arguments)


def _end(reason: str | None) -> Event | None:
    if not reason or reason in _CALLING:
        return None
    if reason == "error":
        return Faulted(reason)
    return _ENDED if reason == "stop" else Ended("turn", reason)


def _tool(message: Message) -> tuple[Event, ...]:
    result = read_result(message.tool_call_id or message.name or "", message.content)
    if message.is_error and not result.failed:
        result = msgspec.structs.replace(result, failed=True)
    if message.name and kind_of(message.name) == "ask" and not (result.failed or result.answers):
        return (_answered(result, message),)
    return (result,)


def _answered(result: Result, message: Message) -> Result:
    """A question's result is the human's answer; its words are known from the call only."""
    answer = text_of(message.content).strip()
    return msgspec.structs.replace(result, answers=(("", answer),) if answer else ())


# What a message means, by its role.
ROLES: dict[str, EventReader] = {
    "user": _user,
    "human": _user,
    "assistant": _assistant,
    "tool": _tool,
    "function": _tool,
    "system": _system,
    "developer": _system,
}
