"""Progress from evidence: the agent's own list of work, runs of tests and builds, commits. Prose proves nothing."""

from __future__ import annotations

import msgspec
import pytest

from recapd.core.log.events import Call, Linked, Prompt, Reply, Result, TodoChanged, TodoItem, Todos, TodoStatus
from recapd.core.state.folding import extend
from recapd.core.state.transcript import EMPTY
from recapd.core.views.recap.recap import Progress, recap_of
from tests.support.logs import at
from tests.support.records import Row, call, did, folded, place_of, ran, record, session_with, tape


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
    (
        "a list whose call failed never was",
        [listed(a="done", b="active"), (call("todo"), listed(a="done", b="done")), Result("c", failed=True)],
        50,
        ["a"],
        "b",
    ),
    (
        "nor one that the human refused",
        [(call("todo"), listed(a="done")), Result("c", denied=True)],
        None,
        [],
        None,
    ),
    (
        "a later list outlives the failure of an earlier one",
        [(call("todo"), listed(a="pending")), listed(a="done"), Result("c", failed=True)],
        100,
        ["a"],
        None,
    ),
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


def test_a_change_whose_call_failed_never_was() -> None:
    """Also where the result comes with a later batch."""
    todos = (TodoItem("write tests", "active", "1"),)
    first = folded(
        Prompt("go on with it"),
        TodoChanged(id="1", text="write tests", status="active"),
        (call("todo"), TodoChanged(id="1", status="done")),
    )
    assert first.todos == (TodoItem("write tests", "done", "1"),)
    assert extend(first, tape(Result("c", failed=True), first=4)).todos == todos


# ---- runs of tests

PASSED = "===== 42 passed in 1.20s ====="
RUNS: list[tuple[str, Row, bool | None, tuple[int | None, int]]] = [
    ("passed", ran("pytest -q", PASSED), True, (42, 0)),
    ("failed", ran("pytest", "12 passed, 3 failed in 2s", exit_code=1, failed=True), False, (12, 3)),
    # A pipe swallows the exit code.
    ("failed behind a pipe", ran("pytest | tail", "12 passed, 3 failed in 2s"), False, (12, 3)),
    ("no totals, exit 0", ran("npm test", "ok"), True, (None, 0)),
    # Something in it went wrong; nobody says that it was a test.
    ("no totals, exit 1", ran("npm test", "boom", exit_code=1, failed=True), None, (None, 0)),
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
    ("a deployment", [ran("npm ci && npx wrangler deploy --env prod", "Deployed")], ["Deployed (wrangler deploy)"]),
    ("a script that deploys", [ran("make deploy-staging")], ["Deployed (make deploy-staging)"]),
    ("a deployment that failed", [ran("fly deploy", "no machines", exit_code=1, failed=True)], []),
    ("one whose failure a pipe hides", [ran("fly deploy 2>&1 | tail -3", "Error")], []),
    ("one that was only tried", [ran("helm upgrade shop ./chart --dry-run")], []),
    ("a merged pull request", [ran("gh pr merge 12 --squash")], ["Merged: PR #12"]),
    ("an approved review", [ran("gh pr review 12 --approve -b ok")], ["Review approved: PR #12"]),
    ("a comment is no approval", [ran("gh pr review 12 --comment -b 'approve?'")], []),
    ("a word in a message", [ran("echo merge and deploy")], []),
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


# ---- commands that outlive their results

LEFT_RUNNING = did("shell", "pytest -q", exit_code=None, process="7", payload=b'"collecting ..."')


def looked(output: str, *, at_process: str = "7", **outcome: object) -> Row:
    """A later call that looks at a process."""
    result = msgspec.structs.replace(Result("p", payload=msgspec.json.encode(output)), **outcome)
    return (Call("p", "write_stdin", "status", process=at_process), result)


ENDS: list[tuple[str, list[Row], tuple[bool | None, int | None], int]] = [
    ("nobody looked", [], (None, None), 0),
    ("still running", [looked("....", process="7")], (None, None), 0),
    ("passed", [looked("....", process="7"), looked(PASSED, exit_code=0)], (True, 42), 0),
    ("failed", [looked("3 failed, 39 passed in 1.20s", exit_code=1)], (False, 39), 1),
    ("another process", [looked(PASSED, at_process="8", exit_code=0)], (None, None), 0),
    ("looked at again", [looked(PASSED, exit_code=0), looked("", exit_code=1)], (True, 42), 0),
]


@pytest.mark.parametrize(("rows", "verdict", "failed"), [row[1:] for row in ENDS], ids=[row[0] for row in ENDS])
def test_a_run_is_judged_by_its_end_whoever_sees_it(
    rows: list[Row], verdict: tuple[bool | None, int | None], failed: int
) -> None:
    records = tape(Prompt("test it"), LEFT_RUNNING, *rows)
    transcript = extend(EMPTY, records)
    (run,) = transcript.tests
    assert (run.ok, run.passed) == verdict
    assert run.command == "pytest -q" and run.place == place_of(2)
    totals = transcript.totals
    assert (totals.tests, totals.commands, totals.failed_commands) == (1, 1, failed)
    one_by_one = EMPTY
    for each in records:
        one_by_one = extend(one_by_one, [each])
    assert one_by_one == transcript


def test_a_commit_and_a_build_are_reached_when_they_end() -> None:
    started = did("shell", "npm run build && git commit -m Title", exit_code=None, process="7", payload=b'"building"')
    assert progress(started).milestones == ()
    found = [each.text for each in progress(started, looked("[main 1a2b3c4] Title", exit_code=0)).milestones]
    assert found == ["Build succeeded (npm run build)", "Committed: Title"]
