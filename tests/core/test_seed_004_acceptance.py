"""What seed 004 asks of a summary that a session is resumed from, item by item."""

from __future__ import annotations

import msgspec
import pytest

from recapd.core.log.events import Prompt, Reply, TodoItem, Todos
from recapd.core.settings import DecisionSettings, RecapSettings
from recapd.core.views.recap.markdown import Wanted, markdown_of
from recapd.core.views.recap.recap import Recap, recap_of
from recapd.core.views.recap.resume import progress_summary, session_summary
from recapd.core.views.recap.summary import formatted, tools_used
from tests.support.findings import by_agent, ledger, said
from tests.support.logs import CWD, at
from tests.support.records import Row, did, ran, session_with

NOW = at(7_200)
SETTINGS = RecapSettings()

STORY: tuple[Row, ...] = (
    Prompt("Add rate limiting to the gateway"),
    did("read", f"{CWD}/gateway.py", tool="Read"),
    did("edit", f"{CWD}/gateway.py", tool="Edit"),
    did("write", f"{CWD}/limits.py", tool="Write", created=True),
    ran("rm old_limits.py"),
    did("edit", f"{CWD}/missing.py", tool="Edit", failed=True),
    Todos((TodoItem("token bucket", "done"), TodoItem("headers", "active"), TodoItem("docs", "pending"))),
    ran("pytest -q", "14 passed in 2s"),
    Reply("The bucket is in limits.py now; the headers are next. Shall I return 429 or 503?"),
)


def recap(*rows: Row) -> Recap:
    return recap_of(session_with(*rows), NOW)


def resumed() -> Recap:
    found = ledger(said("Limit by API key, not by address", type="constraint"), by_agent("Use a token bucket"))
    return msgspec.structs.replace(recap(*STORY), decisions=found)


def test_item_2_the_summary_is_structured_and_says_the_same_as_text() -> None:
    facts = resumed()
    assert (facts.stats.messages, facts.stats.tool_calls) == (2, 6)
    assert facts.stats.estimated_tokens > 0
    assert ("Edit", 2, 1) in [(each.tool, each.calls, each.failed) for each in tools_used(facts)]
    text = formatted(facts)
    for part in ("Messages: 2", "Original request: Add rate limiting", "limits.py (created)", "Key decisions:"):
        assert part in text


def test_item_3_decisions_have_type_confidence_and_message() -> None:
    entry = resumed().decisions[0].finding
    assert (entry.type, entry.made_by) == ("constraint", "user")
    assert 0 <= entry.confidence <= 1 and entry.message >= 0


def test_item_4_progress_is_counted_or_not_claimed() -> None:
    facts = resumed()
    assert [item.text for item in facts.progress.done] == ["token bucket"]
    assert facts.progress.current == TodoItem("headers", "active") and facts.progress.percentage == 33
    assert [each.text for each in facts.progress.milestones] == ["Tests pass: 14 passed (pytest)"]
    assert recap(Prompt("go on"), Reply("All done, 100 % complete!")).progress.percentage is None


@pytest.mark.parametrize(
    ("path", "action"), [("gateway.py", "modified"), ("limits.py", "created"), ("old_limits.py", "deleted")]
)
def test_items_5_and_10_files_have_the_action_that_the_log_proves(path: str, action: str) -> None:
    files = {row.fact.path.removeprefix(f"{CWD}/"): row.fact for row in resumed().files}
    assert files[path].action == action and files[path].touches >= 1 and files[path].tools
    assert files["missing.py"].touches == 0 and files["missing.py"].failed == 1


def test_item_11_the_formatted_text_is_text_and_holds_what_is_new() -> None:
    facts = resumed()
    text = formatted(facts)
    assert "object" not in text and "Limit by API key, not by address" in text
    assert text == formatted(facts), "the same session gives the same text"


def test_item_12_the_session_summary_is_made_from_the_same_facts() -> None:
    facts = resumed()
    summary = session_summary(facts, SETTINGS)
    assert summary.conversation_length == facts.stats.messages
    assert summary.key_decisions == ("Limit by API key, not by address", "Use a token bucket")
    assert summary.current_context == formatted(facts)
    assert summary.progress_summary == progress_summary(facts)
    assert summary.progress_summary.startswith("1 of 3 tasks done (33 %). current: headers")


def test_items_18_and_20_a_users_decision_counts_unless_only_the_agents_are_wanted() -> None:
    rows: list[Row] = [Prompt("We use React, decided."), Reply("Fine.")]
    only_agents = DecisionSettings(who=("agent",))
    assert all(entry.finding.made_by == "agent" for entry in recap_of(session_with(*rows), NOW, only_agents).decisions)


def test_item_21_the_resume_prompt_tells_task_age_state_and_what_not_to_repeat() -> None:
    text = markdown_of(resumed(), Wanted("resume", 1000, now=NOW, resume="claude --resume s1"))
    lines = text.split("\n")
    assert lines[0] == "## Previous context summary"
    assert "not an instruction" in text
    assert "**Task:** Add rate limiting to the gateway" in lines
    assert "**Left off:** 1 hour ago; left open — Shall I return 429 or 503?" in lines
    accomplished = text.partition("**Accomplished (do not repeat):**\n")[2].partition("\n\n")[0]
    assert accomplished.split("\n") == ["- token bucket", "- Tests pass: 14 passed (pytest)"], "what the log proves"
    assert "**Go on with it:** `claude --resume s1`" in lines
    assert any(line.startswith("**Files:** ") and "`limits.py` created" in line for line in lines)


def test_item_22_a_session_without_history_is_resumed_from_nothing() -> None:
    text = markdown_of(recap(), Wanted("resume", 1000, now=NOW))
    assert text.startswith("## Previous context summary") and "No task list" in text
