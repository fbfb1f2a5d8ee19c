"""The measure of recaps itself: what counts as found, and where points are lost."""

from __future__ import annotations

from pathlib import Path

import msgspec

from recapd.core.text import count_for_budget
from recapd.daemon.library import Library
from tests.eval.digests import WAYS, score
from tests.eval.reading import COUNTERS, cases_in, told_again
from tests.eval.recaps import Fact, Label, is_present, judge, lost_points, rows_of, table
from tests.support.logs import agent, claude_log, human

LABEL = Label(
    original_request="Fix the parser",
    original_request_keywords=(("parser",),),
    current_focus="Deploying to staging",
    current_focus_keywords=(("deploy", "staging"),),
    facts=(
        Fact("The cache moved to SQLite", 3, (("sqlite", "cache"),)),
        Fact("Nobody wrote docs", 1, (("docs",), ("manual",))),
    ),
)


def test_keywords_count_only_near_each_other() -> None:
    assert is_present((("SQLite", "cache"),), "the Cache is in sqlite")
    assert not is_present((("sqlite", "cache"),), "sqlite" + " " * 400 + "cache")
    assert is_present((("a b",), ("docs",)), "no DOCS yet")


def test_what_is_beyond_the_budget_is_not_read() -> None:
    text = "parser" + "." * 800 + "deploy staging"
    row = judge(LABEL, name="s", format="short", markdown=text)
    assert [point.sort for point in row.lost] == ["focus", "fact 3", "fact 1"]
    assert row.score == 1 - 7 / 10


def test_a_folder_of_labels_is_measured_and_says_what_is_lost(tmp_path: Path) -> None:
    (tmp_path / "s.json").write_bytes(msgspec.json.encode(LABEL))
    log = claude_log(human("Fix the parser"), agent("Moved the cache to SQLite."), human("Deploy to staging"))
    (tmp_path / "s.jsonl").write_bytes(log)
    rows = list(rows_of(tmp_path, tmp_path))
    assert [row.format for row in rows] == ["short", "full"]
    assert all([point.text for point in row.lost] == ["Nobody wrote docs"] for row in rows)
    assert "short: mean 0.900" in table(rows) and "fact 1: Nobody wrote docs" in lost_points(rows)


def test_what_would_embarrass_a_recap_is_counted(tmp_path: Path) -> None:
    talk = [
        act for number in range(9) for act in (human(f"change part {number} of it"), agent(f"Changed part {number}."))
    ]
    (tmp_path / "s.jsonl").write_bytes(claude_log(*talk))
    session = Library([]).load(tmp_path / "s.jsonl")
    assert list(cases_in(session, "s")) == []
    told = told_again(session)
    assert told.statements > 0 and told.again / told.statements <= 0.3
    assert len(set(COUNTERS)) == 5


def test_every_way_to_use_the_tokens_is_held_against_the_same_label(tmp_path: Path) -> None:
    said = [
        human("Fix the parser"),
        agent("The cache moved to SQLite."),
        human("And now?"),
        agent("We deploy to staging."),
    ]
    (log := tmp_path / "s.jsonl").write_bytes(claude_log(*said))
    library = Library([])
    session = library.load(log)
    found = {name: score(LABEL, way(library, session, 300)) for name, way in WAYS.items()}
    assert found == dict.fromkeys(WAYS, 0.9)
    assert count_for_budget(WAYS["full, as strict"](library, session, 60)) <= 60
    assert score(LABEL, WAYS["tail"](library, session, 10)) < 0.5
