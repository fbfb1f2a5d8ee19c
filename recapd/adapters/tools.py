"""From an agent's tool call to a neutral one: tool names and argument names that agents share.

Agents name the same few things differently (`file_path`, `filePath`, `path`); one table of names and one tolerant
argument shape serve them all. What only one agent has (its question tool's shape, say) stays in its adapter.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec
from msgspec import Raw, Struct

from recapd.adapters.base import decode_or_none, text_in
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

_KINDS: dict[str, CallKind] = {}


def _register(kind: CallKind, names: str) -> None:
    for name in names.split():
        _KINDS[name] = kind


_register("read", "read view open_file read_file readfile read_many_files cat view_image notebookread read_notebook")
_register("list", "ls list list_dir list_directory listdir list_files tree")
_register(
    "search", "grep glob search ripgrep find rg search_file_content codesearch file_search grep_search toolsearch"
)
_register("recall", "recall recall_detail memory_search memory_get search_memory")
_register("fetch", "webfetch web_fetch websearch web_search google_web_search fetch web_search_call browse")
_register("edit", "edit multiedit notebookedit str_replace str_replace_editor replace multi_edit edit_file update")
_register("write", "write create write_file create_file writefile save_file")
_register("patch", "apply_patch applypatch patch apply_diff")
_register("delete", "delete delete_file remove_file rm")
_register(
    "shell", "bash exec shell shell_command exec_command run_shell_command local_shell_call powershell run_command"
)
_register("shell", "terminal execute_bash container.exec")
_register("remember", "remember save_memory memory_store note_to_self")
_register("ask", "askuserquestion ask ask_user question ask_question request_user_input")
_register("plan", "exitplanmode exit_plan_mode")
_register("todo", "todowrite todoread todo_write todo update_plan taskcreate taskupdate tasklist taskget todo_list")
_register("delegate", "task agent spawn_agent subagent dispatch_agent delegate")
_register("status", "status report_intent session_status enterplanmode bashoutput taskoutput write_stdin process")
_register("status", "killbash killshell taskstop wait_agent sleep")
# Copilot CLI and hermes have their own words.
_register(
    "status", "read_bash write_bash stop_bash list_bash read_powershell write_powershell stop_powershell read_agent"
)
_register("search", "search_files")
_register("recall", "session_search")
_register("fetch", "web_extract")
_register("ask", "clarify")
_register("delegate", "delegate_task")
_register("remember", "store_memory memory")
_register("todo", "update_todo")
# Gemini CLI's own.
_register("delegate", "codebase_investigator cli_help generalist delegate_to_agent invoke_agent")
_register("status", "update_topic enter_plan_mode")
_register("todo", "write_todos")
_register("done", "done finish task_done attempt_completion task_complete")

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


class Arguments(Struct, gc=False):
    """The argument names that tools of all agents use. Anything else stays unread."""

    file_path: str | None = None
    path: str | None = None
    filePath: str | None = None
    absolute_path: str | None = None
    notebook_path: str | None = None
    filename: str | None = None
    dir_path: str | None = None
    directory: str | None = None
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
_object = msgspec.json.Decoder(dict[str, object])
_steps = msgspec.json.Decoder(list[_Step])
_text = msgspec.json.Decoder(str)
_NO_ARGUMENTS = Arguments()


@lru_cache(maxsize=256)  # a log calls the same few tools thousands of times
def kind_of(tool: str) -> CallKind:
    return _KINDS.get(tool) or _KINDS.get(tool.lower(), "other")


def read_call(call_id: str, tool: str, arguments: bytes | Raw) -> tuple[Event, ...]:
    """The neutral call, and the list of work where the call carries one. `arguments` is the raw JSON object."""
    kind = kind_of(tool)
    if kind == "other":
        return (Call(call_id, tool, kind, detail=preview(arguments)),)
    args = decode_or_none(_arguments, arguments) or _strings_only(arguments)
    if kind == "shell":
        command = command_argv(args.command or args.cmd or args.script or args.input or "")
        return (_shell_call(call_id, tool, command, args),)
    if kind in ("read", "edit", "write", "list", "delete"):
        content = args.content if args.content is not None else args.file_text
        lines = _line_count(content) if kind == "write" and content is not None else -1
        return (Call(call_id, tool, kind, target=_path(args), lines=lines),)
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


def _path(args: Arguments) -> str:
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
    # Secrets go before the text is cut: half a key no longer looks like one.
    text = " ".join(redact(clean(text[:_PREVIEW_READ])).split())
    return text if len(text) <= _PREVIEW_VALUE_LENGTH else text[: _PREVIEW_VALUE_LENGTH - 1] + "…"
