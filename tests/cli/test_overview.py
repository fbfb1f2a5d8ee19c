"""`recapd overview` of a machine on which nobody is at work any more."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from recapd.__main__ import main
from recapd.client.start import environment_for_daemon
from tests.support.logs import agent, claude_log, ended, human


@pytest.mark.parametrize("words", ["Done.", "Shall I go on?"])
def test_twenty_ended_sessions_wait_for_nobody(words: str, tmp_path: Path) -> None:
    """Their last words are a minute old; only that their agent says who is there, and they are not, tells it."""
    projects = tmp_path / ".claude" / "projects" / "p"
    projects.mkdir(parents=True)
    (tmp_path / ".claude" / "sessions").mkdir()
    a_minute_ago = (datetime.now(UTC) - timedelta(minutes=1)).isoformat(timespec="milliseconds")
    for number in range(20):
        log = claude_log(human(f"fix part {number}"), agent(words), session=f"s{number}")
        fresh = re.sub(rb'"timestamp":"[^"]*"', f'"timestamp":"{a_minute_ago}"'.encode(), log)
        (projects / f"s{number}.jsonl").write_bytes(fresh)
    done = subprocess.run(
        [sys.executable, "-m", "recapd", "overview", "--all", "--json", "--no-daemon"],
        env=environment_for_daemon({"PATH": os.environ["PATH"], "LANG": "C.UTF-8"})
        | {"HOME": str(tmp_path), "RECAPD_STATE_DIR": str(tmp_path / "s"), "RECAPD_RUNTIME_DIR": str(tmp_path / "r")},
        capture_output=True,
        check=True,
        timeout=60,
    )
    found = json.loads(done.stdout)
    assert (found["total"], found["waiting"], found.get("needsYou", 0)) == (20, 0, 0)
    assert {(row["state"], row["live"]) for row in found["sessions"]} == {("answered", False)}


def test_what_broke_off_long_ago_does_not_come_before_what_was_done_since(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project = tmp_path / ".claude" / "projects" / "p"
    project.mkdir(parents=True)
    for name, days, acts in (
        ("old-broken", 40, (human("mend the parser"),)),
        ("old-done", 20, (human("mend the parser"), agent("Done."))),
        ("broken", 2, (human("mend the parser"),)),
        ("done", 1, (human("mend the parser"), agent("Done."))),
    ):
        log = ended(claude_log(*acts, session=name), days * 24 * 60)
        (project / f"{name}.jsonl").write_bytes(log)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("RECAPD_STATE_DIR", str(tmp_path / "s"))
    assert main(["overview", "--all", "--json", "--no-daemon"]) == 0
    rows = json.loads(capsys.readouterr().out)["sessions"]
    assert [row["id"].partition(":")[2] for row in rows] == ["broken", "done", "old-done", "old-broken"]
    assert [row["state"] for row in rows] == ["interrupted", "answered", "answered", "interrupted"]


def test_a_session_has_one_title_wherever_it_is_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    project = tmp_path / ".claude" / "projects" / "p"
    project.mkdir(parents=True)
    (project / "s.jsonl").write_bytes(claude_log(human("Hi! Could you please mend the parser?"), agent("Done.")))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("RECAPD_STATE_DIR", str(tmp_path / "s"))
    titles = set()
    for method, params, rows in (
        ("session/list", "{}", "sessions"),
        ("session/overview", "{}", "sessions"),
        ("search", '{"query": "parser"}', "hits"),
    ):
        assert main(["call", "--no-daemon", method, params]) == 0
        titles |= {row["title"] for row in json.loads(capsys.readouterr().out)[rows]}
    assert titles == {"Mend the parser"}


def test_there_are_as_many_sessions_wherever_they_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also those in which nobody asked for anything."""
    project = tmp_path / ".claude" / "projects" / "p"
    project.mkdir(parents=True)
    (project / "s.jsonl").write_bytes(claude_log(human("mend the parser"), agent("Done."), session="s"))
    (project / "t.jsonl").write_bytes(claude_log(agent("Ready."), session="t"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("RECAPD_STATE_DIR", str(tmp_path / "s"))
    for method in ("session/list", "session/overview"):
        assert main(["call", "--no-daemon", method, "{}"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["total"], {row["id"] for row in found["sessions"]}) == (2, {"claude-code:s", "claude-code:t"})
