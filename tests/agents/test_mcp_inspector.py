"""The official inspector of the Model Context Protocol, from its command line: what it lists and calls."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.agents.rig import agent_binary, agent_environ, daemon_of
from tests.support.daemons import Home
from tests.support.logs import agent, claude_log, edit, human

pytestmark = [pytest.mark.agents, pytest.mark.timeout(300)]


def test_the_inspector_is_content(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    project = tmp_path / "shop"
    project.mkdir()
    talk = (human("Fix the cart"), edit("cart.ts"), agent("Done: the cart adds up."))
    (home.logs / "a.jsonl").write_bytes(claude_log(*talk, cwd=str(project)))

    def inspect(method: str, *arguments: str) -> Any:
        server = (sys.executable, "-m", "recapd", "mcp")
        done = subprocess.run(
            [agent_binary("mcp-inspector"), "--cli", *server, "--method", method, *arguments],
            env=agent_environ(home) | home.environ,
            cwd=project,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        assert done.returncode == 0, (done.stdout[-800:], done.stderr[-800:])
        return json.loads(done.stdout)

    with daemon_of(home):
        assert len(inspect("tools/list")["tools"]) == 8
        said = inspect("tools/call", "--tool-name", "recap")
        assert not said.get("isError") and "cart" in said["content"][0]["text"]
        (first, *_) = inspect("resources/list")["resources"]
        assert "cart" in inspect("resources/read", "--uri", first["uri"])["contents"][0]["text"]
        (prompt, *_) = inspect("prompts/list")["prompts"]
        assert "cart" in inspect("prompts/get", "--prompt-name", prompt["name"])["messages"][0]["content"]["text"]
