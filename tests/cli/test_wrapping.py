"""Text on a terminal: where it may be broken and cut, and where not."""

from __future__ import annotations

import pytest

from recapd.cli.markdown import render_lines
from recapd.cli.terminal import columns_of, cut_in_the_middle, cut_to, wrap


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


def test_a_mark_behind_code_is_no_code() -> None:
    (line,) = render_lines("Ran `pytest -q`; **all** pass", width=60, has_colours=True)
    assert line == "Ran \x1b[36mpytest -q\x1b[0m; \x1b[1mall\x1b[0m pass"


def test_a_script_without_spaces_goes_on_behind_its_label() -> None:
    first, *_ = render_lines("- **Recent:** " + "如月家的玄关里" * 8, width=40, has_colours=False)
    assert first.startswith("• Recent: 如月") and columns_of(first) >= 38


def test_what_is_for_programs_alone_is_not_shown() -> None:
    assert render_lines("<!-- recapd:recap 1 -->\n# Recap", width=60, has_colours=False) == ["Recap"]
