"""Codex: hooks in `hooks.json`, the server of tools in `config.toml`, which is only ever added to at its end."""

from __future__ import annotations

import json
import os
import tomllib

from recapd.bridges.install.entries import Configuration, own_command
from recapd.bridges.install.hooks import add_hooks, remove_hooks
from recapd.bridges.install.plan import CannotPlan, Edit, Plan, Wanted, read_configuration

_BEGIN, _END = "# recapd: begin\n", "# recapd: end\n"
# The line before ours had no end: who takes ours out takes that of it, too.
_BEGIN_JOINED = "\n# recapd: begin, after a line without an end\n"
# Codex has no such moments.
_NOT_THERE = ("SubagentStop", "StopFailure", "Notification")
_TRUST = "Codex runs hooks only once you trust them: it asks at its next start, or see /hooks."


def plan_install(wanted: Wanted) -> Plan:
    hooks, path = _files(wanted)
    add_hooks(hooks, wanted, agent="codex", leaving_out=_NOT_THERE)
    before = read_configuration(path)
    text = _decoded(before, path)
    known = _parsed(text, path).get("mcp_servers")
    after = text
    if not (isinstance(known, dict) and "recapd" in known):
        command, *arguments = own_command(wanted, "mcp")
        table = f"[mcp_servers.recapd]\ncommand = {json.dumps(command)}\nargs = {json.dumps(arguments)}\n"
        # A table goes on to the next one, so ours stands at the end.
        after = f"{text}{_BEGIN if not text or text.endswith(chr(10)) else _BEGIN_JOINED}{table}{_END}"
    return Plan(edits=(hooks.edit(), Edit(path, before, after.encode() if after != text else before)), notes=(_TRUST,))


def plan_uninstall(wanted: Wanted) -> Plan:
    hooks, path = _files(wanted)
    remove_hooks(hooks)
    before = read_configuration(path)
    text = _decoded(before, path)
    begin = max(text.find(_BEGIN), text.find(_BEGIN_JOINED))
    # An end that stands before it is somebody else's.
    end = text.find(_END, begin) if begin >= 0 else -1
    if before is None or end < 0:
        return Plan(edits=(hooks.edit(),))
    kept = text[:begin] + text[end + len(_END) :]
    return Plan(edits=(hooks.edit(), Edit(path, before, kept.encode() or None)))


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


def _parsed(text: str, path: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        why = error if isinstance(error, tomllib.TOMLDecodeError) else "it is nested too deep"
        raise CannotPlan(f"{path} cannot be read as TOML ({why}); mend it first, nothing was changed.") from None
