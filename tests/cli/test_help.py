"""Help that is written from the table of commands, and what is said of a command that there is none of."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from recapd.__main__ import main, parser_of
from recapd.cli.help import write_help
from recapd.cli.table import COMMANDS, GROUPS, Command
from tests.cli.test_commands import run


def test_help_names_every_command_in_its_group(tmp_path: Path) -> None:
    shown = run("--help", home=tmp_path).stdout
    for group, title in GROUPS.items():
        _, _, below = shown.partition(f"\n{title}:\n")
        paragraph = below.partition("\n\n")[0]
        named = [line.split()[0] for line in paragraph.splitlines() if line[2] != " "]
        assert named == [command.name for command in COMMANDS if command.group == group]


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_help_fits_its_terminal(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert main(["--help"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= columns


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_the_help_of_a_command_fits_its_terminal(
    command: Command, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = parser_of(command).format_help().splitlines()
    assert max(map(len, shown)) <= columns and shown[0].startswith(f"usage: recapd {command.name} [OPTIONS]")


@pytest.mark.parametrize(
    ("typed", "meant"), [("recpa", "recap"), ("decision", "decisions"), ("session", "sessions"), ("zzz", None)]
)
def test_a_mistyped_command_names_the_one_that_was_meant(typed: str, meant: str | None, tmp_path: Path) -> None:
    done = run(typed, home=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert (f"did you mean {meant}?" in done.stderr) is (meant is not None)
    assert "recapd --help" in done.stderr and done.stderr.count("\n") == 1


def test_no_command_takes_two_lines_of_the_list_on_most_terminals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = write_help().splitlines()
    listed = [line for line in lines if line.startswith("  ")]
    assert len(listed) == len(COMMANDS)


def test_what_an_option_takes_is_named_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    recap = next(each for each in COMMANDS if each.name == "recap")
    assert "  -o, --output FILE  write the digest" in parser_of(recap).format_help()


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_row_has_its_function_and_its_help(command: Command) -> None:
    function = f"{command.name.replace('-', '_')}_command"
    assert callable(getattr(import_module(f"recapd.{command.module}"), function))
    assert command.text[:20].lower() in parser_of(command).format_help().lower()
