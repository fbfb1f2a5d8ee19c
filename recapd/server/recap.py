"""Handlers of `recap/*`."""

from __future__ import annotations

import msgspec

from recapd.core.excerpt import presentable
from recapd.core.refs import is_same_beginning
from recapd.core.session import ref_in
from recapd.core.tokens import estimate_tokens
from recapd.core.views.claims import Claim, claims_of
from recapd.core.views.recap import recap_of
from recapd.core.views.recap_markdown import FULL_TOKENS, SHORT_TOKENS, full_markdown, short_markdown
from recapd.core.views.since import cursor_of, news_of, only_new
from recapd.core.world import Session
from recapd.server.service import Service
from recapd.server.since import point_of, room_below, since_last_recap, with_news
from recapd.wire import convert
from recapd.wire.types import (
    RecapGetParams,
    RecapGetResult,
    RecapVerifyParams,
    RecapVerifyResult,
    SummaryNote,
    UnprovenClaim,
)


def get(service: Service, session: Session, params: RecapGetParams) -> RecapGetResult:
    facts = recap_of(session, service.now())
    news = None
    if params.since is not None:
        point = point_of(service, session, params.since)
        news, facts = news_of(facts, point), only_new(facts, point)
    write, default_tokens = (short_markdown, SHORT_TOKENS) if params.format == "short" else (full_markdown, FULL_TOKENS)
    max_tokens = params.max_tokens or default_tokens
    body = write(facts, max_tokens=room_below(news, max_tokens), collapsible=bool(params.collapsible))
    text = presentable(with_news(news, body, max_tokens))
    recap = convert.recap(facts)
    return RecapGetResult(
        session_id=session.id,
        revision=session.revision,
        format=params.format,
        shown=True,
        trigger="request",
        turn=facts.turn,
        cursor=cursor_of(session),
        markdown=text,
        tokens=estimate_tokens(text),
        recap=recap if news is None else msgspec.structs.replace(recap, since_last_recap=since_last_recap(news)),
        summary=SummaryNote(state="none"),
    )


def verify(service: Service, session: Session, params: RecapVerifyParams) -> RecapVerifyResult:
    """Every cited line read again: is the file the same, and does the line still say what the recap says?"""
    changed: list[UnprovenClaim] = []
    missing: list[UnprovenClaim] = []
    claims = claims_of(recap_of(session, service.now()))
    for claim in claims:
        reason, is_gone = _doubt(service, claim)
        if reason:
            unproven = UnprovenClaim(
                ref=convert.ref_at(claim.source, claim.place),
                kind=claim.kind,
                text=presentable(claim.text),
                reason=reason,
            )
            (missing if is_gone else changed).append(unproven)
    return RecapVerifyResult(
        session_id=session.id,
        revision=session.revision,
        checked=len(claims),
        ok=len(claims) - len(changed) - len(missing),
        changed=tuple(changed),
        missing=tuple(missing),
    )


def _doubt(service: Service, claim: Claim) -> tuple[str, bool]:
    """Why a place no longer proves its claim, and whether it is gone altogether; "" where it does."""
    ref = ref_in(claim.source, claim.place)
    head = service.head(ref.source)
    line = service.bytes_at(ref)
    if head is None or line is None:
        return "The log or this part of it is gone.", True
    if not is_same_beginning(ref.generation, head):
        return "The log was rewritten since.", False
    records = service.records_at(claim.source.format, ref, line)
    if not records:
        return "The line holds no record now.", False
    if not claim.is_proven([event for record in records for event in record.events]):
        return "The line says something else now.", False
    return "", False
