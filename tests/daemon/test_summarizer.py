"""Rolling summaries while a conversation goes on: when, how many, of what, and never in anybody's way."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from recapd.core.state.memory import Memory
from recapd.core.summaries.make import chain_of
from recapd.daemon.summarizer import summarizer as summarizer_module
from recapd.daemon.summarizer.summarizer import QUIET_S, RECENT_S
from recapd.server.durable import AuditAction
from recapd.server.summarizing import draft_for, note_of
from recapd.wire.types import SummaryCreateParams
from tests.support.clock import PATIENCE_S, eventually, everybody_waits
from tests.support.logs import human
from tests.support.talks import SESSION, Talk, chat, running

pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
async def talk(tmp_path: Path) -> AsyncIterator[Talk]:
    async with running(Talk(tmp_path)) as followed:
        yield followed


class Held:
    """Summaries that begin and are not finished before the gate opens."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.gate, self.begun = threading.Event(), threading.Event()
        self.times_begun = 0
        monkeypatch.setattr(summarizer_module, "draft_for", self._draft_for)

    def _draft_for(self, *args: object, **named: object) -> object:
        self.times_begun += 1
        self.begun.set()
        self.gate.wait(PATIENCE_S)
        return draft_for(*args, **named)  # type: ignore[arg-type]


async def test_one_is_made_when_twenty_messages_have_left_the_window(talk: Talk) -> None:
    talk.say(*chat(38))
    await talk.settle()
    assert not talk.summaries
    talk.say(*chat(2, first=39))
    await talk.settle()
    (made,) = talk.summaries
    assert (made.coverage.first, made.coverage.last) == (0, 19)
    assert talk.done == [SESSION]


async def test_a_long_conversation_gets_one_for_every_twenty_messages_without_hole_or_overlap(talk: Talk) -> None:
    for number in range(1, 200, 2):
        talk.say(*chat(2, first=number))
        await talk.settle()
    covered = [(each.coverage.first, each.coverage.last) for each in talk.summaries]
    assert covered == [(first, first + 19) for first in range(0, 180, 20)]


async def test_rapid_messages_make_one_summary(talk: Talk) -> None:
    for number in range(1, 61, 2):
        talk.say(*chat(2, first=number))
        talk.clock.tick(0.01)
        await everybody_waits()
    await talk.settle()
    assert len(talk.summaries) == 1


async def test_what_comes_while_one_is_made_is_looked_at_when_it_is_done(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = Held(monkeypatch)
    talk.say(*chat(40))
    talk.clock.tick(QUIET_S)
    await eventually(held.begun.is_set)
    for number in range(41, 81, 2):
        talk.say(*chat(2, first=number))
        talk.clock.tick(QUIET_S)
        await everybody_waits()
    assert held.times_begun == 1
    held.gate.set()
    await talk.settle()
    assert [each.coverage.last for each in talk.summaries] == [19, 59]


async def test_nothing_is_begun_while_logs_are_read_for_the_first_time(talk: Talk) -> None:
    talk.is_quiescent = False
    talk.say(*chat(60))
    talk.clock.tick(600)
    await everybody_waits()
    assert talk.summaries == () and talk.summarizer.in_flight == ()
    talk.is_quiescent = True
    talk.clock.tick(2)
    await talk.settle()
    assert len(talk.summaries) == 1


async def test_a_session_nobody_touched_for_long_is_left_alone_until_somebody_asks(talk: Talk) -> None:
    talk.say(*chat(60))
    talk.seconds += RECENT_S * 2
    await talk.settle()
    assert talk.summaries == ()
    await talk.summarizer.create(talk.session, SummaryCreateParams())
    assert len(talk.summaries) == 1


async def test_switched_off_nothing_is_made_and_what_is_under_way_is_given_up(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = Held(monkeypatch)
    talk.say(*chat(60))
    talk.clock.tick(QUIET_S)
    await eventually(held.begun.is_set)
    talk.switch(enabled=False)
    await eventually(lambda: talk.summarizer.in_flight == ())
    held.gate.set()
    await talk.settle()
    talk.say(*chat(20, first=61))
    await talk.settle()
    assert talk.summaries == ()


REWRITES = {
    "rewritten shorter": lambda talk: talk.rewrite(*chat(10, of="smaller ")),
    "an early message edited": lambda talk: talk.rewrite(human("Something else entirely."), *talk.acts[1:]),
}


@pytest.mark.parametrize("name", REWRITES)
async def test_a_summary_of_messages_that_are_no_more_does_not_count(talk: Talk, name: str) -> None:
    talk.say(*chat(60))
    await talk.settle()
    assert len(talk.summaries) == 1
    REWRITES[name](talk)
    assert chain_of(talk.summaries, talk.session.main.transcript, Memory()) == ()
    await talk.settle()
    talk.say(*chat(40, first=61))
    await talk.settle()
    chain = chain_of(talk.summaries, talk.session.main.transcript, Memory())
    # The old one is kept, and stands for nothing.
    assert chain[0].coverage.first == 0 and chain[0] not in talk.summaries[:1]


async def test_one_that_is_under_way_while_the_log_is_rewritten_is_given_up(
    talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = Held(monkeypatch)
    talk.say(*chat(60))
    talk.clock.tick(QUIET_S)
    await eventually(held.begun.is_set)
    talk.rewrite(human("A new beginning, with a first message of its own."), *chat(10, of="other "))
    held.gate.set()
    await talk.settle()
    assert talk.summaries == ()


async def test_a_log_that_is_gone_fails_alone_and_the_next_change_tries_again(talk: Talk) -> None:
    talk.say(*chat(60))
    whole = talk.path.read_bytes()
    talk.path.unlink()
    await talk.settle()
    assert talk.summaries == ()
    assert talk.durable.audit_of(SESSION)[-1].action == AuditAction.SUMMARY_FAILED
    assert note_of(talk.snapshot(), talk.session).state == "failed"
    talk.path.write_bytes(whole)
    talk.say(*chat(2, first=61))
    await talk.settle()
    assert len(talk.summaries) == 1


async def test_it_is_audited_what_was_summarised_by_what_and_why(talk: Talk) -> None:
    talk.say(*chat(40))
    await talk.settle()
    (row,) = talk.durable.audit_of(SESSION)
    assert row.action == "summary made"
    assert "messages 0-19 of 40 by extractive" in row.detail and "because of messages" in row.detail
    assert "parser" not in row.detail
