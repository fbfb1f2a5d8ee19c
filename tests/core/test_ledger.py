"""What becomes of decisions: which hold, which were replaced, taken back, contradicted or said again."""

from __future__ import annotations

import msgspec
import pytest

from recapd.core.decisions.entries import Finding
from recapd.core.decisions.ledger.ledger import entry_ids, shown_entries
from recapd.core.log.events import Prompt, Reply
from recapd.core.settings import DecisionSettings
from recapd.core.state.memory import Memory
from tests.support.findings import by_agent, conversation, ledger, placed, said
from tests.support.records import place_of, record, session_with

A, S, R = "active", "superseded", "reverted"

# Each decision in the order it was made, with the status it ends in.
STORIES: dict[str, list[tuple[Finding, str]]] = {
    "a larger value": [(said("Uploads are capped at 25 MB"), S), (said("raise the upload cap to 80 MB"), A)],
    "another value, of a preference": [
        (said("Keep at most 30 rows in the activity table", type="preference"), S),
        (said("make it 200 rows in the activity table", type="preference"), A),
    ],
    "the user corrects the agent's constant": [
        (by_agent("Set RETRY_BUDGET to 4"), S),
        (said("RETRY_BUDGET should be 9"), A),
    ],
    "another name": [
        (said("call the new package orbit-cli"), S),
        (said("rename the package to comet-cli instead of orbit-cli"), A),
    ],
    "another place": [
        (said("Put the glossary under handbook/glossary.md"), S),
        (said("move the glossary to reference/glossary.md"), A),
    ],
    "another mechanism": [
        (by_agent("Store the session token in a cookie", type="approach"), S),
        (by_agent("Keep the session token in the keychain instead of a cookie", type="fix"), A),
    ],
    "nothing in common": [
        (said("Use tabs in Makefiles", type="preference"), A),
        (said("The changelog is written in German", type="preference"), A),
    ],
    "two of a list": [
        (said("The badge for rules reads Rule"), A),
        (said("The badge for linked pages reads Linked page"), A),
    ],
    "the goal outlives its mechanisms": [
        (said("Customer data must never leave the EU", type="constraint"), A),
        (by_agent("Pin the bucket to eu-west-1 for customer data"), S),
        (by_agent("Use a customer-managed replica in Frankfurt instead of the eu-west-1 bucket"), A),
    ],
    "there and back again": [
        (said("Serve the docs with Caddy"), S),
        (said("Serve the docs with nginx instead of Caddy"), S),
        (said("Serve the docs with Caddy"), A),
    ],
    "the last one is undone": [
        (said("Add a dark theme"), A),
        (by_agent("Render the graph with canvas instead of SVG", type="approach"), R),
        (said("roll that back", takes_back=True), A),
    ],
    "a named one is undone": [
        (by_agent("Cache thumbnails on disk"), R),
        (by_agent("Sort invoices by due date"), A),
        (said("take the thumbnail cache out again", takes_back=True), A),
    ],
    "undone long after": [
        (by_agent("Sort invoices by due date", turn=1), A),
        (said("undo that", takes_back=True, turn=9), A),
    ],
    "undoing a change brings back what it changed": [
        (said("Poll for prices every 10 seconds"), A),
        (said("poll for prices every 60 seconds"), R),
        (said("undo that", takes_back=True), A),
    ],
    "everything is thrown away but the rules": [
        (by_agent("Split the parser into three modules"), R),
        (by_agent("Name the lexer class Scanner"), R),
        (said("no emojis in messages", type="preference"), A),
        (said("throw everything away and start over", takes_back=True), A),
    ],
    "a change of scope voids what was decided for it": [
        (by_agent("The PDF export has page numbers"), S),
        (by_agent("PDF pages get a watermark"), S),
        (said("The mail digest goes out at 7"), A),
        (said("we drop the PDF export altogether", type="scope"), A),
    ],
    "successive fixes of one step": [
        (by_agent("Fix the flaky login test by waiting for the spinner", type="fix"), S),
        (by_agent("The flaky login test is fixed by mocking the clock, not by waiting for the spinner", type="fix"), A),
    ],
    "fixes of different steps": [
        (by_agent("Fix the flaky login test by waiting for the spinner", type="fix"), A),
        (by_agent("Fix the crash on logout by closing the socket first", type="fix"), A),
    ],
    "the agent thinks again": [
        (by_agent("Use a bloom filter for the lookup", turn=1), S),
        (by_agent("Actually, a plain dict is enough for the lookup", turn=1), A),
    ],
    "the agent gives way": [
        (by_agent("Write the cart into a cookie so that it outlives a reload", turn=1), S),
        (by_agent("Good catch. I'll undo that and have the server hand it back on sign-in", turn=2), A),
    ],
    "the user has another way": [
        (by_agent("Raise the memory limit of the importer container to 4 GB", turn=1), S),
        (said("give the importer container a swap file and leave the memory limit alone", turn=2), A),
    ],
    "what was agreed on does not work": [
        (said("Set `keepAlive` on the `createPool` options of the importer", by="collaborative"), S),
        (
            by_agent(
                "The build fails: `keepAlive` belongs on the socket, `createPool` of the importer has no such thing"
            ),
            A,
        ),
    ],
    "steps of one piece of work": [
        (by_agent("Move the importer settings into a file of their own", turn=1), A),
        (by_agent("The importer tests now read the settings file instead of the environment", turn=1), A),
    ],
    "the same told again, with what it replaced": [
        (by_agent("Sign tokens with Ed25519 rather than RSA", turn=1), A),
        (by_agent("Tokens: signed by Ed25519 rather than RSA, keys rotated weekly", turn=3), A),
    ],
    "refusals of two calls": [
        (msgspec.structs.replace(said("Do not run `npm publish --tag next`"), how="rejected"), A),
        (msgspec.structs.replace(said("Do not run `npm publish --tag beta`"), how="rejected"), A),
    ],
    "in another language": [
        (said("日志文件放在 logs/app.log 目录下"), S),
        (said("日志文件不要放在 logs/app.log, 改成 var/app.log 目录下"), A),
    ],
}


@pytest.mark.parametrize("story", STORIES.values(), ids=STORIES)
def test_what_becomes_of_each(story: list[tuple[Finding, str]]) -> None:
    entries = ledger(*(finding for finding, _ in story))
    assert [(entry.finding.text, entry.status) for entry in entries] == [
        (finding.text, status) for finding, status in story
    ]
    by_id = {entry.id: entry for entry in entries}
    for entry in entries:
        # Whatever no longer holds points to what ended it, and that points back, if only to the latest of several.
        if entry.status in (S, R):
            assert by_id[by_id[entry.superseded_by].supersedes].superseded_by == entry.superseded_by
        else:
            assert entry.superseded_by == ""


REPEATED: dict[str, list[Finding]] = {
    "an echo of the agent": [
        said("Never push to the release branch", type="constraint"),
        by_agent("Understood, I will never push to the release branch", type="constraint"),
    ],
    "the user insists": [
        said("the footer must say Acme Labs", type="constraint"),
        said("Again: the footer must say Acme Labs!", type="constraint"),
    ],
    "a summary in fewer words": [
        by_agent("Invoices are sorted by due date, newest first, in the billing view"),
        by_agent("Invoices sorted by due date in billing view"),
    ],
}


@pytest.mark.parametrize("findings", REPEATED.values(), ids=REPEATED)
def test_saying_it_again_dates_nothing_anew(findings: list[Finding]) -> None:
    (entry,) = ledger(*findings)
    first, again = placed(findings)
    assert (entry.finding, entry.status, entry.restated) == (first, "active", (again.place,))


NOT_REPEATED: dict[str, tuple[str, str]] = {
    "another value": ("Retry the download 3 times", "Retry the download 7 times"),
    "the contrary": ("Log the request body", "Do not log the request body"),
    "one word more": ("Sign the release builds", "Sign the release builds with the offline key"),
    "another file": ("Write the report to out/report.csv", "Write the report to out/report.json"),
}


@pytest.mark.parametrize(("first", "then"), NOT_REPEATED.values(), ids=NOT_REPEATED)
def test_a_revision_is_never_taken_for_a_repetition(first: str, then: str) -> None:
    assert len(ledger(said(first), said(then))) == 2


def accepted(proposal: Finding, text: str) -> tuple[Finding, Finding]:
    place, yes = place_of(1), place_of(11)
    return (
        msgspec.structs.replace(proposal, place=place, record="p"),
        msgspec.structs.replace(
            said(text, by="collaborative", turn=2, record="y", quote="yes please"),
            place=yes,
            proposal=place,
            how="accepted",
        ),
    )


