"""What the agent does and what comes of it: rows for single records of Claude Code."""

from __future__ import annotations

import json

import msgspec
import pytest

from recapd.core.log.events import Call, Event, Faulted, Prompt, Reply, Result, Thought, TodoChanged
from tests.adapters.claude_records import assistant, line_of, parse, user

REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected "
    "(eg. if it was a file edit, the new_string was NOT written to the file). "
)
STOP = "STOP what you are doing and wait for the user to tell you how to proceed."
MEMORY_HINT = "\n\nNote: The user's next message may contain a correction or preference. Pay close attention."


def without_payload(event: Event) -> Event:
    return msgspec.structs.replace(event, payload=b"") if isinstance(event, Result) else event


READ = {"type": "text", "file": {"filePath": "/a", "content": 'say "numLines":7', "numLines": 3, "startLine": 1}}
ANSWERED = {
    "questions": [{"question": "Which?"}],
    "answers": {"Which?": "A", "Also?": ["x", "y"]},
    "annotations": {"Which?": {"notes": "but not today"}},
}
CLARIFY = (
    "The user wants to clarify these questions.\n    This means they may have additional information.\n\n"
    '    Questions asked:\n- "Which?"\n  Answer: A\n- "When?"\n  (No answer provided)'
)

RESULTS: list[tuple[str, str, bool | None, object, Result]] = [
    ("plain", "ok", None, None, Result("t")),
    ("shell", "ok", False, {"stdout": "ok", "stderr": "", "interrupted": False}, Result("t")),
    ("read", "1→x", None, READ, Result("t", lines=3)),
    ("new file", "ok", None, {"type": "create", "filePath": "/a"}, Result("t", created=True)),
    ("overwritten", "ok", None, {"type": "update", "filePath": "/a"}, Result("t", created=False)),
    ("edited", "ok", None, {"filePath": "/a", "oldString": "x", "newString": ""}, Result("t", created=False)),
    ("filled", "ok", None, {"filePath": "/a", "oldString": "", "newString": "x"}, Result("t")),
    ("edited, long path", "ok", None, {"filePath": "/a" * 300, "oldString": "x"}, Result("t", created=False)),
    ("filled, long path", "ok", None, {"filePath": "/a" * 300, "oldString": ""}, Result("t")),
    ("filled, path to the head's end", "ok", None, {"filePath": "/" * 371, "oldString": ""}, Result("t")),
    ("filled, odd path", "ok", None, {"filePath": '/a","oldString":"x', "oldString": ""}, Result("t")),
    ("edited, odd path", "ok", None, {"filePath": '/a","oldString":"', "oldString": "x"}, Result("t", created=False)),
    ("agent", "ok", None, {"status": "completed", "prompt": "p", "agentId": "a17"}, Result("t", subagent="a17")),
    ("async agent", "ok", None, {"isAsync": True, "status": "…", "agentId": "a18"}, Result("t", subagent="a18")),
    (
        "answers",
        "User has answered",
        None,
        ANSWERED,
        Result("t", answers=(("Which?", "A\nbut not today"), ("Also?", "x, y"))),
    ),
    ("plan", "User has approved your plan. Go", None, {"plan": "P", "isAgent": False}, Result("t", approved=True)),
    ("no plan", "User has approved exiting plan mode.", None, {"plan": None}, Result("t", approved=True)),
    ("printed", "User has approved your plan", False, {"stdout": "User has approved your plan"}, Result("t")),
    ("exit code", "Exit code 127\nnot found", True, "Error: …", Result("t", failed=True, exit_code=127)),
    ("failed", "<tool_use_error>File does not exist.</tool_use_error>", True, "Error", Result("t", failed=True)),
    ("refused", REFUSED + STOP, True, "User rejected tool use", Result("t", failed=True, denied=True)),
    ("refused, hint", REFUSED + STOP + MEMORY_HINT, True, None, Result("t", failed=True, denied=True)),
    (
        "refused with words",
        REFUSED + "To tell you how to proceed, the user said:\nuse  main\n\ninstead" + MEMORY_HINT,
        True,
        None,
        Result("t", failed=True, denied=True, reason="use  main\n\ninstead"),
    ),
    (
        "refused in the editor",
        REFUSED + "The user provided the following reason for the rejection:  not here",
        True,
        None,
        Result("t", failed=True, denied=True, reason="not here"),
    ),
    (
        "question to be talked over",
        REFUSED + "To tell you how to proceed, the user said:\n" + CLARIFY,
        True,
        None,
        Result("t", failed=True, denied=True, answers=(("Which?", "A"),)),
    ),
    (
        "cancelled",
        "The user doesn't want to take this action right now. " + STOP,
        True,
        None,
        Result("t", failed=True, denied=True),
    ),
    ("stopped", "[Request interrupted by user for tool use]", True, None, Result("t", failed=True, denied=True)),
    (
        "plan refused",
        "The agent proposed a plan that was rejected by the user. The user chose to stay in plan mode.",
        True,
        None,
        Result("t", failed=True, denied=True, approved=False),
    ),
    ("by a classifier", "Permission for this action has been denied. Reason: x", True, None, Result("t", failed=True)),
    (
        "no grant",
        "Claude requested permissions to write, but you haven't granted it",
        True,
        None,
        Result("t", failed=True),
    ),
    ("quoted refusal", REFUSED, False, {"stdout": REFUSED}, Result("t")),
]


