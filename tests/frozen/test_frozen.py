"""The script that freezes behaviour: it finds a checkout equal to itself, and a changed word in a copy of it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.frozen.__main__ import main
from tests.frozen.compare import compare
from tests.frozen.stage import ROOT


def test_a_checkout_is_equal_to_itself_and_not_to_a_changed_copy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here = ("--only", "demo/", "--stage", str(tmp_path / "stage"))
    assert main([str(ROOT), str(ROOT), *here, "--keep", str(tmp_path / "kept")]) == 0
    copy = tmp_path / "copy"
    shutil.copytree(ROOT / "recapd", copy / "recapd", ignore=shutil.ignore_patterns("__pycache__"))
    changed = 0
    for path in (copy / "recapd").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "Where we are" in text:
            path.write_text(text.replace("Where we are", "Where we were"), encoding="utf-8")
            changed += 1
    assert changed
    assert main(["record", str(copy), str(tmp_path / "changed"), *here]) == 0
    capsys.readouterr()
    assert not compare(tmp_path / "kept" / "old", tmp_path / "changed")
    shown = capsys.readouterr().out
    assert "Where we were" in shown and "recap/get" in shown
    assert main(["compare", str(tmp_path / "kept" / "new"), str(tmp_path / "changed")]) == 1
