"""Progress, from evidence: the agent's own list of work and what it put on record, test and build runs, commits, pull
requests.

Prose proves nothing here: an agent that says the tests pass has not run them.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from recapd.core import late_re as re
from recapd.core.commands import (
    TakenBack,
    TestCommand,
    brought_about,
    build_passed,
    commit_decides,
    commit_message,
    find_test_command,
    hints_of,
    is_build_command,
    judge_run,
    program,
    taken_back,
    test_totals,
)
from recapd.core.log import Linked, Place, Record, Recorded, Result, TodoChanged, TodoItem, Todos, text_of_payload
from recapd.core.state.draft import MAX_LINKS, MAX_MILESTONES, MAX_NOTED, MAX_TESTS, Draft, latest
from recapd.core.state.passages import Passage
from recapd.core.state.transcript import COMMITTED, Landmark, LandmarkKind, Link, Milestone, Noted, OpenCall, TestRun
from recapd.core.text import READ_CHARS, beginning, plain, without_code

# `[main 1a2b3c4] Title`, also for a detached head and a first commit.
_COMMITTED = re.compile(r"^\[[^\]\n]{1,200} ([0-9a-f]{7,40})\]", re.MULTILINE)
_AMENDED = re.compile(r"\bcommit\b[^\n;&|]{0,200}--amend\b")
# From behind one offset up to another, or to the end.
Window: TypeAlias = tuple[int, int | None]
# A summary fits into this; runners of many packages repeat theirs, and are read further back.
_SUMMARY_CHARS = 3_000
_OUTPUT_CHARS = 65_536
# A line of a list with a box before it.
_TICKED = re.compile(r"^[ \t]{0,12}(?:[-*+]|\d{1,3}[.)]) \[([ xX])\] (\S.*)$", re.MULTILINE)
_LEAST_TICKED = 2
_MOST_TICKED = 200
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


def note_checklist(draft: Draft, record: Record, text: str) -> None:
    """A list that the agent ticks off in its words is its list of work, where no tool keeps one.

    One of which nothing is ticked off yet may be anything: a template, steps for somebody else.
    """
    if (draft.todos_are_words or not draft.todos) and "[" in text and ("[x] " in text or "[X] " in text):
        found = _TICKED.findall(without_code(text[:READ_CHARS]))
        if len(found) >= _LEAST_TICKED and any(mark != " " for mark, _ in found):
            items = [TodoItem(beginning(plain(words)), "pending" if mark == " " else "done") for mark, words in found]
            draft.todos, draft.todos_place, draft.todos_are_words = tuple(items[:_MOST_TICKED]), record.place, True


def on_todos(draft: Draft, record: Record, todos: Todos) -> None:
    if record.via:
        return
    _remember_list(draft, record)
    draft.todos_are_words = False
    draft.todos = todos.items
    draft.todos_place = record.place


def on_todo_changed(draft: Draft, record: Record, change: TodoChanged) -> None:
    if record.via:
        return
    _remember_list(draft, record)
    if draft.todos_are_words:
        draft.todos, draft.todos_are_words = (), False
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


def note_recorded(draft: Draft, record: Record, recorded: Recorded, place: Place) -> None:
    """What the agent wrote down on purpose. That the user decided it counts only beside a message of the user's."""
    request = draft.turns.tail[-1].request if draft.turn_row >= 0 else None
    by_user = recorded.by_user and request is not None
    draft.passages.append(
        Passage(
            "record",
            recorded.text,
            place,
            record.id,
            record.at,
            draft.turn_row,
            draft.totals.messages - 1,
            asked=recorded.because,
            asked_at=request.place if by_user and request is not None else None,
            choices=(recorded.kind, "user" if by_user else "agent", recorded.replaces),
        )
    )
    if recorded.kind == "open":
        noted = Noted(recorded.text, place, draft.turn_number, record.at)
        draft.noted_open = latest(draft.noted_open, noted, most=MAX_NOTED)
    elif recorded.kind == "done":
        ended = {_plain(recorded.text), _plain(recorded.replaces)}
        draft.noted_open = tuple(each for each in draft.noted_open if _plain(each.text) not in ended)
        # Each of a sort of its own: none replaces another.
        _reach(draft, Milestone(recorded.text, place, draft.turn_number, record.at, f"noted at {place.offset}"))


def _plain(text: str) -> str:
    return " ".join(text.lower().split()).rstrip(".")


def note_link(draft: Draft, record: Record, linked: Linked) -> None:
    if any(known.url == linked.url for known in draft.links):
        return
    draft.links = latest(draft.links, Link(linked.label, linked.url, record.place), most=MAX_LINKS)
    draft.landmarks.append(Landmark("pullRequest", record.place, record.at, beginning(linked.label)))
    _reach(draft, Milestone(f"{linked.label} opened", record.place, draft.turn_number, record.at, linked.url))


