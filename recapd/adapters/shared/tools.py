"""From an agent's tool call to a neutral one, by what the call is about.

What only one agent has (its question tool's shape, say) stays in its adapter.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec import Raw, Struct

from recapd.adapters.shared.arguments import (
    Arguments,
    FileArguments,
    SearchArguments,
    ShellArguments,
    TodoArguments,
    decode_arguments,
    decode_file,
    decode_search,
    decode_shell,
    decode_todo,
    decode_write,
    strings_only,
)
from recapd.adapters.shared.base import decode_or_none, text_in
from recapd.adapters.shared.tool_names import kind_of
from recapd.adapters.shared.written import decided_in, decided_in_patch, is_document
from recapd.core.commands import command_argv, patch_files
from recapd.core.hygiene import clean
from recapd.core.log import RECORDED_KINDS, Call, CallKind, Event, Recorded, TodoItem, Todos, TodoStatus
from recapd.core.secrets import redact

# An unknown tool's line shows its argument names and the beginnings of their values, no more (CO-4).
_PREVIEW_LENGTH = 160
_PREVIEW_VALUE_LENGTH = 40
_PREVIEW_READ = 1_000
# Targets are shown on one line or parsed as commands; nobody reads more of them than this.
_MAX_TARGET = 4000
# The tool takes no more.
_MAX_RECORDED = 300

_TODO_STATUS: dict[str, TodoStatus] = {
    "pending": "pending",
    "not_started": "pending",
    "todo": "pending",
    "open": "pending",
    "in_progress": "active",
    "in-progress": "active",
    "active": "active",
    "completed": "done",
    "complete": "done",
    "done": "done",
    "cancelled": "dropped",
    "canceled": "dropped",
    "deleted": "dropped",
}


class _Step(Struct, gc=False):
    content: str = ""
    step: str = ""
    text: str = ""
    title: str = ""
    subject: str = ""
    description: str = ""
    status: str = ""
    id: str | int | None = None


class _Record(Struct, gc=False):
    kind: str = ""
    text: str = ""
    madeBy: str = ""
    because: str | None = None
    replaces: str | None = None


class _Replaced(Struct, gc=False):
    """What an edit takes out and puts in, as agents name the two."""

    old_string: str = ""
    oldText: str = ""
    oldString: str = ""
    old_str: str = ""
    new_string: str = ""
    newText: str = ""
    newString: str = ""
    new_str: str = ""
    insert_text: str = ""

    @property
    def old(self) -> str:
        return self.old_string or self.oldText or self.oldString or self.old_str

    @property
    def new(self) -> str:
        return self.new_string or self.newText or self.newString or self.new_str or self.insert_text


class _Edit(_Replaced, gc=False):
    edits: list[_Replaced] = []


_edit = msgspec.json.Decoder(_Edit)
_record = msgspec.json.Decoder(_Record)
_object = msgspec.json.Decoder(dict[str, object])
_steps = msgspec.json.Decoder(list[_Step])
# What a decoder raises for arguments of another shape.
_ODD = (msgspec.DecodeError, ValueError, RecursionError)


def read_call(call_id: str, tool: str, arguments: bytes | Raw) -> tuple[Event, ...]:
    """The neutral call, and the list of work where the call carries one. `arguments` is the raw JSON object."""
    kind = kind_of(tool)
    return _READERS.get(kind, _any_call)(call_id, tool, kind, arguments)


def _shell_call(call_id: str, tool: str, kind: CallKind, arguments: bytes | Raw) -> tuple[Event, ...]:
    args: ShellArguments | Arguments
    try:
        args = decode_shell(arguments)
    except _ODD:
        args = strings_only(arguments)
    command = command_argv(args.command or args.cmd or args.script or args.input or "")
    # Codex era: a patch applied through the shell is an edit, and its heredoc is no list of commands.
    if "*** Begin Patch" in command:
        effects = patch_files(command)
        if effects:
            written = decided_in_patch(command)
            path, where = effects[0].path, args.workdir or ""
            return (Call(call_id, tool, "patch", path, where, effects=effects, written=written),)
    where = args.workdir or args.cwd or args.dir_path or args.directory or ""
    return (Call(call_id, tool, kind, command[:_MAX_TARGET], where, args.description or ""),)


def _file_call(call_id: str, tool: str, kind: CallKind, arguments: bytes | Raw) -> tuple[Event, ...]:
    """Edits stand in the arguments: but for those of documents they are passed over, not read."""
    args: FileArguments
    try:
        args = decode_file(arguments)
    except _ODD:
        args = strings_only(arguments)
    path = args.file_path or _path(args)
    if kind == "edit" and is_document(path):
        return (Call(call_id, tool, kind, path, written=_edited_in(path, arguments)),)
    return (Call(call_id, tool, kind, path),)


def _edited_in(path: str, arguments: bytes | Raw) -> tuple[tuple[str, str], ...]:
    args = decode_or_none(_edit, arguments)
    if args is None:
        return ()
    parts = [each for each in (args, *args.edits) if each.new]
    return tuple(found for each in parts for found in decided_in(path, each.new, each.old))


def _write_call(call_id: str, tool: str, kind: CallKind, arguments: bytes | Raw) -> tuple[Event, ...]:
    try:
        args = decode_write(arguments)
    except _ODD:
        return _file_call(call_id, tool, kind, arguments)
    text = args.content if args.content is not None else args.file_text
    path = _path(args)
    if text is None:
        return (Call(call_id, tool, kind, path),)
    return (Call(call_id, tool, kind, path, lines=line_count(text), written=decided_in(path, text)),)


def _search_call(call_id: str, tool: str, kind: CallKind, arguments: bytes | Raw) -> tuple[Event, ...]:
    args: SearchArguments | Arguments
    try:
        args = decode_search(arguments)
    except _ODD:
        args = strings_only(arguments)
    return (Call(call_id, tool, kind, args.pattern or args.query or "", args.path or "", args.description or ""),)


def _todo_call(call_id: str, tool: str, kind: CallKind, arguments: bytes | Raw) -> tuple[Event, ...]:
    args: TodoArguments | Arguments
    try:
        args = decode_todo(arguments)
    except _ODD:
        args = strings_only(arguments)
    call = Call(call_id, tool, kind, args.subject or "")
    items = _todo_items(args)
    return (call, Todos(items)) if items is not None else (call,)


def _patch_call(call_id: str, tool: str, kind: CallKind, arguments: bytes | Raw) -> tuple[Event, ...]:
    args = _arguments(arguments)
    command = args.command if isinstance(args.command, str) else ""
    text = args.input or args.patch or args.patchText or command or ""
    if not text and (path := _path(args)):
        # Some agents call it a patch to replace one text by another in a file.
        return (Call(call_id, tool, "edit", path),)
    return (patch_call(call_id, tool, text),)


def _record_call(call_id: str, tool: str, kind: CallKind, arguments: bytes | Raw) -> tuple[Event, ...]:
    """recapd's own tool. What is no record by its arguments was refused, too."""
    args = decode_or_none(_record, arguments)
    named = next((each for each in RECORDED_KINDS if args is not None and each == args.kind), None)
    if args is None or named is None or not args.text.strip():
        return _unknown_call(call_id, tool, "other", arguments)
    recorded = Recorded(
        named,
        args.text[:_MAX_RECORDED],
        by_user=args.madeBy == "user",
        because=(args.because or "")[:_MAX_RECORDED],
        replaces=(args.replaces or "")[:_MAX_RECORDED],
    )
    return (Call(call_id, tool, kind, recorded.text, recorded=recorded),)


