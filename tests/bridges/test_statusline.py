"""`recapd statusline`: one line for Claude Code, from the JSON it gives at each message; never an error."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from recapd.bridges.deadline import DEADLINE_VARIABLE
from tests.bridges.test_hook import SESSION, down, up
from tests.support.daemons import Home
from tests.support.logs import agent, ask, claude_log, ended, human


def statusline(home: Home, data: bytes) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "recapd", "statusline"],
        input=data,
        env=home.environ | {DEADLINE_VARIABLE: "30000"},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done.stdout.decode()


def given_by_claude_code(project: Path, session: str = SESSION) -> bytes:
    said = {
        "hook_event_name": "Status",
        "session_id": session,
        "transcript_path": str(project / f"{session}.jsonl"),
        "cwd": str(project),
        "model": {"id": "claude-opus", "display_name": "Opus"},
        "workspace": {"current_dir": str(project), "project_dir": str(project)},
        "version": "2.1.325",
        "cost": {"total_cost_usd": 0.1, "total_duration_ms": 4500},
        "context_window": {"used_percentage": 8, "context_window_size": 200000},
    }
    return json.dumps(said).encode()


def test_it_says_how_far_the_session_is_in_one_line(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    talk = (human("Use \x1b[31mpnpm\x07, never npm"), agent("Done."), human("Now the cart"), agent("Done, too."))
    (home.logs / f"{SESSION}.jsonl").write_bytes(claude_log(*talk, cwd=str(tmp_path), session=SESSION))
    up(home)
    try:
        line = statusline(home, given_by_claude_code(tmp_path))
        assert line.startswith("turn 2") and line.endswith("\n")
        assert line[:-1].isprintable()
        # Nothing is known of a session that has just begun.
        assert "turn" not in statusline(home, given_by_claude_code(tmp_path, "5e551011-c0de-4a11-8000-00000000ffff"))
    finally:
        down(home)


def test_another_session_is_told_of_only_while_it_needs_somebody(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    cwd = str(tmp_path)
    (home.logs / f"{SESSION}.jsonl").write_bytes(claude_log(human("Sort it"), agent("Done."), cwd=cwd, session=SESSION))
    asking = claude_log(human("Move it"), ask("Which first?", outcome="open"), cwd=cwd, session="5e55-other")
    (home.logs / "other.jsonl").write_bytes(ended(asking, 5 * 60))
    up(home)
    try:
        assert "needs you" not in statusline(home, given_by_claude_code(tmp_path))
    finally:
        down(home)
    (home.logs / "other.jsonl").write_bytes(ended(asking, 1))
    up(home)
    try:
        assert "another session needs you" in statusline(home, given_by_claude_code(tmp_path))
    finally:
        down(home)


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"{}", b'{"session_id": 3, "cwd": []}', b"\xff\x00"])
def test_it_never_fails(tmp_path: Path, data: bytes) -> None:
    assert statusline(Home(tmp_path / "home"), data) == ""
