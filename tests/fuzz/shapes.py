"""Well-formed lines of every format, built in code: how each agent writes a message, a call and a result.

The calls and results lead deep into the fold: shell commands, test runs, commits, patches, todo lists, questions.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import zip_longest
from typing import NamedTuple, TypeAlias

Json: TypeAlias = dict[str, object]

STAMP = "2026-02-03T04:05:06.789Z"

COMMANDS = (
    "git add -A && git commit -m 'fix: the parser'",
    "git commit -F - <<'EOF'\nfeat: more\n\nbody\nEOF",
    "python -m pytest -q tests/ | tail -5",
    "cd app && npm test -- --watch=false",
    "cargo build --release && cargo test",
    "cat <<EOF > out.py\nx = 1\nEOF",
    "sed -i 's/a/b/' x.py; mv a.py b.py && rm -rf build",
    "bash -lc \"echo '$(date)' >> log.txt\"",
    "powershell -Command \"Set-Content -Path a.txt -Value 'x'\"",
    "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: a.py\n+x\n*** Delete File: b.py\n*** End Patch\nEOF",
)
OUTPUTS = (
    "======== 99999999999999999999 passed, 1 failed in 0.12s ========",
    "Tests:       18446744073709551616 failed, 5 passed",
    "======== 3 passed, 1 failed, 2 skipped in 0.12s ========",
    "Tests:       2 failed, 5 passed, 7 total",
    "test result: ok. 3 passed; 0 failed; 0 ignored",
    "Exit code: 1\nWall time: 0.1 seconds\nOutput:\nno such file",
    "Process exited with code 2\nOutput:\nFAILED (failures=1)",
    "\x1b[31mError\x1b[0m: cannot open\n  at line 3",
    '{"output":"a\\nb","metadata":{"exit_code":0}}',
    '{"output":"a\\nb","metadata":{"exit_code":18446744073709551616}}',
    '{"output":"a","exit_code":18446744073709551616}',
    "Process exited with code 99999999999999999999\nOutput:\n",
    "Exit code 99999999999999999999\nno",
    "no\n\nCommand exited with code 99999999999999999999",
)
TEXTS = (
    "Make the parser faster, please?",
    "<system-reminder>be good</system-reminder>now do it",
    "<command-name>/review</command-name><command-args>the patch</command-args>",
    "This session is being continued from a previous conversation.",
    "**Done.** Shall I go on with `b.py`? See <https://example.invalid>",
    "继续 🏴󠁧󠁢󠁥󠁮󠁧󠁿 \u2028 مرحبا",
)


def _runs(tool: str, key: str, command: str) -> tuple[str, Json]:
    return tool, {key: command, "description": "run", "workdir": "/repo"}


# Few, so that in any order of lines most results meet a call.
IDS = 4

ARGUMENTS: tuple[tuple[str, Json], ...] = (
    ("Read", {"file_path": "/repo/a.py"}),
    ("Edit", {"file_path": "/repo/a.py", "old_string": "x", "new_string": "y"}),
    ("Write", {"file_path": "/repo/new.py", "content": "a\nb\n"}),
    ("Grep", {"pattern": "x", "path": "/repo"}),
    ("TodoWrite", {"todos": [{"content": "first", "status": "in_progress", "id": "1"}]}),
    ("TaskCreate", {"subject": "first", "description": "d"}),
    ("TaskUpdate", {"taskId": "1", "status": "completed"}),
    ("AskUserQuestion", {"questions": [{"question": "Which?", "options": [{"label": "a"}]}]}),
    ("ExitPlanMode", {"plan": "1. do it"}),
    ("Task", {"description": "look", "prompt": "look around", "subagent_type": "x"}),
    ("update_plan", {"plan": [{"step": "first", "status": "completed"}]}),
    ("apply_patch", {"input": "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch"}),
    ("mcp__server__thing", {"a": {"b": [1, 2.5, None]}}),
    ("shell", {"command": ["bash", "-lc", COMMANDS[2]]}),
    *(_runs("Bash", "command", command) for command in COMMANDS),
    *(_runs("exec_command", "cmd", command) for command in COMMANDS[:4]),
)


class Shape(NamedTuple):
    """How one format writes the three things every agent does."""

    says: Callable[[str, str], Json]
    calls: Callable[[str, str, Json], Json]
    returns: Callable[[str, str, bool], Json]


_CLAUDE: Json = {
    "sessionId": "s-1",
    "uuid": "u-1",
    "parentUuid": "u-0",
    "timestamp": STAMP,
    "cwd": "/repo",
    "version": "2",
}


def _claude(role: str, *content: Json, **more: object) -> Json:
    message: Json = {"role": role, "id": "m-1", "model": "m", "content": list(content), "stop_reason": "end_turn"}
    return _CLAUDE | {"type": role, "message": message} | more


def _anthropic(role: str, *content: Json) -> Json:
    return {"role": role, "content": list(content)}


def _codex(item: Json) -> Json:
    return {"timestamp": STAMP, "type": "response_item", "payload": item}


def _codex_says(role: str, text: str) -> Json:
    return {
        "type": "message",
        "role": role,
        "content": [_text(text, "input_text" if role == "user" else "output_text")],
    }


def _codex_calls(id_: str, name: str, args: Json) -> Json:
    return {"type": "function_call", "name": name, "arguments": json.dumps(args), "call_id": id_}


def _codex_returns(id_: str, text: str, failed: bool) -> Json:
    return {"type": "function_call_output", "call_id": id_, "output": text}


def _pi(role: str, *content: Json, **more: object) -> Json:
    message = {"role": role, "content": list(content), "stopReason": "stop", "timestamp": 1} | more
    return {"type": "message", "id": "e2", "parentId": "e1", "timestamp": STAMP, "message": message}


def _openai_calls(id_: str, name: str, args: Json) -> Json:
    call = {"id": id_, "type": "function", "function": {"name": name, "arguments": json.dumps(args)}}
    return {"role": "assistant", "content": None, "tool_calls": [call], "timestamp": "2026-02-03T04:05:06.789"}


def _copilot(type_: str, **data: object) -> Json:
    return {"type": type_, "id": "e2", "parentId": "e1", "timestamp": STAMP, "data": data}


def _gemini(type_: str, **more: object) -> Json:
    return {"id": "g-1", "timestamp": STAMP, "type": type_, "content": "", "model": "m"} | more


def _gemini_tool(id_: str, name: str, args: Json, text: str, failed: bool) -> Json:
    result = [{"functionResponse": {"id": id_, "name": name, "response": {"output": text}}}]
    call = {"id": id_, "name": name, "args": args, "result": result, "status": "error" if failed else "success"}
    return _gemini("gemini", toolCalls=[call], thoughts=[{"subject": "s", "description": "d"}])


def _opencode(role: str, *parts: Json) -> Json:
    info = {
        "id": "m-1",
        "role": role,
        "sessionID": "s-1",
        "modelID": "m",
        "path": {"cwd": "/repo"},
        "time": {"created": 1},
    }
    return {"info": info, "parts": list(parts)}


def _opencode_tool(id_: str, name: str, args: Json, text: str, failed: bool) -> Json:
    state = {
        "status": "error" if failed else "completed",
        "input": args,
        "output": text,
        "time": {"start": 1, "end": 2},
    }
    return _opencode("assistant", {"type": "tool", "callID": id_, "tool": name, "state": state})


def _openhands(kind: str, **more: object) -> Json:
    return {"id": "e-1", "timestamp": STAMP, "source": "agent", "kind": kind} | more


def _text(text: str, type_: str = "text") -> Json:
    return {"type": type_, "text": text}


def _use(id_: str, name: str, args: Json, type_: str = "tool_use", key: str = "input") -> Json:
    return {"type": type_, "id": id_, "name": name, key: args}


def _came_back(id_: str, text: str, failed: bool) -> Json:
    return {"type": "tool_result", "tool_use_id": id_, "content": text, "is_error": failed}


SHAPES: dict[str, Shape] = {
    "claude-code": Shape(
        lambda role, text: _claude(role, _text(text)),
        lambda id_, name, args: _claude("assistant", _use(id_, name, args)),
        lambda id_, text, failed: _claude("user", _came_back(id_, text, failed), toolUseResult={"stdout": text}),
    ),
    "codex": Shape(
        lambda role, text: _codex(_codex_says(role, text)),
        lambda id_, name, args: _codex(_codex_calls(id_, name, args)),
        lambda id_, text, failed: _codex(_codex_returns(id_, text, failed)),
    ),
    "codex-bare": Shape(_codex_says, _codex_calls, _codex_returns),
    "pi": Shape(
        lambda role, text: _pi(role, _text(text)),
        lambda id_, name, args: _pi("assistant", _use(id_, name, args, "toolCall", "arguments")),
        lambda id_, text, failed: _pi(
            "toolResult", _text(text), toolCallId=id_, toolName="exec", isError=failed, details={"exitCode": 0}
        ),
    ),
    "openai-chat": Shape(
        lambda role, text: {"role": role, "content": text, "timestamp": "2026-02-03T04:05:06.789"},
        _openai_calls,
        lambda id_, text, failed: {"role": "tool", "tool_call_id": id_, "name": "bash", "content": text},
    ),
    "anthropic-messages": Shape(
        lambda role, text: _anthropic(role, _text(text)),
        lambda id_, name, args: _anthropic("assistant", _use(id_, name, args)),
        lambda id_, text, failed: _anthropic("user", _came_back(id_, text, failed)),
    ),
    "copilot": Shape(
        lambda role, text: _copilot(f"{role}.message", content=text, messageId="m-1"),
        lambda id_, name, args: _copilot("tool.execution_start", toolCallId=id_, toolName=name, arguments=args),
        lambda id_, text, failed: _copilot(
            "tool.execution_complete", toolCallId=id_, success=not failed, result={"content": text}
        ),
    ),
    "gemini": Shape(
        lambda role, text: _gemini("user" if role == "user" else "gemini", content=text),
        lambda id_, name, args: _gemini_tool(id_, name, args, "ok", False),
        lambda id_, text, failed: _gemini_tool(id_, "run_shell_command", {"command": COMMANDS[2]}, text, failed),
    ),
    "opencode": Shape(
        lambda role, text: _opencode(role, _text(text)),
        lambda id_, name, args: _opencode_tool(id_, name, args, "ok", False),
        lambda id_, text, failed: _opencode_tool(id_, "bash", {"command": COMMANDS[2]}, text, failed),
    ),
    "openhands": Shape(
        lambda role, text: _openhands("MessageEvent", llm_message={"role": role, "content": [_text(text)]}),
        lambda id_, name, args: _openhands("ActionEvent", tool_name=name, tool_call_id=id_, action=args, summary="s"),
        lambda id_, text, failed: _openhands("ObservationEvent", tool_call_id=id_, observation={"content": text}),
    ),
}

# Formats that are one document: the messages of a shape, and what stands around them.
DOCUMENTS: tuple[tuple[str, Json, str], ...] = (
    ("gemini", {"sessionId": "s-1", "projectHash": "0", "startTime": STAMP, "lastUpdated": STAMP}, "messages"),
    ("opencode", {"info": {"id": "ses_1", "directory": "/repo", "title": "t", "time": {"created": 1}}}, "messages"),
    ("openai-chat", {"meta": {"id": "s-1"}, "session_id": "s-1"}, "messages"),
    ("anthropic-messages", {"model": "m", "system": "x"}, "messages"),
)


def built(shape: Shape) -> list[Json]:
    calls = [shape.calls(f"c{number % IDS}", name, args) for number, (name, args) in enumerate(ARGUMENTS)]
    results = [shape.returns(f"c{number % IDS}", text, bool(number % 2)) for number, text in enumerate(OUTPUTS)]
    said = [shape.says(role, text) for text in TEXTS for role in ("user", "assistant")]
    return [line for group in zip_longest(said, calls, results) for line in group if line]


def documents() -> tuple[bytes, ...]:
    """Whole files of the formats that are one document, written as their agents do."""
    return tuple(
        json.dumps(around | {key: built(SHAPES[name])}, indent=indent).encode()
        for name, around, key in DOCUMENTS
        for indent in (None, 2)
    )
