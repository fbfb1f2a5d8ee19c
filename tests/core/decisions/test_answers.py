"""What a human's answer is taken for: which question it answers, who decided, and what is no answer."""

from __future__ import annotations

import pytest

from recapd.core.decisions.find.assent import answer_in
from recapd.core.decisions.find.candidates import Candidate, candidates_in
from recapd.core.decisions.find.scenes import scenes_of
from recapd.core.log.events import Prompt, Reply
from tests.support.records import did, folded

QUESTIONS = (
    "Before I start on the parcel labels:\n\n"
    "1. Should labels be printed in colour?\n"
    "2. Which paper do they go on?\n"
    "   a) plain sheets\n"
    "   b) adhesive rolls\n"
    "3. Do we drop the old barcode?\n"
)
LISTS = (
    "How long may a label wait in the queue?\nA. thirty minutes\nB. two hours\n\n"
    "Who may reprint one?\nA. everybody\nB. the shift leader\n"
)
RESULTS = "All done:\n\n1. The printer driver is updated\n2. The queue is drained\n\nIs there more to look at?"


def of_answer(before: str, said: str) -> list[Candidate]:
    """Candidates of a message that follows an agent's, in the order of the message."""
    talk = folded(Prompt("work on the labels"), Reply(before), Prompt(said), did("edit", "labels.py"), Reply("Done."))
    found = [each for scene in scenes_of(talk.passages) for each in candidates_in(scene)]
    return [each for each in found if each.passage.text == said]


def answers(before: str, said: str) -> list[Candidate]:
    return [each for each in of_answer(before, said) if each.model == "assent"]


@pytest.mark.parametrize(
    "said",
    [
        "1. yes 2. the second 3. no, keep it",
        "1) yes\n2) b\n3) no, keep it",
        "1: yes, 2: b, 3: no, keep it",
        "Here you go:\n1 - yes\n2 - b\n3 - no, keep it",
    ],
)
def test_each_number_answers_its_question(said: str) -> None:
    colour, paper, barcode = answers(QUESTIONS, said)
    assert "printed in colour" in colour.text
    assert "adhesive rolls" in paper.text
    assert "plain sheets" not in paper.text
    assert "drop the old barcode" in barcode.text
    assert "keep it" in barcode.text


@pytest.mark.parametrize("said", ["1. yes 2. b 3. no", "B, A", "1b 2a 3b"])
def test_what_is_quoted_of_an_answer_stands_where_it_begins(said: str) -> None:
    found = answers(LISTS if said == "B, A" else QUESTIONS, said)
    assert len(found) == len({each.ordinal for each in found}) >= 2
    for each in found:
        assert said.startswith(each.quote, each.ordinal)


def test_letters_answer_lists_in_their_order() -> None:
    wait, reprint = answers(LISTS, "B, A")
    assert "two hours" in wait.text
    assert "everybody" in reprint.text


def test_as_many_letters_as_lists_or_they_pick_from_one() -> None:
    (picked,) = answers(LISTS.partition("\n\n")[0] + "\nWhich of them?", "A, B")
    assert "thirty minutes" in picked.text
    assert "two hours" in picked.text


def test_a_question_among_the_answers_settles_nothing() -> None:
    found = answers(QUESTIONS, "1. yes\n2. what do the adhesive rolls cost?\n3. no")
    assert ["colour" in each.text or "barcode" in each.text for each in found] == [True, True]


def test_a_list_of_wishes_below_a_list_of_results_answers_nothing() -> None:
    said = "1. print the sender in bold letters on every label\n2. leave the weight out when the parcel has none"
    assert answers(RESULTS, said) == []
    assert [each.text.split()[0] for each in of_answer(RESULTS, said)] == ["print", "leave"]


def test_what_stands_beside_numbered_answers_stays_the_humans() -> None:
    said = "1. yes\n2. b\n3. no\n\nand never print anything at night, the noise is too much"
    (own,) = [each for each in of_answer(QUESTIONS, said) if each.model == "user"]
    assert "at night" in own.quote
    assert own.made_by == "user"


