"""From an agent's tool call to a neutral one: the argument names that agents share.

Agents name the same few things differently (`file_path`, `filePath`, `path`); one tolerant shape serves them all.
What only one agent has (its question tool's shape, say) stays in its adapter.
"""

from __future__ import annotations

import msgspec
from msgspec import Raw, Struct

from recapd.adapters.base import decode_or_none, text_in
from recapd.adapters.tool_names import kind_of
from recapd.core.events import Call, CallKind, Event, TodoItem, Todos, TodoStatus
from recapd.core.hygiene import clean
from recapd.core.patches import patch_files
from recapd.core.redact import redact
from recapd.core.shell import command_argv

# An unknown tool's line shows its argument names and the beginnings of their values, no more (CO-4).
_PREVIEW_LENGTH = 160
_PREVIEW_VALUE_LENGTH = 40
_PREVIEW_READ = 1_000
# Targets are shown on one line or parsed as commands; nobody reads more of them than this.
_MAX_TARGET = 4000

_ABOUT_ONE_FILE = frozenset(("read", "edit", "write", "list", "delete"))

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


class FileArguments(Struct, gc=False):
    """How tools of all agents name the one file they are about."""

    file_path: str | None = None
    path: str | None = None
    filePath: str | None = None
    absolute_path: str | None = None
    notebook_path: str | None = None
    filename: str | None = None
    dir_path: str | None = None
    directory: str | None = None


class _WriteArguments(FileArguments, gc=False):
    """A file and its text, which is only measured."""

    content: str | None = None
    file_text: str | None = None


class Arguments(FileArguments, gc=False):
    """The argument names that tools of all agents use. Anything else stays unread."""

    command: str | list[str] | None = None
    cmd: str | list[str] | None = None
    script: str | None = None
    workdir: str | None = None
    cwd: str | None = None
    pattern: str | None = None
    query: str | None = None
    url: str | None = None
    content: str | None = None
    file_text: str | None = None
    description: str | None = None
    prompt: str | None = None
    message: str | None = None
    question: str | None = None
    # Not `| None`: msgspec takes that for null only.
    plan: Raw = Raw()
    todos: Raw = Raw()
    input: str | None = None
    patch: str | None = None
    patchText: str | None = None
    text: str | None = None
    abstract: str | None = None
    summary: str | None = None
    fact: str | None = None
    subject: str | None = None
    objective: str | None = None
    task: str | None = None
    goal: str | None = None


_arguments = msgspec.json.Decoder(Arguments)
_file_arguments = msgspec.json.Decoder(FileArguments)
_write_arguments = msgspec.json.Decoder(_WriteArguments)
_object = msgspec.json.Decoder(dict[str, object])
_steps = msgspec.json.Decoder(list[_Step])
_text = msgspec.json.Decoder(str)
_NO_ARGUMENTS = Arguments()


def read_call(call_id: str, tool: str, arguments: bytes | Raw) -> tuple[Event, ...]:
    """The neutral call, and the list of work where the call carries one. `arguments` is the raw JSON object."""
    kind = kind_of(tool)
    if kind in _ABOUT_ONE_FILE:
        # Whole files and edits stand in the arguments: they are passed over, not read.
        if kind == "write":
            written = decode_or_none(_write_arguments, arguments)
            if written is not None:
                text = written.content if written.content is not None else written.file_text
                return (Call(call_id, tool, kind, _path(written), lines=-1 if text is None else _line_count(text)),)
        named = decode_or_none(_file_arguments, arguments) or _strings_only(arguments)
        return (Call(call_id, tool, kind, _path(named)),)
    if kind == "other":
        return (Call(call_id, tool, kind, detail=preview(arguments)),)
    args = decode_or_none(_arguments, arguments) or _strings_only(arguments)
    if kind == "shell":
        command = command_argv(args.command or args.cmd or args.script or args.input or "")
        return (_shell_call(call_id, tool, command, args),)
    if kind == "patch":
        command = args.command if isinstance(args.command, str) else ""
        text = args.input or args.patch or args.patchText or command or ""
        if not text and (path := _path(args)):
            # Some agents call it a patch to replace one text by another in a file.
            return (Call(call_id, tool, "edit", target=path),)
        return (patch_call(call_id, tool, text),)
    if kind == "todo":
        items = _todo_items(args)
        call = Call(call_id, tool, kind, target=args.subject or "")
        return (call, Todos(items)) if items is not None else (call,)
    return (
        Call(call_id, tool, kind, target=_subject(kind, args), where=args.path or "", detail=args.description or ""),
    )


def patch_call(call_id: str, tool: str, text: str) -> Call:
    effects = patch_files(text)
    return Call(call_id, tool, "patch", target=effects[0].path if effects else "", effects=effects)


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


def _shell_call(call_id: str, tool: str, command: str, args: Arguments) -> Call:
    # Codex era: a patch applied through the shell is an edit, and its heredoc is no list of commands.
    if "*** Begin Patch" in command:
        effects = patch_files(command)
        if effects:
            return Call(call_id, tool, "patch", target=effects[0].path, where=args.workdir or "", effects=effects)
    return Call(
        call_id,
        tool,
        "shell",
        target=command[:_MAX_TARGET],
        where=args.workdir or args.cwd or args.dir_path or args.directory or "",
        detail=args.description or "",
    )


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
    if kind == "search":
        return args.pattern or args.query or ""
    if kind == "fetch":
        return args.url or args.query or (args.prompt or "")[:_MAX_TARGET]
    if kind == "plan":
        return text_in(args.plan)[:_MAX_TARGET]
    if kind == "delegate":
        task = args.description or args.prompt or args.message or args.objective or args.task or args.goal
        return (task or args.question or "")[:_MAX_TARGET]
    words = args.question or args.abstract or args.text or args.fact or args.summary or args.message or args.query
    return (words or args.prompt or args.content or "")[:_MAX_TARGET]


def _todo_items(args: Arguments) -> tuple[TodoItem, ...] | None:
    steps = decode_or_none(_steps, args.todos if bytes(args.todos) else args.plan)
    if steps is None:
        return None
    return tuple(
        TodoItem(
            (step.content or step.step or step.text or step.subject or step.title or step.description)[:300],
            todo_status(step.status),
            "" if step.id is None else str(step.id),
        )
        for step in steps
    )


def _strings_only(arguments: bytes | Raw) -> Arguments:
    """Some argument has an odd type: keep those that are text."""
    values = decode_or_none(_object, arguments)
    if values is None:
        text = decode_or_none(_text, arguments)
        return Arguments(input=text) if text else _NO_ARGUMENTS
    texts = {key: value for key, value in values.items() if isinstance(value, str) and key not in ("plan", "todos")}
    return msgspec.convert(texts, Arguments)


def _line_count(content: str) -> int:
    """Lines as an editor counts them: a trailing newline ends the last line and starts none."""
    return content.count("\n") + (not content.endswith("\n")) if content else 0


def _short(value: object) -> str:
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    if len(text) <= _PREVIEW_VALUE_LENGTH:
        return " ".join(text.split())
    # Secrets go before the text is cut: half a key no longer looks like one.
    text = " ".join(redact(clean(text[:_PREVIEW_READ])).split())
    return text if len(text) <= _PREVIEW_VALUE_LENGTH else text[: _PREVIEW_VALUE_LENGTH - 1] + "…"
