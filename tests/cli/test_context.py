"""`recapd context`: the text for a pipe, messages as JSON, and a budget that holds."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import pytest

from recapd.__main__ import main
from recapd.cli.table import COMMANDS
from recapd.core.text.tokens import count_for_budget
from recapd.wire.types.context import CONTEXT_SECTIONS
from tests.support.contexts import exchanges
from tests.support.logs import Act, agent, claude_log, edit, human, shell


@pytest.fixture
def log(tmp_path: Path) -> str:
    path = tmp_path / "story.jsonl"
    path.write_bytes(claude_log(*exchanges(20)))
    return str(path)


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["context", "--no-daemon", *arguments]) == 0
    return capsys.readouterr().out


def test_a_pipe_gets_the_context_and_nothing_else(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, log, "--budget", "300", "--prompt", "what about step3?")
    assert text.startswith("<recapd-past") and text.endswith("</recapd-past>\n")
    assert "step3 " in text and count_for_budget(text.rstrip("\n")) <= 300


def test_messages_are_json_for_a_models_interface(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    messages = json.loads(said(capsys, log, "--output", "messages"))
    assert messages[0]["role"] == "user" and set(messages[0]) == {"role", "content"}


@pytest.mark.parametrize(
    "command",
    [
        ("recap", "--format", "short"),
        ("recap", "--format", "full"),
        ("recap", "--format", "resume"),
        ("context",),
        ("call", "context/summary"),
    ],
)
def test_every_page_says_that_files_were_edited_since_tests_passed(
    command: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (log := tmp_path / "s.jsonl").write_bytes(
        claude_log(
            human("mend the parser"),
            edit("/repo/a.py"),
            shell("pytest -q", "9 passed in 0.1s"),
            edit("/repo/b.py"),
            agent("The parser is mended."),
        )
    )
    named = json.dumps({"session": {"log": str(log)}}) if command[0] == "call" else str(log)
    assert main([*command, "--no-daemon", named]) == 0
    printed = capsys.readouterr().out
    page = json.loads(printed)["formatted"] if command[0] == "call" else printed
    assert "9 passed (pytest), edited since" in page and page.count("9 passed (pytest)") == page.count("edited since")


def test_a_preset_and_a_section(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "[PAST] User: " in said(capsys, log, "--preset", "know-thyself")
    assert "## Recent messages" not in said(capsys, log, "--include", "request")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--budget", "20"), "Nothing of it fits into 20 tokens; give more with --budget\n"),
        (("--include", "lost"), "There is nothing.\n"),
    ],
)
def test_where_nothing_is_told_a_pipe_gets_nothing(
    log: str, arguments: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["context", "--no-daemon", log, *arguments]) == 0
    assert capsys.readouterr() == ("", told)


def test_every_section_may_be_asked_for() -> None:
    (context,) = [command for command in COMMANDS if command.name == "context"]
    assert context.add_arguments is not None
    parser = argparse.ArgumentParser()
    context.add_arguments(parser)
    arguments = [word for section in CONTEXT_SECTIONS for word in ("--include", section)]
    assert tuple(parser.parse_args(arguments).include) == CONTEXT_SECTIONS


def test_the_whole_result_as_json(log: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(said(capsys, log, "--json"))
    assert found["prefixHash"] and found["coverage"]["messages"] == 40


@pytest.mark.parametrize("command", ["context", "recap"])
def test_a_budget_of_nothing_is_refused(command: str, log: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--no-daemon", log, "--budget", "0"]) != 0
    assert "--budget must be at least 1" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("acts", "word"),
    [
        ((agent("It is mended."),), "answered"),
        ((agent("It is mended. Shall I commit it?"),), "left open"),
        ((shell("make", outcome="open"),), "broke off"),
    ],
)
def test_a_context_says_in_the_words_of_the_recap_how_the_session_stands(
    acts: tuple[Act, ...], word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "talk.jsonl"
    path.write_bytes(claude_log(human("Mend the parser."), *acts))
    assert f"\nState: {word} — " in said(capsys, str(path))
    assert main(["recap", "--no-daemon", "--format", "full", str(path)]) == 0
    # That it was answered, the page says by what was.
    assert (f"**State:** {word}" in capsys.readouterr().out) is (word != "answered")
