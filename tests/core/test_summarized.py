"""What the agent wrote down itself is told: its recap for who was away, what it was asked, what it had yet to do."""

from __future__ import annotations

import pytest

from recapd.core.log.events import Compacted, Note, Prompt, Reply
from recapd.core.text.sections import pending_in, requested_in
from recapd.core.views.recap.full import full_markdown
from recapd.core.views.recap.recap import Recap, recap_of
from recapd.core.views.recap.short import short_markdown
from tests.support.logs import at
from tests.support.records import Row, session_with

SUMMARY = """This session goes on from an earlier one.

Summary:
1. Primary Request and Intent:
   Move the cache of the importer to SQLite. Keep the old one readable.

2. Files:
   - store.py

7. Pending Tasks:
   - Write the migration for old cache entries
   - Measure the importer with large sheets

8. Current Work:
   store.py was being edited.
"""


def recap(*rows: Row) -> Recap:
    return recap_of(session_with(*rows), at(100_000))


def test_the_parts_of_a_summary_are_known_by_their_headings() -> None:
    assert requested_in(SUMMARY) == "Move the cache of the importer to SQLite."
    assert pending_in(SUMMARY) == [
        "Write the migration for old cache entries",
        "Measure the importer with large sheets",
    ]
    assert pending_in("## Next steps\n\n- None of them is left") == [] == pending_in("All is done.")


def test_a_log_that_begins_with_a_summary_began_with_what_that_says() -> None:
    page = short_markdown(recap(Note("compaction", SUMMARY), Prompt("go on"), Reply("store.py writes to SQLite now.")))
    assert "**Started with:** Move the cache of the importer to SQLite. Then: go on" in page


@pytest.mark.parametrize(
    ("first", "told"),
    [
        ("/plan 12", "/plan 12 — Move the cache of the importer to SQLite."),
        ("make the importer read every file once", "make the importer read every file once"),
    ],
)
def test_what_a_later_summary_says_was_asked_stands_behind_a_request_that_names_nothing(first: str, told: str) -> None:
    rows: tuple[Row, ...] = (
        Prompt(first),
        Reply("store.py writes to SQLite now."),
        Compacted(),
        Note("compaction", SUMMARY),
    )
    page = short_markdown(recap(*rows, Prompt("what of the tests of the parser?"), Reply("All of them pass.")))
    assert f"**Started with:** {told}\n" in page


def test_what_a_summary_says_was_asked_behind_what_is_done_is_not_how_it_began() -> None:
    summary = f"# Checkpoint\n\n## Completed Tasks\n\n- The parser\n\n{SUMMARY}"
    rows: tuple[Row, ...] = (Prompt("/plan 12"), Reply("It is there."), Compacted(), Note("compaction", summary))
    page = short_markdown(recap(*rows, Prompt("which tests of the parser are slow?"), Reply("All of them are.")))
    assert "**Started with:** /plan 12, then: which tests of the parser are slow?\n" in page


def test_what_was_pending_is_open_until_a_later_turn_names_it() -> None:
    rows: tuple[Row, ...] = (Note("compaction", SUMMARY), Prompt("go on"), Reply("store.py writes to SQLite now."))
    assert "- Write the migration for old cache entries" in full_markdown(recap(*rows))
    later = full_markdown(recap(*rows, Prompt("now migrate"), Reply("Wrote the migration for old cache entries.")))
    assert "- Write the migration" not in later and "- Measure the importer with large sheets" in later


def test_what_the_agent_wrote_for_who_was_away_is_the_recent_part() -> None:
    away = "The cache is in SQLite. The migration is next."
    rows: tuple[Row, ...] = (Prompt("move the cache"), Reply("store.py writes to SQLite now."), Note("away", away))
    assert f"**Recent:** the agent's own recap: {away}" in short_markdown(recap(*rows))
    later = short_markdown(recap(*rows, Prompt("write the migration"), Reply("migrate.py moves old entries.")))
    assert "own recap" not in later and "migrate.py moves old entries" in later
