"""Bugs of the designs recapd grew out of, continued: §3.3 to §3.5. See test_seed_bugs for what is left out, and why."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from recapd.core.log.events import Prompt, Reply
from recapd.core.state.session import files_of
from recapd.core.state.transcript import Transcript
from recapd.core.views.recap.markdown import full_markdown, short_markdown
from recapd.core.views.recap.recap import Recap, recap_of
from recapd.core.views.recap.summary import formatted
from recapd.daemon.library import Library
from recapd.server.methods.dispatch import answer
from tests.support.logs import (
    CWD,
    LOGS,
    Act,
    agent,
    at,
    claude_log,
    edit,
    human,
    other,
    pi_log,
    read,
    shell,
    todo,
    write,
)
from tests.support.records import Row, did, folded, ran, read_log, session_with
from tests.support.secrets import secrets

LATE = at(10**6)
in_every_log = pytest.mark.parametrize("build", LOGS.values(), ids=LOGS)


def recap(*acts: Act) -> Recap:
    return recap_of(read_log(claude_log(*acts)), LATE)


def changed(facts: Recap) -> dict[str, str]:
    return {row.fact.path: row.fact.action for row in facts.files if row.fact.action != "read"}


# ---- 3.3


def test_3_3_g_a_dot_in_a_name_ends_no_sentence() -> None:
    facts = recap(human("fix the parser"), agent("Updated foo.py to v1.2 and kept bar.py as it was. The rest follows."))
    assert "Updated foo.py to v1.2 and kept bar.py as it was" in short_markdown(facts)
    assert "The rest follows" not in short_markdown(facts)


def test_3_3_i_every_tool_that_changes_files_counts_and_nothing_else() -> None:
    facts = recap(
        human("fix the parser"),
        other("MultiEdit", {"file_path": f"{CWD}/a.py", "edits": []}),
        other("NotebookEdit", {"notebook_path": f"{CWD}/b.ipynb", "new_source": ""}),
        shell(f"mv {CWD}/c.py {CWD}/d.py"),
        edit(f"{CWD}/e.py", "no match", outcome="failed"),
        other("Edit", {}),
    )
    names = {path.removeprefix(f"{CWD}/"): action for path, action in changed(facts).items()}
    assert names == {"a.py": "modified", "b.ipynb": "modified", "c.py": "renamed", "d.py": "created"}


@in_every_log
def test_3_3_p_a_secret_in_an_output_is_not_shown(build: Callable[..., bytes]) -> None:
    planted = next(each for each in secrets(5) if each.kind == "stripe-live")
    facts = recap_of(read_log(build(human("go on with it"), shell("env", planted.text, exit_code=1))), LATE)
    assert facts.steps[0].fact.outcome
    assert planted.secret not in full_markdown(facts)


# ---- 3.4


@pytest.mark.parametrize(
    "prose",
    [
        "Completed the database setup. Finished configuring a server.",
        "No tests completed yet. Stage: build",
        "stages:\n  - build\nstage: deploy",
        "Progress: 80%",
        "make sure the tests pass",
        "none of the tests pass",
        "12 tests passed, 3 failed",
        "the test passphrase is blue",
        "All 42 tests green, deployed to production",
    ],
)
def test_3_4_g_h_i_j_prose_is_no_progress(prose: str) -> None:
    for facts in (recap(human("go on with it"), agent(prose)), recap(human(prose), agent("Done."))):
        assert (facts.progress.percentage, facts.progress.current, facts.progress.milestones) == (None, None, ())


def test_3_4_h_nothing_current_is_not_all_done() -> None:
    facts = recap(human("go on with it"), todo({"a": "completed", "b": "pending", "c": "pending"}))
    assert (facts.progress.percentage, facts.progress.current) == (33, None)


@pytest.mark.parametrize(
    ("output", "exit_code", "reached"),
    [("42 passed in 1.2s", 0, True), ("12 passed, 3 failed in 1.2s", 1, False), ("no tests ran in 0.1s", 5, False)],
)
def test_3_4_i_a_run_of_tests_is_a_milestone_if_it_passed(output: str, exit_code: int, reached: bool) -> None:
    facts = recap(human("go on with it"), shell("pytest", output, exit_code=exit_code))
    assert bool(facts.progress.milestones) is reached


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("docker run --rm image", {}),
        ("git rm --cached a.py", {}),
        ('grep "rm -rf" a.py', {}),
        ("npm rm left-pad", {}),
        ("ls -la", {}),
        ("unlink a.py", {"a.py": "deleted"}),
        ("git mv a.py b.py", {"a.py": "renamed", "b.py": "created"}),
    ],
)
def test_3_4_k_a_command_changes_what_it_names(command: str, expected: dict[str, str]) -> None:
    assert changed(recap(human("go on with it"), shell(command))) == expected


def test_3_4_k_looking_is_no_change() -> None:
    looks = [
        other(tool, {"path": CWD, "pattern": "x", "url": "https://example.org/a.py"})
        for tool in ("Grep", "Glob", "LS", "WebFetch")
    ]
    assert changed(recap(human("go on with it"), *looks)) == {}


WRITES: list[tuple[str, list[Row], str]] = [
    ("overwritten without being read", [did("write", "a.py", created=False)], "modified"),
    ("made, then rewritten", [did("write", "a.py", created=True), did("write", "a.py", created=False)], "created"),
    ("nobody says", [did("write", "a.py")], "written"),
    ("read, changed, deleted", [did("read", "a.py"), did("edit", "a.py"), ran("rm a.py")], "deleted"),
]


@pytest.mark.parametrize(("rows", "expected"), [row[1:] for row in WRITES], ids=[row[0] for row in WRITES])
def test_3_4_l_created_is_what_was_not_there(rows: list[Row], expected: str) -> None:
    (file,) = folded(Prompt("go on with it"), *rows).files
    assert file.action == expected


@in_every_log
def test_3_4_m_what_failed_modified_nothing(build: Callable[..., bytes]) -> None:
    acts = [
        edit(f"{CWD}/a.py", outcome="failed"),
        write(f"{CWD}/b.py", outcome="denied"),
        shell("rm c.py", "no", exit_code=1),
    ]
    facts = recap_of(read_log(build(human("go on with it"), *acts)), LATE)
    assert changed(facts) == {}
    assert facts.stats.files_changed == 0


def test_3_4_o_p_the_text_of_a_summary_is_text_and_holds_what_is_new() -> None:
    facts = recap(
        human("fix the parser"), edit(f"{CWD}/a.py"), todo({"write docs": "pending"}), shell("pytest", "9 passed in 1s")
    )
    text = formatted(facts)
    assert text == f"{text}" and "object" not in text
    for part in ("fix the parser", "a.py (modified)", "Tasks: 0 of 1 done", "Tests pass: 9 passed", "State:"):
        assert part in text


def test_3_4_r_sizes_and_times_are_of_the_session_not_of_the_analysis() -> None:
    one, ten = (recap(human("fix the parser"), *[agent("Done with one more part of it.")] * count) for count in (1, 10))
    assert 0 < one.stats.estimated_tokens < ten.stats.estimated_tokens
    assert one.stats.last_at == at(60)


def test_3_4_s_a_request_is_the_users_words_cut_where_it_says_so() -> None:
    facts = recap(
        human("<system-reminder>be nice</system-reminder>fix the parser"), human("word " * 200), human("x" * 400)
    )
    first, second, third = (request.text for request in facts.requests)
    assert first == "fix the parser"
    assert second.endswith("word…") and len(second) <= 400
    assert third == "x" * 400, "what fits is not cut"


@in_every_log
def test_3_4_t_a_state_that_was_stored_is_the_same_state(build: Callable[..., bytes]) -> None:
    acts = [
        human("fix the parser"),
        edit("a.py"),
        shell("pytest", "9 passed in 1s"),
        todo({"a": "pending"}),
        shell("x", outcome="open"),
    ]
    transcript = read_log(build(*acts)).main.transcript
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(transcript), type=Transcript) == transcript


def test_3_4_u_a_session_is_found_on_a_real_disk_and_not_by_the_beginning_of_its_name(tmp_path: Path) -> None:
    for number in (1, 10, 100):
        (tmp_path / f"task_{number}.jsonl").write_bytes(
            claude_log(human(f"request of task {number}"), session=f"task_{number}")
        )
    (tmp_path / "task_1-backup.json").write_text("{}")
    for number in (1, 10, 100):
        params = json.dumps({"session": {"id": f"claude-code:task_{number}"}}).encode()
        found = msgspec.json.decode(msgspec.json.encode(answer(Library([tmp_path], environ={}), "recap/get", params)))
        assert found["recap"]["originalRequest"]["text"] == f"request of task {number}"


# ---- 3.5


def test_3_5_4_a_log_may_be_rewritten_branched_and_torn() -> None:
    lines = pi_log(human("build the parser"), agent("Built."), human("add a cache to it"), agent("Added.")).split(b"\n")
    other_way = (
        lines[3].replace(b"add a cache to it", b"add a lock to it").replace(b'"id":"00000003"', b'"id":"00000009"')
    )
    session = read_log(b"\n".join([*lines[:5], other_way, b'{"torn']) + b"\n")
    facts = recap_of(session, LATE)
    assert [request.text for request in facts.requests] == ["build the parser", "add a lock to it"]
    assert session.main.transcript.totals.problems == 1


def test_3_5_6_tokens_are_not_characters_divided_by_four() -> None:
    chinese, english = ("修复解析器的错误" * 100, "the parser fails " * 47)
    tokens = [
        recap_of(session_with(Prompt(text), Reply("ok")), LATE).stats.estimated_tokens for text in (chinese, english)
    ]
    assert abs(len(chinese) - len(english)) < 5
    assert tokens[0] > 2 * tokens[1]


def test_3_5_8_what_a_recap_leaves_out_is_not_lost() -> None:
    acts = [edit(f"{CWD}/{number}.py") for number in range(300)]
    session = read_log(claude_log(human("go on with it"), *acts))
    assert len(files_of(session)) == 300
    assert session.main.transcript.totals.calls == 300


@in_every_log
def test_3_5_10_every_claim_names_the_line_that_proves_it(build: Callable[..., bytes]) -> None:
    data = build(
        human("fix the parser"), read("b.py", "x"), edit("a.py"), shell("pytest", "9 passed in 1s"), agent("Done.")
    )
    facts = recap_of(read_log(data), LATE)
    lines = data.split(b"\n")
    assert facts.original is not None
    proofs = [
        (facts.original.place, b"fix the parser"),
        (facts.steps[-1].fact.place, b"pytest"),
        (facts.tests[0].fact.place, b"pytest"),
        *((row.fact.place, row.fact.path.encode()) for row in facts.files),
    ]
    for place, words in proofs:
        assert words in lines[place.line - 1]
        assert data[place.offset :][: place.length] == lines[place.line - 1]
