"""Hard limits on what models may cost: by day and session, in tokens and money, over restarts, and together."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from recapd.core.settings import LlmSettings
from recapd.daemon.models.model import midnight_after
from recapd.daemon.models.providers.base import IN_WORDS
from recapd.daemon.models.providers.budget import LEDGER, Budget, limits_of_summaries
from recapd.daemon.models.providers.prices import cost_usd
from recapd.daemon.store.in_memory import InMemory
from recapd.wire.types import SummaryCreateParams
from tests.support.clock import eventually
from tests.support.fake_anthropic import INPUT_TOKENS, OUTPUT_TOKENS, FakeAnthropic, anthropic_service
from tests.support.talks import Talk, chat, model_at, running

DAY = "2026-03-01T09:00:00.000Z"
NEXT_DAY = "2026-03-02T00:00:00.000Z"


@pytest.fixture
def service() -> Iterator[FakeAnthropic]:
    with anthropic_service() as found:
        yield found


class Days:
    """A budget whose day can be changed, and what it keeps."""

    def __init__(self) -> None:
        self.now = DAY
        self.durable = InMemory(lambda: self.now)
        self.budget = self.restarted()

    def restarted(self) -> Budget:
        return Budget(self.durable, lambda: self.now)


LIMITS: tuple[tuple[str, LlmSettings, str], ...] = (
    ("tokens a day", LlmSettings(max_tokens_per_day=1000, max_tokens_per_session=0, max_usd_per_day=0), "other"),
    ("tokens a session", LlmSettings(max_tokens_per_day=0, max_tokens_per_session=1000, max_usd_per_day=0), "one"),
    ("money a day", LlmSettings(max_tokens_per_day=0, max_tokens_per_session=0, max_usd_per_day=0.01), "other"),
)


@pytest.mark.parametrize(("settings", "session"), [row[1:] for row in LIMITS], ids=[row[0] for row in LIMITS])
def test_a_limit_is_never_passed(settings: LlmSettings, session: str) -> None:
    days = Days()
    first = days.budget.reserve("one", "m", limits_of_summaries(settings), tokens=600, usd=0.006)
    assert first is not None
    # What is reserved counts before it is known what it came to.
    assert days.budget.reserve(session, "m", limits_of_summaries(settings), tokens=600, usd=0.006) is None
    days.budget.settle(first, tokens=300, usd=0.003)
    assert days.budget.reserve(session, "m", limits_of_summaries(settings), tokens=600, usd=0.006) is not None
    assert days.budget.reserve(session, "m", limits_of_summaries(settings), tokens=600, usd=0.006) is None


def test_a_day_begins_at_midnight_and_a_session_does_not_end_with_it() -> None:
    days = Days()
    settings = LlmSettings(max_tokens_per_day=1000, max_tokens_per_session=1500, max_usd_per_day=0)
    assert days.budget.reserve("one", "m", limits_of_summaries(settings), tokens=1000, usd=0.0) is not None
    assert days.budget.reserve("two", "m", limits_of_summaries(settings), tokens=1, usd=0.0) is None
    days.now = NEXT_DAY
    assert days.budget.today() == (0, 0.0, 0)
    assert days.budget.reserve("two", "m", limits_of_summaries(settings), tokens=1000, usd=0.0) is not None
    days.now = "2026-03-03T00:00:00.000Z"
    assert days.budget.reserve("one", "m", limits_of_summaries(settings), tokens=600, usd=0.0) is None
    assert days.budget.reserve("one", "m", limits_of_summaries(settings), tokens=500, usd=0.0) is not None


def test_limits_hold_over_a_restart_also_for_a_request_that_never_ended() -> None:
    days = Days()
    settings = LlmSettings(max_tokens_per_day=1000, max_tokens_per_session=0, max_usd_per_day=0)
    ended = days.budget.reserve("one", "m", limits_of_summaries(settings), tokens=400, usd=0.1)
    assert ended is not None
    days.budget.settle(ended, tokens=200, usd=0.05)
    assert days.budget.reserve("one", "m", limits_of_summaries(settings), tokens=500, usd=0.1) is not None
    again = days.restarted()
    tokens, usd, calls = again.today()
    assert (tokens, round(usd, 6), calls) == (700, 0.15, 2)
    assert again.reserve("one", "m", limits_of_summaries(settings), tokens=301, usd=0.0) is None
    assert again.reserve("one", "m", limits_of_summaries(settings), tokens=300, usd=0.0) is not None


def test_requests_at_the_same_time_cannot_pass_a_limit_together() -> None:
    days = Days()
    settings = LlmSettings(max_tokens_per_day=1000, max_tokens_per_session=0, max_usd_per_day=0)
    granted: list[bool] = []
    start = threading.Barrier(20)

    def ask() -> None:
        start.wait()
        granted.append(days.budget.reserve("one", "m", limits_of_summaries(settings), tokens=300, usd=0.0) is not None)

    threads = [threading.Thread(target=ask) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(granted) == 3


@pytest.mark.parametrize(
    ("model", "usd"),
    [
        ("claude-haiku-4-5", 6.0),
        ("claude-haiku-4-5-20251001", 6.0),
        ("anthropic/claude-haiku-4-5", 6.0),
        ("claude-sonnet-4-5", 18.0),
        ("somebody-elses-model", 90.0),
    ],
)
def test_a_model_that_nobody_knows_costs_the_most(model: str, usd: float) -> None:
    assert cost_usd(model, 1_000_000, 1_000_000, LlmSettings()) == usd
    own = LlmSettings(usd_per_million_in=2.0, usd_per_million_out=3.0)
    assert cost_usd(model, 1_000_000, 1_000_000, own) == 5.0


def test_what_was_spent_is_counted_and_shown(tmp_path: Path, service: FakeAnthropic) -> None:
    async def run() -> None:
        async with running(Talk(tmp_path, model_at(service.url))) as talk:
            talk.say(*chat(40))
            await talk.settle()
            shown = talk.model.spending(talk.settings.llm)
            assert (shown.spent_tokens, shown.calls) == (INPUT_TOKENS + OUTPUT_TOKENS, 1)
            assert shown.limit_tokens == talk.settings.llm.max_tokens_per_day
            assert shown.spent_usd == pytest.approx(0.0015) and shown.limit_usd == 1.0
            assert shown.resets_at == midnight_after(talk.now())
            rows = [each.action for each in talk.durable.audit_of(LEDGER)]
            assert rows == ["model begun", "model ended"]
            talk.set(provider="none")
            assert talk.model.spending(talk.settings.llm).limit_tokens is None

    anyio.run(run)


def test_with_the_budget_spent_nothing_is_sent_and_the_status_says_so(tmp_path: Path, service: FakeAnthropic) -> None:
    async def run() -> None:
        async with running(Talk(tmp_path, model_at(service.url, max_tokens_per_day=2_500))) as talk:
            for number in range(1, 121, 2):
                talk.say(*chat(2, first=number))
                await talk.settle()
            made = await talk.summarizer.create(talk.session, SummaryCreateParams())
            assert made.summary.method == "extractive"
            assert made.summary.note == f"No model wrote this: {IN_WORDS['budget']}."
            assert str(talk.model.trouble).startswith("Summaries are made without the model: the budget is spent")
            assert talk.model.budget.today()[0] <= 2_500
            assert 1 <= len(service.requests) < len(talk.summaries)

    anyio.run(run)


def test_a_request_that_was_cancelled_counts_with_what_was_reserved(tmp_path: Path, service: FakeAnthropic) -> None:
    async def run() -> None:
        async with running(Talk(tmp_path, model_at(service.url))) as talk:
            service.next("hanging")
            talk.say(*chat(40))
            async with anyio.create_task_group() as group:
                group.start_soon(talk.summarizer.create, talk.session, SummaryCreateParams())
                await eventually(lambda: len(service.requests) == 1)
                group.cancel_scope.cancel()
            tokens, _, calls = talk.model.budget.today()
            assert calls == 1 and tokens > OUTPUT_TOKENS

    anyio.run(run)


def test_a_request_that_was_refused_at_the_door_costs_nothing(tmp_path: Path, service: FakeAnthropic) -> None:
    async def run() -> None:
        async with running(Talk(tmp_path, model_at(service.url))) as talk:
            service.next("unauthorized")
            talk.say(*chat(40))
            await talk.settle()
            assert talk.model.budget.today() == (0, 0.0, 1)

    anyio.run(run)
