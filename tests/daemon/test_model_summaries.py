"""The summarizer against a real HTTP endpoint that speaks the Messages API, in every sort of trouble.

Whatever the service does, a summary is made, nothing is blocked, and the status says why the model did not write it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import anyio
import pytest

from recapd.daemon.models.model import BACK_OFF_S
from recapd.daemon.models.providers.base import IN_WORDS, Reason
from recapd.daemon.summarizer.summarizer import QUIET_S
from recapd.server.summarizing import note_of
from tests.support.clock import eventually, everybody_waits
from tests.support.fake_anthropic import SUMMARY, Behaviour, FakeAnthropic, anthropic_service
from tests.support.talks import KEY, Talk, chat, model_at, running


@pytest.fixture
def service() -> Iterator[FakeAnthropic]:
    with anthropic_service() as found:
        yield found


def trouble(reason: Reason) -> str:
    return f"Summaries are made without the model: {IN_WORDS[reason]}."


@pytest.mark.parametrize("stream", [False, True], ids=["plain", "streamed"])
def test_the_model_writes_it_where_it_was_switched_on(tmp_path: Path, service: FakeAnthropic, stream: bool) -> None:
    async def run() -> None:
        async with running(Talk(tmp_path, model_at(service.url, stream=stream))) as talk:
            talk.say(*chat(40))
            await talk.settle()
            (made,) = talk.summaries
            assert (made.method, made.model, made.note) == ("model", "claude-haiku-4-5", "")
            assert SUMMARY in made.text
            (request,) = service.requests
            assert request.model == "claude-haiku-4-5"
            # How the key is sent is the library's affair; that it is sent, and where from, is ours.
            assert any(KEY in value for value in request.headers.values()) and KEY not in request.text
            # Every message outside the window, and none of those inside.
            assert all(f"case {number}." in request.prompt for number in range(1, 20, 2))
            assert "case 21." not in request.prompt
            assert talk.model.trouble is None

    anyio.run(run)


# What the service does → why the model did not write the summary, requests made, pauses between them.
CASES: Final[tuple[tuple[tuple[Behaviour, ...], Reason | None, int, list[float]], ...]] = (
    (("badRequest",), "badRequest", 1, []),
    (("unauthorized",), "noKey", 1, []),
    (("notFound",), "noModel", 1, []),
    (("rateLimited", "ok"), None, 2, [1.0]),
    (("rateLimited",) * 3, "rateLimited", 3, [1.0, 1.0]),
    (("waitAnHour",), "rateLimited", 1, []),
    (("failing", "failing", "ok"), None, 3, [0.5, 1.0]),
    (("failing",) * 3, "overloaded", 3, [0.5, 1.0]),
    (("overloaded", "ok"), None, 2, [0.5]),
    (("overloaded",) * 3, "overloaded", 3, [0.5, 1.0]),
    (("dropped", "ok"), None, 2, [0.5]),
    (("dropped",) * 3, "offline", 3, [0.5, 1.0]),
    (("halfway",) * 3, "offline", 3, [0.5, 1.0]),
    (("broken",), "badAnswer", 1, []),
    (("shapeless",), "empty", 1, []),
    (("empty",), "empty", 1, []),
    (("blank",), "empty", 1, []),
    (("notText",), "empty", 1, []),
    (("truncated",), "truncated", 1, []),
    (("refusing",), "refused", 1, []),
    (("repeating",), "degenerate", 1, []),
)


@pytest.mark.parametrize(("behaviours", "reason", "requests", "pauses"), CASES, ids=[",".join(row[0]) for row in CASES])
def test_whatever_the_service_does(
    tmp_path: Path,
    service: FakeAnthropic,
    behaviours: tuple[Behaviour, ...],
    reason: Reason | None,
    requests: int,
    pauses: list[float],
) -> None:
    async def run() -> None:
        async with running(Talk(tmp_path, model_at(service.url))) as talk:
            service.next(*behaviours)
            talk.say(*chat(40))
            await talk.settle()
            (made,) = talk.summaries
            assert (len(service.requests), talk.pauses) == (requests, pauses)
            if reason is None:
                assert (made.method, talk.model.trouble) == ("model", None)
                return
            assert (made.method, made.model) == ("extractive", "")
            assert made.note == f"No model wrote this: {IN_WORDS[reason]}."
            assert "parser" in made.text
            assert str(talk.model.trouble) == trouble(reason)
            status = talk.model.spending(talk.settings.llm)
            assert status.message == trouble(reason)

    anyio.run(run)


def test_a_service_that_is_not_there(tmp_path: Path) -> None:
    with anthropic_service() as gone:
        url = gone.url

    async def run() -> None:
        async with running(Talk(tmp_path, model_at(url))) as talk:
            talk.say(*chat(40))
            await talk.settle()
            assert talk.summaries[0].method == "extractive"
            assert str(talk.model.trouble) == trouble("offline")

    anyio.run(run)


def test_a_service_that_does_not_answer_is_given_up_at_the_deadline(tmp_path: Path, service: FakeAnthropic) -> None:
    async def run() -> None:
        async with running(Talk(tmp_path, model_at(service.url, timeout_s=0.3))) as talk:
            service.next("hanging", "hanging")
            talk.say(*chat(40))
            await talk.settle()
            assert talk.summaries[0].method == "extractive"
            assert str(talk.model.trouble) == trouble("timeout")

    anyio.run(run)


def test_without_a_key_nothing_is_sent(tmp_path: Path, service: FakeAnthropic) -> None:
    async def run() -> None:
        async with running(Talk(tmp_path, model_at(service.url), environ={})) as talk:
            talk.say(*chat(40))
            await talk.settle()
            assert talk.summaries[0].method == "extractive"
            assert str(talk.model.trouble) == trouble("noKey")
            assert service.requests == []

    anyio.run(run)


def test_after_a_failure_the_service_is_left_alone_for_a_while_and_asked_again_then(
    tmp_path: Path, service: FakeAnthropic
) -> None:
    async def run() -> None:
        async with running(Talk(tmp_path, model_at(service.url, retries=0))) as talk:
            service.next("overloaded", "overloaded")
            talk.say(*chat(40))
            await talk.settle()
            talk.say(*chat(20, first=41))
            await talk.settle()
            assert len(service.requests) == 1
            assert talk.summaries[-1].note == f"No model wrote this: {IN_WORDS['backOff']}."
            talk.clock.tick(BACK_OFF_S)
            talk.say(*chat(20, first=61))
            await talk.settle()
            # It fails again, and is left alone for twice as long.
            assert len(service.requests) == 2
            talk.clock.tick(BACK_OFF_S)
            talk.say(*chat(20, first=81))
            await talk.settle()
            assert len(service.requests) == 2
            talk.clock.tick(BACK_OFF_S)
            talk.say(*chat(20, first=101))
            await talk.settle()
            assert len(service.requests) == 3
            assert (talk.summaries[-1].method, talk.model.trouble) == ("model", None)

    anyio.run(run)


def test_who_asks_to_wait_an_hour_is_waited_for(tmp_path: Path, service: FakeAnthropic) -> None:
    async def run() -> None:
        async with running(Talk(tmp_path, model_at(service.url))) as talk:
            service.next("waitAnHour")
            talk.say(*chat(40))
            await talk.settle()
            talk.clock.tick(3000)
            talk.say(*chat(20, first=41))
            await talk.settle()
            assert len(service.requests) == 1
            talk.clock.tick(700)
            talk.say(*chat(20, first=61))
            await talk.settle()
            assert len(service.requests) == 2

    anyio.run(run)


def test_other_settings_end_the_wait(tmp_path: Path, service: FakeAnthropic) -> None:
    async def run() -> None:
        async with running(Talk(tmp_path, model_at(service.url, model="unknown-model"))) as talk:
            service.next("notFound")
            talk.say(*chat(40))
            await talk.settle()
            assert str(talk.model.trouble or "")
            talk.set(model="claude-haiku-4-5")
            assert not str(talk.model.trouble or "")
            talk.say(*chat(20, first=41))
            await talk.settle()
            assert talk.summaries[-1].method == "model"

    anyio.run(run)


def test_switching_it_off_ends_the_request_under_way(tmp_path: Path, service: FakeAnthropic) -> None:
    async def run() -> None:
        async with running(Talk(tmp_path, model_at(service.url))) as talk:
            service.next("hanging")
            talk.say(*chat(40))
            talk.clock.tick(QUIET_S)
            await eventually(lambda: len(service.requests) == 1)
            talk.switch(enabled=False)
            await eventually(lambda: talk.summarizer.in_flight == ())
            assert talk.summaries == ()

    anyio.run(run)


def test_messages_go_on_while_the_model_is_asked(tmp_path: Path, service: FakeAnthropic) -> None:
    async def run() -> None:
        async with running(Talk(tmp_path, model_at(service.url))) as talk:
            service.next("hanging")
            talk.say(*chat(40))
            talk.clock.tick(QUIET_S)
            await eventually(lambda: len(service.requests) == 1)
            for number in range(41, 91, 2):
                talk.say(*chat(2, first=number))
                talk.clock.tick(QUIET_S)
                await everybody_waits()
                assert note_of(talk.snapshot(), talk.session).state == "pending"
            assert len(service.requests) == 1
            service.gate.set()
            await talk.settle()
            # What came meanwhile is not counted as covered by the first, and is covered by the second.
            assert [(each.coverage.first, each.coverage.last) for each in talk.summaries] == [(0, 19), (20, 69)]

    anyio.run(run)
