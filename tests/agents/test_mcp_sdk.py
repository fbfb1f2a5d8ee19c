"""The official client of the Model Context Protocol, over every tool, resource and prompt, in both revisions."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import anyio
import pytest

from tests.agents.rig import daemon_of
from tests.support.daemons import Home
from tests.support.logs import agent, claude_log, edit, human

pytestmark = [pytest.mark.agents, pytest.mark.timeout(300)]

ARGUMENTS: dict[str, dict[str, Any]] = {
    "search": {"query": "cart"},
    "record": {"kind": "decision", "text": "Use pnpm", "madeBy": "user"},
}


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_the_official_client_is_content(tmp_path: Path, mode: str) -> None:
    home = Home(tmp_path / "home")
    project = tmp_path / "shop"
    project.mkdir()
    talk = (human("Fix the cart"), edit("cart.ts"), agent("Done: the cart adds up."))
    (home.logs / "a.jsonl").write_bytes(claude_log(*talk, cwd=str(project)))
    with daemon_of(home):
        anyio.run(_walk, home, project, mode)


async def _walk(home: Home, project: Path, mode: str) -> None:
    # A dependency of this suite alone: see .ci/run.
    from mcp.client.client import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    server = StdioServerParameters(
        command=sys.executable, args=["-m", "recapd", "mcp"], env=home.environ, cwd=str(project)
    )
    opened: Any = Client(stdio_client(server), mode="auto" if mode == "auto" else "legacy")
    async with opened as client:
        assert client.protocol_version == ("2026-07-28" if mode == "auto" else "2025-11-25")
        tools = (await client.list_tools()).tools
        assert len(tools) == 8
        for tool in tools:
            result = await client.call_tool(tool.name, ARGUMENTS.get(tool.name, {}))
            assert not result.is_error and result.content[0].text, tool.name
        listed = (await client.list_resources()).resources
        assert len(listed) == 3 and len((await client.list_resource_templates()).resource_templates) == 2
        for resource in listed:
            assert (await client.read_resource(resource.uri)).contents[0].text
        for prompt in (await client.list_prompts()).prompts:
            assert "cart" in (await client.get_prompt(prompt.name)).messages[0].content.text
