"""Bugs of the five designs recapd grew out of, each as a test that it has not come back.

Tests are named after the items of the list of those bugs, §3.0 to §3.2 here, §3.3 to §3.5 in test_seed_bugs_later.
These items are tested elsewhere or not at all:

    decisions       3.0 b-g k r s t, 3.3 f, 3.4 a-f q      test_decision_bugs
    delivery        3.0 k l o p w, 3.3 m, 3.4 q            when and how a recap is shown
    rolling summary 3.2 a-d f-i l-p r s, 3.3 a-e g j-s     windows, coverage, prompts to a model
    ranking         3.1 b d s t                            chunks and embeddings
    model replies   3.1 f, 3.2 h i, 3.3 q                  there is no model here
    command line    3.1 e l                                streams and signals
    other programs  3.0 x, 3.1 m, 3.2 m q, 3.4 n           faults of one language, schema, format or test suite
    measures        3.1 t, 3.3 h n, 3.4 v, 3.5 5           nothing to assert
    by others       3.5 7 9                                labels and fallbacks around a model
"""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from recapd.core.log.events import Prompt, Reply, Thought
from recapd.core.log.lines import START, split, unfinished
from recapd.core.state.call_lines import describe
from recapd.core.state.session import files_of, standing
from recapd.core.text.tokens import estimate_tokens
from recapd.core.views.recap.markdown import full_markdown, short_markdown
from recapd.core.views.recap.recap import Recap, recap_of
from recapd.core.views.recap.summary import formatted
from tests.support.logs import CWD, LOGS, Act, agent, at, claude_log, edit, human, other, raw, read, shell, write
from tests.support.records import did, folded, read_log, record, session_with

LATE = at(10**6)
in_every_log = pytest.mark.parametrize("build", LOGS.values(), ids=LOGS)


def recap(*acts: Act) -> Recap:
    return recap_of(read_log(claude_log(*acts)), LATE)


def claude_line(content: object, **fields: object) -> bytes:
    """A user's line with content of any shape."""
    line = json.loads(claude_log(human("x")))
    return json.dumps(
        {**line, "message": {"role": "user", "content": content}, **fields}, separators=(",", ":")
    ).encode()


# ---- 3.0


def test_3_0_a_signs_and_labels_are_not_garbled() -> None:
    text = short_markdown(recap(human("tick ✅ the list — then → stop"), agent("Done.")))
    assert text.startswith("📍 **Where we are**")
    assert "tick ✅ the list — then → stop" in text
    assert "‚" not in text and "ü" not in text


@in_every_log
def test_3_0_h_the_sixth_message_is_turn_six(build: Callable[..., bytes]) -> None:
    acts = [act for number in range(6) for act in (human(f"please do number {number}"), agent("Done."))]
    for data in (build(*acts), build(*acts[:-1])):
        assert "(turn 6)" in short_markdown(recap_of(read_log(data), LATE))


def test_3_0_i_a_prompt_may_be_a_string_and_a_result_is_no_prompt() -> None:
    blocks = [{"type": "text", "text": "fix the parser"}, {"type": "text", "text": "and its tests"}]
    for content, expected in (("fix the parser", "fix the parser"), (blocks, "fix the parser\nand its tests")):
        data = (
            claude_line(content)
            + b"\n"
            + claude_log(shell("ls"), shell("pwd")).replace(b'"parentUuid":null', b'"parentUuid":"x"')
        )
        transcript = read_log(data).main.transcript
        assert transcript.totals.turns == 1
        assert transcript.original is not None and transcript.original.text == expected


@in_every_log
def test_3_0_j_records_are_no_turns(build: Callable[..., bytes]) -> None:
    session = read_log(build(human("fix the parser"), *[shell("ls")] * 60, agent("Done."), human("thanks a lot")))
    totals = session.main.transcript.totals
    assert (totals.turns, totals.exchanges, totals.messages, totals.calls) == (2, 1, 3, 60)
    assert totals.records > 120


def test_3_0_m_nothing_done_is_no_empty_heading() -> None:
    facts = recap(human("fix the parser"))
    assert "Recent" not in short_markdown(facts) and "Outcome" not in short_markdown(facts)
    assert "Recent actions" not in full_markdown(facts) and "Files" not in full_markdown(facts)


