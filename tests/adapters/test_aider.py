"""aider's Markdown history: chats told apart, whose words a block are, and what aider did, each at its exact lines."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.adapters.aider.adapter import ADAPTER, split
from recapd.adapters.shared.base import Document
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
    Thought,
)
from recapd.core.log.refs import Place
from recapd.daemon.library import Library
from tests.support.goldens import expected_rows, rows_of_records

DATA = Path(__file__).parent / "data" / "aider"
START = b"# aider chat started at 2026-02-03 04:05:06"
BOM = b"\xef\xbb\xbf"
NOT_UTF8 = b"#### caf\xe9  "


def read(piece: bytes) -> Parsed:
    return ADAPTER.parse(piece, Place(1, 0, len(piece)))


def events_of(piece: bytes) -> list[Event]:
    records, problems = read(piece)
    assert not problems
    return [event for record in records for event in record.events]


def records_of(data: bytes) -> list[Record]:
    """As a reader does it: pieces parsed one by one, then stamped with their session."""
    document = split(data)
    return [
        msgspec.structs.replace(record, session=session)
        for (piece, place), session in zip(document.pieces, document.sessions, strict=True)
        for record in ADAPTER.parse(piece, place)[0]
    ]


@pytest.mark.parametrize("name", ["history", "spaces_lost"])
def test_a_history_reads_as_expected(name: str) -> None:
    path = DATA / f"{name}.md"
    # Calls and results stand side by side: their ids say nothing, nor does a result that only says it is one.
    rows = rows_of_records(records_of(path.read_bytes()), without=["id"])
    assert [row for row in rows if row[1:] != ["Result", {}]] == expected_rows(path)


def test_each_chat_is_a_session_of_its_own() -> None:
    records = records_of((DATA / "history.md").read_bytes())
    chats = [(record.session, record.at) for record in records if record.type == "chat"]
    assert chats == [
        ("20260203T040506", "2026-02-03T04:05:06.000Z"),
        ("20260203T040506-2", "2026-02-03T04:05:06.000Z"),
        ("20260204T000000", "2026-02-04T00:00:00.000Z"),
    ]
    assert {record.session for record in records if record.type == "echo"} == {"20260203T040506", "20260203T040506-2"}
    assert ADAPTER.holds_many_sessions


def test_the_start_of_a_chat_tells_model_version_and_folder() -> None:
    records = records_of((DATA / "history.md").read_bytes())
    assert [record.model for record in records if record.model] == ["vendor/large", "vendor/large"]
    assert {record.version for record in records if record.version} == {"0.86.1"}
    assert [record.cwd for record in records if record.cwd] == ["/repo/src", "/repo"]


WHAT_IT_MEANS: list[tuple[str, bytes, list[Event]]] = [
    ("start", START, [Opened()]),
    ("prompt", b"#### fix  \n####   \n####  it  ", [Prompt("fix\n\n it")]),
    ("prompt on Windows", b"#### fix  \r\n#### it  ", [Prompt("fix\nit")]),
    ("nothing typed", b"#### <blank>  ", []),
    ("a path is no command", b"#### /etc/hosts is wrong  ", [Prompt("/etc/hosts is wrong")]),
    ("question to the model", b"#### /ask why?  ", [Prompt("why?")]),
    ("question on the next line", b"#### /code  \n#### do it  ", [Prompt("do it")]),
    ("mode alone", b"#### /ask  ", [Note("command", "/ask")]),
    ("setting", b"#### /add a.py b.py  ", [Note("command", "/add a.py b.py")]),
    ("unknown command", b"#### /deploy to production  ", [Prompt("to production", "command")]),
    ("shell", b"#### /run make  ", [Note("shell", "make")]),
    ("shell by mark", b"#### !make  ", [Note("shell", "make")]),
    ("git", b"#### /git log  ", [Note("shell", "git log")]),
    ("leaving", b"#### /quit  ", [Note("command", "/quit"), Ended("session", "/quit")]),
    ("manual", b"#### # Question: how  \n#### # Relevant docs:  ", [Note("meta", "# Question: how\n# Relevant docs:")]),
    ("handed on", b"\n#### do this  \n#### and that  ", [Note("meta", "do this\nand that")]),
    ("answer", b"It is done.", [Reply("It is done.")]),
    ("answer that begins like a prompt", b"\n#### Step 1\nWrap it.", [Reply("#### Step 1\nWrap it.")]),
    ("thoughts alone", b"<think>hm", [Thought(9)]),
    ("thoughts and words", b"<think>hm</think>\nYes.", [Thought(17), Reply("Yes.")]),
    ("new file", b"a.py\n```python\nx = 1\n```", []),
    ("fence without a file", b"Run\n```\nmake\n```", [Reply("Run\n```\nmake\n```")]),
    ("other fence", b"Done:\na.py\n<source>\n```\n</source>\nTry it.", [Reply("Done:\nTry it.")]),
    ("fence left open", b"So:\na.py\n```\nx = 1", [Reply("So:")]),
    ("service down", b"> litellm.APIError: no  ", [Faulted("litellm.APIError: no")]),
    ("stopped", b">\n> ^C again to exit  ", [Interrupted()]),
    ("idle", b"> Tokens: 1k sent  \n> ^C again to exit  ", []),
    ("closed", b"> ^C KeyboardInterrupt  ", [Ended("session", "^C KeyboardInterrupt")]),
    ("a remark", b"> Commit messages matter  ", []),
]


@pytest.mark.parametrize(
    ("piece", "expected"), [row[1:] for row in WHAT_IT_MEANS], ids=[row[0] for row in WHAT_IT_MEANS]
)
def test_a_block_tells_what_it_means(piece: bytes, expected: list[Event]) -> None:
    assert events_of(piece) == expected


def test_a_commit_quotes_its_message_for_the_shell() -> None:
    (call, *_) = events_of(b"> Commit 1a2b3c4 fix: don't wait  ")
    assert isinstance(call, Call)
    assert (call.kind, call.target) == ("shell", "git commit -m 'fix: don'\"'\"'t wait'")


WHOSE_WORDS: list[tuple[str, bytes, list[str]]] = [
    ("a heading in an answer", b"#### ask  \n\nSo:\n\n#### Step 1\n\ndone\n", ["prompt", "answer"]),
    ("a heading with a hard break", b"#### ask  \n\nSo:\n\n#### Step 1  \n\ndone\n", ["prompt", "answer"]),
    ("a prompt after an answer cut short", b"#### ask  \n\nSo:\n\n\n#### stop  \n", ["prompt", "answer", "prompt"]),
    ("a quotation in an answer", b"#### ask  \n\n> they say\n\nit works\n", ["prompt", "answer"]),
    ("two prompts in a row", b"#### one  \n\n#### two  \n", ["prompt", "prompt"]),
    ("the end of an edit", b"#### ask  \n\na.py\n```\n>>>>>>> REPLACE\n```\n", ["prompt", "answer"]),
    ("a command of several lines", b"> a     \nb     \nc  \n> Run? y  \n", ["status", "status"]),
    ("a message with blank lines", b"> To install:\n\npip it\n\nSee.  \n> Install? n  \n", ["status", "status"]),
    ("a chat without a time", b"#### ask  \n\n# aider chat started at noon\n", ["prompt", "answer"]),
    ("nothing", b"\n\n", []),
]


@pytest.mark.parametrize(("body", "expected"), [row[1:] for row in WHOSE_WORDS], ids=[row[0] for row in WHOSE_WORDS])
@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_blocks_are_told_apart_by_how_aider_writes(body: bytes, expected: list[str], newline: bytes) -> None:
    data = (b"\n" + START + b"\n\n" + body).replace(b"\n", newline)
    assert [record.type for record in records_of(data)] == ["chat", *expected]


def test_what_stands_before_the_first_chat_belongs_to_no_session() -> None:
    document = split(b"the end of an answer\n\n" + START + b"\n\n#### go  \n")
    assert list(document.sessions) == ["", "20260203T040506", "20260203T040506"]


def test_text_in_another_encoding_is_shown_and_reported() -> None:
    (record,), (problem,) = read(NOT_UTF8)
    assert record.events == (Prompt("caf\ufffd"),)
    assert problem.kind == "notText"


HEADS: list[tuple[bytes, bool]] = [
    (b"\n" + START, True),
    (b"\xef\xbb\xbf\r\n" + START, True),
    (b"# aider", False),
    (b"# Notes\n\n" + START, False),
    (b'{"type":"user"}', False),
    (b"", False),
]


@pytest.mark.parametrize(("head", "expected"), HEADS)
def test_only_a_file_that_begins_with_a_chat_is_recognised(head: bytes, expected: bool) -> None:
    assert ADAPTER.recognise_head is not None
    assert ADAPTER.recognise_head(head) is expected


def check_places(data: bytes) -> Document:
    """Every byte that says something stands in exactly one piece, and each record alone tells the same again."""
    document = split(data)
    position = 0
    assert len(document.sessions) == len(document.pieces)
    for piece, place in document.pieces:
        assert data[place.offset : place.offset + place.length] == piece
        assert data.count(b"\n", 0, place.offset) + 1 == place.line
        assert not data[position : place.offset].removeprefix(BOM).strip()
        position = place.offset + place.length
        for record in ADAPTER.parse(piece, place)[0]:
            at = record.place
            again, _ = ADAPTER.parse(data[at.offset : at.offset + at.length], at)
            assert [found.type for found in again] == [record.type]
    assert not data[position:].removeprefix(BOM).strip()
    return document


@pytest.mark.parametrize("name", ["history", "spaces_lost"])
def test_every_line_has_its_place(name: str) -> None:
    assert check_places((DATA / f"{name}.md").read_bytes()).pieces


LINES = st.sampled_from([
    START, BOM, b"", b"\r", b"\xff", b"####", b"#### go  ", b"#### go", b"#### /ask go  ", b"go", b"a  ", b"a.py",
    b"```", b">", b"> Tokens: 1", b"> Applied edit to a.py  ", b"<think>", b"</think>",
])  # fmt: skip


@given(st.lists(LINES, max_size=30))
def test_places_hold_for_any_order_of_lines(lines: list[bytes]) -> None:
    check_places(b"\n".join(lines))


@given(st.binary())
def test_any_bytes_parse_and_split(data: bytes) -> None:
    read(data)
    check_places(data)


def test_the_last_chat_with_a_prompt_is_the_session(tmp_path: Path) -> None:
    """A chat that was opened and closed again is not what somebody asks about."""
    chats = ("04:05:06", "#### Rename the parser  \n\nDone.\n"), ("05:05:06", "> Aider v0.80  \n")
    log = tmp_path / "aider.chat.history.md"
    log.write_text("".join(f"\n# aider chat started at 2026-02-03 {time}\n\n{body}" for time, body in chats).lstrip())
    original = Library([]).load(log).main.transcript.original
    assert original is not None and original.text == "Rename the parser"
