"""A day of decisions, written down as they are made: what the next session is told is what holds, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from recapd.core.text import count_for_budget
from tests.bridges.test_hook import ask, context_in, home, hook, project, record, up, write_log
from tests.support.daemons import Home
from tests.support.logs import Act, agent, human, raw

__all__ = ["home", "project"]

SESSIONS = tuple(f"5e551011-c0de-4a11-8000-00000000000{number}" for number in (1, 2, 3))
NEXT = "5e551011-c0de-4a11-8000-000000000009"
# What was decided, in order: twenty, over three sessions.
DECIDED = (
    "Packages are installed with pnpm",
    "Node 22 is the oldest version served",
    "Prices are kept in cents",
    "The cart lives in localStorage",
    "Checkout asks for no account",
    "Mails are sent by the outbox worker",
    "Dates are stored in UTC",
    "Uploads are capped at 10 MB",
    "Images become WebP",
    "The admin area is English only",
    "Feature flags stand in flags.yaml",
    "Tests run against Postgres 16",
    "Migrations are never edited",
    "Logs are JSON lines",
    "Retries back off with jitter",
    "Search is case-insensitive",
    "Coupons stack at most twice",
    "Deploys wait for a green main",
    "Cookies last thirty days",
    "The sitemap is built nightly",
)
REPLACED, REPLACEMENT = "The cart lives in localStorage", "The cart lives in the database"
TAKEN_BACK = "Uploads are capped at 10 MB"
COMPACTED = raw(
    b'{"type":"system","subtype":"compact_boundary","content":"Conversation compacted","isMeta":false,'
    b'"compactMetadata":{"trigger":"manual","preTokens":90000},"uuid":"00000000-0000-4000-8000-0000000000ff",'
    b'"timestamp":"2026-01-01T00:00:00.000Z","sessionId":"5e551011-c0de-4a11-8000-000000000002"}'
)


def decided(*texts: str) -> list[Act]:
    return [act for text in texts for act in (human(f"Then so be it: {len(text)}."), record(text), agent("Noted."))]


@pytest.mark.parametrize("by_id", [False, True], ids=["by words", "by id"])
def test_the_next_session_is_told_exactly_what_holds(home: Home, project: Path, by_id: bool) -> None:
    first = decided(*DECIDED[:7])
    write_log(home, project, *first, session=SESSIONS[0], ago_s=1800)
    up(home)
    found = ask(home, "decisions/list", session={"agent": "claude-code", "agentSessionId": SESSIONS[0]})["decisions"]
    named = next(each["id"] for each in found if each["text"] == REPLACED) if by_id else REPLACED
    second = [*decided(*DECIDED[7:13]), COMPACTED, human("The cart goes into the database after all.")]
    second += [record(REPLACEMENT, replaces=named), agent("Noted.")]
    write_log(home, project, *second, session=SESSIONS[1], ago_s=1200)
    third = [*decided(*DECIDED[13:]), human("Forget the cap on uploads.")]
    third.append(record("Taken back: no cap on uploads", replaces=TAKEN_BACK))
    write_log(home, project, *third, agent("Noted."), session=SESSIONS[2], ago_s=600)
    while {row["turns"] for row in ask(home, "session/list")["sessions"]} != {7, 8}:
        ask(home, "recapd/status")
    text = context_in(hook(home, "SessionStart", project, NEXT, source="startup"), "SessionStart")
    told = re.findall(r"^- (.*) \((?:user|agent|both), turn \d+\)$", text, re.MULTILINE)
    assert sorted(told) == sorted({*DECIDED, REPLACEMENT} - {REPLACED, TAKEN_BACK}), text
    assert count_for_budget(text) <= 600
