"""Seed 001, a ranked recap of the previous session: every step, rule and resolved question of it, by its name."""

from __future__ import annotations

import pytest

from recapd.core.log.events import CallKind, Prompt, Reply
from recapd.core.settings import DEFAULTS, DigestSettings
from recapd.core.state.call_lines import category
from recapd.core.summaries.digest.chunk import chunks_of
from recapd.core.summaries.digest.pipeline import chunked, digest_of, episodes_of
from recapd.core.summaries.digest.score import scores_of
from recapd.core.summaries.digest.select import Frame
from recapd.core.summaries.digest.tell import Episode
from recapd.core.text.likeness import Rarity, counts_of, similarity
from recapd.core.text.tokens import count_for_budget
from recapd.daemon.config.presets import PRESETS
from tests.support.records import Row, did, ran
from tests.support.scripts import beats, place, stretch, talk_about

NO_FRAME = Frame()
WEIGHTS = DEFAULTS.digest
RECENCY_ONLY = DigestSettings(recency=1.0, novelty=0.0, centrality=0.0, consequence=0.0)


def episode(text: str, *, consequences: int = 0) -> Episode:
    return Episode(text, 0, 1, 1, 1, place(1), len(text), consequences)


# ---- the pipeline


def test_step_1_calls_and_results_collapse_to_one_line_each() -> None:
    found = stretch(
        Prompt("Fix the worker."), did("read", "worker.py", lines=15), did("edit", "worker.py"), Reply("It is fixed.")
    )
    assert [beat.text for beat in found.beats] == [
        "Fix the worker.",
        "Read worker.py (15 lines)",
        "Edited worker.py",
        "It is fixed.",
    ]


def test_step_2_the_log_is_chunked_and_compacted() -> None:
    long = "The lock was missing, so two workers took the same job and both of them ran it to the end."
    found = chunks_of(beats("Why?", f"{long}\n\nYes.\n\n{long}"), WEIGHTS)
    assert all(chunk.chars >= WEIGHTS.min_chunk_chars for chunk in found)
    assert 1 < len(found) < 4


def test_step_3_similar_neighbours_are_merged_and_others_are_not() -> None:
    chunks, before = chunked(talk_about("queue", "login", "charts", "mail"), WEIGHTS, budget=300)
    assert before >= 12
    assert len(chunks) == 4


def test_step_4_each_chunk_is_summarised() -> None:
    chunks, _ = chunked(talk_about("queue", "login"), WEIGHTS, budget=300)
    told = episodes_of(chunks, budget=300)
    assert len(told) == len(chunks)
    assert all(each.text for each in told)
    assert "claim_job()" in told[0].text and "SessionCookie" in told[-1].text


def test_step_5_later_ones_score_higher() -> None:
    scores = scores_of([episode(f"Episode {number} of the work on the parser, told in full.") for number in range(4)],
                       (), RECENCY_ONLY)  # fmt: skip
    assert scores == pytest.approx([0.25, 0.5, 0.75, 1.0])


def test_step_6_the_best_are_selected_up_to_a_budget() -> None:
    made = digest_of(
        talk_about("queue", "login", "charts", "mail", exchanges=8), RECENCY_ONLY, budget=60, frame=NO_FRAME
    )
    assert count_for_budget(made.text) <= 60
    # The last is there, the first is not.
    assert "smtp_relay.go" in made.text and "claim_job()" not in made.text


def test_step_7_the_selection_is_in_order_of_time() -> None:
    made = digest_of(talk_about("queue", "login", "charts", "mail"), WEIGHTS, budget=1000, frame=NO_FRAME)
    places = [
        made.text.index(name) for name in ("queue_worker.py", "auth_view.tsx", "ChartCanvas.vue", "smtp_relay.go")
    ]
    assert places == sorted(places)


# ---- collapsing rules by tool type (each rule's line: tests/core/test_collapse.py)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("read", "observational"),
        ("list", "observational"),
        ("recall", "observational"),
        ("edit", "consequential"),
        ("write", "consequential"),
        ("remember", "consequential"),
        ("ask", "consequential"),
        ("status", "meta"),
        ("done", "meta"),
    ],
)
def test_rule_category_of_a_tool(kind: CallKind, expected: str) -> None:
    assert category(kind) == expected