def note_command(draft: Draft, opened: OpenCall, result: Result) -> Window | None:
    """Read off a shell command what it reached: tests, a build, a commit. One that still runs has reached nothing.

    Where it took commits back: the stretch of the log whose changes of files are void."""
    command = opened.call.target
    hints = hints_of(command)
    if hints.tests and (tests := find_test_command(command)):
        _note_tests(draft, opened, result, tests)
    elif result.process:
        return None
    elif hints.builds and not result.failed and is_build_command(command) and _is_built(result, command):
        _reach(draft, _milestone(opened, f"Build succeeded ({program(command)})", "build"))
    if hints.commits and not result.process and (message := commit_message(command)) and _is_committed(result, command):
        _note_commit(draft, opened, result, beginning(message.partition("\n")[0]))
    is_clean = not (result.process or result.failed or result.exit_code)
    if hints.brings and is_clean and (brought := brought_about(command)):
        _reach(draft, _milestone(opened, brought, ""))
    if hints.takes_back and is_clean:
        return _take_back(draft, command)
    return None


def note_end(draft: Draft, opened: OpenCall, result: Result) -> None:
    """The same for a command that was seen running before, and has ended now."""
    for row, run in enumerate(draft.tests):
        if run.place == opened.place and run.ok is None and run.command == beginning(opened.call.target):
            draft.tests = (*draft.tests[:row], *draft.tests[row + 1 :])
            draft.totals.tests -= 1
            break
    note_command(draft, opened, result)


def _note_tests(draft: Draft, opened: OpenCall, result: Result, tests: TestCommand) -> None:
    command = opened.call.target
    output = _output(result)
    totals = test_totals(output)
    exit_code = result.exit_code if result.exit_code is not None else 1 if result.failed else None
    # One that the human stopped, or that still runs, has shown nothing.
    is_over = not result.process and not result.denied
    verdict = judge_run(totals, exit_code, output, command) if is_over else "unclear"
    ok = {"passed": True, "failed": False}.get(verdict)
    draft.totals.tests += 1
    run = TestRun(
        command=beginning(command),
        ok=ok,
        place=opened.place,
        turn=opened.turn,
        at=opened.at,
        passed=totals.passed if totals else None,
        failed=totals.failed if totals else None,
        skipped=totals.skipped if totals else None,
        via=opened.via,
        did_run=verdict != "not run",
        runner=tests.runner or (totals.by if totals else ""),
    )
    draft.tests = latest(draft.tests, run, most=MAX_TESTS)
    if ok is None:
        return
    kind: LandmarkKind = "testsPassed" if ok else "testsFailed"
    draft.landmarks.append(Landmark(kind, opened.place, opened.at, tests.program, run.passed, run.failed))
    if ok:
        passed = (totals.passed or 0) if totals else 0
        counted = f"{passed} passed" if passed else "exit 0"
        text = f"Tests pass: {counted} ({tests.program})"
        _reach(draft, Milestone(text, opened.place, opened.turn, opened.at, "tests", tests.program, passed))


def _note_commit(draft: Draft, opened: OpenCall, result: Result, first_line: str) -> None:
    draft.landmarks.append(Landmark("commit", opened.place, opened.at, first_line))
    if _AMENDED.search(opened.call.target):
        _drop_commits(draft, TakenBack(last=1))
    found = _COMMITTED.search(_output(result))
    made = _milestone(opened, COMMITTED + first_line, "")
    _reach(draft, msgspec.structs.replace(made, commit=found[1] if found else ""))


def _take_back(draft: Draft, command: str) -> Window | None:
    """Commits that git took back were never reached. The stretch of the log in which they alone changed files, where
    git took that back as well."""
    back = taken_back(command)
    dropped = _drop_commits(draft, back) if back is not None else []
    if back is None or back.keeps_files or not dropped:
        return None
    first = dropped[0].place.offset
    left = (each.place.offset for each in draft.milestones if each.commit is not None)
    before = max((offset for offset in left if offset < first), default=-1)
    # What was changed since the last of them lies in no commit: a hard reset takes it too.
    return before, dropped[-1].place.offset if back.only else None


def _drop_commits(draft: Draft, back: TakenBack) -> list[Milestone]:
    commits = [each for each in draft.milestones if each.commit is not None]
    if back.last:
        dropped = commits[-back.last :]
    elif back.only:
        dropped = [each for each in commits if _is_same_commit(each, back.only)]
    else:
        known = [row for row, each in enumerate(commits) if back.since and _is_same_commit(each, back.since)]
        dropped = commits[known[-1] + 1 :] if known else commits
    draft.milestones = tuple(each for each in draft.milestones if each not in dropped)
    return dropped


def _is_same_commit(milestone: Milestone, digest: str) -> bool:
    known = milestone.commit or ""
    return bool(known) and (known.startswith(digest) or digest.startswith(known))


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
