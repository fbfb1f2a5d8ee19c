"""Lists of sessions, and naming a session by what a list shows: its number, its id, words of its title."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from recapd.cli import finding
from recapd.cli.picture import draw_session
from recapd.cli.rows import paint_nothing, write_age, write_head, write_rows
from recapd.cli.sight import write_hints
from recapd.cli.terminal import columns_of, cut_in_the_middle
from recapd.wire.errors import NOT_READY, RecapError
from recapd.wire.types import ErrorData
from tests.cli.test_commands import run
from tests.support.logs import agent, claude_log, human

NOW = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("passed", "shown"),
    [
        (timedelta(seconds=20), "just now"),
        (timedelta(minutes=4), "4 min ago"),
        (timedelta(hours=3), "3 h ago"),
        (timedelta(days=1, hours=2), "1 day ago"),
        (timedelta(days=9), "9 days ago"),
        (timedelta(days=40), "29 Jan"),
        (timedelta(days=400), "Feb 2025"),
    ],
)
def test_ages_are_told_as_one_says_them(passed: timedelta, shown: str) -> None:
    assert write_age((NOW - passed).isoformat(), NOW) == shown


def row(number: int, **more: object) -> dict[str, object]:
    at = (NOW - timedelta(hours=number)).isoformat()
    said = {
        "id": f"claude-code:{number}aaaaaaaaaaa",
        "title": f"task {number}",
        "state": "answered",
        "lastActiveAt": at,
    }
    return said | {"workspace": f"/home/me/project-with-a-long-name-{number}"} | more


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_lists_fit_their_terminal_and_keep_state_and_title(width: int) -> None:
    rows = [
        row(1, state="waiting", needs="answer", question="Shall I drop the old table now, or after the release?"),
        row(2),
    ]
    lines = write_rows(rows, now=NOW, width=width)
    assert max(map(columns_of, lines)) <= width
    assert all(word in lines[0] for word in ("needs you", "task 1"))


def test_a_list_of_eighty_columns_has_ids_projects_and_ages() -> None:
    (line,) = write_rows([row(1, title="a title that is much longer than what is left for it")], now=NOW, width=80)
    assert all(said in line for said in ("1aaaaaaa", "project-wit…", "1 h ago", "a title that is much longe"))


def test_colours_change_no_column() -> None:
    rows = [row(1, state="waiting", needs="answer"), row(2)]
    painted = write_rows(rows, now=NOW, width=80, paint=lambda text, code: f"<{text}>" if code else text)
    plain = write_rows(rows, now=NOW, width=80)
    assert [line.replace("<", "").replace(">", "") for line in painted] == plain
    assert "<● needs you>" in painted[0] and "<task 1>" in painted[0] and "<task 2>" not in painted[1]


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (120, "● needs you  Rate limiting per API key · shop · 3 h ago · 3aaaaaaa · claude-code · main"),
        (80, "● needs you  Rate limiting per API key · shop · 3 h ago · 3aaaaaaa · claude-code"),
        (60, "● needs you  Rate limiting per API key · shop · 3 h ago"),
        (30, "● needs you  Rate limiting pe…"),
    ],
)
def test_the_line_above_a_page_says_of_which_session_it_is(width: int, shown: str) -> None:
    asks = {"state": "waiting", "needs": "answer", "question": "Which one?", "branch": "main"}
    told = row(3, title="Rate limiting per API key", workspace="/srv/shop", agent="claude-code", **asks)
    assert write_head(told, now=NOW, width=width) == shown and columns_of(shown) <= width


@pytest.mark.parametrize("width", [120, 80, 60, 40])
def test_what_to_type_next_is_never_broken(width: int) -> None:
    hints = [
        "185 more: recapd sessions",
        "one of them: recapd recap 1",
        "live: recapd top",
        "all commands: recapd --help",
    ]
    lines = write_hints(hints, width)
    assert " · ".join(lines) == " · ".join(hints) and max(map(columns_of, lines)) <= width


def test_a_list_in_a_pipe_is_whole() -> None:
    (line,) = write_rows([row(3, title="a " * 100 + "end")], now=NOW, width=None)
    assert "end" in line and "project-with-a-long-name-3" in line and "3aaaaaaa" in line


def test_a_folder_with_a_line_break_in_its_name_makes_no_row_of_its_own() -> None:
    (line,) = write_rows([row(1, workspace="/home/me/a\n2  ● needs you")], now=NOW, width=120)
    assert "\n" not in line


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ({"turns": 0, "messages": 0}, "○ empty"),
        ({"turns": 0, "messages": 3}, "○ not asked"),
        ({"turns": 0, "messages": 3, "question": "Which one?"}, "○ left open"),
        ({"turns": 1, "messages": 2}, "○ answered"),
        # A daemon of an older version does not say.
        ({}, "○ answered"),
    ],
)
def test_where_nobody_asked_nothing_was_answered(said: dict[str, object], shown: str) -> None:
    row = {"id": "pi:1", "title": "", "state": "answered", "lastActiveAt": NOW.isoformat(), **said}
    (line,) = write_rows([row], now=NOW, width=None)
    assert shown in line


def home_with(tmp_path: Path, *requests: str) -> Path:
    project = tmp_path / ".claude" / "projects" / "p"
    project.mkdir(parents=True)
    for number, request in enumerate(requests):
        log = claude_log(human(request), agent("Done."), session=f"s{number}")
        (project / f"s{number}.jsonl").write_bytes(log)
    return tmp_path


def test_a_session_is_named_by_its_number_in_the_last_list(tmp_path: Path) -> None:
    home = home_with(tmp_path, "sort the invoices by date", "translate the menu into Danish")
    listed = run("sessions", home=home).stdout.splitlines()
    for line in listed:
        number = line.split()[0]
        shown = run("recap", number, home=home).stdout
        assert ("invoices" in line) == ("invoices" in shown) and ("Danish" in line) == ("Danish" in shown)
    kept = next(tmp_path.rglob("last-list.json"))
    assert kept.stat().st_mode & 0o777 == 0o600
    # What is no session in it is passed over.
    kept.write_text('[5, {"a": "b", "c": "d"}, ["claude-code:s0", 3], "claude-code:s1"]')
    assert "Danish" in run("recap", "1", home=home).stdout


def test_a_session_of_any_folder_is_named_by_its_number_and_the_beginning_of_its_id(tmp_path: Path) -> None:
    home, folder = home_with(tmp_path / "home", "never meant"), tmp_path / "folder"
    folder.mkdir()
    (folder / "alone.jsonl").write_bytes(claude_log(human("plan the greenhouse"), agent("Done."), session="alone-1"))
    chats = "".join(
        f"\n# aider chat started at 2026-02-0{day} 04:05:06\n\n> Aider v0.86.1  \n\n#### {asked}  \n\nDone.\n"
        for day, asked in ((3, "paint the fence"), (4, "mend the roof"))
    )
    (folder / ".aider.chat.history.md").write_text(chats)
    listed = run("sessions", str(folder), home=home).stdout.splitlines()
    assert len(listed) == 3
    titles = ("plan the greenhouse", "paint the fence", "mend the roof")
    for number, line in enumerate(listed, 1):
        title = next(each for each in titles if each in line)
        short_id = line.partition(title)[0].split()[-1]
        for name in (str(number), short_id):
            assert title in run("recap", name, home=home).stdout, name
    # What is told to type next names it, too.
    hint = run("decisions", str(folder / "alone.jsonl"), home=home).stdout
    assert f"recapd decisions {folder / 'alone.jsonl'} --all" in hint


def test_a_session_is_named_by_words_of_its_title(tmp_path: Path) -> None:
    home = home_with(tmp_path, "sort the invoices by date", "translate the menu into Danish", "sort the menu")
    assert "Danish" in run("recap", "danish menu", home=home).stdout
    several = run("recap", "sort", home=home)
    assert several.returncode == 1 and "Several sessions fit “sort”" in several.stderr
    assert "invoices" in several.stderr and "sort the menu" in several.stderr
    # Words that one title begins with mean it, though they stand within another.
    assert (
        "Danish"
        in run(
            "recap",
            "translate the menu",
            home=home_with(tmp_path / "two", "do not translate the menu", "translate the menu into Danish"),
        ).stdout
    )
    none = run("recap", "nowhere", home=home)
    assert none.returncode == 1 and "recapd sessions" in none.stderr


def test_alone_it_shows_the_sessions_and_what_to_type_next(tmp_path: Path) -> None:
    home = home_with(tmp_path, "sort the invoices by date", "translate the menu into Danish")
    shown = run(home=home).stdout
    assert shown.startswith("Nothing needs you\n")
    assert "invoices" in shown and "recapd recap 1" in shown
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "recapd demo" in run(home=empty).stdout


def test_a_session_is_drawn_in_blocks() -> None:
    turns = [
        {"turn": 1, "calls": 2, "failed": 0, "edits": 1},
        {"turn": 2, "calls": 8, "failed": 0, "edits": 0},
        {"turn": 3, "calls": 0, "failed": 0, "edits": 0},
    ]
    marks = [{"turn": 2, "kind": "testsFailed"}, {"turn": 2, "kind": "decision"}, {"turn": 3, "kind": "gap"}]
    assert draw_session(turns, marks, width=40, paint=paint_nothing) == ["▃▃▃ ███ ⋯ ▁▁▁", "    ✗◆"]
    assert draw_session(turns, marks, width=8, paint=paint_nothing) == ["▃█⋯▁", " ✗"]
    legend = draw_session(turns, marks, width=40, paint=paint_nothing, with_legend=True)[2:]
    assert legend == ["▂▅█ calls of a turn   ◆ decision", "✗ tests failed   ⋯ break"]
    # Only where there are colours can blocks be told apart by them.
    painted = draw_session(turns, marks, width=60, paint=lambda text, code: f"<{code}>{text}", with_legend=True)
    assert painted[2] == "<>▂▅█ <2>calls of a turn   <32>█ <2>files changed   <34>█ <2>none changed"
    assert draw_session([], [], width=40, paint=lambda text, _: text) == []


@pytest.mark.parametrize("width", [1, 7, 40])
def test_however_many_turns_the_picture_fits(width: int) -> None:
    turns = [{"turn": number, "calls": number % 9, "failed": 0, "edits": 0} for number in range(1, 500)]
    marks = [{"turn": number, "kind": "gap"} for number in range(10, 500, 50)]
    lines = draw_session(turns, marks, width=width, paint=lambda text, _: text)
    assert 0 < max(map(len, lines)) <= width


def test_long_names_are_cut_in_the_middle() -> None:
    cut = cut_in_the_middle("src/shop/checkout/very/deep/folder/cart_test.py", 24)
    assert len(cut) == 24 and cut.startswith("src/") and cut.endswith("cart_test.py")


@pytest.mark.parametrize(("wanted", "is_coloured"), [("always", True), ("never", False), ("auto", False)])
def test_colours_are_as_asked(wanted: str, is_coloured: bool, tmp_path: Path) -> None:
    home = home_with(tmp_path, "sort the invoices by date")
    (tmp_path / ".claude" / "projects" / "p" / "t.jsonl").write_bytes(claude_log(human("never answered"), session="t"))
    assert ("\x1b[" in run("sessions", "--color", wanted, home=home).stdout) is is_coloured


def test_a_list_that_cannot_be_had_is_no_empty_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever is told that nothing is called so looks for another name, instead of at what is amiss."""

    def refuse(*_: object, **__: object) -> None:
        raise RecapError(NOT_READY, "The daemon does not answer.", ErrorData(retryable=True))

    monkeypatch.setattr(finding, "ask", refuse)
    with pytest.raises(RecapError, match="does not answer"):
        finding.selector_of("invoices", use_daemon=True)
