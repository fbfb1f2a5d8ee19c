"""The recap panel in VS Code and the editors made from it: packed from what ships with recapd, so without Node."""

from __future__ import annotations

import os
import shutil

from recapd.bridges.install.plan import CannotPlan, Edit, Plan, Wanted, read_configuration
from recapd.bridges.panel import pack_extension
from recapd.client.paths import places

# Every command that takes `--install-extension`.
EDITORS = ("code", "code-insiders", "codium", "cursor", "windsurf", "code-server")
_ID = "recapd.recapd"


def plan_install(wanted: Wanted) -> Plan:
    editors = _editors(wanted)
    path = _file(wanted)
    before = read_configuration(path)
    commands = tuple((editor, "--install-extension", path, "--force") for editor in editors)
    note = "Windows that are open show the panel once they are loaded again (Developer: Reload Window)."
    return Plan(edits=(Edit(path, before, pack_extension(), is_whole=True),), commands=commands, notes=(note,))


def plan_uninstall(wanted: Wanted) -> Plan:
    path = _file(wanted)
    before = read_configuration(path)
    if before is None:
        return Plan()
    commands = tuple((editor, "--uninstall-extension", _ID) for editor in _editors(wanted))
    return Plan(edits=(Edit(path, before, None, is_whole=True),), commands=commands)


def _editors(wanted: Wanted) -> list[str]:
    if wanted.project is not None:
        raise CannotPlan("An extension is for all projects; leave --project out.")
    search = wanted.environ.get("PATH", os.defpath)
    found = [path for name in EDITORS if (path := shutil.which(name, path=search)) is not None]
    if not found:
        names = ", ".join(EDITORS)
        raise CannotPlan(f"None of these is on the path: {names}. Without an editor, the same panel is: recapd panel")
    return found


def _file(wanted: Wanted) -> str:
    return os.path.join(places(wanted.environ).state_dir, "recapd.vsix")
