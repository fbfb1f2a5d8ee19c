"""Rolling summaries of a session, for handlers and the summarizer: those there are, what the next one is of, and how
they go over the wire: clean and without secrets once more, since what is stored may be older than a rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from recapd.core.decisions import ledger_of
from recapd.core.state import Session, Transcript, estimated_tokens
from recapd.core.summaries import (
    CoveredMessages,
    Draft,
    Due,
    Facts,
    Material,
    Noted,
    RollingSummary,
    chain_of,
    draft_of,
    due,
    headlines,
    may_be_due,
    notice_of,
    previous_of,
)
from recapd.core.text import excerpt, presentable
from recapd.server.durable import AuditAction, Durable, StoredSummary
from recapd.server.log_texts import read_stretch
from recapd.server.service import Service, judged
from recapd.wire.convert import ref_at, tool_usage
from recapd.wire.types import (
    Reduction,
    Summary,
    SummaryCommand,
    SummaryCreateResult,
    SummaryDecision,
    SummaryFacts,
    SummaryFile,
    SummaryNote,
)

# What is asked for again and again: the latest summaries of the sessions that are open somewhere.
_DECODED = 256

# Of the user's own words for what to dwell on.
_FOCUS_CHARS = 400


def summaries_of(service: Service, session: Session) -> tuple[RollingSummary, ...]:
    """Those whose messages are still the same, oldest first, without hole or overlap."""
    stored = service.durable.summaries(session.id)
    return chain_of(decode_summaries(stored), session.main.transcript, session.memory) if stored else ()


def latest_summary(service: Service, session: Session) -> RollingSummary | None:
    """The one that stands for everything before its `coverage.last + 1`."""
    chain = summaries_of(service, session)
    return chain[-1] if chain else None


def decode_summaries(stored: Sequence[StoredSummary]) -> tuple[RollingSummary, ...]:
    """What an older or newer recapd wrote and this one cannot read is as if it were not there."""
    return tuple(found for each in stored if (found := _decode(each.body)) is not None)


def encode_summary(summary: RollingSummary) -> bytes:
    return msgspec.msgpack.encode(summary)


def keep_summary(durable: Durable, session_id: str, made: RollingSummary, wanted: Due) -> None:
    """For good, and audited. RecapError where it cannot be written down."""
    durable.add_summary(session_id, encode_summary(made))
    coverage = made.coverage
    by = made.model or "extractive"
    detail = f"messages {coverage.first}-{coverage.last} of {coverage.total} by {by}, {made.tokens} tokens"
    durable.audit(session_id, AuditAction.SUMMARY_MADE, f"{detail}, because of {wanted.cause}")


@lru_cache(maxsize=_DECODED)
def _decode(body: bytes) -> RollingSummary | None:
    try:
        return msgspec.msgpack.decode(body, type=RollingSummary)
    except (msgspec.MsgspecError, ValueError):
        return None


def is_due(service: Service, session: Session) -> Due | None:
    settings = service.settings(session)
    totals = session.main.transcript.totals
    if not may_be_due(totals.messages, 0, settings):
        return None
    return due(session.main.transcript, latest_summary(service, session), settings)


def draft_for(service: Service, session: Session, wanted: Due, *, focus: str = "") -> Draft | None:
    """Reads the log; None where there is nothing to summarise. Blocks."""
    settings = service.settings(session)
    # With the user's word, and with what a reader found.
    session = judged(service, session)
    source = session.main
    service.recall_judged(session)
    material = Material(
        session_id=session.id,
        transcript=source.transcript,
        generation=source.generation,
        due=wanted,
        stretch=read_stretch(service, source, first=wanted.first, last=wanted.last),
        ledger=ledger_of(session, settings.decisions) if settings.decisions.enabled else (),
        previous=previous_of(summaries_of(service, session), wanted.first),
        settings=settings,
        now=service.now(),
        focus=excerpt(focus, _FOCUS_CHARS),
    )
    return draft_of(material)


def _tokens_left(transcript: Transcript, covered: CoveredMessages) -> int:
    """Estimated tokens of what comes after the covered messages, calls and results included."""
    total = estimated_tokens(transcript)
    if not len(transcript.utterances):
        return total
    last = transcript.utterances[-1].place
    done = covered.last_place.offset + covered.last_place.length
    return round(total * (1 - min(done / max(last.offset + last.length, 1), 1.0)))


# ---- on the wire


def describe_creation(session: Session, made: RollingSummary, *, number: int) -> SummaryCreateResult:
    return SummaryCreateResult(
        session_id=session.id,
        revision=session.revision,
        summary=to_wire(session, made, number),
        stats=_reduction(session, made),
    )


def _reduction(session: Session, made: RollingSummary) -> Reduction:
    """What the conversation would be with the summary in the place of what it covers."""
    transcript = session.main.transcript
    before = estimated_tokens(transcript)
    after = min(made.tokens + _tokens_left(transcript, made.coverage), before)
    messages = transcript.totals.messages
    return Reduction(
        messages_before=messages,
        messages_after=messages - made.coverage.last,
        tokens_before=before,
        tokens_after=after,
        reduction=round(1 - after / before, 3) if before else 0.0,
    )


def note_of(service: Service, session: Session) -> SummaryNote:
    """For `recap/get`: the latest summary, or whether one is on its way."""
    latest = latest_summary(service, session)
    if latest is not None:
        return SummaryNote(state="ready", text=latest.text, covers_through=latest.coverage.last)
    if is_due(service, session) is None:
        return SummaryNote(state="none")
    audit = service.durable.audit_of(session.id)
    is_failed = bool(audit) and audit[-1].action == AuditAction.SUMMARY_FAILED
    return SummaryNote(state="failed" if is_failed else "pending")


def numbered_summaries(service: Service, session: Session) -> list[Summary]:
    """Those of `summaries_of`, as they go over the wire."""
    return [to_wire(session, each, number) for number, each in enumerate(summaries_of(service, session), 1)]


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
        tools=tool_usage(facts.tools),
    )


def _texts(noted: Sequence[Noted]) -> tuple[str, ...]:
    return tuple(presentable(each.text) for each in noted)
