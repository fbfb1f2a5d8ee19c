"""The file ledger: one row per file, with the net effect of what succeeded; what failed changes nothing."""

from __future__ import annotations

import pytest

from recapd.core.log.effects import FileEffect
from recapd.core.log.events import Call, Prompt, Reply, Result
from recapd.core.state.session import files_of
from recapd.core.state.transcript import FileFact, Transcript
from recapd.core.views.recap.recap import stats_of
from tests.support.logs import CWD
from tests.support.records import Row, call, did, folded, place_of, ran, record, session_with


def ledger(transcript: Transcript) -> dict[str, str]:
    """What became of each file that was touched with success."""
    return {file.path: file.action for file in transcript.files if file.touches}


def only_row(*rows: Row) -> FileFact:
    (file,) = folded(Prompt("go on with it"), *rows).files
    return file


READ = did("read", "a.py")
EDITED = did("edit", "a.py", created=False)
CREATED = did("write", "a.py", created=True)
REWRITTEN = did("write", "a.py", created=False)
WRITTEN = did("write", "a.py")
DELETED = did("delete", "a.py")

NET: list[tuple[str, list[Row], str]] = [
    ("read", [READ, READ], "read"),
    ("edited", [EDITED], "modified"),
    ("read, then edited", [READ, EDITED], "modified"),
    ("edited, then read", [EDITED, READ], "modified"),
    ("made", [CREATED], "created"),
    ("made, then edited", [CREATED, EDITED, REWRITTEN], "created"),
    ("overwritten without being read", [REWRITTEN], "modified"),
    # The log does not say whether the file was there.
    ("written", [WRITTEN], "written"),
    ("read, then written", [READ, WRITTEN], "modified"),
    ("edited into being", [did("edit", "a.py", created=True)], "created"),
    ("deleted", [DELETED], "deleted"),
    ("read, edited, deleted", [READ, EDITED, DELETED], "deleted"),
    ("deleted by the shell", [EDITED, ran("rm a.py")], "deleted"),
    ("deleted and made again", [DELETED, CREATED], "created"),
    ("moved", [ran("git mv a.py b.py")], "renamed"),
]


@pytest.mark.parametrize(("rows", "expected"), [row[1:] for row in NET], ids=[row[0] for row in NET])
def test_a_row_tells_the_net_effect(rows: list[Row], expected: str) -> None:
    transcript = folded(Prompt("go on with it"), *rows)
    assert ledger(transcript)["a.py"] == expected


NOT_DONE: list[tuple[str, Row]] = [
    ("failed", did("edit", "a.py", failed=True)),
    ("refused", did("write", "a.py", failed=True, denied=True)),
    ("undone", did("patch", "a.py", undone=True)),
    ("deleted in vain", did("delete", "a.py", failed=True)),
    ("no result", call("edit", "a.py")),
    ("a command that failed", ran("rm a.py", failed=True, exit_code=1)),
    ("a command that was refused", did("shell", "rm a.py", denied=True, failed=True)),
    (
        "a patch that did not apply",
        (Call("p", "apply_patch", "patch", effects=(FileEffect("a.py", "deleted"),)), Result("p", failed=True)),
    ),
]


@pytest.mark.parametrize("row", [row[1] for row in NOT_DONE], ids=[row[0] for row in NOT_DONE])
def test_what_was_not_done_is_no_change(row: Row) -> None:
    session = session_with(Prompt("go on with it"), row)
    assert stats_of(session).files_changed == 0
    assert ledger(session.main.transcript) == {}


@pytest.mark.parametrize("row", [row[1] for row in NOT_DONE[:4]], ids=[row[0] for row in NOT_DONE[:4]])
def test_attempts_that_failed_are_counted_on_the_file(row: Row) -> None:
    before = only_row(row)
    assert (before.touches, before.failed, before.action) == (0, 1, "read")
    after = only_row(row, EDITED, row)
    assert (after.touches, after.failed, after.action) == (1, 2, "modified")


# Command and what it does to files; the log holds the command only.
SHELL: list[tuple[str, dict[str, str]]] = [
    ("rm build/a.o", {"build/a.o": "deleted"}),
    ("unlink a.py", {"a.py": "deleted"}),
    ("git rm a.py", {"a.py": "deleted"}),
    ("mv a.py b.py", {"a.py": "renamed", "b.py": "created"}),
    ("echo x > a.txt", {"a.txt": "written"}),
    ("ls -la && cat a.py", {}),
    ("grep -rn 'rm -rf /' .", {}),
    ("docker run --rm image", {}),
    ("git rm --cached a.py", {}),
    ("npm rm left-pad", {}),
    ("pytest 2>&1 | tail -5", {}),
    ("rm $TARGET", {}),
]


