"""Calls and what came of them: every call counts once, and one that failed, was refused or is open counts as that."""

from __future__ import annotations

import msgspec
import pytest

from recapd.core.log.events import Call, CallKind, Interrupted, Linked, Prompt, Reply, Result
from recapd.core.log.payload import error_line, text_of_payload
from recapd.core.state.call_lines import describe
from recapd.core.state.draft import MAX_UNSETTLED, start_draft
from recapd.core.state.folding import extend, freeze, take
from recapd.core.state.session import files_of
from recapd.core.state.transcript import EMPTY, Transcript
from recapd.wire.convert import file_entry
from tests.support.records import Row, call, did, folded, place_of, ran, record, session_with, tape


def told(transcript: Transcript) -> list[str]:
    return [describe(step) for step in transcript.steps]


OUTCOMES: list[tuple[str, Row, str]] = [
    ("done", did("edit", "a.py"), "Edited a.py"),
    (
        "failed",
        did("edit", "a.py", failed=True, payload=b'"no such text"'),
        "Tried to edit a.py — failed: no such text",
    ),
    ("refused", did("edit", "a.py", failed=True, denied=True, reason="not now"), "Was refused to edit a.py: “not now”"),
    # The log does not call it a failure, but the text says that nothing was changed.
    ("undone", did("patch", "a.py", undone=True, payload=b'"no match"'), "Tried to patch a.py — failed: no match"),
    ("exit code alone", did("shell", "make", exit_code=2), "Ran `make` — failed (exit 2)"),
    ("exit code 0", did("shell", "make", exit_code=0), "Ran `make`"),
    ("read so many lines", did("read", "a.py", lines=40), "Read a.py (40 lines)"),
    ("lines of a write", did("write", "a.py", lines=3, created=True), "Created a.py (3 lines)"),
    (
        "answered",
        did("ask", "Which?", answers=(("Which?", "A"), ("Where?", "B"))),
        "Asked the user: Which? — answer: “A; B”",
    ),
    ("plan approved", did("plan", "Split it", approved=True), "Plan approved: Split it"),
    ("plan rejected", did("plan", "Split it", approved=False, failed=True, denied=True), "Plan rejected: Split it"),
    ("plan rejected softly", did("plan", "Split it", approved=False, reason="no"), "Plan rejected: Split it — “no”"),
]


@pytest.mark.parametrize(("row", "expected"), [row[1:] for row in OUTCOMES], ids=[row[0] for row in OUTCOMES])
def test_the_outcome_is_part_of_the_step(row: Row, expected: str) -> None:
    assert told(folded(Prompt("go on with it"), row)) == [expected]


COUNTS: list[tuple[str, list[Row], dict[str, int]]] = [
    ("done", [did("edit", "a.py"), ran("ls")], {"calls": 2, "commands": 1}),
    ("failed", [did("edit", "a.py", failed=True)], {"calls": 1, "failed_calls": 1}),
    ("refused", [did("shell", "ls", failed=True, denied=True)], {"calls": 1, "failed_calls": 1}),
    (
        "a command that failed",
        [ran("make", failed=True, exit_code=1)],
        {"calls": 1, "failed_calls": 1, "commands": 1, "failed_commands": 1},
    ),
    ("open", [call("shell", "make")], {"calls": 1}),
    ("a result without a call", [Result("?")], {}),
    ("the same result twice", [did("edit", "a.py"), Result("c")], {"calls": 1}),
    (
        "a sub-agent",
        [record(*did("edit", "a.py", failed=True), via="agent"), record(*ran("ls"), via="agent")],
        {"commands": 1},
    ),
]


@pytest.mark.parametrize(("rows", "expected"), [row[1:] for row in COUNTS], ids=[row[0] for row in COUNTS])
def test_calls_count_once_and_by_their_outcome(rows: list[Row], expected: dict[str, int]) -> None:
    totals = folded(Prompt("go on with it"), *rows).totals
    names = ("calls", "failed_calls", "commands", "failed_commands")
    assert {name: count for name in names if (count := getattr(totals, name))} == expected


def test_calls_come_back_in_any_order() -> None:
    transcript = folded(
        Prompt("go on with it"),
        (call("read", "a.py", id="1"), call("read", "b.py", id="2"), call("read", "c.py", id="3")),
        Result("3"),
        Result("1"),
    )
    assert told(transcript) == ["Read c.py", "Read a.py"]
    assert list(transcript.open_calls) == ["2"]


def test_a_step_stands_where_the_call_stands_in_its_turn() -> None:
    transcript = folded(
        Prompt("first do this"),
        Reply("I will."),
        call("shell", "make", id="1"),
        Prompt("and then do that"),
        Result("1"),
    )
    (step,) = transcript.steps
    assert (step.place, step.turn) == (place_of(3), 1)


def test_a_turn_knows_its_calls_and_failures() -> None:
    transcript = folded(
        Prompt("first do this"), ran("ls"), did("edit", "a.py", failed=True), Prompt("then that"), ran("ls")
    )
    assert [(turn.calls, turn.failed) for turn in transcript.turns] == [(2, 1), (1, 0)]


def test_tools_are_counted_by_the_agents_names() -> None:
    transcript = folded(
        Prompt("go"), did("edit", "a", tool="Edit"), did("edit", "b", tool="Edit"), did("shell", "ls", tool="Bash")
    )
    assert transcript.tools == {"Edit": 2, "Bash": 1}


