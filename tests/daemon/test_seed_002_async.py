"""Seed 002, rolling summaries, as they are made while a conversation goes on: US-302 to US-305, by number."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest

from recapd.core.settings import DEFAULTS, LlmSettings
from recapd.daemon.models.providers.base import IN_WORDS
from recapd.daemon.summarizer.summarizer import QUIET_S
from recapd.server.methods import context, history, recap
from recapd.server.methods import summary as summaries
from recapd.wire.types import ContextAssembleParams, HistoryGetParams, RecapGetParams, SummaryListParams
from tests.support.clock import eventually, everybody_waits
from tests.support.fake_anthropic import SUMMARY, FakeAnthropic, anthropic_service
from tests.support.logs import agent, human
from tests.support.scripts import preset
from tests.support.talks import SESSION, Talk, chat, model_at, running


@pytest.fixture
def service() -> Iterator[FakeAnthropic]:
    with anthropic_service() as found:
        yield found


def test_us_302_1_checklist_5_the_model_is_claude_haiku_unless_configured() -> None:
    """The seed's `claude-haiku-4-5-latest` is no published id; the published one is the default."""
    assert DEFAULTS.llm.model == "claude-haiku-4-5"


@pytest.mark.parametrize("model", ["claude-haiku-4-5", "claude-sonnet-4-5", "anything-else"])
def test_us_302_1_the_configured_model_is_asked(tmp_path: Path, service: FakeAnthropic, model: str) -> None:
    async def run() -> None:
        async with running(Talk(tmp_path, model_at(service.url, model=model, max_usd_per_day=0))) as talk:
            talk.say(*chat(40))
            await talk.settle()
            assert [request.model for request in service.requests] == [model]
            assert talk.summaries[0].model == model

    anyio.run(run)


def test_us_302_5_checklist_9_a_failing_model_is_logged_and_nothing_crashes(
    tmp_path: Path, service: FakeAnthropic, caplog: pytest.LogCaptureFixture
) -> None:
    async def run() -> None:
        async with running(Talk(tmp_path, model_at(service.url, retries=0))) as talk:
            service.next("failing")
            talk.say(*chat(40))
            await talk.settle()
            assert talk.summaries[0].note == f"No model wrote this: {IN_WORDS['overloaded']}."
            assert any(row.levelname == "WARNING" and row.msg == "model failed" for row in caplog.records)
            assert "parser" not in caplog.text

    anyio.run(run)


def test_us_303_checklist_10_to_12_there_is_a_row_with_all_its_columns(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(Talk(tmp_path, preset("know-thyself"))) as talk:
            talk.say(*chat(25))
            await talk.settle()
            (row,) = talk.durable.summaries(SESSION)
            assert row.number == 1 and row.at
            (listed,) = summaries.list_(talk.snapshot(), talk.session, SummaryListParams()).summaries
            # 25 messages: twelve exchanges and a prompt that waits; ten exchanges stay, the first four messages go.
            assert (listed.from_message, listed.to_message) == (0, 3)
            assert listed.id and listed.text and listed.created_at and len(listed.refs) == 2

    anyio.run(run)


def test_us_304_1_to_3_the_summary_comes_before_the_recent_messages_and_only_if_there_is_one(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(Talk(tmp_path)) as talk:
            talk.say(*chat(10))
            before = history.get(talk.snapshot(), talk.session, HistoryGetParams())
            assert before.summaries == () and "[Summary" not in before.text
            talk.say(*chat(40, first=11))
            await talk.settle()
            after = history.get(talk.snapshot(), talk.session, HistoryGetParams())
            assert after.text.index("[Summary 1]") < after.text.index("[Recent]")

    anyio.run(run)


def test_us_304_checklist_14_to_16_a_context_has_the_heading_the_text_and_counts_both(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(Talk(tmp_path, preset("know-thyself"))) as talk:
            talk.say(*chat(50))
            await talk.settle()
            asked = ContextAssembleParams(max_tokens=4000)
            made = context.assemble(talk.snapshot(), talk.session, asked)
            assert made.text is not None and "## Earlier in this conversation" in made.text
            assert talk.summaries[-1].text.splitlines()[0][:40] in made.text
            assert made.text.index("## Earlier in this conversation") < made.text.index("## CONVERSATION HISTORY")
            assert made.coverage.summarized_through == talk.summaries[-1].coverage.last
            (section,) = [each for each in made.sections if each.name == "summary"]
            assert 0 < section.tokens < made.tokens <= 4000

    anyio.run(run)


def test_us_304_5_checklist_17_what_was_said_at_the_start_is_still_known(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(Talk(tmp_path)) as talk:
            talk.say(human("My name is Ada, and our database is Postgres 16."), agent("Nice to meet you, Ada."))
            for number in range(1, 201, 2):
                talk.say(*chat(2, first=number))
                await talk.settle()
            told = recap.get(talk.snapshot(), talk.session, RecapGetParams()).summary
            assert told.state == "ready" and told.text is not None
            assert "My name is Ada, and our database is Postgres 16" in told.text

    anyio.run(run)


def test_us_305_1_2_checklist_18_everything_else_goes_on_while_one_is_made(
    tmp_path: Path, service: FakeAnthropic
) -> None:
    async def run() -> None:
        async with running(Talk(tmp_path, model_at(service.url))) as talk:
            service.next("hanging")
            talk.say(*chat(40))
            talk.clock.tick(QUIET_S)
            await eventually(lambda: len(service.requests) == 1)
            # Answered while the model is still thinking.
            assert recap.get(talk.snapshot(), talk.session, RecapGetParams()).summary.state == "pending"
            talk.say(*chat(2, first=41))
            assert talk.session.main.transcript.totals.messages == 42
            service.gate.set()
            await talk.settle()
            assert SUMMARY in talk.summaries[0].text

    anyio.run(run)


def test_us_305_3_checklist_20_its_failure_affects_no_message(tmp_path: Path, service: FakeAnthropic) -> None:
    async def run() -> None:
        async with running(Talk(tmp_path, model_at(service.url, retries=0))) as talk:
            service.next(*("dropped",) * 5)
            for number in range(1, 81, 2):
                talk.say(*chat(2, first=number))
                await talk.settle()
                assert recap.get(talk.snapshot(), talk.session, RecapGetParams()).markdown
            assert talk.session.main.transcript.totals.messages == 80

    anyio.run(run)


def test_us_305_4_checklist_19_rapid_messages_run_one_at_a_time(tmp_path: Path, service: FakeAnthropic) -> None:
    async def run() -> None:
        async with running(Talk(tmp_path, model_at(service.url))) as talk:
            service.next("hanging")
            for number in range(1, 101, 2):
                talk.say(*chat(2, first=number))
                talk.clock.tick(QUIET_S)
                await everybody_waits()
            service.gate.set()
            await talk.settle()
            assert service.most_at_once == 1

    anyio.run(run)


def test_3_2_p_model_ids_are_configuration() -> None:
    assert LlmSettings(model="whatever-comes-next").model == "whatever-comes-next"


def test_3_2_n_a_failing_service_is_not_asked_with_every_message(tmp_path: Path, service: FakeAnthropic) -> None:
    async def run() -> None:
        async with running(Talk(tmp_path, model_at(service.url, retries=0))) as talk:
            service.next(*("failing",) * 50)
            for number in range(1, 201, 2):
                talk.say(*chat(2, first=number))
                await talk.settle()
            assert 1 <= len(service.requests) <= 4

    anyio.run(run)