def test_a_proposal_and_its_acceptance_are_one_decision() -> None:
    findings = accepted(
        by_agent("I could cache the thumbnails on disk", turn=1), "cache the thumbnails on disk — yes please"
    )
    (entry,) = ledger(*findings)
    assert (entry.finding.made_by, entry.finding.proposal) == ("collaborative", findings[0].place)
    # Unless the user has said something of the proposal itself: then the yes says it again.
    proposal, _ = entry_ids(conversation(1).id, findings)
    (entry,) = ledger(*findings, verdicts={proposal: "confirmed"})
    assert (entry.id, entry.restated) == (proposal, (findings[1].place,))
    # A yes to something else leaves it alone.
    others = accepted(
        by_agent("I could cache the thumbnails on disk", turn=1), "rename the table to orders — yes please"
    )
    assert len(ledger(*others)) == 2


CONTRARY: dict[str, list[Finding]] = {
    "what was ruled out": [
        said("do not add new runtime dependencies", type="constraint"),
        by_agent("Add the pendulum runtime dependency for time zones"),
    ],
    "another value": [
        said("the timeout is 30 seconds", type="constraint"),
        by_agent("Set the timeout to 90 seconds"),
    ],
}


@pytest.mark.parametrize("findings", CONTRARY.values(), ids=CONTRARY)
def test_the_agent_cannot_replace_what_the_user_said(findings: list[Finding]) -> None:
    rule, deed = ledger(*findings)
    assert (rule.status, rule.superseded_by, rule.conflicts_with) == ("active", "", deed.id)
    assert (deed.status, deed.supersedes) == ("active", "")


def test_keeping_a_rule_is_no_conflict() -> None:
    rule, _ = ledger(
        said("do not add new runtime dependencies", type="constraint"),
        by_agent("Parse time zones by hand rather than with a new dependency"),
    )
    assert rule.conflicts_with == ""


def test_a_guess_is_tentative_and_buries_nothing() -> None:
    first, guess = ledger(said("Uploads are capped at 25 MB"), said("raise the upload cap to 80 MB", confidence=0.3))
    assert (first.status, guess.status) == ("active", "tentative")
    assert shown_entries((first, guess), DecisionSettings(), Memory()).latest == (first,)
    lenient = DecisionSettings(threshold=0.2)
    first, guess = ledger(first.finding, guess.finding, settings=lenient)
    assert (first.status, guess.status) == ("superseded", "active")


def test_what_was_decided_on_a_branch_that_was_left_is_abandoned_and_does_nothing() -> None:
    session = session_with(
        Prompt("cap uploads at 25 MB"),
        Reply("Done."),
        record(Prompt("raise the upload cap to 80 MB"), id="left"),
        Reply("Done."),
        record(Prompt("write the docs"), parent="00000002"),
    )
    assert [turn.abandoned for turn in session.main.transcript.turns] == [False, True, False]
    first, left, last = ledger(
        said("Uploads are capped at 25 MB"),
        said("raise the upload cap to 80 MB"),
        said("The docs are written in French"),
        session=session,
    )
    assert [entry.status for entry in (first, left, last)] == ["active", "abandoned", "active"]
    # The turn that replaced the abandoned one has its number.
    assert [entry.turn for entry in (first, left, last)] == [1, 2, 2]
    assert left not in shown_entries((first, left, last), DecisionSettings(), Memory()).latest


def test_the_users_word_outranks_what_was_found() -> None:
    findings = (
        said("Uploads are capped at 25 MB"),
        said("raise the upload cap to 80 MB"),
        said("Sell socks", confidence=0.2),
    )
    first, second, third = (entry.id for entry in ledger(*findings))
    entries = ledger(*findings, verdicts={second: "dismissed", third: "confirmed"})
    assert [(entry.status, entry.verdict) for entry in entries] == [
        ("active", None),
        ("active", "dismissed"),
        ("active", "confirmed"),
    ]
    assert [entry.id for entry in shown_entries(entries, DecisionSettings(), Memory()).latest] == [first, third]


def test_only_those_who_are_wanted_are_shown() -> None:
    entries = ledger(said("Use tabs"), by_agent("Use a heap for the queue"))
    by_agents = shown_entries(entries, DecisionSettings(who=("agent",)), Memory()).latest
    assert [entry.finding.made_by for entry in by_agents] == ["agent"]
    assert shown_entries(entries, DecisionSettings(enabled=False), Memory()).latest == ()
