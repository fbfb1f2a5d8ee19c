"""Where the agents keep their session logs in a given environment. Pure; knows names of folders, no format."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def default_roots(environ: Mapping[str, str], home: str) -> tuple[tuple[str, str], ...]:
    """Agent and folder, for every folder that the agents themselves would use in this environment."""
    claude = environ.get("CLAUDE_CONFIG_DIR") or os.path.join(home, ".claude")
    codex = environ.get("CODEX_HOME") or os.path.join(home, ".codex")
    pi = environ.get("PI_CODING_AGENT_DIR") or os.path.join(home, ".pi", "agent")
    copilot = environ.get("COPILOT_HOME") or os.path.join(home, ".copilot")
    gemini = os.path.join(environ.get("GEMINI_CLI_HOME") or home, ".gemini")
    return (
        ("claude-code", os.path.join(claude, "projects")),
        ("codex", os.path.join(codex, "sessions")),
        ("codex", os.path.join(codex, "archived_sessions")),
        ("pi", os.path.join(pi, "sessions")),
        ("copilot", os.path.join(copilot, "session-state")),
        ("gemini", os.path.join(gemini, "tmp")),
    )


def roots_here(port: int = 0) -> list[dict[str, str]]:
    """The roots of this process's environment, as the protocol's `LogRoot`s; none for a daemon on a TCP port.

    What comes by TCP is trusted less: it may not make the daemon read other folders.
    """
    if port:
        return []
    home = os.environ.get("HOME") or os.path.expanduser("~")
    return [{"path": os.path.abspath(path), "agent": agent} for agent, path in default_roots(os.environ, home)]
