"""Plain rows, Anthropic's messages and messages by type: the formats that are nothing but messages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.adapters.chat import agent_messages, anthropic_messages
from recapd.adapters.chat import rows as chat_rows
from recapd.adapters.chat.openai import jsonl as openai_chat_jsonl
from recapd.adapters.shared.base import Adapter, first_objects
from recapd.core.log.events import (
    Call,
    Compacted,
    Ended,
    Event,
    Interrupted,
    Note,
    Parsed,
    Prompt,
    Record,
    Reply,
    Result,
    Thought,
    TodoItem,
    Todos,
)
from recapd.core.log.refs import Place
from tests.support.goldens import expected_rows, rows_of_lines

Json: TypeAlias = dict[str, object]

DATA = Path(__file__).parent / "data" / "chat_rows"
STAMP = "2026-02-03T04:05:06.789Z"
PLAIN, BLOCKS, BY_TYPE = chat_rows.ADAPTER, anthropic_messages.ADAPTER, agent_messages.ADAPTER
ALL = (PLAIN, BLOCKS, BY_TYPE, openai_chat_jsonl.ADAPTER)


def read(adapter: Adapter, line: bytes) -> Parsed:
    return adapter.parse(line, Place(1, 0, len(line)))


def only(adapter: Adapter, row: Json) -> Record:
    (record,), problems = read(adapter, json.dumps(row).encode())
    assert not problems
    return record


def user(*blocks: object) -> Json:
    return {"role": "user", "content": list(blocks)}


def agent(*blocks: object, **more: object) -> Json:
    return {"role": "assistant", "content": list(blocks), **more}


def text(words: str) -> Json:
    return {"type": "text", "text": words}


def use(name: str, call_id: str = "c1", **arguments: object) -> Json:
    return {"type": "tool_use", "id": call_id, "name": name, "input": arguments}


def result(content: object, call_id: str = "c1", **more: object) -> Json:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}


SUMMARY = "[Previous conversation summarized - 31 messages]\n\nDid x."
ROWS: list[tuple[str, Json, tuple[Event, ...]]] = [
    ("prompt", {"role": "user", "content": "fix it"}, (Prompt("fix it"),)),
    ("blank prompt", {"role": "user", "content": " "}, ()),
    ("reply", {"role": "assistant", "content": "Done."}, (Reply("Done."),)),
    ("system prompt", {"role": "system", "content": "You are"}, (Note("system", "You are"),)),
    ("prompt in blocks", user(text("fix"), {"type": "image"}, text("it")), (Prompt("fix\nit"),)),
    ("reminder", user(text("fix it"), text("<system-reminder>x</system-reminder>")), (Prompt("fix it"),)),
    (
        "only a reminder",
        user(text("<system-reminder>x</system-reminder>")),
        (Note("meta", "<system-reminder>x</system-reminder>"),),
    ),
    ("interrupted", user(text("[Request interrupted by user]")), (Interrupted(),)),
    ("result is no prompt", user(result("ok")), (Result("c1", payload=b'"ok"'),)),
    (
        "results, and a word to them",
        user(result("ok"), result([text("a"), text("b")], "c2"), text("go on")),
        (
            Result("c1", payload=b'"ok"'),
            Result("c2", payload=b'[{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]'),
            Prompt("go on"),
        ),
    ),
    ("failed", user(result("no such file", is_error=True)), (Result("c1", failed=True, payload=b'"no such file"'),)),
    (
        "looks failed, but is not",
        user(result("Error: a page", is_error=False)),
        (Result("c1", payload=b'"Error: a page"'),),
    ),
    ("nothing came back", user({"type": "tool_result", "tool_use_id": "c1"}), (Result("c1"),)),
    (
        "thought, word, calls",
        agent(
            {"type": "thinking", "thinking": "hmm"},
            text("I'll do both."),
            use("Edit", file_path="a"),
            use("Read", "c2"),
        ),
        (
            Thought(3),
            Reply("I'll do both."),
            Call("c1", "Edit", "edit", target="a"),
            Call("c2", "Read", "read"),
        ),
    ),
    (
        "list of work",
        agent(use("TodoWrite", todos=[{"content": "a", "status": "in_progress"}])),
        (Call("c1", "TodoWrite", "todo"), Todos((TodoItem("a", "active"),))),
    ),
    ("end of turn", agent(text("Done."), stop_reason="end_turn"), (Reply("Done."), Ended("turn"))),
    ("no end of turn", agent(use("ls", path="."), stop_reason="tool_use"), (Call("c1", "ls", "list", target="."),)),
    (
        "out of room",
        {**agent(), "content": "Do", "stop_reason": "max_tokens"},
        (Reply("Do"), Ended("turn", "max_tokens")),
    ),
    ("summary of what was cut", {"role": "system", "content": SUMMARY}, (Compacted(), Note("compaction", SUMMARY))),
    (
        "summary in the user's name",
        user(text("Previous context:\nDid x.")),
        (Compacted(), Note("compaction", "Previous context:\nDid x.")),
    ),
    # Not of this style, but a log may turn out to be of another after its first lines.
    (
        "OpenAI-style call",
        {"role": "assistant", "content": [text("Look.")], "tool_calls": [{"id": "c1", "function": {"name": "ls"}}]},
        (Reply("Look."), Call("c1", "ls", "list")),
    ),
    ("OpenAI-style result", {"role": "tool", "tool_call_id": "c1", "content": "ok"}, (Result("c1", payload=b'"ok"'),)),
]


@pytest.mark.parametrize("adapter", [PLAIN, BLOCKS], ids=["plain", "blocks"])
@pytest.mark.parametrize(("row", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_rows(adapter: Adapter, row: Json, expected: tuple[Event, ...]) -> None:
    record = only(adapter, row)
    assert record.events == expected
    assert (record.type, record.known) == (row["role"], True)


HEADERS: list[tuple[Json, Json]] = [
    ({"created_at": "2026-02-03T04:05:06.789Z"}, {"at": STAMP}),
    ({"createdAt": 1770091506789}, {"at": STAMP}),
    ({"timestamp": 1770091506.789}, {"at": STAMP}),
    ({"id": "m1", "conversation_id": "k1"}, {"id": "m1", "session": "k1"}),
    # Rows of a table are numbered.
    ({"id": 7, "conversation_id": 3}, {"id": "7", "session": "3"}),
    ({"sessionId": "s1", "cwd": "/repo", "model": "m"}, {"session": "s1", "cwd": "/repo", "model": "m"}),
]


@pytest.mark.parametrize(("more", "expected"), HEADERS)
def test_what_a_row_says_of_itself(more: Json, expected: Json) -> None:
    record = only(PLAIN, {"role": "assistant", "content": "x", **more})
    assert {key: getattr(record, key) for key in expected} == expected
    assert record.events == (Reply("x", str(more.get("id", ""))),)


@pytest.mark.parametrize("adapter", ALL, ids=[adapter.name for adapter in ALL])
def test_odd_and_damaged_lines(adapter: Adapter) -> None:
    speaker = "type" if adapter is BY_TYPE else "role"
    line = json.dumps({speaker: "user", "content": [text("fix it")], "model": 7}).encode()
    records, problems = read(adapter, line)
    assert [record.events for record in records] == [(Prompt("fix it"),)]
    assert [(problem.kind, problem.detail) for problem in problems] == [("shape", "model")]
    records, problems = read(adapter, line[:20] + line + line)
    assert [record.events for record in records] == [(Prompt("fix it"),)] * 2
    assert [problem.kind for problem in problems] == ["torn"]
    assert not only(adapter, {speaker: "oracle", "content": "x"}).known
    assert read(adapter, b" \r") == ((), ())


LOGS = [("plain", PLAIN), ("blocks", BLOCKS), ("by_type", BY_TYPE)]


@pytest.mark.parametrize(("name", "adapter"), LOGS, ids=[row[0] for row in LOGS])
def test_golden(name: str, adapter: Adapter) -> None:
    log = DATA / f"{name}.jsonl"
    assert rows_of_lines(adapter, log) == expected_rows(log)
    # Each log is recognised by its own adapter alone.
    head = first_objects(log.read_bytes())
    assert [other.name for other in ALL if other.recognise(head)] == [adapter.name]


FOREIGN: list[tuple[str, Json]] = [
    ("Claude Code", {"type": "user", "uuid": "u", "sessionId": "s", "message": {"role": "user", "content": "x"}}),
    ("a look-alike", {"type": "user", "uuid": "u", "content": [text("x")], "sessionId": "s"}),
    ("Codex", {"timestamp": STAMP, "type": "response_item", "payload": {"type": "message", "role": "user"}}),
    ("bare Codex", {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "x"}]}),
    ("pi", {"type": "message", "id": "e", "message": {"role": "user", "content": [text("x")]}}),
    ("Cursor", {"role": "user", "message": {"content": [text("x")]}}),
    ("OpenHands", {"id": "1", "source": "user", "kind": "MessageEvent", "llm_message": {"role": "user"}}),
    ("typed prompts", {"display": "x", "timestamp": 1, "project": "/p"}),
    ("Gemini", {"id": "1", "timestamp": STAMP, "type": "user", "content": "x"}),
    ("Gemini in parts", {"id": "1", "timestamp": STAMP, "type": "user", "content": [{"text": "x"}]}),
    ("Copilot", {"type": "user.message", "data": {"content": "x"}, "id": "1", "parentId": None}),
    ("requests", {"type": "request", "messages": [{"role": "user", "content": "x"}]}),
    ("anything", {"level": "info", "msg": "x"}),
]


@pytest.mark.parametrize("row", [row[1] for row in FOREIGN], ids=[row[0] for row in FOREIGN])
def test_other_formats_are_refused(row: Json) -> None:
    # Also where a few lines by chance look like messages.
    mixed = [row] * 8 + [{"role": "user", "content": "x"}, {"type": "user", "content": [text("x")]}]
    for rows in ([row], mixed):
        head = b"\n".join(json.dumps(one).encode() for one in rows)
        assert [adapter.name for adapter in ALL if adapter.recognise(first_objects(head))] == []


def test_nothing_is_recognised_in_nothing() -> None:
    assert not any(adapter.recognise(()) for adapter in ALL)


VALID = [json.dumps(row[1]).encode() for row in ROWS]


@given(st.sampled_from(ALL), st.binary(max_size=200))
def test_any_bytes_are_read_without_raising(adapter: Adapter, line: bytes) -> None:
    records, problems = read(adapter, line)
    assert records or problems or not line.strip()


@given(st.sampled_from(ALL), st.sampled_from(VALID), st.data())
def test_mutated_lines_are_read_without_raising(adapter: Adapter, line: bytes, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(line)))
    put = data.draw(st.one_of(st.binary(max_size=6), st.sampled_from([b"null", b"1e999", b"[]", b"{}", b'"\\ud800"'])))
    mutated = line[:at] + put + line[at + data.draw(st.integers(0, 12)) :]
    records, problems = read(adapter, mutated)
    assert records or problems or not mutated.strip()
