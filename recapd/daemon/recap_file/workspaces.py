"""The folders that have a `_recap.md`: switched on by their user, and on until switched off, over restarts.

Owns the list and its file in the state folder; must not know how a recap is written. All of it blocks: run it in a
thread.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress

import msgspec
from msgspec import Struct

from recapd.core.log import seconds_between
from recapd.core.state import PAST_S, Session, last_active
from recapd.core.trouble import Trouble
from recapd.daemon.atomic import opened_folder, replace_file
from recapd.server.workspaces import WorkspaceSessions, folder_of, folders_of, with_git_roots
from recapd.wire.errors import RecapError, invalid_params, limit_exceeded, request_failed

FILE_NAME = "workspaces.json"
# Each is looked at with every change; a person works in a few dozen.
MAX_WORKSPACES = 1_000


class Workspace(Struct, frozen=True):
    """A folder that is switched on. `path` is how the user named it, `folder` where that led when it was switched on:
    a link that points elsewhere later changes nothing."""

    path: str
    folder: str
    since: str = ""

    def sessions(self) -> WorkspaceSessions:
        return WorkspaceSessions(with_git_roots((folder_of(self.path), folder_of(self.folder))))


class _Saved(Struct, frozen=True):
    workspaces: tuple[Workspace, ...] = ()
    version: int = 1


class WorkspacesOn:
    """The list, and the file it is kept in."""

    def __init__(self, state_dir: str) -> None:
        self._state_dir = state_dir
        # What was wrong with the file, in one sentence for the status.
        self.trouble: Trouble | None = None
        self._all = self._load()

    def all(self) -> tuple[Workspace, ...]:
        return self._all

    def is_on(self, workspace: str) -> bool:
        return self._find(workspace) is not None

    def switch_on(self, workspace: str, now: str) -> Workspace:
        """Add a folder; RecapError where it is none. One that is on already stays as it is."""
        if known := self._find(workspace):
            return known
        added = workspace_at(workspace, now)
        if len(self._all) >= MAX_WORKSPACES:
            raise limit_exceeded("watched workspaces", MAX_WORKSPACES)
        self._save((*self._all, added))
        return added

    def switch_off(self, workspace: str) -> Workspace | None:
        """Take a folder off the list; what was on, or None."""
        known = self._find(workspace)
        if known is not None:
            self._save(tuple(each for each in self._all if each is not known))
        return known

    def put_back(self) -> None:
        """Write the list again where its file is gone."""
        if self._all and not os.path.lexists(os.path.join(self._state_dir, FILE_NAME)):
            with suppress(OSError, RecapError):
                os.makedirs(self._state_dir, mode=0o700, exist_ok=True)
                self._save(self._all)

    def _find(self, workspace: str) -> Workspace | None:
        path = checked_path(workspace)
        folder = os.path.realpath(path)
        return next((each for each in self._all if path == each.path or folder == each.folder), None)

    def _load(self) -> tuple[Workspace, ...]:
        path = os.path.join(self._state_dir, FILE_NAME)
        try:
            with open(path, "rb") as file:
                return msgspec.json.decode(file.read(), type=_Saved).workspaces
        except FileNotFoundError:
            return ()
        except (OSError, ValueError, msgspec.DecodeError):
            # Kept for the user to look at; the daemon works without it.
            with suppress(OSError):
                os.replace(path, f"{path}.broken")
            self.trouble = Trouble(
                f"{path} could not be read and was set aside", "switch folders on again with: recapd watch"
            )
            return ()

    def _save(self, workspaces: tuple[Workspace, ...]) -> None:
        """On disk first: what the user was told is on must be on after a crash."""
        data = msgspec.json.format(msgspec.json.encode(_Saved(workspaces)), indent=2)
        try:
            with opened_folder(self._state_dir) as folder:
                replace_file(folder, FILE_NAME, data + b"\n")
        except OSError as error:
            why = error.strerror or str(error)
            raise request_failed(f"The list of watched folders could not be saved: {why}; see: recapd doctor") from None
        self._all = workspaces
        self.trouble = None


def workspace_at(path_or_uri: str, now: str) -> Workspace:
    """The folder as it is now; RecapError where it is none."""
    path = checked_path(path_or_uri)
    folder = os.path.realpath(path)
    if not os.path.isdir(folder):
        raise request_failed(f"{path} is no folder; name the folder the agent works in.")
    if folder == os.path.dirname(folder):
        raise request_failed(f"{path} holds all projects; name the folder the agent works in.")
    return Workspace(path, folder, now)


def checked_path(workspace: str) -> str:
    """The folder as an absolute path; the daemon's own folder means nothing to whoever sends a relative one."""
    if not workspace.startswith(("/", "~", "file:")) or "\0" in workspace:
        raise invalid_params("workspace", "an absolute path or a file URI")
    return os.path.normpath(folder_of(workspace))


def is_any_active(workspaces: Sequence[Workspace], sessions: Sequence[Session], now: str) -> bool:
    """Whether somebody worked within a day in a folder that is on: then its `_recap.md` is worth staying for."""
    concerned = [workspace.sessions() for workspace in workspaces]
    for session in sessions if concerned else ():
        idle = seconds_between(last_active(session, now), now)
        if idle is not None and idle < PAST_S and any(each.has(folders_of(session.main)) for each in concerned):
            return True
    return False
