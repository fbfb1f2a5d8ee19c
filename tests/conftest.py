"""Suites that need more than Python: left out where what they need is missing, and named at the end of the run."""

from __future__ import annotations

import os
import sys
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# Marker → the environment variable that switches the suite on, and what to do to get it.
SUITES = {
    "agents": (
        "RECAPD_AGENTS",
        "set RECAPD_AGENTS to a folder in which npm installed Claude Code and Codex: see tests/agents/rig.py",
    ),
    "attack": (
        "RECAPD_ATTACK",
        "set RECAPD_ATTACK=1, as root; makes two users and removes them",
    ),
    "corpus": ("RECAPD_CORPUS", "set RECAPD_CORPUS to a folder of real session logs"),
    "editors": ("RECAPD_EDITORS", "set RECAPD_EDITORS=1; needs Node.js, Chromium, code-server, tmux: see .ci/run"),
    "faults": ("RECAPD_FAULTS", "set RECAPD_FAULTS=1; kills and starves daemons for some minutes"),
    "fuzz": ("RECAPD_FUZZ", "set RECAPD_FUZZ=1; takes minutes"),
    "mutations": ("RECAPD_MUTATIONS", "set RECAPD_MUTATIONS=1; breaks a copy of the package, one feature at a time"),
}

# The same examples at every run, so that a failure is about what was changed; with RECAPD_EXPLORE=1 new ones are drawn.
# How long an example takes says more about the machine than about recapd, so none is too slow.
_TIMELESS = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("repeatable", _TIMELESS, derandomize=True)
settings.register_profile("exploring", _TIMELESS, derandomize=False)
settings.load_profile("exploring" if os.environ.get("RECAPD_EXPLORE") else "repeatable")

# Hundreds of commands and daemons are started: where nothing compiled is kept, each would compile all of it anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

_left_out = pytest.StashKey[dict[str, int]]()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """With `-n auto`: three for each two processors, for about every third waits for a daemon or a command."""
    return max(2, (os.cpu_count() or 2) * 3 // 2)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    missing = {suite for suite, (variable, _) in SUITES.items() if not os.environ.get(variable)}
    kept: list[pytest.Item] = []
    dropped: list[pytest.Item] = []
    counts: dict[str, int] = {}
    for item in items:
        suite = next((marker.name for marker in item.iter_markers() if marker.name in missing), None)
        if suite is None:
            kept.append(item)
        else:
            dropped.append(item)
            counts[suite] = counts.get(suite, 0) + 1
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        items[:] = kept
    config.stash[_left_out] = counts


def pytest_sessionfinish(session: pytest.Session) -> None:
    """One of several processes that run tests tells the one that sums up what it left out."""
    output: dict[str, object] | None = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["left out"] = session.config.stash.get(_left_out, {})


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """All of them collect the same; one that crashed says nothing."""
    if (counts := getattr(node, "workeroutput", {}).get("left out")) is not None:
        node.config.stash[_left_out] = counts


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    for suite, count in sorted(config.stash.get(_left_out, {}).items()):
        terminalreporter.write_line(f"not run: {count} tests of suite {suite} ({SUITES[suite][1]})")
