"""Long conversations in which decisions are made, changed, taken back and made again: none is lost, each status is
right, and ids stay the same however the log is read."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise

import msgspec
import pytest

from recapd.adapters.registry import recognise
from recapd.core.decisions.entries import Entry, Finding
from recapd.core.decisions.ledger.ledger import ledger_of
from recapd.core.log.lines import START, split
from recapd.core.settings import DecisionSettings
from recapd.core.state.world import sessions_of
from tests.support.findings import by_agent, conversation, ledger, said
from tests.support.logs import LOGS, Act, agent, edit, human
from tests.support.records import batch, read_log, world_of

TURNS = 200
# Things to decide about: no two share a word.
THINGS = """
avatar size;cart expiry;banner height;thumbnail width;invoice deadline;coupon discount;newsletter interval;
password length;backup retention;queue depth;worker pool;cache lifetime;search radius;photo quality;map zoom;
ticket priority;login attempts;comment length;parcel weight;meeting duration;font scale;volume step;battery warning;
sensor frequency;snapshot age;shard count;replica lag;trial period;refund window;proxy timeout
""".replace("\n", "").split(";")


class Told(msgspec.Struct):
    """A decision as it was planted, and what should become of it."""

    thing: str
    value: int
    status: str = "active"
    again: int = 0
    replaced: int = -1


def play(seed: int) -> tuple[list[Finding], list[Told]]:
    """A conversation of 200 turns, one planted act each, and what must come of it."""
    chance = random.Random(seed)
    findings: list[Finding] = []
    told: list[Told] = []
    holds: dict[str, int] = {}
    for turn in range(1, TURNS + 1):
        thing = chance.choice(THINGS)
        at = holds.get(thing)
        act = chance.choice(("change", "change", "back", "again", "undo", "rest"))
        if at is None:
            holds[thing] = _decided(told, thing, chance.randrange(10, 99))
            findings.append(_stated(chance, told[-1], turn))
        elif act == "change" or (act == "back" and told[at].replaced < 0):
            value = chance.choice([each for each in range(10, 99) if each != told[at].value])
            holds[thing] = _decided(told, thing, value, replacing=at)
            findings.append(said(f"Change the {thing} from {told[at].value} to {value}", turn=turn))
        elif act == "back":
            holds[thing] = _decided(told, thing, told[told[at].replaced].value, replacing=at)
            findings.append(said(f"The {thing} goes back to {told[-1].value}", turn=turn))
        elif act == "again":
            told[at].again += 1
            findings.append(by_agent(f"{thing}: {told[at].value}, as before", turn=turn))
        elif act == "undo":
            told[at].status = "reverted"
            before = told[at].replaced
            del holds[thing]
            if before >= 0:
                told[before].status = "active"
                holds[thing] = before
            told.append(Told(f"undo {thing}", 0))
            findings.append(said(f"Please undo the {thing} decision", turn=turn, takes_back=True))
    return findings, told


def _decided(told: list[Told], thing: str, value: int, *, replacing: int = -1) -> int:
    if replacing >= 0:
        told[replacing].status = "superseded"
    told.append(Told(thing, value, replaced=replacing))
    return len(told) - 1


def _stated(chance: random.Random, decided: Told, turn: int) -> Finding:
    text = chance.choice(("The {} is {}", "Let's have a {} of {}", "{} should be {}", "set the {} to {}"))
    make = chance.choice((said, by_agent))
    return make(text.format(decided.thing, decided.value), turn=turn)


@pytest.mark.parametrize("seed", range(8))
def test_every_planted_reversal_is_told_right(seed: int) -> None:
    findings, told = play(seed)
    entries = ledger(*findings, session=conversation(TURNS))
    assert [(entry.status, len(entry.restated)) for entry in entries] == [(each.status, each.again) for each in told]
    assert len({entry.id for entry in entries}) == len(told) > 100
    assert {"active", "superseded", "reverted"} == {entry.status for entry in entries}
    # Whatever was changed names what changed it, and A → B → A are three.
    for entry, each in zip(entries, told, strict=True):
        if each.replaced >= 0 and each.status != "reverted":
            assert entries[each.replaced].superseded_by == entry.id
    back = [each for each in told if each.replaced >= 0 and _was_before(told, each)]
    assert len(back) > 5


def _was_before(told: list[Told], each: Told) -> bool:
    """Whether its value is the one that held before what it replaced."""
    before = told[each.replaced].replaced
    return before >= 0 and told[before].value == each.value


# ---- through the whole pipeline


def planted(seed: int) -> tuple[list[Act], list[tuple[str, str]]]:
    """A log of 200 turns in which the human decides, changes, goes back and undoes; each quote with its last status."""
    chance = random.Random(seed)
    acts: list[Act] = []
    told: list[Told] = []
    quotes: list[str] = []
    # For each thing the decisions of which the last one holds.
    held: dict[str, list[int]] = {}
    just = ""
    for turn in range(TURNS):
        thing = chance.choice(THINGS)
        stack = held.setdefault(thing, [])
        act = chance.choice(("change", "change", "back", "undo", "ask"))
        if act == "ask" or (act == "undo" and not just):
            request, just = f"how many lines does module {turn} have?", ""
        elif act == "undo":
            told[held[just].pop()].status = "reverted"
            if held[just]:
                told[held[just][-1]].status = "active"
            request, just = "please undo that", ""
            told.append(Told(request, 0))
            quotes.append(request)
        else:
            values = [told[at].value for at in stack]
            value = values[-2] if act == "back" and len(values) > 1 else chance.choice([*range(10, 99)])
            if values and value == values[-1]:
                value += 1
            request = f"let's just limit the {thing} to {value} for now"
            if values:
                request = f"I don't like that, make the {thing} {value} instead of {values[-1]}"
            stack.append(_decided(told, thing, value, replacing=stack[-1] if stack else -1))
            quotes.append(request)
            just = thing
        acts += [human(request), edit(f"/home/dev/shop/part{turn % 9}.py"), agent("Done.")]
    return acts, [(quote, each.status) for quote, each in zip(quotes, told, strict=True)]


@pytest.mark.parametrize("agent_name", LOGS)
@pytest.mark.parametrize("seed", range(3))
def test_every_reversal_in_a_long_log_is_listed_right(agent_name: str, seed: int) -> None:
    talk, told = planted(seed)
    entries = [each for each in entries_in(LOGS[agent_name](*talk)) if "module" not in each.finding.quote]
    assert [(each.finding.quote, each.status) for each in entries] == told
    assert len({each.id for each in entries}) == len(told) > 100
    assert {"active", "superseded", "reverted"} == {status for _, status in told}
    assert [each.restated for each in entries] == [()] * len(entries)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("agent_name", LOGS)
def test_the_ledger_is_the_same_however_the_bytes_arrive(agent_name: str, seed: int) -> None:
    data = LOGS[agent_name](*planted(seed)[0][:150])
    adapter = recognise(data)
    assert adapter is not None
    chance = random.Random(seed)
    cuts = sorted(chance.sample(range(1, len(data)), 2 + 20 * seed))
    carry, batches = START, []
    for begin, end in pairwise((0, *cuts, len(data))):
        part = split(carry, data[begin:end])
        carry = part.carry
        batches.append(batch([each for line, place in part.lines for each in adapter.parse(line, place)[0]]))
    (session,) = sessions_of(world_of(*batches))
    assert outline(ledger_of(session, DecisionSettings())) == outline(entries_in(data))


def long_talk(seed: int) -> list[Act]:
    chance = random.Random(seed)
    acts: list[Act] = []
    for turn in range(TURNS):
        thing = chance.choice(THINGS)
        value = chance.randrange(10, 99)
        request = chance.choice(
            (
                f"The {thing} must always be {value}.",
                f"I don't like that, make the {thing} {value} instead.",
                f"let's just limit the {thing} to {value} for now",
                f"what does module {turn} do?",
            )
        )
        acts += [human(request), edit(f"/home/dev/shop/part{turn % 9}.py"), agent(f"Set the {thing} to {value}.")]
    return acts


def entries_in(data: bytes) -> tuple[Entry, ...]:
    return ledger_of(read_log(data), DecisionSettings())


def outline(entries: Sequence[Entry]) -> list[tuple[str, str, str, int, str]]:
    return [(each.id, each.status, each.superseded_by, each.turn, each.finding.quote) for each in entries]


@pytest.mark.parametrize("agent_name", LOGS)
def test_ids_and_statuses_outlive_a_restart_and_a_rewritten_log(agent_name: str) -> None:
    data = LOGS[agent_name](*long_talk(3))
    first = outline(entries_in(data))
    assert len(first) > 100
    assert outline(entries_in(data)) == first
    # A line of no consequence put in early on moves every line after it.
    lines = data.split(b"\n")
    moved = b"\n".join([*lines[:4], b'{"type":"unheard-of"}', *lines[4:]])
    assert outline(entries_in(moved)) == first


@pytest.mark.parametrize("agent_name", LOGS)
def test_what_was_decided_keeps_its_id_as_the_log_grows(agent_name: str) -> None:
    talk = long_talk(5)
    whole = entries_in(LOGS[agent_name](*talk))
    half = entries_in(LOGS[agent_name](*talk[: len(talk) // 2]))
    quotes = {each.id: each.finding.quote for each in whole}
    kept = [each for each in half if quotes.get(each.id) == each.finding.quote]
    # The turn that was being lived through may yet be judged otherwise.
    assert len(half) - len(kept) <= 2
