"""pi: one file, its extension, which is shipped with recapd."""

from __future__ import annotations

import os
from importlib.resources import files

from recapd.bridges.install.plan import CannotPlan, Edit, Plan, Wanted, read_configuration

_MARK = b"// recapd's extension for pi"


def plan_install(wanted: Wanted) -> Plan:
    path = _file(wanted)
    before = read_configuration(path)
    if before is not None and _MARK not in before:
        raise CannotPlan(f"{path} is not recapd's; give it another name first, nothing was changed.")
    shipped = files("recapd.bridges.install").joinpath("pi_extension.ts").read_bytes()
    note = "pi loads it at its next start, or with /reload."
    return Plan(edits=(Edit(path, before, shipped, is_whole=True),), notes=(note,))


def plan_uninstall(wanted: Wanted) -> Plan:
    path = _file(wanted)
    before = read_configuration(path)
    if before is None or _MARK not in before:
        return Plan()
    return Plan(edits=(Edit(path, before, None, is_whole=True),))


def _file(wanted: Wanted) -> str:
    if wanted.project is not None:
        return os.path.join(wanted.project, ".pi", "extensions", "recapd.ts")
    folder = wanted.environ.get("PI_CODING_AGENT_DIR") or os.path.join(wanted.home, ".pi", "agent")
    return os.path.join(folder, "extensions", "recapd.ts")
