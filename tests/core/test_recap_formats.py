"""All formats of a recap: within any budget, the same for the same session, and safe whatever the log says."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recapd.core.decisions.entries import Entry
from recapd.core.log.events import Prompt, Reply
from recapd.core.settings import RecapSettings
from recapd.core.text.tokens import estimate_tokens
from recapd.core.views.recap.canary import contradictions
from recapd.core.views.recap.clauses import clause
from recapd.core.views.recap.markdown import Format, Wanted, markdown_of
from recapd.core.views.recap.past import as_of_turn
from recapd.core.views.recap.recap import Recap, recap_of
from recapd.core.views.recap.timeline import Checkpoint, segments_of
from recapd.core.views.recap.words import request_line, shortened
from tests.core.test_views import FOREIGN, HOSTILE, everywhere, marks_in
from tests.support.findings import ledger, said
from tests.support.logs import CWD, at
from tests.support.records import Row, did, ran, session_with

NOW = at(100_000)
FORMATS: tuple[Format, ...] = get_args(Format)
STYLES = (RecapSettings(), RecapSettings(style="gitclaw"))


def recap(*rows: Row, decisions: tuple[Entry, ...] = ()) -> Recap:
    facts = recap_of(session_with(*rows), NOW)
    return msgspec.structs.replace(facts, decisions=decisions) if decisions else facts


def story(turns: int, words: str) -> Recap:
    rows: list[Row] = []
    for number in range(turns):
        rows += [Prompt(f"{words} {number}"), did("edit", f"{CWD}/{number}.py"), Reply(f"Changed {words} {number}.")]
    return recap(*rows, decisions=ledger(*(said(f"Use {words} {number}") for number in range(min(turns, 12)))))


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(FORMATS),
    st.integers(20, 1_200),
    st.integers(0, 40),
    st.text(max_size=120),
    st.booleans(),
    st.sampled_from(STYLES),
)
def test_a_budget_is_a_hard_cap_for_any_session(
    format: Format, most: int, turns: int, words: str, collapsible: bool, style: RecapSettings
) -> None:
    facts = story(turns, words)
    wanted = Wanted(format, most, style, collapsible=collapsible, now=NOW, resume="claude --resume x")
    text = markdown_of(facts, wanted)
    assert estimate_tokens(text) <= most
    assert text == markdown_of(facts, wanted), "the same session gives the same bytes"
    assert text.count("<details>") == text.count("</details>") <= 1


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("format", FORMATS)
def test_hostile_text_stays_text_in_every_format(format: Format, hostile: str) -> None:
    facts = recap(*everywhere(hostile), decisions=ledger(said(f"Use {hostile}"), said(hostile)))
    checkpoints = (Checkpoint(hostile, 1),)
    for most in (40, 120, 4_000):
        text = markdown_of(facts, Wanted(format, most, now=NOW, checkpoints=checkpoints))
        ours = {"heading_open"} if format == "resume" else set()
        assert marks_in(text) & ((FOREIGN | {"html_block"}) - ours) == set()
        assert "\x1b" not in text and "\u202e" not in text


# ---- the timeline


def test_a_topic_goes_on_while_the_human_nods() -> None:
    rows: list[Row] = [Prompt("Write a parser for dates"), Reply("Done."), Prompt("ok"), Reply("Good.")]
    rows += [Prompt("Now deploy the website to staging"), Reply("Deployed.")]
    assert [(each.first, each.last) for each in segments_of(recap(*rows))] == [(0, 1), (2, 2)]


def test_every_turn_is_in_one_segment_however_many_there_are() -> None:
    for count in (1, 2, 5, 17, 100, 400):
        facts = story(count, "the parser of dates")
        for most in (1, 3, 8):
            segments = segments_of(facts, most)
            assert [number for each in segments for number in each.positions] == list(range(count))


def test_recaps_that_were_read_are_checkpoints_of_the_timeline() -> None:
    facts = recap(Prompt("Write a parser"), Reply("Done."), Prompt("Deploy the website"), Reply("Deployed."))
    text = markdown_of(facts, Wanted("timeline", 1000, checkpoints=(Checkpoint("panel", 1),)))
    lines = text.split("\n")
    assert lines[0] == "📍 **Timeline** (turn 2)"
    assert lines.index("- ✓ recap read by panel up to turn 1") < next(
        number for number, line in enumerate(lines) if line.startswith("- Turn 2")
    )


# ---- the words


@pytest.mark.parametrize(
    ("prompt", "limit", "expected"),
    [
        ("ok, please fix the parser", 80, "Fix the parser"),
        ("fix the parser", 80, "fix the parser"),
        ("yes", 80, "yes"),
        ("> you said it works\n\nIt does not, please look again", 80, "It does not, please look again"),
        ("Fix it.\n-- \nJane\nACME", 80, "Fix it."),
        ("See /home/dev/work/shop/src/cart.py there", 80, "See …/src/cart.py there"),
        ("Read https://git.example.org/a/b/pull/12 first", 80, "Read git.example.org/…/pull/12 first"),
        ("```\nstack trace\n```\nwhy does this fail?", 80, "why does this fail?"),
        (f"{'long words ' * 20}\n\nWhich one is right?", 80, None),
    ],
)
def test_a_request_is_the_humans_own_words(prompt: str, limit: int, expected: str | None) -> None:
    line = request_line(prompt, limit)
    assert len(line) <= limit and "\n" not in line
    if expected is None:
        assert line.endswith("Which one is right?"), "of a long prompt the asking part stays"
    else:
        assert line == expected


def test_statements_end_with_a_clause() -> None:
    text = "The cache uses SQLite now (pickle broke between versions), and every entry has a date of expiry"
    assert clause(text, 50) == "The cache uses SQLite now"
    assert clause(text, 200) == text
    assert clause("x" * 80, 20).endswith("…")
    assert shortened("no slash") == "no slash"


# ---- the past


def test_a_recap_as_of_a_turn_knows_nothing_later() -> None:
    session = session_with(
        Prompt("Write a parser"),
        did("edit", "a.py"),
        Reply("The parser is written. Shall I test it?"),
        Prompt("Deploy the website"),
        did("edit", "b.py"),
        Reply("Deployed."),
    )
    past, now = as_of_turn(session, 1)
    facts = recap_of(past, now)
    text = markdown_of(facts, Wanted("full", 1000, now=now))
    assert facts.turn == 1 and "website" not in text and "b.py" not in text
    assert "**Next:** The parser is written. Shall I test it?\n\n**State:** needs you" in text
    assert as_of_turn(session, 2) == (session, "")


def test_an_earlier_turn_without_an_answer_is_not_told_as_answered() -> None:
    """Nor with the tools of the turns after it."""
    rows = (
        Prompt("add four cards"),
        Reply("Let me look at the existing card first."),
        Prompt("go on"),
        *ran("ls cards"),
        Reply("All four cards are there."),
    )
    past, now = as_of_turn(session_with(*rows), 1)
    page = markdown_of(recap_of(past, now), Wanted("full", 1000, now=now))
    assert "**State:** working" in page and "Tools used" not in page
    # What it was about to do is not what came of it.
    assert "- Turn 1: add four cards\n" in page


def test_a_timeline_tells_what_was_asked_by_commands_alone() -> None:
    rows = (Prompt("review the parser", "command"), did("read", "a.py"), Reply("The parser is sound."))
    page = markdown_of(recap_of(session_with(*rows), at(100)), Wanted("timeline", 300, now=at(100)))
    assert "- review the parser" in page and "Nothing was asked" not in page


# ---- the canary


def test_a_recap_that_contradicts_itself_says_so() -> None:
    claim = Reply("Everything is fixed, all tests pass.")
    broken = recap(Prompt("fix it"), ran("pytest -q", "2 failed, 3 passed in 1s", exit_code=1, failed=True), claim)
    assert tuple(each.text for each in contradictions(broken)) == (
        "The last answer says that tests pass; the last run in the log failed: pytest -q",
    )
    assert "⚠" in markdown_of(broken, Wanted("full", 1000)) and "⚠" in markdown_of(broken, Wanted("short", 200))
    sound = recap(Prompt("fix it"), ran("pytest -q", "5 passed in 1s"), claim)
    assert contradictions(sound) == ()
