"""Who is told of which change, and when: subscriptions, the sessions they mean, their cursors, and one mailbox per
connection.

    engine ─Step─▶ changed ─▶ what changed when, per session and section ─▶ mailbox ─next()─▶ connection
                                          one for all                       only "told up to tick 118"

A mailbox holds no changes, only how far each subscription was told and since when something waits. What to tell is
read off the common memory when the client takes it: a slow client gets the latest, and costs nothing while it is slow.
All of it runs on the event loop; must not know connections, frames, or what stands in a recap.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Protocol

import anyio
import anyio.lowlevel
from msgspec import Struct

from recapd.core.settings import DEFAULTS
from recapd.core.state import WAITING, Delta, World, main_source_of, rests, session_of, sessions_of
from recapd.daemon.clock import Clock, LoopClock, Settling
from recapd.daemon.engine import HasWorld, Step
from recapd.server.backend import Mailbox
from recapd.server.workspaces import Workspace, WorkspaceSessions, belongs_to, folders_of, path_of, workspace_of
from recapd.wire.errors import RecapError, limit_exceeded, no_session_yet, session_not_found
from recapd.wire.types import (
    RecapdDidChangeStatusParams,
    RecapDidChangeParams,
    RecapSubscribeParams,
    RecapSubscribeResult,
    SessionChange,
    SessionSelector,
    SubscriptionSelector,
)

# For subscriptions that say nothing themselves; `settle` says otherwise.
QUIET_S = DEFAULTS.subscribe.quiet_s
MAX_S = DEFAULTS.subscribe.max_s
# Sessions whose changes are remembered. Somebody has a few hundred, thousands over years; a subscription that was
# away while more of them changed is better off with a fresh list.
MAX_REMEMBERED = 10_000
# An editor has a few per window; each costs every change a look.
MAX_SUBSCRIPTIONS = 100

REMOVED = "removed"
# In a fresh list everything is new: the entry stands for all of it.
_FRESH_SECTIONS = ("session",)


# ---- which sessions a subscription means


class Traits(Struct, frozen=True):
    """What a session is chosen by; small enough to keep of one that is gone."""

    id: str
    # The folders that it worked in, or that its log lies in.
    cwds: tuple[str, ...] = ()
    uris: tuple[str, ...] = ()


def traits_in(world: World, session_id: str) -> Traits | None:
    """Of a session as it is; None where there is none."""
    main = main_source_of(world, session_id)
    if main is None:
        return None
    uris = tuple(world.sources[key].uri for key in world.members[session_id].keys)
    return Traits(session_id, main.transcript.cwds or folders_of(main), uris)


def waits_in(world: World, session_id: str) -> bool:
    """Whether a session still waits for the human: it may have gone on since it began to."""
    session = session_of(world, session_id)
    return session is not None and rests(session)


class Matcher(Protocol):
    @property
    def meaning(self) -> str:
        """The same for two that match the same sessions, now and later."""
        ...

    def matches(self, traits: Traits) -> bool: ...


class EverySession:
    meaning = "all"

    def matches(self, traits: Traits) -> bool:
        return True


class OneSession:
    def __init__(self, session_id: str) -> None:
        self._id = session_id
        self.meaning = f"session {session_id}"

    def matches(self, traits: Traits) -> bool:
        return traits.id == self._id


class OfLog:
    """The sessions in a log: their ids may change as the log tells more."""

    def __init__(self, uri: str) -> None:
        self._uri = uri
        self.meaning = f"log {uri}"

    def matches(self, traits: Traits) -> bool:
        return self._uri in traits.uris


class OfWorkspace:
    """The sessions of some folders, as server.workspaces has it."""

    def __init__(self, workspace: Workspace) -> None:
        self._sessions = WorkspaceSessions(workspace)
        self.meaning = "folders " + "\0".join(sorted(workspace.folders))

    def matches(self, traits: Traits) -> bool:
        return self._sessions.has(traits.cwds)


class Looked(Struct, frozen=True):
    """What the disk says of the paths in a selector."""

    workspace: Workspace | None = None
    # Of the log it names, and whether there is such a file.
    uri: str = ""
    is_there: bool = False


NOTHING_LOOKED_AT = Looked()


def paths_of(selector: SubscriptionSelector) -> tuple[str, ...]:
    """The paths a selector names."""
    session = selector.session if isinstance(selector.session, SessionSelector) else SessionSelector(id="")
    named = selector.workspace or session.workspace or session.log or ()
    return (named,) if isinstance(named, str) else named


def look_at(selector: SubscriptionSelector) -> Looked:
    """RecapError where a path is none. Looks at the disk, which may not answer."""
    session = selector.session if isinstance(selector.session, SessionSelector) else SessionSelector(id="")
    if named := selector.workspace or session.workspace:
        return Looked(workspace=workspace_of(named))
    if session.log is None:
        return NOTHING_LOOKED_AT
    path = Path(os.path.realpath(path_of(session.log)))
    return Looked(uri=path.as_uri(), is_there=path.exists())


def _not_there(wanted: SessionSelector, looked: Looked) -> RecapError:
    if looked.is_there:
        return session_not_found(wanted)
    return no_session_yet(f"{path_of(wanted.log or '')} does not exist; check the path, or ask again later", wanted)


def matcher_of(selector: SubscriptionSelector, looked: Looked, world: World) -> Matcher:
    """Of a selector and what the disk says of the paths in it. RecapError where it names one session, and there is
    none."""
    if selector.workspace is not None:
        assert looked.workspace is not None
        return OfWorkspace(looked.workspace)
    if selector.session is None:
        return EverySession()
    wanted = SessionSelector(id=selector.session) if isinstance(selector.session, str) else selector.session
    if wanted.log is not None:
        if not any(source.uri == looked.uri for source in world.sources.values()):
            raise _not_there(wanted, looked)
        return OfLog(looked.uri)
    if wanted.workspace is not None:
        folders = looked.workspace
        assert folders is not None
        latest = next((session for session in sessions_of(world) if belongs_to(session, folders)), None)
        if latest is None:
            raise session_not_found(wanted)
        return OneSession(latest.id)
    if wanted.named_id is None or wanted.named_id not in world.members:
        raise session_not_found(wanted)
    return OneSession(wanted.named_id)


# ---- who is told of them


class Hub:
    """The memory of what changed, and everybody who wants to know."""

    def __init__(
        self, instance_id: str, engine: HasWorld, *, clock: Clock | None = None, max_remembered: int = MAX_REMEMBERED
    ) -> None:
        self.clock: Clock = clock or LoopClock()
        self.tick = 0
        self.engine = engine
        self._instance_id = instance_id
        self._max_remembered = max_remembered
        # By session, the longest unchanged first.
        self._changes: dict[str, _Changed] = {}
        # Changes up to this tick may be forgotten.
        self._forgotten = 0
        self._mailboxes: dict[int, HubMailbox] = {}
        self._status: RecapdDidChangeStatusParams | None = None
        self._settle = (QUIET_S, MAX_S)

    def settle(self, quiet_s: float, max_s: float) -> None:
        """How long subscriptions that begin from now on wait for a burst to end, unless they say it themselves."""
        self._settle = (quiet_s, max_s)

    def changed(self, step: Step) -> None:
        """Sessions changed: whoever subscribed to them is told, once they settle."""
        for delta in step.deltas:
            if delta.left:
                self._note(Delta(delta.left, delta.revision), step)
            self._note(delta, step)

    @property
    def is_heard(self) -> bool:
        return bool(self._mailboxes)

    def status_changed(self, params: RecapdDidChangeStatusParams) -> None:
        if params == self._status:
            return
        self._status = params
        for mailbox in self._mailboxes.values():
            mailbox.put_status(params)

    def open_mailbox(self) -> HubMailbox:
        mailbox = HubMailbox(self)
        self._mailboxes[id(mailbox)] = mailbox
        return mailbox

    def close_mailbox(self, mailbox: HubMailbox) -> None:
        self._mailboxes.pop(id(mailbox), None)

    def subscribe(
        self, mailbox: Mailbox, params: RecapSubscribeParams, looked: Looked = NOTHING_LOOKED_AT
    ) -> RecapSubscribeResult:
        """Begin or replace a subscription; RecapError where it names no session, or there are too many."""
        assert isinstance(mailbox, HubMailbox)
        world = self.engine.world
        matcher = matcher_of(params.selector, looked, world)
        changes = self.changes_since(self._tick_of(params.since, matcher), matcher)
        settle = params.settle
        settling = Settling(settle.quiet_ms / 1000, settle.max_ms / 1000) if settle else Settling(*self._settle)
        mailbox.add(_Subscription(params.subscription_id, matcher, settling, self.tick))
        return RecapSubscribeResult(
            cursor=self.cursor_for(matcher),
            fresh=changes is None,
            sessions=_all_matching(matcher, world) if changes is None else changes,
        )

    def unsubscribe(self, mailbox: Mailbox, subscription_id: str) -> None:
        assert isinstance(mailbox, HubMailbox)
        mailbox.remove(subscription_id)

    def end_subscriptions(self, reason: str) -> None:
        """Tell every subscription that it ends, and why, in one sentence."""
        for mailbox in self._mailboxes.values():
            mailbox.end_all(reason)

    @property
    def subscriptions(self) -> int:
        return sum(len(mailbox) for mailbox in self._mailboxes.values())

    @property
    def waiting(self) -> int:
        """Subscriptions with something to be told."""
        return sum(1 for mailbox in self._mailboxes.values() for _ in mailbox.waiting())

    @property
    def remembered(self) -> int:
        return len(self._changes)

    def cursor_for(self, matcher: Matcher) -> str:
        """How far somebody was told of these sessions: of others it says nothing."""
        return f"{self._instance_id}.{_digest(matcher.meaning)}.{self.tick}"

    def changes_since(self, tick: int, matcher: Matcher) -> tuple[SessionChange, ...] | None:
        """What changed after a tick, the latest last; None where not all of it is remembered."""
        if tick < self._forgotten:
            return None
        changes: list[SessionChange] = []
        for session_id, changed in reversed(self._changes.items()):
            if changed.tick <= tick:
                break
            if not matcher.matches(changed.traits):
                continue
            told = (section for section, at in changed.sections.items() if at > tick)
            sections = tuple(
                section for section in told if section != WAITING or waits_in(self.engine.world, session_id)
            )
            changes.append(SessionChange(session_id=session_id, revision=changed.revision, sections=sections))
        changes.reverse()
        return tuple(changes)

    def _note(self, delta: Delta, step: Step) -> None:
        session_id = delta.session_id
        self.tick += 1
        members = step.world.members.get(session_id)
        changed = self._changes.pop(session_id, None) or _Changed(Traits(session_id))
        changed.tick = self.tick
        changed.revision = members.revision if members is not None else delta.revision
        # One that is gone is known by what it was: who was told of it has to be told that.
        changed.traits = traits_in(step.world, session_id) or traits_in(step.before, session_id) or changed.traits
        changed.sections.pop(REMOVED, None)
        for section in delta.sections if members is not None else (REMOVED,):
            changed.sections[section] = self.tick
        self._changes[session_id] = changed
        if len(self._changes) > self._max_remembered:
            oldest = next(iter(self._changes))
            self._forgotten = self._changes.pop(oldest).tick
        now = self.clock.now()
        for mailbox in self._mailboxes.values():
            mailbox.note(changed.traits, now)

    def _tick_of(self, cursor: str | None, matcher: Matcher) -> int:
        """How far a cursor was told; -1 where it is none of ours, or of other sessions."""
        ours, _, number = (cursor or "").rpartition(".")
        if (
            ours != f"{self._instance_id}.{_digest(matcher.meaning)}"
            or not (number.isascii() and number.isdecimal())
            or len(number) > 18
        ):
            return -1
        return int(number) if int(number) <= self.tick else -1


class HubMailbox:
    """One connection's subscriptions. Fulfils server.backend.Mailbox."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._subscriptions: dict[str, _Subscription] = {}
        self._status: RecapdDidChangeStatusParams | None = None
        self._news = anyio.Event()
        self.is_closed = False

    def __len__(self) -> int:
        return len(self._subscriptions)

    @property
    def is_told(self) -> bool:
        return bool(self._subscriptions)

    async def next(self) -> RecapDidChangeParams | RecapdDidChangeStatusParams:
        while True:
            # Before taking: what was taken must not be lost to a cancellation, and a flood must not hold up others.
            await anyio.lowlevel.checkpoint()
            if (notification := self.take()) is not None:
                return notification
            self._news = anyio.Event()
            await self._hub.clock.wait(self._news, self.due)

    def close(self) -> None:
        self.is_closed = True
        self._subscriptions.clear()
        self._status = None
        self._hub.close_mailbox(self)

    @property
    def due(self) -> float | None:
        """When there will be something to take, as far as is known now."""
        return min(
            (due for each in self._subscriptions.values() if (due := each.settling.due) is not None), default=None
        )

    def take(self) -> RecapDidChangeParams | RecapdDidChangeStatusParams | None:
        """The notification that has been due for longest, or None."""
        if (status := self._status) is not None:
            self._status = None
            return status
        now = self._hub.clock.now()
        for due, subscription in sorted(self.waiting(), key=lambda waiting: waiting[0]):
            if due > now:
                return None
            if (notification := self._told(subscription)) is not None:
                return notification
        return None

    def add(self, subscription: _Subscription) -> None:
        if subscription.id not in self._subscriptions and len(self._subscriptions) >= MAX_SUBSCRIPTIONS:
            raise limit_exceeded("subscriptions of one connection", MAX_SUBSCRIPTIONS)
        self._subscriptions[subscription.id] = subscription

    def remove(self, subscription_id: str) -> None:
        self._subscriptions.pop(subscription_id, None)

    def note(self, traits: Traits, now: float) -> None:
        """A session changed."""
        for subscription in self._subscriptions.values():
            if subscription.matcher.matches(traits):
                before = subscription.settling.due
                subscription.settling.changed(now)
                # One that waits already wakes by itself, and then looks how long it still has to.
                if before is None:
                    self._news.set()
            elif subscription.settling.due is None:
                # Passing over what is not for it keeps the later look at the common memory short.
                subscription.told = self._hub.tick

    def put_status(self, params: RecapdDidChangeStatusParams) -> None:
        self._status = params
        self._news.set()

    def end_all(self, reason: str) -> None:
        for subscription in self._subscriptions.values():
            subscription.ended = reason
            subscription.settling = Settling(0.0, 0.0)
            subscription.settling.changed(self._hub.clock.now())
        self._news.set()

    def waiting(self) -> Iterator[tuple[float, _Subscription]]:
        for subscription in self._subscriptions.values():
            if (due := subscription.settling.due) is not None:
                yield due, subscription

    def _told(self, subscription: _Subscription) -> RecapDidChangeParams | None:
        hub = self._hub
        changes = hub.changes_since(subscription.told, subscription.matcher)
        subscription.told = hub.tick
        subscription.settling.clear()
        if subscription.ended is not None:
            self.remove(subscription.id)
        elif changes == ():
            return None
        return RecapDidChangeParams(
            subscription_id=subscription.id,
            cursor=hub.cursor_for(subscription.matcher),
            fresh=changes is None,
            changes=_all_matching(subscription.matcher, hub.engine.world) if changes is None else changes,
            ended=subscription.ended,
        )


class _Changed(Struct, eq=False):
    """When a session changed last, and when each part of it did."""

    traits: Traits
    tick: int = 0
    revision: int = 0
    sections: dict[str, int] = {}


class _Subscription(Struct, eq=False):
    """What one subscription wants to hear of, and how far it was told."""

    id: str
    matcher: Matcher
    settling: Settling
    told: int
    ended: str | None = None


def _digest(meaning: str) -> str:
    return blake2b(meaning.encode("utf-8", "surrogateescape"), digest_size=6).hexdigest()


def _all_matching(matcher: Matcher, world: World) -> tuple[SessionChange, ...]:
    return tuple(
        SessionChange(session_id=session_id, revision=members.revision, sections=_FRESH_SECTIONS)
        for session_id, members in world.members.items()
        if (traits := traits_in(world, session_id)) is not None and matcher.matches(traits)
    )
