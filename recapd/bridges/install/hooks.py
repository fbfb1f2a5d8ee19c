"""The hooks of an agent: one list for Claude Code and Codex, which take the same JSON."""

from __future__ import annotations

from functools import partial
from typing import Any

from recapd.bridges.hook import EVENTS, SIGNALS_ONLY
from recapd.bridges.install.entries import Configuration, is_gone, own_command, runs_recapd, shell_line
from recapd.bridges.install.plan import Wanted

# Far more than the program itself takes; for the day it cannot even be started. Codex gives the end of a session no
# more, and warns at every start of a hook that asks for it.
TIMEOUT_S = 3
# Claude Code asks the server of tools that runs anyway: no process for every prompt.
_BY_TOOL: dict[str, Any] = {
    "type": "mcp_tool",
    "server": "recapd",
    "tool": "context",
    "input": {"prompt": "${prompt}", "session": "${session_id}", "event": "UserPromptSubmit"},
    "timeout": TIMEOUT_S,
}


def add_hooks(configuration: Configuration, wanted: Wanted, *, agent: str, leaving_out: tuple[str, ...] = ()) -> None:
    for event in EVENTS:
        configuration.remove_elements(("hooks", event), of="hooks", is_ours=partial(_runs_what_is_gone, event))
        if event not in leaving_out and not _has_ours(configuration, event):
            arguments = ("hook", event) if agent == "claude-code" else ("hook", event, "--agent", agent)
            entry: dict[str, object] = {
                "type": "command",
                "command": shell_line(own_command(wanted, *arguments)),
                "timeout": TIMEOUT_S,
            }
            if event in SIGNALS_ONLY:
                entry["async"] = True
            if agent == "claude-code" and event == _BY_TOOL["input"]["event"]:
                entry = dict(_BY_TOOL)
            configuration.append(("hooks", event), {"hooks": [entry]})


def remove_hooks(configuration: Configuration) -> None:
    for event in reversed(EVENTS):
        configuration.remove_elements(("hooks", event), of="hooks", is_ours=partial(_runs_ours, event))


def has_hooks(configuration: Configuration) -> bool:
    return any(_has_ours(configuration, event) for event in EVENTS)


def _has_ours(configuration: Configuration, event: str) -> bool:
    groups = configuration.elements(("hooks", event))
    return any(_runs_ours(event, each) for group in groups for each in _hooks_in(group))


def _hooks_in(group: object) -> list[object]:
    hooks = group.get("hooks") if isinstance(group, dict) else None
    return hooks if isinstance(hooks, list) else []


def _runs_ours(event: str, entry: object) -> bool:
    """By what it runs our entry is known again, wherever recapd is installed."""
    if not isinstance(entry, dict):
        return False
    if entry.get("type") == _BY_TOOL["type"]:
        return bool(entry.get("server") == _BY_TOOL["server"] and entry.get("tool") == _BY_TOOL["tool"])
    return runs_recapd(entry.get("command"), "hook", event)


def _runs_what_is_gone(event: str, entry: object) -> bool:
    return _runs_ours(event, entry) and isinstance(entry, dict) and is_gone(entry.get("command"))
