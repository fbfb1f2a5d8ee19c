"""The one entrance for every change of the world, and the one place where others are told of it.

    tailer, store, summarizer, settings ─Change─▶ apply ─next_step─▶ world' ─Step─▶ whoever is in TELLS for that change
                                                                              └ of a line: clients; the others in `run`

`next_step` is pure; `apply` alone assigns the world, on the event loop. Parts that ask the engine are made after it, so
whoever wants to be told says so (`listen`). Must not know who they are, files, clients, or what is said of a session.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Final, Literal, Protocol, TypeAlias, assert_never

import anyio
import msgspec
from anyio.from_thread import BlockingPortal
from msgspec import Struct

from recapd.core.log import Record
from recapd.core.presence import Presence, Signal
from recapd.core.state import (
    Batch,
    Delta,
    Source,
    World,
    drop,
    fold,
    forget,
    put,
    restore,
    revise,
    see_last_line,
    see_presence,
    session_id_of,
    source_key,
    take_signal,
    vanish,
)
from recapd.daemon.clock import now_ms
from recapd.daemon.config import Configuration, find_concerned_sessions
from recapd.daemon.encoding import Saved

# Heads of sources that were known before the start, each with the revision its session had.
Heads: TypeAlias = tuple[tuple[Source, int], ...]

# ---- what can happen


class LogRead(Struct, frozen=True):
    """A look at a log gave news, in batches; without any, only how far it is read was noted."""

    path: str
    batches: tuple[Batch, ...] = ()


class LastLineSeen(Struct, frozen=True):
    """The last line of a log is whole but for its newline, and says this; or there is no such line any more."""

    uri: str
    records: tuple[Record, ...] = ()


class LogForgotten(Struct, frozen=True):
    """What was known of a log is void, or of no interest any more."""

    path: str
    uri: str


class LogVanished(Struct, frozen=True):
    """A log was deleted. Of one that was not looked at since the start, `heads` are what was known before."""

    path: str
    uri: str
    heads: Heads = ()


class SourcesRestored(Struct, frozen=True):
    """What was known before the start still holds; `is_outgrown` where there is more of it now, so that whoever asked
    before the start may have been told of that."""

    heads: Heads
    is_outgrown: bool = False


class SourcesCooled(Struct, frozen=True):
    """Sources were dropped to their heads, which are these."""

    heads: tuple[Source, ...]


class SourcesWarmed(Struct, frozen=True):
    """Sources were put back whole, as they stand in the cache, to go on from there."""

    saved: tuple[Saved, ...]


class SessionForgotten(Struct, frozen=True):
    """The user wants nothing known of a session."""

    session_id: str


class SessionRemembered(Struct, frozen=True):
    """The user took that back."""

    session_id: str


class RevisionReserved(Struct, frozen=True):
    """Something is about to change otherwise than by a log, and has to be written down with its revision first."""


class RevisionsGivenOut(Struct, frozen=True):
    """Before the start, revisions up to this one may have been told to somebody."""

    through: int


class SessionRevised(Struct, frozen=True):
    """A verdict or a summary of a session was written down, with a revision that was reserved for it."""

    session_id: str
    revision: int


class SessionJudged(Struct, frozen=True):
    """The decisions of a session, or what takes long to make of its turns, are known now; somebody was told of less."""

    session_id: str


class PresenceSeen(Struct, frozen=True):
    """A look at which agents run: these, by session, and of the logs whose URIs begin so nobody else."""

    present: Mapping[str, Presence]
    attended: tuple[str, ...]
    at: str


class SignalCame(Struct, frozen=True):
    """A hook told what happened in a session, which need not be known yet."""

    session_id: str
    signal: Signal


class SettingsChanged(Struct, frozen=True):
    """Other settings give other answers: sessions that they concern count as changed."""

    old: Configuration
    new: Configuration


class StatusMoved(Struct, frozen=True):
    """Reading went on, a watcher changed, a file could not be written."""


class StoreTroubled(Struct, frozen=True):
    """Something is in the way of writing, or no longer."""


class CacheLost(Struct, frozen=True):
    """What can be read again from the logs is on disk no more."""


Change: TypeAlias = (
    LogRead
    | LastLineSeen
    | LogForgotten
    | LogVanished
    | SourcesRestored
    | SourcesCooled
    | SourcesWarmed
    | SessionForgotten
    | SessionRemembered
    | RevisionReserved
    | RevisionsGivenOut
    | SessionRevised
    | SessionJudged
    | PresenceSeen
    | SignalCame
    | SettingsChanged
    | StatusMoved
    | StoreTroubled
    | CacheLost
)

# ---- who is told of it

Ear: TypeAlias = Literal[
    "store", "memories", "clients", "renewal", "recap files", "orientations", "summarizer", "reader", "ahead", "status"
]
_EVERYBODY: Final[tuple[Ear, ...]] = (
    "store",
    "memories",
    "clients",
    "renewal",
    "recap files",
    "orientations",
    "summarizer",
    "reader",
    "ahead",
)

TELLS: Final[Mapping[type[Change], tuple[Ear, ...]]] = {
    LogRead: _EVERYBODY,
    # A recap file and a summary tell of lines that are finished.
    LastLineSeen: ("store", "clients", "renewal"),
    LogForgotten: _EVERYBODY,
    LogVanished: _EVERYBODY,
    # Whatever was due for a summary had one before the start, or gets it with the next news.
    SourcesRestored: ("store", "clients", "renewal", "recap files", "ahead"),
    # Nothing is known that was not, and nothing is forgotten.
    SourcesCooled: (),
    SourcesWarmed: ("store",),
    SessionForgotten: _EVERYBODY,
    # It is news once its log is read again.
    SessionRemembered: (),
    # What it is for is told when it is done; the store looks how far revisions went.
    RevisionReserved: ("store",),
    RevisionsGivenOut: (),
    SessionRevised: _EVERYBODY,
    SessionJudged: ("store", "clients", "renewal"),
    # No log changed: nothing is due for a summary, and nothing to be judged.
    PresenceSeen: ("store", "clients", "renewal", "recap files"),
    SignalCame: ("store", "clients", "renewal", "recap files"),
    SettingsChanged: (*_EVERYBODY, "status"),
    StatusMoved: ("status",),
    StoreTroubled: ("store", "status"),
    CacheLost: ("store",),
}


# What comes with every line that an agent writes: clients are told at once, and the others, who make something of it
# later anyway, a turn of the loop after.
OF_LINES: Final = frozenset((LogRead, LastLineSeen))


class Step(Struct, frozen=True):
    """What a change did."""

    change: Change
    before: World
    world: World
    # The sessions that it touched.
    deltas: tuple[Delta, ...] = ()
    # News that was not taken in, because it is of sessions that are to be forgotten, or of what recapd itself ran; with
    # their ids.
    refused: tuple[tuple[str, Batch], ...] = ()


# ---- what it does


def next_step(world: World, change: Change, *, keeps_vanished: bool, own_folder: str = "") -> Step:
    """The world after the change. `keeps_vanished`: sessions outlive their logs. What is logged from `own_folder` is no
    session."""
    after, deltas, refused = world, tuple[Delta, ...](), tuple[tuple[str, Batch], ...]()
    match change:
        case LogRead():
            after, deltas, refused = _read(world, change.batches, own_folder)
        case LastLineSeen():
            after, deltas = see_last_line(world, change.uri, change.records)
        case LogForgotten():
            after, deltas = forget(world, change.uri)
        case LogVanished() if keeps_vanished:
            after, deltas = vanish(restore(world, change.heads), change.uri)
        case LogVanished():
            after, deltas = forget(world, change.uri)
        case SourcesRestored():
            after, deltas = _restored(world, change)
        case SourcesCooled():
            after = put(world, change.heads)
        case SourcesWarmed():
            after = put(world, [each.source for each in change.saved])
        case SessionForgotten():
            members = world.members.get(change.session_id)
            after, deltas = drop(world, members.keys if members is not None else ())
            after = msgspec.structs.replace(after, buried=world.buried | {change.session_id})
        case SessionRemembered():
            after = msgspec.structs.replace(world, buried=world.buried - {change.session_id})
        case RevisionReserved():
            after, _ = revise(world)
        case RevisionsGivenOut():
            after = msgspec.structs.replace(world, revision=max(world.revision, change.through))
        case SessionRevised():
            after, deltas = _revised(world, change)
        case SessionJudged():
            known = [change.session_id] if change.session_id in world.members else []
            after, deltas = revise(world, known, sections=("decisions",))
        case PresenceSeen():
            after, deltas = see_presence(world, change.present, change.attended, change.at)
        case SignalCame():
            after, deltas = take_signal(world, change.session_id, change.signal)
        case SettingsChanged():
            after, deltas = revise(world, find_concerned_sessions(world, change.old, change.new))
        case StatusMoved() | StoreTroubled() | CacheLost():
            pass
        case _:
            assert_never(change)
    return Step(change, world, after, deltas, refused)


def _read(
    world: World, batches: tuple[Batch, ...], own_folder: str
) -> tuple[World, tuple[Delta, ...], tuple[tuple[str, Batch], ...]]:
    deltas: list[Delta] = []
    refused: list[tuple[str, Batch]] = []
    for batch in batches:
        folded, delta = fold(world, batch)
        key = source_key(batch.uri, batch.part)
        is_own = bool(own_folder) and folded.sources[key].is_logged_below(own_folder)
        if is_own or delta.session_id in world.buried:
            world, dropped = drop(world, [key])
            deltas += dropped
            refused.append((delta.session_id, batch))
        else:
            world = folded
            deltas.append(delta)
    return world, tuple(deltas), tuple(refused)


def _restored(world: World, change: SourcesRestored) -> tuple[World, tuple[Delta, ...]]:
    heads = change.heads
    if change.is_outgrown:
        world, _ = revise(world)
        heads = tuple((head, max(revision, world.revision)) for head, revision in heads)
    after = restore(world, heads)
    ids = dict.fromkeys(session_id_of(head) for head, _ in heads)
    return after, tuple(Delta(each, after.members[each].revision) for each in ids)


def _revised(world: World, change: SessionRevised) -> tuple[World, tuple[Delta, ...]]:
    members = world.members.get(change.session_id)
    if members is None:
        return world, ()
    changed = msgspec.structs.replace(members, revision=max(members.revision, change.revision))
    after = msgspec.structs.replace(world, members=world.members.with_items({change.session_id: changed}))
    return after, (Delta(change.session_id, changed.revision),)


# ---- the one writer


class HasWorld(Protocol):
    """The engine, for whoever only looks."""

    @property
    def world(self) -> World: ...


class Engine:
    """Owns the world. `run` it in a task, for those who are told besides."""

    def __init__(self, *, keeps_vanished: bool, own_folder: str = "") -> None:
        """`keeps_vanished`: there is a store to keep sessions in whose logs are deleted. `own_folder`: where programs
        run that recapd starts."""
        # The time makes revisions grow across restarts, where nothing is left that says how far they went.
        self.world = World(revision=now_ms())
        self._keeps_vanished = keeps_vanished
        self._own_folder = own_folder
        self._listeners: dict[Ear, Callable[[Step], None]] = {}
        # Steps of lines that only clients were told of.
        self._untold: deque[Step] = deque()
        self._news = anyio.Event()

    def listen(self, ear: Ear, listener: Callable[[Step], None]) -> None:
        """Have the listener told of what TELLS says, once the world is the new one: in the order of the changes."""
        self._listeners[ear] = listener

    def apply(self, change: Change) -> Step:
        is_of_line = type(change) in OF_LINES
        if not is_of_line:
            self.tell_rest()
        step = next_step(self.world, change, keeps_vanished=self._keeps_vanished, own_folder=self._own_folder)
        self.world = step.world
        if is_of_line:
            self._tell(step, ("clients",))
            self._untold.append(step)
            self._news.set()
        else:
            self._tell(step, TELLS[type(change)])
        return step

    async def run(self) -> None:
        """Tell what is told besides, until cancelled."""
        while True:
            await self._news.wait()
            self._news = anyio.Event()
            self.tell_rest()

    def tell_rest(self) -> None:
        """Tell now what is told besides: somebody must not be behind."""
        while self._untold:
            step = self._untold.popleft()
            self._tell(step, [ear for ear in TELLS[type(step.change)] if ear != "clients"])

    def _tell(self, step: Step, ears: Iterable[Ear]) -> None:
        for ear in ears:
            if (listener := self._listeners.get(ear)) is not None:
                listener(step)

    def reserve_revision(self) -> int:
        return self.apply(RevisionReserved()).world.revision


class Told(Protocol):
    """The engine, as the threads see it that write something down."""

    def reserve_revision(self) -> int:
        """The revision of what is about to be written."""
        ...

    def apply(self, change: Change) -> None:
        """Once it is written."""
        ...

    def apply_soon(self, change: Change) -> None:
        """The same, without waiting for it."""
        ...


class Nobody:
    """There is nobody to be told; fulfils Told."""

    def __init__(self, revision: Callable[[], int] = int) -> None:
        self.reserve_revision = revision

    def apply(self, change: Change) -> None:
        return

    def apply_soon(self, change: Change) -> None:
        return


class EngineElsewhere:
    """The engine for threads other than the loop's; fulfils Told."""

    def __init__(self, engine: Engine, portal: BlockingPortal) -> None:
        self._engine = engine
        self._portal = portal

    def reserve_revision(self) -> int:
        return self._portal.call(self._engine.reserve_revision)

    def apply(self, change: Change) -> None:
        """Done when it returns."""
        self._portal.call(self._engine.apply, change)

    def apply_soon(self, change: Change) -> None:
        """Unless the loop has ended."""
        try:
            self._portal.start_task_soon(self._engine.apply, change)
        except RuntimeError:
            return
