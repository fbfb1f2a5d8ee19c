"""Items and events of Codex rollouts: what each says, in both generations, and that no damage makes reading raise."""

from __future__ import annotations

import json
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.adapters.codex import adapter as codex
from recapd.adapters.codex import bare as codex_bare
from recapd.core.log.effects import FileEffect
from recapd.core.log.events import (
    Began,
    Call,
    Ended,
    Event,
    Faulted,
    Interrupted,
    Note,
    Prompt,
    Reply,
    Rewound,
    Thought,
    Titled,
    TodoItem,
    Todos,
)
from tests.adapters.codex_records import STAMP, enveloped, only, read

Json: TypeAlias = dict[str, object]

PATCH = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-x\n+y\n*** Add File: src/b.py\n+new\n*** End Patch"


def call(name: str, arguments: object, **more: object) -> Json:
    return {"type": "function_call", "name": name, "arguments": json.dumps(arguments), "call_id": "c1", **more}


def message(role: str, *texts: str) -> Json:
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text} for text in texts]}


ENVIRONMENT = "<environment_context>\n  <cwd>/repo</cwd>\n</environment_context>"

ITEMS: list[tuple[str, Json, tuple[Event, ...]]] = [
    ("reply", message("assistant", "Done."), (Reply("Done."),)),
    ("reply with id", {**message("assistant", "Done."), "id": "m1"}, (Reply("Done.", "m1"),)),
    ("blank reply", message("assistant", " \n"), ()),
    ("prompt", message("user", "fix the test"), (Prompt("fix the test", weak=True),)),
    ("prompt of two blocks", message("user", "look:", "here"), (Prompt("look:\nhere", weak=True),)),
    ("environment", message("user", ENVIRONMENT), (Note("meta", ENVIRONMENT),)),
    (
        "agents file",
        message("user", "# AGENTS.md instructions for /repo"),
        (Note("meta", "# AGENTS.md instructions for /repo"),),
    ),
    ("aborted mark", message("user", "<turn_aborted>\n"), (Note("meta", "<turn_aborted>\n"),)),
    ("skill body", message("user", "<skill>\n<name>x</name>"), (Note("meta", "<skill>\n<name>x</name>"),)),
    (
        "shell by the human",
        message("user", "<user_shell_command>\nls"),
        (Note("shell", "<user_shell_command>\nls"),),
    ),
    (
        "sub-agent reports",
        message("user", "<subagent_notification>\nok"),
        (Note("teammate", "<subagent_notification>\nok"),),
    ),
    ("empty prompt", message("user", ""), ()),
    ("developer", message("developer", "<permissions instructions>"), (Note("meta", "<permissions instructions>"),)),
    (
        "picture in a prompt",
        {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_image", "image_url": "data:"}, {"type": "input_text", "text": "this one"}],
        },
        (Prompt("this one", weak=True),),
    ),
    (
        "thought",
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "1234"}], "encrypted_content": "zzz"},
        (Thought(4),),
    ),
    ("sealed thought", {"type": "reasoning", "summary": [], "content": None}, (Thought(0),)),
    (
        "old shell",
        call("shell", {"command": ["bash", "-lc", "make test"], "workdir": "/repo"}),
        (Call("c1", "shell", "shell", target="make test", where="/repo"),),
    ),
    (
        "newer shell",
        call("exec_command", {"cmd": "make test", "workdir": "/repo"}),
        (Call("c1", "exec_command", "shell", target="make test", where="/repo"),),
    ),
    (
        "patch through the shell",
        call("shell", {"command": ["apply_patch", PATCH]}),
        (
            Call(
                "c1",
                "shell",
                "patch",
                target="src/a.py",
                effects=(FileEffect("src/a.py", "modified", "", 1, 1), FileEffect("src/b.py", "created", "", 1, 0)),
            ),
        ),
    ),
    (
        "patch as free text",
        {"type": "custom_tool_call", "name": "apply_patch", "input": PATCH, "call_id": "c1", "status": "completed"},
        (
            Call(
                "c1",
                "apply_patch",
                "patch",
                target="src/a.py",
                effects=(FileEffect("src/a.py", "modified", "", 1, 1), FileEffect("src/b.py", "created", "", 1, 0)),
            ),
        ),
    ),
    (
        "patch as a plain argument",
        {
            "type": "function_call",
            "name": "apply_patch",
            "arguments": "*** Begin Patch\n*** Delete File: c\n",
            "call_id": "c1",
        },
        (Call("c1", "apply_patch", "patch", target="c", effects=(FileEffect("c", "deleted", "", 0, 0),)),),
    ),
    (
        "program as free text",
        {"type": "custom_tool_call", "name": "exec", "input": "const x = 1;\nrun(x)", "call_id": "c1"},
        (Call("c1", "exec", "other", detail="const x = 1; run(x)"),),
    ),
    (
        "arguments that are an object",
        {"type": "function_call", "name": "shell_command", "arguments": {"command": "ls"}, "call_id": "c1"},
        (Call("c1", "shell_command", "shell", target="ls"),),
    ),
    ("no arguments", {"type": "function_call", "name": "shell", "call_id": "c1"}, (Call("c1", "shell", "shell"),)),
    ("poll", call("write_stdin", {"session_id": 3, "chars": ""}), (Call("c1", "write_stdin", "status", process="3"),)),
    (
        "plan of work",
        call(
            "update_plan", {"plan": [{"step": "read", "status": "completed"}, {"step": "write", "status": "pending"}]}
        ),
        (
            Call("c1", "update_plan", "todo"),
            Todos((TodoItem("read", "done"), TodoItem("write", "pending"))),
        ),
    ),
    (
        "question",
        call(
            "request_user_input",
            {"questions": [{"id": "db", "question": "Which?", "options": [{"label": "a"}, {"label": "b"}]}]},
        ),
        (Call("c1", "request_user_input", "ask", target="Which?", options=("a", "b")),),
    ),
    (
        "sub-agent",
        call("spawn_agent", {"message": "look around"}),
        (Call("c1", "spawn_agent", "delegate", target="look around"),),
    ),
    (
        "tool of a server",
        call("_fetch", {"n": 1}, namespace="mcp__host"),
        (Call("c1", "mcp__host_fetch", "other", detail="n=1"),),
    ),
    (
        "own shell",
        {
            "type": "local_shell_call",
            "call_id": "c1",
            "action": {"type": "exec", "command": ["bash", "-lc", "ls"], "working_directory": "/repo"},
        },
        (Call("c1", "local_shell_call", "shell", target="ls", where="/repo"),),
    ),
    (
        "search by the service",
        {"type": "web_search_call", "action": {"type": "search", "query": "how to"}},
        (Note("meta", "how to"),),
    ),
    ("snapshot", {"type": "ghost_snapshot", "ghost_commit": {}}, ()),
]


