"""What recapd reads out of Claude Code's logs: golden files of whole sessions, and what no log may break."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.adapters.claude_code.adapter import ADAPTER
from recapd.adapters.shared.base import first_objects
from recapd.core.log.events import Reply
from recapd.core.log.refs import Place
from tests.adapters.claude_records import assistant, line_of, parse, user
from tests.support.goldens import expected_rows, lines_with_places, rows_of_lines

DATA = Path(__file__).parent / "data" / "claude_code"
SESSIONS = sorted(DATA.glob("*.jsonl"))


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_sessions(path: Path) -> None:
    # Results' payloads are whole files here; tests of results look at them.
    assert rows_of_lines(ADAPTER, path, without=["payload"]) == expected_rows(path)


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_every_line_is_accounted_for_at_its_own_bytes(path: Path) -> None:
    data = path.read_bytes()
    for line, place in lines_with_places(path.read_bytes()):
        records, problems = ADAPTER.parse(line, place)
        assert records or problems
        for record in records:
            start = record.place.offset
            assert json.loads(data[start : start + record.place.length].decode())


@pytest.mark.parametrize(("stop_reason", "goes_on"), [("tool_use", True), ("end_turn", False), (None, False)])
def test_words_before_a_call_say_that_more_is_to_come(stop_reason: str | None, goes_on: bool) -> None:
    message = {"id": "msg_1", "content": [{"type": "text", "text": "I look first."}], "stop_reason": stop_reason}
    assert parse(line_of("assistant", message=message)).events == (Reply("I look first.", "msg_1", goes_on),)


def test_header() -> None:
    record = parse(user("hi", gitBranch="HEAD", version="2.1.9", cwd="/elsewhere"))
    assert (record.id, record.parent, record.session, record.at) == ("u1", "u0", "s1", "2026-03-01T09:00:00.000Z")
    assert (record.cwd, record.branch, record.version, record.via) == ("/elsewhere", "", "2.1.9", "")
    assert parse(user("hi")).branch == "main"
    assert parse(assistant({"type": "text", "text": "x"})).model == "claude-opus-4-6"
    boundary = line_of("system", subtype="compact_boundary", parentUuid=None, logicalParentUuid="u7")
    assert parse(boundary).parent == "u7"
    assert parse(user("task", isSidechain=True)).via == "sidechain"
    assert parse(user("task", isSidechain=True, agentId="a12")).via == "a12"
    assert ADAPTER.resume_command is not None
    assert ADAPTER.resume_command("s1") == "claude --resume s1"


CHAINED = json.loads(user("hi"))
SPOKEN = ("type", "message", "uuid", "sessionId", "timestamp")
RECOGNISED: list[tuple[str, list[dict[str, object]], bool]] = [
    ("chained", [CHAINED], True),
    ("dangling parent", [{**CHAINED, "parentUuid": "gone"}], True),
    ("titles first", [{"type": "summary", "summary": "T", "leafUuid": "x"}], True),
    ("snapshots first", [{"type": "file-history-snapshot", "messageId": "m", "snapshot": {}}] * 40, True),
    ("queue first", [{"type": "queue-operation", "operation": "enqueue", "sessionId": "s"}], True),
    ("bookkeeping only", [{"type": "last-prompt", "lastPrompt": "p", "sessionId": "s"}], True),
    ("a stray object first", [{"silly": 1}, CHAINED], True),
    ("session id of another tool", [{**CHAINED, "sessionId": "session-123"}], True),
    ("what every tool writes", [{key: CHAINED[key] for key in SPOKEN}], True),
    *((f"without {missing}", [{key: CHAINED[key] for key in SPOKEN if key != missing}], False) for missing in SPOKEN),
    ("parts of another tool", [{**CHAINED, "message": {"role": "user", "parts": [{"text": "hi"}]}}], False),
    ("payload of another tool", [{**CHAINED, "systemPayload": {}}], False),
    ("no tree", [{"type": "user", "sessionId": "s", "cwd": "/", "message": {"content": "hi"}}], False),
    ("typed prompts", [{"display": "hi", "pastedContents": {}, "project": "/p", "sessionId": "s"}], False),
    ("codex", [{"timestamp": "t", "type": "session_meta", "payload": {"id": "s"}}], False),
    ("pi", [{"type": "session", "version": 3, "id": "s", "cwd": "/"}], False),
    ("copilot", [{"type": "user.message", "data": {}, "id": "i", "parentId": None}], False),
    ("gemini", [{"sessionId": "s", "projectHash": "h", "kind": "main"}], False),
    ("nothing", [], False),
]


@pytest.mark.parametrize(("records", "expected"), [row[1:] for row in RECOGNISED], ids=[row[0] for row in RECOGNISED])
def test_recognise(records: list[dict[str, object]], expected: bool) -> None:
    assert ADAPTER.recognise(records) is expected


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.stem)
def test_recognise_files(path: Path) -> None:
    assert ADAPTER.recognise(first_objects(path.read_bytes()))


BOOKKEEPING = "api-request api-request-blob api-request-shape atis-latch tools-used cost-state".split()
ATTACHED = (
    "hook_additional_context environment model session_context date remote_session_change prompt_snapshot".split()
)


@pytest.mark.parametrize("kind", BOOKKEEPING)
def test_bookkeeping_is_known_and_never_conversation(kind: str) -> None:
    record = parse(line_of(kind, blob={"messages": [{"role": "user", "content": "please decide for Postgres"}]}))
    assert (record.known, record.events) == (True, ())


@pytest.mark.parametrize("kind", ATTACHED)
def test_attached_bookkeeping_is_known_and_never_conversation(kind: str) -> None:
    record = parse(line_of("attachment", attachment={"type": kind, "prompt": "please decide", "content": "x"}))
    assert (record.known, record.events) == (True, ())


def test_a_new_record_is_an_aside_unless_it_holds_a_message() -> None:
    aside, spoken = (
        parse(line_of("new-counter", count=1)),
        parse(user("hi").replace(b'"type":"user"', b'"type":"guest"')),
    )
    assert [(each.known, each.is_aside) for each in (aside, spoken)] == [(False, True), (False, False)]


def test_companions() -> None:
    assert ADAPTER.companions is not None
    assert "s1/subagents/agent-*.jsonl" in ADAPTER.companions("s1.jsonl")
    assert ADAPTER.companions("agent-1.jsonl") == ()


def check_harmless(line: bytes) -> None:
    records, problems = ADAPTER.parse(line, Place(1, 100, len(line)))
    assert records or problems or not line.strip()
    for record in records:
        assert 100 <= record.place.offset <= 100 + len(line) - record.place.length


@given(st.binary())
def test_any_bytes(line: bytes) -> None:
    check_harmless(line)


VALID = [line for path in SESSIONS for line, _ in lines_with_places(path.read_bytes())]


@given(st.sampled_from(VALID), st.integers(0, 400), st.integers(0, 40), st.binary(max_size=12))
def test_damaged_bytes(line: bytes, start: int, length: int, inserted: bytes) -> None:
    check_harmless(line[:start] + inserted + line[start + length :])


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "text", "id"]), inner),
    max_leaves=5,
)
OBJECTS = [value for line in VALID if line.startswith(b'{"') for value in first_objects(line)]


@given(st.sampled_from(OBJECTS), JSON_VALUES, st.data())
def test_odd_values(record: dict[str, object], odd: object, data: st.DataObject) -> None:
    """Whatever a field holds, the line stays one record."""
    record = json.loads(json.dumps(record))
    target = record
    while True:
        key = data.draw(st.sampled_from(sorted(target)))
        inner = target[key]
        if isinstance(inner, list) and inner and isinstance(inner[0], dict):
            inner = inner[0]
        if not isinstance(inner, dict) or not inner or data.draw(st.booleans()):
            break
        target = inner
    target[key] = odd
    line = json.dumps(record).encode()
    assert len(ADAPTER.parse(line, Place(1, 0, len(line)))[0]) == 1
