"""The home that an agent works in, and the end of every daemon that it started there."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.daemons import Home


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    """Agents start one at the home's own places where they hand on their environment, else at those of its user:
    neither may go on working beside what comes after the test."""
    home = Home(tmp_path / "home")
    yield home
    users_own = {name: value for name, value in home.environ.items() if not name.startswith("RECAPD_")}
    for environ in (home.environ, users_own):
        subprocess.run([sys.executable, "-m", "recapd", "down"], env=environ, capture_output=True, check=False)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder
