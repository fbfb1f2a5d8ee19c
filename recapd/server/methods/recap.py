"""Handlers of `recap/*`: where a session stands, what is new since a reader looked, and who wants to be told."""

from __future__ import annotations

from itertools import islice
from typing import Final

import msgspec

from recapd.core.log import is_same_beginning
from recapd.core.settings import RecapSettings
from recapd.core.state import Session, ref_in
from recapd.core.text import count_for_budget, estimate_tokens, fenced, fit_tokens, presentable
from recapd.core.views.claims import Claim, claims_of
from recapd.core.views.context import lost_in
from recapd.core.views.recap import (
    FORMATS,
    Checkpoint,
    Recap,
    Told,
    Wanted,
    about_prompt,
    as_of_turn,
    asked_for,
    default_tokens,
    recap_of,
    recap_so_far,
    session_summary,
    showing,
    told_of,
)
from recapd.core.views.since import (
    News,
    cursor_of,
    first_look,
    news_of,
    only_new,
)
from recapd.server.backend import Client
from recapd.server.points import check_cursor, marks_of, news_for, point_of
from recapd.server.reading import reader_note
from recapd.server.recaps import Recapped, recap_as_data, usual_page
from recapd.server.service import Service
from recapd.server.summarizing import note_of
from recapd.wire import convert
from recapd.wire.errors import limit_exceeded
from recapd.wire.types import (
    RecapAcknowledgeParams,
    RecapAcknowledgeResult,
    RecapGetParams,
    RecapGetResult,
    RecapSubscribeParams,
    RecapSubscribeResult,
    RecapUnsubscribeParams,
    RecapVerifyParams,
    RecapVerifyResult,
    Since,
    SinceLastRecap,
    UnprovenClaim,
)

# As many as somebody reads; `context/assemble` has them all, within its budget.
_MOST_LOST: Final = 20
_GAP: Final = "\n\n"
_FENCE_TOKENS: Final = count_for_budget(fenced(""))


def get(service: Service, session: Session, params: RecapGetParams) -> RecapGetResult:
    settings = service.settings(session)
    service.judge_soon(session)
    past, then = as_of_turn(session, params.at_turn) if params.at_turn is not None else (session, "")
    if then:
        # What hooks tell is of now.
        past = msgspec.structs.replace(past, signal=None)
    now = then or service.now()
    if past is session:
        recapped = service.recaps.recall(session, now, settings.decisions)
    else:
        recapped = Recapped(recap_so_far(past, now, settings.decisions))
    facts = recapped.facts
    prompt = params.current_prompt
    due = asked_for(facts, prompt) if params.force else showing(facts, settings.recap, now, prompt)
    facts = about_prompt(facts, prompt)
    whole, (news, facts) = facts, _news(service, past, params, facts)
    wanted = _wanted(service, session, params, settings.recap, now)
    page = facts
    if params.since is None and params.consumer is not None and wanted.format == "short":
        page = news_for(service, past, params.consumer, whole)
    # Who asks for nothing but news knows how it began.
    told = _told(recapped, page, news if params.since is not None else None, wanted) if due.shown else None
    text = told.markdown if told is not None else ""
    recap = recapped.as_data if facts is recapped.facts else recap_as_data(facts)
    return RecapGetResult(
        session_id=session.id,
        revision=session.revision,
        format=wanted.format,
        shown=due.shown,
        reason=due.reason or None,
        trigger=due.trigger,
        turn=due.turn,
        cursor=cursor_of(past),
        markdown=text,
        tokens=estimate_tokens(text),
        recap=recap if news is None else msgspec.structs.replace(recap, since_last_recap=_since_last_recap(news)),
        summary=note_of(service, session),
        session_summary=convert.session_summary(session_summary(facts, wanted.settings))
        if wanted.format == "resume"
        else None,
        lost_in_compaction=tuple(map(convert.lost_item, islice(lost_in(facts), _MOST_LOST))),
        unjudged_turns=facts.unjudged,
        view=recapped.view(told.view) if told is not None else None,
        reader=reader_note(past),
    )


def _news(service: Service, session: Session, params: RecapGetParams, facts: Recap) -> tuple[News | None, Recap]:
    """What is new, and the recap: only of that where `since` asks for it, whole where a reader is only named."""
    since = params.since or (Since(consumer=params.consumer) if params.consumer is not None else None)
    if since is None:
        return None, facts
    if since.consumer is not None and service.mark(session.id, since.consumer) is None:
        return first_look(facts), facts
    point = point_of(service, session, since)
    return news_of(facts, point), only_new(facts, point) if params.since is not None else facts


def _wanted(service: Service, session: Session, params: RecapGetParams, settings: RecapSettings, now: str) -> Wanted:
    """How the recap is to be written down: as asked, else as configured."""
    if params.show_decisions is not None:
        settings = msgspec.structs.replace(settings, show_decisions=params.show_decisions)
    format = params.format or ("short" if params.force else settings.format)
    usual = usual_page(format, settings, now=now, resume=service.resume_command(session) or "")
    return msgspec.structs.replace(
        usual,
        max_tokens=params.max_tokens or usual.max_tokens,
        collapsible=usual.collapsible if params.collapsible is None else params.collapsible,
        checkpoints=tuple(Checkpoint(reader, cursor.turn) for reader, cursor in marks_of(service, session))
        if format == "timeline"
        else (),
    )


