"""The conversation in a Codex rollout: messages, reasoning, calls and what came back.

Both generations of the format hold the same items, one in an envelope and one bare; this module reads the items.
It knows nothing of envelopes, session headers or the events that newer versions write beside the items.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import msgspec
from msgspec import Raw, Struct

from recapd.adapters.codex.prompts import weak_prompt
from recapd.adapters.codex.results import read_result
from recapd.adapters.shared import asking, decode_or_none, kind_of, patch_call, questions_in, read_call, text_in
from recapd.core.commands import command_argv
from recapd.core.log import Call, Event, Note, Reply, Thought

# A tool that takes free text is shown by its beginning.
_PREVIEW_LENGTH = 160
_MAX_TARGET = 4000
_TEXT_BLOCKS = frozenset(("text", "input_text", "output_text", "summary_text", "reasoning_text"))


class Block(Struct, gc=False):
    type: str = ""
    text: Raw = Raw()


class Git(Struct, gc=False):
    branch: str | None = None


class Item(Struct, gc=False):
    """Every field that some item, event or header of either generation has and that somebody reads."""

    type: str = ""
    role: str = ""
    content: list[Block | str] | str | None = None
    summary: list[Block | str] | str | None = None
    id: str | None = None
    call_id: str | None = None
    name: str | None = None
    namespace: str | None = None
    arguments: Raw = Raw()
    input: Raw = Raw()
    output: Raw = Raw()
    action: Raw = Raw()
    # Of headers and events.
    message: Raw = Raw()
    reason: Raw = Raw()
    cwd: str | None = None
    model: str | None = None
    cli_version: str | None = None
    git: Git | None = None
    source: Raw = Raw()
    num_turns: Raw = Raw()
    thread_name: Raw = Raw()
    user_facing_hint: Raw = Raw()
    # Of the bare generation only.
    timestamp: str | None = None
    record_type: str = ""


class _ShellAction(Struct, gc=False):
    command: str | list[str] = ""
    working_directory: str | None = None


class _SearchAction(Struct, gc=False):
    query: str | None = None
    url: str | None = None


class _Typed(Struct, gc=False):
    """Input for a process that still runs, or only a look at it."""

    session_id: int | str = ""


_typed = msgspec.json.Decoder(_Typed)
_shell_action = msgspec.json.Decoder(_ShellAction)
_search_action = msgspec.json.Decoder(_SearchAction)

ItemReader: TypeAlias = Callable[[Item], tuple[Event, ...]]


def _texts(content: list[Block | str] | str | None) -> list[str]:
    if not content:
        return []
    if isinstance(content, str):
        return [content]
    return [
        block if isinstance(block, str) else text_in(block.text)
        for block in content
        if isinstance(block, str) or block.type in _TEXT_BLOCKS
    ]


def _message(item: Item) -> tuple[Event, ...]:
    texts = _texts(item.content)
    if item.role == "assistant":
        return tuple(Reply(text, item.id or "") for text in texts if text.strip())
    text = "\n".join(texts)
    if item.role == "user":
        return weak_prompt(text)
    return (Note("meta", text),)


def _teammate(item: Item) -> tuple[Event, ...]:
    return (Note("teammate", "\n".join(_texts(item.content))),)


def _reasoning(item: Item) -> tuple[Event, ...]:
    return (Thought(sum(map(len, _texts(item.summary))) + sum(map(len, _texts(item.content)))),)


def _function_call(item: Item) -> tuple[Event, ...]:
    call_id, name = item.call_id or "", item.name or ""
    arguments = _inner_json(item.arguments)
    if name == "request_user_input":
        return (_ask(call_id, name, arguments),)
    if name == "write_stdin":
        typed = decode_or_none(_typed, arguments)
        return (Call(call_id, name, "status", process=str(typed.session_id) if typed is not None else ""),)
    if item.namespace and kind_of(name) == "other":
        # Of servers of tools newer versions leave out what parts the two.
        is_parted = not item.namespace.startswith("mcp__") or item.namespace.endswith("__") or name.startswith("_")
        name = f"{item.namespace}{name}" if is_parted else f"{item.namespace}__{name}"
    return read_call(call_id, name, arguments)


def _inner_json(arguments: Raw) -> bytes | Raw:
    """Arguments are JSON inside a JSON string; some tools of old took plain text there, which stays a string."""
    text = text_in(arguments)
    return text.encode() if text.lstrip().startswith("{") else arguments


def _ask(call_id: str, name: str, arguments: bytes | Raw) -> Call:
    call = asking(Call(call_id, name, "ask"), questions_in(arguments))
    return msgspec.structs.replace(call, target=call.target[:_MAX_TARGET])


def _custom_call(item: Item) -> tuple[Event, ...]:
    """A tool whose whole argument is free text: a patch, or a program in a language of its own."""
    call_id, name = item.call_id or "", item.name or ""
    text = text_in(item.input)
    if kind_of(name) == "patch":
        return (patch_call(call_id, name, text),)
    return (Call(call_id, name, "other", detail=" ".join(text[: _PREVIEW_LENGTH * 2].split())[:_PREVIEW_LENGTH]),)


def _local_shell(item: Item) -> tuple[Event, ...]:
    action = decode_or_none(_shell_action, item.action) or _ShellAction()
    command = command_argv(action.command)[:_MAX_TARGET]
    call_id = item.call_id or item.id or ""
    return (Call(call_id, "local_shell_call", "shell", target=command, where=action.working_directory or ""),)


def _web_search(item: Item) -> tuple[Event, ...]:
    """The model's service searched by itself: no tool of the agent, and no result is ever logged."""
    action = decode_or_none(_search_action, item.action)
    subject = (action.query or action.url or "") if action is not None else ""
    return (Note("meta", subject),) if subject else ()


def _output(item: Item) -> tuple[Event, ...]:
    return (read_result(item.call_id or "", item.output),)


# None: known, and nothing for a recap in it.
ITEMS: dict[str, ItemReader | None] = {
    "message": _message,
    "agent_message": _teammate,
    "reasoning": _reasoning,
    "function_call": _function_call,
    "function_call_output": _output,
    "custom_tool_call": _custom_call,
    "custom_tool_call_output": _output,
    "local_shell_call": _local_shell,
    "web_search_call": _web_search,
    "tool_search_call": None,
    "tool_search_output": None,
    "image_generation_call": None,
    "ghost_snapshot": None,
    "compaction": None,
    "compaction_summary": None,
    "context_compaction": None,
    "additional_tools": None,
    "other": None,
}
