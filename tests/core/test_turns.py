"""Turns, exchanges and messages: what the human asked, counted once, and which of it still stands."""

from __future__ import annotations

import pytest

from recapd.core.log.events import (
    Call,
    Compacted,
    Interrupted,
    Note,
    Opened,
    Prompt,
    Queued,
    Reply,
    Result,
    Rewound,
    Thought,
)
from recapd.core.state.folding import extend
from recapd.core.state.sections import current_focus
from recapd.core.state.session import live_turns
from recapd.core.state.transcript import EMPTY, Transcript
from recapd.core.text.prompts import is_substantive
from tests.support.logs import at
from tests.support.records import Row, did, folded, id_of, place_of, record, tape

CONTINUED = "This session is being continued from a previous conversation"

COUNTS: list[tuple[str, list[Row], tuple[int, int, int]]] = [
    # Turns, exchanges, messages.
    ("nothing", [], (0, 0, 0)),
    ("a prompt nobody answered", [Prompt("fix it")], (1, 0, 1)),
    ("an answer", [Prompt("fix it"), Reply("Done.")], (1, 1, 2)),
    ("work without words", [Prompt("fix it"), did("edit", "a.py"), did("shell", "ls")], (1, 0, 1)),
    ("two messages of the agent", [Prompt("fix it"), Reply("First.", "m1"), Reply("Then.", "m2")], (1, 1, 3)),
    ("one message in three lines", [Prompt("a"), *(Reply(word, "m1") for word in ("x", "y", "z"))], (1, 1, 2)),
    ("one message around a call", [Prompt("a"), Reply("x", "m1"), did("shell", "ls"), Reply("y", "m1")], (1, 1, 2)),
    ("the same message id in two turns", [Prompt("a"), Reply("x", "m"), Prompt("b"), Reply("y", "m")], (2, 2, 4)),
    ("an exchange of two turns", [Prompt("a"), Prompt("b"), Reply("y")], (2, 1, 3)),
    ("thoughts say nothing", [Prompt("a"), Thought(900)], (1, 0, 1)),
    ("the agent speaks first", [Reply("Welcome."), Prompt("a"), Reply("x")], (1, 1, 3)),
    ("harness text", [Note("meta", "reminder"), Prompt("a"), Note("compaction", CONTINUED), Compacted()], (1, 0, 1)),
    ("a sub-agent's words", [Prompt("a"), record(Prompt("task"), Reply("r"), via="agent"), Reply("x")], (1, 1, 2)),
    ("results are no messages", [Prompt("a"), Call("1", "Bash", "shell", "ls"), Result("1")], (1, 0, 1)),
    ("an interruption", [Prompt("a"), Interrupted(), Prompt("b"), Reply("x")], (2, 1, 3)),
]


@pytest.mark.parametrize(("rows", "expected"), [row[1:] for row in COUNTS], ids=[row[0] for row in COUNTS])
def test_turns_exchanges_and_messages_are_three_counts(rows: list[Row], expected: tuple[int, int, int]) -> None:
    totals = folded(*rows).totals
    assert (totals.turns, totals.exchanges, totals.messages) == expected


# Words typed while the agent works: what became of them, the requests in order, and those still waiting.
TEXT = "and add a test for it"
QUEUES: list[tuple[str, list[Row], list[str], list[str]]] = [
    ("still waiting", [Queued(TEXT)], [], [TEXT]),
    ("comes back as a prompt", [Queued(TEXT), Reply("x"), Prompt(TEXT)], [TEXT], []),
    ("comes back with spaces", [Queued(f"{TEXT} "), Prompt(f" {TEXT}\n")], [f" {TEXT}\n"], []),
    ("handed over in mid-turn", [Queued(TEXT), Prompt(TEXT, "queued")], [TEXT], []),
    ("delivered by name", [Queued(TEXT), Queued(TEXT, delivered=True)], [TEXT], []),
    ("delivered, the oldest", [Queued(TEXT), Queued("b"), Queued("", delivered=True)], [TEXT], ["b"]),
    ("delivered twice", [Queued(TEXT), Queued(TEXT, delivered=True), Prompt(TEXT, "queued")], [TEXT], []),
    ("taken back by name", [Queued(TEXT), Queued("b"), Queued(TEXT, taken_back=True)], [], ["b"]),
    ("all taken back", [Queued(TEXT), Queued("b"), Queued("", taken_back=True)], [], []),
    ("taken back, then typed", [Queued(TEXT), Queued("", taken_back=True), Prompt(TEXT)], [TEXT], []),
    ("delivered, nothing waits", [Queued("", delivered=True)], [], []),
    ("asked twice", [Prompt(TEXT), Reply("x"), Prompt(TEXT)], [TEXT, TEXT], []),
]


