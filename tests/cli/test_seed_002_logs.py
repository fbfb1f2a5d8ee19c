"""Seed 002 through a log in its own format, rows of messages, to what its user sees: no model, a talk of two people."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from recapd.__main__ import main
from recapd.core.summaries import due
from recapd.core.text import count_for_budget
from recapd.daemon.library import Library

TOLD: Final = (
    "I'm Marta, I work as a nurse on the night shift at the clinic in Porto.",
    "My sister Lina keeps telling me to quit, and my son Tiago is seven.",
    "I live in Matosinhos now, near the sea.",
    "I promised Lina that I will call the clinic about day shifts before Friday.",
    "I'm afraid that Almeida, my head nurse, takes it badly.",
)
SMALL_TALK: Final = (
    "I slept badly again, the street was loud.",
    "Yes, let's talk about the mornings.",
    "Okay, thanks, that helps.",
    "I don't know, maybe I just need rest.",
    "Sometimes I wonder whether I'm too soft.",
)
ANSWERS: Final = (
    "That sounds tiring. What would a quiet night look like for you?",
    "I hear you. Let's stay with that for a moment.",
    "It makes sense to feel that way after such a week.",
)


@pytest.fixture(autouse=True)
def preset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The seed's own, in a home of the test's own."""
    for name in ("XDG_CONFIG_HOME", "RECAPD_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("RECAPD_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("RECAPD_RUNTIME_DIR", str(tmp_path / "run"))
    (folder := tmp_path / ".config" / "recapd").mkdir(parents=True)
    (folder / "config.toml").write_text('preset = "know-thyself"\n')


def rows(said: Sequence[str], first: int = 0) -> str:
    """Messages of the user, each with an answer."""
    found: list[dict[str, str]] = []
    for number, text in enumerate(said, first):
        for role, words in (("user", text), ("assistant", ANSWERS[number % len(ANSWERS)])):
            at = f"2026-03-01T{8 + number // 30:02d}:{number % 30 * 2 + len(found) % 2:02d}:00Z"
            row_id = f"m{2 * number + (role != 'user')}"
            found.append({"id": row_id, "conversation_id": "c1", "role": role, "content": words, "created_at": at})
    return "".join(json.dumps(row) + "\n" for row in found)


def talk(length: int) -> list[str]:
    """So many things said, those that matter first, one more in the middle."""
    said = [*TOLD, *(f"{SMALL_TALK[number % 5][:-1]}, day {number}." for number in range(length - len(TOLD)))]
    said[24:25] = ["I decided to tell my mother Rosa about the divorce on her birthday, 12 June."]
    return said[:length]


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert main([arguments[0], "--no-daemon", *arguments[1:]]) == 0
    return capsys.readouterr().out


def summary_in(context: str) -> str:
    before, _, _ = context.partition("## CONVERSATION HISTORY")
    return before.partition("## Earlier in this conversation\n")[2]


def test_the_second_summary_still_knows_who_the_user_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "talk.jsonl"
    said = talk(45)
    log.write_text(rows(said[:22]))
    run(capsys, "summarize", str(log))
    log.write_text(rows(said))
    run(capsys, "summarize", str(log))
    history = run(capsys, "history", str(log))
    assert "[Summary 1] messages 1–24" in history and "[Summary 2] messages 25–70" in history
    summary = summary_in(run(capsys, "context", "--budget", "4000", str(log)))
    for words in (*TOLD, "tell my mother Rosa about the divorce on her birthday, 12 June"):
        assert words.rstrip(".") in summary
    assert "Commitments: I promised Lina" in summary
    assert 100 < count_for_budget(summary) <= 500
    decided = next((part for part in summary.split("\n\n") if part.startswith("Decided:")), "")
    assert "Rosa" in decided and not any(words[:12] in decided for words in (*SMALL_TALK, *ANSWERS))


def test_a_talk_that_decides_nothing_has_no_decisions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "talk.jsonl"
    log.write_text(rows(talk(24)))
    run(capsys, "summarize", str(log))
    assert "Decided:" not in run(capsys, "context", "--budget", "4000", str(log))


HEDGED: Final = (
    "We should talk more about sleep maybe.",
    "I'm going with my gut today I guess.",
    "I keep going back and forth on it.",
    "I think I'll take a walk.",
    "Let's talk about something else.",
    "Fine, let's do the breathing thing.",
    "I always overthink things.",
    "I want to feel better.",
    "I just want quiet.",
    "My brother Nuno moved here with me last spring.",
)
SETTLED: Final = (
    "I've decided to tell my mother about the diagnosis.",
    "Please don't bring up my father again.",
)


def test_small_talk_is_not_decided(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "talk.jsonl"
    log.write_text(rows([*TOLD, *HEDGED, *SETTLED, *talk(30)[5:20]]))
    run(capsys, "summarize", str(log))
    summary = summary_in(run(capsys, "context", "--budget", "4000", str(log)))
    decided = next(part for part in summary.split("\n\n") if part.startswith("Decided:"))
    page = run(capsys, "recap", "--format", "full", str(log)).partition("**Key decisions:**")[2].partition("\n\n")[0]
    for told in (decided, page):
        assert "tell my mother about the diagnosis" in told and "bring up my father again" in told
        assert not any(said[:20] in told for said in (*HEDGED, *TOLD, *SMALL_TALK))
    listed = json.loads(run(capsys, "decisions", "--json", str(log)))["decisions"]
    holding = [each["text"] for each in listed if each["status"] == "active"]
    assert set(SETTLED) <= set(holding)
    assert not any(said[:20] in each for each in holding for said in (*HEDGED, *TOLD, *SMALL_TALK))


def test_what_she_told_others_she_would_do_is_a_commitment(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    promise = "I told my principal Kari that I'd send her the plan for the autumn term"
    log = tmp_path / "talk.jsonl"
    log.write_text(rows([f"{promise}.", *talk(40)]))
    run(capsys, "summarize", str(log))
    summary = summary_in(run(capsys, "context", "--budget", "4000", str(log)))
    assert f"Commitments: {promise}" in summary


def test_a_summary_is_not_cut_to_a_share_of_what_it_covers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "talk.jsonl"
    log.write_text(rows(talk(15)))
    run(capsys, "summarize", str(log))
    summary = summary_in(run(capsys, "context", "--budget", "4000", str(log)))
    assert all(name in summary for name in ("Marta", "Porto", "Lina", "Tiago", "Matosinhos", "Friday"))


@pytest.mark.parametrize(("padding", "is_due"), [(0, False), (120, True)], ids=["short", "long"])
def test_ten_exchanges_are_summarised_where_they_are_long(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], padding: int, is_due: bool
) -> None:
    log = tmp_path / "talk.jsonl"
    more = "It goes round in my head at night and keeps me awake. " * padding
    log.write_text(rows([f"{said} {more}" for said in talk(10)]))
    library = Library()
    session = library.load(log)
    assert (due(session.main.transcript, None, library.settings(session)) is not None) == is_due
    run(capsys, "summarize", str(log))
    context = run(capsys, "context", "--budget", "9000", str(log))
    if is_due:
        assert "Marta" in summary_in(context) and "Porto" in summary_in(context)
    # The last exchange is there word for word, whatever its length.
    assert "## CONVERSATION HISTORY" in context and "day 4." in context.partition("## CONVERSATION HISTORY")[2]
