"""What is over is over: commits that git took back, and what only they changed; a push that was refused."""

from __future__ import annotations

import pytest

from recapd.adapters.aider.adapter import split
from recapd.adapters.aider.blocks import parse
from recapd.core.commands.history import TakenBack, taken_back
from recapd.core.log.events import Prompt
from recapd.core.state.folding import extend
from recapd.core.state.transcript import EMPTY
from tests.support.records import Row, did, folded, ran, tape


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("git reset --hard HEAD~1", TakenBack(last=1)),
        ("cd a && git reset --soft HEAD~2 && git status", TakenBack(last=2, keeps_files=True)),
        ("git reset HEAD^^", TakenBack(last=2, keeps_files=True)),
        ("git -C a reset --hard 1a2b3c4", TakenBack(since="1a2b3c4")),
        ("git reset --hard origin/main && git pull", TakenBack()),
        ("git revert HEAD --no-edit", TakenBack(last=1)),
        ("git revert --no-edit 1a2b3c4", TakenBack(only="1a2b3c4")),
        # Only what is staged, or what is not committed.
        ("git reset && git add -A", None),
        ("git reset HEAD a.py", None),
        ("git reset a.py", None),
        ("git reset --hard", None),
        ("git reset --hard HEAD", None),
        ("git revert --abort", None),
        ("npm run db:reset", None),
        ("echo git reset --hard HEAD~1", None),
    ],
)
def test_which_commits_a_command_takes_back(command: str, expected: TakenBack | None) -> None:
    assert taken_back(command) == expected


def commit(title: str, digest: str) -> Row:
    return ran(f"git commit -am '{title}'", f"[main {digest}] {title}\n 1 file changed")


ONE, TWO = commit("One", "1111111"), commit("Two", "2222222")
EDIT_A, EDIT_B = did("edit", "/a.py"), did("edit", "/b.py")
HISTORIES: list[tuple[str, list[Row], list[str], list[str]]] = [
    ("nothing", [EDIT_A, ONE, EDIT_B, TWO], ["One", "Two"], ["/a.py", "/b.py"]),
    ("the last", [EDIT_A, ONE, EDIT_B, TWO, ran("git reset --hard HEAD~1")], ["One"], ["/a.py"]),
    ("the last, softly", [EDIT_A, ONE, EDIT_B, TWO, ran("git reset --soft HEAD~1")], ["One"], ["/a.py", "/b.py"]),
    ("both", [EDIT_A, ONE, EDIT_B, TWO, ran("git reset --hard HEAD~2")], [], []),
    ("down to one", [EDIT_A, ONE, EDIT_B, TWO, ran("git reset --hard 1111111")], ["One"], ["/a.py"]),
    ("the first alone", [EDIT_A, ONE, EDIT_B, TWO, ran("git revert --no-edit 1111111")], ["Two"], ["/b.py"]),
    ("in vain", [EDIT_A, ONE, ran("git reset --hard HEAD~1", "fatal", exit_code=128)], ["One"], ["/a.py"]),
    ("a file of both", [EDIT_A, ONE, EDIT_A, TWO, ran("git reset --hard HEAD~1")], ["One"], ["/a.py"]),
    ("done again", [EDIT_A, ONE, ran("git reset --hard HEAD~1"), EDIT_B, TWO], ["Two"], ["/b.py"]),
    ("amended", [EDIT_A, ONE, ran("git commit --amend -m 'Better'", "[main 3333333] Better")], ["Better"], ["/a.py"]),
]


@pytest.mark.parametrize(
    ("rows", "commits", "files"), [row[1:] for row in HISTORIES], ids=[row[0] for row in HISTORIES]
)
def test_what_git_took_back_was_never_reached(rows: list[Row], commits: list[str], files: list[str]) -> None:
    records = tape(Prompt("go on with it"), *rows)
    transcript = extend(EMPTY, records)
    assert [each.text.removeprefix("Committed: ") for each in transcript.milestones] == commits
    assert [fact.path for fact in transcript.files if fact.action != "read"] == files
    one_by_one = EMPTY
    for each in records:
        one_by_one = extend(one_by_one, [each])
    assert one_by_one == transcript


REFUSED = "To example.org:a.git\n ! [rejected]        main -> main (fetch first)\nerror: failed to push some refs"


@pytest.mark.parametrize(
    ("command", "output", "ok"),
    [
        ("git push 2>&1 | tail -3", REFUSED, False),
        ("git push", "   1a2b3c4..5d6e7f8  main -> main", True),
        ("cat push.log", "all is well", True),
    ],
)
def test_a_push_that_was_refused_is_no_push(command: str, output: str, ok: bool) -> None:
    (step,) = folded(Prompt("push it"), ran(command, output)).steps
    assert step.ok is ok


def test_what_aider_undid_was_never_reached() -> None:
    log = "\n".join(
        (
            "# aider chat started at 2026-02-03 04:05:06",
            "",
            "#### Rename the parser  ",
            "",
            "Renamed.",
            "",
            "> Applied edit to parser.py  ",
            "> Commit 1a2b3c4 refactor: Rename the parser  ",
            "",
            "#### /undo  ",
            "> Removed: 1a2b3c4 refactor: Rename the parser  ",
            "> Now at:  5d6e7f8 initial  ",
            "",
        )
    ).encode()
    transcript = extend(EMPTY, [record for piece, place in split(log).pieces for record in parse(piece, place)[0]])
    assert transcript.milestones == ()
    assert [(fact.path, fact.action) for fact in transcript.files] == [("parser.py", "read")]
