"""recapd as a plugin of Claude Code: accepted by its own validation, and at work where only the plugin is there."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.agents.model import Say, Use, scripted_model
from tests.agents.rig import agent_binary, agent_environ, claude_print, noting_program, runs_of_hooks, served
from tests.support.daemons import ROOT, Home

pytestmark = [pytest.mark.agents, pytest.mark.timeout(600)]

PLUGIN = ROOT / "clients" / "claude-code"


def test_claude_code_accepts_the_plugin(tmp_path: Path) -> None:
    done = subprocess.run(
        [agent_binary("claude"), "plugin", "validate", "--profile", "directory", str(PLUGIN)],
        env=agent_environ(Home(tmp_path / "home")),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0 and "Validation passed" in done.stdout, done.stdout


def test_the_plugin_brings_hooks_and_tools(
    home: Home, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = noting_program(tmp_path)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    recorded = {"kind": "decision", "text": "Use pnpm, never npm", "madeBy": "user"}
    allowed = ("--plugin-dir", str(PLUGIN), "--allowedTools", "mcp__plugin_recapd_recapd__record")
    with served(home), scripted_model([Use("record", recorded)], [Say("Noted.")]) as model:
        claude_print(home, model, "hm, pnpm it is then", project=project, arguments=allowed)
        assert "mcp__plugin_recapd_recapd__record" in {tool["name"] for tool in model.requests[-1]["tools"]}
        assert "Recorded." in str(model.requests[-1]["messages"])
    events = {each.event for each in runs_of_hooks(tmp_path) if each.code == 0}
    assert events >= {"SessionStart", "SessionEnd"}