LINES: tuple[tuple[str, Row, list[str]], ...] = (
    ("read", did("read", "foo.txt", lines=15), ["Read foo.txt (15 lines)"]),
    ("ls", did("list", "src"), ["Listed src"]),
    ("recall", did("recall", "the parser"), ["Recalled memories about the parser"]),
    ("edit", did("edit", "foo.txt"), ["Edited foo.txt"]),
    ("write", did("write", "bar.txt", lines=20), ["Wrote bar.txt (20 lines)"]),
    ("remember", did("remember", "The parser is LL(1)."), ["Remembered: The parser is LL(1)."]),
    ("ask", did("ask", "Which?", answers=(("Which?", "the first"),)), ["Asked the user: Which? — answer: “the first”"]),
    ("status", did("status", "all"), []),
    ("done", did("done", "It works."), ["Finished: It works."]),
)


@pytest.mark.parametrize(("row", "expected"), [row[1:] for row in LINES], ids=[row[0] for row in LINES])
def test_rule_collapsed_form(row: Row, expected: list[str]) -> None:
    found = stretch(Prompt("Go on with the parser."), row, Reply("Done."))
    assert [beat.text for beat in found.beats[1:-1]] == expected


def test_principle_results_are_discarded_and_words_of_the_agent_pass_unchanged() -> None:
    words = "The lock is missing: claim_job() reads and writes in two statements."
    found = stretch(Prompt("Why?"), ran("cat worker.py", "secret contents of the file\n" * 50), Reply(words))
    text = "\n".join(beat.text for beat in found.beats)
    assert "contents of the file" not in text and words in text


# ---- scoring


def test_scoring_v1_is_linear_and_is_the_preset_mindloop() -> None:
    preset = {key.removeprefix("digest."): value for key, value in PRESETS["mindloop"].items() if "digest." in key}
    assert {key: preset[key] for key in ("recency", "novelty", "centrality", "consequence")} == {
        "recency": 1.0,
        "novelty": 0.0,
        "centrality": 0.0,
        "consequence": 0.0,
    }


def test_scoring_novelty_what_is_known_already_counts_less() -> None:
    episodes = [
        episode("The job queue takes a lock on the jobs table now, in claim_job() of queue_worker.py."),
        episode("Login sets SessionCookie before it redirects to the dashboard, in auth_view.tsx."),
    ]
    settings = DigestSettings(recency=0.0, centrality=0.0, consequence=0.0)
    known = ["The job queue takes a lock on the jobs table, in claim_job() of queue_worker.py."]
    stale, new = scores_of(episodes, known, settings)
    assert stale < new / 2
    assert scores_of(episodes, (), settings) == pytest.approx([1.0, 1.0])


def test_scoring_centrality_noise_counts_less_than_what_the_session_is_about() -> None:
    about = [
        episode(f"The job queue takes a lock on the jobs table in claim_job(), case {number} of it.")
        for number in range(5)
    ]
    noise = episode("Somebody asked what the weather in Lisbon is like at the end of October.")
    scores = scores_of([*about, noise], (), DigestSettings(recency=0.0, novelty=0.0, centrality=0.3, consequence=0.0))
    assert scores[-1] < min(scores[:-1])


def test_scoring_action_weight_is_one_and_alpha_for_each_consequence() -> None:
    text = "The parser was changed in two places so that it reads empty lists."
    settings = DigestSettings(recency=0.0, novelty=0.0, centrality=0.0, consequence=0.5)
    scores = scores_of([episode(text), episode(text, consequences=1), episode(text, consequences=3)], (), settings)
    assert scores == pytest.approx([1.0, 1.5, 2.5])


def test_scoring_what_only_looked_is_no_consequence() -> None:
    found = stretch(
        Prompt("Look around."), did("read", "a.py"), did("list", "."), ran("git log"), did("edit", "a.py", failed=True)
    )
    assert [beat.changed for beat in found.beats if beat.voice == "action"] == [False, False, False, False]


# ---- similarity without a service


def test_similarity_of_the_same_matter_is_above_that_of_another() -> None:
    texts = [
        "We take a row lock so that two workers never claim the same job.",
        "Locking the row keeps workers from claiming one job twice.",
        "The chart flickers because every frame is drawn anew.",
    ]
    counts = [counts_of(text) for text in texts]
    rarity = Rarity(counts)
    same, other = (similarity(rarity.vector(counts[0]), rarity.vector(counts[at])) for at in (1, 2))
    assert same > 2 * other
    assert similarity(rarity.vector(counts_of("")), rarity.vector(counts[0])) == 0.0


# ---- resolved questions


def test_resolved_room_is_kept_for_the_request_and_the_decisions() -> None:
    frame = Frame("Make the job queue survive restarts.", ("Use Postgres for the queue.", "No new dependencies."))
    made = digest_of(talk_about("charts", "mail", exchanges=20), WEIGHTS, budget=200, frame=frame)
    assert made.text.startswith(
        "Asked: Make the job queue survive restarts.\nDecided: Use Postgres for the queue; No new dependencies\n- "
    )
    assert count_for_budget(made.text) <= 200
