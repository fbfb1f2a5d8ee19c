"""Copilot CLI's event logs: every event that says something, whose words they are, and damaged lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.adapters.copilot import adapter as copilot
from recapd.adapters.shared.base import first_objects
from recapd.core.log.events import (
    Call,
    Compacted,
    Ended,
    Event,
    Faulted,
    Interrupted,
    Note,
    Opened,
    Parsed,
    Prompt,
    Record,
    Reply,
    Thought,
    Titled,
)
from recapd.core.log.refs import Place
from tests.support.goldens import expected_rows, rows_of_lines

Json: TypeAlias = dict[str, object]

DATA = Path(__file__).parent / "data" / "copilot"
STAMP = "2026-02-03T04:05:06.789Z"


def read(line: bytes) -> Parsed:
    return copilot.ADAPTER.parse(line, Place(1, 0, len(line)))


def line_of(kind: str, data: object, **more: object) -> bytes:
    return json.dumps({"type": kind, "data": data, "id": "e2", "timestamp": STAMP, "parentId": "e1", **more}).encode()


def only(kind: str, data: object, **more: object) -> Record:
    (record,), problems = read(line_of(kind, data, **more))
    assert not problems
    return record


def user(text: str, **more: object) -> Json:
    return {"content": text, "transformedContent": f"<now>\n{text}\n<system_reminder>", "attachments": [], **more}


def start(tool: str, **arguments: object) -> Json:
    return {"toolCallId": "c1", "toolName": tool, "arguments": arguments, "turnId": "0"}


EVENTS: list[tuple[str, str, Json, tuple[Event, ...]]] = [
    ("prompt", "user.message", user("fix it"), (Prompt("fix it"),)),
    ("prompt from an editor", "user.message", user("fix it", source="user", delivery="idle"), (Prompt("fix it"),)),
    ("waited for its turn", "user.message", user("then this", delivery="queued"), (Prompt("then this"),)),
    ("said in mid-turn", "user.message", user("no, that", delivery="steering"), (Prompt("no, that", "queued"),)),
    ("skill", "user.message", user("<skill-context>", source="skill-pdf"), (Note("meta", "<skill-context>"),)),
    ("went on by itself", "user.message", user("Go on", isAutopilotContinuation=True), (Note("meta", "Go on"),)),
    (
        "out of thought",
        "user.message",
        user("Please continue", source="thinking-exhausted-continuation"),
        (Note("meta", "Please continue"),),
    ),
    ("another agent", "user.message", user("found it", source="agent-7"), (Note("teammate", "found it"),)),
    ("goal", "user.message", user("all green", source="autopilot-objective"), (Prompt("all green", "command"),)),
    ("slash command", "user.message", user("review", source="command-review"), (Note("command", "review"),)),
    ("blank", "user.message", user(" \n"), ()),
    (
        "reply with thoughts",
        "assistant.message",
        {"messageId": "m1", "content": "Done.", "reasoningText": "hmm", "toolRequests": [{"toolCallId": "c1"}]},
        (Thought(3), Reply("Done.", "m1")),
    ),
    (
        "only a call asked for",
        "assistant.message",
        {"messageId": "m1", "content": "", "toolRequests": [{"toolCallId": "c1"}]},
        (),
    ),
    (
        "neither words nor a call",
        "assistant.message",
        {"messageId": "m1", "content": "", "toolRequests": []},
        (Ended("turn"),),
    ),
    ("words that are yet to come", "assistant.message", {"messageId": "m1", "content": ""}, ()),
    ("older thoughts", "assistant.reasoning", {"reasoningId": "r", "content": "hmm"}, (Thought(3),)),
    ("shell of the human", "tool.user_requested", start("bash", command="ls"), (Note("shell", "ls"),)),
    (
        "compaction",
        "session.compaction_complete",
        {"success": True, "trigger": "manual", "preCompactionTokens": 900, "summaryContent": "so far"},
        (Compacted("manual", 900), Note("compaction", "so far")),
    ),
    ("compaction that failed", "session.compaction_complete", {"success": False, "error": "no"}, ()),
    ("error", "session.error", {"errorType": "quota", "message": "402"}, (Faulted("402"),)),
    ("stopped by the human", "abort", {"reason": "user_initiated"}, (Interrupted(),)),
    ("title", "session.title_changed", {"title": " Fix it "}, (Titled("Fix it"),)),
    ("closed", "session.shutdown", {"shutdownType": "routine", "codeChanges": {}}, (Ended("session"),)),
    (
        "crashed",
        "session.shutdown",
        {"shutdownType": "error", "errorReason": "out of memory"},
        (Ended("session", "out of memory"),),
    ),
    ("system prompt", "system.message", {"role": "system", "content": "You are"}, (Note("meta", "You are"),)),
    ("notice", "system.notification", {"content": "done", "kind": {"type": "x"}}, (Note("meta", "done"),)),
    ("folder trusted", "session.info", {"infoType": "x", "message": "trusted"}, (Note("meta", "trusted"),)),
    ("handed over", "session.handoff", {"sourceType": "remote", "summary": "did x"}, (Note("meta", "did x"),)),
    ("hook", "hook.start", {"hookType": "userPromptSubmitted", "input": {"prompt": "fix it"}}, ()),
    ("end of one call of the model", "assistant.turn_end", {"turnId": "0"}, ()),
    ("allowed", "permission.completed", {"requestId": "r", "result": {"kind": "approved"}}, ()),
]


@pytest.mark.parametrize(("kind", "data", "expected"), [row[1:] for row in EVENTS], ids=[row[0] for row in EVENTS])
def test_events(kind: str, data: Json, expected: tuple[Event, ...]) -> None:
    record = only(kind, data)
    assert record.events == expected
    assert (record.type, record.id, record.parent, record.at, record.known) == (kind, "e2", "e1", STAMP, True)


def test_header_says_where_the_session_runs() -> None:
    context = {"cwd": "/repo", "branch": "main", "repository": "o/r"}
    data = {"sessionId": "s1", "copilotVersion": "1.0.64", "selectedModel": "m1", "context": context}
    record = only("session.start", data)
    assert record.events == (Opened(),)
    assert (record.session, record.cwd, record.branch, record.version, record.model) == (
        "s1",
        "/repo",
        "main",
        "1.0.64",
        "m1",
    )
    moved = only("session.context_changed", {"cwd": "/repo/sub", "branch": "dev"})
    assert (moved.cwd, moved.branch, moved.events) == ("/repo/sub", "dev", ())
    assert only("session.model_change", {"newModel": "m2"}).model == "m2"
    assert only("session.resume", {"eventCount": 3, "resumeTime": STAMP}).events == (Opened(),)
    assert only("assistant.message", {"content": "x", "model": "m3"}).model == "m3"


@pytest.mark.parametrize(
    "of", [{"agentId": "a1"}, {"data": {"parentToolCallId": "a1"}}], ids=["id", "call of an older"]
)
def test_work_of_a_sub_agent_is_marked(of: Json) -> None:
    inside = of.get("data", {})
    assert isinstance(inside, dict)
    outside = {key: value for key, value in of.items() if key != "data"}
    task = only("user.message", {**user("look for x"), **inside}, **outside)
    assert (task.via, task.events) == ("a1", (Note("task", "look for x"),))
    work = only("tool.execution_start", {**start("view", path="/a"), "model": "small", **inside}, **outside)
    assert (work.via, work.events) == ("a1", (Call("c1", "view", "read", target="/a"),))
    # The session's model is that of its main agent.
    assert work.model == ""


def test_unknown_types_are_counted_not_read() -> None:
    record = only("session.brand_new", {"content": {"odd": 1}})
    assert (record.type, record.known, record.events) == ("session.brand_new", False, ())


def test_a_field_of_an_odd_type_costs_only_itself() -> None:
    records, problems = read(line_of("user.message", {"content": "fix it", "source": 7}))
    assert records[0].events == (Prompt("fix it"),)
    assert [(problem.kind, problem.detail) for problem in problems] == [("shape", "data.source")]
    # Nothing is lost of an event that nobody reads.
    assert read(line_of("hook.end", {"source": 7}))[1] == ()


def test_glued_and_torn_lines_give_what_is_whole() -> None:
    whole = line_of("user.message", user("fix it"))
    records, problems = read(whole + whole)
    assert [record.place for record in records] == [Place(1, 0, len(whole)), Place(1, len(whole), len(whole))]
    assert [problem.kind for problem in problems] == ["glued"]
    records, problems = read(whole[:50] + whole)
    assert [record.events for record in records] == [(Prompt("fix it"),)]
    assert [problem.kind for problem in problems] == ["torn"]
    assert read(b" \r") == ((), ())


def test_golden() -> None:
    log = DATA / "session.jsonl"
    assert rows_of_lines(copilot.ADAPTER, log) == expected_rows(log)
    assert copilot.ADAPTER.recognise(first_objects(log.read_bytes()))


@pytest.mark.parametrize(
    "lines",
    [
        b"",
        b'{"type":"user","message":{"role":"user","content":"x"},"parentUuid":null,"uuid":"u","sessionId":"s"}',
        b'{"type":"session","id":"s","timestamp":"t","cwd":"/"}\n{"type":"message","id":"e","parentId":"s"}',
        b'{"type":"session.start","payload":{}}',
        b'{"type":"user.message","data":{"content":"x"}}\n{"role":"user","content":"x"}',
    ],
)
def test_other_formats_are_refused(lines: bytes) -> None:
    assert not copilot.ADAPTER.recognise(first_objects(lines))


def test_resume() -> None:
    assert copilot.ADAPTER.resume_command is not None
    assert copilot.ADAPTER.resume_command("s1") == "copilot --resume=s1"


VALID = [line_of(row[1], row[2]) for row in EVENTS] + (DATA / "session.jsonl").read_bytes().splitlines()
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
FIELDS = sorted({field for row in EVENTS for field in row[2]} | {"context", "parentToolCallId", "result", "error"})


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


@given(st.sampled_from(sorted({row[1] for row in EVENTS})), st.dictionaries(st.sampled_from(FIELDS), ANY_JSON))
def test_fields_of_any_type_leave_the_line_accounted_for(kind: str, data: Json) -> None:
    (record,), _ = read(line_of(kind, data))
    assert record.type == kind


def test_a_sub_agent_that_ends_without_a_word_ends_nobody_elses_turn() -> None:
    record = only("assistant.message", {"messageId": "m1", "content": "", "toolRequests": []}, agentId="a1")
    assert record.events == ()