@pytest.mark.parametrize(
    ("asked", "said", "by"),
    [
        ("Which one first, the scanner or the printer?", "printer", "collaborative"),
        ("Where do the templates live?", "~/forms", "user"),
        ("How long are labels kept in the archive?", "30 days", "user"),
        ("Should the label carry a logo?", "nope", "collaborative"),
        ("标签上需要印徽标吗？", "否", "collaborative"),
        ("标签上需要印徽标吗？", "需要", "collaborative"),
    ],
)
def test_a_short_answer_carries_what_was_asked(asked: str, said: str, by: str) -> None:
    (answer,) = answers(asked, said)
    assert asked[-8:-1] in answer.text
    assert answer.quote == said
    assert answer.made_by == by
    assert (answer.how == "answered") == (by == "user")
    assert answer.proposal is not None


@pytest.mark.parametrize("asked", ["What would you like to work on?", "Anything else?", "The labels are printed."])
def test_a_few_words_that_answer_nothing_are_no_decision(asked: str) -> None:
    assert of_answer(asked, "printer") == []


@pytest.mark.parametrize(
    "said",
    [
        "wait, what does the old barcode do?",
        "ok so how is the paper cut in the end?",
        "sure, is that even possible with our printer?",
    ],
)
def test_a_question_accepts_nothing(said: str) -> None:
    found = of_answer("Should I drop the old barcode?", said)
    assert [each for each in found if each.model == "assent" and each.quote == said] == []
    assert [each.how for each in found if each.quote == said] in (["stated"], [])


def test_a_refusal_is_one() -> None:
    (answer,) = answers("Should the label carry a logo?", "no")
    assert answer.how == "rejected"
    assert "logo" in answer.text


@pytest.mark.parametrize(
    "said", ["first we clean the rollers", "put it after the first paragraph", "on the second try"]
)
def test_an_ordinal_that_counts_something_else_picks_nothing(said: str) -> None:
    assert answer_in(said).picks == ()


@pytest.mark.parametrize(
    ("said", "picks"),
    [
        ("the second", ("2",)),
        ("I like the third option", ("3",)),
        ("２", ("2",)),
        ("选择A", ("a",)),
        ("B和C", ("b", "c")),
    ],
)
def test_an_option_is_named_in_many_ways(said: str, picks: tuple[str, ...]) -> None:
    assert answer_in(said).picks == picks


@pytest.mark.parametrize(
    "said",
    [
        "print the labels on plain sheets. no, actually use the adhesive rolls",
        "print the labels on plain sheets. scratch that, use the adhesive rolls",
        "print the labels on plain sheets, no wait, use the adhesive rolls",
    ],
)
def test_of_a_correction_only_the_last_word_counts(said: str) -> None:
    (kept,) = of_answer("The labels are blank.", said)
    assert "adhesive rolls" in kept.quote
    assert "plain sheets" not in kept.quote
    assert said.startswith(kept.quote, kept.ordinal)


@pytest.mark.parametrize(
    "said",
    [
        "print the labels on plain sheets. actually, also keep a copy of every label",
        "print the labels on plain sheets. no colour on any of the labels",
    ],
)
def test_what_adds_to_a_wish_does_not_take_it_back(said: str) -> None:
    assert len(of_answer("The labels are blank.", said)) == 2


def test_the_humans_own_words_stay_before_a_long_proposal() -> None:
    offer = "Should I print the labels on " + "adhesive rolls that the warehouse has kept since spring, " * 4 + "then?"
    (answer,) = of_answer(offer, "labels on adhesive rolls, but not today")
    assert answer.text.startswith("labels on adhesive rolls, but not today — ")
    assert len(answer.text) <= 200


def test_a_line_that_opens_a_list_carries_its_items() -> None:
    said = (
        "The labels must not show any of these:\n- the weight\n- the name of the driver\n\nThanks for looking into it"
    )
    opening = of_answer("The labels are blank.", said)[0]
    assert "the weight; the name of the driver" in opening.text
    assert opening.quote == "The labels must not show any of these:"
