"""What a decision stands on, from a log to `decisions/list`: only what somebody settled outright has a proof."""

from __future__ import annotations

from pathlib import Path

import pytest

from recapd.core.decisions import stands_on_proof
from tests.support.findings import entry
from tests.support.listing import listed
from tests.support.logs import Act, agent, ask, edit, human, plan

Talk = tuple[Act, ...]
EDIT = edit("/home/dev/shop/src/orders.py")
WAYS = "Two ways:\n1. Keep the totals in a table of their own\n2. Sum them up for every page\n\nWhich one?"

# Name, talk, words of the decision, and its proof.
PROVED: list[tuple[str, Talk, str, str | None]] = [
    (
        "the answer to a question",
        (human("work on the orders"), ask("Which database?", "Postgres"), agent("Postgres then.")),
        "Postgres",
        "answer",
    ),
    (
        "a plan that was approved",
        (
            human("plan the orders page"),
            plan("# Orders page\n\nTotals are computed nightly and kept in a table."),
            agent("I begin."),
        ),
        "Totals are computed nightly",
        "plan",
    ),
    (
        "a plan that was approved before, and is handed over",
        (
            human("Implement the following plan:\n\n# Keep the totals in a table\n\nThe page is slow without it."),
            EDIT,
            agent("Done."),
        ),
        "Keep the totals in a table",
        "plan",
    ),
    (
        "an option that was picked",
        (human("work on the totals"), agent(WAYS), human("1"), EDIT, agent("Done.")),
        "table of their own",
        "option",
    ),
    (
        "an offer that is taken up in the user's own words",
        (
            human("why are the totals slow?"),
            agent(
                "They are summed up for every page. I think I could keep the totals in a table, and a job would fill "
                "it at night.\n\nDoes this sound good to you?"
            ),
            human("Do it and write the job"),
            EDIT,
            agent("The job is written."),
        ),
        "Do it and write the job",
        "answer",
    ),
    (
        "what calls itself a decision",
        (human("Decision: orders are never deleted, only archived"), EDIT, agent("Done.")),
        "only archived",
        "statement",
    ),
    (
        "the agent's own choice",
        (
            human("make the page faster"),
            agent("The query runs once for each row, so I load all rows at once instead of one by one."),
            EDIT,
            agent("The page loads all rows at once instead of one by one."),
        ),
        "instead of one by one",
        None,
    ),
]


@pytest.mark.parametrize(("talk", "words", "proof"), [row[1:] for row in PROVED], ids=[row[0] for row in PROVED])
def test_a_decision_tells_what_it_stands_on(tmp_path: Path, talk: Talk, words: str, proof: str | None) -> None:
    found = [each.proof for each in listed(tmp_path, *talk) if words in each.text]
    assert found == [proof]


def test_the_word_of_the_user_is_as_good_as_a_proof() -> None:
    likely = entry("Use Postgres", by="agent")
    assert not stands_on_proof(likely)
    assert stands_on_proof(entry("Use Postgres", by="agent", verdict="confirmed"))
