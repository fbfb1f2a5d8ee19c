"""`decisions/*`: the ledger as clients see it, and the user's word on its entries.

What is found is made up here: a prompt "user constraint 0.9: Never log bodies" is a decision of that sort.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeVar

import msgspec
import pytest

from recapd.core.decisions.entries import Finding
from recapd.core.decisions.ledger import ledger
from recapd.core.state.memory import Memory
from recapd.core.state.transcript import Transcript
from recapd.daemon.library import Library
from recapd.server.methods.dispatch import answer
from recapd.wire.errors import CURSOR_EXPIRED, INVALID_PARAMS, RecapError
from recapd.wire.types import (
    ContextSummaryResult,
    Decision,
    DecisionsConfirmResult,
    DecisionsDismissResult,
    DecisionsJudgeResult,
    DecisionsListResult,
    RecapGetResult,
    RecapVerifyResult,
    SessionExportResult,
)
from recapd.wire.types.base import Wire
from tests.support.findings import said
from tests.support.logs import Act, agent, claude_log, human
from tests.support.secrets import secrets

SECRET = next(each.text for each in secrets(3) if each.kind == "github-oauth")

STORY = (
    "user constraint 0.95: Never log the bodies of requests",
    "agent implementation 0.8: Uploads are capped at 25 MB",
    "user implementation 0.9: raise the upload cap to 80 MB",
    "agent fix 0.05: Sort the invoices by date",
    "collaborative scope 0.7: The German translation waits for spring",
    f"user workflow 0.85: Sign in with {SECRET} before the release",
    "user preference 0.6: Short\u200bcuts are shown in the menu of every window",
)
R = TypeVar("R", bound=Wire)

TEXTS = [each.partition(": ")[2] for each in STORY]


def found_in(transcript: Transcript, memory: Memory) -> tuple[Finding, ...]:
    made: list[Finding] = []
    for passage in transcript.passages:
        sort, _, text = passage.text.partition(": ")
        if passage.kind == "prompt" and len(sort.split()) == 3:
            who, type_, confidence = sort.split()
            blank = said(text, record=passage.record, turn=passage.turn_row + 1, confidence=float(confidence))
            facts = {
                "made_by": who,
                "type": type_,
                "place": passage.place,
                "message": passage.message,
                "at": passage.at,
            }
            facts["proposal"] = passage.place if who == "collaborative" else None
            made.append(msgspec.structs.replace(blank, **facts))
    return tuple(made)


class Client:
    """Asks about the one session below a folder."""

    def __init__(self, folder: Path) -> None:
        self._library = Library([folder], environ={})

    def ask(self, method: str, result: type[R], **params: object) -> R:
        found = answer(self._library, method, json.dumps(params).encode())
        assert isinstance(found, result)
        return found

    def listed(self, **params: object) -> DecisionsListResult:
        return self.ask("decisions/list", DecisionsListResult, **params)

    def dismiss(self, decision: str, **params: object) -> Decision:
        return self.ask("decisions/dismiss", DecisionsDismissResult, id=decision, **params).decision

    def confirm(self, decision: str) -> Decision:
        return self.ask("decisions/confirm", DecisionsConfirmResult, id=decision).decision

    def judge(self, decision: str, verdict: str | None) -> Decision:
        return self.ask("decisions/judge", DecisionsJudgeResult, id=decision, verdict=verdict).decision

    def verify(self) -> RecapVerifyResult:
        return self.ask("recap/verify", RecapVerifyResult)


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Client:
    monkeypatch.setattr(ledger, "findings_of", found_in)
    acts: list[Act] = []
    for prompt in STORY:
        acts += [human(prompt), agent("Done.")]
    # Beyond the beginning by which a log is known: what changes behind it leaves its generation as it is.
    (tmp_path / "s.jsonl").write_bytes(claude_log(agent("words " * 1_000), *acts))
    return Client(tmp_path)


def texts(decisions: tuple[Decision, ...]) -> list[str]:
    return [decision.text for decision in decisions]


def rows(*numbers: int) -> list[str]:
    return [TEXTS[number].replace(SECRET, "[REDACTED]").replace("\u200b", "") for number in numbers]


FILTERS: list[tuple[dict[str, object], list[int]]] = [
    ({}, [0, 1, 2, 4, 5, 6]),
    ({"includeTentative": True}, [0, 1, 2, 3, 4, 5, 6]),
    ({"status": "tentative"}, [3]),
    ({"status": "superseded"}, [1]),
    ({"status": "active", "madeBy": "user"}, [0, 2, 5, 6]),
    ({"madeBy": "collaborative"}, [4]),
    ({"type": "constraint"}, [0]),
    ({"minConfidence": 0.85}, [0, 2, 5]),
    ({"sinceTurn": 5}, [4, 5, 6]),
    ({"query": "CAP raise"}, [2]),
    ({"query": SECRET}, []),
    ({"query": "nothing of the kind"}, []),
    ({"status": "abandoned"}, []),
]


@pytest.mark.parametrize(("params", "expected"), FILTERS, ids=[str(number) for number in range(len(FILTERS))])
def test_filters_add_up(client: Client, params: dict[str, object], expected: list[int]) -> None:
    result = client.listed(**params)
    assert texts(result.decisions) == rows(*expected)
    assert result.total == len(expected)


def test_every_decision_has_a_headline_of_its_own_words_without_secrets(client: Client) -> None:
    found = client.listed(includeTentative=True).decisions
    assert [each.headline for each in found] == [
        "Never log the bodies of requests",
        "Uploads are capped at 25 MB",
        "Raise the upload cap to 80 MB",
        "Sort the invoices by date",
        "The German translation waits for spring",
        "Sign in with [REDACTED] before the release",
        "Shortcuts are shown in the menu of every window",
    ]


def test_pages_join_into_the_whole_list(client: Client) -> None:
    whole = client.listed().decisions
    pages = [client.listed(limit=2)]
    while (cursor := pages[-1].next_cursor) is not None:
        pages.append(client.listed(limit=2, cursor=cursor))
    assert [decision for page in pages for decision in page.decisions] == list(whole)
    assert {page.total for page in pages} == {len(whole)} and len(pages) == 3


def test_a_page_goes_on_where_the_one_before_ended_although_entries_went(client: Client) -> None:
    first = client.listed(limit=2)
    for decision in first.decisions:
        client.dismiss(decision.id)
    assert texts(client.listed(limit=2, cursor=first.next_cursor).decisions) == rows(2, 4)


def test_a_cursor_of_something_else_is_refused(client: Client) -> None:
    with pytest.raises(RecapError) as error:
        client.listed(cursor="at:2")
    assert error.value.code == CURSOR_EXPIRED


def test_an_entry_says_who_when_and_where(client: Client) -> None:
    rule, capped, raised, *_ = client.listed().decisions
    assert (rule.turn, rule.message_index, rule.ref.line, rule.made_by) == (1, 1, 2, "user")
    assert rule.timestamp is not None and rule.timestamp.startswith("2026-03-01T09:01")
    assert (capped.status, capped.superseded_by, raised.supersedes) == ("superseded", raised.id, capped.id)


def test_quotes_stand_in_the_log_but_for_secrets(client: Client, tmp_path: Path) -> None:
    lines = (tmp_path / "s.jsonl").read_text("utf-8").split("\n")
    for decision in client.listed().decisions:
        logged = json.loads(lines[decision.ref.line - 1])["message"]["content"]
        parts = decision.quote.split("[REDACTED]")
        assert all(part in logged for part in parts)
        assert max(map(len, parts)) > 10
        assert SECRET not in str(decision)


def test_dismissed_is_out_of_everything_and_confirmed_is_certain(client: Client) -> None:
    listed = client.listed(includeTentative=True).decisions
    rule, guess = listed[0].id, listed[3].id
    assert client.dismiss(rule, reason=f"nobody said so; {SECRET}").verdict == "dismissed"
    confirmed = client.confirm(guess)
    assert (confirmed.id, confirmed.status, confirmed.confidence) == (guess, "active", 1.0)
    assert texts(client.listed().decisions) == rows(1, 2, 3, 4, 5, 6)
    assert texts(client.listed(includeDismissed=True).decisions) == rows(0, 1, 2, 3, 4, 5, 6)
    assert texts(client.ask("recap/get", RecapGetResult).recap.decisions) == rows(1, 2, 3, 4, 5, 6)
    assert texts(client.ask("context/summary", ContextSummaryResult).key_decisions) == rows(2, 3, 4, 5, 6)
    # Each is undone by the other.
    client.confirm(rule)
    client.dismiss(guess)
    assert texts(client.listed().decisions) == rows(0, 1, 2, 4, 5, 6)


def test_a_word_that_is_taken_back_was_never_said(client: Client) -> None:
    """Whatever was said, however often: answers are what they were, but for the revision that tells of the change."""

    def everything() -> list[bytes]:
        asked: list[Wire] = [
            client.listed(includeTentative=True, includeDismissed=True),
            *(client.ask("recap/get", RecapGetResult, format=each) for each in ("full", "decisions", "resume")),
            client.ask("context/summary", ContextSummaryResult),
        ]
        return [msgspec.json.encode(msgspec.structs.replace(each, revision=0)) for each in asked]

    before = everything()
    rule, capped, raised, guess, *_ = client.listed(includeTentative=True).decisions
    for each in (rule, raised, guess):
        client.judge(each.id, "dismissed")
    assert everything() != before
    client.judge(guess.id, "confirmed")
    assert client.listed(status="active", query="sort").decisions[0].verdict == "confirmed"
    for each in (rule, raised, guess):
        assert client.judge(each.id, None) == each
    # There is nothing to take back of what nobody judged.
    assert client.judge(capped.id, None) == capped
    assert everything() == before
    told = client.ask("session/export", SessionExportResult).audit
    assert [(each.action, each.detail) for each in told][-3:] == [
        ("verdict withdrawn", each.id) for each in (rule, raised, guess)
    ]


def test_dismissed_is_a_status_of_its_own(client: Client) -> None:
    _, capped, raised, *_ = client.listed().decisions
    assert client.judge(capped.id, "dismissed").status == "dismissed"
    assert texts(client.listed(status="dismissed").decisions) == rows(1)
    assert client.listed(status="superseded", includeDismissed=True).total == 0
    assert client.judge(raised.id, "dismissed").status == "dismissed"
    # What was replaced by nothing but that holds, where it is not dismissed itself.
    assert client.judge(capped.id, None).status == "active"


def test_none_is_lost_however_many_there_are(client: Client, tmp_path: Path) -> None:
    """Seed 000 kept the last ten, and its count was wrong for that."""
    prompts = [f"user constraint 0.9: Room number{row} of house{row} is painted colour{row}" for row in range(150)]
    prompts[1] = "user constraint 0.9: Room number0 of house0 is painted colour0 no longer, but white"
    (tmp_path / "s.jsonl").write_bytes(claude_log(*(human(prompt) for prompt in prompts)))
    many = Client(tmp_path)
    whole = many.listed(limit=1_000)
    assert (whole.total, len(whole.decisions)) == (150, 150)
    assert [each.status for each in whole.decisions] == ["superseded"] + ["active"] * 149
    shown = many.ask("recap/get", RecapGetResult).recap.decisions
    # A recap is bounded: what no longer holds goes first, then the oldest.
    assert texts(shown) == texts(whole.decisions[-100:])


def test_an_id_that_names_nothing_is_a_bad_field(client: Client) -> None:
    for judge in (client.dismiss, client.confirm):
        with pytest.raises(RecapError) as error:
            judge("nobody")
        assert error.value.code == INVALID_PARAMS
        assert "`id`" in str(error.value)


def test_a_quote_that_changed_is_noticed(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    before = client.verify()
    assert before.ok == before.checked
    (wanted,) = client.listed(query="spring").decisions
    path.write_bytes(path.read_bytes().replace(b"waits for spring", b"waits for autumn"))
    doubted = [(claim.kind, claim.id) for claim in client.verify().changed if claim.id]
    assert doubted == [("decision", wanted.id)]
