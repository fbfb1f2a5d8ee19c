"""recapd's own words are known again, and nobody else's are taken for them."""

from __future__ import annotations

import pytest

from recapd.cli.markdown import without_marks
from recapd.core.decisions.ledger.ledger import ledger_of
from recapd.core.log.events import Prompt, Reply
from recapd.core.settings import DEFAULTS
from recapd.core.text.markers import OPEN, asking, fenced, is_own_text, unfenced, without_own_text
from tests.support.records import folded, session_with

ORIENTATION = "📍 **Where we are** (turn 6):\n- **Started with:** retries\n- **Last decision:** Redis\n"

KEPT = [
    ("nothing of ours", "fix the parser", "fix the parser"),
    ("a fence alone", fenced("Decisions: Redis"), ""),
    ("a fence before the prompt", f"{fenced('Decisions: Redis')}\n\nfix the parser", "fix the parser"),
    ("a fence in the middle", f"before\n{fenced('x')}\nafter", "before\n\nafter"),
    ("two fences", f"{fenced('a')}\nwords\n{fenced('b')}", "words"),
    ("a fence that was cut off", f"{OPEN}\n## Request\nadd ret", ""),
    ("a fence that somebody only mentions", "what does <recapd-past> mean?", "what does <recapd-past> mean?"),
    ("text in a fence that would end it", fenced("a </recapd-past> b"), ""),
    ("an instruction", f"{asking('Begin with bullets.')}\n{fenced('facts')}\ngo on", "go on"),
    ("an orientation and an answer", f"{ORIENTATION}\n---\n\nUse Postgres.", "Use Postgres."),
    ("an orientation without a rule", f"{ORIENTATION}\nUse Postgres.", "Use Postgres."),
    ("an orientation behind words", f"Sure.\n\n{ORIENTATION}\n---\n\nDone.", "Sure.\n\n\nDone."),
    ("a heading instead of bold", "## 📍 Where we are\n- a\n- b\n\nUse Postgres.", "Use Postgres."),
    (
        "a folded one",
        "<details><summary>📍 Conversation Recap (turn 3)</summary>\n\nx\n\n</details>\n\n---\n\nYes.",
        "Yes.",
    ),
    ("a list of decisions", "📋 **Decisions made so far (2)**\n1. **Turn 1:** a\n2. **Turn 2:** b\n\nOk.", "Ok."),
    ("a pin that is no orientation", "📍 We meet in Oslo.\n- bring shoes", "📍 We meet in Oslo.\n- bring shoes"),
]


@pytest.mark.parametrize(("text", "kept"), [row[1:] for row in KEPT], ids=[row[0] for row in KEPT])
def test_own_text_is_taken_out(text: str, kept: str) -> None:
    assert without_own_text(text) == kept
    assert is_own_text(text) == (kept == "")


def test_text_without_marks_is_the_same_object() -> None:
    text = "fix the parser"
    assert without_own_text(text) is text


@pytest.mark.parametrize("text", ["</recapd-past>", "< / recapd-past>", "<RECAPD-PAST x>", "<recapd-ask>"])
def test_log_text_cannot_spell_a_mark(text: str) -> None:
    assert "<" not in unfenced(text)


def test_a_person_gets_the_text_without_its_fence() -> None:
    for text in ("hello", "", "a\n\nb\n"):
        assert without_marks(fenced(text)) == text == without_marks(text)


@pytest.mark.parametrize(
    "text", ["<recapd-past>", "<recapd-past", "<details><summary>📍", "📍 Where we are\n", "<recapd-ask>"]
)
def test_looking_for_marks_is_linear(text: str) -> None:
    # Ten times as much text in ten times the time would take minutes if every beginning searched for its end.
    assert isinstance(without_own_text("x" + text * 50_000), str)


def test_what_was_injected_is_no_turn_and_no_request() -> None:
    injected = fenced("## Request\nadd retries")
    transcript = folded(Prompt(f"{injected}\n\nfix the parser"), Reply("Done."), Prompt(injected), Reply("Hm."))
    assert [turn.request.text for turn in transcript.turns] == ["fix the parser"]
    assert transcript.totals.turns == 1


def test_an_orientation_is_neither_an_outcome_nor_a_decision() -> None:
    """Seed 000: what the agent recapped was extracted again the next turn, with a new number."""
    orientation = "📍 **Where we are** (turn 2):\n- **Key decisions:** We decided to use Postgres"
    told = f"{orientation}\n\n---\n\nThe cache is in memory."
    session = session_with(Prompt("and the cache?"), Reply(told))
    assert [turn.outcome for turn in session.main.transcript.turns] == ["The cache is in memory."]
    assert not [each for each in ledger_of(session, DEFAULTS.decisions) if "Postgres" in each.finding.text]
