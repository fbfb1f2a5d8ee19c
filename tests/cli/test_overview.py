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

from recapd.client.start import environment_for_daemon
from tests.support.logs import agent, claude_log, human


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
