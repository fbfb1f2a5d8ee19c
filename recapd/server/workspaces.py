"""Which sessions belong to a folder: those that work in it, below it, or above it inside the same git root."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from recapd.core.state import Session

if TYPE_CHECKING:
    from recapd.wire.errors import RecapError


def path_of(path_or_uri: str) -> str:
    """A plain path, from a path or a file URI; RecapError where it is neither.

    A name that is no UTF-8 comes through as Python has it: `Path.as_uri` makes the same URI of it again.
    """
    if not path_or_uri.startswith("file:"):
        path = os.path.abspath(os.path.expanduser(path_or_uri))
    else:
        try:
            path = unquote(urlsplit(path_or_uri).path, errors="surrogateescape")
        except ValueError:
            path = ""
    if not path.startswith("/") or "\0" in path:
        raise _no_path("A path must be one on this machine, and a file URI is written as file:///folder/name.")
    return path


def folder_of(path_or_uri: str) -> str:
    """The same for a folder: answers name it as it is, so its name has to be UTF-8."""
    path = path_of(path_or_uri)
    try:
        path.encode()
    except UnicodeEncodeError:
        raise _no_path("A folder whose name is not UTF-8 cannot be told of; rename it.") from None
    return path


def _no_path(message: str) -> RecapError:
    # The process that reads large logs names files too, never wrongly, and must stay light to import.
    from recapd.wire.errors import INVALID_PARAMS, RecapError
    from recapd.wire.types import InvalidParamsData

    return RecapError(
        INVALID_PARAMS, message, InvalidParamsData(retryable=False, path="", expected="a path or a file URI, in UTF-8")
    )


def belongs_to(session: Session, workspace: str) -> bool:
    return works_in(session.main.transcript.cwds, workspace)


def works_in(cwds: Iterable[str], workspace: str) -> bool:
    """Whether a session that worked in these folders belongs to the workspace."""
    folder = folder_of(workspace)
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
