"""A decision keeps its id whatever becomes of its log, and one more of them costs no more than the one before."""

from __future__ import annotations

import msgspec
import pytest

from recapd.core.decisions.entries import Entry, Finding
from recapd.core.decisions.ledger.ledger import entry_ids, ledger_of
from recapd.core.settings import DecisionSettings
from tests.support.findings import conversation, ledger, placed, said, shifted


def story() -> list[Finding]:
    return placed([said("Serve with Caddy"), said("Serve with nginx instead of Caddy"), said("Serve with Caddy")])


def ids(findings: list[Finding], session_id: str = "s") -> list[str]:
    return entry_ids(session_id, findings)


def test_there_and_back_again_are_three_ids_that_more_of_the_log_does_not_change() -> None:
    findings = story()
    assert len(set(ids(findings))) == 3
    assert ids([*findings, *placed([said("Sell socks")])])[:3] == ids(findings)
    assert set(ids(findings, "another session")).isdisjoint(ids(findings))


@pytest.mark.parametrize("has_ids", [True, False])
def test_lines_that_moved_leave_ids_as_they_are(has_ids: bool) -> None:
    findings = [msgspec.structs.replace(each, record=each.record if has_ids else "") for each in story()]
    assert len(set(ids(findings))) == 3
    assert ids([shifted(each, 40) for each in findings]) == ids(findings)


def test_two_decisions_of_one_record_have_two_ids() -> None:
    one, two = ids([said("a", record="r", ordinal=0), said("b", record="r", ordinal=1)])
    assert one != two


def test_a_record_that_the_log_repeats_is_one_decision() -> None:
    first, second = placed([said("Serve with Caddy", record="r"), said("Sell socks", record="q")])
    replay = shifted(first, 500)
    entries = ledger(first, second, replay)
    assert [(entry.finding.text, entry.restated) for entry in entries] == [
        ("Serve with Caddy", (replay.place,)),
        ("Sell socks", ()),
    ]


# ---- cost


def test_the_work_for_one_more_is_bounded() -> None:
    """However many decisions share a word, each is compared with a few."""
    crowd = [said(f"Handler number{row} of service alpha logs topic{row % 7}") for row in range(1_500)]
    entries = ledger(*crowd, session=conversation(1))
    assert len(entries) + sum(len(entry.restated) for entry in entries) == len(crowd)


def test_a_ledger_is_made_once_while_nothing_changes() -> None:
    session = conversation(3)
    settings = DecisionSettings()
    assert ledger_of(session, settings) is ledger_of(session, settings)
    judged = msgspec.structs.replace(session, verdicts={"x": "dismissed"})
    assert isinstance(ledger_of(judged, settings), tuple)


def test_nothing_decided_nothing_listed() -> None:
    empty: tuple[Entry, ...] = ()
    assert ledger() == empty
