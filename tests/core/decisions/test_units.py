"""A sentence is cut where it ends, not where its line does."""

from __future__ import annotations

import pytest

from recapd.core.decisions.find.units import units_of


@pytest.mark.parametrize(
    "text",
    [
        "Save the monthly report under\n\n/srv/reports/monthly",
        "please retry a request that was refused, but only on\n503 and time-outs",
        "the importer must never touch rows that were edited by hand,\nwhatever their date says",
    ],
)
def test_a_sentence_goes_on_in_the_next_line(text: str) -> None:
    (unit,) = units_of(text)
    assert unit.text == text


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("Keep the old names.\nthe new ones come later", 2),
        ("Decide on the following, please, before we start:\nnames and places", 2),
        ("the importer must never touch rows that were edited by hand\n- never those of today", 2),
        ("the importer must never touch rows that were edited by hand\n\nthe report is another matter", 2),
        ("Use the first one\nUse the second one", 2),
        ("The port belongs in\n```\nport = 80\n```\nthe settings", 2),
    ],
)
def test_what_stands_apart_stays_apart(text: str, count: int) -> None:
    assert len(units_of(text)) == count


def test_units_stand_in_the_message_where_they_say() -> None:
    text = "First this.\nWrite it all to\nthe log, and then\n\nstop. Last that."
    units = units_of(text)
    assert [each.number for each in units] == list(range(len(units)))
    assert all(text[each.start : each.start + len(each.text)] == each.text for each in units)
