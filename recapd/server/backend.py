"""What a connection asks of the daemon it belongs to, and what those who answer its requests know of the connection.

Calls are made on the event loop unless they say otherwise; those do not block.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from typing import Protocol

from msgspec import Struct

from recapd.core.presence import Signal
from recapd.server.service import Service
from recapd.wire.types import (
    LogRoot,
    RecapdDidChangeStatusParams,
    RecapDidChangeParams,
    RecapdPanelParams,
    RecapdPanelResult,
    RecapdStatusParams,
    RecapdStatusResult,
    RecapdWatchParams,
    RecapdWatchResult,
    RecapSubscribeParams,
    RecapSubscribeResult,
)


class Indexing(Struct, frozen=True):
    """How far the first reading of everything is."""

    done: int
    total: int
    quiescent: bool


class Mailbox(Protocol):
    """Where one connection's notifications wait: the latest of each subscription, never a backlog."""

    async def next(self) -> RecapDidChangeParams | RecapdDidChangeStatusParams:
        """The next notification to send; waits until there is one."""
        ...

    def close(self) -> None:
        """The connection is gone: its subscriptions end."""
        ...

    @property
    def is_closed(self) -> bool: ...

    @property
    def is_told(self) -> bool:
        """Whether there is any subscription."""
        ...


class Asked(Struct, frozen=True, kw_only=True):
    """A question whose answer is kept until a session changes, without the world it was put in."""

    method: str
    # None where it is about all of them.
    session_id: str | None
    # Makes the answer as it is then, for whoever asks the same next; RecapError where there is none.
    make: Callable[[], Awaitable[object]]


class Backend(Protocol):
    """One daemon, as its connections see it."""

    def snapshot(self) -> Service:
        """The world as it is now: immutable, safe to use in a thread."""
        ...

    def open_mailbox(self) -> Mailbox:
        """A mailbox for a new connection; it gets status changes at once and changes of what is subscribed to."""
        ...

    async def subscribe(self, mailbox: Mailbox, params: RecapSubscribeParams) -> RecapSubscribeResult:
        """Begin or replace a subscription; RecapError where it names no session. Waits for the disk where it names a
        path."""
        ...

    def note(self, mailbox: Mailbox, asked: Asked) -> None:
        """A client asks this, and may ask it again: it may be made anew before."""
        ...

    async def make_ahead(self, mailbox: Mailbox, session_ids: Collection[str], *, within_s: float) -> None:
        """Of sessions that changed, make what this client asked last: it is about to be told of the change."""
        ...

    def unsubscribe(self, mailbox: Mailbox, subscription_id: str) -> None: ...

    def status(self, params: RecapdStatusParams) -> RecapdStatusResult: ...

    def indexing(self) -> Indexing: ...

    def on_indexing(self, listener: Callable[[Indexing], None]) -> Callable[[], None]:
        """Call the listener when indexing moves on; returns what ends that."""
        ...

    def add_roots(self, mailbox: Mailbox, roots: tuple[LogRoot, ...]) -> None:
        """Watch folders that a client's environment implies, besides the known ones; RecapError where clients have too
        many watched."""
        ...

    def release_roots(self, mailbox: Mailbox) -> None:
        """The connection is gone: folders that it alone named need not be watched for it."""
        ...

    def acknowledge(self, session_id: str, consumer: str, cursor: str) -> str:
        """Move a reader's mark forward; the mark after that, once it is on disk. Called in a thread."""
        ...

    def signal(self, session_id: str, signal: Signal) -> None:
        """What a hook told of a session, which need not be known yet. Called in a thread."""
        ...

    async def watch(self, params: RecapdWatchParams) -> RecapdWatchResult:
        """Switch `_recap.md` on or off for a folder; RecapError where it cannot be."""
        ...

    async def panel(self, params: RecapdPanelParams) -> RecapdPanelResult:
        """Switch the panel for browsers on or off."""
        ...

    def shut_down(self, reason: str) -> None:
        """End the daemon soon; open requests are answered first."""
        ...


class Client(Struct, frozen=True, kw_only=True):
    """A connection, as the handlers of the requests about it see it."""

    backend: Backend
    mailbox: Mailbox
    # Whether it came over TCP: from there nobody chooses the folders that are read or written.
    is_remote: bool
    # How many subscriptions it may have, and the ids of those it has.
    max_subscriptions: int
    subscriptions: dict[str, object]
    # What must not happen before the reply is on its way.
    after_reply: list[Callable[[], None]]
