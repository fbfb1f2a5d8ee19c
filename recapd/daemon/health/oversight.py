"""Looks after the daemon's health: asks its parts how far they are, judges it, and has it told when it changes.

    parts ─▶ Condition ─────▶ findings ─▶ recapd/status, and recapd/didChangeStatus when the worst of them is another
    world ─▶ Understanding ─┘

Lives on the loop; the walk over all sources is done in a thread, and again only when something was read since.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from msgspec import Struct

from recapd.core.log import from_epoch
from recapd.core.state import Understanding, World, measure_understanding
from recapd.daemon.ahead import Ahead
from recapd.daemon.clock import WallClock
from recapd.daemon.engine import Engine, StatusMoved
from recapd.daemon.following import Lagging, Tailer
from recapd.daemon.health.findings import Condition, Stuck, Unread, findings_of, health_of, in_one_sentence
from recapd.daemon.health.status import FileProgress, Vitals, resident_bytes, root_status, status_of
from recapd.daemon.hub import Hub
from recapd.daemon.live_configuration import LiveConfiguration
from recapd.daemon.log_files import TailState
from recapd.daemon.reader import Reader
from recapd.daemon.recap_file import RecapFiles
from recapd.daemon.store import Keeping, KeepingNothing
from recapd.daemon.summarizer import Summarizer
from recapd.server.threads import in_thread
from recapd.server.workspaces import path_of
from recapd.wire.types import (
    QueueStatus,
    RecapdStatusParams,
    RecapdStatusResult,
    RootStatus,
    StatusFinding,
)

# Nothing that is judged here turns bad within seconds, and an idle daemon should not wake up for nothing.
LOOK_S = 15.0
# After a machine slept, hours have passed in which nobody could do anything: so many of our own rounds must have passed
# too. Everything is looked at every second round.
ROUNDS = 4
# The walk over all sources takes 5 ms for a thousand; for answers it takes at most this share of the loop's time.
BUSY_SHARE = 0.05
_MEGABYTE = 1_000_000


class Parts(Struct, frozen=True):
    """Whom to ask."""

    engine: Engine
    tailer: Tailer
    configuration: LiveConfiguration
    keeping: Keeping | KeepingNothing
    hub: Hub
    recap_files: RecapFiles
    summarizer: Summarizer
    reader: Reader
    ahead: Ahead
    clients: Callable[[], int]
    instance_id: str
    started_at: str


class Oversight:
    """`run` it in a task; everything else is called on the loop."""

    def __init__(self, parts: Parts, *, clock: WallClock) -> None:
        self._parts = parts
        self._clock = clock
        self._began_ns = clock.time_ns()
        self._world: World | None = None
        self._understanding = Understanding()
        self._cover_again = 0.0
        # What stood when reading last moved on, and when that was.
        self._moved: tuple[int, ...] = ()
        self._moved_ns = self._began_ns
        self._still_rounds = 0
        self._looked_ns = 0
        self._unlooked_rounds = 0
        self._told: tuple[StatusFinding, str] | None = None

    async def run(self) -> None:
        """Until cancelled."""
        while True:
            await self._clock.sleep(LOOK_S)
            self._parts.keeping.look_after_files()
            await self._parts.recap_files.look_after_list()
            world = self._parts.engine.world
            if world is not self._world:
                self._understanding = await in_thread(
                    measure_understanding, tuple(world.sources.values()), abandon_on_cancel=True
                )
                self._world = world
            self._count_round()
            before = self._told
            self.health()
            if before != self._told:
                self._parts.engine.apply(StatusMoved())

    def health(self) -> tuple[str, str | None]:
        """The whole in one word, and the worst that is amiss in one sentence."""
        health, worst = health_of(self._findings())
        if worst is None:
            self._told = None
            return health, None
        # How much is amiss may grow by the minute; that it is, is told once.
        if self._told is None or _subject(self._told[0]) != _subject(worst):
            self._told = (worst, in_one_sentence(worst))
        return health, self._told[1]

    def describe(self, params: RecapdStatusParams) -> RecapdStatusResult:
        parts = self._parts
        world = parts.engine.world
        if world is not self._world and time.perf_counter() >= self._cover_again:
            began = time.perf_counter()
            self._world, self._understanding = world, measure_understanding(world.sources.values())
            ended = time.perf_counter()
            self._cover_again = ended + (ended - began) / BUSY_SHARE
        settings = parts.configuration.current.settings
        stuck = {state.uri: lag for _, state, lag in self._stuck()}
        vitals = Vitals(
            instance_id=parts.instance_id,
            started_at=parts.started_at,
            indexing=parts.tailer.indexing(),
            roots=self._roots(),
            progress=lambda uri: self._progress(uri, stuck.get(uri)),
            stuck=frozenset(stuck),
            queues=self._queues(),
            clients=parts.clients(),
            findings=self._findings(),
            store=parts.keeping.status(),
            memory_limit=parts.keeping.memory_limit(),
            summary_budget=parts.summarizer.model.spending(settings.llm),
            reading=parts.reader.status(settings),
        )
        return status_of(world, self._understanding, vitals, params)

    def _findings(self) -> tuple[StatusFinding, ...]:
        parts, tailer = self._parts, self._parts.tailer
        self._note_progress()
        waiting = self._waiting()
        condition = Condition(
            now_ns=self._clock.time_ns(),
            watching=tuple(dict.fromkeys(state.trouble for state in tailer.watched() if state.trouble is not None)),
            # Of what cannot be read it is said why.
            stuck=tuple(
                Stuck(state.uri, lag.size - state.end, lag.since_ns)
                for _, state, lag in self._stuck()
                if state.refusal is None
            ),
            unreadable=tuple(
                Unread(state.uri, state.refusal)
                for _, state in tailer.files()
                if state.refusal is not None and state.refusal.cause in ("unreadable", "fault")
            ),
            unreadable_folders=tailer.looks.unreadable_folders,
            waiting=waiting,
            still_since_ns=self._moved_ns if waiting and self._still_rounds >= ROUNDS else 0,
            looked_ns=(tailer.looks.looked_ns or self._began_ns) if self._unlooked_rounds >= ROUNDS else 0,
            resident_bytes=resident_bytes(),
            memory_limit=parts.configuration.current.settings.store.memory_mb * _MEGABYTE,
            store=parts.keeping.troubles,
            configuration=parts.configuration.troubles,
            recap_files=parts.recap_files.troubles,
            summaries=parts.summarizer.model.trouble,
            reading=parts.reader.model.trouble,
        )
        return findings_of(condition, self._understanding)

    def _waiting(self) -> int:
        indexing = self._parts.tailer.indexing()
        return self._parts.tailer.queue_depth + indexing.total - indexing.done

    def _count_round(self) -> None:
        looked_ns = self._parts.tailer.looks.looked_ns
        self._unlooked_rounds = self._unlooked_rounds + 1 if looked_ns == self._looked_ns else 0
        self._looked_ns = looked_ns
        self._still_rounds += 1
        self._note_progress()

    def _note_progress(self) -> None:
        tailer = self._parts.tailer
        indexing = tailer.indexing()
        # News is read while the first reading goes on; that must not hide that the first reading does not.
        if indexing.done < indexing.total:
            now: tuple[int, ...] = (indexing.done, indexing.total)
        else:
            depth = tailer.queue_depth
            now = (depth, sum(state.end for _, state in tailer.files()), 0) if depth else ()
        if now != self._moved or not now:
            self._moved, self._moved_ns = now, self._clock.time_ns()
            self._still_rounds = 0

    def _stuck(self) -> tuple[tuple[str, TailState, Lagging], ...]:
        tailer = self._parts.tailer
        return tuple(tailer.looks.stuck(tailer.state_of, now_ns=self._clock.time_ns()))

    def _progress(self, uri: str, lag: Lagging | None) -> FileProgress | None:
        path = path_of(uri)
        state = self._parts.tailer.state_of(path)
        if state is None or not state.format:
            return None
        size = max(state.stamp.size, self._parts.tailer.looks.size_of(path))
        return FileProgress(state.end, size, from_epoch(lag.since_ns / 1e9) if lag is not None else "")

    def _roots(self) -> tuple[RootStatus, ...]:
        looked_ns = self._parts.tailer.looks.looked_ns
        return tuple(root_status(progress, looked_ns=looked_ns) for progress in self._parts.tailer.roots())

    def _queues(self) -> tuple[QueueStatus, ...]:
        parts, hub = self._parts, self._parts.hub
        return (
            QueueStatus(name="files", depth=self._waiting()),
            *parts.keeping.queues(),
            QueueStatus(name="summaries", depth=parts.summarizer.depth),
            QueueStatus(name="reading", depth=parts.reader.depth),
            QueueStatus(name="decisions", depth=parts.ahead.depth),
            QueueStatus(name="mailboxes", depth=hub.waiting, capacity=hub.subscriptions),
        )


def _subject(finding: StatusFinding) -> tuple[str | None, ...]:
    """What a finding is about, however much of it there is."""
    counts = finding.kind in ("unknownRecords", "newShape", "emptyFields", "sourceStuck", "readingStuck", "notLooked")
    said = None if counts or finding.kind in ("unreadable", "memory") else finding.message
    return finding.kind, finding.level, finding.source, finding.agent, finding.agent_version, said
