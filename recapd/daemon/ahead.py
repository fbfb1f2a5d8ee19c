"""Makes ahead what takes long to make of a session, before anybody asks: above all its decisions are judged.

    Step ─changed()─▶ sessions that wait ─run()─▶ the newest ─▶ what the store has of it
                                                              ─▶ the rest: a process of the lowest priority ─▶ the store
                                                              └▶ of those at work: ledger, words and recap, in a thread

The newest session first, each once: what was judged is kept on disk, and of a session that went on only what changed is
judged again. Nothing here is in the way of reading or answering. Must not know what a decision is.
"""

from __future__ import annotations

import logging
import time
from bisect import insort
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from heapq import heapify, heappop, heappush
from typing import Final, Protocol

import anyio
import anyio.lowlevel
from anyio.from_thread import BlockingPortal

from recapd.core.decisions import Finding, Scene, is_judged, judge, keep_judged, ledger_of, settle, unjudged_scenes
from recapd.core.log import seconds_between
from recapd.core.state import Memory, Session, Source, World, last_active
from recapd.core.views.recap import make_ahead, recap_of
from recapd.daemon.clock import Clock, LoopClock
from recapd.daemon.encoding import JudgedRow, findings_in, judged_row
from recapd.daemon.engine import Engine, SessionJudged, Step
from recapd.daemon.following import IDLE_S, ParseProcess, WorkerDied
from recapd.daemon.snapshot import Snapshot
from recapd.server.recaps import usual_page
from recapd.server.service import judged as with_verdicts
from recapd.server.threads import in_thread
from recapd.wire.errors import RecapError

log = logging.getLogger(__name__)

# An agent at work logs several records in this time.
QUIET_S: Final = 0.5
# While logs are read for the first time there is nothing to be early for.
LOOK_AGAIN_S: Final = 1.0
# What is judged is written down with its source, which is written a second after it changed.
# What fails is tried again, after twice as long each time.
WRITE_AGAIN_S: Final = 3.0
MAX_TRIES: Final = 5
# Of sessions nobody touched for so long, what was judged is on disk, and the rest is made when somebody asks.
RECENT_S: Final = 24 * 3600.0
# Whatever else runs on the machine comes first.
LOWEST_PRIORITY: Final = 19
# Scenes that a process gets at once: some hundred milliseconds.
SCENES: Final = 8
# So long a thread computes before it lets others have a turn, as long again.
PIECE_S: Final = 0.01
MAX_DEATHS: Final = 3
# Turns of a session that is put in order while somebody waits: some twenty milliseconds.
SHORT_TURNS: Final = 64
LATEST_SCENES: Final = 2
# Of no more turns than the last ones that a recap looks at in any case, nothing need be made ahead.
LATEST_TURNS: Final = 12


class Judgements(Protocol):
    """Where it is kept what was judged."""

    def judged_marks(self) -> Mapping[str, str]:
        """By the key of each source that was judged to its end: what it was then."""
        ...

    def judged_of(self, source: Source) -> Mapping[int, JudgedRow]: ...

    def save_judged(self, source: Source, rows: Sequence[JudgedRow], mark: str) -> Future[bool]: ...


