"""Folders that the tests of `_recap.md` share, and what holds for every daemon that runs within a test."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def its_processes_get_their_share(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user's daemon judges ahead by a process that makes way for everything; on a busy machine a test would wait for
    that until its patience ends."""
    monkeypatch.setattr("recapd.daemon.ahead.LOWEST_PRIORITY", 0)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


@pytest.fixture
def state(tmp_path: Path) -> Path:
    folder = tmp_path / "state"
    folder.mkdir(mode=0o700)
    return folder