@pytest.mark.parametrize(
    ("content", "is_error", "facts", "expected"), [row[1:] for row in RESULTS], ids=[row[0] for row in RESULTS]
)
def test_results(content: str, is_error: bool | None, facts: object, expected: Result) -> None:
    block = {"tool_use_id": "t", "type": "tool_result", "content": content, "is_error": is_error}
    (event,) = parse(user([block], toolUseResult=facts)).events
    assert without_payload(event) == expected
    assert isinstance(event, Result)
    assert json.loads(event.payload) == content


@pytest.mark.parametrize(("content", "is_error", "facts", "expected"), [row[1:] for row in RESULTS])
def test_a_log_written_again_with_spaces_says_the_same(
    content: str, is_error: bool | None, facts: object, expected: Result
) -> None:
    block = {"tool_use_id": "t", "type": "tool_result", "content": content, "is_error": is_error}
    line = json.dumps(json.loads(user([block], toolUseResult=facts))).encode()
    assert without_payload(parse(line).events[0]) == expected


def test_the_harness_says_who_refused() -> None:
    block = {"tool_use_id": "t", "type": "tool_result", "content": "Worded anew.", "is_error": True}
    for kind, is_denied in (("user-rejected", True), ("automode-blocked", False)):
        (event,) = parse(user([block], toolDenialKind=kind)).events
        assert without_payload(event) == Result("t", failed=True, denied=is_denied)


def test_words_with_which_a_call_was_let_pass() -> None:
    block = {"tool_use_id": "t", "type": "tool_result", "content": "done"}
    result, prompt = parse(user([block, {"type": "text", "text": "yes, but use main"}])).events
    assert without_payload(result) == Result("t")
    assert prompt == Prompt("yes, but use main")


def test_a_created_task_gets_its_id_with_the_result() -> None:
    block = {"tool_use_id": "t", "type": "tool_result", "content": "ok"}
    _, change = parse(user([block], toolUseResult={"task": {"id": "4", "subject": "Test it"}})).events
    assert change == TodoChanged(id="4", text="Test it", call_id="t")
    looked_at = {"task": {"id": "4", "subject": "Test it", "status": "pending", "blocks": []}}
    for facts in (looked_at, {"task": None}):
        assert len(parse(user([block], toolUseResult=facts)).events) == 1


def call(name: str, **arguments: object) -> dict[str, object]:
    return {"type": "tool_use", "id": "t", "name": name, "input": arguments}


OPTIONS = [{"label": "Yes", "description": "…"}, {"label": "No"}]
AGENT_BLOCKS: list[tuple[object, tuple[Event, ...]]] = [
    ({"type": "text", "text": "Done."}, (Reply("Done.", "msg_1"),)),
    ({"type": "text", "text": "\n\n"}, ()),
    ({"type": "thinking", "thinking": "hm", "signature": "s"}, (Thought(2),)),
    ({"type": "redacted_thinking", "data": "x"}, (Thought(0),)),
    ({"type": "server_tool_use", "id": "srv", "name": "web_search", "input": {"query": "q"}}, ()),
    (call("Edit", file_path="/a", old_string="x", new_string="y"), (Call("t", "Edit", "edit", "/a"),)),
    (call("Write", file_path="/a", content="x\ny\n"), (Call("t", "Write", "write", "/a", lines=2),)),
    (call("ExitPlanMode", plan="# P"), (Call("t", "ExitPlanMode", "plan", "# P"),)),
    (
        call("AskUserQuestion", questions=[{"question": "Go?", "options": OPTIONS}]),
        (Call("t", "AskUserQuestion", "ask", "Go?", options=("Yes", "No")),),
    ),
    (call("AskUserQuestion", questions="?"), (Call("t", "AskUserQuestion", "ask"),)),
    (
        call("TaskCreate", subject="Test it", description="…"),
        (
            Call("t", "TaskCreate", "todo", "Test it"),
            TodoChanged(text="Test it", status="pending", call_id="t"),
        ),
    ),
    (
        call("TaskUpdate", taskId=4, status="completed"),
        (Call("t", "TaskUpdate", "todo"), TodoChanged(id="4", status="done")),
    ),
    (call("TaskUpdate", taskId="4", addBlockedBy=["3"]), (Call("t", "TaskUpdate", "todo"),)),
]


@pytest.mark.parametrize(("block", "expected"), AGENT_BLOCKS)
def test_what_the_agent_does(block: object, expected: tuple[Event, ...]) -> None:
    assert parse(assistant(block)).events == expected


def test_messages_made_by_the_harness_are_not_the_agents() -> None:
    limit = {"type": "text", "text": "Limit reached"}
    record = parse(assistant(limit, isApiErrorMessage=True))
    assert record.events == (Faulted("Limit reached"),)
    message = {"role": "assistant", "model": "<synthetic>", "content": "No response requested."}
    record = parse(line_of("assistant", message=message))
    assert (record.events, record.model) == ((), "")
