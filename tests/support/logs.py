"""Small synthetic logs: one script of a conversation, written down as each of three agents would.

    claude_log(human("fix the parser"), shell("pytest", "3 passed"), agent("Done."))

Every record is one minute after the one before it, unless `pause` comes between. Lines are written without spaces, as
the agents write them. Neutral records are built by `records`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from recapd.core.log.times import canonical

CWD: Final = "/home/dev/shop"
BEGIN: Final = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)
MINUTE_S: Final = 60

Tool: TypeAlias = Literal["read", "edit", "write", "shell", "ask", "todo", "plan", "other"]
Outcome: TypeAlias = Literal["ok", "failed", "denied", "open"]


def at(seconds: float) -> str:
    """The canonical time so many seconds after the conversation began."""
    return canonical((BEGIN + timedelta(seconds=seconds)).isoformat())


def ended(log: bytes, minutes_ago: float) -> bytes:
    """The same log, its last record so long ago, whatever the time of the day."""
    last = max(_moment(found[1]) for found in _TIME.finditer(log))
    shift = datetime.now(UTC) - timedelta(minutes=minutes_ago) - last
    return _TIME.sub(lambda found: b'"timestamp":"%s"' % _written_time(_moment(found[1]) + shift), log)


_TIME: Final = re.compile(rb'"timestamp":"([^"]+)"')


def _moment(written: bytes) -> datetime:
    return datetime.fromisoformat(written.decode())


def _written_time(moment: datetime) -> bytes:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z").encode()


# ---- the script


class Act(Struct, frozen=True, kw_only=True):
    """One thing that happens: somebody speaks, a tool is called and comes back, the clock moves, a line is damaged."""

    kind: Literal["human", "agent", "call", "title", "pause", "raw"]
    text: str = ""
    tool: Tool = "other"
    # The name of an unknown tool, and its arguments.
    name: str = ""
    arguments: dict[str, object] = {}
    facts: dict[str, object] | None = None
    output: str = ""
    outcome: Outcome = "ok"
    exit_code: int = 0
    created: bool | None = None
    todos: tuple[tuple[str, str], ...] = ()
    seconds: float = 0
    line: bytes = b""


def human(text: str) -> Act:
    return Act(kind="human", text=text)


def agent(text: str) -> Act:
    return Act(kind="agent", text=text)


def title(text: str) -> Act:
    return Act(kind="title", text=text)


def pause(seconds: float) -> Act:
    return Act(kind="pause", seconds=seconds)


def raw(line: bytes) -> Act:
    """A line as it is: damaged, or of a type nobody knows."""
    return Act(kind="raw", line=line)


def shell(command: str, output: str = "", *, exit_code: int = 0, outcome: Outcome = "ok") -> Act:
    outcome = "failed" if exit_code else outcome
    return Act(kind="call", tool="shell", text=command, output=output, exit_code=exit_code, outcome=outcome)


def read(path: str, output: str = "", *, outcome: Outcome = "ok") -> Act:
    return Act(kind="call", tool="read", text=path, output=output, outcome=outcome)


def edit(path: str, output: str = "", *, outcome: Outcome = "ok") -> Act:
    return Act(kind="call", tool="edit", text=path, output=output, outcome=outcome)


def write(path: str, *, created: bool = True, outcome: Outcome = "ok") -> Act:
    return Act(kind="call", tool="write", text=path, created=created, outcome=outcome)


def ask(question: str, answer: str = "", *, outcome: Outcome = "ok") -> Act:
    return Act(kind="call", tool="ask", text=question, output=answer, outcome=outcome)


def plan(text: str, *, outcome: Outcome = "ok", reason: str = "") -> Act:
    """A plan laid before the human: approved, or refused for a reason. As Claude Code writes it."""
    output = reason if outcome == "denied" else "User has approved your plan. You can now start coding."
    return Act(kind="call", tool="plan", text=text, output=output, outcome=outcome)


def todo(items: dict[str, str]) -> Act:
    """The whole list of work: each text with its status."""
    return Act(kind="call", tool="todo", todos=tuple(items.items()))


def other(
    name: str,
    arguments: dict[str, object],
    output: str = "",
    *,
    outcome: Outcome = "ok",
    facts: dict[str, object] | None = None,
) -> Act:
    """`facts` are what Claude Code writes beside the result."""
    return Act(kind="call", name=name, arguments=arguments, output=output, outcome=outcome, facts=facts)


# ---- the three agents


def claude_log(*acts: Act, session: str = "5e551011-c0de-4a11-8000-000000000001", cwd: str = CWD) -> bytes:
    def entry(number: int, kind: str, **fields: object) -> dict[str, object]:
        parent = _uuid(number - 1) if number > 1 else None
        place = {"parentUuid": parent, "isSidechain": False, "uuid": _uuid(number), "sessionId": session, "cwd": cwd}
        return {**place, "version": "2.1.50", "gitBranch": "main", "type": kind, **fields}

    def told(act: Act, number: int) -> Iterator[dict[str, object]]:
        if act.kind == "human":
            yield entry(number, "user", message={"role": "user", "content": act.text})
        elif act.kind == "title":
            yield {"type": "custom-title", "customTitle": act.text, "sessionId": session}
        elif act.kind == "agent":
            yield entry(number, "assistant", message=_claude_message(number, {"type": "text", "text": act.text}))
        else:
            name, arguments = _claude_call(act)
            block = {"type": "tool_use", "id": f"toolu_{number}", "name": name, "input": arguments}
            yield entry(number, "assistant", message=_claude_message(number, block))
            if act.outcome != "open":
                text, facts = _claude_result(act)
                answer: dict[str, object] = {"type": "tool_result", "tool_use_id": f"toolu_{number}", "content": text}
                answer |= {"is_error": True} if act.outcome != "ok" else {}
                message = {"role": "user", "content": [answer]}
                yield entry(number + 1, "user", message=message, toolUseResult=facts)

    return _written(acts, told)


def _claude_message(number: int, block: object) -> dict[str, object]:
    return {"role": "assistant", "id": f"msg_{number}", "model": "claude-opus-4-6", "content": [block]}


def _claude_call(act: Act) -> tuple[str, dict[str, object]]:
    todos = [{"content": text, "status": status, "activeForm": text} for text, status in act.todos]
    calls: dict[Tool, tuple[str, dict[str, object]]] = {
        "read": ("Read", {"file_path": act.text}),
        "edit": ("Edit", {"file_path": act.text, "old_string": "a", "new_string": "b"}),
        "write": ("Write", {"file_path": act.text, "content": "one\ntwo\n"}),
        "shell": ("Bash", {"command": act.text}),
        "ask": ("AskUserQuestion", {"questions": [{"question": act.text, "options": [{"label": act.output}]}]}),
        "todo": ("TodoWrite", {"todos": todos}),
        "plan": ("ExitPlanMode", {"plan": act.text}),
        "other": (act.name, act.arguments),
    }
    return calls[act.tool]


_REFUSED: Final = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected. "
    "To tell you how to proceed, the user said:\n"
)


def _claude_result(act: Act) -> tuple[str, object]:
    if act.outcome == "denied":
        return f"{_REFUSED}{act.output}", "User rejected tool use"
    if act.outcome == "failed":
        head = f"Exit code {act.exit_code}\n" if act.exit_code else ""
        return f"{head}{act.output}", f"Error: {head}{act.output}"
    facts: dict[Tool, object] = {
        "read": {"type": "text", "file": {"filePath": act.text, "numLines": len(act.output.splitlines())}},
        "edit": {"filePath": act.text, "oldString": "a", "newString": "b"},
        "write": {"type": "create" if act.created else "update", "filePath": act.text},
        "ask": {"questions": [], "answers": {act.text: act.output}},
        "plan": {"plan": act.text, "isAgent": False},
    }
    return act.output or "ok", act.facts or facts.get(act.tool, {"stdout": act.output})


def codex_log(*acts: Act, session: str = "5e551011-c0de-7a11-8000-000000000002", cwd: str = CWD) -> bytes:
    def line(kind: str, **payload: object) -> dict[str, object]:
        return {"type": kind, "payload": payload}

    def told(act: Act, number: int) -> Iterator[dict[str, object]]:
        call_id = f"call_{number}"
        if act.kind == "human":
            content = [{"type": "input_text", "text": act.text}]
            yield line("response_item", type="message", role="user", content=content)
            yield line("event_msg", type="user_message", message=act.text)
        elif act.kind == "title":
            yield line("event_msg", type="thread_name_updated", thread_name=act.text)
        elif act.kind == "agent":
            content = [{"type": "output_text", "text": act.text}]
            yield line("response_item", type="message", role="assistant", content=content)
        elif act.tool in ("edit", "write"):
            yield line("response_item", type="custom_tool_call", name="apply_patch", call_id=call_id, input=_patch(act))
            if act.outcome != "open":
                yield line("response_item", type="custom_tool_call_output", call_id=call_id, output=_codex_output(act))
        else:
            name, arguments = _codex_call(act)
            yield line("response_item", type="function_call", name=name, call_id=call_id, arguments=_json(arguments))
            if act.outcome != "open":
                yield line("response_item", type="function_call_output", call_id=call_id, output=_codex_output(act))

    header = line("session_meta", id=session, cwd=cwd, cli_version="0.80.0", git={"branch": "main"})
    return _written(acts, told, header)


def _patch(act: Act) -> str:
    verb, body = ("Add", "+one\n+two") if act.tool == "write" and act.created else ("Update", "@@\n-a\n+b")
    return f"*** Begin Patch\n*** {verb} File: {act.text}\n{body}\n*** End Patch"


def _codex_call(act: Act) -> tuple[str, dict[str, object]]:
    calls: dict[Tool, tuple[str, dict[str, object]]] = {
        "read": ("read_file", {"file_path": act.text}),
        "shell": ("shell_command", {"command": act.text}),
        "ask": ("request_user_input", {"questions": [{"id": "q", "question": act.text}]}),
        "todo": ("update_plan", {"plan": [{"step": text, "status": status} for text, status in act.todos]}),
    }
    return calls.get(act.tool, (act.name, act.arguments))


def _codex_output(act: Act) -> str:
    if act.outcome == "denied":
        return f"exec command rejected by user: {act.output}"
    if act.tool == "ask":
        return _json({"answers": {"q": {"answers": [act.output]}}})
    code = act.exit_code or (1 if act.outcome == "failed" else 0)
    return f"Exit code: {code}\nWall time: 0.1 seconds\nOutput:\n{act.output}"


def pi_log(*acts: Act, session: str = "5e551011-c0de-4a11-8000-000000000003", cwd: str = CWD) -> bytes:
    def entry(number: int, **message: object) -> dict[str, object]:
        parent = f"{number - 1:08x}" if number > 1 else None
        return {"type": "message", "id": f"{number:08x}", "parentId": parent, "message": message}

    def told(act: Act, number: int) -> Iterator[dict[str, object]]:
        if act.kind == "human":
            yield entry(number, role="user", content=[{"type": "text", "text": act.text}])
        elif act.kind == "title":
            yield {"type": "session_info", "name": act.text}
        elif act.kind == "agent":
            content = [{"type": "text", "text": act.text}]
            yield entry(number, role="assistant", content=content, model="gpt-5", stopReason="stop")
        else:
            name, arguments = _pi_call(act)
            block = {"type": "toolCall", "id": f"call_{number}", "name": name, "arguments": arguments}
            yield entry(number, role="assistant", content=[block], stopReason="toolUse")
            if act.outcome != "open":
                text = act.output + (f"\n\nCommand exited with code {act.exit_code}" if act.exit_code else "")
                answer: dict[str, object] = {"role": "toolResult", "toolCallId": f"call_{number}", "toolName": name}
                content = [{"type": "text", "text": text}]
                yield entry(number + 1, **answer, content=content, isError=act.outcome != "ok")

    header: dict[str, object] = {"type": "session", "version": 3, "id": session, "cwd": cwd}
    return _written(acts, told, header)


def _pi_call(act: Act) -> tuple[str, dict[str, object]]:
    calls: dict[Tool, tuple[str, dict[str, object]]] = {
        "read": ("read", {"path": act.text}),
        "edit": ("edit", {"path": act.text, "oldText": "a", "newText": "b"}),
        "write": ("write", {"path": act.text, "content": "one\ntwo\n"}),
        "shell": ("bash", {"command": act.text}),
        "ask": ("question", {"question": act.text}),
        "todo": ("todo", {"todos": [{"text": text, "status": status} for text, status in act.todos]}),
    }
    return calls.get(act.tool, (act.name, act.arguments))


LOGS: Final[dict[str, Callable[..., bytes]]] = {"claude-code": claude_log, "codex": codex_log, "pi": pi_log}

Teller: TypeAlias = Callable[[Act, int], Iterator[dict[str, object]]]


def _written(acts: Sequence[Act], told: Teller, *header: dict[str, object]) -> bytes:
    seconds = 0.0
    lines = [_json({**each, "timestamp": at(0)}).encode() for each in header]
    # The number of the record among those of the conversation; a call and its result are two.
    number = 1
    for act in acts:
        if act.kind == "pause":
            seconds += act.seconds
        elif act.kind == "raw":
            lines.append(act.line)
        else:
            for entry in told(act, number):
                lines.append(_json({**entry, "timestamp": at(seconds)}).encode())
                seconds += MINUTE_S
                number += act.kind != "title"
    return b"\n".join(lines) + b"\n"


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _uuid(number: int) -> str:
    return f"{number:08x}-c0de-4a11-8000-000000000000"
