"""`recapd summarize`, `recapd history` and the digest of `recapd recap`, as a user runs them.

Named after what seed 001 asks of its command line and seed 003 of its user experience.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recapd.core.text.tokens import count_for_budget
from tests.cli.test_commands import DEMO, run
from tests.support.daemons import Home
from tests.support.logs import Act, agent, claude_log, edit, human, shell
from tests.support.processes import daemon_process


def exchanges(count: int) -> list[Act]:
    acts: list[Act] = []
    for number in range(count):
        acts += [
            human(f"Add endpoint {number} to the authentication service."),
            edit(f"/home/dev/shop/src/auth_{number}.ts"),
            shell(f"npm test -- auth_{number}", "12 passed"),
            agent(f"Endpoint {number} is there, with JWT tokens and a refresh; its tests pass."),
        ]
    return acts


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "session.jsonl"
    path.write_bytes(claude_log(*exchanges(39)))
    return path


# ---- seed 003: manual summarization


def test_003_ux_manual_summarization_shows_the_box(tmp_path: Path, log: Path) -> None:
    done = run("summarize", str(log), home=tmp_path)
    assert done.returncode == 0 and done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0].startswith("┌─ Session Summary ─") and lines[0].endswith("┐")
    # Seed 003's example says 78 → 23 with ten preserved; 58 covered messages become one, and twenty stay.
    assert "│ Messages: 78 → 21 (73% reduction)" in done.stdout
    assert "│ Tokens saved: ~" in done.stdout
    assert "│ Key Topics:" in done.stdout and "│ • Add endpoint" in done.stdout
    assert "│ Files Modified: 29" in done.stdout
    assert "│ Commands Run: 29" in done.stdout
    assert "│ Key Decisions: " in done.stdout
    frame = [line for line in lines if line[:1] in ("┌", "│", "└")]
    assert len({len(line) for line in frame}) == 1


def test_003_summarize_as_json_is_the_protocols_result(tmp_path: Path, log: Path) -> None:
    found = json.loads(run("summarize", str(log), "--json", "--focus", "refresh tokens", home=tmp_path).stdout)
    assert found["stats"]["messagesBefore"] == 78
    assert found["summary"]["focus"] == "refresh tokens"
    assert found["summary"]["method"] == "extractive"


def test_003_without_a_daemon_no_model_is_asked_and_that_is_said(tmp_path: Path, log: Path) -> None:
    done = run("summarize", str(log), "--model", "claude-haiku-4-5", home=tmp_path)
    assert done.returncode == 0
    assert done.stderr == "recapd: Models write summaries in the daemon only; start it with: recapd up\n"
    assert done.stdout.startswith("┌─ Session Summary ─")


def test_003_beside_a_running_daemon_a_summary_made_without_it_is_said_not_to_be_kept(
    tmp_path: Path, log: Path
) -> None:
    home = Home(tmp_path)
    with daemon_process(home):
        done = run("summarize", str(log), "--no-daemon", home=tmp_path)
    assert done.returncode == 0 and done.stdout.startswith("┌─ Session Summary ─")
    # It was not asked, so nothing is said of an answer that did not come.
    assert "It is not kept: A recapd is running, and nobody else writes this down" in done.stderr


# ---- seed 003: viewing full history


def test_003_ux_history_full_lists_every_message(tmp_path: Path, log: Path) -> None:
    done = run("history", str(log), "--full", home=tmp_path)
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert lines[0] == "Session history (78 messages total):"
    assert "  [1] User: Add endpoint 0 to the authentication service." in lines
    assert any(line.startswith("  [78] Assistant: Endpoint 38 is there") for line in lines)


def test_what_is_made_for_agents_is_plain_in_a_terminal(tmp_path: Path, log: Path) -> None:
    for command in (("history", str(log)), ("recap", str(log), "--format", "resume")):
        done = run(*command, home=tmp_path)
        assert done.returncode == 0 and done.stdout and "recapd-" not in done.stdout
        assert "<recapd-past" in run(*command, "--json", home=tmp_path).stdout


def test_003_history_shows_the_recent_messages(tmp_path: Path, log: Path) -> None:
    done = run("history", str(log), home=tmp_path)
    assert "[Recent] messages 59–78:" in done.stdout
    assert "Add endpoint 0 " not in done.stdout


# ---- seed 001: the command line


def test_001_cli_budget_is_a_cap_on_the_recap(tmp_path: Path, log: Path) -> None:
    for budget in (30, 100, 400):
        done = run("recap", str(log), "--budget", str(budget), home=tmp_path)
        assert done.returncode == 0
        assert count_for_budget(done.stdout.rstrip("\n")) <= budget


def test_001_cli_stdout_carries_only_the_recap(tmp_path: Path, log: Path) -> None:
    done = run("recap", str(log), "--budget", "200", home=tmp_path)
    assert done.stderr == ""
    assert done.stdout.startswith("Asked: Add endpoint 0 to the authentication service.\n")


def test_001_cli_output_goes_into_a_file(tmp_path: Path, log: Path) -> None:
    plain = run("recap", str(log), "--budget", "200", home=tmp_path)
    done = run("recap", str(log), "--budget", "200", "-o", "recap.txt", home=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / "recap.txt").read_text() == plain.stdout


def test_001_cli_output_that_cannot_be_written_is_one_sentence(tmp_path: Path, log: Path) -> None:
    done = run("recap", str(log), "--budget", "200", "-o", "no/such/folder/recap.txt", home=tmp_path)
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr == "recapd: no/such/folder/recap.txt could not be written: No such file or directory.\n"


@pytest.mark.parametrize("number", ["0", "-1"])
@pytest.mark.parametrize("option", ["--budget", "--workers"])
def test_001_cli_numbers_below_one_are_refused(tmp_path: Path, log: Path, option: str, number: str) -> None:
    done = run("recap", str(log), option, number, home=tmp_path)
    assert done.returncode == 1 and done.stderr == f"recapd: {option} must be at least 1.\n"


def test_001_cli_a_model_needs_a_switch_and_the_recap_is_made_without(tmp_path: Path) -> None:
    done = run("recap", str(DEMO), "--model", "claude-haiku-4-5", home=tmp_path)
    assert done.returncode == 0 and "rate limiting" in done.stdout
    assert done.stderr.startswith("recapd: Models write in the daemon only")


def test_001_cli_the_same_log_gives_the_same_recap(tmp_path: Path, log: Path) -> None:
    first, second = (run("recap", str(log), "--budget", "500", home=tmp_path).stdout for _ in range(2))
    assert first == second
