"""OpenAI-style chats in one document, and the message they share with chats in lines: roles, outcomes, whose words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeAlias

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.adapters.chat.openai.document import ADAPTER, split
from recapd.adapters.shared.base import first_objects
from recapd.core.log.events import (
    Call,
    Ended,
    Event,
    Faulted,
    Interrupted,
    Note,
    Prompt,
    Record,
    Reply,
    Result,
    Thought,
)
from recapd.core.log.refs import Place
from tests.support.goldens import expected_rows, records_of_document, rows_of_records

Json: TypeAlias = dict[str, object]

DATA = Path(__file__).parent / "data" / "openai_chat_json"
NAMES = ["hermes", "converted"]


def only(message: Json) -> Record:
    line = json.dumps(message).encode()
    (record,), problems = ADAPTER.parse(line, Place(1, 0, len(line)))
    assert not problems
    return record


@pytest.mark.parametrize("name", NAMES)
def test_a_chat_reads_as_expected(name: str) -> None:
    path = DATA / f"{name}.json"
    assert rows_of_records(records_of_document(ADAPTER, path.read_bytes())) == expected_rows(path)


def test_what_a_document_says_of_its_session() -> None:
    started, updated, *messages = records_of_document(ADAPTER, (DATA / "hermes.json").read_bytes())
    assert (started.session, started.model) == ("20260203_040506_ab12", "large-1")
    # Messages have no times of their own here.
    assert (started.at, updated.at) == ("2026-02-03T04:05:06.123Z", "2026-02-03T05:05:06.654Z")
    assert {record.at for record in messages} == {""}
    converted = records_of_document(ADAPTER, (DATA / "converted.json").read_bytes())
    assert (converted[0].session, converted[0].cwd, converted[0].branch) == ("conv-1", "/repo", "main")
    assert [record.type for record in converted if not record.known] == ["oracle"]


REMINDER = "<system-reminder>be brief</system-reminder>"
CONTINUED = "This session is being continued from a previous conversation"

WORDS: list[tuple[str, str, tuple[Event, ...]]] = [
    ("typed", " fix it ", (Prompt("fix it"),)),
    ("with a reminder inside", f"fix\n{REMINDER}\nit", (Prompt("fix\nit"),)),
    ("reminder alone", REMINDER, (Note("meta", REMINDER),)),
    ("open reminder", "fix it <system-reminder>be", (Prompt("fix it"),)),
    ("from an editor", "<ide_opened_file>a.py</ide_opened_file>\nfix it", (Prompt("fix it"),)),
    ("attachment", "[attached document: a.pdf]\n[attached image: b.png]\nsee these", (Prompt("see these"),)),
    ("attachment alone", "[attached document: a.pdf]", (Note("meta", "[attached document: a.pdf]"),)),
    ("answer to a message", '[Replying to: "it\'s ["done"]"]\n\nthanks', (Prompt("thanks"),)),
    ("his own bracket", "[attached is the log", (Prompt("[attached is the log"),)),
    ("bracket without an end", "[SYSTEM: fix it", (Prompt("[SYSTEM: fix it"),)),
    ("stopped", "[Request interrupted by user]", (Interrupted(),)),
    ("stopped a tool", "[Request interrupted by user for tool use]", (Interrupted(during_tool=True),)),
    ("summary", CONTINUED, (Note("compaction", CONTINUED),)),
    ("timer", "Read HEARTBEAT.md in your workspace", (Note("meta", "Read HEARTBEAT.md in your workspace"),)),
    ("command", "<command-name>/x", (Note("command", "<command-name>/x"),)),
    ("instructions", "# AGENTS.md x", (Note("meta", "# AGENTS.md x"),)),
    ("empty", " ", ()),
]


@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in WORDS], ids=[row[0] for row in WORDS])
def test_whose_words_a_user_message_holds(text: str, expected: tuple[Event, ...]) -> None:
    assert only({"role": "user", "content": text}).events == expected
    assert only({"role": "user", "content": [{"type": "text", "text": text}]}).events == expected


def assistant(**fields: object) -> Json:
    return {"role": "assistant", "content": None, **fields}


READ = Call("c1", "read_file", "read", target="a.py")
ARGUMENTS = {"path": "a.py"}

SAID: list[tuple[str, Json, tuple[Event, ...]]] = [
    ("text", assistant(content="Done.", id="r1"), (Reply("Done.", "r1"),)),
    ("blank", assistant(content="\n"), ()),
    ("parts", assistant(content=["A", {"type": "output_text", "text": "B"}]), (Reply("A"), Reply("B"))),
    ("thoughts", assistant(reasoning_content="hm"), (Thought(2),)),
    ("thoughts said twice", assistant(reasoning="hm", reasoning_content="hm"), (Thought(2),)),
    ("refusal", assistant(refusal="I cannot."), (Reply("I cannot."),)),
    (
        "call with text arguments",
        assistant(tool_calls=[{"id": "c1", "function": {"name": "read_file", "arguments": json.dumps(ARGUMENTS)}}]),
        (READ,),
    ),
    ("call with object", assistant(tool_calls=[{"id": "c1", "name": "read_file", "arguments": ARGUMENTS}]), (READ,)),
    (
        "call of old",
        assistant(function_call={"name": "read_file", "arguments": json.dumps(ARGUMENTS)}),
        (Call("read_file", "read_file", "read", target="a.py"),),
    ),
    (
        "broken arguments",
        assistant(tool_calls=[{"id": "c1", "function": {"name": "x", "arguments": "{"}}]),
        (Call("c1", "x", "other"),),
    ),
    ("end", assistant(finish_reason="stop"), (Ended("turn"),)),
    ("cut off", assistant(finish_reason="length"), (Ended("turn", "length"),)),
    ("failed", assistant(finish_reason="error"), (Faulted("error"),)),
    ("going on", assistant(finish_reason="tool_calls"), ()),
]


@pytest.mark.parametrize(("message", "expected"), [row[1:] for row in SAID], ids=[row[0] for row in SAID])
def test_what_the_agent_says_and_does(message: Json, expected: tuple[Event, ...]) -> None:
    assert only(message).events == expected


OUTCOMES: list[tuple[str, object, Result]] = [
    ("text", "fine", Result("c1")),
    ("nothing", None, Result("c1")),
    ("blocks", [{"type": "text", "text": "fine"}], Result("c1")),
    ("error", "Error: no such file", Result("c1", failed=True)),
    ("word of error in a file", "# Error handling", Result("c1")),
    ("exit code first", "Exit code 2\nboom", Result("c1", failed=True, exit_code=2)),
    ("exit code last", "boom\n\nExit code: 2", Result("c1", failed=True, exit_code=2)),
    ("exit code zero", "fine\nExit code: 0", Result("c1", exit_code=0)),
    ("exit code in the middle", "see\nExit code: 2\n" + "x" * 99, Result("c1")),
    ("code of a tool in JSON", json.dumps({"output": "", "exit_code": 3}), Result("c1", failed=True, exit_code=3)),
    ("no error in JSON", json.dumps({"output": "x", "error": None}), Result("c1")),
    ("failure in JSON", json.dumps({"success": False}), Result("c1", failed=True)),
    ("error quoted in JSON", json.dumps({"content": '{"error": "x"}'}), Result("c1")),
    ("JSON that is none", '{"error": ', Result("c1")),
    ("object", {"error": "x"}, Result("c1", failed=True)),
    (
        "refused",
        "The user doesn't want to proceed with this tool use. the user said:\nno",
        Result("c1", failed=True, denied=True, reason="no"),
    ),
    ("answer", json.dumps({"question": "q?", "user_response": "a"}), Result("c1", answers=(("q?", "a"),))),
]


@pytest.mark.parametrize(("content", "expected"), [row[1:] for row in OUTCOMES], ids=[row[0] for row in OUTCOMES])
def test_what_came_of_a_call(content: object, expected: Result) -> None:
    (result,) = only({"role": "tool", "tool_call_id": "c1", "content": content}).events
    assert isinstance(result, Result)
    assert msgspec.structs.replace(result, payload=b"") == expected


def test_output_wrapped_in_json_is_unwrapped_for_readers() -> None:
    content = json.dumps({"output": "1 passed", "exit_code": 0})
    (result,) = only({"role": "tool", "tool_call_id": "c1", "content": content}).events
    assert isinstance(result, Result)
    assert result.payload == b'"1 passed"'


def test_the_result_of_a_question_is_the_humans_answer() -> None:
    record = only({"role": "tool", "name": "ask", "tool_call_id": "c1", "content": "use green"})
    assert record.events == (Result("c1", payload=b'"use green"', answers=(("", "use green"),)),)


SYSTEM: list[tuple[str, str, tuple[Event, ...]]] = [
    ("instructions", "You are an agent.", (Note("system", "You are an agent."),)),
    ("end of a run", "[stop] out of tokens", (Ended("session", "out of tokens"),)),
]


@pytest.mark.parametrize(("text", "expected"), [row[1:] for row in SYSTEM], ids=[row[0] for row in SYSTEM])
def test_what_the_system_says(text: str, expected: tuple[Event, ...]) -> None:
    assert only({"role": "system", "content": text}).events == expected


def test_times_come_as_text_or_numbers() -> None:
    for stamp in ("2026-02-03T04:05:06.789", 1770091506.789, 1770091506789):
        assert only({"role": "user", "content": "x", "timestamp": stamp}).at == "2026-02-03T04:05:06.789Z"
    assert only({"role": "user", "content": "x", "timestamp": "soon"}).at == ""


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("share", [0.1, 0.9, 0.999])
def test_a_chat_that_is_being_rewritten_has_no_pieces(name: str, share: float) -> None:
    whole = (DATA / f"{name}.json").read_bytes()
    document = split(whole[: int(len(whole) * share)].rstrip().removesuffix(b"}"))
    assert [problem.kind for problem in document.problems] == ["torn"]
    assert not document.pieces
    assert not document.header


def test_odd_shapes_cost_no_more_than_themselves() -> None:
    document = split(b'{"session_id": 7, "model": "m", "messages": [{"role": "user"}]}')
    assert [(problem.kind, problem.detail) for problem in document.problems] == [("shape", "session_id")]
    assert [record.model for record in document.header] == ["m"]
    assert len(document.pieces) == 1
    assert [problem.detail for problem in split(b'{"messages": "none"}').problems] == ["messages"]
    (record,), problems = ADAPTER.parse(b'{"role":"user","content":"fix it","name":7}', Place(1, 0, 1))
    assert record.events == (Prompt("fix it"),)
    assert [problem.detail for problem in problems] == ["name"]


@given(st.binary(max_size=200))
def test_no_bytes_are_too_strange(data: bytes) -> None:
    split(data)
    ADAPTER.parse(data, Place(1, 0, len(data)))
    ADAPTER.parse(b'{"role":"tool","content":' + data + b"}", Place(1, 0, 1))


@given(st.text(max_size=80), st.sampled_from(["user", "assistant", "tool", "system"]))
def test_no_text_is_too_strange(text: str, role: str) -> None:
    line = json.dumps({"role": role, "content": text}).encode()
    records, _ = ADAPTER.parse(line, Place(1, 0, len(line)))
    assert len(records) == 1


MESSAGE = max((piece for piece, _ in split((DATA / "hermes.json").read_bytes()).pieces), key=len)


@given(st.integers(0, len(MESSAGE)), st.integers(0, len(MESSAGE)), st.binary(max_size=6))
def test_no_damage_to_a_message_raises(start: int, length: int, noise: bytes) -> None:
    damaged = MESSAGE[:start] + noise + MESSAGE[start + length :]
    ADAPTER.parse(damaged, Place(1, 0, len(damaged)))


NOT_OURS = [
    b'{"model": "m", "messages": [{"role": "user", "content": "a request"}], "temperature": 0}',
    b'{"info": {}, "messages": [{"role": "user", "content": "x"}], "metadata": {}, "trajectory_format": "1"}',
    b'{"meta": {}, "messages": [{"info": {"role": "user"}, "parts": []}]}',
    b'{"sessionId": "s", "metadata": {}, "messages": [{"role": "user", "content": "x"}]}',
    b'{"metadata": {}, "messages": {"role": "user"}}',
    b'{"metadata": {"messages": [{"role": "user"}]}, "steps": []}',
    b'{"role": "user", "content": "{\\"session_id\\": 1, \\"messages\\": []}"}',
    b'[{"role": "user", "parts": [{"text": "session_start messages"}]}]',
    b"",
]


def test_it_knows_its_own_from_a_head_and_nothing_else() -> None:
    assert ADAPTER.recognise_head is not None
    for name in NAMES:
        data = (DATA / f"{name}.json").read_bytes()
        assert ADAPTER.recognise_head(data)
        assert ADAPTER.recognise_head(data[: data.index(b'"content"')])
        assert ADAPTER.recognise(first_objects(json.dumps(json.loads(data)).encode()))
    hermes = (DATA / "hermes.json").read_bytes()
    # Instructions and tools may fill the head.
    assert ADAPTER.recognise_head(hermes[: hermes.index(b'"tools"') + 20])
    for head in NOT_OURS:
        assert not ADAPTER.recognise_head(head)
        assert not ADAPTER.recognise(first_objects(head))