def test_texts_of_steps_are_bounded_but_whole_enough_to_be_redacted() -> None:
    transcript = folded(
        Prompt("go"), did("shell", "x" * 100_000, failed=True, payload=msgspec.json.encode("y" * 100_000))
    )
    (step,) = transcript.steps
    assert 300 <= len(step.target) <= 4_000
    assert 300 <= len(step.outcome) <= 4_000


def test_a_long_session_keeps_the_latest_steps_and_counts_all() -> None:
    transcript = folded(Prompt("go"), *(did("edit", f"{number}.py") for number in range(500)))
    assert transcript.totals.calls == 500
    assert len(transcript.steps) <= 200
    assert transcript.steps[-1].target == "499.py"
    assert len(transcript.files) == 500


def test_calls_that_never_come_back_do_not_fill_the_memory() -> None:
    transcript = folded(Prompt("go"), *(Call(str(number), "Bash", "shell", "ls") for number in range(3000)))
    assert len(transcript.open_calls) <= 1000
    assert "2999" in transcript.open_calls


KINDS: list[CallKind] = ["read", "edit", "write", "shell", "ask", "plan", "other"]


@pytest.mark.parametrize("kind", KINDS)
def test_an_interrupted_call_is_no_step(kind: CallKind) -> None:
    transcript = folded(Prompt("go"), call(kind, "a.py"), Interrupted(during_tool=True))
    assert transcript.steps == ()
    assert len(transcript.files) == 0


@pytest.mark.parametrize("depth", [100, 400, 950, 100_000])
@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"text":[', b"]}"), (b'{"content":', b"}")])
def test_a_result_nested_without_end_costs_only_itself(depth: int, opening: bytes, closing: bytes) -> None:
    nested = did("edit", "a.py", failed=True, payload=opening * depth + b'"x"' + closing * depth)
    transcript = folded(Prompt("go"), nested, did("edit", "b.py"))
    assert [file.failed for file in transcript.files] == [1, 0]


PAYLOADS = [
    (b"", ""),
    (b'"plain text"', "plain text"),
    (b'[{"type":"text","text":"one"},{"type":"image"},{"type":"text","text":"two"}]', "one\ntwo"),
    (b'{"output":"out"}', "out"),
    # Cut in the middle, also of an escape.
    (b'"cut of', "cut of"),
    (b'"cut \\u00', "cut "),
    (b'[{"type":"text","text":"cut of', "cut of"),
    (b'"\\"', '"'),
    (b"12", ""),
    (b"null", ""),
]


@pytest.mark.parametrize(("payload", "expected"), PAYLOADS)
def test_a_result_is_read_as_far_as_it_goes(payload: bytes, expected: str) -> None:
    assert text_of_payload(payload) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Exit code 1\nsh: make: not found\nmore", "sh: make: not found"),
        ("\n\n  <tool_use_error>\n  File not found.", "File not found."),
        ("Chunk ID: 1\nWall time: 2 s\nProcess exited with code 1\nOutput:\nboom", "boom"),
        ("one line", "one line"),
        ("", ""),
    ],
)
def test_the_first_telling_line_of_an_error_is_shown(text: str, expected: str) -> None:
    assert error_line(msgspec.json.encode(text)) == expected


def many_calls() -> list[Row]:
    """More calls than wait in a draft, on few files, from two directories; commands and links between them."""
    rows: list[Row] = []
    for number in range(MAX_UNSETTLED):
        rows.append(record(*did("edit", f"{number % 7}.py"), cwd="/a" if number % 3 else "/b"))
        rows.append(ran(f"rm {number % 5}.py" if number % 2 else f"git commit -m 'step {number}'"))
        if number % 50 == 0:
            rows.append(Linked(f"PR #{number}", f"https://example.org/{number}"))
    return rows


def test_what_calls_did_is_the_same_whenever_it_is_read_off() -> None:
    records = tape(Prompt("go on with it"), *many_calls())
    at_once = extend(EMPTY, records)
    one_by_one = EMPTY
    draft = start_draft(EMPTY)
    for each in records:
        one_by_one = extend(one_by_one, [each])
        take(draft, [each])
        assert len(draft.unsettled) < MAX_UNSETTLED
    assert at_once == one_by_one == freeze(draft)


def test_milestones_stand_in_the_order_of_the_log() -> None:
    committed = ran("git commit -m one"), Linked("PR #7", "https://example.org/7"), ran("git commit -m two")
    reached = [each.text for each in folded(Prompt("go on with it"), *committed).milestones]
    assert reached == ["Committed: one", "PR #7 opened", "Committed: two"]


def test_a_file_is_seen_from_where_the_session_was_when_the_call_came_back() -> None:
    rows = [record(*did("edit", "a.py"), cwd=cwd) for cwd in ("/b", "/c", "/b")]
    files = folded(Prompt("go on with it"), *rows).files
    assert [(file.path, file.touches) for file in files] == [("a.py", 2), ("a.py", 1)]


def test_a_failure_is_told_without_what_the_harness_wraps_it_in() -> None:
    error = b'"<tool_use_error>File has not been read yet.</tool_use_error>"'
    (step,) = folded(Prompt("fix it"), did("edit", "/a.py", failed=True, payload=error)).steps
    assert step.outcome == "File has not been read yet."


def test_a_file_whose_only_edit_failed_was_not_read() -> None:
    session = session_with(Prompt("fix it"), did("edit", "/a.py", failed=True))
    (row,) = files_of(session)
    assert file_entry(row).action == "untouched"
