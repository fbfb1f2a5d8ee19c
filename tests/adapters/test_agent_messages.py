"""Messages that are kept by type: who speaks, and which result belongs to which call where blocks have no ids."""

from __future__ import annotations

import json
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.adapters.chat import agent_messages
from recapd.core.log.events import Call, Event, Note, Parsed, Prompt, Reply, Result
from recapd.core.log.refs import Place

Json: TypeAlias = dict[str, object]

STAMP = "2026-02-03T04:05:06.789Z"


def read(line: bytes) -> Parsed:
    return agent_messages.ADAPTER.parse(line, Place(1, 0, len(line)))


def text(words: str) -> Json:
    return {"type": "text", "text": words}


def tool(kind: str, **more: object) -> Json:
    return {"type": kind, **more}


TYPED: list[tuple[str, Json, tuple[Event, ...]]] = [
    ("prompt", {"type": "user", "content": [text("fix it")]}, (Prompt("fix it"),)),
    ("reply", {"type": "assistant", "content": [text("Done."), text("All.")]}, (Reply("Done."), Reply("All."))),
    ("reply as a plain text", {"type": "assistant", "content": "Done."}, (Reply("Done."),)),
    ("stage", {"type": "system", "content": [text("Stage: planning")]}, (Note("system", "Stage: planning"),)),
    (
        "calls go by their place",
        {
            "type": "assistant",
            "content": [
                text("Both."),
                tool("tool_use", toolName="Read", toolInput={"file_path": "a"}),
                tool("tool_use", toolName="Bash", toolInput={"command": "ls"}),
            ],
        },
        (Reply("Both."), Call("#0", "Read", "read", target="a"), Call("#1", "Bash", "shell", target="ls")),
    ),
    (
        "so do results",
        {
            "type": "user",
            "content": [tool("tool_result", toolResult="x"), tool("tool_result", toolResult={"output": "y"})],
        },
        (Result("#0", payload=b'"x"'), Result("#1", payload=b'"y"')),
    ),
    (
        "ids where there are any",
        {"type": "user", "content": [tool("tool_result", toolUseId="c1", toolResult="x", isError=True)]},
        (Result("c1", failed=True, payload=b'"x"'),),
    ),
    (
        "results in messages of their own",
        {"type": "tool", "content": [tool("tool_result", toolName="Read", toolResult="x")]},
        (Result("#0", payload=b'"x"'),),
    ),
]


@pytest.mark.parametrize(("row", "expected"), [row[1:] for row in TYPED], ids=[row[0] for row in TYPED])
def test_messages_by_type(row: Json, expected: tuple[Event, ...]) -> None:
    (record,), problems = read(json.dumps({"timestamp": STAMP, **row}).encode())
    assert not problems
    assert record.events == expected
    assert (record.type, record.at, record.known) == (row["type"], STAMP, True)


VALID = [json.dumps(row[1]).encode() for row in TYPED]


@given(st.sampled_from(VALID), st.data())
def test_mutated_lines_are_read_without_raising(line: bytes, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(line)))
    put = data.draw(st.one_of(st.binary(max_size=6), st.sampled_from([b"null", b"1e999", b"[]", b"{}"])))
    mutated = line[:at] + put + line[at + data.draw(st.integers(0, 12)) :]
    records, problems = read(mutated)
    assert records or problems or not mutated.strip()
