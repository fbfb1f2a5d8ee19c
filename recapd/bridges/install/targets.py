"""The table of programs that recapd can be put into: one row each."""

from __future__ import annotations

from recapd.bridges.install import agents_md, claude_code, codex, pi, service, vscode
from recapd.bridges.install.plan import Target

TARGETS = (
    Target(
        "claude-code",
        "hooks, tools and, where there is none, a status line for Claude Code",
        claude_code.plan_install,
        claude_code.plan_uninstall,
    ),
    Target("codex", "hooks and tools for Codex", codex.plan_install, codex.plan_uninstall),
    Target("pi", "an extension for pi that does the same", pi.plan_install, pi.plan_uninstall),
    Target(
        "agents-md",
        "a line in the project's AGENTS.md or CLAUDE.md that points agents to _recap.md",
        agents_md.plan_install,
        agents_md.plan_uninstall,
    ),
    Target(
        "vscode",
        "the recap panel in VS Code, VSCodium, Cursor, code-server: in every one that is found",
        vscode.plan_install,
        vscode.plan_uninstall,
    ),
    Target(
        "service",
        "the daemon as a service that begins when you log in: a systemd user unit, or a launchd agent",
        service.plan_install,
        service.plan_uninstall,
    ),
)


def target_named(name: str) -> Target | None:
    return next((each for each in TARGETS if each.name == name), None)
