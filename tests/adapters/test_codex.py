"""Codex rollouts, both generations: what each record says, and that no bytes break the reading of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeAlias

import pytest

from recapd.adapters.codex import adapter as codex
from recapd.adapters.codex import bare as codex_bare
from recapd.adapters.shared.base import Adapter, first_objects
from recapd.core.log.events import (
    Compacted,
    Note,
    Opened,
    Prompt,
    Record,
    Result,
)
from recapd.core.log.refs import Place
from tests.adapters.codex_records import STAMP, enveloped, only, read
from tests.support.goldens import expected_rows, rows_of_lines

Json: TypeAlias = dict[str, object]

DATA = Path(__file__).parent / "data" / "codex"


def call(name: str, arguments: object, **more: object) -> Json:
    return {"type": "function_call", "name": name, "arguments": json.dumps(arguments), "call_id": "c1", **more}


def output(text: object) -> Json:
    return {"type": "function_call_output", "call_id": "c1", "output": text}


def message(role: str, *texts: str) -> Json:
    kind = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [{"type": kind, "text": text} for text in texts]}


def header(kind: str, payload: Json) -> Record:
    return only(read(codex.ADAPTER, enveloped(kind, payload)))


def test_session_header() -> None:
    meta: Json = {"id": "s1", "cwd": "/repo", "cli_version": "0.142.0", "source": "cli", "git": {"branch": "main"}}
    record = header("session_meta", meta)
    assert (record.cwd, record.branch, record.version) == ("/repo", "main", "0.142.0")
    assert record.events == (Opened("s1"),)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ({"subagent": "review"}, Opened("s1", subagent="s1")),
        ({"subagent": {"thread_spawn": {"parent_thread_id": "p1", "depth": 1}}}, Opened("s1", "s1", "p1")),
        ({"subagent": {"other": "guardian"}}, Opened("s1", subagent="s1")),
        ({"custom": "bot"}, Opened("s1")),
        ("exec", Opened("s1")),
        (None, Opened("s1")),
    ],
)
def test_rollout_of_a_sub_agent(source: object, expected: Opened) -> None:
    assert header("session_meta", {"id": "s1", "source": source}).events == (expected,)


def test_other_records() -> None:
    turn = header("turn_context", {"cwd": "/repo/sub", "model": "gpt-5", "summary": "auto"})
    assert (turn.cwd, turn.model, turn.session, turn.events) == ("/repo/sub", "gpt-5", "", ())
    assert header("compacted", {"message": "so far"}).events == (Compacted(), Note("compaction", "so far"))
    assert header("compacted", {"message": "", "replacement_history": []}).events == (Compacted(),)
    assert header("inter_agent_communication", {"content": "hello"}).events == (Note("teammate", "hello"),)
    assert header("world_state", {"full": True}).known


@pytest.mark.parametrize("kind", ["response_item", "event_msg", "brand_new"])
def test_unknown_types_are_counted_not_read(kind: str) -> None:
    record = header(kind, {"type": "novelty", "message": {"odd": 1}, "id": 3})
    assert (record.known, record.events) == (False, ())
    assert record.type == (kind if kind == "brand_new" else f"{kind}/novelty")


@pytest.mark.parametrize("role", ["user", "assistant"])
def test_a_message_is_known_by_its_role_where_its_kind_is_left_out(role: str) -> None:
    whole = message(role, "Add rate limiting")
    bare = {name: value for name, value in whole.items() if name != "type"}
    said = only(read(codex.ADAPTER, enveloped("response_item", bare)))
    assert said.events and said.events == only(read(codex.ADAPTER, enveloped("response_item", whole))).events


def test_bare_header_and_state() -> None:
    first = {"id": "s1", "timestamp": STAMP, "instructions": None, "git": {"branch": "dev"}}
    record = only(read(codex_bare.ADAPTER, json.dumps(first).encode()))
    assert (record.session, record.branch, record.at, record.events) == ("s1", "dev", STAMP, (Opened(),))
    state = only(read(codex_bare.ADAPTER, b'{"record_type":"state"}'))
    assert (state.type, state.events, state.known) == ("state", (), True)


def test_a_field_of_an_odd_type_costs_only_itself() -> None:
    line = enveloped("response_item", {**output("ok"), "name": 7})
    records, problems = read(codex.ADAPTER, line)
    assert records[0].events == (Result("c1", payload=b'"ok"'),)
    assert [(problem.kind, problem.detail) for problem in problems] == [("shape", "payload.name")]


def test_glued_and_torn_lines_give_what_is_whole() -> None:
    whole = enveloped("event_msg", {"type": "user_message", "message": "hi"})
    records, problems = read(codex.ADAPTER, whole + whole)
    assert [record.place for record in records] == [Place(1, 0, len(whole)), Place(1, len(whole), len(whole))]
    assert [problem.kind for problem in problems] == ["glued"]
    records, problems = read(codex.ADAPTER, whole[:40] + whole)
    assert [record.events for record in records] == [(Prompt("hi"),)]
    assert [problem.kind for problem in problems] == ["torn"]
    # The inner objects of a torn record are no records.
    torn = enveloped("response_item", message("user", "hi"))[:-3]
    assert read(codex.ADAPTER, torn)[0] == ()
    bare = json.dumps(message("user", "hi")).encode()
    assert read(codex_bare.ADAPTER, bare[:-3])[0] == ()
    assert len(read(codex_bare.ADAPTER, bare + bare)[0]) == 2


@pytest.mark.parametrize("adapter", [codex.ADAPTER, codex_bare.ADAPTER])
@pytest.mark.parametrize("line", [b"", b"  ", b"\r"])
def test_blank_lines_are_nothing(adapter: Adapter, line: bytes) -> None:
    assert read(adapter, line) == ((), ())


NEW_HEAD = enveloped("session_meta", {"id": "s1"})
OLD_HEAD = b'{"id":"s1","timestamp":"2025-08-01T00:00:00.000Z","instructions":null}'
HEADS: list[tuple[bytes, str]] = [
    (NEW_HEAD, "codex"),
    (NEW_HEAD[5:] + b"\n" + enveloped("turn_context", {"model": "m"}), "codex"),
    (enveloped("event_msg", {"type": "token_count"}), "codex"),
    (OLD_HEAD, "codex-bare"),
    (b'{"record_type":"state"}', "codex-bare"),
    (OLD_HEAD[5:] + b"\n" + json.dumps(message("user", "hi")).encode(), "codex-bare"),
    (json.dumps(call("shell", {})).encode(), "codex-bare"),
    (b'{"type":"user","sessionId":"s","message":{"role":"user","content":"hi"}}', ""),
    (b'{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}', ""),
    (b'{"type":"message","id":"a","timestamp":"t","message":{"role":"user","content":[]}}', ""),
    (b'{"role":"user","content":"hi"}', ""),
    (b'{"type":"session.start","data":{},"id":"1","timestamp":"t"}', ""),
    (b"# aider chat started at 2026-01-01", ""),
    (b"", ""),
]


@pytest.mark.parametrize(("head", "owner"), HEADS)
def test_recognises_its_own_and_nothing_else(head: bytes, owner: str) -> None:
    objects = first_objects(head)
    claims = [adapter.name for adapter in (codex.ADAPTER, codex_bare.ADAPTER) if adapter.recognise(objects)]
    assert claims == ([owner] if owner else [])


def test_resume_command() -> None:
    for adapter in (codex.ADAPTER, codex_bare.ADAPTER):
        assert adapter.resume_command is not None
        assert adapter.resume_command("s1") == "codex resume s1"


@pytest.mark.parametrize(("name", "adapter"), [("session", codex.ADAPTER), ("bare", codex_bare.ADAPTER)])
def test_golden(name: str, adapter: Adapter) -> None:
    log = DATA / f"{name}.jsonl"
    assert rows_of_lines(adapter, log) == expected_rows(log)
