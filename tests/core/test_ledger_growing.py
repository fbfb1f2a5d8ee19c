"""A ledger that grows with its log is the one that would be made of the whole, and costs what was added."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from recapd.core.decisions.entries import Entry, Finding, Verdict
from recapd.core.decisions.ledger import making as ledger_making
from recapd.core.decisions.ledger.ledger import entry_ids, ledger_from
from recapd.core.decisions.ledger.scenes import Circumstances
from recapd.core.decisions.ledger.subjects import Rarity, Subject, subject_of
from recapd.core.state.memory import Memory
from tests.core.test_ledger_reversals import play
from tests.support.findings import AS_USUAL, conversation, placed, said, shifted

Outline = list[tuple[str, str, int, int, int, int]]


def made(findings: Sequence[Finding], turns: int, *, memory: Memory, verdicts: dict[int, Verdict]) -> Outline:
    """The ledger after so many turns, with what is remembered of it; entries are named by their numbers."""
    session = replace(conversation(turns), memory=memory)
    ids = entry_ids(session.id, findings)
    numbers = {identity: number for number, identity in enumerate(ids)} | {"": -1}
    judged = {ids[number]: verdict for number, verdict in verdicts.items() if number < len(ids)}
    entries = ledger_from(findings, session=replace(session, verdicts=judged), settings=AS_USUAL)
    return [_outline(entry, numbers) for entry in entries]


def _outline(entry: Entry, numbers: dict[str, int]) -> tuple[str, str, int, int, int, int]:
    links = numbers[entry.supersedes], numbers[entry.superseded_by], numbers[entry.conflicts_with]
    return entry.finding.text, entry.status, *links, len(entry.restated)


@pytest.mark.parametrize("seed", range(4))
def test_a_ledger_that_grows_is_the_one_of_the_whole(seed: int) -> None:
    chance = random.Random(seed)
    findings = placed(play(seed)[0])
    verdicts: dict[int, Verdict] = {}
    memory = Memory()
    kinds = set()
    end = 0
    while (end := end + chance.choice((1, 2, 5, 9))) < len(findings):
        so_far = findings[:end]
        turns = so_far[-1].turn_row + 1
        if chance.random() < 0.2:
            # What was said last is judged otherwise, until more is known.
            so_far = [*so_far[:-1], replace(so_far[-1], confidence=0.2)]
        if chance.random() < 0.2:
            # So is something before it.
            at = max(end - chance.randrange(1, 12), 0)
            so_far[at] = replace(so_far[at], confidence=chance.choice((0.2, 0.6, 0.97)))
        if chance.random() < 0.1:
            verdicts[chance.randrange(end)] = chance.choice(("dismissed", "confirmed"))
        if chance.random() < 0.2:
            # The log repeats a record.
            so_far = [*so_far, replace(shifted(chance.choice(so_far), 5_000), turn_row=turns - 1)]
        grown = made(so_far, turns, memory=memory, verdicts=verdicts)
        assert grown == made(so_far, turns, memory=Memory(), verdicts=verdicts)
        kinds |= {status for _, status, *_ in grown}
    assert kinds == {"active", "superseded", "reverted", "tentative"}


def test_a_log_that_became_another_leaves_nothing_behind() -> None:
    one = placed([said(f"Shelf {number} holds tin{number}") for number in range(9)])
    other = placed([said(f"Room {number} is painted hue{number}") for number in range(9)])
    memory = Memory()
    for findings in (one, other, one[:3], one):
        entries = made(findings, len(findings), memory=memory, verdicts={})
        assert [text for text, *_ in entries] == [finding.text for finding in findings]


def test_only_what_was_added_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def counted(finding: Finding, turn: int, scene: Circumstances, *, verdict: Verdict | None) -> Subject:
        read.append(finding.text)
        return subject_of(finding, turn, scene, verdict=verdict)

    monkeypatch.setattr(ledger_making, "subject_of", counted)
    findings = placed([said(f"Drawer {number} holds spoon{number}") for number in range(60)])
    memory = Memory()
    for end in range(40, 61):
        read.clear()
        made(findings[:end], end, memory=memory, verdicts={})
        # The last turn is new. The one before it could have been judged otherwise: where those before that are put
        # down for good, it is read again.
        assert end == 40 or read in ([findings[end - 1].text], [finding.text for finding in findings[end - 2 : end]])
    read.clear()
    made([*findings[:58], replace(findings[58], confidence=0.95), findings[59]], 60, memory=memory, verdicts={})
    assert read == [findings[58].text, findings[59].text]


def test_words_are_as_rare_as_before_when_the_last_is_taken_out() -> None:
    subjects = [subject_of(said(text), 1, Circumstances()) for text in ("Sell red socks", "Sell blue socks")]
    rarity, other = Rarity(), Rarity()
    for subject in subjects:
        rarity.add(subject)
    other.add(subjects[0])
    words = subjects[0].terms | subjects[1].terms
    assert [rarity.of(word) for word in sorted(words)] != [other.of(word) for word in sorted(words)]
    rarity.remove(subjects[1])
    assert [rarity.of(word) for word in sorted(words)] == [other.of(word) for word in sorted(words)]
