"""Wire types of `search`: what was said and done, in all sessions."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from recapd.wire.types.base import AtLeastOne, AtLeastZero, FoldersParam, LogRef, Time, Wire, open_enum

HitKind: TypeAlias = Annotated[
    str,
    open_enum(
        "HitKind",
        "What has the words: a message of the user or the agent, the user's answer to a question or a refusal, a plan, "
        "the task of a sub-agent, a commit, a command that was run, a file that was changed.",
        ("user", "agent", "answer", "plan", "task", "commit", "command", "file"),
    ),
]


class SearchParams(Wire, frozen=True, kw_only=True):
    """Params of `search`. It is about all sessions, or those of a workspace."""

    query: Annotated[str, Meta(min_length=1, max_length=1_000)]
    """Words; what has all of them comes first, and what has them in a row before that. A word is also found by its
    beginning, whatever its case."""
    workspace: FoldersParam | None = None
    """Path or file URI of a folder, or several: only its sessions."""
    limit: AtLeastOne | None = None
    """Largest number of hits to answer with; 20 unless said otherwise, and at most 100."""
    cursor: str | None = None
    """`nextCursor` of the answer before."""


class SearchHit(Wire, frozen=True, kw_only=True):
    """A message, answer or deed with the words."""

    session_id: str
    """The session."""
    title: str
    """The session's title."""
    turn: AtLeastZero
    """The turn, from 1; 0 before the first."""
    kind: HitKind
    """What it is."""
    text: str
    """The line that has the words, redacted; of a long one the part with them."""
    ref: LogRef
    """Where it stands."""
    at: Time | None = None
    """When, where the log tells times."""
    partial: bool | None = None
    """True where only some of the words are in it, and the others elsewhere in the session."""


class SearchResult(Wire, frozen=True, kw_only=True):
    """What was found, the best first."""

    hits: tuple[SearchHit, ...]
    """The hits of this page."""
    next_cursor: str | None = None
    """Where the next page begins; absent on the last page."""
