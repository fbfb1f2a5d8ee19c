"""Unfinished last lines are counted in: lines that are whole but for their newline, as if their writers had finished
them."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from recapd.core.log import Record
from recapd.core.state import Batch, Source, World, extend, fold, put, session_id_of


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
        world = msgspec.structs.replace(world, members=world.members.with_items({delta.session_id: same}))
    if source.is_cold:
        world = put(world, [msgspec.structs.replace(world.sources[source.key], is_cold=True)])
    return world
