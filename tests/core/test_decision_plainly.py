"""Decisions that a person says plainly, from a log to `decisions/list`; minds that change; and what only sounds so."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.listing import listed
from tests.support.logs import Act, agent, edit, human

EDIT = edit("/home/dev/shop/src/orders.py")
WAYS = "Two ways:\n\nA. Sum the totals up for every page\nB. Keep the totals in a table of their own\n\nWhich one?"
NUMBERED = "Two ways:\n\n1. Sum the totals up for every page\n2. Keep the totals in a table\n\nWhich one do you want?"


def begun(*then: Act) -> tuple[Act, ...]:
    return human("have a look at the shop"), agent("I looked at the shop: it has orders, a cart and a queue."), *then


STATED = [
    "Okay, decided: JWT with a lifetime of ten minutes",
    "We decided to use PostgreSQL",
    "We'll go with TypeScript",
    "Keep the public API unchanged",
    "Architecture: event-driven",
    "Conclusion: we keep the monolith",
    "You are Spock",
    "Right, settled: invoices are numbered per year",
    "I've decided against Docker",
    "My decision is to store prices in cents",
    "We are sticking with npm",
    "SQLite it is.",
    "Move these to the shared config",
    "Let's use Redis for the sessions",
    "Never log the address of a customer",
    "The importer must not touch archived orders",
    "Only admins may refund an order, never support",
    "Don't add any new dependencies",
    "From now on answer in German",
    "Use tabs, not spaces",
    "Drop support for Python 3.8",
    "I want the totals in euros, not in dollars",
    "Wir haben uns für Rust entschieden",
    "Wir bleiben bei Postgres",
    "On garde le monolithe",
    "Nous avons décidé de passer à Kafka",
    "Hemos decidido usar Kafka",
    "Vamos con TypeScript",
    "Решили использовать Postgres",
    "我们决定使用 PostgreSQL",
    "不要修改公共接口",
    "データベースはPostgresにします",
    "캐시는 Redis로 가자",
]


@pytest.mark.parametrize("words", STATED)
def test_what_is_said_plainly_is_decided_by_the_user_and_proved(words: str, tmp_path: Path) -> None:
    found = listed(tmp_path, *begun(human(words), EDIT, agent("Done.")))
    assert [(each.quote, each.made_by, each.proof) for each in found if each.made_by == "user"] == [
        (words, "user", "statement")
    ]


@pytest.mark.parametrize("words", ["We decided to use PostgreSQL", "Keep the public API unchanged"])
def test_it_needs_neither_a_deed_nor_an_answer(words: str, tmp_path: Path) -> None:
    assert [each.quote for each in listed(tmp_path, human(words), agent("Noted."))] == [words]


PICKED = [
    (WAYS, "yes, go with B", "Keep the totals in a table of their own"),
    (WAYS, "B", "Keep the totals in a table of their own"),
    (NUMBERED, "yes, 2", "Keep the totals in a table"),
    (NUMBERED, "the second one please", "Keep the totals in a table"),
    (NUMBERED, "lieber 1", "Sum the totals up for every page"),
    (NUMBERED, "选 2", "Keep the totals in a table"),
]


@pytest.mark.parametrize(("ways", "words", "option"), PICKED)
def test_a_picked_option_is_told_by_its_own_text(ways: str, words: str, option: str, tmp_path: Path) -> None:
    (found,) = [
        each for each in listed(tmp_path, *begun(agent(ways), human(words), EDIT, agent("Done."))) if each.proof
    ]
    assert option in found.text
    assert (found.made_by, found.proof) == ("collaborative", "option")


# What was said first, what then, and words of either.
CHANGED = [
    ("Use Postgres for the job queue", "Use Redis for the job queue instead"),
    ("We'll go with Postgres for the job queue", "Actually, let's use Redis for the job queue"),
    ("Let's use Postgres for the job queue", "Switch the job queue to Redis"),
    ("The job queue runs on Postgres, decided", "Replace Postgres with Redis for the job queue"),
    ("We decided to use Postgres for the job queue", "No, Redis for the job queue after all"),
    ("Keep the old endpoint", "Delete the old endpoint after all"),
    ("Keep the old endpoint for now", "We can drop the old endpoint"),
    ("Don't remove the old endpoint", "Remove the old endpoint"),
    ("We'll use JWT for the login", "Use opaque tokens for the login instead of JWT"),
    ("Okay, decided: JWT for the login", "I changed my mind: opaque tokens for the login, not JWT"),
    ("Limit the page to 20 rows", "Limit the page to 100 rows"),
    ("Wir nehmen Postgres für die Warteschlange", "Wir nehmen doch Redis für die Warteschlange statt Postgres"),
    ("On garde l'ancien endpoint", "Supprime l'ancien endpoint finalement"),
    ("队列用 Postgres", "队列改用 Redis，不要 Postgres"),
]


@pytest.mark.parametrize(("first", "then"), CHANGED)
def test_a_changed_mind_replaces_what_was_said_before(first: str, then: str, tmp_path: Path) -> None:
    found = listed(
        tmp_path,
        *begun(human(first), EDIT, agent("Done."), human("add a page for refunds"), EDIT, agent("Added.")),
        human(then),
        EDIT,
        agent("Done."),
    )
    standing = {each.quote: each.status for each in found if each.quote in (first, then)}
    assert standing.get(first) in ("superseded", "reverted")
    assert standing.get(then) == "active"


# Neither a question nor thanks, a doubt, a case, a report or a look settles anything.
TRAPS = [
    "thanks",
    "Thanks a lot, that works",
    "Should we use Postgres?",
    "What did we decide about the database?",
    "We haven't decided on the database yet",
    "Remind me why we chose Redis",
    "If we use Postgres we need a server",
    "Suppose we keep the monolith",
    "I was thinking about using Redis",
    "maybe we could use Kafka",
    "I don't know whether to use Redis or Postgres",
    "The tests fail since yesterday",
    "It looks like the cache is stale",
    "When I open the cart it hangs",
    "Let's see",
    "Sollen wir Postgres nehmen?",
    "Vielleicht nehmen wir Redis",
    "Danke, das passt",
    "¿Usamos Kafka?",
    "我们用的是什么数据库",
    "如果用 Redis 会怎么样",
    "You are right",
    "good night",
]


@pytest.mark.parametrize("words", TRAPS)
def test_what_settles_nothing_is_no_decision(words: str, tmp_path: Path) -> None:
    assert [each.text for each in listed(tmp_path, *begun(human(words), agent("I see.")))] == []


def test_a_long_statement_is_told_by_its_whole_clauses(tmp_path: Path) -> None:
    said = (
        "I want the cache to live within the project instead of the home folder, so write it below the hidden folder "
        "of the project and have the importer look there first, whatever the name of the folder is in the "
        "settings that the shop was started with on that machine"
    )
    (found,) = [each for each in listed(tmp_path, *begun(human(said), EDIT, agent("Done."))) if each.made_by == "user"]
    assert found.proof == "statement"
    assert found.text.endswith("look there first")


@pytest.mark.parametrize("words", ["then we should document it.", "I want them all", "use this"])
def test_what_only_points_is_not_told_as_proved(words: str, tmp_path: Path) -> None:
    assert not [each for each in listed(tmp_path, *begun(human(words), EDIT, agent("Done."))) if each.proof]
