"""Editors that all come at once, as when many windows are open and the daemon was started anew."""

from __future__ import annotations

from pathlib import Path

from tests.support.daemons import Home
from tests.support.editors import initialize_at_once
from tests.support.processes import daemon_process

EDITORS = 8


def test_every_editor_of_many_that_come_at_once_is_answered(tmp_path: Path) -> None:
    with daemon_process(Home(tmp_path)) as daemon:
        found = initialize_at_once(daemon.home, EDITORS)
    assert [each.error for each in found] == [""] * EDITORS
    first, *others = (each.result for each in found)
    assert isinstance(first, dict) and first["serverInfo"]["name"] == "recapd"
    assert all(other == first for other in others)