@pytest.mark.parametrize(("command", "expected"), SHELL)
def test_a_command_claims_only_files_it_names_and_changes(command: str, expected: dict[str, str]) -> None:
    assert ledger(folded(Prompt("go on with it"), ran(command))) == expected


@pytest.mark.parametrize(
    "spellings",
    [
        (f"{CWD}/src/a.py", "src/a.py", "./src/a.py", f"{CWD}/lib/../src/a.py"),
        ("src/a.py", f"{CWD}/src/a.py"),
        ("src\\a.py", "src/a.py"),
        ("src/lib/a.py", "src\\lib\\a.py"),
    ],
)
def test_one_file_is_one_row_however_it_is_spelled(spellings: tuple[str, ...]) -> None:
    file = only_row(*(did("edit", path) for path in spellings))
    assert (file.path, file.touches) == (spellings[0], len(spellings))


def test_looking_around_touches_no_file() -> None:
    rows = [did("search", "TODO"), did("list", "src"), did("fetch", "https://example.org/a.py"), did("other", "a.py")]
    assert len(folded(Prompt("go on with it"), *rows).files) == 0


def test_a_row_knows_its_touches_tools_and_turns() -> None:
    file = only_row(
        did("read", "a.py", tool="Read"),
        did("edit", "a.py", tool="Edit"),
        Prompt("once more please"),
        did("edit", "a.py", tool="Edit"),
        ran("sed -i s/a/b/ a.py"),
    )
    assert file.touches == 4
    assert file.tools == ("Read", "Edit", "Shell")
    assert (file.first_turn, file.last_turn) == (1, 2)


def test_the_proof_of_a_row_is_the_latest_change_not_a_later_look() -> None:
    assert only_row(did("edit", "a.py"), did("read", "a.py")).place == place_of(2)
    assert only_row(did("read", "a.py"), did("edit", "a.py")).place == place_of(3)
    assert only_row(did("edit", "a.py", failed=True), did("edit", "a.py")).place == place_of(3)


def test_looking_at_a_changed_file_again_is_no_later_change() -> None:
    looked_again = only_row(EDITED, Prompt("and what does it say now?"), READ)
    assert (looked_again.last_turn, looked_again.at) == (1, only_row(EDITED).at)
    assert only_row(READ, Prompt("and what does it say now?"), READ).last_turn == 2


def test_a_sub_agents_change_is_told_in_its_turn_though_the_agent_looks_later() -> None:
    # The sub-agent's log begins at the same minute: its call is in the first turn.
    session = session_with(
        *(Prompt("have it changed"), Reply("It is being changed.")),
        *(Prompt("and what does it say now?"), READ),
        children=[[Prompt("change it"), EDITED]],
    )
    (row,) = files_of(session)
    assert (row.fact.action, row.turn, row.fact.touches) == ("modified", 1, 2)


# Rows, and what becomes of build/a.o, which lies below the folder.
BELOW: list[tuple[str, list[Row], str]] = [
    ("written before", [did("write", "build/a.o"), ran("rm -rf build")], "deleted"),
    ("made before", [did("write", "build/a.o", created=True), ran("rm -r ./build/")], "deleted"),
    ("read before", [did("read", "build/a.o"), ran("rm -rf build")], "deleted"),
    ("the folder of its folder", [did("write", "build/a.o"), ran(f"rm -rf {CWD}")], "deleted"),
    ("by the tool for that", [did("write", "build/a.o"), did("delete", "build")], "deleted"),
    ("a second time", [ran("rm -rf build"), did("write", "build/a.o"), ran("rm -rf build")], "deleted"),
    ("in the same command", [ran("touch build/a.o; rm -rf build")], "deleted"),
    ("made again", [did("write", "build/a.o"), ran("rm -rf build"), ran("touch build/a.o")], "modified"),
    ("made again by it", [did("write", "build/a.o"), ran("rm -rf build; touch build/a.o")], "written"),
    ("another with such a name", [did("write", "build/a.o"), ran("rm -rf buil build2")], "written"),
    ("moved away before", [did("write", "build/a.o"), ran("mv build/a.o a.o"), ran("rm -rf build")], "renamed"),
    ("in vain", [did("write", "build/a.o"), ran("rm -rf build", exit_code=1)], "written"),
]


