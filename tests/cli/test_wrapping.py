"""Text on a terminal: where it may be broken and cut, and where not."""

from __future__ import annotations

import io
import sys

import pytest

from recapd.cli.markdown import render_lines
from recapd.cli.terminal import columns_of, cut_in_the_middle, cut_to, fill, fill_lines, lay_beside, tell_failure, wrap


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def has_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    for name in ("NO_COLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("See: recapd demo", "See: \x1b[36mrecapd demo\x1b[0m"),
        # What ends a sentence behind it is nothing to type.
        ("with: recapd sessions, or not", "with: \x1b[36mrecapd sessions\x1b[0m, or not"),
        ("Twice: recapd down, then: recapd up.", "Twice: \x1b[36mrecapd down\x1b[0m, then: \x1b[36mrecapd up\x1b[0m."),
        ("recapd is not running.", "recapd is not running."),
    ],
)
@pytest.mark.usefixtures("has_colours")
def test_what_is_to_be_typed_has_one_colour_everywhere(text: str, shown: str) -> None:
    assert fill(Terminal(), text) == shown
    assert fill(io.StringIO(), text) == text


@pytest.mark.usefixtures("has_colours")
def test_a_command_in_a_faint_text_is_no_fainter() -> None:
    shown = fill_lines(Terminal(), "all of them: recapd top", 80, indent=2, colour="2")
    assert shown == ["  \x1b[2mall of them: \x1b[0m\x1b[36mrecapd top\x1b[0m"]


@pytest.mark.usefixtures("has_colours")
def test_whose_words_a_failure_is_told_in_stands_out(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = Terminal()
    monkeypatch.setattr(sys, "stderr", stderr)
    tell_failure("recapd recap", "that is too much.")
    assert stderr.getvalue() == "\x1b[1;31mrecapd recap:\x1b[0m that is too much.\n"


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        # Whoever copies a command wants it whole.
        (
            "There is no command recpa; did you mean recap? See them all with: recapd --help",
            75,
            ["There is no command recpa; did you mean recap? See them all with:", "recapd --help"],
        ),
        ("see them with: recapd sessions, or not at all", 20, ["see them with:", "recapd sessions, or", "not at all"]),
        # One that is longer than any line is broken as words are.
        (
            "say: recapd search " + "word " * 20,
            60,
            [
                "say: recapd search word word word word word word word word",
                "word word word word word word word word word word word word",
            ],
        ),
        ("in /srv/projects/shop/checkout/cart.py", 20, ["in", "/srv/projects/shop/", "checkout/cart.py"]),
        ("ja: 支払いページの翻訳を直しました", 20, ["ja: 支払いページの翻", "訳を直しました"]),
        ("玄关里，镜子上还残留着水雾", 6, ["玄关", "里，镜", "子上还", "残留着", "水雾"]),
    ],
)
def test_lines_are_broken_where_it_hurts_least(text: str, width: int, lines: list[str]) -> None:
    assert wrap(text, width) == lines
    assert max(map(columns_of, lines)) <= width


@pytest.mark.parametrize(
    ("text", "width", "cut"),
    [
        ("Rate limiting per API key — Should it be?", 28, "Rate limiting per API key…"),
        ("支払いページの翻訳を直す", 10, "支払いペ…"),
        ("short", 5, "short"),
    ],
)
def test_nothing_dangles_before_the_mark_of_a_cut(text: str, width: int, cut: str) -> None:
    assert cut_to(text, width) == cut and columns_of(cut) <= width


def test_a_name_in_wide_characters_is_cut_by_its_columns() -> None:
    assert columns_of(cut_in_the_middle("/srv/支払いページの翻訳を直す/支払い.json", 20)) <= 20


def test_what_only_joins_or_varies_characters_takes_no_column() -> None:
    assert columns_of("⚠\ufe0f") == 1 and columns_of("e\u0301") == 1 and columns_of("a\u200db") == 2


@pytest.mark.parametrize(
    ("width", "laid"),
    [
        (None, [("turn 1  you  ", "Sort the invoices by date, please")]),
        (40, [("turn 1  you  ", "Sort the invoices by date,"), (" " * 13, "please")]),
        # Where twenty columns are not left beside it, a text stands below what it belongs to.
        (30, [("turn 1  you", ""), ("  ", "Sort the invoices by date,"), ("  ", "please")]),
    ],
)
def test_a_text_stands_beside_its_lead_where_that_leaves_it_room(width: int, laid: list[tuple[str, str]]) -> None:
    assert lay_beside("turn 1  you  ", "Sort the invoices by date, please", width) == laid


def test_a_mark_behind_code_is_no_code() -> None:
    (line,) = render_lines("Ran `pytest -q`; **all** pass", width=60, has_colours=True)
    assert line == "Ran \x1b[36mpytest -q\x1b[0m; \x1b[1mall\x1b[0m pass"


def test_a_script_without_spaces_goes_on_behind_its_label() -> None:
    first, *_ = render_lines("- **Recent:** " + "如月家的玄关里" * 8, width=40, has_colours=False)
    assert first.startswith("• Recent: 如月") and columns_of(first) >= 38


def test_what_is_for_programs_alone_is_not_shown() -> None:
    assert render_lines("<!-- recapd:recap 1 -->\n# Recap", width=60, has_colours=False) == ["Recap"]
