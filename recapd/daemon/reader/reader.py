"""Has sessions read: one at a time, when they have been quiet for a while, when somebody looks, when somebody asks.

    Step ─changed()─▶ the session is quiet ─run()─▶ something new? ─▶ flight: read piece by piece ─▶ Durable
    reading/start ───────────────────────────▲

Off unless the user switched it on; whatever fails changes nothing but what the status says. Must not know what is read.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

import anyio
import msgspec
from anyio.from_thread import BlockingPortal
from msgspec import Struct

from recapd.core.log import seconds_between
from recapd.core.reading import unread_messages
from recapd.core.settings import Settings
from recapd.core.state import Session, World, last_active, session_of
from recapd.daemon.clock import Clock, LoopClock
from recapd.daemon.engine import SettingsChanged, Step
from recapd.daemon.models import Model, ModelFailure, midnight_after
from recapd.daemon.reader.flight import Cost, estimate, note_failure, read_session
from recapd.server.durable import Durable
from recapd.server.reading import model_of, progress_of, unread_turns
from recapd.server.service import Service, judged
from recapd.server.threads import in_thread
from recapd.wire.errors import RecapError
from recapd.wire.types import (
    ReadingStartParams,
    ReadingStartResult,
    ReadingState,
    ReadingStatus,
    ReadingStopResult,
    SessionSelector,
)

log = logging.getLogger(__name__)

# Who looks wants to know soon, but an agent that works logs more often than this.
LOOKED_QUIET_S: Final = 10.0
# While logs are read for the first time there is nothing to be early for; and when a model is left alone.
LOOK_AGAIN_S: Final = 5.0
# Sessions nobody touched for so long are read when somebody asks for it.
RECENT_S: Final = 24 * 3600.0
# An answer that is none may be one the next time; after that it waits until there is more to read, or somebody asks.
_MOST_TRIES: Final = 2
# What fails because of what is read, and not because of who reads.
_OF_THE_PIECE: Final = ("badAnswer", "empty", "truncated", "refused", "degenerate")


class _Flight:
    """A session that is to be read because somebody asked, or is being read."""

    def __init__(self, selector: SessionSelector, *, is_asked: bool) -> None:
        self.selector = selector
        self.is_asked = is_asked
        self.scope = anyio.CancelScope()
        self.is_begun = False
        self.done = 0
        self.pieces = 0


class _Failed(Struct, frozen=True):
    reason: str
    # How much was said by then, and how often that was tried.
    said: int
    tries: int


class Reader:
    """All reading of one daemon. Lives on the loop; `look` is called in threads."""

    def __init__(
        self,
        service: Callable[[], Service],
        durable: Durable,
        *,
        settings: Callable[[Session], Settings],
        model: Model,
        now: Callable[[], str],
        portal: BlockingPortal | None = None,
        is_quiescent: Callable[[], bool] = lambda: True,
        clock: Clock | None = None,
    ) -> None:
        self._service = service
        self._durable = durable
        self._settings = settings
        self.model = model
        self._now = now
        self._portal = portal
        self._is_quiescent = is_quiescent
        self._clock: Clock = clock or LoopClock()
        # By session: when it is due.
        self._waiting: dict[str, float] = {}
        self._asked: dict[str, _Flight] = {}
        self._flying: tuple[str, _Flight] | None = None
        self._failed: dict[str, _Failed] = {}
        self._news = anyio.Event()

    @property
    def depth(self) -> int:
        """Sessions that wait to be read, or are."""
        return len(self._waiting) + len(self._asked) + (self._flying is not None)

    # ---- what sets it off

    def changed(self, step: Step) -> None:
        if isinstance(step.change, SettingsChanged):
            self._settings_changed(step.world)
        for delta in step.deltas:
            settings = self._settings_in(step.world, delta.session_id)
            if settings is not None and _is_on(settings):
                self._waiting[delta.session_id] = self._clock.now() + settings.reading.quiet_s
                self._news.set()

    def _settings_in(self, world: World, session_id: str) -> Settings | None:
        session = session_of(world, session_id)
        return self._settings(session) if session is not None else None

    def look(self, session: Session) -> None:
        """Somebody looks at a session. In a thread."""
        if self._portal is None or not _is_on(self._settings(session)):
            return
        if unread_messages(session.main.transcript, session.reading) is not None:
            self._portal.start_task_soon(self._looked, session.id)

    def _looked(self, session_id: str) -> None:
        soon = self._clock.now() + LOOKED_QUIET_S
        self._waiting[session_id] = min(self._waiting.get(session_id, soon), soon)
        self._news.set()

    def _settings_changed(self, world: World) -> None:
        """What was switched off is given up at once; what was in the way may be gone."""
        self.model.forget_trouble()
        self._failed.clear()
        if self._flying is not None:
            session_id, flight = self._flying
            settings = self._settings_in(world, session_id)
            if settings is not None and not (_is_on(settings) or (flight.is_asked and _has_model(settings))):
                log.info("reading given up", extra={"cause": "switched off"})
                flight.scope.cancel()
        self._news.set()

    # ---- on request

    async def start(self, session: Session, params: ReadingStartParams) -> ReadingStartResult:
        """`reading/start`: how far it is and what the rest will cost; it is begun where that is wanted."""
        service = self._service()
        session = judged(service, session)
        if not _has_model(self._settings(session)):
            return self._started(session, "off", message=_NO_MODEL)
        running = self._flight_of(session.id)
        if running is not None:
            return self._started(session, "reading" if running.is_begun else "waiting", flight=running)
        cost = await in_thread(lambda: estimate(service, session), abandon_on_cancel=True)
        if not cost.pieces:
            return self._started(session, "done")
        if params.dry_run:
            failed = session.id in self._failed
            return self._started(session, "failed" if failed else "unread", cost=cost)
        self._failed.pop(session.id, None)
        flight = _Flight(_selector_of(service, session), is_asked=True)
        flight.pieces = cost.pieces
        self._asked[session.id] = flight
        self._news.set()
        return self._started(session, "waiting", cost=cost)

    async def stop(self, session: Session) -> ReadingStopResult:
        """`reading/stop`: what was read so far is kept."""
        session = judged(self._service(), session)
        flight = self._flight_of(session.id)
        if flight is not None:
            self._asked.pop(session.id, None)
            flight.scope.cancel()
        self._waiting.pop(session.id, None)
        state = "done" if unread_turns(session, session.reading) == 0 else "unread"
        found = progress_of(session, self._settings(session), state=state)
        return msgspec.convert(found, ReadingStopResult, from_attributes=True)

    def _flight_of(self, session_id: str) -> _Flight | None:
        if self._flying is not None and self._flying[0] == session_id:
            return self._flying[1]
        return self._asked.get(session_id)

    def _started(
        self,
        session: Session,
        state: ReadingState,
        *,
        cost: Cost | None = None,
        flight: _Flight | None = None,
        message: str | None = None,
    ) -> ReadingStartResult:
        pieces = flight.pieces if flight is not None else cost.pieces if cost is not None else 0
        trouble = str(self.model.trouble) if state == "failed" and self.model.trouble is not None else None
        return msgspec.structs.replace(
            progress_of(session, self._settings(session), state=state),
            pieces=pieces,
            pieces_done=flight.done if flight is not None else 0,
            tokens=cost.tokens if cost is not None else None,
            usd=round(cost.usd, 4) if cost is not None else None,
            message=message or trouble,
        )

    # ---- the work

    async def run(self) -> None:
        """Read whatever becomes due, one after another, until cancelled."""
        while True:
            self._news = anyio.Event()
            taken = self._next()
            if taken is None:
                await self._clock.wait(self._news, self._next_look())
                continue
            self._flying = taken
            try:
                await self._fly(*taken)
            finally:
                self._flying = None

    def _next(self) -> tuple[str, _Flight] | None:
        for session_id in self._asked:
            return session_id, self._asked.pop(session_id)
        now = self._clock.now()
        if not self._is_quiescent() or self.model.is_backing_off:
            return None
        due = [(at, session_id) for session_id, at in self._waiting.items() if at <= now]
        if not due:
            return None
        session_id = min(due)[1]
        del self._waiting[session_id]
        return session_id, _Flight(SessionSelector(id=session_id), is_asked=False)

    def _next_look(self) -> float | None:
        if not self._waiting:
            return None
        if not self._is_quiescent() or self.model.is_backing_off:
            return self._clock.now() + LOOK_AGAIN_S
        return min(self._waiting.values())

    async def _fly(self, session_id: str, flight: _Flight) -> None:
        try:
            with flight.scope:
                await self._read(session_id, flight)
        except ModelFailure as failure:
            await self._note_failure(session_id, flight, failure.reason)
        except RecapError as error:
            # The log is gone, or the disk is full: the next change tries again.
            log.warning("reading failed", extra={"code": error.code})
        except Exception as error:
            # A bug of ours must not end the daemon. Its message may hold log text, so only its type is logged.
            log.error("reading failed", extra={"error": type(error).__name__})

    async def _read(self, session_id: str, flight: _Flight) -> None:
        service = self._service()

        def find() -> Session | None:
            if not flight.is_asked:
                # Told from the head: after the first reading there are thousands of old ones, and all of them on disk.
                head = service.listed(session_id)
                idle = seconds_between(last_active(head, service.now()), service.now()) if head is not None else None
                if head is None or (idle is not None and idle > RECENT_S):
                    return None
            session = judged(service, service.session(flight.selector, None))
            return session if flight.is_asked or self._may_be_read(service, session) else None

        session = await in_thread(find, abandon_on_cancel=True)
        if session is None:
            return
        flight.is_begun = True

        def told(done: int, pieces: int) -> None:
            flight.done, flight.pieces = done, pieces

        read = await read_session(service, self._durable, self.model, session, on_piece=told)
        self._failed.pop(session_id, None)
        if read is not None and flight.done:
            log.info("read", extra={"pieces": flight.done, "decisions": len(read.decisions), "dropped": read.dropped})

    def _may_be_read(self, service: Service, session: Session) -> bool:
        if not _is_on(service.settings(session)) or session.main.is_gone:
            return False
        if unread_messages(session.main.transcript, session.reading) is None:
            return False
        failed = self._failed.get(session.id)
        said = len(session.main.transcript.passages)
        return failed is None or failed.said != said or failed.tries < _MOST_TRIES

    async def _note_failure(self, session_id: str, flight: _Flight, reason: str) -> None:
        service = self._service()

        def note() -> int:
            note_failure(self._durable, session_id, reason)
            return len(service.session(flight.selector, None).main.transcript.passages)

        try:
            said = await in_thread(note)
        except RecapError:
            log.warning("audit failed")
            return
        before = self._failed.get(session_id)
        is_again = before is not None and before.said == said and reason in _OF_THE_PIECE
        self._failed[session_id] = _Failed(reason, said, before.tries + 1 if before is not None and is_again else 1)
        if not flight.is_asked and session_id not in self._waiting:
            self._waiting[session_id] = self._clock.now() + self._pause_after(reason)

    def _pause_after(self, reason: str) -> float:
        """What is spent stays spent until midnight: to look earlier costs reading the log, and finds the same."""
        if reason != "budget":
            return LOOK_AGAIN_S
        now = self._now()
        return seconds_between(now, midnight_after(now)) or LOOK_AGAIN_S

    # ---- how it stands

    def status(self, settings: Settings) -> ReadingStatus:
        tokens, usd, calls = self.model.budget.today("reading") if _has_model(settings) else (0, 0.0, 0)
        limits = settings.reading
        return ReadingStatus(
            enabled=_is_on(settings),
            by=settings.llm.provider,
            model=model_of(settings) if settings.llm.takes_model else None,
            waiting=self.depth,
            spent_tokens=tokens,
            limit_tokens=limits.max_tokens_per_day or None,
            spent_usd=round(usd, 6),
            limit_usd=limits.max_usd_per_day or None,
            calls=calls,
            resets_at=midnight_after(self._now()),
            message=str(self.model.trouble) if self.model.trouble is not None else None,
        )


_NO_MODEL: Final = "No reader is set up; name one with llm.provider, see: recapd config llm --explain"


def _selector_of(service: Service, session: Session) -> SessionSelector:
    """A log that was named by its path may not be followed."""
    if service.listed(session.id) is not None:
        return SessionSelector(id=session.id)
    return SessionSelector(log=session.main.uri)


def _has_model(settings: Settings) -> bool:
    return settings.llm.provider != "none"


def _is_on(settings: Settings) -> bool:
    return settings.reading.enabled and _has_model(settings)
