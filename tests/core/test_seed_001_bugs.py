"""Bugs of seed 001's pipeline that must not come back (requirements §3.1); others are in test_seed_bugs."""

from __future__ import annotations

import pytest

from recapd.core.log.events import Prompt, Reply
from recapd.core.settings import DEFAULTS, DigestSettings
from recapd.core.summaries.digest.chunk import chunks_of
from recapd.core.summaries.digest.pipeline import chunked, digest_of
from recapd.core.summaries.digest.script import stretch_of
from recapd.core.summaries.digest.select import Frame, selected
from recapd.core.summaries.digest.tell import Episode
from recapd.core.summaries.prompt import accepted
from recapd.core.text.likeness import Rarity, counts_of, similarity
from recapd.core.text.tokens import count_for_budget
from tests.support.logs import LOGS, agent, human, shell, write
from tests.support.records import Row, did, folded, read_log, tape
from tests.support.scripts import beats, place, random_words, stretch

SETTINGS = DEFAULTS.digest


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (did("edit", "a.py", failed=True), "Tried to edit a.py — failed"),
        (did("write", "b.py", denied=True), "Was refused to write b.py"),
    ],
    ids=["failed", "refused"],
)
def test_3_1_a_what_failed_or_was_refused_is_no_success_in_the_digest(row: Row, told: str) -> None:
    made = digest_of(stretch(Prompt("Change it."), row).beats, SETTINGS, budget=300, frame=Frame())
    assert told in made.text and "Edited a.py" not in made.text and "Wrote b.py" not in made.text


@pytest.mark.parametrize("count", [2, 10, 40, 120])
def test_3_1_b_chunks_that_have_nothing_in_common_stay_apart(count: int) -> None:
    said = [random_words(number, 30) for number in range(count)]
    chunks, before = chunked(beats(*said), SETTINGS, budget=200)
    assert len(chunks) == before


def test_3_1_b_two_chunks_do_not_merge_because_there_is_nothing_to_compare_them_with() -> None:
    chunks, before = chunked(
        beats("Why does the chart flicker on every frame that is drawn in ChartCanvas.vue, even though it need not?",
              "", "How are bounced mails retried by smtp_relay.go when the answer was a permanent 550 failure?"),
        SETTINGS,
        budget=200,
    )  # fmt: skip
    assert (before, len(chunks)) == (2, 2)


@pytest.mark.parametrize("budget", [1, 5, 20, 60, 100, 500])
def test_3_1_c_the_budget_is_a_cap_headings_and_line_ends_included(budget: int) -> None:
    long = Episode("word " * 4000, 0, 1, 1, 1, place(1))
    frame = Frame("A request that goes on for long. " * 20, tuple(f"Decision {n} is kept." for n in range(30)))
    made = selected([long] * 3, [1.0, 2.0, 3.0], budget=budget, frame=frame)
    assert count_for_budget(made.text) <= budget


def test_3_1_c_one_that_does_not_fit_keeps_no_other_out() -> None:
    small = [Episode(f"A small episode about part {n} of it.", n, n, n, n, place(n)) for n in range(1, 6)]
    long = Episode("word " * 4000, 6, 6, 6, 6, place(6))
    made = selected([*small, long], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], budget=150, frame=Frame())
    assert set(range(5)) <= set(made.episodes)


@pytest.mark.parametrize("most", [200, 1000, 8192])
def test_3_1_d_no_chunk_is_larger_than_allowed(most: int) -> None:
    said = [f"{random_words(number, 120)} without a blank line anywhere in it." for number in range(60)]
    settings = DigestSettings(max_chunk_chars=most)
    assert max(chunk.chars for chunk in chunks_of(beats(*said, "x" * 20_000), settings)) <= most


def test_3_1_d_a_new_message_of_the_user_begins_a_chunk() -> None:
    found = chunks_of(
        beats("The queue loses jobs.", "Yes, it takes no lock.", "Now the charts.", "They flicker."), SETTINGS
    )
    assert [chunk.pieces[0].text for chunk in found] == ["The queue loses jobs.", "Now the charts."]


ANSWERS = {
    "several lines are all kept": ("The queue was fixed.\nThe tests pass.\nOne thing is open.", "end_turn", None),
    "markdown around a label is text": ("**ABSTRACT:** The queue was fixed, and the tests pass.", "end_turn", None),
    "nothing": ("", "end_turn", "empty"),
    "cut off": ("The queue was fixed, and then the", "max_tokens", "truncated"),
    "no reason to stop": ("The queue was fixed, and the tests pass.", "", "truncated"),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_3_1_f_an_answer_is_taken_whole_or_not_at_all(name: str) -> None:
    answer, stop_reason, refusal = ANSWERS[name]
    text, why = accepted(answer, stop_reason)
    assert why == refusal
    assert text == ("" if refusal else answer)


@pytest.mark.parametrize("build", LOGS.values(), ids=LOGS)
def test_3_1_m_a_resumed_session_is_read_from_its_beginning(build: object) -> None:
    assert callable(build)
    first = [human("Make the queue survive restarts."), agent("It does now.")]
    log = build(*first, human("And the charts?"), agent("They no longer flicker."))
    session = read_log(log)
    assert session.main.transcript.original is not None
    assert session.main.transcript.original.text == "Make the queue survive restarts."


def test_3_1_p_what_the_agent_thought_and_the_arguments_of_unknown_tools_stay_out() -> None:
    long = "note " * 2000
    rows = (Prompt("Take a note."), did("other", tool="note_to_self", payload=b'"x"'), Reply("Noted, and done."))
    found = stretch_of(folded(*rows), tape(*rows), first=0, last=1)
    assert all(len(beat.text) < 400 for beat in found.beats) and long not in str(found.beats)


def test_3_1_r_content_of_any_shape_is_text() -> None:
    session = read_log(LOGS["claude-code"](human("Do it."), shell("ls"), write("/home/dev/shop/a.py"), agent("Done.")))
    assert session.main.transcript.totals.messages == 2


def test_3_1_s_a_merged_chunk_is_compared_by_all_of_its_words_and_nothing_is_nan() -> None:
    counts = [counts_of("queue lock job " * 50), counts_of("chart frame"), counts_of("")]
    rarity = Rarity(counts)
    together = rarity.vector(counts[0] + counts[1])
    assert similarity(together, rarity.vector(counts[0])) > similarity(together, rarity.vector(counts[1]))
    assert similarity(rarity.vector(counts[2]), together) == 0.0
    assert 0.99 < similarity(together, together) < 1.01


def test_3_1_t_how_many_chunks_there_are_follows_the_topics_not_the_size() -> None:
    one = [
        f"The queue in queue_worker.py takes a lock in claim_job(), as in case {n}. {'More on it. ' * 20}"
        for n in range(24)
    ]
    several = [random_words(number, 60) for number in range(24)]
    assert (
        len(chunked(beats(*one), SETTINGS, budget=200)[0]) < len(chunked(beats(*several), SETTINGS, budget=200)[0]) / 3
    )


@pytest.mark.parametrize("budget", [100, 200, 400])
def test_how_it_stands_is_told_before_what_is_shorter(budget: int) -> None:
    stands = "left open — Do you want me to document the limits for the people who run the shop, or leave that?"
    frame = Frame("Limit requests.", state=(stands, "tests pass: 5 passed", "branch limits"))
    made = selected([], [], budget=budget, frame=frame)
    (state,) = (line for line in made.text.splitlines() if line.startswith("State:"))
    assert state.startswith("State: left open") and "more" not in state.replace(stands, "")
    assert count_for_budget(made.text) <= budget
