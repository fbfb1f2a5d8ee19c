"""Wire types of `files/list`, and the file entry that recaps use too."""

from typing import Annotated, Literal, TypeAlias, get_args

from recapd.wire.types.base import LogRef, SessionPageParams, SessionPageResult, Time, Wire, open_enum

FileActionName: TypeAlias = Literal["read", "created", "modified", "deleted", "renamed", "written"]
FileAction: TypeAlias = Annotated[
    str,
    open_enum(
        "FileAction",
        "What a session did to a file in the end; `written` where the log does not tell creating from modifying.",
        get_args(FileActionName),
    ),
]


class FileEntry(Wire, frozen=True, kw_only=True):
    """A file that the session touched, with all its touches in one entry."""

    path: str
    """Path as the log first spells it; one that is not absolute starts at the folder the agent worked in then."""
    action: FileAction
    """What became of the file."""
    touch_count: int
    """How often it was touched with success."""
    tools: tuple[str, ...]
    """Tools that touched it, by the agent's names."""
    first_turn: int
    """Turn of the first touch, from 1; 0 before the first turn."""
    last_turn: int
    """Turn of the last touch."""
    failed: int
    """How many touches failed; a file with failed touches only was never changed."""
    ref: LogRef
    """The last touch, preferring one that changed the file."""
    at: Time | None = None
    """When it was last touched, where the log tells times."""
    via: str | None = None
    """The sub-agent that touched it, if the main agent did not."""
    renamed_to: str | None = None
    """The new path of a renamed file."""


class FilesListParams(SessionPageParams, frozen=True, kw_only=True):
    """Params of `files/list`."""

    action: FileActionName | None = None
    """Only files with this action."""


class FilesListResult(SessionPageResult, frozen=True, kw_only=True):
    """Files that the session touched, last touched first."""

    files: tuple[FileEntry, ...]
    """The files of this page."""
    total: int | None = None
    """Number of files on all pages."""
