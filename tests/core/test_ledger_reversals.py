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
from recapd.core.decisions.ledger import ledger_of
from recapd.core.lines import START, split
from recapd.core.settings import DecisionSettings
from recapd.core.world import sessions_of
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


# ---- through the whole pipeline


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


@pytest.mark.parametrize("seed", range(3))
def test_the_ledger_is_the_same_however_the_log_arrives(seed: int) -> None:
    data = LOGS["claude-code"](*long_talk(seed)[:120])
    adapter = recognise(data)
    assert adapter is not None
    records = [record for line, place in split(START, data).lines for record in adapter.parse(line, place)[0]]
    chance = random.Random(seed)
    cuts = sorted(chance.sample(range(1, len(records)), 9))
    pieces = [records[begin:end] for begin, end in pairwise((0, *cuts, len(records)))]
    (session,) = sessions_of(world_of(*map(batch, pieces)))
    assert outline(ledger_of(session, DecisionSettings())) == outline(entries_in(data))


@pytest.mark.parametrize("agent_name", LOGS)
def test_what_was_decided_keeps_its_id_as_the_log_grows(agent_name: str) -> None:
    talk = long_talk(5)
    whole = entries_in(LOGS[agent_name](*talk))
    half = entries_in(LOGS[agent_name](*talk[: len(talk) // 2]))
    quotes = {each.id: each.finding.quote for each in whole}
    kept = [each for each in half if quotes.get(each.id) == each.finding.quote]
    # The turn that was being lived through may yet be judged otherwise.
    assert len(half) - len(kept) <= 2