def _unknown_call(call_id: str, tool: str, kind: CallKind, arguments: bytes | Raw) -> tuple[Event, ...]:
    return (Call(call_id, tool, kind, detail=preview(arguments)),)


def _any_call(call_id: str, tool: str, kind: CallKind, arguments: bytes | Raw) -> tuple[Event, ...]:
    args = _arguments(arguments)
    written = decided_in("plan.md", text_in(args.plan)) if kind == "plan" else ()
    where, label = args.path or "", args.description or ""
    return (Call(call_id, tool, kind, _subject(kind, args), where, label, written=written),)


# How the arguments are read, by what the call is about.
_READERS: dict[CallKind, Callable[[str, str, CallKind, bytes | Raw], tuple[Event, ...]]] = {
    "shell": _shell_call,
    "read": _file_call,
    "edit": _file_call,
    "list": _file_call,
    "delete": _file_call,
    "write": _write_call,
    "search": _search_call,
    "todo": _todo_call,
    "patch": _patch_call,
    "record": _record_call,
    "other": _unknown_call,
}


def patch_call(call_id: str, tool: str, text: str) -> Call:
    effects = patch_files(text)
    path = effects[0].path if effects else ""
    return Call(call_id, tool, "patch", target=path, effects=effects, written=decided_in_patch(text))


