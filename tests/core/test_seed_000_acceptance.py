"""The acceptance list of seed 000, item by item: a recap when it is worth one, of what really happened."""

from __future__ import annotations

import msgspec
import pytest

from recapd.core.decisions.entries import Entry
from recapd.core.log.events import Prompt, Reply
from recapd.core.settings import RecapSettings
from recapd.core.text.tokens import estimate_tokens
from recapd.core.views.recap.markdown import Wanted, markdown_of
from recapd.core.views.recap.recap import Recap, recap_of
from recapd.core.views.recap.shown import Showing, asked_for, showing
from recapd.core.views.since import after_turn, news_of, only_new
from tests.support.findings import entry
from tests.support.logs import CWD, at
from tests.support.records import Row, did, ran, session_with

SETTINGS = RecapSettings()
LATER = at(100_000)


def conversation(turns: int) -> list[Row]:
    rows: list[Row] = []
    for number in range(1, turns + 1):
        rows += [Prompt(f"please change part {number} of the parser"), Reply(f"Changed part {number} in parser.py.")]
    return rows


def recap(*rows: Row, now: str = LATER) -> Recap:
    # Which decisions there are is said by each test itself.
    return msgspec.structs.replace(recap_of(session_with(*rows), now), decisions=())


def decided(text: str, *, turn: int, status: str = "active", replaced_by: str = "", id: str = "") -> Entry:
    made = entry(text, turn=turn)
    made = msgspec.structs.replace(made, id=id or made.id, superseded_by=replaced_by)
    return msgspec.convert({**msgspec.structs.asdict(made), "status": status}, Entry, from_attributes=True)


def shown_at(turns: int, *, prompt: str | None = None, gap_s: float = 60, **settings: int) -> Showing:
    rows = conversation(turns)
    # Records are a minute apart.
    now = at(len(rows) * 60 + gap_s)
    return showing(recap(*rows, now=now), RecapSettings(**settings), now, prompt)  # type: ignore[arg-type]


def test_item_42_a_3_turn_conversation_has_no_recap() -> None:
    for turns in (0, 1, 2, 3):
        due = shown_at(turns)
        assert not due.shown and "turn" in due.reason


def test_item_43_a_6_turn_conversation_has_a_recap_at_turn_6() -> None:
    assert not shown_at(5).shown
    assert shown_at(6) == Showing(6, True, "threshold")
    # The prompt that is about to be sent is the sixth turn; logged already, it is not counted twice.
    assert shown_at(5, prompt="and now the docs") == Showing(6, True, "threshold")
    assert shown_at(6, prompt="please change part 6 of the parser").turn == 6


def test_item_44_a_decision_of_turn_3_is_in_the_recap_at_turn_7() -> None:
    facts = msgspec.structs.replace(recap(*conversation(7)), decisions=(decided("Use SQLite for the cache", turn=3),))
    for format in ("short", "full", "decisions", "resume"):
        text = markdown_of(facts, Wanted(format, 1000))
        assert "Use SQLite for the cache" in text, format
    hidden = msgspec.structs.replace(SETTINGS, show_decisions=False)
    assert "SQLite" not in markdown_of(facts, Wanted("short", 200, hidden))


def test_item_45_what_the_agent_did_appears_as_recent_actions() -> None:
    rows: list[Row] = [Prompt("fix the parser"), did("edit", f"{CWD}/parser.py"), ran("pytest -q", "3 passed in 1s")]
    short = markdown_of(recap(*rows), Wanted("short", 200))
    assert "- **Recent:** edited parser.py · Ran `pytest -q`" in short
    assert "**Recent actions:** Edited parser.py; Ran `pytest -q`" in markdown_of(recap(*rows), Wanted("full", 1000))
    # Prose is no action: nothing was created by saying so.
    assert "**Recent:** Created" not in markdown_of(
        recap(Prompt("go"), Reply("Let me create it.")), Wanted("short", 200)
    )


def test_item_46_after_a_gap_the_recap_is_shown_and_tells_the_state_as_it_is() -> None:
    assert not shown_at(4).shown
    assert shown_at(4, gap_s=6 * 3600) == Showing(4, True, "gap")
    assert shown_at(2, gap_s=6 * 3600).shown is False, "below the floor there is nothing to recall"
    assert shown_at(4, gap_s=6 * 3600, gap_minutes=0).shown is False
    facts = recap(
        *conversation(4),
        Prompt("Which database do we take?"),
        Reply("SQLite keeps it simple, Postgres scales. Which one do you prefer?"),
        now=at(6 * 3600),
    )
    text = markdown_of(facts, Wanted("short", 200))
    assert "- **Next:** SQLite keeps it simple, Postgres scales. Which one do you prefer?" in text
    assert "- **State:** left open" in text
    assert "- **Now discussing:** Which database do we take?" in text


@pytest.mark.parametrize("format", ["short", "full", "decisions", "timeline", "resume"])
def test_item_47_every_format_folds_when_asked_and_only_then(format: str) -> None:
    facts = msgspec.structs.replace(recap(*conversation(7)), decisions=(decided("Use SQLite", turn=3),))
    folded = markdown_of(facts, Wanted(format, 1000, collapsible=True))  # type: ignore[arg-type]
    assert folded.startswith("<details><summary>") and folded.endswith("</details>")
    plain = markdown_of(facts, Wanted(format, 1000))  # type: ignore[arg-type]
    assert "<" not in plain, "a mail program shows it"


