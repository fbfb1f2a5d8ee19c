"""Outcomes, not intentions: what a command line claims to do is believed only where its result bears it out."""

from __future__ import annotations

import pytest

from recapd.core.log.events import Note, Prompt
from recapd.core.state.outcomes import failing_tests, standing_milestones
from recapd.core.state.session import open_items
from recapd.core.text.prompts import is_substantive
from tests.support.logs import at
from tests.support.records import Row, folded, ran, record, session_with, tape

GIT_SAYS = "[main 1a2b3c4] Title\n 1 file changed"


@pytest.mark.parametrize(
    ("command", "output", "is_committed"),
    [
        ("git commit -m Title", "", True),
        ("git commit -m Title", GIT_SAYS, True),
        ("git commit -m Title 2>&1 | tail -3", GIT_SAYS, True),
        ("git commit -m Title 2>&1 | tail -3", "pre-commit hook exited with code 1", False),
        ("git commit -m Title; echo done", "hook failed\ndone", False),
        ("git commit -m Title || true", "nothing to commit", False),
        ("git commit --dry-run -m Title", "", False),
    ],
)
def test_a_commit_is_claimed_where_git_made_one(command: str, output: str, is_committed: bool) -> None:
    found = [each.text for each in folded(Prompt("commit it"), ran(command, output)).milestones]
    assert found == (["Committed: Title"] if is_committed else [])


@pytest.mark.parametrize(
    ("command", "output", "is_gone"),
    [
        ("rm a.txt", "", True),
        ("rm a.txt; echo ok", "rm: cannot remove 'a.txt'\nok", False),
        ("rm -f a.txt; ls", "b.txt", True),
        ("rm a.txt; true", "rm: a.txt: Permission denied", False),
    ],
)
def test_a_file_is_gone_where_nothing_says_otherwise(command: str, output: str, is_gone: bool) -> None:
    found = [(file.path, file.action) for file in folded(Prompt("tidy up"), ran(command, output)).files]
    assert found == ([("a.txt", "deleted")] if is_gone else [])


def test_a_pass_is_void_once_a_later_run_shows_nothing() -> None:
    passed = ran("pytest -q", "30 passed in 1.00s")
    unclear = ran("pytest -q", "no tests ran in 0.01s", exit_code=5)
    assert [each.text for each in standing_milestones(folded(Prompt("test it"), passed))] == [
        "Tests pass: 30 passed (pytest)"
    ]
    assert standing_milestones(folded(Prompt("test it"), passed, unclear)) == []


FULL = ran("pytest -q", "3 failed, 9 passed in 2s", exit_code=1, failed=True)
PART = ran("pytest -q tests/test_lexer.py", "1 failed in 2s", exit_code=1, failed=True)
PASSES: list[tuple[list[Row], str, list[str]]] = [
    ([FULL], "pytest", []),
    ([FULL], "pytest -q --tb=short -n 4", []),
    ([FULL], "pytest tests/", []),
    ([FULL], "pytest -q tests/test_parser.py", ["pytest -q"]),
    ([FULL], "pytest -k parser", ["pytest -q"]),
    ([PART], "pytest tests/test_lexer.py", []),
    ([PART], "pytest tests/test_lexer.py tests/test_parser.py", []),
    ([PART], "pytest tests/test_lexer.py::test_names", ["pytest -q tests/test_lexer.py"]),
    ([PART], "pytest tests/test_parser.py", ["pytest -q tests/test_lexer.py"]),
    ([PART], "pytest", []),
    # A whole run is one whatever starts it, where its summary says who ran the tests.
    ([PART], "make lint && make test", []),
    ([PART], "npm run test:unit", ["pytest -q tests/test_lexer.py"]),
    # What is mended of a part leaves the whole to be run.
    ([FULL, PART], "pytest tests/test_lexer.py", ["pytest -q"]),
    ([FULL, PART], "pytest", []),
]


@pytest.mark.parametrize(("rows", "command", "left"), PASSES)
def test_a_pass_cures_what_it_ran(rows: list[Row], command: str, left: list[str]) -> None:
    """A subset that passes says nothing of the failures outside it."""
    transcript = folded(Prompt("test it"), *rows, ran(command, "5 passed in 1s"))
    assert [run.command for run in failing_tests(transcript)] == left


def test_another_runners_pass_cures_no_failure() -> None:
    rows = (ran("cargo test", "test result: FAILED. 3 passed; 2 failed; 0 ignored", exit_code=101),)
    later = ran("pytest -q", "1 passed in 0.10s")
    assert [run.command for run in failing_tests(folded(Prompt("test it"), *rows, later))] == ["cargo test"]
    items = open_items(session_with(Prompt("test it"), *rows, later), at(60))
    assert [item.text for item in items if item.kind == "failure"] == ["Tests 2 failed: cargo test"]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ((FULL,), ["Tests 3 failed: pytest -q"]),
        ((FULL, Prompt("now the docs")), ["Tests 3 failed in turn 1, not run since: pytest -q"]),
        (
            (FULL, Prompt("again"), ran("pytest | head -1", "", exit_code=None)),
            ["Tests 3 failed in turn 1, not passed since: pytest -q"],
        ),
        (
            (ran("cd api && pytest -q", "/bin/python3: No module named pytest", exit_code=1, failed=True),),
            ["Tests did not run: pytest -q"],
        ),
        (
            (
                ran("pytest -q", "/bin/python3: No module named pytest", exit_code=1, failed=True),
                ran("pip install pytest && pytest -q", "4 passed in 1s"),
            ),
            [],
        ),
        ((ran("npm test", "boom", exit_code=1, failed=True),), []),
    ],
    ids=["now", "in an earlier turn", "tried in vain", "never reached", "reached at last", "an exit code alone"],
)
def test_open_tests_say_what_is_known_and_of_when(rows: tuple[Row, ...], expected: list[str]) -> None:
    items = open_items(session_with(Prompt("test it"), *rows), at(60))
    assert [item.text for item in items if item.kind == "failure"] == expected


def test_the_summary_of_a_branch_abandons_the_branch() -> None:
    rows = tape(
        record(Prompt("build the parser"), id="a0000001"),
        record(Prompt("now wreck it all"), id="a0000002", parent="a0000001"),
        record(Note("branch", "it was wrecked"), id="a0000003", parent="a0000001"),
    )
    turns = [turn.request.text for turn in folded(*rows).turns if not turn.abandoned]
    assert turns == ["build the parser"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Refactor", True),
        ("fix tests", True),
        ("修复测试", True),
        ("ok", False),
        ("yes please", False),
        ("go on", False),
    ],
)
def test_what_asks_for_something(text: str, expected: bool) -> None:
    assert is_substantive(text) is expected
