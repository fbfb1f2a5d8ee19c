"""Copilot CLI's tool calls and results: targets, exits, refusals, and what the human answered."""

from __future__ import annotations

import json
from typing import TypeAlias

import pytest

from recapd.adapters.copilot import adapter as copilot
from recapd.core.log.events import Call, Event, Result, TodoItem, Todos
from recapd.core.log.refs import Place

Json: TypeAlias = dict[str, object]


def start(tool: str, **arguments: object) -> Json:
    return {"toolCallId": "c1", "toolName": tool, "arguments": arguments, "turnId": "0"}


def done(text: str, **more: object) -> Json:
    return {"toolCallId": "c1", "success": True, "result": {"content": text, "detailedContent": text + "!"}, **more}


def failed(message: str, code: str = "failure") -> Json:
    return {"toolCallId": "c1", "success": False, "error": {"message": message, "code": code}}


ASKED: Json = {"restrictedProperties": {"question": "Which?", "choices": '["a","b"]', "answer": "b"}}

TOOLS: list[tuple[str, str, Json, tuple[Event, ...]]] = [
    (
        "shell",
        "tool.execution_start",
        start("bash", command="ls -la", description="List"),
        (Call("c1", "bash", "shell", target="ls -la", detail="List"),),
    ),
    ("read", "tool.execution_start", start("view", path="/a.py"), (Call("c1", "view", "read", target="/a.py"),)),
    (
        "new file",
        "tool.execution_start",
        start("create", path="/a.py", file_text="x\ny\n"),
        (Call("c1", "create", "write", target="/a.py", lines=2),),
    ),
    (
        "edit",
        "tool.execution_start",
        start("edit", path="/a.py", old_str="x", new_str="y"),
        (Call("c1", "edit", "edit", target="/a.py"),),
    ),
    (
        "question",
        "tool.execution_start",
        start("ask_user", question="Which?", choices=["a", "b"]),
        (Call("c1", "ask_user", "ask", target="Which?", options=("a", "b")),),
    ),
    (
        "plan",
        "tool.execution_start",
        start("exit_plan_mode", summary="1. this"),
        (Call("c1", "exit_plan_mode", "plan", target="1. this"),),
    ),
    (
        "list of work",
        "tool.execution_start",
        start("update_todo", todos="Plan\n- [x] read\n  - [ ] write\n"),
        (
            Call("c1", "update_todo", "todo"),
            Todos((TodoItem("read", "done"), TodoItem("write", "pending"))),
        ),
    ),
    (
        "looks at a shell",
        "tool.execution_start",
        start("read_bash", shellId="3"),
        (Call("c1", "read_bash", "status"),),
    ),
    ("result", "tool.execution_complete", done("text"), (Result("c1", payload=b'"text"'),)),
    (
        "shell that ended well",
        "tool.execution_complete",
        done("a\n<shellId: 0 completed with exit code 0>"),
        (Result("c1", exit_code=0, payload=b'"a\\n<shellId: 0 completed with exit code 0>"'),),
    ),
    (
        "shell that did not, of an older version",
        "tool.execution_complete",
        done("a\n<exited with exit code 2>"),
        (Result("c1", failed=True, exit_code=2, payload=b'"a\\n<exited with exit code 2>"'),),
    ),
    (
        "exit code beside the text",
        "tool.execution_complete",
        done("no", shellExecution={"exitCode": 1}),
        (Result("c1", failed=True, exit_code=1, payload=b'"no"'),),
    ),
    (
        "exit code in a file that was read",
        "tool.execution_complete",
        done("a file with exit code 7> in it" + " and more" * 9),
        (Result("c1", payload=b'"a file with exit code 7> in it' + b" and more" * 9 + b'"'),),
    ),
    (
        "new file is there",
        "tool.execution_complete",
        done("Created file /a.py with 4 characters"),
        (Result("c1", payload=b'"Created file /a.py with 4 characters"', created=True),),
    ),
    (
        "failure",
        "tool.execution_complete",
        failed("Path does not exist"),
        (Result("c1", failed=True, payload=b'"Path does not exist"'),),
    ),
    (
        "refused by the human",
        "tool.execution_complete",
        failed("The user rejected this tool call. User feedback: not there", "rejected"),
        (
            Result(
                "c1",
                failed=True,
                denied=True,
                reason="not there",
                payload=b'"The user rejected this tool call. User feedback: not there"',
            ),
        ),
    ),
    (
        "refused by a rule",
        "tool.execution_complete",
        failed("Permission denied by rules", "denied"),
        (Result("c1", failed=True, payload=b'"Permission denied by rules"'),),
    ),
    (
        "answer",
        "tool.execution_complete",
        done("User selected: b", toolTelemetry=ASKED),
        (Result("c1", payload=b'"User selected: b"', answers=(("Which?", "b"),)),),
    ),
    (
        "answer in own words",
        "tool.execution_complete",
        done("User responded: neither"),
        (Result("c1", payload=b'"User responded: neither"', answers=(("", "neither"),)),),
    ),
]


@pytest.mark.parametrize(("kind", "data", "expected"), [row[1:] for row in TOOLS], ids=[row[0] for row in TOOLS])
def test_tools(kind: str, data: Json, expected: tuple[Event, ...]) -> None:
    line = json.dumps({"type": kind, "data": data, "id": "e2", "timestamp": "", "parentId": "e1"}).encode()
    (record,), problems = copilot.ADAPTER.parse(line, Place(1, 0, len(line)))
    assert not problems
    assert record.events == expected
