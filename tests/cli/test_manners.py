"""Commands behave as people expect: mistakes in a sentence, dates in timelines, a word where something takes long."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import structs

from recapd.__main__ import main, parser_of
from recapd.cli.commands import DEMO_LOG
from recapd.cli.progress import Progress
from recapd.cli.rows import paint_nothing
from recapd.cli.table import COMMANDS
from recapd.cli.terminal import columns_of
from recapd.cli.timeline import write_timeline
from recapd.wire.types import ViewItem
from tests.cli.test_commands import run
from tests.support.ptys import in_terminal

# Runs what is given to it while progress is shown, in a terminal of its own.
SLOW = "import os, time\nfrom recapd.cli.progress import Progress\nwith Progress('Reading'):\n    {}\nprint('over')"
UNTIL_SEEN = "while not os.path.exists('seen'): time.sleep(0.01)"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("recpa",), "There is no command recpa; did you mean recap?"),
        (("recap", "--fromat", "full"), "--fromat is not known here; did you mean --format?"),
        (("recap", "--format", "fulll"), "'fulll' (choose from 'short', 'full'"),
        (("install",), "TARGET"),
        (("recap", "--max-tokens", "abc"), "--max-tokens: abc is no whole number"),
        (("demo", "--speed", "0"), "--speed: 0 is not more than 0"),
        (("-x",), "There is no option -x."),
    ],
)
def test_a_mistake_is_told_in_a_sentence(arguments: tuple[str, ...], said: str, tmp_path: Path) -> None:
    done = run(*arguments, home=tmp_path)
    assert done.returncode == 2 and done.stdout == ""
    assert said in done.stderr and "--help" in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("recap", " "), "An empty name is no session; see them with: recapd sessions"),
        (("recap", "???", "--no-daemon"), "“???”; see them with: recapd sessions\n"),
        (("recap", "it's", "--no-daemon"), "recapd search 'it'\"'\"'s'"),
        (("sessions", "nowhere"), "There is no folder nowhere"),
        (("sessions", "--limit", "0"), "--limit must be at least 1."),
        (("overview", "--limit", "-1"), "--limit must be at least 1."),
        (("search", "cache", "--limit", "-1"), "--limit must be at least 1."),
        (("recap", "--max-tokens", "0"), "--max-tokens must be at least 1."),
        (("recap", "--at-turn", "1", "--since-turn", "2"), "--since-turn must lie before --at-turn."),
        (
            ("recap", "--demo", "--at-turn", "1", "--budget", "99"),
            "A digest is of the whole session: it takes no --at-",
        ),
        (("recap", "--demo", "--copy", "--budget", "99"), "A digest is of the whole session: it takes no --copy."),
        (("recap", "--demo", "--budget", "1"), "Nothing of a digest fits into 1 tokens"),
        (("recap", "--demo", "--budget", "5"), "Nothing of a digest fits into 5 tokens; 50 are enough to begin with."),
        (("recap", "--demo", "--max-tokens", "5"), "Nothing of a recap fits into 5 tokens; 50 are enough to begin"),
        (("recap", "--demo", "--max-tokens", "20", "--format", "timeline"), "Nothing of a recap fits into 20 tokens"),
        (("recap", "--demo", "--max-tokens", "5", "--copy"), "Nothing of a recap fits into 5 tokens"),
        (("why", "src/a.py:3-1"), "src/a.py:3-1 names no lines; the first comes before the last: FILE:FROM-TO."),
        (("overview", "nowhere"), "There is no folder"),
        (("call", "recap/get", "{"), "The params are no JSON"),
        (("recap", "claude-code:" + "0" * 32), "see them with: recapd sessions"),
    ],
)
def test_what_is_not_there_is_told_with_what_to_type(arguments: tuple[str, ...], said: str, tmp_path: Path) -> None:
    done = run(*arguments, home=tmp_path)
    assert done.returncode == 1 and done.stdout == ""
    assert said in done.stderr and done.stderr.count("\n") == 1


def item(turn: int, at: str | None, text: str, *results: str) -> ViewItem:
    children = tuple(ViewItem(id=each, text=each, turn=turn, refs=()) for each in results)
    return ViewItem(id=text, text=text, turn=turn, refs=(), at=at, children=children)


def test_options_may_stand_between_the_words_of_a_command() -> None:
    parsers = {command.name: parser_of(command) for command in COMMANDS if command.name in ("call", "recap")}
    call = parsers["call"].parse_args(["recap/get", "--no-daemon", "{}"])
    assert (call.method, call.params, call.no_daemon) == ("recap/get", "{}", True)
    assert parsers["recap"].parse_args(["rate", "--format", "full", "limiting"]).log == "rate limiting"
    # What stands behind two hyphens is no option.
    assert parsers["recap"].parse_args(["--", "--format"]).log == "--format"


@pytest.fixture
def in_greenwich(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as there:
        there.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("in_greenwich")
def test_a_timeline_tells_days_and_times() -> None:
    items = [
        item(1, "2026-03-01T09:05:00Z", "sort the invoices by date and by customer", "they are sorted"),
        item(12, "2026-03-01T17:00:00Z", "and by amount"),
        item(13, "2026-03-02T08:00:00Z", "now print them"),
        item(14, None, "when was this"),
    ]
    text = write_timeline(items, turns=[], marks=[], width=40, paint=paint_nothing)
    assert text.split("\n") == [
        "Sunday, 1 March 2026",
        "  9:05  turn 1   sort the invoices by",
        "                 date and by customer",
        "                 • they are sorted",
        " 17:00  turn 12  and by amount",
        "",
        "Monday, 2 March 2026",
        "  8:00  turn 13  now print them",
        "",
        "At an unknown time",
        "        turn 14  when was this",
    ]
    assert max(map(columns_of, text.split("\n"))) <= 40


@pytest.mark.usefixtures("in_greenwich")
def test_on_a_narrow_terminal_a_turn_stands_below_its_time() -> None:
    sorting = item(1, "2026-03-01T09:05:00Z", "sort the invoices by date and by customer", "they are sorted")
    text = write_timeline([structs.replace(sorting, to_turn=14)], turns=[], marks=[], width=30, paint=paint_nothing)
    assert text.split("\n")[1:] == [
        "  9:05  turns 1–14",
        "  sort the invoices by date",
        "  and by customer",
        "  • they are sorted",
    ]


@pytest.mark.usefixtures("in_greenwich")
def test_several_turns_in_one_row_of_a_timeline_are_named_so() -> None:
    several = structs.replace(item(1, "2026-03-01T09:05:00Z", "sort them"), to_turn=4)
    text = write_timeline([several], turns=[], marks=[], width=40, paint=paint_nothing)
    assert text.endswith("  9:05  turns 1–4  sort them")


def test_a_word_comes_after_a_second_of_silence_and_goes_again(tmp_path: Path) -> None:
    environ = {"PYTHONPATH": str(Path(__file__).parents[2])}
    with in_terminal([sys.executable, "-c", SLOW.format(UNTIL_SEEN)], environ=environ, cwd=tmp_path) as (terminal, _):
        assert terminal.read_until("Reading … ") == "\r\x1b[KReading … "
        assert int(terminal.read_until(" s")[:-2]) >= 1
        (tmp_path / "seen").touch()
        assert terminal.read_until("over").endswith("\r\x1b[Kover")


def test_what_answers_at_once_says_nothing_of_itself(tmp_path: Path) -> None:
    environ = {"PYTHONPATH": str(Path(__file__).parents[2])}
    with in_terminal([sys.executable, "-c", SLOW.format("pass")], environ=environ, cwd=tmp_path) as (terminal, _):
        assert terminal.read_until("over") == "over"


def test_a_terminal_that_cannot_write_anew_is_told_of_no_progress(tmp_path: Path) -> None:
    environ = {"PYTHONPATH": str(Path(__file__).parents[2]), "TERM": "dumb"}
    command = [sys.executable, "-c", SLOW.format("time.sleep(1.6)")]
    with in_terminal(command, environ=environ, cwd=tmp_path) as (terminal, _):
        assert terminal.read_until("over") == "over"


def test_a_pipe_is_told_of_no_progress(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress("Reading"):
        time.sleep(0)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("option", [("--color", "always"), ("--color=always",)])
def test_colours_may_be_asked_for_before_the_command(
    option: tuple[str, ...], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Set here so that it is put back.
    monkeypatch.setenv("CLICOLOR_FORCE", "0")
    assert main([*option, "files", "--no-daemon", str(DEMO_LOG)]) == 0
    assert "\x1b[3" in capsys.readouterr().out


def test_the_picture_of_a_timeline_ends_where_the_timeline_does(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[int] = []

    def note_turns(items: object, *, turns: list[dict[str, int]], marks: list[dict[str, int]], **_: object) -> str:
        drawn.append(max(row["turn"] for row in (*turns, *marks)))
        return ""

    monkeypatch.setattr("recapd.cli.timeline.write_timeline", note_turns)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    for at_turn in ((), ("--at-turn", "1")):
        assert main(["recap", "--no-daemon", str(DEMO_LOG), "--format", "timeline", *at_turn]) == 0
    assert drawn == [2, 1]