def _told(recapped: Recapped, facts: Recap, news: News | None, wanted: Wanted) -> Told:
    if wanted.format != "resume":
        return _page(recapped, facts, news, wanted)
    # It is made to be put into an agent's prompt.
    room = wanted.max_tokens - _FENCE_TOKENS
    page = _page(recapped, facts, news, msgspec.structs.replace(wanted, max_tokens=room))
    # What reads like our marks takes more room once it no longer does.
    while page.markdown and (over := count_for_budget(fenced(page.markdown)) - wanted.max_tokens) > 0:
        room -= over
        page = _page(recapped, facts, news, msgspec.structs.replace(wanted, max_tokens=max(room, 0)))
    return msgspec.structs.replace(page, markdown=fenced(page.markdown) if page.markdown else "")


def _page(recapped: Recapped, facts: Recap, news: News | None, wanted: Wanted) -> Told:
    if news is not None and news.is_first:
        news = None
    if news is not None:
        facts = msgspec.structs.replace(facts, original=None)
    room = _room_below(news, wanted.max_tokens)
    told = recapped.told(facts, msgspec.structs.replace(wanted, max_tokens=room))
    text = presentable(_with_news(news, told.markdown, wanted.max_tokens))
    return msgspec.structs.replace(told, markdown=text)


def acknowledge(service: Service, client: Client, params: RecapAcknowledgeParams) -> RecapAcknowledgeResult:
    session = service.session(params.session, params.cwd)
    check_cursor(service, session, params.cursor)
    mark = client.backend.acknowledge(session.id, params.consumer, params.cursor)
    return RecapAcknowledgeResult(
        session_id=session.id, revision=session.revision, consumer=params.consumer, cursor=mark
    )


async def subscribe(service: Service, client: Client, params: RecapSubscribeParams) -> RecapSubscribeResult:
    is_new = params.subscription_id not in client.subscriptions
    if is_new and len(client.subscriptions) >= client.max_subscriptions:
        raise limit_exceeded("subscriptions of a connection", client.max_subscriptions)
    # Known before the disk has answered, so that who ends it meanwhile is heard.
    name, before = params.subscription_id, client.subscriptions.get(params.subscription_id)
    begun = client.subscriptions[name] = object()
    try:
        result = await client.backend.subscribe(client.mailbox, params)
    except BaseException:
        if client.subscriptions.get(name) is begun:
            del client.subscriptions[name]
            if before is not None:
                client.subscriptions[name] = before
        raise
    if name not in client.subscriptions:
        client.backend.unsubscribe(client.mailbox, name)
    return result


def unsubscribe(service: Service, client: Client, params: RecapUnsubscribeParams) -> None:
    client.subscriptions.pop(params.subscription_id, None)
    client.backend.unsubscribe(client.mailbox, params.subscription_id)


def verify(service: Service, session: Session, params: RecapVerifyParams) -> RecapVerifyResult:
    """Every cited line read again: is the file the same, and does the line still say what the recap says?"""
    changed: list[UnprovenClaim] = []
    missing: list[UnprovenClaim] = []
    settings, now = service.settings(session), service.now()
    service.recall_judged(session)
    facts = recap_of(session, now, settings.decisions)
    pages = [Wanted(each, default_tokens(each, settings.recap), settings.recap, now=now) for each in FORMATS]
    claims = claims_of(facts, (told_of(facts, page).view for page in pages))
    for claim in claims:
        reason, is_gone = _doubt(service, claim)
        if reason:
            unproven = UnprovenClaim(
                ref=convert.ref_at(claim.source, claim.place),
                kind=claim.kind,
                text=presentable(claim.text),
                reason=reason,
                id=claim.id or None,
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
    records = service.records_at(claim.source, ref, line)
    if not records:
        return "The line holds no record now.", False
    if not claim.is_proven([event for record in records for event in record.events]):
        return "The line says something else now.", False
    return "", False


# ---- how the news goes out


def _room_below(news: News | None, max_tokens: int) -> int:
    """What the sentence on top leaves of the budget for the rest."""
    return max_tokens if news is None else max_tokens - count_for_budget(_news_line(news) + _GAP)


def _with_news(news: News | None, markdown: str, max_tokens: int) -> str:
    if news is None:
        return markdown
    return fit_tokens(_news_line(news), max_tokens) if not markdown else f"{_news_line(news)}{_GAP}{markdown}"


def _news_line(news: News) -> str:
    return f"**New:** {news.text}"


def _since_last_recap(news: News) -> SinceLastRecap:
    return SinceLastRecap(
        first=True if news.is_first else None,
        items=convert.changes(news.changes),
        text=news.text,
        from_turn=news.from_turn,
        turns=news.turns,
        from_time=news.from_time or None,
        decisions=news.decisions,
        actions=news.actions,
        files=news.files,
    )
