"""Which messages a summary covers: known again while a conversation only grows, looked at anew where it changed."""

from __future__ import annotations

from pytest import MonkeyPatch

from recapd.core.log.events import Prompt, Reply
from recapd.core.state.memory import Memory
from recapd.core.state.transcript import Utterance
from recapd.core.summaries import covered
from recapd.core.summaries.make import chain_of
from tests.support.records import Row, folded
from tests.support.scripts import summary


def talk(messages: int) -> list[Row]:
    return [Reply(f"It is done, part {at}.") if at % 2 else Prompt(f"Now part {at}.") for at in range(messages)]


def test_what_was_known_of_a_conversation_is_told_as_if_it_were_new() -> None:
    rows, memory = talk(90), Memory()
    first = summary(rows, last=19)
    second = summary(rows, first=20, last=39, previous=first)
    rewritten: list[Row] = [*rows[:10], Prompt("Something else."), *rows[11:]]
    for now in (rows[:20], rows[:21], rows[:40], rows[:41], rows, rewritten, rows[:60], rewritten[:41]):
        transcript = folded(*now)
        assert chain_of([first, second], transcript, memory) == chain_of([first, second], transcript, Memory())
    assert chain_of([first, second], folded(*rows), memory) == (first, second)


def test_a_conversation_that_only_grows_is_not_gone_through_again(monkeypatch: MonkeyPatch) -> None:
    looked: list[Utterance] = []
    usual = covered.id_of

    def noted(each: Utterance) -> str:
        looked.append(each)
        return usual(each)

    monkeypatch.setattr(covered, "id_of", noted)
    rows, memory = talk(90), Memory()
    first = summary(rows, last=19)
    second = summary(rows, first=20, last=39, previous=first)
    looked.clear()
    chain_of([first, second], folded(*rows[:60]), memory)
    # Both by one walk.
    assert len(looked) == 40
    looked.clear()
    assert chain_of([first, second], folded(*rows), memory) == (first, second)
    assert looked == []
