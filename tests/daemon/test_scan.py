"""Which files are looked at, which of them changed, and that no folder can lead astray."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from recapd.daemon.log_files import scanning
from recapd.daemon.log_files.scanning import DEFAULT_EXCLUSIONS, Root, Scan, scan, wanted_in
from recapd.daemon.log_files.tail import Stamp
from tests.support.following import SECOND_NS, set_mtime


def write(path: Path, data: bytes = b"x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def look(root: Path, *, agent: str = "claude-code", known: dict[str, Stamp] | None = None, max_depth: int = 12) -> Scan:
    return scan([str(root)], known or {}, is_wanted=wanted_in([Root(agent, root)]), max_depth=max_depth)


def names(found: Scan, root: Path) -> set[str]:
    return {os.path.relpath(path, root) for path in found.files}


@pytest.mark.parametrize(
    ("agent", "name", "is_log"),
    [
        ("claude-code", "project/5e55.jsonl", True),
        ("claude-code", "project/5e55/subagents/agent-1.jsonl", True),
        ("claude-code", "project/5e55/subagents/workflows/w/agent-1.jsonl", True),
        ("claude-code", "project/5e55.jsonl.bak", False),
        ("claude-code", "project/5e55.bak.jsonl", False),
        ("claude-code", "project/5e55.uncompressed.jsonl", False),
        ("claude-code", "project/notes.json", False),
        ("codex", "2026/03/01/rollout-1.jsonl", True),
        ("copilot", "5e55/events.jsonl", True),
        ("gemini", "hash/chats/session-2026-03-01-5e55.json", True),
        ("gemini", "hash/chats/session-2026-03-01-5e55.jsonl", True),
        ("gemini", "hash/logs.json", False),
        ("opencode", "exported.json", True),
        ("aider", ".aider.chat.history.md", True),
        ("aider", "README.md", False),
        ("", "anything.jsonl", True),
        ("", "project/.aider.chat.history.md", True),
        ("", "package.json", False),
        ("", "node_modules/x/log.jsonl", False),
        ("", ".git/log.jsonl", False),
    ],
)
def test_names_of_logs(agent: str, name: str, is_log: bool, tmp_path: Path) -> None:
    write(tmp_path / name)
    assert names(look(tmp_path, agent=agent), tmp_path) == ({name} if is_log else set())


def test_exclusions_go_by_name_and_by_path(tmp_path: Path) -> None:
    for name in ("a/log.jsonl", "b/log.jsonl", "b/old.jsonl"):
        write(tmp_path / name)
    for patterns, left in (
        (("*/b/*",), {"a/log.jsonl"}),
        (("old.*",), {"a/log.jsonl", "b/log.jsonl"}),
        ((), {"a/log.jsonl", "b/log.jsonl", "b/old.jsonl"}),
    ):
        is_wanted = wanted_in([Root("codex", tmp_path)], (*DEFAULT_EXCLUSIONS, *patterns))
        assert names(scan([str(tmp_path)], {}, is_wanted=is_wanted), tmp_path) == left


def test_the_innermost_root_says_what_is_a_log(tmp_path: Path) -> None:
    for name in ("a.json", "exports/b.json", "exports/c.jsonl"):
        write(tmp_path / name)
    roots = [Root("codex", tmp_path), Root("opencode", tmp_path / "exports")]
    assert names(scan([str(tmp_path)], {}, is_wanted=wanted_in(roots)), tmp_path) == {"exports/b.json"}


def test_no_link_below_a_root_is_followed(tmp_path: Path) -> None:
    outside = write(tmp_path / "outside" / "secret.jsonl").parent
    root = write(tmp_path / "root" / "log.jsonl").parent
    (root / "loop").symlink_to(root)
    (root / "out").symlink_to(outside)
    (root / "link.jsonl").symlink_to(outside / "secret.jsonl")
    os.mkfifo(root / "pipe.jsonl")
    (root / "folder.jsonl").mkdir()
    assert names(look(root), root) == {"log.jsonl"}


def test_depth_is_bounded(tmp_path: Path) -> None:
    write(tmp_path / "a" / "b" / "in.jsonl")
    write(tmp_path / "a" / "b" / "c" / "out.jsonl")
    assert names(look(tmp_path, max_depth=2), tmp_path) == {"a/b/in.jsonl"}


def test_the_number_of_files_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanning, "MAX_FILES", 3)
    for number in range(5):
        write(tmp_path / f"{number}.jsonl")
    found = look(tmp_path)
    assert (len(found.files), found.is_cut) == (3, True)


def test_newest_first(tmp_path: Path) -> None:
    for number, name in enumerate(("old", "new", "middle")):
        set_mtime(write(tmp_path / f"{name}.jsonl"), (10, 30, 20)[number] * SECOND_NS)
    assert [Path(path).stem for path in look(tmp_path).files] == ["new", "middle", "old"]
    assert [Path(path).stem for path in look(tmp_path).changed] == ["new", "middle", "old"]


def test_what_changed(tmp_path: Path) -> None:
    for name in ("same", "grown", "touched", "replaced", "gone"):
        set_mtime(write(tmp_path / f"{name}.jsonl"), SECOND_NS)
    known = look(tmp_path).files
    assert look(tmp_path, known=known).changed == ()
    write(tmp_path / "grown.jsonl", b"xy")
    set_mtime(tmp_path / "grown.jsonl", SECOND_NS)
    set_mtime(tmp_path / "touched.jsonl", 2 * SECOND_NS)
    set_mtime(write(tmp_path / "other"), SECOND_NS)
    (tmp_path / "other").rename(tmp_path / "replaced.jsonl")
    (tmp_path / "gone.jsonl").unlink()
    write(tmp_path / "new.jsonl")
    # Below a folder that was not looked at: no news of it.
    known["/elsewhere/log.jsonl"] = Stamp(1, 1, 1, 1)
    changed = {Path(path).stem for path in look(tmp_path, known=known).changed}
    assert changed == {"grown", "touched", "replaced", "gone", "new"}


def test_a_root_that_is_gone_holds_nothing(tmp_path: Path) -> None:
    root = tmp_path / "root"
    path = str(write(root / "log.jsonl"))
    known = look(root).files
    Path(path).unlink()
    root.rmdir()
    found = look(root, known=known)
    assert (found.files, found.changed, found.unreadable) == ({}, (path,), 0)


def test_a_folder_that_cannot_be_read_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "open" / "log.jsonl")
    closed = str(write(tmp_path / "closed" / "log.jsonl").parent)
    scandir = os.scandir

    def guarded(folder: str) -> Iterator[os.DirEntry[str]]:
        if folder == closed:
            raise PermissionError(13, "Permission denied")
        return scandir(folder)

    monkeypatch.setattr(os, "scandir", guarded)
    found = look(tmp_path)
    assert (names(found, tmp_path), found.unreadable) == ({"open/log.jsonl"}, 1)
