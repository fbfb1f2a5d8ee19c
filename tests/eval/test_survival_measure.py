"""The measure of what survives a recap itself: what is looked for, and what counts as found."""

from __future__ import annotations

from pathlib import Path

import pytest

from recapd.daemon.library import Library
from tests.eval.survival import TELLERS, Survived, hard_facts, main, survived
from tests.support.logs import agent, claude_log, edit, human, shell


def test_a_number_inside_another_is_not_found() -> None:
    assert survived({"42", "429", "app.py"}, "HTTP 429 in src/app.py, 1429 times") == Survived(2, 3)


def test_what_a_session_did_is_looked_for_in_what_is_told_of_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "session.jsonl"
    acts = [human("Limit uploads to 25 MB"), edit("/home/dev/shop/limits.py"), shell("pytest -q", "14 passed in 2s")]
    log.write_bytes(claude_log(*acts, agent("Uploads above 25 MB are refused with 413; 14 tests pass.")))
    library = Library([])
    session = library.load(log)
    facts = hard_facts(session)
    assert facts == {"paths": {"limits.py"}, "commands": {"pytest -q"}, "numbers": {"25", "413", "14"}}
    page = TELLERS["full"](library, session)
    assert [survived(facts[sort], page).found for sort in ("paths", "commands", "numbers")] == [1, 1, 3]
    assert survived(facts["numbers"], "Nothing is told.").found == 0
    assert main([str(tmp_path), "--least", "1"]) == 0
    assert "full     paths 1/1 (100.0%), commands 1/1 (100.0%), numbers 3/3 (100.0%)" in capsys.readouterr().out
