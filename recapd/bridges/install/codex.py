"""Codex: hooks in `hooks.json`, the server of tools in `config.toml`, which is only ever added to at its end."""

from __future__ import annotations

import json
import os
import tomllib

from recapd.bridges.install.entries import Configuration, is_gone, own_command
from recapd.bridges.install.hooks import add_hooks, remove_hooks
from recapd.bridges.install.marked_lines import Marks, put_lines, take_lines
from recapd.bridges.install.plan import CannotPlan, Edit, Plan, Wanted, read_configuration

_MARKS = Marks("# recapd: begin", "# recapd: end")
# Codex has no such moments.
_NOT_THERE = ("SubagentStop", "StopFailure", "Notification")
_TRUST = "Codex runs hooks only once you trust them: it asks at its next start, or see /hooks."


def plan_install(wanted: Wanted) -> Plan:
    hooks, path = _files(wanted)
    add_hooks(hooks, wanted, agent="codex", leaving_out=_NOT_THERE)
    before = read_configuration(path)
    text = kept = _decoded(before, path)
    if is_gone(_server_in(kept, path).get("command")):
        kept = take_lines(kept, _MARKS)
    if not _server_in(kept, path):
        command, *arguments = own_command(wanted, "mcp")
        # A table goes on to the next one, so ours stands at the end.
        table = f"[mcp_servers.recapd]\ncommand = {json.dumps(command)}\nargs = {json.dumps(arguments)}\n"
        kept = put_lines(kept, table, _MARKS)
        if not _can_be_read(kept):
            raise CannotPlan(f"{path} has `mcp_servers` in a form that nothing can be added to; write it as tables.")
    return Plan(edits=(hooks.edit(), Edit(path, before, kept.encode() if kept != text else before)), notes=(_TRUST,))


def plan_uninstall(wanted: Wanted) -> Plan:
    hooks, path = _files(wanted)
    remove_hooks(hooks)
    before = read_configuration(path)
    text = _decoded(before, path)
    kept = take_lines(text, _MARKS)
    if kept == text:
        return Plan(edits=(hooks.edit(),))
    left: tuple[str, ...] = ()
    if not _can_be_read(kept) or _server_in(kept, path):
        left = (f"{path} says more of the server `recapd`, which recapd did not write: take it out by hand.",)
    return Plan(edits=(hooks.edit(), Edit(path, before, kept.encode() or None)), notes=left)


def _files(wanted: Wanted) -> tuple[Configuration, str]:
    if wanted.project is not None:
        folder = os.path.join(wanted.project, ".codex")
    else:
        folder = wanted.environ.get("CODEX_HOME") or os.path.join(wanted.home, ".codex")
    return Configuration(os.path.join(folder, "hooks.json"), wanted), os.path.join(folder, "config.toml")


def _decoded(data: bytes | None, path: str) -> str:
    try:
        return (data or b"").decode()
    except UnicodeDecodeError:
        raise CannotPlan(f"{path} is no UTF-8 text; nothing was changed.") from None


def _server_in(text: str, path: str) -> dict[str, object]:
    """What the configuration says of our server; empty where it says nothing."""
    try:
        servers = tomllib.loads(text).get("mcp_servers")
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        why = error if isinstance(error, tomllib.TOMLDecodeError) else "it is nested too deep"
        raise CannotPlan(f"{path} cannot be read as TOML ({why}); mend it first, nothing was changed.") from None
    found = servers.get("recapd") if isinstance(servers, dict) else None
    return found if isinstance(found, dict) else {}


def _can_be_read(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True
