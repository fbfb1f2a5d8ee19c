"""Progress from evidence: the agent's own list of work, runs of tests and builds, commits. Prose proves nothing."""

from __future__ import annotations

import pytest

from recapd.core.events import Linked, Prompt, Reply, TodoChanged, TodoItem, Todos, TodoStatus
from recapd.core.views.recap import Progress, recap_of
from tests.support.logs import at
from tests.support.records import Row, call, did, folded, place_of, ran, record, session_with


def progress(*rows: Row) -> Progress:
    return recap_of(session_with(Prompt("go on with it"), *rows), at(0)).progress


def listed(**items: TodoStatus) -> Todos:
    return Todos(tuple(TodoItem(text, status) for text, status in items.items()))


# ---- the list of work

SHARES: list[tuple[str, list[Row], int | None, list[str], str | None]] = [
    ("no list", [Reply("I am 50% done. Stage: testing. Completed the setup.")], None, [], None),
    ("an empty list", [Todos(())], None, [], None),
    ("one of three", [listed(a="done", b="active", c="pending")], 33, ["a"], "b"),
    ("none", [listed(a="pending", b="pending")], 0, [], None),
    ("nothing current is not everything done", [listed(a="done", b="pending")], 50, ["a"], None),
    ("all", [listed(a="done", b="done")], 100, ["a", "b"], None),
    ("dropped ones do not count", [listed(a="done", b="dropped")], 100, ["a"], None),
    ("only dropped ones", [listed(a="dropped")], None, [], None),
    ("the latest list counts", [listed(a="done", b="done"), listed(c="active", d="pending")], 0, [], "c"),
    ("a sub-agent's list is not the session's", [record(listed(a="done"), via="x")], None, [], None),
]


@pytest.mark.parametrize(
    ("rows", "share", "done", "current"), [row[1:] for row in SHARES], ids=[row[0] for row in SHARES]
)
def test_a_share_is_told_only_where_it_can_be_counted(
    rows: list[Row], share: int | None, done: list[str], current: str | None
) -> None:
    found = progress(*rows)
    assert found.percentage == share
    assert [item.text for item in found.done] == done
    assert (found.current.text if found.current else None) == current


def test_items_change_one_by_one() -> None:
    """An item is made by a call, gets its id with the result, and is worked on under that id."""
    transcript = folded(
        Prompt("go on with it"),
        TodoChanged(text="write tests", status="pending", call_id="c1"),
        TodoChanged(text="write docs", status="pending", call_id="c2"),
        TodoChanged(id="1", call_id="c1"),
        TodoChanged(id="2", call_id="c2"),
        TodoChanged(id="1", status="done"),
        TodoChanged(id="2", text="write the docs"),
        TodoChanged(id="2", status="active"),
        TodoChanged(id="9", status="done"),
    )
    assert transcript.todos == (TodoItem("write tests", "done", "1"), TodoItem("write the docs", "active", "2"))
    assert transcript.todos_place is not None


# ---- runs of tests

PASSED = "===== 42 passed in 1.20s ====="
RUNS: list[tuple[str, Row, bool | None, tuple[int | None, int]]] = [
    ("passed", ran("pytest -q", PASSED), True, (42, 0)),
    ("failed", ran("pytest", "12 passed, 3 failed in 2s", exit_code=1, failed=True), False, (12, 3)),
    # A pipe swallows the exit code.
    ("failed behind a pipe", ran("pytest | tail", "12 passed, 3 failed in 2s"), False, (12, 3)),
    ("no totals, exit 0", ran("npm test", "ok"), True, (None, 0)),
    ("no totals, exit 1", ran("npm test", "boom", exit_code=1, failed=True), False, (None, 0)),
    ("nothing proves anything", ran("pytest | tail -1", "", exit_code=None), None, (None, 0)),
]


@pytest.mark.parametrize(("row", "ok", "counted"), [row[1:] for row in RUNS], ids=[row[0] for row in RUNS])
def test_a_test_run_is_judged_by_its_output(row: Row, ok: bool | None, counted: tuple[int | None, int]) -> None:
    transcript = folded(Prompt("go on with it"), row)
    (run,) = transcript.tests
    assert run.ok is ok
    assert (run.passed, run.failed or 0) == counted
    assert run.place == place_of(2)
    assert transcript.totals.tests == 1


@pytest.mark.parametrize(
    "command", ["ls tests", "cat test_a.py", "grep -rn pytest .", "git commit -m 'make the tests pass'"]
)
def test_not_every_command_that_names_tests_runs_them(command: str) -> None:
    assert folded(Prompt("go on with it"), ran(command, PASSED)).tests == ()


# ---- milestones

REACHED: list[tuple[str, list[Row], list[str]]] = [
    ("tests pass", [ran("pytest", PASSED)], ["Tests pass: 42 passed (pytest)"]),
    ("some fail", [ran("pytest", "12 passed, 3 failed in 2s", exit_code=1, failed=True)], []),
    ("none ran", [ran("pytest", "no tests ran in 0.01s", exit_code=5, failed=True)], []),
    ("refused", [did("shell", "pytest", denied=True, failed=True)], []),
    ("not back yet", [call("shell", "pytest")], []),
    ("ten green runs are one", [ran("pytest", PASSED) for _ in range(10)], ["Tests pass: 42 passed (pytest)"]),
    (
        "green again after red",
        [ran("pytest", PASSED), ran("pytest", "1 failed", exit_code=1, failed=True), ran("pytest", "43 passed in 1s")],
        ["Tests pass: 43 passed (pytest)"],
    ),
    ("a build", [ran("npm run build", "done in 3s")], ["Build succeeded (npm run build)"]),
    ("a build that broke", [ran("make", "error", exit_code=2, failed=True)], []),
    ("a commit", [ran("git commit -m 'Add the parser'")], ["Committed: Add the parser"]),
    ("nothing to commit", [ran("git commit -m 'x'", "nothing to commit", exit_code=1, failed=True)], []),
    ("a pull request", [Linked("PR #7", "https://example.org/7")], ["PR #7 opened"]),
    ("the same pull request again", [Linked("PR #7", "https://example.org/7")] * 3, ["PR #7 opened"]),
    # Words are no evidence.
    ("the agent says so", [Reply("All 42 tests pass. Deployed to production! Build succeeded.")], []),
    ("the human wishes so", [Prompt("make sure the tests pass")], []),
    ("a file says so", [did("read", "ci.log", payload=b'"42 passed"')], []),
]


@pytest.mark.parametrize(("rows", "expected"), [row[1:] for row in REACHED], ids=[row[0] for row in REACHED])
def test_a_milestone_needs_a_result_that_proves_it(rows: list[Row], expected: list[str]) -> None:
    assert [milestone.text for milestone in progress(*rows).milestones] == expected


def test_a_milestone_names_the_place_that_proves_it() -> None:
    transcript = folded(Prompt("go on with it"), Reply("Testing."), ran("pytest", PASSED))
    (milestone,) = transcript.milestones
    assert (milestone.place, milestone.turn) == (place_of(3), 1)
    (run,) = transcript.tests
    assert run.place == milestone.place
