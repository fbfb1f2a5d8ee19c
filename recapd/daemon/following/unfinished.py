"""Last lines that are whole but for their newline: counted in as if they were finished, and folded once they are.

Every request sees them, and the world changes hundreds of times in a second while logs are read for the first time:
what a line adds to its source is worked out once for each state of the source, not for each state of the world.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from recapd.core.log import Record
from recapd.core.state import Batch, Source, World, extend, fold, put, session_id_of


class _Counted(Struct, frozen=True):
    """A source, and the same with its unfinished line counted in."""

    before: Source
    after: Source
    # The line says that the source belongs to another session than was thought.
    is_moved: bool


class Unfinished:
    """Lives on the loop."""

    def __init__(self) -> None:
        self._records: dict[str, tuple[Record, ...]] = {}
        self._counted: dict[str, _Counted] = {}

    def note(self, uri: str, records: Sequence[Record]) -> bool:
        """What the last line of a log says, or that it has no such line any more; whether that is news."""
        said = tuple(records)
        if said == self._records.get(uri, ()):
            return False
        self._counted.pop(uri, None)
        if said:
            self._records[uri] = said
        else:
            self._records.pop(uri, None)
        return True

    def lines(self) -> Mapping[str, Sequence[Record]]:
        """What they say now, by the URI of the log."""
        return dict(self._records)

    def counted_in(self, world: World) -> World:
        """The world as it would be if every writer had finished its line."""
        counted = [self._of(source) for uri in self._records if (source := world.sources.get(uri)) is not None]
        if not counted:
            return world
        world = put(world, [each.after for each in counted if not each.is_moved])
        for each in counted:
            if each.is_moved:
                world = _with_moved(world, each.before, self._records[each.before.uri])
        return world

    def _of(self, source: Source) -> _Counted:
        known = self._counted.get(source.uri)
        if known is None or known.before is not source:
            # Of a cold source this is good enough for a list; whoever asks about the session gets it from the whole.
            after = msgspec.structs.replace(source, transcript=extend(source.transcript, self._records[source.uri]))
            known = _Counted(source, after, session_id_of(source) != session_id_of(after))
            self._counted[source.uri] = known
        return known


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
