"""Handlers of `recap/*`."""

from __future__ import annotations

import msgspec

from recapd.core.excerpt import presentable
from recapd.core.refs import LogRef, is_same_beginning
from recapd.core.tokens import estimate_tokens
from recapd.core.views.recap import recap_of
from recapd.core.views.recap_markdown import FULL_TOKENS, SHORT_TOKENS, full_markdown, short_markdown
from recapd.core.views.since import cursor_of, news_of, only_new
from recapd.core.world import Session
from recapd.server.service import Service
from recapd.server.since import point_of, room_below, since_last_recap, with_news
from recapd.wire import convert
from recapd.wire.types import (
    Recap,
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
    """Every cited line read again: is the file the same, and does the line still parse to a record?"""
    changed: list[UnprovenClaim] = []
    missing: list[UnprovenClaim] = []
    checked = 0
    for kind, text, ref in claims(convert.recap(recap_of(session, service.now()))):
        checked += 1
        reason, is_gone = _doubt(service, session.main.format, ref)
        if reason:
            claim = UnprovenClaim(ref=convert.log_ref(ref), kind=kind, text=text, reason=reason)
            (missing if is_gone else changed).append(claim)
    return RecapVerifyResult(
        session_id=session.id,
        revision=session.revision,
        checked=checked,
        ok=checked - len(changed) - len(missing),
        changed=tuple(changed),
        missing=tuple(missing),
    )


def claims(recap: Recap) -> list[tuple[str, str, LogRef]]:
    """Everything a recap claims, with the place that proves it."""
    found: list[tuple[str, str, LogRef]] = []

    def claim(kind: str, text: str, ref: object) -> None:
        if ref is not None:
            found.append((kind, text, convert.core_ref(ref)))  # type: ignore[arg-type]

    if recap.original_request:
        claim("request", recap.original_request.text, recap.original_request.ref)
    if recap.current_focus:
        claim("focus", recap.current_focus.text, recap.current_focus.ref)
    for request in recap.user_requests:
        claim("request", request.text, request.ref)
    for action in recap.recent_actions:
        claim("action", action.text, action.ref)
    for command in recap.commands:
        claim("command", command.command, command.ref)
    for run in recap.tests:
        claim("test", run.command, run.ref)
    for file in recap.files:
        claim("file", file.path, file.ref)
    for milestone in recap.progress.milestones:
        claim("milestone", milestone.text, milestone.ref)
    for item in recap.open_items:
        claim("openItem", item.text, item.ref)
    claim("state", recap.state.detail, recap.state.ref)
    return found


def _doubt(service: Service, format: str, ref: LogRef) -> tuple[str, bool]:
    """Why a place no longer proves its claim, and whether it is gone altogether; "" where it does."""
    head = service.head(ref.source)
    line = service.bytes_at(ref)
    if head is None or line is None:
        return "The log or this part of it is gone.", True
    if not is_same_beginning(ref.generation, head):
        return "The log was rewritten since.", False
    if not service.records_at(format, ref, line):
        return "The line holds no record now.", False
    return "", False
