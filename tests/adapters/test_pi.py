"""pi sessions and those of what is built on it: every entry, the human's words out of bridges, and damaged lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.adapters.pi import adapter as pi
from recapd.adapters.shared.base import first_objects
from recapd.core.log.events import (
    Call,
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
    Result,
    Thought,
)
from recapd.core.log.refs import Place
from tests.support.goldens import expected_rows, rows_of_lines

Json: TypeAlias = dict[str, object]

DATA = Path(__file__).parent / "data" / "pi"
STAMP = "2026-02-03T04:05:06.789Z"


def read(line: bytes) -> Parsed:
    return pi.ADAPTER.parse(line, Place(1, 0, len(line)))


def only(line: bytes) -> Record:
    (record,), problems = read(line)
    assert not problems
    return record


def line_of(message: Json) -> bytes:
    entry = {"type": "message", "id": "e2", "parentId": "e1", "timestamp": STAMP, "message": message}
    return json.dumps(entry).encode()


def user(text: str) -> Json:
    return {"role": "user", "content": [{"type": "text", "text": text}]}


def agent(stop: str, *blocks: Json, **more: object) -> Json:
    return {"role": "assistant", "content": list(blocks), "stopReason": stop, **more}


def result(text: str, *, tool: str = "read", **more: object) -> Json:
    content = [{"type": "text", "text": text}]
    return {"role": "toolResult", "toolCallId": "c1", "toolName": tool, "content": content, "isError": False, **more}


def said(text: str) -> Json:
    return {"type": "text", "text": text}


EDIT: Json = {
    "type": "toolCall",
    "id": "c1",
    "name": "edit",
    "arguments": {"path": "a.py", "oldText": "x", "newText": "y"},
}
SKILL = '<skill name="start" location="/s/SKILL.md">\n# Start\n</skill>'

MESSAGES: list[tuple[str, Json, tuple[Event, ...]]] = [
    ("prompt", user("fix it "), (Prompt("fix it"),)),
    ("prompt as a plain string", {"role": "user", "content": "fix it"}, (Prompt("fix it"),)),
    ("blank prompt", user("\n"), ()),
    ("reminder", user("<system-reminder>x"), (Note("meta", "<system-reminder>x"),)),
    ("skill", user(SKILL), (Note("command", SKILL), Prompt("/skill:start", "command"))),
    ("skill of no name", user("<skill>\n# Start"), (Note("command", "<skill>\n# Start"),)),
    (
        "skill with words",
        user(SKILL + "\n\nfor the api"),
        (
            Note("command", SKILL + "\n\nfor the api"),
            Prompt("for the api", "command", command="/skill:start"),
        ),
    ),
    ("reply", agent("stop", said("Done.")), (Reply("Done.", "e2"), Ended("turn"))),
    ("reply as a plain string", {**agent("stop"), "content": "Done."}, (Reply("Done.", "e2"), Ended("turn"))),
    ("thought", agent("toolUse", {"type": "thinking", "thinking": "hmm"}), (Thought(3),)),
    ("call", agent("toolUse", EDIT), (Call("c1", "edit", "edit", target="a.py"),)),
    ("out of room", agent("length", said("Do")), (Reply("Do", "e2"), Ended("turn", "length"))),
    ("service refused", agent("error", errorMessage="429"), (Faulted("429"),)),
    ("stopped", agent("aborted", errorMessage="aborted"), (Interrupted(),)),
    (
        "stopped in a call",
        agent("aborted", EDIT),
        (Call("c1", "edit", "edit", target="a.py"), Interrupted(during_tool=True)),
    ),
    ("result", result("text"), (Result("c1", payload=b'"text"'),)),
    (
        "failed",
        result("old text not found", isError=True),
        (Result("c1", failed=True, payload=b'"old text not found"'),),
    ),
    (
        "failed tool of a bridge",
        result("{}", details={"status": "error", "tool": "edit", "error": "Missing parameter: newText"}),
        (Result("c1", failed=True, payload=b'"{}"'),),
    ),
    (
        "tool of a bridge that found errors",
        result("{}", details={"status": "completed", "level": "error"}),
        (Result("c1", payload=b'"{}"'),),
    ),
    ("shell", result("ok", tool="bash"), (Result("c1", exit_code=0, payload=b'"ok"'),)),
    (
        "failed shell",
        result("no\n\nCommand exited with code 127", tool="bash", isError=True),
        (Result("c1", failed=True, exit_code=127, payload=b'"no\\n\\nCommand exited with code 127"'),),
    ),
    (
        "shell that timed out",
        result("Command timed out", tool="bash", isError=True),
        (Result("c1", failed=True, payload=b'"Command timed out"'),),
    ),
    (
        "exec of a bridge",
        result("no", tool="exec", details={"status": "completed", "exitCode": 2}),
        (Result("c1", exit_code=2, payload=b'"no"'),),
    ),
    (
        "exec still running",
        result("started", tool="exec", details={"status": "running", "exitCode": 0}),
        (Result("c1", payload=b'"started"'),),
    ),
    (
        "process of a bridge",
        result("Process exited with code 3.", tool="process"),
        (Result("c1", exit_code=3, payload=b'"Process exited with code 3."'),),
    ),
    (
        "texts and a picture",
        {**result(""), "content": [said("a"), {"type": "image", "data": "AA"}, said("b")]},
        (Result("c1", payload=b'[{"text":"a"},{"text":"b"}]'),),
    ),
    ("nothing came back", {**result(""), "content": []}, (Result("c1"),)),
    ("shell by the human", {"role": "bashExecution", "command": "ls", "output": "a"}, (Note("shell", "ls"),)),
    ("extension", {"role": "custom", "customType": "x", "content": "note"}, (Note("meta", "note"),)),
    ("branch", {"role": "branchSummary", "summary": "tried"}, (Note("branch", "tried"),)),
    (
        "a summary that a harness put in the place of turns",
        {"role": "user", "content": "[Session Summary - Earlier conversation compressed]\n\nWe chose Redis."},
        (Note("compaction", "We chose Redis."),),
    ),
    ("compaction", {"role": "compactionSummary", "summary": "so far"}, (Note("compaction", "so far"),)),
]


@pytest.mark.parametrize(("message", "expected"), [row[1:] for row in MESSAGES], ids=[row[0] for row in MESSAGES])
def test_messages(message: Json, expected: tuple[Event, ...]) -> None:
    record = only(line_of(message))
    assert record.events == expected
    assert (record.type, record.id, record.parent, record.at) == (f"message/{message['role']}", "e2", "e1", STAMP)


INFO = 'Conversation info (untrusted metadata):\n```json\n{\n  "timestamp": "Thu 2026-03-19 13:14 GMT+8"\n}\n```\n\n'
SENDER = 'Sender (untrusted metadata):\n```json\n{"label": "tui"}\n```\n\n'
OPEN_ID = "[message_id: om_1]\nou_0123456789abcdef: "
SYSTEM = "System: [2026-03-17 21:50:37 GMT+8] Exec completed :: a\nSystem: \nSystem: b\n\n"
CRON = "[cron:0-1 Nightly] tidy up\nCurrent time: Friday — 08:00 (UTC)\n\nReturn your summary as plain text."
WORDS: list[tuple[str, str]] = [
    ("[Telegram Kim id:12 +5m 2026-02-13 14:55 GMT+1] hello", "hello"),
    ("[WhatsApp +100 2026-02-13T14:55Z] hello [you]", "hello [you]"),
    ("[Wed 2026-03-11 13:02 UTC] two\nlines", "two\nlines"),
    (INFO + OPEN_ID + "open it", "open it"),
    (SENDER + "[Sat 2026-03-21 19:53 UTC] hi", "hi"),
    (SYSTEM + INFO + OPEN_ID + "next", "next"),
    ("[media attached: /m/a.jpg (image/jpeg) | /m/a.jpg]\nTo send an image back, prefer x\n" + INFO + "look", "look"),
    (f"[Queued messages while agent was busy]\n\n---\nQueued #1\n{INFO}one\n\n---\nQueued #2\n{INFO}two", "one\ntwo"),
    ("[Chat messages since your last reply - for context]\nA: x\n\n[Current message - respond to this]\nB: y", "B: y"),
    (CRON, "tidy up"),
    (
        "[Subagent Context] You run as one.\n\n[Subagent Task]: index it\n\n[Bootstrap truncation warning]\nx",
        "index it",
    ),
    ("[User sent a photo] what is it?", "what is it?"),
    ("done?\n[message_id: 12]", "done?"),
    # Brackets of the human's own stay.
    ("[2026-02-13 14:55:01] ERROR it broke", "[2026-02-13 14:55:01] ERROR it broke"),
    ("[x] done", "[x] done"),
    ("System: a word of mine", "System: a word of mine"),
    # With nothing of the human in it, the text stands for itself.
    ("System: [2026-03-17 21:50:37 GMT+8] Exec completed", "System: [2026-03-17 21:50:37 GMT+8] Exec completed"),
]


@pytest.mark.parametrize(("text", "words"), WORDS)
def test_words_of_the_human_out_of_a_bridge(text: str, words: str) -> None:
    assert only(line_of(user(text))).events == (Prompt(words),)


def test_header_and_model() -> None:
    header: Json = {"type": "session", "version": 3, "id": "s1", "timestamp": STAMP, "cwd": "/repo"}
    record = only(json.dumps(header).encode())
    assert (record.session, record.id, record.cwd, record.events) == ("s1", "", "/repo", (Opened(),))
    change: Json = {"type": "model_change", "id": "e1", "parentId": None, "timestamp": STAMP, "modelId": "m"}
    record = only(json.dumps(change).encode())
    assert (record.model, record.id, record.parent, record.session) == ("m", "e1", "", "")
    assert only(line_of(agent("stop", model="m2"))).model == "m2"


def test_time_of_a_message_where_the_entry_has_none() -> None:
    line = json.dumps({"type": "message", "message": {**user("hi"), "timestamp": 1771588801000}}).encode()
    assert only(line).at == "2026-02-20T12:00:01.000Z"


def test_a_field_of_an_odd_type_costs_only_itself() -> None:
    records, problems = read(line_of({**result("ok"), "isError": "no"}))
    assert records[0].events == (Result("c1", payload=b'"ok"'),)
    assert [(problem.kind, problem.detail) for problem in problems] == [("shape", "message.isError")]


def test_unknown_entries_and_roles_are_counted() -> None:
    assert not only(b'{"type":"novelty","data":1,"name":{}}').known
    assert not only(line_of({"role": "oracle", "content": "x"})).known


def test_damaged_lines_give_what_is_whole() -> None:
    whole = line_of(user("hi"))
    records, problems = read(whole + whole)
    assert [record.place.offset for record in records] == [0, len(whole)]
    assert [problem.kind for problem in problems] == ["glued"]
    assert read(whole[:-3])[0] == ()
    assert read(b"   ") == ((), ())


HEADS: list[tuple[bytes, bool]] = [
    (b'{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}', True),
    (b'sion","version":3}\n' + line_of(user("hi")), True),
    (b'{"type":"session_meta","timestamp":"t","payload":{"id":"s"}}', False),
    (b'{"type":"message","role":"user","content":[]}', False),
    (b'{"type":"user","sessionId":"s","timestamp":"t","message":{"role":"user","content":"hi"}}', False),
    (b'{"role":"user","content":"hi","timestamp":"t"}', False),
    (b"", False),
]


@pytest.mark.parametrize(("head", "ours"), HEADS)
def test_recognises_its_own_and_nothing_else(head: bytes, ours: bool) -> None:
    assert pi.ADAPTER.recognise(first_objects(head)) is ours


def test_resume_command() -> None:
    assert pi.ADAPTER.resume_command is not None
    assert pi.ADAPTER.resume_command("s1") == "pi --session s1"


VALID = [line_of(row[1]) for row in MESSAGES] + (DATA / "session.jsonl").read_bytes().splitlines()


@given(st.binary(max_size=200))
def test_any_bytes_are_read_without_raising(line: bytes) -> None:
    records, problems = read(line)
    assert records or problems or not line.strip()


@given(st.sampled_from(VALID), st.data())
def test_mutated_lines_are_read_without_raising(line: bytes, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(line)))
    cut = data.draw(st.integers(0, 12))
    put = data.draw(st.one_of(st.binary(max_size=6), st.sampled_from([b"null", b"1e999", b"[]", b"{}", b'"\\ud800"'])))
    mutated = line[:at] + put + line[at + cut :]
    records, problems = read(mutated)
    assert records or problems or not mutated.strip()


@given(st.text(alphabet="[]:#`\n -Za1(", max_size=80))
def test_the_human_keeps_words_whatever_the_brackets(text: str) -> None:
    for event in only(line_of(user(text))).events:
        assert isinstance(event, Prompt)
        assert event.text
        assert all(part in text for part in event.text.split("\n"))


@pytest.mark.parametrize("name", ["session", "first_version"])
def test_golden(name: str) -> None:
    log = DATA / f"{name}.jsonl"
    assert rows_of_lines(pi.ADAPTER, log) == expected_rows(log)


@pytest.mark.parametrize("content", ["Synced 12 files.", [{"type": "text", "text": "Synced 12 files."}]])
def test_what_was_delivered_to_a_channel_is_no_answer(content: object) -> None:
    record = only(line_of({"role": "assistant", "model": "delivery-mirror", "stopReason": "stop", "content": content}))
    assert record.events == (Note("meta", "Synced 12 files."),)
