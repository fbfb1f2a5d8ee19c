"""An agent's own command line as the reader: it reads a session of another, and what it logs is no session."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.agents.model import Say, scripted_model
from tests.agents.rig import KEY, agents_folder
from tests.support.daemons import Home
from tests.support.logs import claude_log
from tests.support.readings import SHOP, answer, decided, stated

pytestmark = [pytest.mark.agents, pytest.mark.timeout(600)]

TOLD = answer(
    decisions=[decided("D1", "Every refused upload is logged", quote="log every refusal", message=2)],
    stands=stated("The cap is in, all 14 tests pass", 6),
)


def recapd(home: Home, environ: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "recapd", *arguments]
    return subprocess.run(
        command, env=environ, cwd=home.folder, capture_output=True, text=True, timeout=300, check=False
    )


def test_claude_code_reads_and_its_log_is_no_session(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    log = home.logs / "5e551011-c0de-4a11-8000-000000000001.jsonl"
    log.write_bytes(claude_log(*SHOP))
    config = tmp_path / "config.toml"
    binary = agents_folder() / "node_modules" / ".bin" / "claude"
    config.write_text(f"[llm]\nprovider = 'command'\ncommand = ['{binary}', '-p']\n")
    (home.folder / ".claude.json").write_text(
        json.dumps({"hasCompletedOnboarding": True, "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []}})
    )
    with scripted_model([Say(TOLD)]) as model:
        own = {
            "ANTHROPIC_BASE_URL": model.url,
            "ANTHROPIC_API_KEY": KEY,
            "DISABLE_TELEMETRY": "1",
            "DISABLE_AUTOUPDATER": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "IS_SANDBOX": "1",
            # As where the daemon was started from inside an agent.
            "CLAUDECODE": "1",
        }
        environ = {**home.environ, **own, "RECAPD_CONFIG": str(config), "RECAPD_PASS_ENV": " ".join(own)}
        try:
            done = recapd(home, environ, "read", str(log))
            assert done.returncode == 0, done.stderr
            assert "1 decisions" in done.stdout
            asked = [each for each in model.requests if "log every refusal" in json.dumps(each)]
            assert asked, "the session was not sent"

            def listed(*more: str) -> list[dict[str, Any]]:
                found = recapd(home, environ, "call", "session/list", *more)
                rows: list[dict[str, Any]] = json.loads(found.stdout)["sessions"]
                return rows

            folder = os.path.realpath(home.state / "asked")
            written = [path for path in (home.folder / ".claude" / "projects").rglob("*.jsonl") if path != log]
            assert any(folder in path.read_text() for path in written), "the agent logged nothing"
            assert [row["log"] for row in listed()] == [log.as_uri()]
            assert [row["log"] for row in listed("{}", "--no-daemon")] == [log.as_uri()]
            shown = recapd(home, environ, "decisions", str(log))
            assert "Every refused upload is logged" in shown.stdout
        finally:
            recapd(home, environ, "down")
