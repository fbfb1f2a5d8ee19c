"""Gemini CLI sessions, as one document and as lines: every message type, whose words a prompt is, patches, damage."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeAlias

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.adapters.gemini.adapter import ADAPTER, split
from recapd.adapters.shared.base import first_objects
from recapd.core.log.events import Call, Event, Faulted, Interrupted, Note, Opened, Prompt, Reply, Result, Titled
from recapd.core.log.refs import Place
from tests.support.goldens import expected_rows, records_of_document, rows_of_records

Json: TypeAlias = dict[str, object]

DATA = Path(__file__).parent / "data" / "gemini"
STAMP = "2026-02-03T04:05:06.789Z"
HEADER: Json = {"sessionId": "s1", "projectHash": "ab12", "startTime": STAMP, "lastUpdated": STAMP}


def message(kind: str, content: object, **more: object) -> Json:
    return {"id": "m1", "timestamp": STAMP, "type": kind, "content": content, **more}


def lines(*entries: Json | str) -> bytes:
    return b"".join((entry if isinstance(entry, str) else json.dumps(entry)).encode() + b"\n" for entry in entries)


def events_of(*messages: Json) -> list[Event]:
    records = records_of_document(ADAPTER, json.dumps({**HEADER, "messages": messages}, indent=1).encode())
    return [event for record in records[1:] for event in record.events]


def prompts_in(data: bytes) -> list[str]:
    records = records_of_document(ADAPTER, data)
    return [event.text for record in records for event in record.events if isinstance(event, Prompt)]


@pytest.mark.parametrize("name", ["session.json", "lines.jsonl"])
def test_a_session_reads_as_expected(name: str) -> None:
    path = DATA / name
    assert rows_of_records(records_of_document(ADAPTER, path.read_bytes())) == expected_rows(path)


def test_a_document_on_one_line_is_the_same_session() -> None:
    spread = (DATA / "session.json").read_bytes()
    dense = json.dumps(json.loads(spread)).encode()
    dense_rows, spread_rows = (rows_of_records(records_of_document(ADAPTER, data)) for data in (dense, spread))
    assert [row[1:] for row in dense_rows] == [row[1:] for row in spread_rows]


def test_records_say_when_and_where() -> None:
    records = records_of_document(ADAPTER, (DATA / "session.json").read_bytes())
    assert records[0].session == "11111111-2222-3333-4444-555555555555"
    assert [record.cwd for record in records if record.cwd] == ["/repo"]
    assert {record.model for record in records if record.type == "gemini"} == {"gemini-large"}
    assert [record.at[-7:-5] for record in records[2:]] == [f"{second:02}" for second in range(1, 17)]
    assert [record.type for record in records if not record.known] == ["compass"]


STEERING = "User steering update:\n<user_input>\nstop\n</user_input>\nInternal instruction: Re-evaluate."
FILES = "\n\nUser Selected Files:\n- /repo/a.py\n- /repo/b.py\n"
CURRENT = "\nCurrent File Path:\n```python\n/repo/a.py\n```\n\n"

WORDS: list[tuple[str, object, list[Event]]] = [
    ("text", " fix it\n", [Prompt("fix it")]),
    ("one part", {"text": "fix it"}, [Prompt("fix it")]),
    ("parts", [{"text": "fix it"}, "now"], [Prompt("fix it\nnow")]),
    ("nothing", [], []),
    ("a picture alone", [{"inlineData": {"mimeType": "image/png", "data": "AA"}}], []),
    ("thrown in", [{"text": STEERING}], [Prompt("stop", "queued")]),
    ("thrown in, of old", 'User steering update: "stop"\nInternal instruction: x', [Prompt("stop", "queued")]),
    ("open files of an editor", f"fix it{FILES}", [Prompt("fix it")]),
    ("current file of an editor", f"fix it{CURRENT}{FILES}", [Prompt("fix it")]),
    ("a list of files of his own", f"fix it{FILES}and c.py", [Prompt(f"fix it{FILES}and c.py")]),
    ("files in one text", "see @a\n--- Content from referenced files ---\nsecret", [Prompt("see @a")]),
    ("set-up", "<session_context>\nToday", [Note("meta", "<session_context>\nToday")]),
    ("told to go on by itself", "Please continue.", [Note("meta", "Please continue.")]),
    ("command", "/compress", [Note("command", "/compress")]),
    ("command with words", "/review the tests", [Prompt("the tests", "command")]),
    ("path", "/etc/hosts is wrong", [Prompt("/etc/hosts is wrong")]),
    ("instructions", "<environment_context>x", [Note("meta", "<environment_context>x")]),
]


@pytest.mark.parametrize(("content", "expected"), [row[1:] for row in WORDS], ids=[row[0] for row in WORDS])
def test_whose_words_a_user_message_holds(content: object, expected: list[Event]) -> None:
    assert events_of(message("user", content)) == expected


def test_what_the_human_saw_himself_type_counts() -> None:
    sent = message("user", [{"text": "expanded prompt of a command"}], displayContent=[{"text": "/fix the tests"}])
    assert events_of(sent) == [Prompt("the tests", "command")]


def tool(name: str, args: Json, output: str, **more: object) -> Json:
    result = [{"functionResponse": {"id": "c1", "name": name, "response": {"output": output}}}]
    call: Json = {"id": "c1", "name": name, "args": args, "status": "success", "result": result, **more}
    return message("gemini", "", toolCalls=[call])


RESULTS: list[tuple[str, Json, Result]] = [
    ("signal", tool("run_shell_command", {}, "Output: x\nExit Code: (none)\nSignal: 9"), Result("c1")),
    ("overwritten", tool("write_file", {}, "Successfully overwrote file: a"), Result("c1", created=False)),
    ("made by an edit", tool("replace", {}, "Created new file: a"), Result("c1", created=True)),
    ("dismissed", tool("ask_user", {}, "User dismissed ask_user dialog"), Result("c1", denied=True)),
    ("answer too many", tool("ask_user", {}, '{"answers": {"4": "x"}}'), Result("c1", answers=(("", "x"),))),
    ("approved", tool("exit_plan_mode", {}, "Plan approved. Go."), Result("c1", approved=True)),
    ("quoted code", tool("read_file", {}, "Exit Code: 3"), Result("c1")),
    ("by a sub-agent", tool("my_agent", {"q": 1}, "done", agentId="a1"), Result("c1", subagent="a1")),
]


@pytest.mark.parametrize(("call", "expected"), [row[1:] for row in RESULTS], ids=[row[0] for row in RESULTS])
def test_what_came_of_a_call(call: Json, expected: Result) -> None:
    _, result = events_of(call)
    assert isinstance(result, Result)
    assert msgspec.structs.replace(result, payload=b"") == expected


def test_a_fork_of_the_cli_is_read_under_its_own_name() -> None:
    call = message("tabnine", "", toolCalls=[{"id": "c1", "name": "read_file", "args": {"file_path": "a.py"}}])
    answer = message("tabnine", "", toolCalls=[{"id": "c1", "name": "read_file", "result": "text"}])
    other = message("other-agent", "Hello", model="m")
    assert events_of(call, answer, other) == [
        Call("c1", "read_file", "read", target="a.py"),
        Result("c1", payload=b'"text"'),
        Reply("Hello", "m1"),
    ]


SUBAGENTS: list[tuple[str, Json, Opened]] = [
    ("main", {**HEADER, "kind": "main", "messages": []}, Opened()),
    ("stated", {**HEADER, "kind": "subagent", "messages": []}, Opened(subagent="s1")),
    (
        "before there was a kind",
        {
            **HEADER,
            "messages": [message("user", "Your task is to answer the following question about Gemini CLI:\nx")],
        },
        Opened(subagent="s1"),
    ),
]


@pytest.mark.parametrize(("document", "opened"), [row[1:] for row in SUBAGENTS], ids=[row[0] for row in SUBAGENTS])
def test_a_sub_agents_session_is_told_from_a_humans(document: Json, opened: Opened) -> None:
    data = json.dumps(document, indent=2).encode()
    assert records_of_document(ADAPTER, data)[0].events == (opened,)
    assert not prompts_in(data)


def user(key: str, text: str) -> Json:
    return {"id": key, "timestamp": STAMP, "type": "user", "content": text}


LINES: list[tuple[str, bytes, list[str]]] = [
    ("repeated", lines(HEADER, user("a", "one"), user("b", "two"), user("a", "uno")), ["uno", "two"]),
    ("rewound", lines(HEADER, user("a", "one"), user("b", "two"), {"$rewindTo": "b"}, user("c", "3")), ["one", "3"]),
    ("rewound to a copy", lines(HEADER, user("a", "one"), {"$rewindTo": "x"}), ["one"]),
    ("memory is no conversation", lines(HEADER, user("a", "one"), {"$set": {"messages": []}}), ["one"]),
    ("nothing but patches", lines(HEADER, {"$set": {"messages": [user("a", "one")]}}), ["one"]),
    ("messages in the header", lines({**HEADER, "messages": [user("a", "1")]}, user("b", "2")), ["1", "2"]),
    ("without ids", lines(HEADER, {"type": "user", "content": "1"}, {"type": "user", "content": "2"}), ["1", "2"]),
    ("unfinished last line", lines(HEADER, user("a", "one")) + b'{"id": "b", "type": "us', ["one"]),
    ("empty lines", lines(HEADER, "", user("a", "one"), ""), ["one"]),
    ("odd field", lines(HEADER, {**user("a", "one"), "toolCalls": []}, {"$set": {"kind": None}}), ["one"]),
]


@pytest.mark.parametrize(("data", "prompts"), [row[1:] for row in LINES], ids=[row[0] for row in LINES])
def test_lines_make_the_conversation_as_it_stands_now(data: bytes, prompts: list[str]) -> None:
    assert prompts_in(data) == prompts


def test_the_last_title_counts() -> None:
    records = records_of_document(
        ADAPTER, lines(HEADER, {"$set": {"summary": "A"}}, {"$set": {"summary": "B"}}, {"$set": {"kind": "main"}})
    )
    assert [(record.place.line, record.events) for record in records[1:]] == [(3, (Titled("B"),))]


def test_a_damaged_line_costs_only_itself() -> None:
    document = split(lines(HEADER, '{"id": "a", "type": "us', user("b", "two")))
    assert [(problem.kind, problem.place.line) for problem in document.problems] == [("torn", 2)]
    assert [place.line for _, place in document.pieces] == [3]


def test_half_a_character_costs_nothing() -> None:
    text = json.dumps({**HEADER, "messages": [message("user", "fix it")]}, indent=2).replace("fix it", "fix \\ud83d it")
    for data in (text.encode(), lines(HEADER, json.dumps(message("user", "x")).replace('"x"', '"fix \\ud83d it"'))):
        document = split(data)
        assert not document.problems
        (record,), _ = ADAPTER.parse(*document.pieces[0])
        assert record.events == (Prompt("fix \ufffd it"),)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_a_document_that_is_being_rewritten_has_no_pieces(share: float) -> None:
    whole = (DATA / "session.json").read_bytes()
    document = split(whole[: int(len(whole) * share)].rstrip().removesuffix(b"}"))
    assert [problem.kind for problem in document.problems] == ["torn"]
    assert not document.pieces
    assert not document.header


def test_odd_shapes_cost_no_more_than_themselves() -> None:
    document = split(json.dumps({**HEADER, "kind": 7, "messages": [message("user", "fix it")]}, indent=1).encode())
    assert [(problem.kind, problem.detail) for problem in document.problems] == [("shape", "kind")]
    assert len(document.pieces) == 1
    assert [problem.detail for problem in split(json.dumps(HEADER, indent=1).encode()).problems] == ["messages"]
    (record,), problems = ADAPTER.parse(b'{"type":"user","content":"fix it","timestamp":7}', Place(1, 0, 1))
    assert record.events == (Prompt("fix it"),)
    assert [problem.detail for problem in problems] == ["timestamp"]


@given(st.binary(max_size=200))
def test_no_bytes_are_too_strange(data: bytes) -> None:
    split(data)
    split(lines(HEADER) + data)
    ADAPTER.parse(data, Place(1, 0, len(data)))


MESSAGE = json.dumps(tool("ask_user", {"questions": [{"question": "q"}]}, '{"answers": {"0": "a"}}')).encode()


@given(st.integers(0, len(MESSAGE)), st.integers(0, len(MESSAGE)), st.binary(max_size=6))
def test_no_damage_to_a_message_raises(start: int, length: int, noise: bytes) -> None:
    damaged = MESSAGE[:start] + noise + MESSAGE[start + length :]
    ADAPTER.parse(damaged, Place(1, 0, len(damaged)))
    split(lines(HEADER) + damaged)


NOT_OURS = [
    b'[{"sessionId": "s", "messageId": 0, "type": "user", "message": "hi", "timestamp": "t"}]',
    b'[{"role": "user", "parts": [{"text": "projectHash sessionId startTime"}]}]',
    b'{"messages": [{"projectHash": "p", "sessionId": "s", "startTime": "t"}]}',
    b'{"type": "user", "sessionId": "s", "uuid": "u", "message": {"role": "user", "content": "projectHash"}}',
    b"",
]


def test_it_knows_its_own_from_any_cut_and_nothing_else() -> None:
    assert ADAPTER.recognise_head is not None
    for name in ("session.json", "lines.jsonl"):
        data = (DATA / name).read_bytes()
        assert all(ADAPTER.recognise_head(data[:cut]) for cut in range(200, len(data), 97))
    assert ADAPTER.recognise(first_objects((DATA / "lines.jsonl").read_bytes()))
    for head in NOT_OURS:
        assert not ADAPTER.recognise_head(head)
        assert not ADAPTER.recognise(first_objects(head))


def test_a_session_is_resumed_by_its_id_and_its_sub_agents_are_found() -> None:
    assert ADAPTER.resume_command is not None
    assert ADAPTER.companions is not None
    assert ADAPTER.resume_command("s1") == "gemini --resume s1"
    assert ADAPTER.companions("session-2026-02-03T04-05-abcd1234.jsonl") == ("abcd1234*/*.jsonl",)
    assert ADAPTER.companions("abcd1234-1.jsonl") == ()


def test_notices_are_not_the_agents_words() -> None:
    assert events_of(message("info", "Request cancelled."), message("error", "boom"), message("info", "")) == [
        Interrupted(),
        Faulted("boom"),
    ]