@pytest.mark.parametrize(("rows", "asked", "waiting"), [row[1:] for row in QUEUES], ids=[row[0] for row in QUEUES])
def test_words_typed_while_the_agent_works_count_once(rows: list[Row], asked: list[str], waiting: list[str]) -> None:
    transcript = folded(Prompt("fix the parser"), did("edit", "a.py"), *rows)
    assert [turn.request.text for turn in live_turns(transcript)] == ["fix the parser", *asked]
    assert [request.text for request in transcript.queued] == waiting
    assert transcript.totals.turns == 1 + len(asked)


def test_a_delivered_request_stands_where_it_was_typed() -> None:
    transcript = folded(Prompt("fix the parser"), Queued(TEXT), did("shell", "ls"), Queued("", delivered=True))
    request = live_turns(transcript)[-1].request
    assert request.place == place_of(2)
    assert (request.turn, request.kind) == (2, "queued")


def test_the_arguments_of_a_slash_command_are_a_request_but_no_turn() -> None:
    transcript = folded(Prompt("review the parser", "command"), Reply("It is fine."), Prompt("thanks"), Reply("."))
    assert transcript.totals.turns == 1
    assert [request.text for request in transcript.commands_given] == ["review the parser"]
    assert transcript.original is not None and transcript.original.text == "review the parser"
    focus = current_focus(transcript)
    assert focus is not None and focus.text in ("review the parser", "thanks")


def test_a_later_command_is_the_focus() -> None:
    transcript = folded(Prompt("fix the parser"), Reply("Done."), Prompt("review the tests now", "command"))
    focus = current_focus(transcript)
    assert focus is not None and focus.text == "review the tests now"


# ---- going back


def rewound() -> Transcript:
    """Three turns; then the second is said otherwise: its prompt hangs on the answer to the first."""
    return folded(
        Prompt("build the parser"),
        (*did("edit", "one.py"), Reply("Built.")),
        Prompt("add a cache to it"),
        (*did("edit", "two.py"), Reply("Added.")),
        Prompt("make the cache larger"),
        (*did("edit", "three.py", failed=True), Reply("Made.")),
        record(Prompt("add a lock to it"), parent=id_of(2)),
        Reply("Locked."),
    )


def test_going_back_abandons_the_turns_after_and_numbers_anew() -> None:
    transcript = rewound()
    assert [(turn.number, turn.request.text) for turn in live_turns(transcript)] == [
        (1, "build the parser"),
        (2, "add a lock to it"),
    ]
    totals = transcript.totals
    assert (totals.turns, totals.exchanges, totals.messages, totals.abandoned_turns) == (2, 2, 4, 2)


def test_going_back_undoes_no_work() -> None:
    transcript = rewound()
    assert {file.path: file.action for file in transcript.files} == {
        "one.py": "modified",
        "two.py": "modified",
        "three.py": "read",
    }
    assert (transcript.totals.calls, transcript.totals.failed_calls) == (3, 1)


@pytest.mark.parametrize(
    ("parent", "expected"),
    [
        (4, ["build the parser", "add a cache to it", "add a lock to it"]),
        # Another branch of the turn that is going on is no going back.
        (5, ["build the parser", "add a cache to it", "make the cache larger", "add a lock to it"]),
        (1, ["build the parser", "add a lock to it"]),
        # A record nobody has seen proves nothing.
        (99, ["build the parser", "add a cache to it", "make the cache larger", "add a lock to it"]),
    ],
)
def test_only_turns_after_the_place_gone_back_to_are_abandoned(parent: int, expected: list[str]) -> None:
    transcript = folded(
        Prompt("build the parser"),
        Reply("Built."),
        Prompt("add a cache to it"),
        Reply("Added."),
        Prompt("make the cache larger"),
        Reply("Made."),
        record(Prompt("add a lock to it"), parent=id_of(parent)),
    )
    assert [turn.request.text for turn in live_turns(transcript)] == expected


def test_going_back_reaches_far_over_many_batches() -> None:
    """The place gone back to is found among thousands of records that were read long ago."""
    rows: list[Row] = [Prompt("build the parser"), Reply("Built."), Prompt("add a cache to it")]
    rows += [did("shell", "ls") for _ in range(2000)]
    rows.append(record(Prompt("add a lock to it"), parent=id_of(2)))
    transcript = EMPTY
    found = tape(*rows)
    for start in range(0, len(found), 97):
        transcript = extend(transcript, found[start : start + 97])
    assert [turn.request.text for turn in live_turns(transcript)] == ["build the parser", "add a lock to it"]
    assert transcript.totals.calls == 2000


def test_a_new_beginning_brings_a_new_original_request() -> None:
    transcript = folded(
        Opened(), Prompt("build the parser"), Reply("Built."), record(Prompt("build the lexer"), parent=id_of(1))
    )
    assert transcript.original is not None and transcript.original.text == "build the lexer"
    assert transcript.totals.turns == 1


