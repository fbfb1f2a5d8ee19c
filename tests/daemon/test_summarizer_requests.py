"""Summaries that somebody asks for, and what is told of those there are."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from recapd.core.settings import SummarySettings
from recapd.server.methods import history
from recapd.server.methods import summary as summaries
from recapd.server.summarizing import note_of
from recapd.wire.errors import SUMMARY_UNAVAILABLE, RecapError
from recapd.wire.types import HistoryGetParams, SummaryCreateParams, SummaryListParams
from tests.support.logs import agent, edit, human, pause, shell
from tests.support.talks import Talk, chat, running, settings_with


def test_asked_for_by_hand_it_says_what_it_saves(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(Talk(tmp_path)) as talk:
            talk.say(*chat(10), human("What locks the job table?"), agent("A row lock, in worker.py."), *chat(48))
            result = await talk.summarizer.create(talk.session, SummaryCreateParams(focus="locks of the job table"))
            assert (result.stats.messages_before, result.stats.messages_after) == (60, 21)
            assert result.stats.tokens_after < result.stats.tokens_before
            assert 0 < result.stats.reduction < 1
            assert result.summary.focus == "locks of the job table"
            assert "What locks the job table?" in result.summary.text
            assert result.summary.number == 1

    anyio.run(run)


def test_asked_for_again_with_nothing_new_it_is_made_anew_and_replaces_the_first(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(Talk(tmp_path)) as talk:
            talk.say(*chat(60))
            await talk.settle()
            again = await talk.summarizer.create(talk.session, SummaryCreateParams(focus="case 3"))
            assert (again.summary.number, again.summary.from_message, again.summary.to_message) == (1, 0, 39)
            listed = summaries.list_(talk.snapshot(), talk.session, SummaryListParams()).summaries
            assert [(each.number, each.focus) for each in listed] == [(1, "case 3")]
            # Nothing is thrown away: the first is kept beside it.
            assert len(talk.summaries) == 2

    anyio.run(run)


def test_two_requests_for_one_session_wait_for_each_other(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(Talk(tmp_path)) as talk:
            talk.say(*chat(60))
            results: list[str] = []

            async def ask(focus: str) -> None:
                made = await talk.summarizer.create(talk.session, SummaryCreateParams(focus=focus))
                results.append(made.summary.focus or "")

            async with anyio.create_task_group() as group:
                for number in range(5):
                    group.start_soon(ask, f"case {number}")
            assert sorted(results) == [f"case {number}" for number in range(5)]

    anyio.run(run)


def test_there_is_nothing_to_summarise_where_nothing_was_said(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(Talk(tmp_path)) as talk:
            talk.say(edit("/home/dev/shop/a.py"))
            with pytest.raises(RecapError) as error:
                await talk.summarizer.create(talk.session, SummaryCreateParams())
            assert error.value.code == SUMMARY_UNAVAILABLE

    anyio.run(run)


def test_recap_list_and_history_tell_of_it(tmp_path: Path) -> None:
    async def run() -> None:
        async with running(Talk(tmp_path)) as talk:
            talk.say(*chat(38))
            assert note_of(talk.snapshot(), talk.session).state == "none"
            talk.say(*chat(2, first=39))
            assert note_of(talk.snapshot(), talk.session).state == "pending"
            await talk.settle()
            note = note_of(talk.snapshot(), talk.session)
            assert (note.state, note.covers_through) == ("ready", 19)
            assert note.text and "parser" in note.text
            for number in range(41, 81, 2):
                talk.say(*chat(2, first=number))
                await talk.settle()
            listed = summaries.list_(talk.snapshot(), talk.session, SummaryListParams()).summaries
            assert [(each.number, each.from_message, each.to_message) for each in listed][:2] == [
                (1, 0, 19),
                (2, 20, 39),
            ]
            told = history.get(talk.snapshot(), talk.session, HistoryGetParams())
            assert "[Summary 1] messages 1–20:" in told.text and "[Summary 2] messages 21–40:" in told.text
            assert "[Recent] messages 61–80:" in told.text
            assert [each.index for each in told.messages] == list(range(60, 80))
            full = history.get(talk.snapshot(), talk.session, HistoryGetParams(full=True))
            assert [each.index for each in full.messages] == list(range(80))

    anyio.run(run)


def test_calls_and_their_results_are_told_with_the_messages_around_them(tmp_path: Path) -> None:
    async def run() -> None:
        talk = Talk(tmp_path, settings_with(summary=SummarySettings(every_messages=2)))
        async with running(talk):
            talk.say(
                human("Make the worker take jobs with a lock."),
                edit("/home/dev/shop/worker.py"),
                shell("pytest -q", "1 failed", exit_code=1),
                shell("pytest -q", "3 passed"),
                agent(
                    "Jobs are taken with a lock now, and the tests pass. " + "Nothing else had to change for it. " * 20
                ),
                pause(60),
                *chat(20),
            )
            await talk.settle()
            (made,) = talk.summaries
            assert [each.path for each in made.facts.files] == ["/home/dev/shop/worker.py"]
            assert [(each.command, each.count, each.ok) for each in made.facts.commands] == [("pytest -q", 2, True)]
            assert made.facts.commands_run == 2
            assert any("pytest" in each.text and "failed" in each.text for each in made.facts.failures)
            assert "modified worker.py" in made.text

    anyio.run(run)
