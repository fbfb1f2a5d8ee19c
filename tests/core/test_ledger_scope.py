"""What is given up as a whole takes along what was decided about it, in whatever words."""

from __future__ import annotations

from pathlib import Path

import pytest

from recapd.core.decisions.ledger.scope import dropped_in
from tests.support.listing import listed
from tests.support.logs import agent, edit, human

EDIT = edit("/home/dev/shop/src/orders.py")
EARLIER = (
    "the PDF export should use A4 pages and never letter",
    "invoices of the PDF export must go to `out/pdf`",
    "every page must have a footer",
)


@pytest.mark.parametrize(
    ("said", "statuses"),
    [
        ("drop the whole PDF export, nobody wants it", ["superseded", "superseded"]),
        ("we leave the PDF export out of this release", ["superseded", "superseded"]),
        ("no PDF export after all", ["superseded", "superseded"]),
        ("the PDF export is out", ["superseded", "superseded"]),
        ("let's not do the PDF export", ["superseded", "superseded"]),
        ("I was wrong about the PDF export, leave it away", ["superseded", "superseded"]),
        ("never mind the PDF export", ["reverted", "reverted"]),
        # Put off, a part of it, something else.
        ("let's leave out the PDF export for now", ["active", "active"]),
        ("remove the PDF export button from the start page", ["active", "active"]),
        ("drop the search page, nobody wants it", ["active", "active"]),
    ],
)
def test_a_change_of_scope_ends_all_that_hung_on_it(said: str, statuses: list[str], tmp_path: Path) -> None:
    found = listed(
        tmp_path,
        human("work on invoices"),
        agent("I will."),
        human(EARLIER[0]),
        EDIT,
        agent("It uses A4."),
        human(EARLIER[1]),
        EDIT,
        agent("They go there."),
        human(EARLIER[2]),
        EDIT,
        agent("Added."),
        human(said),
        EDIT,
        agent("The export is gone."),
    )
    told = {each.quote: each.status for each in found}
    assert [told[each] for each in EARLIER] == [*statuses, "active"]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("drop the cache", 0),
        ("drop the cache entirely", 1),
        ("drop the shop page", 2),
        ("on oublie l'export PDF", 2),
        ("wir lassen die Bestellseite komplett weg", 1),
        ("drop the table of old orders that nobody reads", 0),
        ("the shop page is out of date", 0),
        ("why did you drop the shop page", 0),
    ],
)
def test_what_is_dropped_is_named_in_a_few_words(said: str, words: int) -> None:
    assert len(dropped_in(said)) == words
