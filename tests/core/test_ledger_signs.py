"""What the conversation gives away of a change: objections, complaints, giving way, doing again, taking out.

Each story has a twin in which one sign is missing: then both decisions stand.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec import Struct
from msgspec.structs import replace

from recapd.core.decisions.entries import Finding
from recapd.core.decisions.ledger.ledger import ledger_from
from recapd.core.log.events import Prompt, Reply
from tests.support.findings import AS_USUAL, by_agent, said
from tests.support.records import Row, did, id_of, place_of, record, session_with


class Turn(Struct):
    """What the human says, whether something is then changed, and what the agent says at the end."""

    asked: str
    closing: str
    decided: Finding
    is_done: bool = True


def agent_turn(asked: str, words: str, *, closing: str = "", is_done: bool = True) -> Turn:
    return Turn(asked, closing or words, by_agent(words), is_done)


def fix_turn(asked: str, words: str) -> Turn:
    return Turn(asked, words, by_agent(words, type="fix"))


def human_turn(words: str, *, closing: str = "Done.", is_done: bool = True, by: str = "user") -> Turn:
    return Turn(words, closing, replace(said(words), made_by=by), is_done)


def statuses(turns: Sequence[Turn]) -> list[str]:
    """What becomes of the decision of each turn."""
    rows: list[Row] = []
    findings: list[Finding] = []
    for number, turn in enumerate(turns):
        rows.append(Prompt(turn.asked))
        asked_at = len(rows)
        if turn.is_done:
            rows.append(did("edit", "src/shop.py"))
        rows.append(Reply(turn.closing))
        place = place_of(len(rows) if turn.decided.made_by == "agent" else asked_at)
        findings.append(replace(turn.decided, place=place, turn_row=number, record=f"r{number}"))
    return [entry.status for entry in ledger_from(findings, session=session_with(*rows), settings=AS_USUAL)]


CACHE = agent_turn("make the search fast", "The `SearchCache` keeps results in a local file")
STORE = agent_turn("keep the address", "The simplest way is to write the address into browser storage")
BADGE = agent_turn("mark new orders", 'New orders get a "Fresh Order" badge in the list')
ORDER = agent_turn("find orders", "Look into the archive first and fall back to the live index")
LIMITED = agent_turn("show the history", "Only the Berlin shop shows the price history, as a chart")
MAIL = human_turn("should the mails go out in the evening?", by="collaborative")

# Name, the turns of which the last one changes the first, and the same without the sign.
SIGNS: dict[str, tuple[list[Turn], list[Turn]]] = {
    "the human objects, the agent gives way": (
        [
            STORE,
            agent_turn("hmm, that leaks on shared machines", "Fair point. The server returns the address on sign-in"),
        ],
        [STORE, agent_turn("and now the phone number", "Of course. The server returns the address on sign-in")],
    ),
    "the human objects and says what is wanted": (
        [CACHE, human_turn("no, results belong into Redis")],
        [CACHE, human_turn("results belong onto the start page")],
    ),
    "a no to a question is no objection": (
        [CACHE, human_turn("no, results belong into Redis, where both shops find them")],
        [
            replace(CACHE, closing="Results are kept. Shall I keep all results?"),
            human_turn("no, results belong into Redis, where both shops find them"),
        ],
    ),
    "the human complains, the agent mends": (
        [
            CACHE,
            agent_turn("it still shows old results", "The problem is the file: `SearchCache` asks the server first"),
        ],
        [CACHE, agent_turn("document it", "The page on `SearchCache` says what the problem is")],
    ),
    "a stack trace is a complaint": (
        [
            CACHE,
            agent_turn("StaleError: SearchCache line 3", "`SearchCache` asks the server first, no longer the file"),
        ],
        [CACHE, agent_turn("StaleError: SearchCache line 3", "`SearchCache` asks the server first", is_done=False)],
    ),
    "the agent does it again": (
        [CACHE, agent_turn("go on", "I replaced the local file: search results are kept in a table")],
        [CACHE, agent_turn("go on", "Search results are also kept in a table when the local file is full")],
    ),
    "a contrast must be with the earlier one": (
        [CACHE, agent_turn("go on", "Search results are kept in a table instead of a local file")],
        [CACHE, agent_turn("go on", "Search results are sorted by price instead of crashing")],
    ),
    "the human tells it the other way round": (
        [ORDER, human_turn("look into the live index first, the archive is only the fallback")],
        [ORDER, human_turn("fine, look into the archive first, then the live index")],
    ),
    "more than there was leaves what was there": (
        [LIMITED, human_turn("all branches and the web page must list the price history, not only Berlin")],
        [
            agent_turn("show the history", "The Berlin shop shows the price history, as a chart"),
            human_turn("all branches and the web page must list the price history, not only Berlin"),
        ],
    ),
    "a second fix of one step": (
        [
            fix_turn("the total is off", "The total in basket.py is off because cents are cut: round them up"),
            fix_turn("look again", "The total in basket.py counts the voucher twice: leave it out of the sum"),
        ],
        [
            fix_turn("the total is off", "The total of the basket is off because cents are cut: round them up"),
            fix_turn("look again", "The total of the basket counts the voucher twice: leave it out of the sum"),
        ],
    ),
    "the agent tells that it took it out": (
        [BADGE, human_turn("the list is too loud", closing='Removed the "Fresh Order" badge.')],
        [BADGE, human_turn("the list is too loud", closing="Removed the second border.")],
    ),
    "what was agreed on is asked for otherwise": (
        [MAIL, human_turn("the mails should go out at noon instead, to everybody")],
        [MAIL, human_turn("the mails should go out at noon instead, to everybody", is_done=False)],
    ),
}


@pytest.mark.parametrize(("changed", "kept"), SIGNS.values(), ids=SIGNS)
def test_a_change_is_told_by_its_sign(changed: list[Turn], kept: list[Turn]) -> None:
    assert statuses(changed) == ["superseded", "active"]
    assert statuses(kept) == ["active", "active"]


def test_a_human_who_thinks_again_within_a_message_means_the_last() -> None:
    first = said("Put the banner above the cart", turn=1)
    again = said("Actually, put the banner below the cart", turn=1)
    session = session_with(Prompt(f"{first.quote}. {again.quote}"), Reply("Done."))
    findings = [replace(each, place=place_of(1), ordinal=n, record="r") for n, each in enumerate((first, again))]
    entries = ledger_from(findings, session=session, settings=AS_USUAL)
    assert [entry.status for entry in entries] == ["superseded", "active"]


def test_waiting_for_something_is_no_second_thought() -> None:
    findings = [
        replace(by_agent(text, turn=1), place=place_of(2), ordinal=number, record="r")
        for number, text in enumerate(("The viewer loads its script from a mirror", "Wait for the viewer script"))
    ]
    entries = ledger_from(findings, session=session_with(Prompt("fix it"), Reply("Done.")), settings=AS_USUAL)
    assert [entry.status for entry in entries] == ["active", "active"]


def test_a_retraction_on_a_branch_that_was_left_retracts_nothing() -> None:
    rule = said("Cap uploads at 25 MB", turn=1)
    rows = (
        Prompt("Cap uploads at 25 MB"),
        Reply("Done."),
        record(Prompt("sorry, wrong window"), id="left"),
        Reply("Ok."),
    )
    findings = [replace(rule, place=place_of(1), record="r")]
    (entry,) = ledger_from(findings, session=session_with(*rows), settings=AS_USUAL)
    assert entry.status == "reverted"
    went_back = session_with(*rows, record(Prompt("write the docs"), parent=id_of(2)))
    (entry,) = ledger_from(findings, session=went_back, settings=AS_USUAL)
    assert entry.status == "active"


def within_a_turn(*findings: Finding) -> list[str]:
    """What becomes of decisions that were made one after another in one turn in which something was changed."""
    rows: list[Row] = [Prompt("make it work")]
    placed: list[Finding] = []
    for number, finding in enumerate(findings):
        rows += [Reply(finding.quote), did("edit", "src/shop.py")]
        placed.append(replace(finding, place=place_of(len(rows) - 1), turn_row=0, record=f"r{number}"))
    return [entry.status for entry in ledger_from(placed, session=session_with(*rows), settings=AS_USUAL)]


def test_an_agent_that_starts_over_gives_up_its_last_attempt() -> None:
    theme = by_agent("Buttons are green")
    attempt = by_agent("Clicks are counted per second, so that two of them do not buy twice")
    assert within_a_turn(theme, attempt, by_agent("Let me try a different approach: orders carry a token")) == [
        "active",
        "superseded",
        "active",
    ]
    # To have an approach is not to begin anew.
    assert within_a_turn(theme, attempt, by_agent("The approach is that orders carry a token")) == ["active"] * 3


def test_within_a_turn_a_choice_that_cannot_be_is_replaced_by_the_next() -> None:
    first = by_agent("Load the fonts of the shop from the mirror of the vendor")
    other = by_agent("Load the fonts of the shop from a folder of ours, the vendor rejects us")
    assert within_a_turn(first, other) == ["superseded", "active"]
    more = by_agent("Load the fonts of the shop from a folder of ours too, the vendor knows")
    assert within_a_turn(first, more) == ["active", "active"]


def test_an_objection_is_to_what_the_agent_did_last_even_if_something_older_is_more_alike() -> None:
    rule = human_turn("the deploy key of the shop must never leave the deploy vault")
    older = replace(rule, decided=replace(rule.decided, type="constraint"))
    last = agent_turn("go on", "The packer writes the server address into every release bundle")
    wish = human_turn("no, take the address of the shop from the vault, like the deploy key")
    assert statuses([older, last, wish]) == ["active", "superseded", "active"]
    assert statuses([older, last, replace(wish, asked="and the address?")])[1] == "active"


def test_what_was_built_upon_is_not_done_again() -> None:
    again = agent_turn("go on", "Reworked: search results are kept in a table")
    others = [agent_turn("go on", f"The {thing} gets a page of its own") for thing in ("cart", "login", "map", "blog")]
    assert statuses([CACHE, *others[:3], again])[0] == "superseded"
    assert statuses([CACHE, *others, again])[0] == "active"


def test_what_fails_must_be_what_was_agreed_on_not_just_something_the_proposal_names() -> None:
    offer = "Next: receipts as PDF, the cart keeps its items. Touched: `pdf_writer`, `cart_store`."
    session = session_with(
        Prompt("what next?"), Reply(offer), Prompt("yes"), Reply("Done."), Prompt("go on"), Reply("x")
    )

    def after(agreed: str) -> list[str]:
        yes = replace(said(agreed, by="collaborative"), place=place_of(3), turn_row=1, record="y", proposal=place_of(2))
        failed = by_agent("`pdf_writer` fails on long receipts, so pages are cut")
        findings = [yes, replace(failed, place=place_of(6), turn_row=2, record="f")]
        return [entry.status for entry in ledger_from(findings, session=session, settings=AS_USUAL)]

    assert after("Write receipts with `pdf_writer`") == ["superseded", "active"]
    assert after("Keep the items of a cart next to its receipts") == ["active", "active"]


def test_what_was_agreed_on_outlives_what_the_agent_does_next_about_something_else() -> None:
    agreed = human_turn(
        "apply the rules: put adhesive rolls into `rolls.md`, colours of labels into `labels.md`, drop the old printer",
        by="collaborative",
    )
    later = agent_turn(
        "no, go on without it",
        "The guard blocks whatever is written between two shifts, so the night watch copies rules with a script",
    )
    assert statuses([agreed, later])[0] == "active"
