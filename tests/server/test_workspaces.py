"""Which sessions belong to the folders somebody has open."""

from __future__ import annotations

from pathlib import Path

import pytest

from recapd.server.workspaces import works_in, workspace_of


@pytest.fixture
def linked(tmp_path: Path) -> tuple[Path, Path]:
    """A folder, and a link to it in another one."""
    real, link = tmp_path / "real" / "shop", tmp_path / "home" / "shop"
    real.mkdir(parents=True)
    link.parent.mkdir()
    link.symlink_to(real)
    return real, link


def test_a_folder_opened_through_a_link_has_its_sessions(linked: tuple[Path, Path]) -> None:
    real, link = linked
    opened = workspace_of(str(link))
    # Agents log where they really are; one that was told the link logs that.
    assert works_in((str(real),), opened)
    assert works_in((str(real / "api"),), opened)
    assert works_in((str(link),), opened)
    assert not works_in((str(real.parent / "other"), str(real) + "-old"), opened)


def test_a_link_inside_a_git_root_leads_to_the_sessions_above(linked: tuple[Path, Path]) -> None:
    real, link = linked
    (real.parent / ".git").mkdir()
    assert works_in((str(real.parent),), workspace_of(str(link)))
    assert not works_in((str(real.parent.parent),), workspace_of(str(link)))


def test_several_folders_are_one_workspace(tmp_path: Path) -> None:
    opened = workspace_of((str(tmp_path / "a"), (tmp_path / "b").as_uri()))
    assert works_in((str(tmp_path / "a"),), opened)
    assert works_in((str(tmp_path / "b" / "below"),), opened)
    assert not works_in((str(tmp_path / "c"),), opened)