class Ahead:
    """Lives on the loop, `run` in a task; `judge_soon` is called in threads."""

    def __init__(
        self,
        snapshot: Callable[[], Snapshot],
        engine: Engine,
        judgements: Judgements,
        *,
        portal: BlockingPortal,
        is_quiescent: Callable[[], bool],
        clock: Clock | None = None,
    ) -> None:
        self._snapshot = snapshot
        self._engine = engine
        self._judgements = judgements
        self._portal = portal
        self._is_quiescent = is_quiescent
        self._clock: Clock = clock or LoopClock()
        # Sessions by id: when each is due, and when it was last active.
        self._waiting: dict[str, tuple[float, str]] = {}
        # The same in order, so that thousands cost no more each than a few: those that are not due yet, the earliest
        # first, and those that are, the latest active last. What was taken meanwhile still stands in them.
        self._to_come: list[tuple[float, str]] = []
        self._due: list[tuple[str, str]] = []
        # Those that somebody waits for.
        self._hurried: dict[str, None] = {}
        # What could not be written down yet, by session.
        self._unwritten: dict[str, list[JudgedRow]] = {}
        # How often that was tried.
        self._tries: dict[str, int] = {}
        # What was judged to its end before the start, so that nobody need look at it again.
        self._marks: Mapping[str, str] = {}
        self._news = anyio.Event()
        self._in_hand = 0
        self._deaths = 0
        self._is_over = False

    @property
    def depth(self) -> int:
        """Sessions of which something is to be made."""
        return len(self._waiting) + self._in_hand

    def changed(self, step: Step) -> None:
        for delta in step.deltas:
            self._note(delta.session_id, step.world)
        self._news.set()

    def judge_soon(self, session: Session) -> None:
        """Somebody asks about it, with whatever is in its memory: what the disk has of decisions is put there, for the
        rest it is the next in turn. In a thread."""
        transcript, memory = session.main.transcript, session.memory
        if session.id in self._hurried:
            return
        # Of a longer one, putting everything in order would keep the asker waiting.
        if len(transcript.turns) <= SHORT_TURNS and self._recall(session):
            settle(transcript, memory)
        if not is_judged(transcript, memory) or _is_told_of_less(session):
            self._portal.start_task_soon(self._hurry, session.id)

    def recall_judged(self, session: Session) -> None:
        """Somebody needs all of its decisions and judges whatever is not judged: what the disk has is put into its
        memory, and in order for the next who asks. In a thread."""
        transcript, memory = session.main.transcript, session.memory
        is_recalled = self._recall(session)
        if not is_judged(transcript, memory):
            self._portal.start_task_soon(self._hurry, session.id)
        elif is_recalled:
            settle(transcript, memory)

    def _recall(self, session: Session) -> bool:
        """Whether the disk had all that the memory had not."""
        transcript, memory = session.main.transcript, session.memory
        scenes = unjudged_scenes(transcript, memory)
        # The latest change with every record, and are sooner judged than looked for.
        if len(scenes) <= LATEST_SCENES:
            return False
        rows = self._judgements.judged_of(session.main)
        return bool(rows) and len(_fill(memory, scenes, rows)) == 0

    def _hurry(self, session_id: str) -> None:
        self._hurried[session_id] = None
        self._waiting.setdefault(session_id, (self._clock.now(), ""))
        self._news.set()

    def _note(self, session_id: str, world: World, *, after_s: float = QUIET_S) -> None:
        members = world.members.get(session_id)
        if members is None:
            self._waiting.pop(session_id, None)
            self._hurried.pop(session_id, None)
            self._unwritten.pop(session_id, None)
            self._tries.pop(session_id, None)
            return
        last = max((world.sources[key].transcript.last_at for key in members.keys), default="")
        known = self._waiting.get(session_id)
        due = known[0] if known is not None else self._clock.now() + after_s
        self._waiting[session_id] = due, last
        if known is None:
            heappush(self._to_come, (due, session_id))
            if 2 * len(self._to_come) > 3 * len(self._waiting):
                # Most of the others were taken before they were due.
                self._to_come = [(at, each) for each, (at, _) in self._waiting.items()]
                heapify(self._to_come)

    async def run(self) -> None:
        """Make whatever is to be made, until cancelled."""
        process = ParseProcess(LOWEST_PRIORITY)
        self._marks = await in_thread(self._judgements.judged_marks)
        try:
            while True:
                session_id = self._next()
                if session_id is not None:
                    await self._make(session_id, process)
                    continue
                self._news = anyio.Event()
                until = self._to_come[0][0] if self._to_come and self._waiting else None
                if self._waiting and not self._is_quiescent():
                    until = self._clock.now() + LOOK_AGAIN_S
                with anyio.move_on_after(IDLE_S if process.pid is not None else None) as patience:
                    await self._clock.wait(self._news, until)
                if patience.cancelled_caught:
                    await process.close()
        finally:
            self._is_over = True
            await process.kill()

    def _next(self) -> str | None:
        """The session that was active last, of those that are due; first those that somebody waits for."""
        now = self._clock.now()
        for session_id in [each for each in self._hurried if each in self._waiting]:
            return session_id
        if not self._is_quiescent():
            return None
        while self._to_come and self._to_come[0][0] <= now:
            at, session_id = heappop(self._to_come)
            waiting = self._waiting.get(session_id)
            if waiting is not None and waiting[0] == at:
                insort(self._due, (waiting[1], session_id))
        if len(self._due) > 2 * len(self._waiting):
            # Most of these were taken, too: while there is always a later one, nobody gets to them.
            latest = {session_id: last for last, session_id in self._due if session_id in self._waiting}
            self._due = sorted((last, session_id) for session_id, last in latest.items())
        while self._due:
            _, session_id = self._due.pop()
            if session_id in self._waiting:
                return session_id
        return None

    async def _make(self, session_id: str, process: ParseProcess) -> None:
        is_asked = session_id in self._hurried
        del self._waiting[session_id]
        self._hurried.pop(session_id, None)
        self._in_hand = 1
        try:
            # Each has its turn, also where there is nothing to do for thousands of them.
            await anyio.lowlevel.checkpoint()
            snapshot = self._snapshot()
            head = snapshot.listed(session_id)
            if head is None:
                return
            is_recent = is_asked or _is_recent(head, snapshot.now())
            if not is_recent and self._marks.get(head.main.key) == _mark_of(head.main):
                return
            # With a memory of its own where nobody will come back to it soon.
            session = await in_thread(_at_work if is_recent else Snapshot.whole_for_once, snapshot, head)
            await self._judge(session, process)
            await self._write(session)
            if not session.memory.is_filled_ahead:
                return
            if await in_thread(self._settle, session):
                self._engine.apply(SessionJudged(session_id))
            was_told_of_less = is_asked and _is_told_of_less(session)
            await in_thread(self._warm, session, abandon_on_cancel=True)
            if was_told_of_less:
                self._engine.apply(SessionJudged(session_id))
            await in_thread(self._recap, session, abandon_on_cancel=True)
        except RecapError as error:
            # Its log is gone, or its state is nowhere: there is nothing to judge.
            log.info("not judged", extra={"code": error.code})
        except Exception as error:
            # A fault of ours must not end the daemon. Its message may hold log text, so only its type is logged.
            log.error("not judged", extra={"error": type(error).__name__})
        finally:
            self._in_hand = 0

    async def _judge(self, session: Session, process: ParseProcess) -> None:
        scenes = await in_thread(self._unjudged, session)
        began, total = time.monotonic(), len(scenes)
        # The latest first: of those somebody may see something before all is done.
        while scenes:
            some, scenes = scenes[-SCENES:], scenes[:-SCENES]
            rows = await in_thread(_keep, session.memory, some, await self._judged(some, process))
            self._unwritten.setdefault(session.id, []).extend(rows)
        if total:
            log.debug("judged", extra={"scenes": total, "ms": round((time.monotonic() - began) * 1_000)})

    def _unjudged(self, session: Session) -> list[Scene]:
        """The scenes that neither the memory nor the disk has judged."""
        scenes = unjudged_scenes(session.main.transcript, session.memory)
        if not scenes:
            return []
        unwritten = {row.number: row for row in self._unwritten.get(session.id, ())}
        return _fill(session.memory, scenes, {**self._judgements.judged_of(session.main), **unwritten})

    async def _judged(self, scenes: Sequence[Scene], process: ParseProcess) -> list[tuple[Finding, ...]]:
        if self._deaths < MAX_DEATHS:
            try:
                found = await process.judge(scenes)
                self._deaths = 0
                if len(found) == len(scenes):
                    return found
            except WorkerDied as error:
                self._deaths += 1
                log.warning("worker died", extra={"reason": str(error), "deaths": self._deaths})
        return await in_thread(lambda: [judge(scene) for scene in scenes])

    async def _write(self, session: Session) -> None:
        rows = self._unwritten.pop(session.id, [])
        saving = self._judgements.save_judged(session.main, rows, _mark_of(session.main))
        try:
            is_written = await in_thread(saving.result)
        except Exception as error:
            # It is judged again after a restart, and nothing else is lost.
            log.info("not written", extra={"error": type(error).__name__})
            return
        tries = self._tries.pop(session.id, 0)
        if not is_written and tries < MAX_TRIES and session.id in self._engine.world.members:
            self._tries[session.id] = tries + 1
            self._unwritten[session.id] = rows
            self._note(session.id, self._engine.world, after_s=WRITE_AGAIN_S * 2**tries)

    def _settle(self, session: Session) -> bool:
        """Put what was judged in order, and have it told from now on; whether somebody was told of less. In a
        thread."""
        ledger_of(session, self._snapshot().settings(session).decisions)
        return settle(session.main.transcript, session.memory)

    def _warm(self, session: Session) -> None:
        """Whatever else takes long, in pieces: beside them others get their turns. In a thread."""
        snapshot = self._snapshot()
        settings, now = snapshot.settings(session), snapshot.now()
        recap = recap_of(session, now, settings.decisions)
        began = time.monotonic()
        for _ in make_ahead(recap):
            if time.monotonic() - began > PIECE_S:
                time.sleep(PIECE_S)
                began = time.monotonic()
            if self._is_over:
                return
        session.memory.part(_Warmed).turns = len(session.main.transcript.turns)

    def _recap(self, session: Session) -> None:
        """What whoever asks where it stands will be told, unless it went on meanwhile: then it has its turn again. In a
        thread."""
        if self._is_over:
            return
        snapshot = self._snapshot()
        head = snapshot.listed(session.id)
        again = _at_work(snapshot, head) if head is not None else None
        if again is None or again.main is not session.main:
            return
        settings, now = snapshot.settings(again), snapshot.now()
        recapped = snapshot.recaps.recall(again, now, settings.decisions, is_warm=True)
        resume = snapshot.resume_command(again) or ""
        for page in ("short", "full"):
            recapped.told(recapped.facts, usual_page(page, settings.recap, now=now, resume=resume))
        _ = recapped.as_data


