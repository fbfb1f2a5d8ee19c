"""Which sessions belong to a folder: those that work in it, below it, or above it inside the same git root."""

from __future__ import annotations

import os
from collections.abc import Iterable
from urllib.parse import unquote, urlsplit

from recapd.core.state import Session


def path_of(path_or_uri: str) -> str:
    """A plain path, from a path or a file URI."""
    if path_or_uri.startswith("file:"):
        return unquote(urlsplit(path_or_uri).path)
    return os.path.abspath(os.path.expanduser(path_or_uri))


def belongs_to(session: Session, workspace: str) -> bool:
    return works_in(session.main.transcript.cwds, workspace)


def works_in(cwds: Iterable[str], workspace: str) -> bool:
    """Whether a session that worked in these folders belongs to the workspace."""
    folder = path_of(workspace)
    if any(_is_below(cwd, folder) for cwd in cwds):
        return True
    above = [cwd for cwd in cwds if _is_below(folder, cwd)]
    # The disk is asked last: most sessions work somewhere else altogether.
    root = git_root(folder) if above else None
    return root is not None and any(_is_below(cwd, root) for cwd in above)


def git_root(folder: str) -> str | None:
    """The nearest folder at or above this one that holds a `.git`."""
    while True:
        if os.path.exists(os.path.join(folder, ".git")):
            return folder
        parent = os.path.dirname(folder)
        if parent == folder:
            return None
        folder = parent


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")
