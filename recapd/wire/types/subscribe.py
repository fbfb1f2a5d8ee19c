"""Wire types of `recap/subscribe`, `recap/unsubscribe` and `recap/didChange`: hints of what to fetch anew."""

from typing import Annotated, TypeAlias

from recapd.wire.types.base import AtLeastZero, FoldersParam, SessionSelector, Wire, open_enum, require_one

ChangedSection: TypeAlias = Annotated[
    str,
    open_enum(
        "ChangedSection",
        "A part of a session that changed: a field of `Recap`, its `summary`, its entry in `session/list` (`session`), "
        "`removed` when the session is gone, `waiting` when it has just begun to wait for the user, "
        "`compacted` when the agent has just forgotten its past for a summary: `lostInCompaction` of `recap/get` says "
        "what that lost.",
        (
            "originalRequest",
            "currentFocus",
            "userRequests",
            "decisions",
            "recentActions",
            "commands",
            "tests",
            "files",
            "progress",
            "openItems",
            "contradictions",
            "state",
            "stats",
            "summary",
            "session",
            "removed",
            "waiting",
            "compacted",
        ),
    ),
]


class SubscriptionSelector(Wire, frozen=True, kw_only=True):
    """What to watch; exactly one field is set."""

    session: SessionSelector | str | None = None
    """One session; a plain string is its id."""
    workspace: FoldersParam | None = None
    """Path or file URI of a folder, or several: all their sessions, also new ones."""
    all: bool | None = None
    """True for every session."""

    def __post_init__(self) -> None:
        named = (self.session is not None, self.workspace is not None, bool(self.all))
        require_one(sum(named), "session, workspace, all")


class Settle(Wire, frozen=True, kw_only=True):
    """How long to wait for a burst of changes to end before telling of it."""

    quiet_ms: AtLeastZero
    """Tell after this long without a change."""
    max_ms: AtLeastZero
    """Tell after this long in any case."""


class RecapSubscribeParams(Wire, frozen=True, kw_only=True):
    """Params of `recap/subscribe`."""

    subscription_id: str
    """Chosen by the client, unique on its connection; used again, it replaces the subscription."""
    selector: SubscriptionSelector
    """What to watch."""
    since: str | None = None
    """The last cursor seen, to be told only what changed after it."""
    settle: Settle | None = None
    """How long to wait for a burst to end; absent: as configured."""


class SessionChange(Wire, frozen=True, kw_only=True):
    """A hint that a session changed; fetch the parts that are on show."""

    session_id: str
    """Which session."""
    revision: int
    """Its revision now."""
    sections: tuple[ChangedSection, ...]
    """What changed."""


class RecapSubscribeResult(Wire, frozen=True, kw_only=True):
    """The answer to a subscription. The first notification comes after it, never before."""

    cursor: str
    """Where the subscription stands."""
    fresh: bool
    """True when `since` was absent or too old: forget what is known and take `sessions` as all there is."""
    sessions: tuple[SessionChange, ...]
    """Every session the selector matches when fresh, else those that changed after `since`."""


class RecapUnsubscribeParams(Wire, frozen=True, kw_only=True):
    """Params of `recap/unsubscribe`."""

    subscription_id: str
    """The subscription to end."""


class RecapDidChangeParams(Wire, frozen=True, kw_only=True):
    """Params of `recap/didChange`. A slow client is told the latest, not every step."""

    subscription_id: str
    """Which subscription."""
    cursor: str
    """Where the subscription stands now."""
    fresh: bool
    """True when steps were lost: forget what is known and take `changes` as all there is."""
    changes: tuple[SessionChange, ...]
    """What changed."""
    ended: str | None = None
    """Why recapd ended the subscription, in one sentence; nothing follows."""
