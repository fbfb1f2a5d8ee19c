"""Wire types of `files/*`, and the file entry that recaps use too."""

from typing import Annotated, Literal, TypeAlias, get_args

from recapd.wire.types.base import (
    AtLeastOne,
    AtLeastZero,
    LogRef,
    PathParam,
    SessionPageParams,
    SessionPageResult,
    Time,
    Wire,
    open_enum,
)

FileActionName: TypeAlias = Literal["read", "created", "modified", "deleted", "renamed", "written", "untouched"]
FileAction: TypeAlias = Annotated[
    str,
    open_enum(
        "FileAction",
        "What a session did to a file in the end; `written` where the log does not tell creating from modifying, "
        "`untouched` where every attempt failed or was taken back.",
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
    """Turn of the last change; of the last touch where the file was only read."""
    failed: int
    """How many touches failed; a file with failed touches only was never changed."""
    ref: LogRef
    """The last change; the last touch where the file was only read."""
    at: Time | None = None
    """When that was, where the log tells times."""
    via: str | None = None
    """The sub-agent that touched it, if the main agent did not."""
    renamed_to: str | None = None
    """The new path of a renamed file."""
    uri: str | None = None
    """File URI of the path from the root, seen from the folder the agent worked in then; absent where that is not
    known, or holds a secret."""
    added: AtLeastZero | None = None
    """Lines that changes added, as far as the log counts them."""
    removed: AtLeastZero | None = None
    """Lines that changes removed, as far as the log counts them."""


class FilesListParams(SessionPageParams, frozen=True, kw_only=True):
    """Params of `files/list`."""

    action: FileActionName | None = None
    """Only files with this action."""


class FilesListResult(SessionPageResult, frozen=True, kw_only=True):
    """Files that the session touched, last changed first; those only read by their last touch."""

    files: tuple[FileEntry, ...]
    """The files of this page."""
    total: int | None = None
    """Number of files on all pages."""


class FilesChangesParams(SessionPageParams, frozen=True, kw_only=True):
    """Params of `files/changes`."""

    uri: PathParam
    """File URI or path of the file, as `files/list` gives it."""
    from_turn: AtLeastZero | None = None
    """Only changes of this turn and later ones."""


class Hunk(Wire, frozen=True, kw_only=True):
    """Lines of a file that follow each other, and what became of them."""

    lines: tuple[str, ...]
    """Each behind its sign: a space stays, `-` goes, `+` comes; `\\` begins a remark. Redacted. Where the numbers are
    absent, the first and the last may be parts of lines."""
    old_start: AtLeastOne | None = None
    """Number of the first line before the change, from 1, where the log tells it."""
    new_start: AtLeastOne | None = None
    """Number of the first line after the change, from 1, where the log tells it."""


class FileChange(Wire, frozen=True, kw_only=True):
    """One attempt of the agent to change a file."""

    turn: AtLeastZero
    """Turn it happened in, from 1; 0 before the first turn."""
    at: Time | None
    """When, null where the log tells no times."""
    tool: str
    """The agent's name of the tool."""
    ok: bool
    """Whether it succeeded: else nothing was changed."""
    hunks: tuple[Hunk, ...]
    """What was changed, in the order of the log; empty where the log does not tell, as for most commands."""
    ref: LogRef
    """The call."""
    added: AtLeastZero | None = None
    """Lines among these that come; absent where the log does not tell."""
    removed: AtLeastZero | None = None
    """Lines among these that go; absent where the log does not tell."""
    truncated: bool | None = None
    """True where the change is longer than what is told of it."""
    via: str | None = None
    """The sub-agent whose doing it is, if not the main agent's."""


class FilesChangesResult(SessionPageResult, frozen=True, kw_only=True):
    """What the agent changed in one file, oldest first."""

    changes: tuple[FileChange, ...]
    """The changes of this page."""
    total: AtLeastZero
    """How many there are on all pages."""