def _is_recent(session: Session, now: str) -> bool:
    idle_s = seconds_between(last_active(session, now), now)
    return idle_s is not None and idle_s < RECENT_S


class _Warmed:
    """Of a session's memory: of how many turns it has what takes long to make."""

    turns = 0


def _is_told_of_less(session: Session) -> bool:
    """Whether what takes long to make is missing of more than the last turns, of which whoever asks makes it."""
    return session.memory.part(_Warmed).turns + LATEST_TURNS < len(session.main.transcript.turns)


def _at_work(snapshot: Snapshot, session: Session) -> Session:
    return with_verdicts(snapshot, snapshot.complete(session))


def _mark_of(source: Source) -> str:
    """What a source is, as far as its decisions go: with more records there may be more."""
    return f"{source.generation} {source.transcript.totals.records}"


def _keep(memory: Memory, scenes: Sequence[Scene], found: Sequence[tuple[Finding, ...]]) -> list[JudgedRow]:
    """Put into the memory what was found in these scenes; as rows to write down."""
    rows = []
    for scene, findings in zip(scenes, found, strict=True):
        keep_judged(memory, scene, findings)
        rows.append(judged_row(scene, findings))
    return [row for row in rows if row is not None]


def _fill(memory: Memory, scenes: Iterable[Scene], rows: Mapping[int, JudgedRow]) -> list[Scene]:
    """Put into the memory what these rows say of scenes; those of which they say nothing."""
    missing = []
    for scene in scenes:
        findings = findings_in(rows, scene)
        if findings is None:
            missing.append(scene)
        else:
            keep_judged(memory, scene, findings)
    return missing
