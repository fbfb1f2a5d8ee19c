"""Bugs in how five older designs found decisions, each as a test that it has not come back: from a log to
`decisions/list`. Tests are named after the items of the list of those bugs, as in test_seed_bugs.

Where else: 3.0 g, 3.3 g and 3.4 e also in test_seed_003_summarization (views choose, nothing is dropped), 3.0 k and
3.4 q in test_markers (what recapd wrote comes back), 3.0 f and 3.4 f in test_ledger.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.listing import listed, standing
from tests.support.logs import Act, agent, edit, human, read, shell

EDIT = edit("/home/dev/shop/src/orders.py")
DONE = agent("Changed.")


def ruled(*rules: str) -> tuple[Act, ...]:
    """A conversation in which the human says these things, one after another, and the agent does them."""
    return tuple(act for rule in rules for act in (human(rule), EDIT, DONE))


@pytest.mark.parametrize(
    "words",
    [
        "I’ll open the config and then grep for the flag.",
        "I will start by reading the tests. I'll use grep for that.",
        "Let's have a look at the trace. Going with the second file first.",
        "Let me now write down what I found, then check the loader.",
        "Сейчас посмотрю логи и запущу тесты.",
        "让我先查看日志，然后运行测试。",
        "Je vais d'abord lire le fichier de configuration.",
    ],
)
def test_3_0_b_and_3_4_a_telling_the_next_step_decides_nothing(words: str, tmp_path: Path) -> None:
    talk = (
        human("find out why the job stops"),
        agent(words),
        shell("grep flag", "x"),
        agent("It is set in two places."),
    )
    assert standing(tmp_path, *talk) == []


@pytest.mark.parametrize(
    "words",
    [
        "| driver | async | pooled |\n|---|---|---|\n| a | ✅ Yes, always use it | ❌ never |\n| b | ❌ | ✅ |",
        "- ✅ parser finished\n- ✅ writer finished, never failed\n- ⬜ docs",
        "## ✅ Conclusion\n\nBoth drivers were compared.",
    ],
)
def test_3_0_c_a_tick_is_no_decision(words: str, tmp_path: Path) -> None:
    assert standing(tmp_path, human("compare the drivers"), agent(words)) == []


def test_3_0_d_the_humans_decisions_are_seen_and_known_as_theirs(tmp_path: Path) -> None:
    entries = listed(
        tmp_path,
        *ruled("greet customers by their first name only, never by their surname"),
        human("what about the mails?"),
        agent("The mails are sent at once. Should I send them in one digest per day instead?"),
        human("yes please"),
        EDIT,
        agent("Mails go out as one digest per day."),
    )
    who = {word: each.made_by for each in entries for word in ("surname", "digest") if word in each.text}
    assert who == {"surname": "user", "digest": "collaborative"}


@pytest.mark.parametrize(
    ("first", "then"),
    [
        (
            "let's use a memory queue for the thumbnails",
            "let's use a disk queue for the thumbnails instead of a memory queue",
        ),
        ("always keep the audit rows", "never keep the audit rows"),
        ("sessions should last 30 minutes, not longer", "sessions should last 90 minutes, not longer"),
    ],
)
def test_3_0_e_and_f_a_revision_is_kept_and_ends_what_it_revises(first: str, then: str, tmp_path: Path) -> None:
    old, new = listed(tmp_path, *ruled(first, then))
    assert [(each.quote, each.status) for each in (old, new)] == [(first, "superseded"), (then, "active")]
    assert (old.superseded_by, new.supersedes) == (new.id, old.id)


@pytest.mark.parametrize("again", ["Use   spaces, never TABS", "use spaces, never tabs.", "use spaces — never tabs!"])
def test_3_0_e_punctuation_and_case_make_no_new_decision(again: str, tmp_path: Path) -> None:
    (entry,) = listed(tmp_path, *ruled("use spaces, never tabs", again))
    assert (entry.turn, entry.status) == (1, "active")


def test_3_0_g_and_3_3_g_none_is_lost_however_many_there_are(tmp_path: Path) -> None:
    rules = [f"the {thing} page must never load fonts from {thing}-cdn.example" for thing in THINGS]
    entries = listed(tmp_path, *ruled(*rules))
    assert [each.quote for each in entries] == rules
    assert {each.status for each in entries} == {"active"}


THINGS = """
cart billing search login invoice profile ticket coupon refund parcel rating banner gallery help press jobs legal blog
""".split()


@pytest.mark.parametrize(
    "rule",
    [
        "Go, never Rust",
        "we should never skip the checksum step and always upload the signature next to the archive",
        "pin it to v1.2 in foo.py, don't float the version. The rest is fine.",
        "we shouldn’t retry on 4xx, only on 5xx and timeouts",
        "use a memory queue for the thumbnails, never a file. Going with files filled the disk twice this year",
    ],
)
def test_3_0_r_and_s_no_decision_is_cut_within_a_word_or_lost_for_its_length(rule: str, tmp_path: Path) -> None:
    talk = (
        human("set up the build"),
        EDIT,
        agent("Which language should the tool be written in?"),
        human(rule),
        EDIT,
        DONE,
    )
    entries = [each for each in listed(tmp_path, *talk) if each.made_by != "agent" and each.turn == 2]
    assert entries
    for each in entries:
        assert set(each.text.partition(" — ")[0].split()) <= set(rule.split())


@pytest.mark.parametrize(
    "talk",
    [
        (
            human("show me the snippet"),
            agent("```python\n# Decision: never retry on Fridays, always fail fast instead\nretry = 0\n```"),
        ),
        (
            human(
                "On Mon, Jan 5, 2026 at 9:00 Ana wrote:\n> we should always deploy on Fridays instead of Mondays\n"
                "> never ask the platform team\n\nwhat did she mean?"
            ),
            agent("She wants deployments at the end of the week."),
        ),
        (
            human("what does the changelog say?"),
            read("CHANGELOG.md", "Decided to use Fridays for releases instead of Mondays."),
            agent("> Decided to use Fridays for releases instead of Mondays.\n\nThat is all it says."),
        ),
    ],
    ids=["code", "mail", "quotation"],
)
def test_3_0_t_what_is_quoted_is_nobodys_decision(talk: tuple[Act, ...], tmp_path: Path) -> None:
    assert [text for text in standing(tmp_path, *talk) if "Fridays" in text] == []


@pytest.mark.parametrize(
    "words",
    [
        "As soon as you say so, I will delete the table.",
        "I will wait for your answer before I delete the table.",
        "If the backup is fine, I will delete the table tomorrow.",
        "Would it help if I delete the table?",
    ],
)
def test_3_4_b_what_waits_for_something_is_not_decided(words: str, tmp_path: Path) -> None:
    assert standing(tmp_path, human("is the old table still read?"), agent(f"Nothing reads it. {words}")) == []


@pytest.mark.parametrize(
    "rule",
    ["we decided not to use a cache at all, only the database", "I don't want a cache here, read from the database"],
)
def test_3_4_b_a_no_is_kept(rule: str, tmp_path: Path) -> None:
    (entry,) = [each for each in listed(tmp_path, *ruled("work on the prices"), *ruled(rule)) if "cache" in each.text]
    assert (entry.text, entry.made_by, entry.status) == (rule, "user", "active")


def test_3_4_c_and_d_each_decision_of_a_message_is_told_once_and_whole(tmp_path: Path) -> None:
    rules = ("never use the singleton pattern in the importer", "invoices must be rounded only at the very end")
    entries = listed(tmp_path, *ruled("work on the invoices"), *ruled(f"{rules[0]}. {rules[1]}."))
    told = [each.text.rstrip(".") for each in entries if each.turn == 2]
    assert sorted(told) == sorted(rules)


def test_3_4_e_confidence_is_evidence_and_order_is_time(tmp_path: Path) -> None:
    entries = listed(
        tmp_path,
        *ruled("maybe a slightly bigger logo would be nicer, not sure", "never store card numbers, only tokens"),
        human("which port?"),
        agent("Should the API listen on 9000 instead of 8000?"),
        human("yes, 9000"),
        EDIT,
        agent("The API listens on 9000."),
    )
    assert [each.turn for each in entries] == sorted(each.turn for each in entries)
    assert len({each.confidence for each in entries}) > 1
