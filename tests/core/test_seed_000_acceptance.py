"""The acceptance list of seed 000, item by item: a recap when it is worth one, of what really happened.

What is decided in a conversation is tried through logs, in `tests/cli/test_seed_000_logs.py`.
"""

from __future__ import annotations

from recapd.core.log.events import Prompt, Reply
from recapd.core.settings import RecapSettings
from recapd.core.views.recap.markdown import Wanted, markdown_of
from recapd.core.views.recap.recap import Recap, recap_of
from recapd.core.views.recap.shown import Showing, asked_for, showing
from recapd.core.views.since import after_turn, news_of, only_new
from tests.support.logs import CWD, at
from tests.support.records import Row, did, ran, session_with

LATER = at(100_000)


def conversation(turns: int) -> list[Row]:
    rows: list[Row] = []
    for number in range(1, turns + 1):
        rows += [Prompt(f"please change part {number} of the parser"), Reply(f"Changed part {number} in parser.py.")]
    return rows


def recap(*rows: Row, now: str = LATER) -> Recap:
    return recap_of(session_with(*rows), now)


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


def test_item_45_what_the_agent_did_appears_as_recent_actions() -> None:
    rows: list[Row] = [Prompt("fix the parser"), did("edit", f"{CWD}/parser.py"), ran("pytest -q", "3 passed in 1s")]
    short = markdown_of(recap(*rows), Wanted("short", 200))
    assert "- **Recent:** Ran `pytest -q`\n- **Edited:** parser.py" in short
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
    assert "State" not in text, "what is asked says itself that it is left open"
    assert "- **Now discussing:** Which database do we take?" in text


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
    assert "dates" in short and "**Last asked:** Let us work on caching of thumbnails now" in short


def test_item_50_a_recap_does_not_repeat_the_last_one() -> None:
    session = session_with(*conversation(7))
    seen = recap_of(session, LATER)
    whole = markdown_of(seen, Wanted("full", 1000))
    point = after_turn(session, 6)
    news = markdown_of(only_new(seen, point), Wanted("full", 1000))
    assert "Changed part 7" in news and "Changed part 3" in whole and "Changed part 3" not in news
    assert news_of(seen, point).text.startswith("Since turn 6: 1 new turn")
    before = markdown_of(recap_of(session_with(*conversation(6)), LATER), Wanted("full", 1000))
    assert before != whole


def test_whoever_asks_is_answered_whatever_the_turn() -> None:
    assert asked_for(recap(Prompt("hi")), None) == Showing(1, True, "request")
    off = RecapSettings(enabled=False)
    assert not showing(recap(*conversation(9)), off, LATER, None).shown
