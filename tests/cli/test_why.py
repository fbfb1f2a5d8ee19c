"""`recapd why`: the answer in words, and what is said where there is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recapd.__main__ import main
from tests.server.test_file_changes import BEGINNING
from tests.server.test_why import log_of
from tests.support.logs import agent, human, write


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    logs = tmp_path / ".claude" / "projects" / "shop"
    logs.mkdir(parents=True)
    for name in ("HOME", "RECAPD_RUNTIME_DIR", "RECAPD_STATE_DIR"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    source = tmp_path / "shop.py"
    source.write_text("# by hand\n" + BEGINNING)
    acts = (human("Open the shop"), write(str(source)), agent("Done."))
    log_of(logs, "s", *acts, texts=[("", BEGINNING)], path=str(source))
    return source


def test_a_line_is_told_with_its_turn(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for place, where in ((f"{source}:3", "line 3"), (f"{source}:1-4", "lines 2-4"), (str(source), "lines 2-9")):
        assert main(["why", place]) == 0
        said = capsys.readouterr().out
        assert said.startswith(f"{where} · turn 1 of ") and "\n  asked    Open the shop\n" in said
        assert "s.jsonl:" in said.splitlines()[-1]
    # As compilers and editors write it.
    assert main(["why", f"{source}:3:7"]) == 0
    assert capsys.readouterr().out.startswith("line 3 · ")
    assert main(["why", f"{source}:2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["lines"][0]["from"] == 2


def test_where_there_is_no_answer_it_is_said_why(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = source.with_name("other.py")
    other.write_text("x = 1\n")
    for place, sentence in (
        (f"{source}:1", "No session is proved to have written line 1 of shop.py as it is now; the logs know of 1 edit"),
        (f"{source}:77", "shop.py has 9 lines."),
        (f"{other}:2", "other.py has 1 line."),
        (f"{other}:1", "No known session changed other.py."),
        (f"{source}.gone:1", "There is no file"),
        (f"{source}:0", "lines are numbered from 1"),
    ):
        assert main(["why", place]) == 1
        assert sentence in capsys.readouterr().err
