"""Rolling summaries of a session, for handlers and the summarizer: those there are, and what the next one is of."""

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
    Material,
    RollingSummary,
    chain_of,
    draft_of,
    due,
    may_be_due,
    previous_of,
)
from recapd.core.text import excerpt
from recapd.server.durable import StoredSummary
from recapd.server.service import Service
from recapd.server.stretches import read_stretch

# What is asked for again and again: the latest summaries of the sessions that are open somewhere.
_DECODED = 256

# Of the user's own words for what to dwell on.
_FOCUS_CHARS = 400

FAILED = "summary failed"


def summaries_of(service: Service, session: Session) -> tuple[RollingSummary, ...]:
    """Those whose messages are still the same, oldest first, without hole or overlap."""
    stored = service.durable().summaries(session.id)
    return chain_of(decoded(stored), session.main.transcript) if stored else ()


def latest_summary(service: Service, session: Session) -> RollingSummary | None:
    """The one that stands for everything before its `coverage.last + 1`."""
    chain = summaries_of(service, session)
    return chain[-1] if chain else None


def decoded(stored: Sequence[StoredSummary]) -> tuple[RollingSummary, ...]:
    """What an older or newer recapd wrote and this one cannot read is as if it were not there."""
    return tuple(found for each in stored if (found := _decode(each.body)) is not None)


def encoded(summary: RollingSummary) -> bytes:
    return msgspec.msgpack.encode(summary)


@lru_cache(maxsize=_DECODED)
def _decode(body: bytes) -> RollingSummary | None:
    try:
        return msgspec.msgpack.decode(body, type=RollingSummary)
    except msgspec.MsgspecError:
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
    source = session.main
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


def tokens_left(transcript: Transcript, covered: CoveredMessages) -> int:
    """Estimated tokens of what comes after the covered messages, calls and results included."""
    total = estimated_tokens(transcript)
    if not len(transcript.utterances):
        return total
    last = transcript.utterances[-1].place
    done = covered.last_place.offset + covered.last_place.length
    return round(total * (1 - min(done / max(last.offset + last.length, 1), 1.0)))