@pytest.mark.parametrize(("rows", "expected"), [row[1:] for row in BELOW], ids=[row[0] for row in BELOW])
def test_what_lies_below_a_deleted_folder_is_deleted(rows: list[Row], expected: str) -> None:
    transcript = folded(Prompt("go on with it"), *rows)
    assert ledger(transcript)["build/a.o"] == expected


# Rows, and what is known of the files afterwards.
_TO_PARTS = {"src/a.py": "renamed", f"{CWD}/parts/a.py": "created"}
MOVED: list[tuple[str, list[Row], dict[str, str]]] = [
    ("its folder", [ran("mv src parts")], _TO_PARTS),
    ("by its whole name", [ran(f"mv {CWD}/src {CWD}/parts")], _TO_PARTS),
    ("by git", [ran("git mv src parts")], _TO_PARTS),
    (
        "into a folder that is there",
        [did("write", "parts/b.py"), ran("mv src parts")],
        {"src/a.py": "renamed", "parts/b.py": "written", f"{CWD}/parts/src/a.py": "created"},
    ),
    (
        "and deleted",
        [ran("mv src parts; rm -r parts")],
        _TO_PARTS | {f"{CWD}/parts/a.py": "deleted", "parts": "deleted"},
    ),
    ("another with such a name", [ran("mv sr parts")], {"src/a.py": "written", "sr": "renamed", "parts": "created"}),
    ("where to is not certain", [ran("mv src lib")], {"src/a.py": "renamed"}),
    ("in vain", [ran("mv src parts", exit_code=1)], {"src/a.py": "written"}),
]


@pytest.mark.parametrize(("rows", "expected"), [row[1:] for row in MOVED], ids=[row[0] for row in MOVED])
def test_what_lies_below_a_moved_folder_is_moved(rows: list[Row], expected: dict[str, str]) -> None:
    transcript = folded(Prompt("go on with it"), did("write", "src/a.py"), *rows)
    assert ledger(transcript) == expected


def test_a_file_that_went_with_its_folder_says_when_and_where() -> None:
    transcript = folded(
        Prompt("go on with it"), did("write", "build/a.o"), Prompt("clean up please"), ran("rm -rf build")
    )
    file = next(file for file in transcript.files if file.path == "build/a.o")
    assert (file.last_turn, file.place) == (2, place_of(4))
    assert [(change.action, change.turn) for change in transcript.changes if change.file == 0] == [
        ("written", 1),
        ("deleted", 2),
    ]


@pytest.mark.parametrize("stated_by", ["call", "result"])
def test_a_patch_changes_all_the_files_it_names(stated_by: str) -> None:
    effects = (FileEffect("a.py", "created"), FileEffect("b.py", "modified"), FileEffect("c.py", "renamed", "d.py"))
    by_call, by_result = (effects, ()) if stated_by == "call" else ((), effects)
    transcript = folded(
        Prompt("go"), (Call("p", "apply_patch", "patch", "a.py", effects=by_call), Result("p", effects=by_result))
    )
    assert ledger(transcript) == {"a.py": "created", "b.py": "modified", "c.py": "renamed", "d.py": "created"}
    assert next(file.renamed_to for file in transcript.files if file.path == "c.py") == "d.py"


def test_what_a_result_says_outweighs_what_the_call_wanted() -> None:
    wanted = Call("p", "apply_patch", "patch", effects=(FileEffect("a.py", "created"),))
    transcript = folded(Prompt("go"), (wanted, Result("p", effects=(FileEffect("a.py", "modified"),))))
    assert ledger(transcript) == {"a.py": "modified"}


def test_a_file_that_only_a_sub_agent_touched_says_so() -> None:
    by_agent = record(*did("edit", "a.py"), via="scout")
    assert only_row(by_agent).via == "scout"
    assert only_row(by_agent, did("edit", "a.py")).via == ""
    assert only_row(did("edit", "a.py"), by_agent).via == ""


def test_files_are_listed_by_their_last_change_or_look() -> None:
    session = session_with(
        Prompt("go on with it"),
        did("read", "c.py"),
        did("edit", "a.py"),
        did("edit", "b.py"),
        Prompt("and more of it"),
        did("read", "a.py"),
        did("read", "c.py"),
    )
    assert [row.fact.path for row in files_of(session)] == ["a.py", "b.py", "c.py"]
