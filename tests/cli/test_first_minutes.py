"""What somebody sees who has just installed recapd: on a machine without logs, and on one with some."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from msgspec import structs

from recapd.cli.files import write_files
from recapd.cli.terminal import columns_of, wrap
from recapd.wire.types import FileEntry, LogRef
from tests.cli.test_commands import run
from tests.cli.test_odd_terminals import ROOT
from tests.screens.first_minutes import COLUMNS, THEN_WITH_ONE, WITH_LOGS, WITHOUT_LOGS, Seen, begin_session, walk
from tests.screens.shown import fresh_machine, write_logs
from tests.support.logs import agent, claude_log, ended, human, read, shell
from tests.support.ptys import in_terminal

# What goes into a file of somebody else's is shown as it goes there.
AS_IT_IS = ("recapd install",)


def check(taken: Iterable[Seen]) -> None:
    """Each step is found on the screen as a newcomer needs it, and nothing runs over the edge."""
    for seen in taken:
        shown = "\n".join(seen.lines)
        assert seen.code == seen.step.code and "Traceback" not in shown, f"{seen.step.command}\n{shown}"
        # A sentence may be broken anywhere between its words.
        flat = " ".join(shown.split())
        missing = [text for text in seen.step.found if text not in shown and " ".join(text.split()) not in flat]
        assert not missing, f"{seen.step.command}: {missing}\n{shown}"
        if not seen.step.command.startswith(AS_IT_IS):
            assert [line for line in seen.lines if columns_of(line) > COLUMNS] == []


@pytest.mark.timeout(300)
def test_the_first_minutes_on_a_machine_with_logs(tmp_path: Path) -> None:
    with fresh_machine(tmp_path) as machine:
        write_logs(machine.home, machine.shop)
        check(walk(machine, WITH_LOGS))


@pytest.mark.timeout(300)
def test_the_first_minutes_on_a_machine_without(tmp_path: Path) -> None:
    with fresh_machine(tmp_path) as machine:
        check(walk(machine, WITHOUT_LOGS))
        begin_session(machine)
        check(walk(machine, THEN_WITH_ONE))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "as soon as an agent writes some (claude-code, codex, pi"),
        (("sessions",), "recapd demo"),
        (("overview", "--all"), "recapd demo"),
        (("overview",), "recapd demo"),
        (("sessions", "--query", "nothing"), "No session matches"),
        (("recap",), "A made-up session"),
        (("files",), "recapd demo"),
        (("decisions",), "recapd demo"),
        (("context",), "recapd demo"),
        (("history",), "recapd demo"),
        (("search", "anything"), "recapd demo"),
        (("recap", "7"), "The last list has no number 7"),
        (("recap", "invoices"), "recapd search invoices"),
    ],
)
def test_without_logs_every_command_says_what_to_do(arguments: tuple[str, ...], said: str, tmp_path: Path) -> None:
    done = run(*arguments, home=tmp_path)
    assert said in done.stdout + done.stderr


def test_the_latest_sessions_are_the_latest_however_they_ended(tmp_path: Path) -> None:
    """One that broke off a month ago is not news because it broke off."""
    project = tmp_path / ".claude" / "projects" / "p"
    project.mkdir(parents=True)
    old = claude_log(human("an old one"), shell("make", outcome="open"), session="old")
    (project / "old.jsonl").write_bytes(ended(old, 40 * 24 * 60))
    (project / "new.jsonl").write_bytes(ended(claude_log(human("a new one"), agent("Done."), session="new"), 26 * 60))
    shown = run(home=tmp_path).stdout.splitlines()
    assert shown[:3] == ["Nothing needs you", "", "Latest sessions"]
    assert "a new one" in shown[3] and "an old one" in shown[4] and "broke off" in shown[4]


def test_a_session_without_a_turn_takes_no_place_in_the_list(tmp_path: Path) -> None:
    project = tmp_path / ".claude" / "projects" / "p"
    project.mkdir(parents=True)
    for number in range(9):
        log = claude_log(human(f"request {number}"), agent("Done."), session=f"s{number}")
        (project / f"s{number}.jsonl").write_bytes(ended(log, 2 * 24 * 60 + number))
    (project / "empty.jsonl").write_bytes(ended(claude_log(agent("Hello."), session="empty"), 24 * 60))
    shown = run(home=tmp_path).stdout.splitlines()
    assert [line.split()[0] for line in shown[3:11]] == [str(number) for number in range(1, 9)]
    # It is counted, as `recapd status` does, and among those that `recapd sessions` lists.
    assert shown[12].startswith("2 more: recapd sessions")
    assert run("sessions", home=tmp_path).stdout.count("\n") == 10
    assert run("sessions", "--limit", "4", home=tmp_path).stderr == "… 6 more; see all with --limit 10\n"


def test_a_session_that_only_read_says_so(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(claude_log(human("look at it"), read("/srv/shop/cart.py", "x"), agent("It is fine.")))
    assert run("files", str(log), home=tmp_path).stdout.startswith("No file was changed; 1 only read")


def entry(path: str) -> FileEntry:
    ref = LogRef(source="file:///log", generation="g", line=1, byte_offset=0, byte_length=1)
    return FileEntry(
        path=path, action="modified", touch_count=2, tools=(), first_turn=1, last_turn=3, failed=0, ref=ref, uri=None
    )


def test_files_are_named_below_the_folder_that_the_session_works_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    files = [entry("/home/ada/shop/src/cart.py"), entry("/home/ada/.notes"), entry("/etc/hosts")]
    lines = write_files(files, width=80, folder="/home/ada/shop/")
    assert lines[0] == "in ~/shop/"
    assert [line.split()[-1] for line in lines[1:]] == ["src/cart.py", "~/.notes", "/etc/hosts"]


def test_on_a_narrow_terminal_a_name_stands_below_what_became_of_its_file() -> None:
    files = [entry("/srv/shop/src/checkout/rate_limits.py"), structs.replace(entry("/srv/shop/a.py"), failed=1)]
    lines = write_files(files, width=30, folder="/srv/shop/")
    assert lines == [
        "in /srv/shop/",
        "modified  2×  turn 3",
        "  src/checkout/rate_limits.py",
        "modified  2×  turn 3",
        "  a.py  1 failed",
    ]
    deep = write_files([entry("/srv/" + "deep/" * 12 + "a.py")], width=30, folder="/srv/" + "deep/" * 12)
    assert max(map(columns_of, deep)) <= 30


def test_a_script_without_spaces_goes_on_where_the_line_has_room() -> None:
    lines = wrap("Assistant: " + "如月家的玄关里" * 6, 40)
    assert lines[0].startswith("Assistant: 如月") and max(map(columns_of, lines)) <= 40
    assert "".join(lines).replace(" ", "") == "Assistant:" + "如月家的玄关里" * 6


@pytest.mark.parametrize("width", [0, 1, 2])
def test_a_line_too_narrow_for_a_character_still_comes_to_an_end(width: int) -> None:
    assert wrap("如月", width) == ["如", "月"]


def test_nobody_is_told_to_go_on_with_what_is_made_up(tmp_path: Path) -> None:
    environ = {"PYTHONPATH": str(ROOT), "HOME": str(tmp_path), "RECAPD_RUNTIME_DIR": str(tmp_path / "run")}
    command = [sys.executable, "-m", "recapd", "recap", "--demo", "--no-daemon"]
    with in_terminal(command, environ=environ, cwd=tmp_path) as (terminal, process):
        seen = terminal.read_until("State:") + terminal.read_until("\n")
        process.wait()
        terminal.read_for(0.2)
    assert "Where we are" in seen and "--resume" not in seen + terminal.written