def preview(arguments: bytes | Raw) -> str:
    """Argument names with the beginnings of their values, bounded."""
    values = decode_or_none(_object, arguments)
    if not values:
        return ""
    parts: list[str] = []
    room = _PREVIEW_LENGTH
    for key, value in values.items():
        part = f"{key[:_PREVIEW_VALUE_LENGTH]}={_short(value)}"
        if len(part) + 2 > room:
            parts.append("…")
            break
        parts.append(part)
        room -= len(part) + 2
    return ", ".join(parts)


def todo_status(word: str) -> TodoStatus:
    return _TODO_STATUS.get(word.lower(), "pending")


def _arguments(arguments: bytes | Raw) -> Arguments:
    try:
        return decode_arguments(arguments)
    except _ODD:
        return strings_only(arguments)


def _path(args: FileArguments) -> str:
    return (
        args.file_path
        or args.path
        or args.filePath
        or args.absolute_path
        or args.notebook_path
        or args.filename
        or args.dir_path
        or args.directory
        or ""
    )


def _subject(kind: CallKind, args: Arguments) -> str:
    if kind == "fetch":
        return args.url or args.query or (args.prompt or "")[:_MAX_TARGET]
    if kind == "plan":
        return text_in(args.plan)[:_MAX_TARGET]
    if kind == "delegate":
        task = args.description or args.prompt or args.message or args.objective or args.task or args.goal
        return (task or args.question or "")[:_MAX_TARGET]
    if kind == "retrieve":
        return f"#{args.chunk_id}" if args.chunk_id is not None else ""
    words = args.question or args.abstract or args.text or args.fact or args.summary or args.message or args.query
    return (words or args.prompt or args.content or "")[:_MAX_TARGET]


def _todo_items(args: TodoArguments | Arguments) -> tuple[TodoItem, ...] | None:
    steps = decode_or_none(_steps, args.todos if bytes(args.todos) else args.plan)
    if steps is None:
        return None
    items = [
        TodoItem(
            (step.content or step.step or step.text or step.subject or step.title or step.description)[:300],
            _TODO_STATUS.get(step.status) or todo_status(step.status),
            "" if step.id is None else str(step.id),
        )
        for step in steps
    ]
    return tuple(items)


def line_count(content: str) -> int:
    """Lines as an editor counts them: a trailing newline ends the last line and starts none."""
    return content.count("\n") + (not content.endswith("\n")) if content else 0


def _short(value: object) -> str:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    if len(text) <= _PREVIEW_VALUE_LENGTH and "\n" not in text:
        return " ".join(text.split())
    # Secrets go before the text is cut or its lines are joined: half a key no longer looks like one, nor does a value
    # that stood below its name.
    text = " ".join(redact(clean(text[:_PREVIEW_READ])).split())
    return text if len(text) <= _PREVIEW_VALUE_LENGTH else text[: _PREVIEW_VALUE_LENGTH - 1] + "…"
