"""Seed 003, session summarization: its expected behaviour, settings, structure, examples and bugs, by name."""

from __future__ import annotations

import msgspec
import pytest

from recapd.core.decisions.entries import Entry, Finding
from recapd.core.log.events import Prompt, Reply
from recapd.core.settings import DEFAULTS, Settings, SummarySettings
from recapd.core.state.memory import Memory
from recapd.core.summaries.facts import facts_of, merged
from recapd.core.summaries.make import chain_of
from recapd.core.summaries.notice import headlines, notice_of
from recapd.core.summaries.policy import due, on_request
from recapd.core.summaries.record import Facts, RollingSummary
from recapd.core.summaries.window import verbatim_from
from recapd.core.summaries.write import text_of
from recapd.core.text.tokens import count_for_budget
from tests.support.records import Row, did, folded, ran
from tests.support.scripts import place, preset, stretch, summary

MYCODE = preset("mycode")


def decision(number: int, text: str, *, message: int = 0) -> Entry:
    finding = Finding(
        record=f"r{number}",
        ordinal=0,
        place=place(number),
        turn_row=0,
        message=message,
        at="",
        text=text,
        quote=text,
        type="architecture",
        made_by="user",
        how="stated",
        confidence=0.9,
        proof="answer",
    )
    return Entry(id=f"d{number}", finding=finding, turn=1, status="active")


def work(number: int) -> list[Row]:
    """One exchange in which a file is changed and the tests are run."""
    return [
        Prompt(f"Add handler {number} to the authentication service, please."),
        did("edit", f"src/auth_{number}.ts", payload=b'"updated"'),
        ran(f"npm test -- auth_{number}", "12 passed"),
        Reply(f"Handler {number} is there, with JWT tokens and a refresh mechanism; its tests pass."),
    ]


def session(exchanges: int) -> list[Row]:
    return [row for number in range(exchanges) for row in work(number)]


# ---- settings


def test_settings_of_the_preset_are_the_seeds() -> None:
    assert (MYCODE.summary.enabled, MYCODE.summary.every_messages, MYCODE.summary.target_compression) == (True, 50, 0.3)
    assert (MYCODE.window.unit, MYCODE.window.size) == ("messages", 10)


def test_settings_trigger_threshold_more_than_50_messages_make_one_due() -> None:
    assert due(folded(*session(24)), None, MYCODE) is None
    found = due(folded(*session(26)), None, MYCODE)
    assert found is not None and (found.first, found.last) == (0, 41)


@pytest.mark.parametrize("share", [0.05, 0.1, 0.3, 0.6])
def test_settings_target_compression_is_honoured(share: float) -> None:
    settings = msgspec.structs.replace(DEFAULTS, summary=SummarySettings(target_compression=share, max_tokens=5000))
    made = summary(session(60), settings=settings)
    assert made.tokens <= share * made.covered_tokens
    assert made.tokens == count_for_budget(made.text)


def test_settings_preserve_recent_messages_stay_word_for_word() -> None:
    assert verbatim_from(folded(*session(30)), MYCODE.window) == 50


def test_settings_enabled_false_makes_none() -> None:
    off = msgspec.structs.replace(MYCODE, summary=SummarySettings(enabled=False))
    assert due(folded(*session(100)), None, off) is None


# ---- structure: extraction and narrative are separate, and both are kept


def test_structure_a_summary_has_the_fields_of_the_seed() -> None:
    made = summary(session(30), last=39)
    assert made.id and made.text and made.created_at and made.tokens
    assert (made.coverage.first, made.coverage.last) == (0, 39)
    assert len(made.facts.files) == 20
    assert {each.action for each in made.facts.files} == {"modified"}
    assert made.facts.commands_run == 20 and made.facts.calls == 40


def test_structure_commands_keep_how_often_and_how_they_came_out() -> None:
    rows: list[Row] = [
        Prompt("Make the tests pass."),
        ran("npm test", "1 failed", exit_code=1),
        did("edit", "a.ts"),
        ran("npm test", "13 passed"),
        Reply("They pass now."),
    ]
    (command,) = summary(rows).facts.commands
    assert (command.command, command.count, command.ok) == ("npm test", 2, True)
    assert any("npm test" in each.text for each in summary(rows).facts.failures)


