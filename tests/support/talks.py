"""A conversation in a real log that goes on, and a summarizer that follows it by a clock that stands still."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import msgspec

from recapd.core.settings import DEFAULTS, LlmSettings, Settings, SummarySettings, WindowSettings
from recapd.core.state.world import Session, World, session_of
from recapd.core.summaries.record import RollingSummary
from recapd.daemon.engine import Change, Engine, LogRead, Nobody, SessionRevised
from recapd.daemon.log_files.reading import batches, open_log
from recapd.daemon.models.model import Model
from recapd.daemon.models.providers.anthropic_api import AnthropicApi
from recapd.daemon.models.providers.base import Provider
from recapd.daemon.snapshot import Snapshot
from recapd.daemon.store.in_memory import InMemory
from recapd.daemon.summarizer.summarizer import QUIET_S, Summarizer
from recapd.server.durable import Durable
from recapd.server.summarizing import decode_summaries
from tests.support.clock import FakeClock, eventually, everybody_waits
from tests.support.logs import Act, agent, at, claude_log, human

SESSION = "claude-code:5e551011-c0de-4a11-8000-000000000001"
# A made-up key; the service it is sent to stands in the test.
KEY = "test-key-of-nobody"
ENVIRON = {"ANTHROPIC_API_KEY": KEY}


def chat(messages: int, *, first: int = 1, of: str = "") -> list[Act]:
    """So many messages, the user's and the agent's in turn, each with words of its own."""
    return [
        human(f"Please change part {number} of the {of}parser so that it reads case {number}.")
        if number % 2
        else agent(f"Part {number - 1} of the {of}parser now reads case {number - 1}; the tests for it pass.")
        for number in range(first, first + messages)
    ]


class Settled(Snapshot):
    """A snapshot with settings as the test has them now."""

    def __init__(self, world: World, talk: Talk) -> None:
        super().__init__(world, instance_id="test", now=talk.now, durable=talk.durable)
        self.settings = lambda session: talk.settings


class Made(Nobody):
    """Notes which sessions got a summary."""

    def __init__(self, done: list[str]) -> None:
        super().__init__()
        self._done = done

    def apply(self, change: Change) -> None:
        assert isinstance(change, SessionRevised)
        self._done.append(change.session_id)


class Talk:
    """One session, its log, and everything a daemon would have for it."""

    def __init__(self, folder: Path, settings: Settings = DEFAULTS, *, environ: Mapping[str, str] = ENVIRON) -> None:
        self.path = folder / "session.jsonl"
        self.acts: list[Act] = []
        self.settings = settings
        self.clock = FakeClock()
        self.seconds = 0.0
        self.done: list[str] = []
        self.engine = Engine(keeps_vanished=False)
        self.durable: Durable = InMemory(self.now, Made(self.done))
        self.troubles: list[str] = []
        self.pauses: list[float] = []
        self.is_quiescent = True
        self.model = Model(
            self.durable,
            now=self.now,
            clock=self.clock.now,
            provider=lambda llm: self.provider(llm, environ),
            on_trouble=lambda: self.troubles.append(str(self.model.trouble or "")),
        )
        self.summarizer = Summarizer(
            self.snapshot,
            self.durable,
            model=self.model,
            now=self.now,
            is_quiescent=lambda: self.is_quiescent,
            clock=self.clock,
        )
        self.engine.listen("summarizer", self.summarizer.changed)

    @property
    def world(self) -> World:
        return self.engine.world

    def provider(self, llm: LlmSettings, environ: Mapping[str, str]) -> Provider:
        return AnthropicApi(llm, environ, sleep=self._sleep)

    async def _sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        await anyio.lowlevel.checkpoint()

    def now(self) -> str:
        return at(self.seconds)

    def snapshot(self) -> Settled:
        return Settled(self.world, self)

    @property
    def session(self) -> Session:
        found = session_of(self.world, SESSION)
        assert found is not None
        return found

    @property
    def summaries(self) -> tuple[RollingSummary, ...]:
        return decode_summaries(self.durable.summaries(SESSION))

    def say(self, *acts: Act) -> None:
        """The conversation goes on."""
        self.rewrite(*self.acts, *acts)

    def rewrite(self, *acts: Act) -> None:
        """The log says something else from now on."""
        self.acts = list(acts)
        self.path.write_bytes(claude_log(*acts))
        self.seconds = 60.0 * 3 * len(acts)
        self.engine.apply(LogRead(str(self.path), tuple(batches(open_log(self.path)))))
        self.engine.tell_rest()

    def set(self, **llm: object) -> None:
        """Other settings of the model, as the daemon passes them on."""
        changed = msgspec.convert(msgspec.to_builtins(self.settings.llm) | llm, LlmSettings)
        self.settings = msgspec.structs.replace(self.settings, llm=changed)
        self.summarizer.settings_changed()

    def switch(self, *, enabled: bool) -> None:
        summary = msgspec.structs.replace(self.settings.summary, enabled=enabled)
        self.settings = msgspec.structs.replace(self.settings, summary=summary)
        self.summarizer.settings_changed()

    async def settle(self) -> None:
        """Everybody is quiet for long enough, and whatever that sets off comes to its end."""
        self.clock.tick(QUIET_S)
        await everybody_waits()
        await eventually(lambda: self.summarizer.depth == 0)


@asynccontextmanager
async def running(talk: Talk) -> AsyncIterator[Talk]:
    async with anyio.create_task_group() as group:
        group.start_soon(talk.summarizer.run)
        await everybody_waits()
        yield talk
        group.cancel_scope.cancel()


def settings_with(
    *,
    summary: SummarySettings = DEFAULTS.summary,
    window: WindowSettings = DEFAULTS.window,
    llm: LlmSettings = DEFAULTS.llm,
) -> Settings:
    return msgspec.structs.replace(DEFAULTS, summary=summary, window=window, llm=llm)


def model_at(url: str, **changed: object) -> Settings:
    """Everything as by default, but for a model that was switched on and stands at this address."""
    llm = {"provider": "anthropic", "base_url": url, "timeout_s": 10.0, **changed}
    return settings_with(llm=msgspec.convert(llm, LlmSettings))


Check = Callable[[], bool]
