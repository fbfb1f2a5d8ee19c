"""Wire types of `session/overview`: the sessions of a workspace at a glance."""

from typing import Annotated

from msgspec import Meta

from recapd.wire.types.activity import Needs, Running, SessionStatus
from recapd.wire.types.base import FoldersParam, Time, Wire

# A person looks at a screenful.
Limit = Annotated[int, Meta(ge=1, le=200)]


class SessionOverviewParams(Wire, frozen=True, kw_only=True):
    """Params of `session/overview`."""

    workspace: FoldersParam | None = None
    """Only sessions of this folder, or of these; absent: all."""
    consumer: str | None = None
    """Name of a reader, to be told what is `unseen` by it."""
    limit: Limit = 20
    """Sessions at most; those that wait come first, then the latest active."""


class OverviewRow(Wire, frozen=True, kw_only=True):
    """One session in a line."""

    id: str
    """The session's id."""
    agent: str
    """Whose session it is."""
    title: str
    """What it is about: its title, else the first request that says so."""
    state: SessionStatus
    """Whether it goes on, waits or ended."""
    detail: str
    """What is waited for, else what came out last; may be empty."""
    turn: int
    """Turns so far."""
    last_active_at: Time | None
    """When something last happened; null where the log has no times."""
    revision: int
    """The session's revision."""
    resume_command: str | None = None
    """The agent's own command to go on with it."""
    needs: Needs | None = None
    """What the agent needs from the user to go on."""
    question: str | None = None
    """What it asked and nobody answered."""
    running: Running | None = None
    """What it is doing."""
    live: bool | None = None
    """Whether the agent's process is known to run; absent where nobody can tell."""
    state_since: Time | None = None
    """When it came into this state."""
    workspace: str | None = None
    """Folder the agent works in, as the log names it."""
    branch: str | None = None
    """Git branch, as the log names it."""
    log: str | None = None
    """File URI of its main log."""
    unseen: int | None = None
    """How many turns are new to the `consumer` that was named, or have gone on; absent where it never acknowledged a
    recap of this session."""


class SessionOverviewResult(Wire, frozen=True, kw_only=True):
    """Sessions that wait for the user first, then those at work, that broke off, that answered, and finished ones."""

    sessions: tuple[OverviewRow, ...]
    """One row each."""
    waiting: int
    """How many of all sessions asked about wait for the user."""
    total: int
    """How many sessions there are."""
    markdown: str
    """The same for people, one line each."""
    needs_you: int = 0
    """How many of them need something of the user, rather than only having answered: the number for a badge."""
