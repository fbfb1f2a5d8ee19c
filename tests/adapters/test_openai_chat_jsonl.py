"""OpenAI-style chats line by line: headers of three agents, what their loops say, and what is no such chat."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.adapters.chat.openai import jsonl as openai_chat_jsonl
from recapd.adapters.shared.base import first_objects
from recapd.core.log.events import Call, Ended, Event, Note, Opened, Parsed, Prompt, Record, Reply, Result, Thought
from recapd.core.log.refs import Place
from tests.support.goldens import expected_rows, rows_of_lines

Json: TypeAlias = dict[str, object]

DATA = Path(__file__).parent / "data" / "openai_chat_jsonl"
ADAPTER = openai_chat_jsonl.ADAPTER
LOCAL = "2026-02-03T04:05:06.789012"
STAMP = "2026-02-03T04:05:06.789Z"
METADATA: Json = {"_type": "metadata", "key": "cli:direct", "created_at": LOCAL, "updated_at": LOCAL, "metadata": {}}
SESSION_META: Json = {"role": "session_meta", "tools": [{"type": "function"}], "model": "m1", "timestamp": LOCAL}


def read(line: bytes) -> Parsed:
    return ADAPTER.parse(line, Place(1, 0, len(line)))


def only(row: Json) -> Record:
    (record,), problems = read(json.dumps(row).encode())
    assert not problems
    return record


def tool_call(name: str, arguments: object) -> Json:
    return {"id": "c1", "type": "function", "function": {"name": name, "arguments": arguments}}


ROWS: list[tuple[str, Json, tuple[Event, ...]]] = [
    ("prompt", {"role": "user", "content": "fix it"}, (Prompt("fix it"),)),
    ("prompt in parts", {"role": "user", "content": [{"type": "text", "text": "fix it"}]}, (Prompt("fix it"),)),
    (
        "answer with thoughts",
        {"role": "assistant", "content": "Done.", "reasoning": "hmm", "finish_reason": "stop"},
        (Thought(3), Reply("Done."), Ended("turn")),
    ),
    (
        "call with arguments as a text",
        {"role": "assistant", "content": "", "tool_calls": [tool_call("read_file", '{"path": "a.py"}')]},
        (Call("c1", "read_file", "read", target="a.py"),),
    ),
    (
        "call with arguments as an object",
        {"role": "assistant", "content": None, "tool_calls": [tool_call("read_file", {"path": "a.py"})]},
        (Call("c1", "read_file", "read", target="a.py"),),
    ),
    (
        "content in parts beside a call",
        {
            "role": "assistant",
            "content": [{"type": "text", "text": "Looking."}],
            "tool_calls": [tool_call("terminal", '{"command": "ls"}')],
        },
        (Reply("Looking."), Call("c1", "terminal", "shell", target="ls")),
    ),
    (
        "a patch that is a replacement",
        {
            "role": "assistant",
            "tool_calls": [tool_call("patch", '{"path": "a.py", "old_string": "x", "new_string": "y"}')],
        },
        (Call("c1", "patch", "edit", target="a.py"),),
    ),
    ("result", {"role": "tool", "tool_call_id": "c1", "content": "text"}, (Result("c1", payload=b'"text"', lines=1),)),
    (
        "nanobot's sub-agent reports",
        {"role": "user", "content": "[System: subagent] [Subagent 'index' completed successfully]\n\nTask: x"},
        (Note("meta", "[System: subagent] [Subagent 'index' completed successfully]\n\nTask: x"),),
    ),
    (
        "mindloop's nudge",
        {"role": "user", "content": "Continue autonomously. Use the ask tool if you need user input.\n\nA quote."},
        (Note("nudge", "Continue autonomously. Use the ask tool if you need user input.\n\nA quote."),),
    ),
    ("mindloop's system prompt", {"role": "system", "content": "You are"}, (Note("system", "You are"),)),
    (
        "mindloop finished",
        {"role": "system", "content": "[stop] model finished (812 tokens, $0.1200)"},
        (Ended("session"),),
    ),
    (
        "mindloop ran out of tokens",
        {"role": "system", "content": "[stop] token budget exceeded (limit 900) (912 tokens)"},
        (Ended("session", "max_tokens"),),
    ),
    (
        "mindloop ran out of steps",
        {"role": "system", "content": "[stop] max iterations reached (40) (812 tokens)"},
        (Ended("session", "max_iterations"),),
    ),
    (
        "mindloop stopped otherwise",
        {"role": "system", "content": "[stop] power (battery)"},
        (Ended("session", "power (battery)"),),
    ),
    ("mindloop's counters", {"role": "system", "content": '[stats] {"ls": 3}'}, (Note("meta", '[stats] {"ls": 3}'),)),
    (
        "mindloop's budget",
        {"role": "system", "content": "Warning: 50% of token budget used (5 / 10)."},
        (Note("meta", "Warning: 50% of token budget used (5 / 10)."),),
    ),
    (
        "the human said no to mindloop",
        {"role": "tool", "tool_call_id": "c1", "content": "Error: write was denied by the user."},
        (Result("c1", failed=True, denied=True, payload=b'"Error: write was denied by the user."'),),
    ),
    (
        "mindloop's folder",
        {"role": "tool", "tool_call_id": "c1", "content": "d  sim\nf  plan.md"},
        (Result("c1", payload=b'"d  sim\\nf  plan.md"', entries=("sim/", "plan.md"), lines=2),),
    ),
    (
        "mindloop's empty folder",
        {"role": "tool", "tool_call_id": "c1", "content": "(empty directory)"},
        (Result("c1", payload=b'"(empty directory)"', entries=(), lines=1),),
    ),
    (
        "mindloop recalls",
        {"role": "tool", "tool_call_id": "c1", "content": '[1] #7 (score=0.91) "a"\n    b\n[2] #3 (score=0.5) "c"'},
        (
            Result(
                "c1",
                payload=b'"[1] #7 (score=0.91) \\"a\\"\\n    b\\n[2] #3 (score=0.5) \\"c\\""',
                entries=("#7", "#3"),
                lines=3,
            ),
        ),
    ),
    (
        "mindloop recalls nothing",
        {"role": "tool", "tool_call_id": "c1", "content": "No memories found."},
        (Result("c1", payload=b'"No memories found."', entries=(), lines=1),),
    ),
    (
        "mindloop retrieves",
        {"role": "assistant", "tool_calls": [tool_call("recall_detail", '{"chunk_id": 12}')]},
        (Call("c1", "recall_detail", "retrieve", target="#12"),),
    ),
    (
        "nobody answered mindloop",
        {"role": "tool", "tool_call_id": "c1", "content": "User is unavailable."},
        (Result("c1", payload=b'"User is unavailable."', undone=True, lines=1),),
    ),
    (
        "mindloop reads a file of two lines",
        {"role": "tool", "tool_call_id": "c1", "content": "a\nb\n"},
        (Result("c1", payload=b'"a\\nb\\n"', lines=2),),
    ),
    (
        "mindloop reads a part of a file",
        {"role": "tool", "tool_call_id": "c1", "content": "a\nb\n\n... (12 lines remaining)"},
        (Result("c1", payload=b'"a\\nb\\n\\n... (12 lines remaining)"'),),
    ),
    (
        "mindloop remembers",
        {"role": "assistant", "tool_calls": [tool_call("remember", '{"abstract": "b after a", "text": "long"}')]},
        (Call("c1", "remember", "remember", target="b after a"),),
    ),
    (
        "mindloop's note to its next run",
        {"role": "assistant", "tool_calls": [tool_call("note_to_self", '{"content": "go on with b"}')]},
        (Call("c1", "note_to_self", "remember", target="go on with b"),),
    ),
]


@pytest.mark.parametrize(("row", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_rows(row: Json, expected: tuple[Event, ...]) -> None:
    record = only({"timestamp": LOCAL, **row})
    assert record.events == expected
    assert (record.type, record.at, record.known) == (row["role"], STAMP, True)


def test_headers() -> None:
    nanobot = only(METADATA)
    assert (nanobot.type, nanobot.session, nanobot.at, nanobot.events) == ("metadata", "cli:direct", STAMP, (Opened(),))
    hermes = only(SESSION_META)
    assert (hermes.type, hermes.model, hermes.at, hermes.events) == ("session_meta", "m1", STAMP, (Opened(),))


def test_model_stands_beside_the_message_or_in_its_metadata() -> None:
    assert only({"role": "assistant", "content": "x", "model": "m1"}).model == "m1"
    assert only({"role": "assistant", "content": "x", "metadata": {"model": "m2"}}).model == "m2"
    assert only({"role": "assistant", "content": "x", "metadata": [1]}).model == ""


def test_unknown_roles_are_counted_not_read() -> None:
    record = only({"role": "oracle", "content": "x"})
    assert (record.type, record.known, record.events) == ("oracle", False, ())


def test_a_field_of_an_odd_type_costs_only_itself() -> None:
    records, problems = read(b'{"role":"user","content":"fix it","name":{"first":"K"}}')
    assert records[0].events == (Prompt("fix it"),)
    assert [(problem.kind, problem.detail) for problem in problems] == [("shape", "name")]


def test_damaged_lines_give_what_is_whole() -> None:
    whole = json.dumps({"role": "user", "content": "fix it"}).encode()
    records, problems = read(whole + json.dumps(METADATA).encode())
    assert [record.type for record in records] == ["user", "metadata"]
    assert [problem.kind for problem in problems] == ["glued"]
    assert read(whole[:-3])[0] == ()
    assert read(b" \r") == ((), ())


def lines_of(*rows: Json) -> bytes:
    return b"\n".join(json.dumps(row).encode() for row in rows)


USER: Json = {"role": "user", "content": "hi"}
AGENT: Json = {"role": "assistant", "content": "hello"}
HEADS: list[tuple[str, bytes, bool]] = [
    ("nanobot", lines_of(METADATA, USER), True),
    ("nanobot without a message yet", lines_of(METADATA), True),
    ("hermes", lines_of(SESSION_META, USER, AGENT), True),
    ("mindloop", lines_of({"role": "system", "content": "You are"}, {**AGENT, "tool_calls": []}), True),
    ("tools only", lines_of(USER, AGENT, {"role": "tool", "content": "x"}), True),
    ("plain rows", lines_of(USER, AGENT), False),
    ("a header of something else", lines_of({"_type": "metadata", "v": 1}, {"kind": "x"}), False),
    ("a header, but no messages", lines_of(METADATA, {"kind": "x"}, {"kind": "y"}), False),
    ("Anthropic's blocks", lines_of(USER, {**AGENT, "content": [{"type": "tool_use", "id": "c"}]}), False),
    ("requests to a service", lines_of({"type": "request", "messages": [USER]}, {"type": "response"}), False),
    ("Cursor", lines_of({"role": "user", "message": {"content": []}}), False),
    ("pi", lines_of({"type": "message", "message": USER}), False),
    ("bare Codex items", lines_of({"type": "function_call", "role": "assistant", "tool_calls": []}), False),
    ("nothing", b"", False),
]


@pytest.mark.parametrize(("head", "ours"), [row[1:] for row in HEADS], ids=[row[0] for row in HEADS])
def test_recognises_its_own_and_nothing_else(head: bytes, ours: bool) -> None:
    assert ADAPTER.recognise(first_objects(head)) is ours


VALID = [json.dumps(row[1]).encode() for row in ROWS] + [lines_of(METADATA), lines_of(SESSION_META)]


@given(st.binary(max_size=200))
def test_any_bytes_are_read_without_raising(line: bytes) -> None:
    records, problems = read(line)
    assert records or problems or not line.strip()


@given(st.sampled_from(VALID), st.data())
def test_mutated_lines_are_read_without_raising(line: bytes, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(line)))
    put = data.draw(st.one_of(st.binary(max_size=6), st.sampled_from([b"null", b"1e999", b"[]", b"{}", b'"\\ud800"'])))
    mutated = line[:at] + put + line[at + data.draw(st.integers(0, 12)) :]
    records, problems = read(mutated)
    assert records or problems or not mutated.strip()


@pytest.mark.parametrize("name", ["nanobot", "hermes", "mindloop"])
def test_golden(name: str) -> None:
    log = DATA / f"{name}.jsonl"
    assert rows_of_lines(ADAPTER, log) == expected_rows(log)
    assert ADAPTER.recognise(first_objects(log.read_bytes()))
