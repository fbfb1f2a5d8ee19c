"""`transcript/get`: the conversation itself, whole, turn by turn, with the place of everything in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from recapd.daemon.library import Library
from recapd.server.methods.dispatch import answer
from recapd.wire.errors import CURSOR_EXPIRED, INVALID_PARAMS, REF_STALE, SOURCE_GONE, RecapError
from recapd.wire.types import DecisionsListResult, RecapGetResult, TranscriptEntry, TranscriptGetResult
from tests.support.logs import CWD, LOGS, agent, edit, human, read, shell
from tests.support.secrets import secrets

DATA = Path(__file__).parent.parent / "adapters" / "data"
SAMPLES = sorted(path for path in DATA.rglob("*") if path.is_file() and not path.name.endswith(".expect.json"))
STORY = (
    human("Look at a.py.\n\n    it is indented\n\nand has `ticks`"),
    read(f"{CWD}/a.py", "one\ntwo"),
    agent("It has two lines:\n\n```python\none\n```\n\nShall I change it?"),
    human("Yes, use PostgreSQL there."),
    edit(f"{CWD}/a.py"),
    shell("pytest -q\nls", "1 failed", exit_code=1),
    agent("Changed."),
    human("Thanks, that is all."),
)


def pages(library: Library, **params: object) -> TranscriptGetResult:
    found = answer(library, "transcript/get", json.dumps(params).encode())
    return msgspec.convert(msgspec.to_builtins(found), TranscriptGetResult)


def told(result: TranscriptGetResult) -> list[tuple[int, str, str]]:
    return [(turn.turn, entry.kind, entry.text) for turn in result.turns for entry in turn.entries]


@pytest.fixture(params=LOGS)
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "session.jsonl"
    path.write_bytes(LOGS[request.param](*STORY))
    return path


@pytest.fixture
def library(log: Path) -> Library:
    return Library([log.parent], environ={})


def test_a_turn_is_whole_with_its_calls_and_their_outcome(library: Library) -> None:
    first = pages(library, turn=1)
    assert first.total == 3 and [turn.turn for turn in first.turns] == [1]
    kinds = [entry.kind for entry in first.turns[0].entries]
    assert kinds == ["user", "call", "result", "agent"]
    asked, call, result, answered = first.turns[0].entries
    assert asked.text == STORY[0].text and answered.text == STORY[2].text
    assert call.target is not None and call.target.endswith("a.py")
    assert result.ok is True and "two" in result.text and result.target == call.target
    second = pages(library, turn=2).turns[0].entries
    failed = [entry for entry in second if entry.kind == "result"][-1]
    assert failed.ok is False and failed.exit_code in (1, None) and failed.target == "pytest -q\nls"


def test_what_is_not_said_otherwise_is_the_last_turn(library: Library) -> None:
    assert told(pages(library)) == [(3, "user", "Thanks, that is all.")]


def test_every_entry_stands_where_its_ref_says(library: Library, log: Path) -> None:
    data = log.read_bytes()
    for turn in pages(library, fromTurn=1).turns:
        for entry in turn.entries:
            line = data[entry.ref.byte_offset : entry.ref.byte_offset + entry.ref.byte_length]
            for word in entry.text.split()[:3]:
                assert word.strip("`").encode() in line


def test_pages_put_together_are_the_conversation(library: Library) -> None:
    whole = told(pages(library, fromTurn=1))
    pieces: list[tuple[int, str, str]] = []
    cursor: dict[str, str] = {}
    for _ in range(10):
        page = pages(library, fromTurn=1, limit=1, **cursor)
        pieces += told(page)
        if page.next_cursor is None:
            break
        cursor = {"cursor": page.next_cursor}
    assert pieces == whole and {turn for turn, _, _ in whole} == {1, 2, 3}


def test_a_turn_too_long_for_one_answer_goes_on_with_its_cursor(tmp_path: Path) -> None:
    log = tmp_path / "long.jsonl"
    log.write_bytes(LOGS["claude-code"](human("go"), *(shell(f"echo {each}", "ok") for each in range(600))))
    library = Library([tmp_path], environ={})
    entries: list[TranscriptEntry] = []
    cursor: dict[str, str] = {}
    while True:
        page = pages(library, turn=1, **cursor)
        assert len(page.turns[0].entries) <= 500
        entries += page.turns[0].entries
        if page.next_cursor is None:
            break
        cursor = {"cursor": page.next_cursor}
    assert [entry.index for entry in entries] == list(range(1 + 2 * 600))


def test_what_a_recap_says_is_found_on_the_page_of_its_place(library: Library) -> None:
    recap = msgspec.convert(msgspec.to_builtins(answer(library, "recap/get", b"{}")), RecapGetResult).recap
    listed = msgspec.convert(msgspec.to_builtins(answer(library, "decisions/list", b"{}")), DecisionsListResult)
    assert listed.decisions and recap is not None
    for decision in listed.decisions:
        page = pages(library, around=msgspec.to_builtins(decision.ref), format="markdown")
        assert [turn.turn for turn in page.turns] == [decision.turn]
        assert page.markdown is not None and decision.quote in page.markdown
    for request in recap.user_requests:
        assert pages(library, around=msgspec.to_builtins(request.ref)).turns[0].turn == request.turn


def test_the_page_names_the_line_of_each_entry_and_keeps_its_words(library: Library) -> None:
    page = pages(library, fromTurn=1, format="markdown")
    assert page.markdown is not None
    lines = page.markdown.split("\n")
    for entry in (entry for turn in page.turns for entry in turn.entries if entry.text):
        assert entry.line is not None
        shown = lines[entry.line - 1 : entry.line - 1 + len(entry.text.split("\n"))]
        assert "\n".join(shown) == entry.text


def test_a_long_text_is_cut_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(LOGS["codex"](human("word " * 2_000), agent("short")))
    asked, answered = pages(Library([tmp_path], environ={}), turn=1, maxChars=500).turns[0].entries
    assert len(asked.text) <= 500 and asked.truncated and answered.truncated is None


def test_no_secret_is_on_a_page(tmp_path: Path) -> None:
    planted = secrets(11)
    acts = [
        act
        for each in planted
        for act in (human(f"use this:\n{each.text}"), shell(f"cat {len(each.kind)}", each.text), agent(each.text))
    ]
    (tmp_path / "s.jsonl").write_bytes(LOGS["claude-code"](*acts))
    library = Library([tmp_path], environ={})
    page = pages(library, fromTurn=1, limit=100, format="markdown")
    assert page.markdown is not None and len(page.turns) > 50
    assert [each.kind for each in planted if each.secret in page.markdown] == []


def test_no_secret_is_on_a_page_as_the_name_of_a_tool(tmp_path: Path) -> None:
    planted = secrets(12)[0].secret
    log = LOGS["claude-code"](human("list the files"), shell("ls", "a.py"), agent("There is one."))
    assert b'"Bash"' in log
    (tmp_path / "s.jsonl").write_bytes(log.replace(b'"Bash"', json.dumps(f"mcp__{planted}").encode()))
    page = pages(Library([tmp_path], environ={}), turn=1, format="markdown")
    assert planted not in msgspec.json.encode(page).decode()


def test_text_of_a_log_is_no_markup(tmp_path: Path) -> None:
    evil = "```\n# Turn 99\n<img src=x onerror=alert(1)>\n````\nend"
    (tmp_path / "s.jsonl").write_bytes(LOGS["claude-code"](human(evil), agent("ok")))
    page = pages(Library([tmp_path], environ={}), turn=1, format="markdown").markdown
    assert page is not None and f"`````text\n{evil}\n`````" in page


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_message_of_every_format_is_on_some_page(path: Path) -> None:
    library = Library([])
    try:
        session = library.load(path)
    except RecapError:
        return
    found = pages(library, session={"log": str(path)}, fromTurn=0, limit=100)
    abandoned = {row for row, turn in enumerate(session.main.transcript.turns) if turn.abandoned}
    alive = {
        each.place.offset
        for each in session.main.transcript.utterances
        if each.turn_row >= 0 and each.turn_row not in abandoned
    }
    told_at = {entry.ref.byte_offset for turn in found.turns for entry in turn.entries}
    assert alive <= told_at


@pytest.mark.parametrize("write", LOGS.values(), ids=LOGS)
def test_a_place_of_a_log_that_was_rewritten_is_stale(write: Callable[..., bytes], tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(write(*STORY))

    def place() -> object:
        return msgspec.to_builtins(pages(Library([tmp_path], environ={}), turn=2).turns[0].entries[0].ref)

    short = place()
    # It outgrows its beginning, by which it is known.
    long = (*STORY, human("And a word more. " * 400), agent("Well."))
    path.write_bytes(write(*long))
    for each in (short, place()):
        assert [turn.turn for turn in pages(Library([tmp_path], environ={}), around=each).turns] == [2]
    was = place()
    path.write_bytes(write(human("Something else"), *long))
    with pytest.raises(RecapError) as refused:
        pages(Library([tmp_path], environ={}), around=was)
    assert refused.value.code == REF_STALE


WRONG: dict[str, tuple[dict[str, object], int]] = {
    "two ways to choose": ({"turn": 1, "fromTurn": 1}, INVALID_PARAMS),
    "a place of another log": (
        {"around": {"source": "file:///x", "generation": "", "line": 1, "byteOffset": 0, "byteLength": 1}},
        INVALID_PARAMS,
    ),
    "a cursor of somebody else": ({"fromTurn": 1, "cursor": "at:1"}, CURSOR_EXPIRED),
    "a cursor beyond the end": ({"fromTurn": 1, "cursor": "turn:99.0"}, CURSOR_EXPIRED),
}


@pytest.mark.parametrize(("params", "code"), WRONG.values(), ids=WRONG)
def test_what_cannot_be_is_refused(library: Library, params: dict[str, object], code: int) -> None:
    with pytest.raises(RecapError) as refused:
        pages(library, **params)
    assert refused.value.code == code


def test_a_turn_that_is_not_there_is_no_error(library: Library) -> None:
    assert pages(library, turn=99).turns == ()


def test_a_log_that_went_away_is_said(library: Library, log: Path) -> None:
    session = pages(library, turn=1)
    log.unlink()
    with pytest.raises(RecapError) as refused:
        pages(library, session={"id": session.session_id}, turn=1)
    assert refused.value.code in (SOURCE_GONE, 1001)
