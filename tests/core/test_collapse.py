"""One line for each call: what was done, with its outcome, and no number the log does not prove."""

from __future__ import annotations

import msgspec
import pytest

from recapd.core.log.events import Call, CallKind
from recapd.core.state.call_lines import category, describe, describe_open, fold_repeats
from recapd.core.state.transcript import OpenCall, Step
from tests.support.records import place_of

ROOT = "/home/dev/shop"


def step(kind: CallKind, target: str = "", *, ok: bool = True, tool: str = "", **fields: object) -> Step:
    plain = Step(kind, tool or kind.capitalize(), target, ok, place_of(1), turn=1)
    return msgspec.structs.replace(plain, **fields)


LINES: list[tuple[Step, str]] = [
    # What was looked at.
    (step("read", f"{ROOT}/src/a.py"), "Read src/a.py"),
    (step("read", f"{ROOT}/src/a.py", lines=15), "Read src/a.py (15 lines)"),
    (step("read", "a.py", lines=1), "Read a.py (1 line)"),
    (step("read", "a.py", lines=0), "Read a.py (0 lines)"),
    (step("read", "/etc/hosts"), "Read /etc/hosts"),
    (step("read", f"{ROOT}-backup/a.py"), f"Read {ROOT}-backup/a.py"),
    (step("list", f"{ROOT}/src"), "Listed src"),
    (step("search", "TODO|FIXME"), "Searched for “TODO|FIXME”"),
    (step("recall", "the deploy"), "Recalled memories about the deploy"),
    (step("fetch", "https://example.org/docs"), "Fetched https://example.org/docs"),
    # What was changed.
    (step("edit", f"{ROOT}/src/a.py"), "Edited src/a.py"),
    (step("write", "a.py", lines=20), "Wrote a.py (20 lines)"),
    (step("write", "a.py", created=True, lines=20), "Created a.py (20 lines)"),
    (step("write", "a.py", created=False), "Rewrote a.py"),
    (step("patch", "a.py"), "Patched a.py"),
    (step("delete", "a.py"), "Deleted a.py"),
    (step("shell", "npm  run\nbuild"), "Ran `npm run build`"),
    (step("remember", "the port is 8080"), "Remembered: the port is 8080"),
    (step("delegate", "find the leak"), "Delegated: find the leak"),
    # What was asked, and what the human said.
    (step("ask", "Which database?"), "Asked the user: Which database?"),
    (step("ask", "Which database?", outcome="Postgres"), "Asked the user: Which database? — answer: “Postgres”"),
    (step("plan", "Split the parser", outcome="approved"), "Plan approved: Split the parser"),
    (step("plan", "Split the parser", ok=False, denied=True), "Plan rejected: Split the parser"),
    (
        step("plan", "Split the parser", ok=False, denied=True, outcome="too big"),
        "Plan rejected: Split the parser — “too big”",
    ),
    # The work itself.
    (step("todo"), "Updated the task list"),
    (step("status", tool="BashOutput"), "Checked BashOutput"),
    (step("done", "all is well"), "Finished: all is well"),
    # Tools nobody knows.
    (step("other", tool="Zap"), "Called Zap"),
    (step("other", tool="mcp__db__run_query", detail="sql=select 1"), "Called db run_query(sql=select 1)"),
    # What failed says so.
    (step("edit", "a.py", ok=False, outcome="no such text"), "Tried to edit a.py — failed: no such text"),
    (step("write", "a.py", ok=False), "Tried to write a.py — failed"),
    (step("read", "a.py", ok=False, outcome="no such file"), "Tried to read a.py — failed: no such file"),
    (step("shell", "make", ok=False, exit_code=2, outcome="no rule"), "Ran `make` — failed (exit 2): no rule"),
    (step("shell", "make", ok=False), "Ran `make` — failed"),
    (step("other", tool="Zap", ok=False, outcome="boom"), "Tried to call Zap — failed: boom"),
    # What the human refused says so.
    (step("shell", "rm -rf build", ok=False, denied=True), "Was refused to run `rm -rf build`"),
    (step("edit", "a.py", ok=False, denied=True, outcome="not that one"), "Was refused to edit a.py: “not that one”"),
    # Nothing to name.
    (step("edit"), "Edited a file"),
    (step("shell"), "Ran a command"),
]


@pytest.mark.parametrize(("told", "expected"), LINES, ids=[expected for _, expected in LINES])
def test_a_call_is_told_in_one_line(told: Step, expected: str) -> None:
    assert describe(told, ROOT) == expected


@pytest.mark.parametrize(
    "kind", ["edit", "write", "patch", "delete", "shell", "other", "ask", "read", "delegate", "remember"]
)
def test_a_call_that_failed_or_was_refused_is_never_told_as_done(kind: CallKind) -> None:
    done = describe(step(kind, "x"))
    failed = describe(step(kind, "x", ok=False))
    refused = describe(step(kind, "x", ok=False, denied=True))
    assert "failed" in failed
    assert "refused" in refused
    assert len({done, failed, refused}) == 3