@pytest.mark.parametrize(("payload", "expected"), [row[1:] for row in ITEMS], ids=[row[0] for row in ITEMS])
def test_items_say_the_same_in_both_generations(payload: Json, expected: tuple[Event, ...]) -> None:
    newer = only(read(codex.ADAPTER, enveloped("response_item", payload)))
    older = only(read(codex_bare.ADAPTER, json.dumps(payload).encode()))
    assert newer.events == expected
    assert older.events == expected
    assert (newer.type, newer.at) == (f"response_item/{payload['type']}", STAMP)
    assert (older.type, older.at) == (payload["type"], "")


IDE = "# Context from my IDE setup:\n\n## Open tabs:\n- a.py: src/a.py\n\n## My request for Codex:\nrename it\n"
FILES = "# Files mentioned by the user:\n\n## a.png: /tmp/a.png\n\n## My request for Codex:\nwhat is it?"

EVENTS: list[tuple[str, Json, tuple[Event, ...]]] = [
    ("prompt", {"type": "user_message", "message": " fix it\n"}, (Prompt("fix it"),)),
    ("prompt out of an editor", {"type": "user_message", "message": IDE}, (Prompt("rename it"),)),
    ("prompt with files", {"type": "user_message", "message": FILES}, (Prompt("what is it?"),)),
    ("heading of the human's own", {"type": "user_message", "message": "# Plan\nfirst"}, (Prompt("# Plan\nfirst"),)),
    ("picture only", {"type": "user_message", "message": "", "images": ["x"]}, ()),
    ("repeated reply", {"type": "agent_message", "message": "Done."}, ()),
    ("repeated thought", {"type": "agent_reasoning", "text": "hm"}, ()),
    ("tokens", {"type": "token_count", "info": None}, ()),
    ("begun", {"type": "task_started", "turn_id": "t"}, (Began(),)),
    ("finished", {"type": "task_complete", "last_agent_message": "Done."}, (Ended("turn"),)),
    ("stopped", {"type": "turn_aborted", "reason": "interrupted"}, (Interrupted(),)),
    ("replaced", {"type": "turn_aborted", "reason": "replaced"}, (Ended("turn", "replaced"),)),
    ("failure", {"type": "error", "message": "usage limit"}, (Faulted("usage limit"),)),
    ("stream failure", {"type": "stream_error", "message": "retrying"}, (Faulted("retrying"),)),
    ("command over", {"type": "exec_command_end", "call_id": "c1", "exit_code": 1}, ()),
    ("patch over", {"type": "patch_apply_end", "call_id": "c1", "success": False}, ()),
    ("plan item", {"type": "item_completed", "item": {"type": "Plan", "text": "x"}}, ()),
    ("review", {"type": "entered_review_mode", "user_facing_hint": "against main"}, (Note("meta", "against main"),)),
    ("went back", {"type": "thread_rolled_back", "num_turns": 2}, (Rewound(2),)),
    ("went back by nothing", {"type": "thread_rolled_back"}, ()),
    ("renamed", {"type": "thread_name_updated", "thread_name": "Parser"}, (Titled("Parser", by_human=True),)),
    ("after compaction", {"type": "context_compacted"}, ()),
    ("closed", {"type": "shutdown_complete"}, (Ended("session"),)),
]


@pytest.mark.parametrize(("payload", "expected"), [row[1:] for row in EVENTS], ids=[row[0] for row in EVENTS])
def test_events(payload: Json, expected: tuple[Event, ...]) -> None:
    record = only(read(codex.ADAPTER, enveloped("event_msg", payload)))
    assert record.events == expected
    assert (record.type, record.known) == (f"event_msg/{payload['type']}", True)


VALID = [enveloped("response_item", row[1]) for row in ITEMS] + [enveloped("event_msg", row[1]) for row in EVENTS]
VALID += [json.dumps(row[1]).encode() for row in ITEMS]


@given(st.binary(max_size=200))
def test_any_bytes_are_read_without_raising(line: bytes) -> None:
    for adapter in (codex.ADAPTER, codex_bare.ADAPTER):
        records, problems = read(adapter, line)
        assert records or problems or not line.strip()


@given(st.sampled_from(VALID), st.data())
def test_damaged_lines_are_read_without_raising(line: bytes, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(line)))
    cut = data.draw(st.integers(0, 12))
    put = data.draw(st.one_of(st.binary(max_size=6), st.sampled_from([b"null", b"1e999", b"[]", b"{}", b'"\\ud800"'])))
    damaged = line[:at] + put + line[at + cut :]
    for adapter in (codex.ADAPTER, codex_bare.ADAPTER):
        records, problems = read(adapter, damaged)
        assert records or problems or not damaged.strip()
