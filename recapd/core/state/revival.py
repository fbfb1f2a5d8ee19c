"""Turns that live again: two processes went on with one session, and write into one log.

    A asks ── A works ─────────────── A answers ──▶ hangs on what A asked
         └─ B asks (hangs on what was before A) ── B works

B's prompt looks like a human who went back and said it otherwise, so A's turn is given up. When a record comes that
hangs on it, nobody went back: the turn counts again, what was numbered since is numbered anew, and from then on no
prompt gives up turns by what it hangs on. Whatever is done while both work belongs to the turn that began last.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Iterable
from typing import TypeVar

import msgspec

from recapd.core.log import Place, Record
from recapd.core.state.actions import settle
from recapd.core.state.draft import MAX_STEPS, Draft, position_of
from recapd.core.state.growing import Chunked, Growing
from recapd.core.state.transcript import (
    FileChange,
    FileFact,
    Milestone,
    Noted,
    OpenCall,
    Request,
    Step,
    TestRun,
    Turn,
)

Numbered = TypeVar("Numbered", TestRun, Milestone, FileChange, Step, OpenCall, Request, Noted)


def row_to_revive(draft: Draft, record: Record) -> int:
    """The row of the turn that was given up and on which a record hangs, or -1."""
    landing = position_of(draft, record.parent)
    if landing < 0:
        return -1
    for row in range(len(draft.turns) - 1, -1, -1):
        turn = draft.turns[row]
        if turn.first_record <= landing:
            return row if turn.abandoned and turn.session == record.session else -1
    return -1


def revive(draft: Draft, row: int) -> None:
    """Count the turn again, and those before it that were given up with it. The turn being lived through is closed."""
    settle(draft)
    draft.is_shared = True
    first = row
    while first and draft.turns[first - 1].abandoned and draft.turns[first - 1].session == draft.turns[row].session:
        first -= 1
    for each in range(first, row + 1):
        turn = draft.turns[each]
        draft.turns[each] = msgspec.structs.replace(turn, abandoned=False)
        draft.totals.turns += 1
        draft.totals.abandoned_turns -= 1
        draft.totals.messages += turn.messages
        draft.totals.exchanges += turn.replied is not None
    _number_turns(draft, first)
    _number_messages(draft)


def _number_turns(draft: Draft, first: int) -> None:
    before = (draft.turns[row] for row in range(first - 1, -1, -1))
    number = next((turn.number for turn in before if not turn.abandoned), 0)
    starts: list[int] = []
    numbers: list[int] = []
    for row in range(first, len(draft.turns)):
        turn = draft.turns[row]
        if turn.abandoned:
            continue
        number += 1
        starts.append(turn.request.place.offset)
        numbers.append(number)
        request = msgspec.structs.replace(turn.request, turn=number)
        draft.turns[row] = msgspec.structs.replace(turn, number=number, request=request)
    draft.turn_number = number

    def number_at(place: Place, known: int) -> int:
        at = bisect_right(starts, place.offset)
        return numbers[at - 1] if at else known

    def told(facts: Iterable[Numbered]) -> tuple[Numbered, ...]:
        return tuple(msgspec.structs.replace(each, turn=number_at(each.place, each.turn)) for each in facts)

    draft.tests, draft.milestones, draft.noted_open = told(draft.tests), told(draft.milestones), told(draft.noted_open)
    draft.commands_given, draft.queued = told(draft.commands_given), told(draft.queued)
    draft.open_calls = dict(zip(draft.open_calls, told(draft.open_calls.values()), strict=True))
    draft.running = dict(zip(draft.running, told(draft.running.values()), strict=True))
    calls = told(opened for opened, _, _, _ in draft.finished)
    results = [(result, cwd, at) for _, result, cwd, at in draft.finished]
    told_again = [(opened, result, cwd, at) for opened, (result, cwd, at) in zip(calls, results, strict=True)]
    draft.finished = deque(told_again, maxlen=MAX_STEPS)
    draft.base = msgspec.structs.replace(draft.base, steps=told(draft.base.steps))
    for row in range(len(draft.changes)):
        change = draft.changes[row]
        draft.changes[row] = msgspec.structs.replace(change, turn=number_at(change.place, change.turn))
    for row in range(len(draft.files)):
        fact: FileFact = draft.files[row]
        last = number_at(fact.place, fact.last_turn)
        draft.files[row] = msgspec.structs.replace(fact, first_turn=min(fact.first_turn, last), last_turn=last)
    living: list[Turn] = [turn for turn in draft.turns.freeze() if not turn.abandoned]
    asked = draft.original
    if asked is not None and asked.kind != "command":
        draft.original = next((turn.request for turn in living if turn.request.place == asked.place), asked)


def _number_messages(draft: Draft) -> None:
    """Messages are numbered among those alive, in the order in which they began."""
    numbers: dict[tuple[int, int], int] = {}
    said = draft.utterances.freeze()
    draft.utterances = Growing(Chunked())
    for each in said:
        if each.turn_row < 0 or not draft.turns[each.turn_row].abandoned:
            number = numbers.setdefault((each.turn_row, each.message), len(numbers))
            each = msgspec.structs.replace(each, message=number)
        draft.utterances.append(each)
    heard = draft.passages.freeze()
    draft.passages = Growing(Chunked())
    for passage in heard:
        number = numbers.get((passage.turn_row, passage.message), passage.message)
        draft.passages.append(msgspec.structs.replace(passage, message=number))
