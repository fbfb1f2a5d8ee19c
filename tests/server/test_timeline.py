"""`timeline/get`: a conversation as somebody draws it, over several formats."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recapd.core.log.events import Prompt, Reply
from recapd.core.views.recap.recap import recap_of
from recapd.core.views.since import Point, after_time, after_turn
from recapd.core.views.timeline import timeline_of
from recapd.daemon.library import Library
from recapd.server.methods.dispatch import answer
from recapd.wire.types import RefResolveResult, TimelineGetResult
from recapd.wire.types.base import Wire
from tests.support.logs import LOGS, Act, agent, at, claude_log, edit, human, pause, raw, shell, write
from tests.support.records import ran, record, session_with
from tests.support.secrets import secrets

SECRET = next(each.text for each in secrets(3) if each.kind == "github-oauth")
R = TypeVar("R", bound=Wire)
COMPACTED = (
    b'{"parentUuid":null,"logicalParentUuid":"0000000a-c0de-4a11-8000-000000000000","isSidechain":false,'
    b'"type":"system","subtype":"compact_boundary","content":"Conversation compacted",'
    b'"compactMetadata":{"trigger":"auto","preTokens":155000},"uuid":"c0","version":"2.1.50",'
    b'"sessionId":"5e551011-c0de-4a11-8000-000000000001","timestamp":"2026-03-01T09:30:00.000Z"}'
)
STORY = (
    human("Write the parser for invoices"),
    write("/home/dev/shop/parser.py"),
    edit("/home/dev/shop/parser.py"),
    shell("pytest -q", "2 failed, 3 passed in 0.1s", exit_code=1),
    edit("/home/dev/shop/missing.py", "File does not exist", outcome="failed"),
    agent("The parser is there; two tests fail."),
    pause(3 * 3600),
    human("Fix the failing tests of the parser, then commit"),
    edit("/home/dev/shop/parser.py"),
    shell("pytest -q", "5 passed in 0.1s"),
    shell('git commit -m "Parse invoices"', "[main 1a2b3c4] Parse invoices\n 1 file changed"),
    agent("All tests pass."),
)


def ask(folder: Path, method: str, result: type[R], **params: object) -> R:
    found = answer(Library([folder], environ={}), method, json.dumps(params).encode())
    assert isinstance(found, result)
    return found


def timeline(folder: Path, **params: object) -> TimelineGetResult:
    return ask(folder, "timeline/get", TimelineGetResult, **params)


@pytest.mark.parametrize("agent_name", LOGS)
def test_turns_tell_their_work_and_marks_what_came_of_it(agent_name: str, tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(LOGS[agent_name](*STORY))
    found = timeline(tmp_path)
    assert [(turn.turn, turn.to_turn, turn.calls, turn.edits, turn.state) for turn in found.turns] == [
        (1, None, 4, 2, "answered"),
        (2, None, 3, 1, "answered"),
    ]
    assert [turn.text for turn in found.turns] == [
        "Write the parser for invoices",
        "Fix the failing tests of the parser, then commit",
    ]
    # From the prompt to the last thing that happened, not to the next prompt.
    first, second = found.turns
    assert first.at and first.until and second.at and second.until
    assert first.at < first.until < "2026-03-01T09:30" < "2026-03-01T12:00" < second.at < second.until
    marks = [(mark.turn, mark.kind, mark.text) for mark in found.marks if mark.kind != "decision"]
    assert marks == [
        (1, "testsFailed", "2 failed, 3 passed (pytest)"),
        (2, "gap", "3 hours later"),
        (2, "testsPassed", "5 passed (pytest)"),
        (2, "commit", "Parse invoices"),
    ]
    assert found.topics[0].from_turn == 1 and found.topics[-1].to_turn == 2


def test_compactions_failures_and_stops_are_marked_and_rewound_turns_are_not(tmp_path: Path) -> None:
    stopped = COMPACTED.replace(b'"subtype":"compact_boundary","content":"Conversation compacted",', b"").replace(
        b'"type":"system"', b'"type":"user","message":{"role":"user","content":"[Request interrupted by user]"}'
    )
    failed = (
        b'{"type":"assistant","isApiErrorMessage":true,"isSidechain":false,"uuid":"e0","parentUuid":null,'
        b'"message":{"role":"assistant","model":"<synthetic>","content":[{"type":"text",'
        b'"text":"API Error: overloaded"}]},'
        b'"version":"2.1.50","sessionId":"5e551011-c0de-4a11-8000-000000000001","timestamp":"2026-03-01T09:31:00.000Z"}'
    )
    acts = (human("Draw a map"), agent("Here."), raw(COMPACTED), human("Now the legend"), raw(stopped))
    (tmp_path / "s.jsonl").write_bytes(claude_log(*acts, human("Go on"), agent("Well."), raw(failed)))
    found = timeline(tmp_path)
    assert [(mark.turn, mark.kind, mark.text) for mark in found.marks if mark.kind != "decision"] == [
        (1, "compaction", "Compacted (auto)"),
        (2, "interrupted", "Stopped by the user"),
        (3, "error", "API Error: overloaded"),
    ]
    assert [turn.state for turn in found.turns] == ["answered", "interrupted", "interrupted"]


def test_what_is_new_and_how_far_somebody_read(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(claude_log(*STORY))
    news = timeline(tmp_path, since={"turn": 1})
    assert [turn.turn for turn in news.turns] == [2]
    assert {mark.turn for mark in news.marks} == {2}
    nothing = timeline(tmp_path, since={"turn": 2})
    assert (nothing.turns, nothing.marks, nothing.topics) == ((), (), ())


def test_of_sub_agents_only_what_came_after_the_point_is_new() -> None:
    passing = ran("pytest -q", "5 passed in 1s")
    waiting = [Reply("Still at it.")] * 20
    # Further down in its own log than the main one is long.
    children = [
        [*(record(each, at=at(0)) for each in waiting), record(*passing, at=at(70)), record(*passing, at=at(190))]
    ]
    session = session_with(Prompt("One"), Reply("1"), Prompt("Two"), Reply("2"), children=children)
    recap = recap_of(session, at(3_600))

    def marks_after(point: Point | None) -> list[str]:
        found = timeline_of(recap, point=point, buckets=50, gap_s=3_600, readings=())
        return [mark.at for mark in found.marks if mark.kind == "testsPassed"]

    assert marks_after(None) == [at(70), at(190)]
    assert marks_after(after_turn(session, 1)) == marks_after(after_time(session, at(70))) == [at(190)]
    assert marks_after(after_turn(session, 2)) == marks_after(after_time(session, at(200))) == []


def test_hostile_text_is_harmless(tmp_path: Path) -> None:
    nasty = f"Fix \x1b[31mit\u202e with {SECRET} <script>alert(1)</script>\x00 now"
    (tmp_path / "s.jsonl").write_bytes(
        claude_log(human(nasty), shell(f'git commit -m "{SECRET} in"', "[main 1a2b3c4] x"), agent("Done."))
    )
    said = str(timeline(tmp_path))
    assert SECRET not in said and "\\x1b" not in said and "\\u202e" not in said and "[REDACTED]" in said


@given(
    turns=st.integers(0, 40),
    buckets=st.integers(1, 50),
    since=st.integers(0, 45),
    runs=st.lists(st.integers(0, 40), max_size=30),
)
def test_never_more_than_asked_nothing_lost_and_every_ref_resolves(
    tmp_path_factory: pytest.TempPathFactory, turns: int, buckets: int, since: int, runs: list[int]
) -> None:
    folder = tmp_path_factory.mktemp("logs")
    acts: list[Act] = []
    for number in range(turns):
        acts += [human(f"Paint room number{number} of house{number // 4}"), edit(f"/home/dev/room{number}.py")]
        acts += [shell("pytest -q", "5 passed in 0.1s") for _ in range(runs.count(number))]
        acts += [agent(f"Room {number} is painted.")]
    (folder / "s.jsonl").write_bytes(claude_log(agent("Hello."), *acts))
    found = timeline(folder, buckets=buckets, since={"turn": since})
    assert max(len(found.turns), len(found.marks), len(found.topics)) <= buckets
    # The rows are the turns, each once and in order.
    spans = [(row.turn, row.to_turn or row.turn) for row in found.turns]
    assert [number for first, last in spans for number in range(first, last + 1)] == list(range(since + 1, turns + 1))
    assert sum(row.edits for row in found.turns) == max(turns - since, 0)
    assert all(before.to_turn + 1 == after.from_turn for before, after in pairwise(found.topics))
    tests = [mark for mark in found.marks if mark.kind == "testsPassed"]
    if len(found.marks) < buckets:
        assert sum(mark.count or 1 for mark in tests) == sum(since < run + 1 <= turns for run in runs)
    for ref in {mark.ref for mark in found.marks} | {row.ref for row in found.turns}:
        sent = {
            "source": ref.source,
            "generation": ref.generation,
            "line": ref.line,
            "byteOffset": ref.byte_offset,
            "byteLength": ref.byte_length,
        }
        assert not ask(folder, "ref/resolve", RefResolveResult, ref=sent).stale
