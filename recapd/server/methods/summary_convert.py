"""Summaries as they go over the wire, clean and without secrets once more: what is stored may be older than a rule."""

from __future__ import annotations

from collections.abc import Sequence

from recapd.core.state import Session
from recapd.core.summaries import Facts, Noted, RollingSummary, headlines, notice_of
from recapd.core.text import presentable
from recapd.wire.convert import ref_at
from recapd.wire.types import Summary, SummaryCommand, SummaryDecision, SummaryFacts, SummaryFile


def to_wire(session: Session, summary: RollingSummary, number: int) -> Summary:
    coverage = summary.coverage
    return Summary(
        id=summary.id,
        number=number,
        text=presentable(summary.text),
        from_message=coverage.first,
        to_message=coverage.last,
        tokens=summary.tokens,
        method=summary.method,
        created_at=summary.created_at,
        refs=(ref_at(session.main, coverage.first_place), ref_at(session.main, coverage.last_place)),
        model=presentable(summary.model) or None,
        focus=presentable(summary.focus) or None,
        part=presentable(summary.part) if summary.part != summary.text else None,
        facts=_facts(summary),
        notice=presentable(notice_of(summary)),
        note=presentable(summary.note) or None,
    )


def _facts(summary: RollingSummary) -> SummaryFacts:
    facts: Facts = summary.facts
    return SummaryFacts(
        goal=presentable(facts.goal.text) if facts.goal is not None else None,
        topics=tuple(presentable(each) for each in headlines(summary)),
        decisions=tuple(
            SummaryDecision(id=each.id, text=presentable(each.text), turn=each.turn, status=each.status)
            for each in facts.decisions
        ),
        files=tuple(SummaryFile(path=presentable(each.path), action=each.action) for each in facts.files),
        commands=tuple(
            SummaryCommand(command=presentable(each.command), ok=each.ok, count=each.count) for each in facts.commands
        ),
        commands_run=facts.commands_run,
        failures=_texts(facts.failures),
        commitments=_texts(facts.commitments),
        open_questions=_texts(facts.questions),
        user_facts=_texts(facts.user_facts),
        tone=tuple(sorted(facts.tone, key=lambda name: (-facts.tone[name], name))),
    )


def _texts(noted: Sequence[Noted]) -> tuple[str, ...]:
    return tuple(presentable(each.text) for each in noted)
