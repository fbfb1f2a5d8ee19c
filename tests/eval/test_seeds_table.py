"""The table of what each seed's user types holds what it says."""

from __future__ import annotations

import pytest

from tests.eval.seeds import Row, is_told, printed_by, rows

# What starts a daemon is tried where daemons are.
ROWS = [row for row in rows() if not row.commands[0].startswith("watch")]


@pytest.mark.parametrize("row", ROWS, ids=[row.clause for row in ROWS])
def test_what_a_seeds_user_types_prints_what_was_asked_for(row: Row) -> None:
    text = printed_by(row)
    assert is_told(row, text), text


def test_a_row_is_not_told_by_other_words() -> None:
    row = ROWS[0]
    assert not is_told(row, "") and not is_told(row, f"{printed_by(row)} {row.lacks[0]}")
