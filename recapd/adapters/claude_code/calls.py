"""What the agent says and does in Claude Code's log: text, thoughts, tool calls, and messages the harness makes up."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from recapd.adapters.claude_code.shape import Block, Line, Message
from recapd.adapters.shared import asking, decode_or_none, questions_in, read_call, todo_status
from recapd.core.log import Call, Event, Faulted, Reply, Thought, TodoChanged

SYNTHETIC_MODEL = "<synthetic>"
# Written in the agent's place when a resumed session had nothing to answer.
_NO_ANSWER = "No response requested."
# Tools of which more is read than of others.
_OWN_TOOLS = frozenset(("AskUserQuestion", "TaskCreate", "TaskUpdate"))


class _Task(Struct, gc=False):
    taskId: str | int = ""
    subject: str = ""
    status: str = ""


_task = msgspec.json.Decoder(_Task)


def assistant_events(line: Line) -> tuple[Event, ...]:
    message = line.message
    if message is None or message.content is None:
        return ()
    content = message.content
    if isinstance(content, str):
        content = [Block("text", content)]
    if line.isApiErrorMessage or message.model == SYNTHETIC_MODEL:
        text = "\n".join(block.text for block in content if block.text).strip()
        return (Faulted(text),) if text and text != _NO_ANSWER else ()
    if len(content) == 1:
        return _block_events(content[0], message)
    events: list[Event] = []
    for block in content:
        events += _block_events(block, message)
    return tuple(events)


def _block_events(block: Block, message: Message) -> tuple[Event, ...]:
    kind = block.type
    if kind == "tool_use":
        return _call_events(block)
    if kind == "text":
        text = block.text
        if not text or text.isspace():
            return ()
        # Older versions say nothing of it.
        return (Reply(text, message.id or "", message.stop_reason == "tool_use"),)
    if kind == "thinking" or kind == "redacted_thinking":
        return (Thought(len(block.thinking or "")),)
    return ()


def _call_events(block: Block) -> tuple[Event, ...]:
    call_id = block.id or ""
    name = block.name or ""
    if name not in _OWN_TOOLS:
        return read_call(call_id, name, block.input)
    if name == "AskUserQuestion":
        return (_ask(call_id, name, block),)
    events = read_call(call_id, name, block.input)
    if name == "TaskCreate":
        task = decode_or_none(_task, block.input)
        if task is not None and task.subject:
            return (*events, TodoChanged(text=task.subject, status="pending", call_id=call_id))
    elif name == "TaskUpdate":
        task = decode_or_none(_task, block.input)
        if task is not None and (task.status or task.subject):
            status = todo_status(task.status) if task.status else ""
            return (*events, TodoChanged(id=str(task.taskId), text=task.subject, status=status))
    return events


def _ask(call_id: str, name: str, block: Block) -> Call:
    return asking(Call(call_id, name, "ask"), questions_in(block.input))
