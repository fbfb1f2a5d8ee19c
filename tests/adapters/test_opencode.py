"""opencode exports: every part and role, the human's words among injected ones, results inside calls, damage."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeAlias

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.adapters.opencode.adapter import ADAPTER, split
from recapd.adapters.shared.base import first_objects
from recapd.core.log.events import Event, Interrupted, Note, Opened, Prompt, Result, Titled
from recapd.core.log.refs import Place
from tests.support.goldens import expected_rows, records_of_document, rows_of_records

Json: TypeAlias = dict[str, object]

DATA = Path(__file__).parent / "data" / "opencode"
EXPORT = (DATA / "export.json").read_bytes()
INFO: Json = {"id": "ses_1", "projectID": "p1", "directory": "/repo", "title": "T", "version": "1.2.5"}


def events_of(role: str, *parts: Json, **info: object) -> tuple[Event, ...]:
    line = json.dumps({"info": {"id": "msg_1", "role": role, **info}, "parts": parts}).encode()
    (record,), problems = ADAPTER.parse(line, Place(1, 0, len(line)))
    assert not problems
    return record.events


def test_an_export_reads_as_expected() -> None:
    assert rows_of_records(records_of_document(ADAPTER, EXPORT)) == expected_rows(DATA / "export.json")


def test_records_say_when_and_where() -> None:
    session, *messages = records_of_document(ADAPTER, EXPORT)
    assert (session.session, session.cwd, session.version) == ("ses_1", "/repo", "1.2.5")
    assert session.at == "2026-02-03T04:05:00.000Z"
    assert [record.at[-7:-5] for record in messages] == [f"{second:02}" for second in range(1, 15)]
    assert {(record.cwd, record.model) for record in messages if record.type == "assistant"} == {
        ("/repo/api", "large-1")
    }
    # All the agent's messages of a turn name the human's as their parent: as a tree they would abandon each other.
    assert {record.parent for record in messages} == {""}
    assert [record.type for record in messages if not record.known] == ["assistant/hologram", "narrator"]


SESSIONS: list[tuple[str, Json, tuple[Event, ...]]] = [
    ("of a human", INFO, (Opened(), Titled("T"))),
    ("without a name", {**INFO, "title": "New session - 2026-02-03T04:05:06.789Z"}, (Opened(),)),
    ("of a sub-agent", {**INFO, "parentID": "ses_0"}, (Opened(subagent="ses_1", parent_session="ses_0"), Titled("T"))),
]


@pytest.mark.parametrize(("info", "expected"), [row[1:] for row in SESSIONS], ids=[row[0] for row in SESSIONS])
def test_what_the_export_says_of_the_session(info: Json, expected: tuple[Event, ...]) -> None:
    (record,) = records_of_document(ADAPTER, json.dumps({"info": info, "messages": []}).encode())
    assert record.events == expected


def text(words: str, **more: object) -> Json:
    return {"type": "text", "text": words, **more}


REMINDER = "<system-reminder>plan only</system-reminder>"

WORDS: list[tuple[str, list[Json], tuple[Event, ...]]] = [
    ("typed", [text("fix it ")], (Prompt("fix it"),)),
    ("in parts", [text("fix"), text("it")], (Prompt("fix\nit"),)),
    ("with a reminder", [text(f"fix it\n{REMINDER}")], (Prompt("fix it"),)),
    ("reminder alone", [text(REMINDER)], (Note("meta", REMINDER),)),
    ("put in", [text("read a.py", synthetic=True)], (Note("meta", "read a.py"),)),
    ("not sent", [text("fix it", ignored=True)], (Note("meta", "fix it"),)),
    ("empty", [text(" ")], ()),
    ("files alone", [{"type": "file", "mime": "image/png", "url": "data:"}], ()),
]


@pytest.mark.parametrize(("parts", "expected"), [row[1:] for row in WORDS], ids=[row[0] for row in WORDS])
def test_whose_words_a_user_message_holds(parts: list[Json], expected: tuple[Event, ...]) -> None:
    assert events_of("user", *parts) == expected


def call(tool: str, **state: object) -> Json:
    return {"type": "tool", "callID": "c1", "tool": tool, "state": {"input": {}, **state}}


def done(tool: str, **metadata: object) -> Json:
    return call(tool, status="completed", output="x", metadata=metadata)


def failed(error: str) -> Json:
    return call("edit", status="error", error=error)


RESULTS: list[tuple[str, Json, Result | None]] = [
    ("running", call("bash", status="running"), None),
    ("waiting", call("bash", status="pending"), None),
    ("read", done("read", preview="x"), Result("c1")),
    ("killed", done("bash", exit=None), Result("c1")),
    ("passed", done("bash", exit=0), Result("c1", exit_code=0)),
    ("overwritten", done("write", exists=True), Result("c1", created=False)),
    ("odd metadata", done("bash", exit="0"), Result("c1")),
    ("failed", failed("Error: no file"), Result("c1", failed=True)),
    ("stopped", failed("Tool execution aborted"), Result("c1", failed=True)),
    ("refused by a rule", failed("The user has specified a rule which prevents this"), Result("c1", failed=True)),
    ("refused", failed("The user rejected permission to use this"), Result("c1", failed=True, denied=True)),
    ("no answer", done("question", answers=[[]]), Result("c1")),
    ("answer without its question", done("question", answers=[["a"]]), Result("c1", answers=(("", "a"),))),
]


@pytest.mark.parametrize(("part", "expected"), [row[1:] for row in RESULTS], ids=[row[0] for row in RESULTS])
def test_what_came_of_a_call(part: Json, expected: Result | None) -> None:
    results = [event for event in events_of("assistant", part) if isinstance(event, Result)]
    assert [msgspec.structs.replace(result, payload=b"") for result in results] == ([expected] if expected else [])


def test_a_stop_between_tools_is_no_stop_of_a_tool() -> None:
    error = {"name": "MessageAbortedError", "data": {"message": "aborted"}}
    assert events_of("assistant", text("x"), error=error)[-1] == Interrupted(during_tool=False)
    assert events_of("assistant", error=error) == (Interrupted(during_tool=False),)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 0.999])
def test_an_export_that_is_being_written_has_no_pieces(share: float) -> None:
    document = split(EXPORT[: int(len(EXPORT) * share)].rstrip().removesuffix(b"}"))
    assert [problem.kind for problem in document.problems] == ["torn"]
    assert not document.pieces
    assert not document.header


def test_odd_shapes_cost_no_more_than_themselves() -> None:
    document = split(json.dumps({"info": {**INFO, "title": 7}, "messages": [{}]}).encode())
    assert [(problem.kind, problem.detail) for problem in document.problems] == [("shape", "title")]
    assert [record.cwd for record in document.header] == ["/repo"]
    assert len(document.pieces) == 1
    assert [problem.detail for problem in split(b'{"info": 7, "messages": []}').problems] == ["info"]
    assert [problem.detail for problem in split(b'{"info": {}, "messages": {}}').problems] == ["messages"]
    line = b'{"info":{"role":"user","finish":7},"parts":[{"type":"text","text":"fix it"}]}'
    (record,), problems = ADAPTER.parse(line, Place(1, 0, len(line)))
    assert record.events == (Prompt("fix it"),)
    assert [problem.detail for problem in problems] == ["info.finish"]


@given(st.binary(max_size=200))
def test_no_bytes_are_too_strange(data: bytes) -> None:
    split(data)
    ADAPTER.parse(data, Place(1, 0, len(data)))


MESSAGE = max((piece for piece, _ in split(EXPORT).pieces), key=len)


@given(st.integers(0, len(MESSAGE)), st.integers(0, len(MESSAGE)), st.binary(max_size=6))
def test_no_damage_to_a_message_raises(start: int, length: int, noise: bytes) -> None:
    damaged = MESSAGE[:start] + noise + MESSAGE[start + length :]
    ADAPTER.parse(damaged, Place(1, 0, len(damaged)))


NOT_OURS = [
    b'{"info": {"exit_status": "submitted"}, "messages": [{"role": "system"}], "trajectory_format": "1"}',
    b'{"messages": [{"info": {"projectID": "p", "directory": "d"}}]}',
    b'{"projectID": "p", "directory": "/repo"}',
    b'[{"info": {"projectID": "p", "directory": "d"}}]',
    b"",
]


def test_it_knows_its_own_from_any_cut_and_nothing_else() -> None:
    assert ADAPTER.recognise_head is not None
    assert all(ADAPTER.recognise_head(EXPORT[:cut]) for cut in range(200, len(EXPORT), 97))
    assert ADAPTER.recognise(first_objects(json.dumps(json.loads(EXPORT)).encode()))
    for head in NOT_OURS:
        assert not ADAPTER.recognise_head(head)
        assert not ADAPTER.recognise(first_objects(head))


def test_a_session_is_resumed_by_its_id() -> None:
    assert ADAPTER.resume_command is not None
    assert ADAPTER.resume_command("ses_1") == "opencode --session ses_1"