def test_structure_a_decision_after_the_covered_messages_is_not_in_it() -> None:
    assert facts_of(stretch(*session(3)), [decision(1, "Use Redis", message=9)], last=5).decisions == ()


def test_narrative_says_goal_actions_decisions_and_state() -> None:
    rows = session(30)
    made = summary(rows, last=39)
    assert made.text.startswith("The user asked: “Add handler 0 to the authentication service, please.”")
    assert "JWT tokens and a refresh mechanism" in made.text
    assert "auth_19.ts" in made.text and "npm test" in made.text


# ---- user experience


def test_ux_automatic_a_notice_says_what_was_summarised_in_recapds_own_voice() -> None:
    rows = session(30)
    made = summary(rows, last=39)
    with_decision = msgspec.structs.replace(
        made, facts=merged(made.facts, facts_of(stretch(), [decision(1, "Use JWT tokens with refresh")], last=39))
    )
    lines = notice_of(with_decision).splitlines()
    assert lines[0] == "recapd summarized messages 1–40 (from the log's own sentences):"
    assert "- Discussed: Add handler 0 to the authentication service, please." in lines
    assert "- Modified 20 files (auth_17.ts, auth_18.ts, auth_19.ts, …)" in lines
    assert "- Decided: Use JWT tokens with refresh" in lines
    assert "- Ran 20 commands" in lines
    assert lines[-1] == "Recent conversation preserved; the log is as it was."


def test_ux_manual_key_topics_are_what_the_user_asked_for() -> None:
    rows: list[Row] = [*work(1), Prompt("yes"), Reply("Fine."), *work(2)]
    assert headlines(summary(rows)) == [
        "Add handler 1 to the authentication service, please.",
        "Add handler 2 to the authentication service, please.",
    ]


@pytest.mark.parametrize(
    ("asked", "topic"),
    [
        ("Implement the following plan:\n\n# Retry failed uploads\n\n## Context\n\nThey fail.", "Retry failed uploads"),
        ("计划如下：\n\n# 重构上传模块\n\n上传会失败。", "重构上传模块"),
        ("Two bugs:\n\nThe list is empty.\n\nThe page is slow.", "The list is empty."),
        ("Have the exporter retry, please,\n\n```\nTraceback\n```", "Have the exporter retry, please"),
    ],
)
def test_a_topic_is_what_was_asked_and_not_that_something_is(asked: str, topic: str) -> None:
    (told,) = headlines(summary([Prompt(asked), Reply("It is done."), *work(1)]))[:1]
    assert topic in told and not told.endswith((",", ":", "："))


# ---- what must survive


GENERATIONS = 10
PLANTED = {
    "user_facts": "My name is Ada, and my deadline is Friday the 13th of March.",
    "commitments": "Remind me to rotate the staging certificate before Tuesday.",
    "questions": "Whether old jobs are migrated is still an open question.",
    "topics": "Make the job queue in queue_worker.py survive a restart of Postgres 16.",
}


def ten_generations(settings: Settings = DEFAULTS) -> tuple[list[RollingSummary], list[Row]]:
    """Facts are planted at the very beginning, and then the conversation goes on for ten summaries."""
    rows: list[Row] = [
        *(row for text in PLANTED.values() for row in (Prompt(text), Reply("I have taken note of that."))),
        Prompt("Change the worker."),
        did("edit", "src/queue_worker.py"),
        ran("alembic upgrade head", "failed: no such revision 4f2a", exit_code=1),
        Reply("The migration failed."),
        *session(110),
    ]
    transcript = folded(*rows)
    made: list[RollingSummary] = []
    for number in range(GENERATIONS):
        previous = made[-1] if made else None
        made.append(summary(rows, first=20 * number, last=20 * number + 19, previous=previous, settings=settings))
    assert len(chain_of(made, transcript, Memory())) == GENERATIONS
    return made, rows


