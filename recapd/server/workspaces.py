"""Which sessions belong to a folder: those that work in it, below it, or above it inside the same git root.

A folder that was opened through a link is also the folder the link leads to: agents log where they really are.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from recapd.core.state import Session, Source

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
    if not _is_utf8(path):
        raise _no_path("A folder whose name is not UTF-8 cannot be told of; rename it.")
    return path


def _is_utf8(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


def _no_path(message: str) -> RecapError:
    # The process that reads large logs names files too, never wrongly, and must stay light to import.
    from recapd.wire.errors import INVALID_PARAMS, RecapError
    from recapd.wire.types import InvalidParamsData

    return RecapError(
        INVALID_PARAMS, message, InvalidParamsData(retryable=False, path="", expected="a path or a file URI, in UTF-8")
    )


class Workspace(Struct, frozen=True):
    """The folders somebody works in, as the disk was asked about them once."""

    # Each under the name it was given and the one it has.
    folders: tuple[str, ...]
    # The git root around each; "" where there is none.
    git_roots: tuple[str, ...]


def workspace_of(named: str | tuple[str, ...]) -> Workspace:
    """RecapError where one is no folder's name. Looks at the disk."""
    given = [folder_of(each) for each in ((named,) if isinstance(named, str) else named)]
    return with_git_roots(name for folder in given for name in (folder, _real(folder)))


def with_git_roots(folders: Iterable[str]) -> Workspace:
    """Folders that are what they are called. Looks at the disk."""
    once = tuple(dict.fromkeys(folders))
    return Workspace(once, tuple(git_root(folder) or "" for folder in once))


def _real(folder: str) -> str:
    """Where a link leads; the name itself where that leads nowhere that could be told."""
    real = os.path.realpath(folder)
    return real if _is_utf8(real) else folder


# mindloop keeps its logs beside the folder that its agent works in.
_BESIDE_LOGS = {"logs": "workspace"}


def belongs_to(session: Session, workspace: Workspace) -> bool:
    return works_in(folders_of(session.main), workspace)


def folders_of(source: Source) -> tuple[str, ...]:
    """The folders that a session worked in; where its log names none, the one that the log lies in."""
    if source.transcript.cwds or not source.uri.startswith("file:"):
        return source.transcript.cwds
    folder = os.path.dirname(path_of(source.uri))
    parent, name = os.path.split(folder)
    beside = _BESIDE_LOGS.get(name)
    return (folder, os.path.join(parent, beside)) if beside else (folder,)


def works_in(cwds: Iterable[str], workspace: Workspace) -> bool:
    """Whether a session that worked in these folders belongs to the workspace."""
    return any(
        _is_below(cwd, folder) or (root and _is_below(folder, cwd) and _is_below(cwd, root))
        for folder, root in zip(workspace.folders, workspace.git_roots, strict=True)
        for cwd in cwds
    )


class WorkspaceSessions:
    """The sessions of a workspace, by the folders that they worked in; decided once for each list of folders."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._decided: dict[tuple[str, ...], bool] = {}

    def has(self, cwds: tuple[str, ...]) -> bool:
        decided = self._decided.get(cwds)
        if decided is None:
            decided = self._decided[cwds] = works_in(cwds, self._workspace)
        return decided


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