@pytest.mark.parametrize("kind", ["other", "status"])
def test_a_tools_name_is_bounded_and_on_one_line(kind: CallKind) -> None:
    told = describe(step(kind, tool="x\n" + "y" * 5_000))
    assert len(told) <= 200 and "\n" not in told


def test_a_call_without_a_result_says_so() -> None:
    opened = OpenCall(Call("c", "Bash", "shell", "make all"), place_of(1), 1, "", "")
    assert describe_open(opened) == "Started to run `make all` — no result"


LONG = "word " * 5_000


@pytest.mark.parametrize(
    "kind", ["read", "edit", "write", "shell", "ask", "plan", "delegate", "search", "other", "remember", "status"]
)
@pytest.mark.parametrize("ok", [True, False])
def test_a_line_is_one_line_and_bounded_whatever_the_log_says(kind: CallKind, ok: bool) -> None:
    texts = {"detail": f"k=v\n{LONG}", "outcome": f"x\ny\u2028{LONG}"}
    told = describe(step(kind, f"a\nb\r{LONG}", ok=ok, tool=f"t\nu{'v' * 5_000}", **texts))
    assert len(told) <= 500
    assert told.splitlines() == [told]


CATEGORIES: list[tuple[CallKind, str]] = [
    ("read", "observational"),
    ("list", "observational"),
    ("search", "observational"),
    ("recall", "observational"),
    ("fetch", "observational"),
    ("edit", "consequential"),
    ("write", "consequential"),
    ("patch", "consequential"),
    ("delete", "consequential"),
    ("shell", "consequential"),
    ("ask", "consequential"),
    ("plan", "consequential"),
    ("remember", "consequential"),
    ("delegate", "consequential"),
    # A tool nobody knows may have changed something.
    ("other", "consequential"),
    ("todo", "meta"),
    ("status", "meta"),
    ("done", "meta"),
]


@pytest.mark.parametrize(("kind", "expected"), CATEGORIES)
def test_every_kind_of_call_has_its_category(kind: CallKind, expected: str) -> None:
    assert category(kind) == expected


REPEATS: list[tuple[str, list[Step], list[str]]] = [
    (
        "files of one folder",
        [step("read", f"{ROOT}/src/{name}.py", lines=9) for name in "abc"],
        ["Read 3 files in src/"],
    ),
    (
        "files of two folders",
        [step("read", f"{ROOT}/src/a/x.py"), step("read", f"{ROOT}/src/b/y.py")],
        ["Read 2 files in src/"],
    ),
    ("names that only begin alike", [step("read", "src/ab.py"), step("read", "src/ac.py")], ["Read 2 files in src/"]),
    ("files that share no folder", [step("read", "a.py"), step("read", "b.py")], ["Read 2 files"]),
    (
        "files of the folder all work is in",
        [step("read", f"{ROOT}/a.py"), step("read", f"{ROOT}/b.py")],
        ["Read 2 files"],
    ),
    ("files nobody named", [step("read"), step("read")], ["Read 2 files"]),
    ("one file again and again", [step("read", f"{ROOT}/src/a.py", lines=9)] * 3, ["Read src/a.py 3 times"]),
    (
        "two files, one of them twice",
        [step("read", "src/a.py"), step("read", "src/b.py"), step("read", "src/a.py")],
        ["Read 2 files in src/"],
    ),
    ("one folder again", [step("list", "src/"), step("list", "src/")], ["Listed src/ 2 times"]),
    # What is searched for stands in no folder, though it may look like a path.
    ("patterns", [step("search", "src/foo"), step("search", "src/bar")], ["Searched for 2 patterns"]),
    ("one pattern again", [step("search", "foo"), step("search", "foo")], ["Searched for “foo” 2 times"]),
    ("memories", [step("recall", "a/b"), step("recall", "a/c")], ["Recalled 2 memories"]),
    (
        "pages of one site",
        [step("fetch", f"https://example.org/{n}") for n in (1, 2)],
        ["Fetched 2 pages in https://example.org/"],
    ),
    ("the task list", [step("todo"), step("todo"), step("todo")], ["Updated the task list × 3"]),
    # Each of these tells something of its own.
    ("edits", [step("edit", "a.py"), step("edit", "b.py")], ["Edited a.py", "Edited b.py"]),
    ("commands", [step("shell", "ls"), step("shell", "ls")], ["Ran `ls`", "Ran `ls`"]),
    (
        "a read that failed",
        [step("read", "a.py"), step("read", "b.py", ok=False), step("read", "c.py")],
        ["Read a.py", "Tried to read b.py — failed", "Read c.py"],
    ),
    ("reads of two turns", [step("read", "a.py"), step("read", "b.py", turn=2)], ["Read a.py", "Read b.py"]),
    ("reads by a sub-agent", [step("read", "a.py"), step("read", "b.py", via="x")], ["Read a.py", "Read b.py"]),
    ("nothing", [], []),
]


@pytest.mark.parametrize(("steps", "expected"), [row[1:] for row in REPEATS], ids=[row[0] for row in REPEATS])
def test_repeats_are_told_as_one(steps: list[Step], expected: list[str]) -> None:
    folded = fold_repeats(steps)
    assert [describe(told, ROOT) for told in folded] == expected
    assert sum(told.count for told in folded) == len(steps)