@pytest.mark.parametrize("collapsible", [True, False])
def test_3_0_n_settings_are_obeyed_by_every_format(collapsible: bool) -> None:
    facts = recap(human("fix the parser"), edit("a.py"), agent("Done."))
    for write_down in (short_markdown, full_markdown):
        text = write_down(facts, max_tokens=90, collapsible=collapsible)
        assert ("<details>" in text) is collapsible
        assert estimate_tokens(text) <= 90


@pytest.mark.parametrize(
    "prose",
    [
        "The thread safety model is unclear.",
        "A veteran maintainer ran the project.",
        "I have not created any files.",
        "You should read the documentation first.",
        "Created src/a.py and updated src/b.py.",
    ],
)
def test_3_0_q_prose_is_no_action(prose: str) -> None:
    facts = recap(human("fix the parser"), agent(prose))
    assert facts.steps == () and facts.files == ()


@pytest.mark.parametrize("unit", ["👩‍👩‍👧‍👦", "e\u0301", "🇩🇪,", "👍🏽", "word "])
def test_3_0_u_a_cut_splits_no_character_and_says_so(unit: str) -> None:
    facts = recap(human(unit * 900))
    assert facts.original is not None
    shown = facts.original.text
    assert shown.endswith("…")
    assert shown.removesuffix("…").replace(unit.strip(), "").strip() == ""


def test_3_0_v_log_text_cannot_break_the_page() -> None:
    text = full_markdown(recap(human("stop</details>\n```\n# now\n<b>fix</b> the parser"), agent("Done.")))
    assert "</details>" not in text and "<b>" not in text
    assert not any(line.startswith(("#", "```")) for line in text.split("\n"))


@in_every_log
def test_3_0_y_damage_is_counted_and_costs_only_itself(build: Callable[..., bytes]) -> None:
    session = read_log(build(human("fix the parser"), raw(b'{"torn":'), raw(b"\x00\x00"), agent("Done.")))
    totals = session.main.transcript.totals
    assert (totals.problems, totals.turns, totals.exchanges) == (2, 1, 1)
    assert sum(session.main.transcript.problem_kinds.values()) == 2


def test_3_0_z_the_full_format_has_its_timeline() -> None:
    text = full_markdown(recap(human("fix the parser"), agent("It is fixed now, all of it."), human("now the docs")))
    timeline = text.partition("**Timeline:**")[2].partition("\n\n")[0]
    assert timeline.index("fix the parser") < timeline.index("It is fixed now") < timeline.index("now the docs")


# ---- 3.1


@in_every_log
def test_3_1_a_a_failed_edit_is_no_edit(build: Callable[..., bytes]) -> None:
    path = f"{CWD}/a.py"
    session = read_log(
        build(
            human("fix the parser"),
            edit(path, "old text not found", outcome="failed"),
            write(f"{CWD}/b.py", outcome="denied"),
            read(f"{CWD}/nope.py", "no such file", outcome="failed"),
            shell("make", outcome="open"),
        )
    )
    told = [describe(step, CWD) for step in session.main.transcript.steps]
    assert all("failed" in line or "refused" in line for line in told)
    assert [row.fact.path for row in files_of(session) if row.fact.action != "read"] == []
    assert "no result" in standing(session, LATE).detail, "a crash in mid-call does not hide the call"


def test_3_1_c_a_budget_is_a_cap_for_the_first_text_too() -> None:
    facts = recap(human("fix the parser " * 4_000), agent("word " * 9_000))
    assert all(estimate_tokens(full_markdown(facts, max_tokens=most)) <= most for most in (10, 50, 100, 1_000))


def test_3_1_g_no_number_of_memories_is_made_up() -> None:
    transcript = folded(Prompt("go"), did("recall", "the deploy", payload=b'"No memories found."'))
    assert not any(char.isdigit() for char in describe(transcript.steps[0]))


