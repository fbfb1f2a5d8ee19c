"""Decisions that do not look like one: from a log to `decisions/list`, each with who took it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.listing import listed
from tests.support.logs import Act, agent, edit, human, other, shell

Talk = tuple[Act, ...]
EDIT = edit("/home/dev/shop/src/orders.py")


def corrected(done: str, words: str, then: str = "Changed.") -> Talk:
    """The agent did something, the human said something about it, and the agent did that."""
    return human("work on the orders page"), EDIT, agent(done), human(words), EDIT, agent(then)


# Name, talk, who decided, and words that the decision carries.
SHAPES: list[tuple[str, Talk, str, str]] = [
    (
        "a clause before a question",
        corrected(
            "Totals can be kept in a file or a row.", "let's store them in the order row, can you show an example?"
        ),
        "user",
        "let's store them in the order row",
    ),
    (
        "a wish behind a report",
        corrected(
            "The cache is written.",
            "there is no file `cache.json` below the home folder and I want the cache within the project instead of it",
        ),
        "user",
        "I want the cache within the project",
    ),
    (
        "the means by which it was done, in the last words",
        (
            human("the page shows old totals"),
            EDIT,
            agent("Fixed the old totals by reading them from `order_rows` again."),
        ),
        "agent",
        "reading them from `order_rows`",
    ),
    (
        "a wish as a question, and done",
        corrected(
            "Totals are shown below the table.",
            "is it possible to have the totals above the table instead of below?",
            "Moved the totals above the table.",
        ),
        "user",
        "above the table",
    ),
    (
        "hedged",
        corrected("Pages hold 50 rows.", "maybe let's just limit it to 20 rows per page for now I guess"),
        "user",
        "20 rows",
    ),
    (
        "misspelt",
        corrected("The filter is a dropdown.", "dont use a dropdwon here, make it chekboxes insted"),
        "user",
        "chekboxes",
    ),
    (
        "behind a selection of the editor",
        corrected(
            "Added a cache.",
            "<ide_selection>The user selected the lines 10 to 12 from /home/dev/shop/cache.py:\nclass Cache:\n"
            "    must_never_expire = True\n</ide_selection>\nthis should expire after an hour instead of never",
        ),
        "user",
        "expire after an hour",
    ),
    (
        "behind an opened file",
        (
            human(
                "<ide_opened_file>The user opened the file /home/dev/shop/never_use.py in the IDE.</ide_opened_file>\n"
                "put the helpers into utils.py, not into this file"
            ),
            edit("/home/dev/shop/utils.py"),
            agent("The helpers are in utils.py."),
        ),
        "user",
        "utils.py",
    ),
    (
        "before a long paste",
        corrected(
            "The importer ran.",
            "skip rows without a date instead of failing\n\n```\n" + "ValueError: must never be None\n" * 40 + "```",
        ),
        "user",
        "skip rows without a date",
    ),
    (
        "with odd spaces",
        corrected("Prices have a dot.", "prices should\u202fuse\u00a0a comma instead\u202fof a dot"),
        "user",
        "comma",
    ),
    (
        "left for later",
        (
            human("wire up the settings"),
            EDIT,
            agent("The settings are wired up. The two config names still disagree."),
            human("ok, leave the config names for later, they are out of scope for now"),
            agent("Agreed."),
        ),
        "user",
        "config names",
    ),
    (
        "an agent that settles its own options",
        (
            human("which queue would you take?"),
            agent(
                "We could use Redis streams or a Postgres table. "
                "I'll use a Postgres table instead of Redis streams because it needs no new service."
            ),
            EDIT,
            agent("The queue is a Postgres table now."),
        ),
        "agent",
        "Postgres table instead",
    ),
    (
        "left to the agent",
        (
            human("surprise me with a colour scheme"),
            agent("Decision: a dark teal palette instead of the blue one, because the charts need contrast."),
            edit("/home/dev/shop/theme.css"),
            agent("The palette is dark teal."),
        ),
        "agent",
        "teal",
    ),
    (
        "typed while refusing a call",
        (
            human("clean up"),
            shell("git push --force", "never force-push, open a pull request instead", outcome="denied"),
            agent("Understood."),
        ),
        "user",
        "force-push",
    ),
    (
        "behind a slash command",
        (
            human(
                "<command-message>fix is running…</command-message>\n<command-name>/fix</command-name>\n"
                "<command-args>never touch the legacy folder, only change files in src</command-args>"
            ),
            EDIT,
            agent("Done."),
        ),
        "user",
        "legacy folder",
    ),
    (
        "behind the header of a chat gateway",
        (
            human("[Telegram Ana (@ana) id:42 2026-01-05 09:00 UTC]\nnever deploy on Fridays, only from Monday on"),
            agent("Understood, no deployments at the end of the week."),
        ),
        "user",
        "Fridays",
    ),
    (
        "with escaped Markdown",
        corrected("Added a flag.", "rename it to dry\\_run, do not use dry\\-run"),
        "user",
        "dry\\_run",
    ),
    (
        "one letter",
        (
            human("how shall we page?"),
            agent("Two ways:\n\na) offset and limit\nb) a cursor in the response\n\nWhich one?"),
            human("b"),
            EDIT,
            agent("Pages are cursor based."),
        ),
        "collaborative",
        "cursor in the response",
    ),
    (
        "two of three",
        (
            human("what now?"),
            agent("I can:\n1. drop the old index\n2. rebuild the cache at night\n3. leave both\n\nWhich?"),
            human("1 and 2"),
            EDIT,
            agent("Both done."),
        ),
        "collaborative",
        "rebuild the cache",
    ),
    (
        "accepted, with a hedge",
        (
            human("what about caching?"),
            agent("Should I cache the prices in memory for a minute?"),
            human("yes, though we may move that to Redis later"),
            EDIT,
            agent("Prices are cached in memory."),
        ),
        "collaborative",
        "cache the prices in memory",
    ),
    (
        "a cause, and 'let me fix that'",
        (
            human("tests fail on CI"),
            agent("The clock on CI is UTC, but the test compares with local time. Let me fix that."),
            EDIT,
            agent("The tests pass."),
        ),
        "agent",
        "compares with local time",
    ),
    (
        "a rule among items of a list, in Korean",
        corrected("고쳤습니다.", "1. 버튼은 파란색으로 표시한다\n2. 금액은 소수점 없이 표시한다", "적용했습니다."),
        "user",
        "소수점",
    ),
]


@pytest.mark.parametrize(("talk", "who", "words"), [row[1:] for row in SHAPES], ids=[row[0] for row in SHAPES])
def test_a_decision_is_listed_whatever_its_shape(talk: Talk, who: str, words: str, tmp_path: Path) -> None:
    entries = listed(tmp_path, *talk)
    told = [(each.made_by, each.status) for each in entries if words in each.text]
    assert told == [(who, "active")], [each.text for each in entries]


# What is said again and again, or echoed, is one decision: the first.
ONCE: list[tuple[str, Talk, str]] = [
    (
        "the human insists",
        (
            human("the footer must always show the company name, never the product name"),
            EDIT,
            agent("Done."),
            human("the footer must always show the company name, never the product name!!"),
            EDIT,
            agent("Sorry, fixed."),
            human("again: the footer must always show the company name, never the product name"),
            EDIT,
            agent("Fixed."),
        ),
        "company name",
    ),
    (
        "the agent repeats the rule",
        (
            human("never commit without running the linter"),
            agent("Understood, I will never commit without running the linter."),
            human("fix the typo"),
            EDIT,
            agent("Fixed."),
        ),
        "never commit without",
    ),
    (
        "a summary of all turns so far",
        (
            human("add retries, never more than three of them"),
            EDIT,
            agent("Done."),
            human("now add logging"),
            edit("/home/dev/shop/src/log.py"),
            agent("Summary:\n- never more than three retries\n- `log` writes JSON"),
        ),
        "never more than three",
    ),
    (
        "sent again after an error",
        (
            human("store all prices in cents, never as floats"),
            human("store all prices in cents, never as floats"),
            EDIT,
            agent("Prices are stored in cents."),
        ),
        "never as floats",
    ),
]


@pytest.mark.parametrize(("talk", "words"), [row[1:] for row in ONCE], ids=[row[0] for row in ONCE])
def test_what_is_repeated_is_one_decision(talk: Talk, words: str, tmp_path: Path) -> None:
    (entry,) = [each for each in listed(tmp_path, *talk) if words in each.text]
    assert (entry.turn, entry.status, entry.made_by) == (1, "active", "user")


@pytest.mark.parametrize(
    ("closing", "is_found"),
    [
        ("I rewrote the loader in `orders.py` using one query for each shop.\n\nTests pass.", True),
        ("I rewrote the loader in `orders.py`.\n\nTests pass.", False),
    ],
)
def test_what_closes_a_turn_of_edits_is_found_by_the_means_it_names(
    closing: str, is_found: bool, tmp_path: Path
) -> None:
    found = listed(tmp_path, human("the totals page is blank"), agent("I look at it."), EDIT, agent(closing))
    assert [each.made_by for each in found] == (["agent"] if is_found else [])


@pytest.mark.parametrize("opening", ["The cause is that", "You're right, the cause is that"])
def test_who_gives_way_to_an_objection_decides_nothing_besides(opening: str, tmp_path: Path) -> None:
    reply = f"{opening} I began with the page. Let me fix this and add tests."
    talk = corrected("The page is there.", "why did you not write tests first?", "Done.")
    found = listed(tmp_path, *talk[:4], agent(reply), *talk[4:])
    assert any(reply in each.text for each in found) == (not opening.startswith("You"))


@pytest.mark.parametrize("tool", ["Task", "Read"])
def test_what_a_sub_agent_reports_is_the_agents_word(tool: str, tmp_path: Path) -> None:
    report = "The importer is written.\n\nDecision: totals are kept in a table of their own.\n"
    called = other(tool, {"description": "Write the importer", "prompt": "Write it.", "file_path": "a.txt"}, report)
    found = listed(tmp_path, human("let somebody write the importer"), called, EDIT, agent("It is there."))
    told = [each.made_by for each in found if "a table of their own" in each.text]
    assert told == (["agent"] if tool == "Task" else [])
