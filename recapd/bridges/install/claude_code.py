"""Claude Code: hooks and a status line in `settings.json`, the server of tools in `.claude.json` or `.mcp.json`."""

from __future__ import annotations

import os

from recapd.bridges.install.entries import Configuration, own_command, runs_recapd, shell_line
from recapd.bridges.install.hooks import add_hooks, remove_hooks
from recapd.bridges.install.plan import Plan, Wanted

_SERVER = ("mcpServers", "recapd")
_STATUS_LINE = ("statusLine",)
_PLUGINS = ("enabledPlugins",)


def plan_install(wanted: Wanted) -> Plan:
    settings, servers = _files(wanted)
    if plugin := _enabled_plugin(settings, wanted):
        # Both would tell everything twice.
        note = (
            f"The plugin {plugin} brings hooks and tools already, so none were added. `claude plugin disable {plugin}`"
        )
        return Plan(edits=(settings.edit(), servers.edit()), notes=(f"{note} first, if you want them from here.",))
    notes = ["Sessions that run now have to be started again."]
    add_hooks(settings, wanted, agent="claude-code")
    if not servers.has(_SERVER):
        command, *arguments = own_command(wanted, "mcp")
        servers.put(_SERVER, {"type": "stdio", "command": command, "args": arguments})
    if wanted.project is None and not settings.has(_STATUS_LINE):
        line = shell_line(own_command(wanted, "statusline"))
        settings.put(_STATUS_LINE, {"type": "command", "command": line})
    elif wanted.project is None and not _has_own_status_line(settings):
        notes.append("You have a status line, which stays; `recapd statusline` prints one to be put into it.")
    if wanted.project is not None:
        notes.append("Claude Code asks once whether the project's server `recapd` may run: say yes.")
        notes.append("Everybody who works in this project needs recapd: pipx install recapd")
    notes.append("Agents without hooks read _recap.md: recapd install agents-md")
    return Plan(edits=(settings.edit(), servers.edit()), notes=tuple(notes))


def plan_uninstall(wanted: Wanted) -> Plan:
    settings, servers = _files(wanted)
    remove_hooks(settings)
    if _has_own_status_line(settings):
        settings.remove(_STATUS_LINE)
    server = servers.get(_SERVER)
    if isinstance(server, dict) and "mcp" in (server.get("args") or ()):
        servers.remove(_SERVER)
    return Plan(edits=(settings.edit(), servers.edit()))


def _enabled_plugin(settings: Configuration, wanted: Wanted) -> str | None:
    """recapd's plugin, as `NAME@MARKETPLACE`, where it is switched on: for the user, or for the project."""
    for each in (settings, Configuration(_user_settings(wanted), wanted)):
        plugins = each.get(_PLUGINS)
        for name, is_on in plugins.items() if isinstance(plugins, dict) else ():
            if name.partition("@")[0] == "recapd" and is_on:
                return str(name)
    return None


def _has_own_status_line(settings: Configuration) -> bool:
    """One of the user's own, of which recapd's is a part, is the user's."""
    found = settings.get(_STATUS_LINE)
    return isinstance(found, dict) and runs_recapd(found.get("command"), "statusline")


def _files(wanted: Wanted) -> tuple[Configuration, Configuration]:
    if wanted.project is not None:
        settings = os.path.join(wanted.project, ".claude", "settings.json")
        return Configuration(settings, wanted), Configuration(os.path.join(wanted.project, ".mcp.json"), wanted)
    folder = wanted.environ.get("CLAUDE_CONFIG_DIR") or wanted.home
    return Configuration(_user_settings(wanted), wanted), Configuration(os.path.join(folder, ".claude.json"), wanted)


def _user_settings(wanted: Wanted) -> str:
    folder = wanted.environ.get("CLAUDE_CONFIG_DIR") or os.path.join(wanted.home, ".claude")
    return os.path.join(folder, "settings.json")