def test_3_1_h_lines_are_counted_as_an_editor_does() -> None:
    facts = recap(human("go on"), read("a.py", "one\ntwo\nthree\n"), write("b.py"), edit("c.py"))
    assert [describe(step.fact, CWD) for step in facts.steps] == [
        "Read a.py (3 lines)",
        "Created b.py (2 lines)",
        "Edited c.py",
    ]


@in_every_log
def test_3_1_i_a_torn_last_line_waits_for_its_rest(build: Callable[..., bytes]) -> None:
    data = build(human("fix the parser"), agent("Done."))
    for cut in range(data.rindex(b"\n", 0, -1) + 2, len(data)):
        assert read_log(data[:cut]).main.transcript.totals.problems == 0
        rest = unfinished(split(START, data[:cut]).carry)
        assert rest is not None and data.endswith(rest[0] + data[cut:])


def test_3_1_j_a_crash_shows_in_the_recap() -> None:
    facts = recap(human("fix the parser"), edit("a.py"), shell("make all", outcome="open"))
    assert facts.standing.status == "interrupted"
    assert "make all" in facts.standing.detail
    assert facts.steps[-1].fact.target == "a.py", "and the recap is of this session, not of the one before"


def test_3_1_k_separators_inside_strings_do_not_break_records() -> None:
    transcript = read_log(claude_log(human("fix\u2028the\u2029parser\u0085now"), agent("Done."))).main.transcript
    assert (transcript.totals.problems, transcript.totals.turns, transcript.totals.exchanges) == (0, 1, 1)


def test_3_1_n_nudges_of_the_harness_are_not_the_users_words() -> None:
    lines = [
        claude_line("Continue autonomously", isMeta=True),
        claude_line("This session is being continued from a previous conversation", isCompactSummary=True),
        claude_line("<system-reminder>Be brief.</system-reminder>"),
        claude_line("<system-reminder>Be brief.</system-reminder>\nfix the parser"),
    ]
    facts = recap_of(read_log(b"\n".join(lines) + b"\n"), LATE)
    assert [request.text for request in facts.requests] == ["fix the parser"]
    assert facts.stats.turns == 1


def test_3_1_o_the_goal_outlives_forty_turns() -> None:
    acts = [act for number in range(40) for act in (human(f"then number {number}"), agent("Done with that one."))]
    assert "build a parser" in short_markdown(recap(human("build a parser"), *acts))
    assert "build a parser" in full_markdown(recap(human("build a parser"), *acts), max_tokens=100)


def test_3_1_p_thoughts_are_never_quoted_and_arguments_are_bounded() -> None:
    session = session_with(Prompt("go on with it"), Thought(5_000), Reply("Done."))
    assert "hought" not in full_markdown(recap_of(session, LATE))
    facts = recap(
        human("go on with it"),
        other("note_to_self", {"text": "x" * 5_000}),
        other("Zap", {f"k{n}": "v" * 99 for n in range(99)}),
    )
    assert all(len(describe(step.fact)) <= 320 for step in facts.steps)


def test_3_1_q_times_are_the_logs_own() -> None:
    facts = recap(human("fix the parser"), edit("a.py"), agent("Done."))
    assert (facts.stats.first_at, facts.stats.last_at) == (at(0), at(180))
    assert facts.standing.since == at(180)
    assert facts.steps[0].fact.at == at(60)


# ---- 3.2


def test_3_2_e_exchanges_and_messages_are_two_things() -> None:
    totals = folded(Prompt("a"), Reply("x", "1"), Reply("y", "2"), Prompt("b"), Reply("z", "3"), Prompt("c")).totals
    assert (totals.turns, totals.exchanges, totals.messages) == (3, 2, 6)


def test_3_2_j_text_that_looks_like_a_template_is_text() -> None:
    text = "use {previous_summary} and $& and %s and {0} in the parser"
    assert "{previous_summary}" in short_markdown(recap(human(text)))
    assert "%s and {0} in the parser" in formatted(recap(human(text)))


def test_3_2_k_records_of_one_moment_all_count() -> None:
    rows = [record(Prompt(text), at=at(0)) for text in ("a", "b")]
    totals = folded(*rows, record(Reply("x"), at=at(0)), record(Prompt("c"), at=at(0))).totals
    assert (totals.turns, totals.messages) == (3, 4)
