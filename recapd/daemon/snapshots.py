"""Snapshots for requests: one serves all of them until the world, the settings or how much is read change.

Unfinished last lines are counted in: lines that are whole but for their newline, as if their writers had finished them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
from msgspec import Struct

from recapd.core.log import Record
from recapd.core.state import Batch, Session, Source, World, extend, fold, put, session_id_of
from recapd.daemon.engine import HasWorld
from recapd.daemon.live_configuration import LiveConfiguration
from recapd.daemon.marks import Marks
from recapd.daemon.memories import Memories
from recapd.daemon.snapshot import Behind, Snapshot
from recapd.daemon.store import Keeping, KeepingNothing
from recapd.server.answers import Answers
from recapd.server.indexes import Indexes
from recapd.server.service import judged


class Snapshots:
    """Where everybody who asks about sessions gets one."""

    def __init__(
        self,
        engine: HasWorld,
        keeping: Keeping | KeepingNothing,
        marks: Marks,
        configuration: LiveConfiguration,
        *,
        is_quiescent: Callable[[], bool],
        instance_id: str,
        now: Callable[[], str],
    ) -> None:
        self._engine = engine
        self._keeping = keeping
        self._marks = marks
        self._configuration = configuration
        self._is_quiescent = is_quiescent
        self._instance_id = instance_id
        self._now = now
        self._unfinished = Unfinished()
        self._answers = Answers()
        self._answered_by = configuration.current
        self._indexes = Indexes()
        self.memories = Memories()
        # The latest, and what it is of.
        self._latest: tuple[World, bool, Snapshot] | None = None

    def take(self) -> Snapshot:
        world, configured = self._engine.world, self._configuration.current
        # What could not be found a moment ago may only not have been read.
        is_complete = self._is_quiescent()
        if configured is not self._answered_by:
            # Other settings give other answers.
            self._answered_by, self._answers, self._latest = configured, Answers(), None
        if self._latest is None or self._latest[0] is not world or self._latest[1] != is_complete:
            snapshot = Snapshot(
                self._unfinished.counted_in(world),
                behind=Behind(world, world.unfinished, self._keeping),
                instance_id=self._instance_id,
                now=self._now,
                mark=self._marks.get,
                marks=self._marks.of_session,
                answers=self._answers,
                indexes=self._indexes,
                memories=self.memories,
                durable=self._keeping.store,
                configured=configured,
                is_complete=is_complete,
            )
            self._latest = (world, is_complete, snapshot)
        return self._latest[2]

    def whole(self, session: Session) -> Session:
        """All that is known of a session, with the user's word on its decisions. In a thread."""
        snapshot = self.take()
        return judged(snapshot, snapshot.whole(session))


class _Counted(Struct, frozen=True):
    """A source, what its unfinished line says, and the same source with that counted in."""

    before: Source
    records: Sequence[Record]
    after: Source
    # The line says that the source belongs to another session than was thought.
    is_moved: bool


class Unfinished:
    """Every request sees unfinished lines, and the world changes hundreds of times in a second while logs are read for
    the first time: what a line adds to its source is worked out once for each state of the source, not of the world."""

    def __init__(self) -> None:
        self._counted: dict[str, _Counted] = {}

    def counted_in(self, world: World) -> World:
        """The world as it would be if every writer had finished its line."""
        self._counted = {
            uri: self._of(source, records)
            for uri, records in world.unfinished.items()
            if (source := world.sources.get(uri)) is not None
        }
        counted = list(self._counted.values())
        if not counted:
            return world
        world = put(world, [each.after for each in counted if not each.is_moved])
        for each in counted:
            if each.is_moved:
                world = _with_moved(world, each.before, each.records)
        return world

    def _of(self, source: Source, records: Sequence[Record]) -> _Counted:
        known = self._counted.get(source.uri)
        if known is not None and known.before is source and known.records is records:
            return known
        # Of a cold source this is good enough for a list; whoever asks about the session gets it from the whole.
        after = msgspec.structs.replace(source, transcript=extend(source.transcript, records))
        return _Counted(source, records, after, session_id_of(source) != session_id_of(after))


def _with_moved(world: World, source: Source, records: Sequence[Record]) -> World:
    batch = Batch(source.uri, source.agent, source.format, source.generation, records, (), source.carry)
    known = world.members
    world, delta = fold(world, batch)
    if delta.session_id in known:
        # Whoever said that the line is there has given the session its revision.
        same = msgspec.structs.replace(world.members[delta.session_id], revision=known[delta.session_id].revision)
        world = msgspec.structs.replace(world, members={**world.members, delta.session_id: same})
    if source.is_cold:
        world = put(world, [msgspec.structs.replace(world.sources[source.key], is_cold=True)])
    return world
