"""The TypeScript client against real daemons: its own tests, and the conversations of the protocol."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import recapd.bridges.panel
from tests.editors.npm import CLIENTS, npm, recapd_command
from tests.support.daemons import ROOT

pytestmark = pytest.mark.editors


@pytest.fixture(scope="module")
def client() -> Path:
    npm("run", "build", folder=CLIENTS / "typescript")
    return CLIENTS / "typescript"


def test_what_ships_is_what_the_sources_make(client: Path, tmp_path: Path) -> None:
    built = Path(recapd.bridges.panel.__file__).parent / "built"
    npm("run", "build", "--", str(tmp_path))
    made, ships = (
        {path.relative_to(top): path.read_bytes() for path in top.rglob("*") if path.is_file()}
        for top in (tmp_path, built)
    )
    assert sorted(made) == sorted(ships)
    assert [str(name) for name in made if made[name] != ships[name]] == [], "run: npm run build --prefix clients"


def test_types_are_right_in_all_clients(client: Path) -> None:
    npm("run", "check")


def test_it_asks_watches_and_comes_back(client: Path) -> None:
    tests = sorted(str(path) for path in (client / "test").glob("*.test.mjs"))
    environ = os.environ | {"RECAPD_COMMAND": recapd_command()}
    done = subprocess.run(
        ["node", "--test", *tests], env=environ, cwd=client, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


def test_the_panel_keeps_to_what_is_looked_at_and_toasts_are_for_who_asked() -> None:
    tests = sorted(map(str, (CLIENTS / "vscode" / "test").glob("*.test.mjs")))
    done = subprocess.run(["node", "--test", *tests], cwd=CLIENTS, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_it_holds_the_conversations_of_the_protocol(client: Path) -> None:
    run = [sys.executable, "protocol/conformance/run.py", "--recapd", recapd_command()]
    command = [*run, "--", "node", str(client / "test" / "driver.mjs")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
