"""What a short answer accepts: the words of the proposal before it."""

from __future__ import annotations

import pytest

from recapd.core.decisions.entries import Finding
from recapd.core.decisions.find.assent import answer_in
from recapd.core.decisions.find.content import words_of
from recapd.core.decisions.find.find import findings_of
from recapd.core.decisions.find.proposals import TEXT_CHARS, accepted, proposal_in
from recapd.core.log.events import Prompt, Reply
from recapd.core.state.memory import Memory
from tests.support.records import Row, did, folded

EDIT = did("edit", "src/mail/queue.ts")
DONE = Reply("Done.")

TABLE = (
    "**Recommended:** Option B - bounces go to a mailbox, which keeps the sender free of state.\n\n"
    "| Option | Description |\n|---|---|\n"
    "| A | Drop bounced letters silently |\n"
    "| B | Forward bounced letters to a mailbox |\n"
    "| C | Retry bounced letters for two days |\n\n"
    'You can reply with the option letter (e.g., "A") or say "yes".'
)
LIST = (
    "Three places need the sender's name:\n\n"
    "1. `outbox.ts` takes it from the account\n"
    "2. `digest.ts` takes it from the settings\n"
    "3. `legacy.ts` has no account at hand\n\n"
    "Would you like me to implement these?"
)
DESIGN = (
    "Letters are claimed with a row lock, so that two workers never send the same letter twice. "
    "A claimed letter that is not sent within ten minutes is released again.\n\n"
    "Does this design meet your expectations?"
)


def took(before: str, said: str) -> str:
    return accepted(proposal_in(before), answer_in(said))[0]


@pytest.mark.parametrize(("letter", "words"), [("A", "silently"), ("c", "two days")])
def test_a_letter_picks_the_row_of_a_table(letter: str, words: str) -> None:
    text = took(TABLE, letter)
    assert words in text
    assert "|" not in text
    assert "mailbox" not in text


def test_a_nod_takes_what_was_recommended() -> None:
    text = took(TABLE, "yes")
    assert "mailbox" in text
    assert "You can reply" not in text


def test_several_numbers_take_several_options() -> None:
    text = took(LIST, "Implement 1 and 2.")
    assert "outbox.ts" in text
    assert "digest.ts" in text
    assert "legacy.ts" not in text


def test_the_last_option_ends_where_the_question_begins() -> None:
    offered = "Two places for it:\n\n1. In the header: seen by all.\n2. In the footer: out of the way.\n\nWhich is it?"
    assert took(offered, "2") == "In the footer: out of the way."


def test_a_question_about_all_that_stands_before_it_says_nothing_itself() -> None:
    text = took(DESIGN, "approve")
    assert "row lock" in text
    assert "expectations" not in text


def test_what_was_then_done_tells_which_sentence_was_meant() -> None:
    offer = (
        "The sender keeps one connection per letter, which is slow under load for the relay. "
        "The digest reads every letter of the account twice, which is slow under load for the database.\n\n"
        "Sounds good?"
    )
    room_for_one = offer.replace("under load", "under load, as the figures of last week show quite plainly,")
    for done, words in (("the digest reads each letter once", "digest"), ("one connection for all", "connection")):
        text = accepted(proposal_in(room_for_one), answer_in("yes"), words_of(done))[0]
        assert words in text[:TEXT_CHARS]


@pytest.mark.parametrize("heading", ["第 2 步：先搭目录结构", "3）建立状态机", "2) build the state machine"])
def test_a_counted_heading_picks_nothing(heading: str) -> None:
    assert answer_in(heading).picks == ()


def test_a_plain_number_still_picks() -> None:
    assert answer_in("第 2 个").picks == ("2",)
    assert answer_in("2").picks == ("2",)


def told_after(before: str, said: str) -> list[Finding]:
    rows: tuple[Row, ...] = (Prompt("the mail is slow"), Reply(before), Prompt(said), EDIT, DONE)
    return [each for each in findings_of(folded(*rows), Memory()) if each.quote and each.quote in said]


def test_a_wordy_nod_does_not_push_out_what_it_accepts() -> None:
    said = (
        "yes that one sounds right to me after what the colleagues from the other team told us about their own "
        "troubles with it in the spring and again in the summer when nobody was there to look after it"
    )
    (nod,) = [each for each in told_after("Should I forward bounced letters to a mailbox?", said) if each.proposal]
    assert "forward bounced letters" in nod.text
    assert len(nod.text) <= TEXT_CHARS


def test_the_agents_own_words_given_back_are_a_decision_of_both() -> None:
    (answer,) = told_after("Should the relay or the mailbox hold bounced letters?", "the mailbox, bounced letters")
    assert answer.made_by == "collaborative"
    assert answer.proposal is not None


def test_own_words_in_reply_to_a_question_stay_the_humans() -> None:
    said = "never hold them anywhere, we must delete personal data at once instead of storing it"
    (answer,) = told_after("Should the relay or the mailbox hold bounced letters?", said)
    assert answer.made_by == "user"