def test_item_48_the_decision_list_is_decisions_only() -> None:
    entries = (
        decided("Use Postgres for the queue", turn=2, status="superseded", replaced_by="d5"),
        decided("Use Redis for the queue", turn=5),
    )
    facts = msgspec.structs.replace(recap(*conversation(7)), decisions=entries)
    assert markdown_of(facts, Wanted("decisions", 1000)).split("\n") == [
        "📋 **Decisions made so far** (2)",
        "",
        "1. **Turn 2:** Use Postgres for the queue (you; replaced at turn 5)",
        "2. **Turn 5:** Use Redis for the queue (you)",
    ]
    assert markdown_of(recap(*conversation(7)), Wanted("decisions", 1000)) == "📋 **No decisions so far**"


def test_item_49_over_30_turns_the_recap_follows_the_topics() -> None:
    topics = ["the parser of dates", "login with magic links", "caching of thumbnails"]
    rows: list[Row] = []
    for topic in topics:
        rows += [Prompt(f"Let us work on {topic} now"), Reply(f"Started with {topic}.")]
        for number in range(9):
            rows += [Prompt("yes, go on"), Reply(f"Step {number} of {topic} is done.")]
    facts = recap(*rows)
    assert facts.turn == 30
    timeline = [line for line in markdown_of(facts, Wanted("full", 1000)).split("\n") if line.startswith("- Turn")]
    starts = [next(line for line in timeline if topic in line.partition("→")[0]) for topic in topics]
    assert [line.partition(":")[0].partition("–")[0] for line in starts] == ["- Turns 1", "- Turns 11", "- Turns 21"]
    short = markdown_of(facts, Wanted("short", 200))
    assert "dates" in short and "**Now discussing:** Let us work on caching of thumbnails now" in short


def test_item_50_a_recap_does_not_repeat_the_last_one() -> None:
    session = session_with(*conversation(7))
    seen = msgspec.structs.replace(recap_of(session, LATER), decisions=())
    whole = markdown_of(seen, Wanted("full", 1000))
    point = after_turn(session, 6)
    news = markdown_of(only_new(seen, point), Wanted("full", 1000))
    assert "Changed part 7" in news and "Changed part 3" in whole and "Changed part 3" not in news
    assert news_of(seen, point).text == "Since turn 6: 1 new turn."
    before = markdown_of(recap_of(session_with(*conversation(6)), LATER), Wanted("full", 1000))
    assert before != whole


def test_item_50_what_was_replaced_is_told_beside_its_successor() -> None:
    entries = (
        decided("Use Postgres for the queue", turn=2, status="superseded", replaced_by="d5"),
        decided("Use Redis for the queue", turn=5),
    )
    facts = msgspec.structs.replace(recap(*conversation(7)), decisions=entries)
    text = markdown_of(facts, Wanted("full", 1000))
    assert "- Turn 5: Use Redis for the queue (you; replaces turn 2: Use Postgres for the queue)" in text
    assert "Postgres" not in markdown_of(facts, Wanted("short", 200))


def test_item_52_decisions_are_the_last_to_be_dropped() -> None:
    facts = msgspec.structs.replace(recap(*conversation(9)), decisions=(decided("Use SQLite", turn=3),))
    for format in ("short", "full", "decisions", "resume"):
        for most in range(20, 200):
            text = markdown_of(facts, Wanted(format, most))
            assert "Use SQLite" in text and estimate_tokens(text) <= most, (format, most)


def test_items_35_to_37_the_preset_has_the_lines_and_limits_of_the_design() -> None:
    style = RecapSettings(style="gitclaw", short_decisions=1, full_decisions=5, full_actions=3)
    rows: list[Row] = [Prompt("a" * 99 + "👩‍👩‍👧‍👦 and more of it" * 9), did("edit", f"{CWD}/a.py"), ran("make")]
    facts = msgspec.structs.replace(recap(*rows, Prompt("now the docs")), decisions=(decided("Use SQLite", turn=1),))
    assert markdown_of(facts, Wanted("short", 200, style)).split("\n") == [
        "📍 **Where we are** (turn 2):",
        f"- **Started with:** {'a' * 99}...",
        "- **Last decision:** Use SQLite",
        "- **Recent:** Edited a.py; Ran `make`",
        "- **Now discussing:** now the docs",
    ]
    full = markdown_of(facts, Wanted("full", 1000, style, collapsible=True))
    assert full.startswith("<details><summary>📍 Conversation Recap (turn 2)</summary>")
    assert "**Key decisions:**\n- Turn 1: Use SQLite" in full and "**Current focus:** now the docs" in full


def test_whoever_asks_is_answered_whatever_the_turn() -> None:
    assert asked_for(recap(Prompt("hi")), None) == Showing(1, True, "request")
    off = RecapSettings(enabled=False)
    assert not showing(recap(*conversation(9)), off, LATER, None).shown
