"""Keeping a file out of one checkout's `git status`, without touching anything that is committed.

Owns `.git/info/exclude`: where it is, also for worktrees and submodules, and adding one line to it once.
"""

from __future__ import annotations

from pathlib import Path

# In a worktree and a submodule `.git` is a file with this line.
_GITDIR = "gitdir:"
# Paths; a larger file of that name is something else.
_MAX_BYTES = 4_096


def exclude_file(folder: Path) -> Path | None:
    """The exclude file that counts for a folder; None where it is in no git checkout. It may not exist yet."""
    for parent in (folder, *folder.parents):
        entry = parent / ".git"
        if entry.is_dir():
            return entry / "info" / "exclude"
        if entry.is_file():
            own = _named_in(entry, _GITDIR)
            # Worktrees share the exclude file of the repository they belong to.
            common = _named_in(own / "commondir", "") if own is not None else None
            found = common or own
            return found / "info" / "exclude" if found is not None and found.is_dir() else None
    return None


def is_excluded(exclude: Path, name: str) -> bool:
    try:
        lines = exclude.read_text("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return False
    return any(line.strip() in (name, f"/{name}") for line in lines)


def add_exclusion(exclude: Path, name: str) -> bool:
    """Whether a line had to be added. OSError where the file cannot be written."""
    if is_excluded(exclude, name):
        return False
    exclude.parent.mkdir(exist_ok=True)
    with exclude.open("ab+") as file:
        end = file.seek(0, 2)
        file.seek(max(end - 1, 0))
        is_open_line = end > 0 and file.read(1) != b"\n"
        file.write((b"\n" if is_open_line else b"") + name.encode() + b"\n")
    return True


def _named_in(file: Path, prefix: str) -> Path | None:
    """The folder that a small file names, seen from where the file is."""
    try:
        with file.open("rb") as stream:
            text = stream.read(_MAX_BYTES).decode("utf-8", "surrogateescape").strip()
    except OSError:
        return None
    named = text.removeprefix(prefix).strip()
    if not text.startswith(prefix) or not named or "\n" in named or "\0" in named:
        return None
    return (file.parent / named).resolve()