def test_going_back_to_before_the_first_prompt_abandons_all() -> None:
    first = folded(Prompt("build the parser", is_first=True), Reply("Built."), Prompt("add a cache"), Reply("Added."))
    again = extend(first, [record(Prompt("build the lexer", is_first=True), session="s1", id="r5")])
    assert [(turn.number, turn.request.text) for turn in live_turns(again)] == [(1, "build the lexer")]
    assert again.original is not None and again.original.text == "build the lexer"
    assert (again.totals.turns, again.totals.abandoned_turns, again.totals.messages) == (1, 2, 1)
    # A session that begins in the same file abandons nothing of another.
    other = extend(first, [record(Prompt("write the docs", is_first=True), session="s2", id="r5")])
    assert other.totals.abandoned_turns == 0


def test_where_nothing_hangs_on_anything_no_prompt_is_a_new_beginning() -> None:
    """Some tools write logs in which no record names the one before it."""
    found = [
        record(Prompt("build the parser", is_first=True), session="s1", id="r1"),
        record(Reply("Built."), session="s1", id="r2"),
        record(Prompt("add a cache", is_first=True), session="s1", id="r3"),
    ]
    assert extend(EMPTY, found).totals.turns == 2


def test_two_sessions_in_one_file_do_not_abandon_each_other() -> None:
    transcript = folded(
        record(Prompt("build the parser"), session="a"),
        record(Prompt("write the docs"), session="b", parent="ffffffff"),
        record(Reply("Built."), session="a", parent=id_of(1)),
        record(Reply("Written."), session="b", parent=id_of(2)),
        record(Prompt("add a cache to it"), session="a", parent=id_of(3)),
        record(Prompt("now the examples"), session="b", parent=id_of(4)),
    )
    assert transcript.totals.turns == 4
    assert transcript.totals.abandoned_turns == 0


@pytest.mark.parametrize(("turns", "left"), [(1, ["a"]), (2, []), (9, [])])
def test_a_format_may_say_outright_how_far_it_goes_back(turns: int, left: list[str]) -> None:
    transcript = folded(Prompt("a"), Reply("x"), Prompt("b"), Reply("y"), Rewound(turns))
    assert [turn.request.text for turn in live_turns(transcript)] == left
    assert transcript.totals.messages == 2 * len(left)


# ---- prompts that the format may state again


def test_plain_prompts_replace_the_weak_ones() -> None:
    transcript = folded(
        Prompt("<instructions of the harness>", weak=True),
        Prompt("fix the parser", weak=True),
        Prompt("fix the parser"),
        Reply("Done."),
        Prompt("now the lexer", weak=True),
        Prompt("now the lexer"),
        Reply("Done."),
    )
    assert [turn.request.text for turn in live_turns(transcript)] == ["fix the parser", "now the lexer"]
    totals = transcript.totals
    assert (totals.turns, totals.exchanges, totals.messages, totals.abandoned_turns) == (2, 2, 4, 0)
    assert transcript.original is not None and transcript.original.place == place_of(3)


def test_weak_prompts_stand_where_there_are_no_plain_ones() -> None:
    transcript = folded(Prompt("fix the parser", weak=True), Reply("Done."), Prompt("now the lexer", weak=True))
    assert [turn.request.text for turn in live_turns(transcript)] == ["fix the parser", "now the lexer"]


# ---- gaps and the first request


def test_the_gap_before_a_prompt_is_the_time_nothing_happened() -> None:
    transcript = folded(
        record(Prompt("fix the parser"), at=at(0)),
        record(Reply("Done."), at=at(90)),
        record(Prompt("now the lexer"), at=at(7290)),
        record(Reply("Done."), at=at(7300)),
        record(Prompt("from a clock that runs behind"), at=at(7000)),
    )
    assert [turn.gap_s for turn in transcript.turns] == [0.0, 7200.0, 0.0]


SUBSTANTIVE = [
    ("fix the parser", True),
    ("why does the build fail on Windows?", True),
    ("refactor_everything()", True),
    ("修复解析器的错误", True),
    ("hi", False),
    ("Hello!", False),
    ("ok, thanks.", False),
    ("continue", False),
    ("yes please", False),
    ("继续", False),
    ("", False),
    ("  \n", False),
    ("...", False),
]


@pytest.mark.parametrize(("text", "expected"), SUBSTANTIVE)
def test_a_nod_is_no_request(text: str, expected: bool) -> None:
    assert is_substantive(text) is expected


@pytest.mark.parametrize(
    ("prompts", "original", "focus"),
    [
        (["hi", "fix the parser", "ok"], "fix the parser", "fix the parser"),
        (["fix the parser", "now write the docs", "yes"], "fix the parser", "now write the docs"),
        (["hi", "thanks"], "hi", "thanks"),
    ],
)
def test_the_first_and_the_current_request_pass_over_nods(prompts: list[str], original: str, focus: str) -> None:
    transcript = folded(*(Prompt(text) for text in prompts))
    found = current_focus(transcript)
    assert transcript.original is not None and found is not None
    assert (transcript.original.text, found.text) == (original, focus)
