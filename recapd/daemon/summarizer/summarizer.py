"""Makes rolling summaries while conversations go on: one at a time for each session, never in anybody's way.

    Step ─changed()─▶ the session settles ─run()─▶ due? ─▶ thread: read, draft ─▶ model, or without ─▶ Durable

Whatever comes while one is made is looked at when it is done: rapid messages make one summary, not many. One whose
messages changed under it, or whose session was switched off, is given up. Must not know what a summary says; whoever
keeps it says that the session changed by it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

import anyio

from recapd.core.log import seconds_between
from recapd.core.state import Session, Source, World, last_active
from recapd.core.summaries import (
    MIN_PENDING,
    Draft,
    Due,
    RollingSummary,
    by_model,
    extractive,
    on_request,
    prompt_of,
    still_holds,
)
from recapd.core.text import presentable
from recapd.daemon.clock import Clock, LoopClock, Settling
from recapd.daemon.engine import SettingsChanged, Step
from recapd.daemon.models import IN_WORDS, Model, ModelFailure
from recapd.daemon.summarizer.digest import digest
from recapd.server.durable import AuditAction, Durable
from recapd.server.service import Service
from recapd.server.summarizing import describe_creation, draft_for, is_due, keep_summary, summaries_of
from recapd.server.threads import in_thread
from recapd.wire.errors import RecapError, summary_unavailable
from recapd.wire.types import (
    SessionSelector,
    SummaryCreateParams,
    SummaryCreateResult,
    SummaryDigestParams,
    SummaryDigestResult,
)

log = logging.getLogger(__name__)
T = TypeVar("T")

# An agent that works logs more often than this; its turn is over when it does not.
QUIET_S = 3.0
MAX_S = 60.0
# While logs are read for the first time there is nothing to be early for.
LOOK_AGAIN_S = 1.0
# Reading and drafting holds the interpreter; more at once would only make each other and the loop wait.
AT_ONCE = 2
# Sessions nobody touched for so long get a summary when somebody asks for one.
RECENT_S = 24 * 3600.0
# What a request may take besides the model's own deadline.
EXTRA_S = 30.0


class _Flight:
    """A summary being made."""

    def __init__(self, *, is_asked: bool) -> None:
        self.scope = anyio.CancelScope()
        self.is_asked = is_asked
        # What it is made of; another means that it is of messages that are no more.
        self.made_of: tuple[str, int] | None = None
        self.uses_model = False


class Summarizer:
    """All rolling summaries of one daemon."""

    def __init__(
        self,
        service: Callable[[], Service],
        durable: Durable,
        *,
        model: Model,
        now: Callable[[], str],
        is_quiescent: Callable[[], bool] = lambda: True,
        clock: Clock | None = None,
    ) -> None:
        self._service = service
        self._durable = durable
        self.model = model
        self._now = now
        self._is_quiescent = is_quiescent
        self._clock: Clock = clock or LoopClock()
        self._waiting: dict[str, Settling] = {}
        self._flights: dict[str, _Flight] = {}
        self._asking: dict[str, anyio.Lock] = {}
        self._news = anyio.Event()
        self._room = anyio.CapacityLimiter(AT_ONCE)

    @property
    def depth(self) -> int:
        """Sessions that wait to be looked at, or are."""
        return len(self._waiting) + len(self._flights)

    @property
    def in_flight(self) -> tuple[str, ...]:
        return tuple(self._flights)

    def changed(self, step: Step) -> None:
        """Sessions changed, or the settings."""
        for delta in step.deltas:
            self._note(delta.session_id, step.world)
        if isinstance(step.change, SettingsChanged):
            self.settings_changed()

    def _note(self, session_id: str, world: World) -> None:
        """Quick: whether anything is due is found out later."""
        flight = self._flights.get(session_id)
        if flight is not None and flight.made_of is not None and flight.made_of != made_of(world, session_id):
            log.info("summary given up", extra={"cause": "the log was rewritten or rewound"})
            flight.scope.cancel()
        if not may_be_due(world, session_id, self._now()):
            return
        settling = self._waiting.setdefault(session_id, Settling(QUIET_S, MAX_S))
        settling.changed(self._clock.now())
        self._news.set()

    def settings_changed(self) -> None:
        """What was switched off is given up at once; what was in the way may be gone."""
        self.model.forget_trouble()
        service = self._service()
        for session_id, flight in self._flights.items():
            try:
                settings = service.settings(service.session(SessionSelector(id=session_id), None))
            except RecapError:
                continue
            is_off = not settings.summary.enabled and not flight.is_asked
            if is_off or (flight.uses_model and settings.llm.provider == "none"):
                log.info("summary given up", extra={"cause": "switched off"})
                flight.scope.cancel()

    async def run(self) -> None:
        """Make whatever becomes due, until cancelled."""
        async with anyio.create_task_group() as group:
            while True:
                self._news = anyio.Event()
                await self._clock.wait(self._news, self._next_look())
                if not self._is_quiescent():
                    continue
                now = self._clock.now()
                for session_id, settling in list(self._waiting.items()):
                    is_settled = settling.due is not None and settling.due <= now
                    if is_settled and session_id not in self._flights:
                        del self._waiting[session_id]
                        self._flights[session_id] = flight = _Flight(is_asked=False)
                        group.start_soon(self._fly, session_id, flight)

    def _next_look(self) -> float | None:
        if not self._waiting:
            return None
        if not self._is_quiescent():
            return self._clock.now() + LOOK_AGAIN_S
        dues = [each.due for name, each in self._waiting.items() if name not in self._flights]
        return min((due for due in dues if due is not None), default=None)

    async def _fly(self, session_id: str, flight: _Flight) -> None:
        try:
            with flight.scope:
                async with self._room:
                    await self._make_if_due(session_id, flight)
        except RecapError as error:
            # The log is gone, or the disk is full: the next change tries again.
            log.warning("summary failed", extra={"code": error.code})
            await self._audit(session_id, AuditAction.SUMMARY_FAILED, str(error.code))
        except Exception as error:
            # A bug of ours must not end the daemon. Its message may hold log text, so only its type is logged.
            log.error("summary failed", extra={"error": type(error).__name__})
            await self._audit(session_id, AuditAction.SUMMARY_FAILED, type(error).__name__)
        finally:
            if self._flights.get(session_id) is flight:
                del self._flights[session_id]
            self._news.set()

    async def _make_if_due(self, session_id: str, flight: _Flight) -> None:
        service = self._service()

        def look() -> tuple[Session, Due] | None:
            # Told from the head: after the first reading there are thousands of old ones, and all of them on disk.
            head = service.listed(session_id)
            idle = seconds_between(last_active(head, service.now()), service.now()) if head is not None else None
            if idle is not None and idle > RECENT_S:
                return None
            session = service.session(SessionSelector(id=session_id), None)
            wanted = is_due(service, session)
            return (session, wanted) if wanted is not None else None

        found = await self._in_thread(look)
        if found is not None:
            session, wanted = found
            await self._make(service, session, wanted, flight=flight)

    async def create(self, session: Session, params: SummaryCreateParams) -> SummaryCreateResult:
        """`summary/create`: now, whatever is due. RecapError where there is nothing to say, or it takes too long."""
        lock = self._asking.setdefault(session.id, anyio.Lock())
        service = self._service()
        settings = service.settings(session)
        try:
            with anyio.fail_after(settings.llm.timeout_s + EXTRA_S):
                async with lock:
                    running = self._flights.get(session.id)
                    if running is not None:
                        # This one covers at least as much.
                        running.scope.cancel()
                    self._flights[session.id] = flight = _Flight(is_asked=True)
                    try:
                        return await self._create(service, session, params, flight)
                    finally:
                        if self._flights.get(session.id) is flight:
                            del self._flights[session.id]
                        self._news.set()
        except TimeoutError:
            raise summary_unavailable("timeout") from None

    async def digest(self, session: Session, params: SummaryDigestParams) -> SummaryDigestResult:
        """`summary/digest`: nothing is kept of it."""
        return await digest(self._service(), session, params, self.model)

    async def _create(
        self, service: Service, session: Session, params: SummaryCreateParams, flight: _Flight
    ) -> SummaryCreateResult:
        made: RollingSummary | None = None
        with flight.scope:
            chain = await self._in_thread(lambda: summaries_of(service, session))
            wanted = on_request(session.main.transcript, chain[-1] if chain else None, service.settings(session))
            if wanted is not None:
                made = await self._make(
                    service, session, wanted, flight=flight, focus=params.focus or "", model=params.model or ""
                )
        if made is None:
            raise summary_unavailable("disabled" if flight.scope.cancel_called else "nothing")
        number = 1 + sum(each.coverage.last < made.coverage.first for each in chain)
        return describe_creation(session, made, number=number)

    async def _make(
        self, service: Service, session: Session, wanted: Due, *, flight: _Flight, focus: str = "", model: str = ""
    ) -> RollingSummary | None:
        """None where there is nothing to summarise, or the messages changed meanwhile."""
        source = session.main
        flight.made_of = (source.generation, source.transcript.totals.abandoned_turns)
        draft = await self._in_thread(lambda: draft_for(service, session, wanted, focus=focus))
        if draft is None:
            return None
        made = await self._written(draft, session.id, flight=flight, model=model)
        if made is None or not await self._in_thread(lambda: self._is_still_so(session, made)):
            return None
        # From here on it is a matter of milliseconds, and half of it must not be kept.
        with anyio.CancelScope(shield=True):
            await self._in_thread(lambda: self._keep(session.id, made, wanted))
        log.info(
            "summary made", extra={"messages": made.coverage.messages, "method": made.method, "cause": wanted.cause}
        )
        return made

    async def _written(self, draft: Draft, session_id: str, *, flight: _Flight, model: str) -> RollingSummary | None:
        llm = draft.material.settings.llm
        if llm.provider == "none":
            note = f"No model was asked: {IN_WORDS['disabled']}." if model else ""
            return extractive(draft, note=note)
        flight.uses_model = True
        # Somebody may paste anything where a model's name belongs, and it is written down.
        name = presentable(model or llm.model)
        try:
            prose = await self.model.ask(session_id, prompt_of(draft), llm, model=name, is_urgent=flight.is_asked)
        except ModelFailure as failure:
            return extractive(draft, note=f"No model wrote this: {failure}.")
        return by_model(draft, prose, name)

    def _is_still_so(self, session: Session, made: RollingSummary) -> bool:
        try:
            now = self._service().session(SessionSelector(id=session.id), None)
        except RecapError:
            # A log that was named by its path and is not followed.
            return True
        return still_holds(made.coverage, now.main.transcript)

    def _keep(self, session_id: str, made: RollingSummary, wanted: Due) -> None:
        keep_summary(self._durable, session_id, made, wanted)

    async def _audit(self, session_id: str, action: str, detail: str) -> None:
        try:
            await self._in_thread(lambda: self._durable.audit(session_id, action, detail))
        except RecapError:
            log.warning("audit failed")

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await in_thread(work, abandon_on_cancel=True)


# ---- what is seen of a session at a glance, from the heads of its sources: no log, no state, no thread


def may_be_due(world: World, session_id: str, now: str) -> bool:
    """A quick no: at the start thousands of sessions are read, and nearly all are long over."""
    known = [each.transcript for each in _sources(world, session_id)]
    if not known or max(each.totals.messages for each in known) < MIN_PENDING:
        return False
    idle = seconds_between(max(each.last_at for each in known), now)
    return idle is None or idle <= RECENT_S


def made_of(world: World, session_id: str) -> tuple[str, int] | None:
    """Generation and abandoned turns of the log that stands for a session: what cannot change without a rewrite."""
    sources = _sources(world, session_id)
    own = [each for each in sources if not each.transcript.subagent] or sources
    if not own:
        return None
    main = max(own, key=lambda each: each.transcript.totals.records)
    return main.generation, main.transcript.totals.abandoned_turns


def _sources(world: World, session_id: str) -> list[Source]:
    members = world.members.get(session_id)
    return [world.sources[key] for key in members.keys] if members is not None else []
