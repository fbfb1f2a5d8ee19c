"""Progress, from evidence: the agent's own list of work, test and build runs, commits, pull requests.

Prose proves nothing here: an agent that says the tests pass has not run them.
"""

from __future__ import annotations

import re

import msgspec

from recapd.core.commands import (
    build_passed,
    commit_decides,
    commit_message,
    hints_of,
    is_build_command,
    is_test_command,
    program,
    run_passed,
    test_totals,
)
from recapd.core.log import Linked, Record, Result, TodoChanged, TodoItem, Todos, text_of_payload
from recapd.core.state.draft import MAX_LINKS, MAX_MILESTONES, MAX_TESTS, Draft, latest
from recapd.core.state.transcript import Landmark, LandmarkKind, Link, Milestone, OpenCall, TestRun
from recapd.core.text import beginning

# `[main 1a2b3c4] Title`, also for a detached head and a first commit.
_COMMITTED = re.compile(r"^\[[^\]\n]{1,200} [0-9a-f]{7,40}\]", re.MULTILINE)
# A summary fits into this; runners of many packages repeat theirs, and are read further back.
_SUMMARY_CHARS = 3_000
_OUTPUT_CHARS = 65_536
_SUMMARY_SIGNS = (
    "test result: ",
    "Tests",
    " passed",
    " passing",
    " examples,",
    "--- ",
    "\nok ",
    "\nFAIL",
    "Passed!",
    "Failed!",
)


def on_todos(draft: Draft, record: Record, todos: Todos) -> None:
    if record.via:
        return
    _remember_list(draft, record)
    draft.todos = todos.items
    draft.todos_place = record.place


def on_todo_changed(draft: Draft, record: Record, change: TodoChanged) -> None:
    if record.via:
        return
    _remember_list(draft, record)
    draft.todos_place = record.place
    waiting = f"call:{change.call_id}"
    for row, item in enumerate(draft.todos):
        if (change.id and item.id == change.id) or (change.call_id and item.id == waiting):
            changed = TodoItem(change.text or item.text, change.status or item.status, change.id or item.id)
            draft.todos = (*draft.todos[:row], changed, *draft.todos[row + 1 :])
            return
    if change.text:
        draft.todos = (*draft.todos, TodoItem(change.text, change.status or "pending", change.id or waiting))


def _remember_list(draft: Draft, record: Record) -> None:
    """What the list was, in case the call that stands before this change in its record comes to nothing."""
    call_id = next(reversed(draft.open_calls), "")
    opened = draft.open_calls.get(call_id)
    if opened is None or opened.todos_before is not None:
        return
    if opened.place == record.place and opened.call.kind == "todo":
        draft.open_calls[call_id] = msgspec.structs.replace(
            opened, todos_before=draft.todos, todos_place_before=draft.todos_place
        )


def restore_list(draft: Draft, opened: OpenCall) -> None:
    """A call that changed the list has failed: the list is what it was, unless another call has changed it since."""
    if opened.todos_before is not None and draft.todos_place == opened.place:
        draft.todos = opened.todos_before
        draft.todos_place = opened.todos_place_before


def note_link(draft: Draft, record: Record, linked: Linked) -> None:
    if any(known.url == linked.url for known in draft.links):
        return
    draft.links = latest(draft.links, Link(linked.label, linked.url, record.place), most=MAX_LINKS)
    draft.landmarks.append(Landmark("pullRequest", record.place, record.at, beginning(linked.label)))
    _reach(draft, Milestone(f"{linked.label} opened", record.place, draft.turn_number, record.at, linked.url))


def note_command(draft: Draft, opened: OpenCall, result: Result) -> None:
    """Read off a shell command what it reached: tests, a build, a commit. One that still runs has reached nothing."""
    command = opened.call.target
    hints = hints_of(command)
    if hints.tests and is_test_command(command):
        _note_tests(draft, opened, result)
    elif result.process:
        return
    elif hints.builds and not result.failed and is_build_command(command) and _is_built(result, command):
        _reach(draft, _milestone(opened, f"Build succeeded ({program(command)})", "build"))
    if hints.commits and not result.process and (message := commit_message(command)) and _is_committed(result, command):
        first_line = beginning(message.partition("\n")[0])
        draft.landmarks.append(Landmark("commit", opened.place, opened.at, first_line))
        _reach(draft, _milestone(opened, "Committed: " + first_line, ""))


def note_end(draft: Draft, opened: OpenCall, result: Result) -> None:
    """The same for a command that was seen running before, and has ended now."""
    for row, run in enumerate(draft.tests):
        if run.place == opened.place and run.ok is None and run.command == beginning(opened.call.target):
            draft.tests = (*draft.tests[:row], *draft.tests[row + 1 :])
            draft.totals.tests -= 1
            break
    note_command(draft, opened, result)


def _note_tests(draft: Draft, opened: OpenCall, result: Result) -> None:
    command = opened.call.target
    output = _output(result)
    totals = test_totals(output)
    exit_code = result.exit_code if result.exit_code is not None else 1 if result.failed else None
    ok = None if result.process else run_passed(totals, exit_code, output, command)
    draft.totals.tests += 1
    run = TestRun(
        beginning(command),
        ok,
        opened.place,
        opened.turn,
        opened.at,
        totals.passed if totals else None,
        totals.failed if totals else None,
        totals.skipped if totals else None,
        opened.via,
    )
    draft.tests = latest(draft.tests, run, most=MAX_TESTS)
    if ok is not None:
        kind: LandmarkKind = "testsPassed" if ok else "testsFailed"
        draft.landmarks.append(Landmark(kind, opened.place, opened.at, program(command), run.passed, run.failed))
    if ok:
        passed = (totals.passed or 0) if totals else 0
        counted = f"{passed} passed" if passed else "exit 0"
        runner = program(command)
        text = f"Tests pass: {counted} ({runner})"
        _reach(draft, Milestone(text, opened.place, opened.turn, opened.at, "tests", runner, passed))


def _is_committed(result: Result, command: str) -> bool:
    """Git says so, or the whole command succeeded and its success is git's: a pipe or `|| true` hides a refusal."""
    if _COMMITTED.search(_output(result)):
        return True
    is_clean = not (result.failed or result.exit_code) and commit_decides(command)
    return is_clean and "--dry-run" not in command


def _is_built(result: Result, command: str) -> bool:
    return build_passed(result.exit_code, _output(result), command) is True


def _milestone(opened: OpenCall, text: str, sort: str) -> Milestone:
    return Milestone(text, opened.place, opened.turn, opened.at, sort)


def _reach(draft: Draft, milestone: Milestone) -> None:
    """Ten green runs in a row are one milestone, the latest."""
    known = draft.milestones
    if known and milestone.sort and known[-1].sort == milestone.sort:
        known = known[:-1]
    draft.milestones = latest(known, milestone, most=MAX_MILESTONES)


def _output(result: Result) -> str:
    """The end of the output, where runners write their summary; all of it where they seem to write one per package."""
    text = text_of_payload(result.payload)
    if len(text) <= _SUMMARY_CHARS:
        return text
    before = text[:-_SUMMARY_CHARS]
    if any(sign in before for sign in _SUMMARY_SIGNS):
        return text[-_OUTPUT_CHARS:]
    return text[-_SUMMARY_CHARS:]