def test_nothing_structured_is_lost_over_ten_generations() -> None:
    made, _ = ten_generations()
    last = made[-1].facts
    for kind, text in PLANTED.items():
        assert any(text in each.text for each in getattr(last, kind)), kind
    assert last.goal is not None and last.goal.text == PLANTED["user_facts"]
    assert any(each.path == "src/queue_worker.py" for each in last.files)
    assert any(each.command == "alembic upgrade head" and not each.ok for each in last.commands)
    assert any("4f2a" in each.text for each in last.failures)
    # Every file and every command of every generation.
    assert len(last.files) == len({each.path for each in last.files}) == 96
    assert last.commands_run == 96
    for earlier in made:
        assert {each.path for each in earlier.facts.files} <= {each.path for each in last.files}
        assert {each.text for each in earlier.facts.user_facts} <= {each.text for each in last.user_facts}


def test_the_text_of_the_tenth_still_says_who_wants_what_within_its_cap() -> None:
    made, _ = ten_generations()
    text = made[-1].text
    assert count_for_budget(text) <= DEFAULTS.summary.max_tokens
    for words in ("My name is Ada, and my deadline is Friday the 13th of March",
                  "Remind me to rotate the staging certificate before Tuesday",
                  "Whether old jobs are migrated is still an open question"):  # fmt: skip
        assert words in text


def test_a_decision_that_was_revised_is_carried_as_it_stands_now() -> None:
    old = facts_of(stretch(), [decision(1, "Use Redis for the queue")], last=5)
    revised = msgspec.structs.replace(decision(1, "Use Redis for the queue"), status="superseded")
    new = facts_of(stretch(), [revised, decision(2, "Use Postgres for the queue", message=8)], last=9)
    together = merged(old, new)
    assert [(each.id, each.status) for each in together.decisions] == [("d1", "superseded"), ("d2", "active")]
    assert merged(Facts(), together) == together


# ---- bugs (requirements §3.3)


def test_3_3_a_s_summaries_cover_everything_once_and_do_not_pile_up() -> None:
    latest: RollingSummary | None = None
    covered: list[tuple[int, int]] = []
    for exchanges in range(1, 201, 5):
        rows = session(exchanges)
        found = due(folded(*rows), latest, MYCODE)
        if found is not None:
            latest = summary(rows, first=found.first, last=found.last, previous=latest, settings=MYCODE)
            covered.append((found.first, found.last))
    assert 6 <= len(covered) <= 8
    assert [first for first, _ in covered[1:]] == [last + 1 for _, last in covered[:-1]]
    assert latest is not None and count_for_budget(latest.text) <= MYCODE.summary.max_tokens


def test_3_3_g_the_decisions_that_are_shown_are_the_latest_not_the_first() -> None:
    ledger = [decision(number, f"Decision number {number} about the service") for number in range(80)]
    rows = session(30)
    made = summary(rows, last=39)
    facts = facts_of(stretch(*rows), ledger, last=39)
    text = text_of(facts, made.episodes, cap=500, voice="third", digest=DEFAULTS.digest)
    assert "Decision number 79" in text and "Decision number 0 " not in text
    assert "earlier)" in text
    assert len(facts.decisions) == 80


def test_3_3_i_a_failed_change_is_no_changed_file() -> None:
    rows: list[Row] = [Prompt("Change a.ts."), did("edit", "a.ts", failed=True), Reply("It could not be changed.")]
    assert summary(rows).facts.files == ()


def test_3_3_j_a_boundary_never_parts_a_call_from_its_result_or_a_prompt_from_its_answer() -> None:
    rows = session(40)
    transcript = folded(*rows)
    first = verbatim_from(transcript, MYCODE.window)
    boundary = next(each for each in transcript.utterances if each.message == first)
    assert boundary.speaker == "user"


def test_3_3_r_one_message_can_be_summarised() -> None:
    rows = session(3)
    assert summary(rows, first=2, last=2, previous=summary(rows, last=1)).coverage.messages == 1


def test_on_request_there_is_always_something_to_make() -> None:
    short = folded(*session(3))
    everything = on_request(short, None, MYCODE)
    assert everything is not None and (everything.first, everything.last) == (0, 5)
    rows = session(30)
    made = summary(rows, last=49)
    again = on_request(folded(*rows), made, MYCODE)
    assert again is not None and (again.first, again.last) == (0, 49)
    assert on_request(folded(), None, MYCODE) is None
