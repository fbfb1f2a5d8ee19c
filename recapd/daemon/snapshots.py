"""Snapshots for requests: one serves all of them until the world, the settings or how much is read change."""

from __future__ import annotations

from collections.abc import Callable

from recapd.core.state import Session, World
from recapd.daemon.elsewhere import Elsewhere
from recapd.daemon.engine import HasWorld, Step
from recapd.daemon.listing import Listing
from recapd.daemon.live_configuration import LiveConfiguration
from recapd.daemon.marks import Marks
from recapd.daemon.memories import Memories
from recapd.daemon.snapshot import Behind, JudgesSoon, ReadsSoon, Snapshot
from recapd.daemon.store import Keeping, KeepingNothing
from recapd.daemon.unfinished import Unfinished
from recapd.server.answers import Answers
from recapd.server.attributions import Attributions
from recapd.server.indexes import Indexes
from recapd.server.recaps import Recaps
from recapd.server.rows import Rows
from recapd.server.service import Summarizer, judged


class Snapshots:
    """Where everybody who asks about sessions gets one."""

    def __init__(
        self,
        engine: HasWorld,
        keeping: Keeping | KeepingNothing,
        marks: Marks,
        configuration: LiveConfiguration,
        *,
        elsewhere: Elsewhere,
        summarizer: Summarizer,
        reader: ReadsSoon,
        ahead: JudgesSoon,
        is_quiescent: Callable[[], bool],
        instance_id: str,
        now: Callable[[], str],
    ) -> None:
        self._engine = engine
        self._keeping = keeping
        self._marks = marks
        self._configuration = configuration
        self._elsewhere = elsewhere
        self._summarizer = summarizer
        self._reader = reader
        self._ahead = ahead
        self._is_quiescent = is_quiescent
        self._instance_id = instance_id
        self._now = now
        self._unfinished = Unfinished()
        self._answers = Answers()
        self._answered_by = configuration.current
        self._indexes = Indexes()
        self._rows = Rows()
        self._attributions = Attributions()
        self._listing = Listing()
        self._serial = 0
        self._memories = Memories(are_filled_ahead=True)
        self._recaps = Recaps(self._memories.keeps)
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
            self._serial += 1
            snapshot = Snapshot(
                self._unfinished.counted_in(world),
                behind=Behind(world, world.unfinished, self._keeping),
                instance_id=self._instance_id,
                now=self._now,
                mark=self._marks.get,
                marks=self._marks.of_session,
                moved_marks=self._marks.moved,
                answers=self._answers,
                indexes=self._indexes,
                rows=self._rows,
                recaps=self._recaps,
                attributions=self._attributions,
                listing=self._listing,
                serial=self._serial,
                memories=self._memories,
                durable=self._keeping.store,
                elsewhere=self._elsewhere,
                configured=configured,
                is_complete=is_complete,
                summarizer=self._summarizer,
                reader=self._reader,
                ahead=self._ahead,
            )
            self._latest = (world, is_complete, snapshot)
        return self._latest[2]

    def changed(self, step: Step) -> None:
        """Of sessions that are known no more nothing is remembered."""
        touched = {each for delta in step.deltas for each in (delta.session_id, delta.left)}
        # Not by subtracting the keys: that goes through all of them, for each of thousands of changes.
        gone = {each for each in touched if each and each not in step.world.members}
        if gone:
            self._memories.forget(gone)
            self._recaps.shrink()
            self._rows.forget(gone)
            self._indexes.forget(gone)

    def whole(self, session: Session) -> Session:
        """All that is known of a session, with the user's word on its decisions. In a thread."""
        snapshot = self.take()
        return judged(snapshot, snapshot.whole(session))
