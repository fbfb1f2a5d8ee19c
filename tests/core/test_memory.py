"""What was made of a session is made again only where the session changed, and says what a fresh one would say."""

from __future__ import annotations

import random
import re
from collections.abc import Hashable
from typing import Any

import msgspec
import pytest

from recapd.core.log import Place
from recapd.core.log.events import Prompt, Reply
from recapd.core.state.memory import Memory
from recapd.core.state.world import Session
from recapd.core.text import closing_of, gist
from recapd.core.views.recap import next as next_step
from recapd.core.views.recap import produced
from recapd.core.views.recap.markdown import Format, Wanted, markdown_of
from recapd.core.views.recap.past import as_of_turn
from recapd.core.views.recap.recap import recap_of
from tests.support.logs import at
from tests.support.records import Row, did, session_with

NOW = at(100_000)
FORMATS: tuple[Format, ...] = ("short", "full", "decisions", "timeline", "resume")
THINGS = "parser cache queue login schema socket theme index branch deploy".split()


def story(turns: int, *, seed: int = 0) -> list[Row]:
    chance = random.Random(seed)
    rows: list[Row] = []
    for number in range(turns):
        thing, other = chance.sample(THINGS, 2)
        rows += [
            Prompt(f"Please use a {thing} instead of the {other} in part {number}"),
            did("edit", f"/work/part{number}.py"),
            Reply(
                f"Done: `part{number}.py` has a {thing} now.\n\n- The {other} of part {number} is gone.\nShall I go on?"
            ),
        ]
    return rows


def pages(session: Session, *formats: Format) -> list[str]:
    recap = recap_of(session, NOW)
    return [markdown_of(recap, Wanted(format, 700, now=NOW)) for format in formats or FORMATS]


def with_memory(rows: list[Row], memory: Memory) -> Session:
    return msgspec.structs.replace(session_with(*rows), memory=memory)


def test_a_session_that_grows_reads_as_if_nobody_had_asked_before() -> None:
    rows, memory = story(8), Memory()
    for end in range(1, len(rows) + 1):
        assert pages(with_memory(rows[:end], memory)) == pages(session_with(*rows[:end])), end
    # It was rewritten, and rewound.
    for other in (story(6, seed=1), rows[:7], rows):
        assert pages(with_memory(other, memory)) == pages(session_with(*other))


def test_the_past_is_told_with_what_is_still_so_and_takes_nobodys_place() -> None:
    rows = story(12)
    whole = session_with(*rows)
    now, things = pages(whole), whole.memory.things
    for turn in (2, 11, 5):
        past, _ = as_of_turn(whole, turn)
        fresh, _ = as_of_turn(session_with(*rows), turn)
        assert pages(past) == pages(fresh)
        # What is about single turns and decisions was known.
        assert past.memory.things < fresh.memory.things / 2
    assert pages(whole) == now and whole.memory.things == things


def test_only_what_is_new_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    whole = gist.gist_of

    def counted(answer: str) -> str:
        made.append(answer)
        return whole(answer)

    monkeypatch.setattr("recapd.core.views.recap.results.gist_of", counted)
    monkeypatch.setattr("recapd.core.decisions.ledger.ledger.findings_of", lambda transcript, memory: ())
    # More turns than any cache of a fixed size had.
    rows, memory = story(1_100), Memory()
    pages(with_memory(rows[:-3], memory), "short")
    assert len(made) == 1_099
    made.clear()
    pages(with_memory(rows, memory), "short")
    pages(with_memory(rows, memory), "full")
    assert len(made) == 1


def test_a_page_costs_the_same_however_long_the_session_is(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[object] = []
    recall = Memory.recall

    def counted(self: Memory, make: Any, thing: object, name: Hashable, *others: object) -> object:
        looked.append(name)
        return recall(self, make, thing, name, *others)

    monkeypatch.setattr("recapd.core.decisions.ledger.ledger.findings_of", lambda transcript, memory: ())
    counts = []
    for turns in (400, 3_200):
        rows, memory = story(turns), Memory()
        pages(with_memory(rows[:-3], memory), "short", "full", "timeline")
        with monkeypatch.context() as patched:
            patched.setattr(Memory, "recall", counted)
            looked.clear()
            pages(with_memory(rows, memory), "short", "full", "timeline")
        counts.append(len(looked))
    assert counts[1] < 1.5 * counts[0]


def test_what_came_long_ago_is_told_by_its_weightiest() -> None:
    rows = [*story(200), Prompt("move the billing to Stripe"), Reply("Billing runs on `stripe_gateway.py` now.")]
    session = session_with(*rows, *story(400, seed=1))
    (page,) = pages(session, "timeline")
    numbers = [int(number) for number in re.findall(r"Turns? (\d+)", page)]
    assert numbers[0] == 1 and numbers == sorted(numbers) and max(numbers) > 500
    assert len([number for number in numbers if number < 400]) > 3


def test_it_is_as_large_as_its_session() -> None:
    rows, memory = story(20), Memory()
    for _ in range(3):
        pages(with_memory(rows, memory))
    before = memory.things
    # An agent that works on by itself changes its last words again and again.
    for number in range(30):
        pages(with_memory([*rows, Reply(f"Now `step{number}.py` is done, and the tests pass.")], memory))
    assert memory.things <= before + 30


def test_it_is_no_part_of_the_session() -> None:
    asked, other = session_with(*story(2)), session_with(*story(2))
    pages(asked)
    assert asked == other and asked.memory is not other.memory
    with pytest.raises(TypeError):
        hash(asked.memory)


def test_a_thing_is_made_anew_where_it_changed() -> None:
    memory = Memory()
    made: list[str] = []

    def make(text: str, end: str) -> str:
        made.append(text)
        return text + end

    for text, name in (("a", 1), ("a", 1), ("b", 1), ("a", 2), ("b", 1)):
        assert memory.recall(make, text, name, "!") == f"{text}!"
    assert made == ["a", "b", "a"] and memory.things == 2


def test_what_a_page_tells_at_several_widths_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    listed: list[int] = []
    pulls_told = produced._pulls_told

    def reading(answer: str) -> Any:
        read.append(answer)
        return closing_of(answer)

    def listing(made_of: Any, memory: Memory) -> dict[str, Place]:
        listed.append(len(made_of[0]))
        return pulls_told(made_of, memory)

    monkeypatch.setattr(next_step, "closing_of", reading)
    monkeypatch.setattr(produced, "_pulls_told", listing)
    rows, memory = story(20), Memory()
    # So little room that every width is tried.
    recap = recap_of(with_memory(rows, memory), NOW)
    markdown_of(recap, Wanted("short", 120, now=NOW))
    markdown_of(recap, Wanted("full", 700, now=NOW))
    assert (len(read), listed) == (1, [20])
