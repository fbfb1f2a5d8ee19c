"""Two processes write one log: no turn is lost, and everything counts by the turns there are."""

from __future__ import annotations

from itertools import pairwise

import pytest

from recapd.core.log.events import Prompt, Record, Reply
from recapd.core.state.folding import extend
from recapd.core.state.transcript import EMPTY, Transcript
from tests.support.records import did, ran, record, tape


def of(process: str, number: int, parent: str, *events: object) -> Record:
    return record(*events, id=f"{process}{number:07d}", parent=parent)  # type: ignore[arg-type]


FIRST = [of("a", 1, "", Prompt("build the shop")), of("a", 2, "a0000001", Reply("Built."))]
# Both go on from the first answer, in turns.
A_ASKS = of("a", 3, "a0000002", Prompt("add a cart"))
A_WORKS = of("a", 4, "a0000003", *did("edit", "/cart.py"))
B_ASKS = of("b", 1, "a0000002", Prompt("add a search"))
B_ANSWERS = of("b", 2, "b0000001", Reply("The search is there."))
A_ANSWERS = of("a", 5, "a0000004", Reply("The cart is there."))
A_TESTS = of("a", 6, "a0000005", *ran("pytest -q", "4 passed in 1s"))
B_GOES_ON = of("b", 3, "b0000002", Prompt("now the filters"))
B_ENDS = of("b", 4, "b0000003", Reply("Filters are there."))
A_GOES_ON = of("a", 7, "a0000006", Prompt("now the checkout"))

LOGS: list[tuple[str, list[Record], list[str]]] = [
    ("one came back", [A_ASKS, A_WORKS, B_ASKS, B_ANSWERS, A_ANSWERS], ["add a cart", "add a search"]),
    (
        "both go on",
        [A_ASKS, A_WORKS, B_ASKS, A_ANSWERS, B_ANSWERS, A_TESTS, B_GOES_ON, B_ENDS, A_GOES_ON],
        ["add a cart", "add a search", "now the filters", "now the checkout"],
    ),
    (
        "one only asks on",
        [A_ASKS, A_WORKS, A_ANSWERS, A_TESTS, B_ASKS, B_ANSWERS, A_GOES_ON],
        ["add a cart", "add a search", "now the checkout"],
    ),
    ("the human went back", [A_ASKS, A_WORKS, B_ASKS, B_ANSWERS, B_GOES_ON], ["add a search", "now the filters"]),
]


@pytest.mark.parametrize(("rows", "asked"), [row[1:] for row in LOGS], ids=[row[0] for row in LOGS])
def test_no_turn_of_either_process_is_lost(rows: list[Record], asked: list[str]) -> None:
    records = tape(*FIRST, *rows)
    transcript = extend(EMPTY, records)
    living = [turn for turn in transcript.turns if not turn.abandoned]
    assert [turn.request.text for turn in living] == ["build the shop", *asked]
    assert [turn.number for turn in living] == [turn.request.turn for turn in living]
    assert [turn.number for turn in living] == list(range(1, len(living) + 1))
    assert transcript.totals.turns == len(living)
    _is_counted_right(transcript)
    one_by_one = EMPTY
    for each in records:
        one_by_one = extend(one_by_one, [each])
    assert one_by_one == transcript
    for cut in range(len(records)):
        assert extend(extend(EMPTY, records[:cut]), records[cut:]) == transcript


def _is_counted_right(transcript: Transcript) -> None:
    living = [
        said.message
        for said in transcript.utterances
        if said.turn_row < 0 or not transcript.turns[said.turn_row].abandoned
    ]
    assert sorted(set(living)) == list(range(transcript.totals.messages))
    assert all(one <= other for one, other in pairwise(living))
    starts = {turn.number: turn.request.place.offset for turn in transcript.turns if not turn.abandoned}
    facts = (*transcript.tests, *transcript.steps, *transcript.changes)
    # What was done in a turn that was given up keeps its number, which was given again.
    is_given_up = transcript.totals.abandoned_turns > 0
    assert is_given_up or all(starts[fact.turn] <= fact.place.offset for fact in facts)
