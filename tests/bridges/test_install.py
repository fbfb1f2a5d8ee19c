"""`recapd install` and `uninstall`: what they write, what they leave alone, and that they ask."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from recapd.bridges.install import TARGETS


def recapd(folder: Path, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Without a terminal, in a home that is the folder's own."""
    return subprocess.run(
        [sys.executable, "-m", "recapd", *arguments],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "HOME": str(folder / "home"), "PYTHONPATH": str(Path.cwd()), **environ},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_help_names_every_target(tmp_path: Path) -> None:
    # However wide the terminal is.
    shown = " ".join(recapd(tmp_path, "install", "--help").stdout.split())
    assert all(each.name in shown and each.about in shown for each in TARGETS)


@pytest.mark.parametrize("before", [None, b"# Rules\n", b"# Rules, with no end of line", b"a\r\nb\r\n", b"caf\xe9\n"])
def test_lines_for_agents_come_and_go(tmp_path: Path, before: bytes | None) -> None:
    file = tmp_path / "AGENTS.md"
    if before is not None:
        file.write_bytes(before)
    assert recapd(tmp_path, "install", "agents-md", "--yes").returncode == 0
    once = file.read_bytes()
    assert b"_recap.md" in once and once.startswith(before or b"")
    assert "nothing was changed" in recapd(tmp_path, "install", "agents-md", "--yes").stdout
    assert file.read_bytes() == once
    assert recapd(tmp_path, "uninstall", "agents-md", "--yes").returncode == 0
    assert (file.read_bytes() if file.exists() else None) == before


def test_without_a_terminal_it_only_shows(tmp_path: Path) -> None:
    done = recapd(tmp_path, "install", "agents-md")
    assert done.returncode == 1 and "+<!-- recapd -->" in done.stdout and "--yes" in done.stdout
    assert not (tmp_path / "AGENTS.md").exists()


@pytest.mark.parametrize(("answer", "is_written"), [(b"y\n", True), (b"\n", False), (b"no\n", False)])
def test_on_a_terminal_it_asks(tmp_path: Path, answer: bytes, is_written: bool) -> None:
    ours, its = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "recapd", "install", "agents-md"],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(Path.cwd()), "TERM": "xterm"},
        stdin=its,
        stdout=its,
        stderr=its,
    )
    os.close(its)
    shown = b""
    while b"[y/N]" not in shown:
        shown += os.read(ours, 4096)
    os.write(ours, answer)
    process.wait(60)
    os.close(ours)
    assert (tmp_path / "AGENTS.md").exists() is is_written


def test_what_is_read_only_stays_and_says_so(tmp_path: Path) -> None:
    file = tmp_path / "AGENTS.md"
    file.write_text("# Rules\n")
    file.chmod(0o444)
    done = recapd(tmp_path, "install", "agents-md", "--yes")
    assert done.returncode == 1 and "read-only" in done.stderr
    assert file.read_text() == "# Rules\n"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    kept = tmp_path / "dotfiles" / "rules.md"
    kept.parent.mkdir()
    kept.write_text("# Rules\n")
    kept.chmod(0o640)
    (tmp_path / "AGENTS.md").symlink_to(kept)
    assert recapd(tmp_path, "install", "agents-md", "--yes").returncode == 0
    assert (tmp_path / "AGENTS.md").is_symlink() and "_recap.md" in kept.read_text()
    assert kept.stat().st_mode & 0o777 == 0o640
