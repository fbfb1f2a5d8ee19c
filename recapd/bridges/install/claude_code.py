"""Claude Code: hooks and a status line in `settings.json`, the server of tools in `.claude.json` or `.mcp.json`."""

from __future__ import annotations

import os
import sys

from recapd.bridges.install.entries import Configuration, is_gone, own_command, runs_recapd, shell_line
from recapd.bridges.install.hooks import add_hooks, has_hooks, remove_hooks
from recapd.bridges.install.plan import CannotPlan, Plan, Wanted

_SERVER = ("mcpServers", "recapd")
_STATUS_LINE = ("statusLine",)
_PLUGINS = ("enabledPlugins",)
# What whoever looks after the machine has decided for everybody on it.
_MANAGED = {
    "linux": "/etc/claude-code/managed-settings.json",
    "darwin": "/Library/Application Support/ClaudeCode/managed-settings.json",
}


def plan_install(wanted: Wanted) -> Plan:
    settings, servers = _files(wanted)
    if found := _enabled_plugin(wanted):
        plugin, path = found
        # Both would tell everything twice.
        note = f"The plugin {plugin} brings hooks and tools already, so none were added: it is switched on in {path}."
        first = f"`claude plugin disable {plugin}` first, if you want them from here."
        return Plan(edits=(settings.edit(), servers.edit()), notes=(note, first))
    notes = ["Sessions that run now have to be started again."]
    add_hooks(settings, wanted, agent="claude-code")
    if _is_own_server(found_server := servers.get(_SERVER)) and is_gone(_command_of(found_server)):
        servers.remove(_SERVER)
    if not servers.has(_SERVER):
        command, *arguments = own_command(wanted, "mcp")
        servers.put(_SERVER, {"type": "stdio", "command": command, "args": arguments})
    if wanted.project is None:
        notes += _put_status_line(settings, wanted)
    else:
        notes.append("Claude Code asks once whether the project's server `recapd` may run: say yes.")
        notes.append("Everybody who works in this project needs recapd: pipx install recapd")
        if has_hooks(Configuration(_user_settings(wanted), wanted)):
            twice = "Your own settings have recapd's hooks too, so you would be told everything twice here"
            notes.append(f"{twice}; to keep only the project's: recapd uninstall claude-code")
    notes.append("Agents without hooks read _recap.md: recapd install agents-md")
    return Plan(edits=(settings.edit(), servers.edit()), notes=tuple(notes))


def plan_uninstall(wanted: Wanted) -> Plan:
    settings, servers = _files(wanted)
    # What was put in last goes first: so each finds what is around it as it left it.
    if _has_own_status_line(settings):
        settings.remove(_STATUS_LINE)
    remove_hooks(settings)
    if _is_own_server(servers.get(_SERVER)):
        servers.remove(_SERVER)
    return Plan(edits=(settings.edit(), servers.edit()))


def _put_status_line(settings: Configuration, wanted: Wanted) -> list[str]:
    """What is left to the user: one's own status line stays."""
    if _has_own_status_line(settings) and is_gone(_command_of(settings.get(_STATUS_LINE))):
        settings.remove(_STATUS_LINE)
    if not settings.has(_STATUS_LINE):
        line = shell_line(own_command(wanted, "statusline"))
        settings.put(_STATUS_LINE, {"type": "command", "command": line})
    elif not _has_own_status_line(settings):
        return ["You have a status line, which stays; `recapd statusline` prints one to be put into it."]
    return []


def _enabled_plugin(wanted: Wanted) -> tuple[str, str] | None:
    """recapd's plugin, as `NAME@MARKETPLACE`, where it is switched on, and the file that says so.

    Of several files the first that names it decides, as Claude Code has it; what is put in for all projects counts
    with the user's own file also where this folder has it switched off.
    """
    project = os.path.join(wanted.project or os.getcwd(), ".claude")
    of_user = (_MANAGED.get(sys.platform, ""), _user_settings(wanted))
    of_project = tuple(os.path.join(project, name) for name in ("settings.local.json", "settings.json"))
    scopes = [(of_user[0], *of_project, of_user[1])]
    if wanted.project is None:
        scopes.append(of_user)
    for paths in scopes:
        decided: set[str] = set()
        for path in paths:
            for name, is_on in _plugins_in(path, wanted):
                if is_on and name not in decided:
                    return name, path
                decided.add(name)
    return None


def _plugins_in(path: str, wanted: Wanted) -> list[tuple[str, object]]:
    """recapd's plugin and whether it is on; none in a file that cannot be read, which Claude Code does not go by
    either."""
    try:
        plugins = Configuration(path, wanted).get(_PLUGINS)
    except CannotPlan:
        return []
    named = plugins.items() if isinstance(plugins, dict) else ()
    return [(str(name), is_on) for name, is_on in named if str(name).partition("@")[0] == "recapd"]


def _is_own_server(server: object) -> bool:
    return runs_recapd(_command_of(server), "mcp")


def _command_of(entry: object) -> object:
    """The words of a server's command, or the line of a status line."""
    if not isinstance(entry, dict):
        return None
    arguments = entry.get("args")
    return [entry.get("command"), *arguments] if isinstance(arguments, list) else entry.get("command")


def _has_own_status_line(settings: Configuration) -> bool:
    """One of the user's own, of which recapd's is a part, is the user's."""
    return runs_recapd(_command_of(settings.get(_STATUS_LINE)), "statusline")


def _files(wanted: Wanted) -> tuple[Configuration, Configuration]:
    if wanted.project is not None:
        settings = os.path.join(wanted.project, ".claude", "settings.json")
        return Configuration(settings, wanted), Configuration(os.path.join(wanted.project, ".mcp.json"), wanted)
    folder = wanted.environ.get("CLAUDE_CONFIG_DIR") or wanted.home
    return Configuration(_user_settings(wanted), wanted), Configuration(os.path.join(folder, ".claude.json"), wanted)


def _user_settings(wanted: Wanted) -> str:
    folder = wanted.environ.get("CLAUDE_CONFIG_DIR") or os.path.join(wanted.home, ".claude")
    return os.path.join(folder, "settings.json")
