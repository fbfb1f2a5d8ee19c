"""Handlers of `decisions/*`: the ledger, filtered and page by page, and the user's word on its entries."""

from __future__ import annotations

import msgspec

from recapd.core.decisions import Entry, ledger_of
from recapd.core.state import Session, Verdict
from recapd.core.text import one_line, presentable
from recapd.server.paging import cap_limit
from recapd.server.service import Service, judged
from recapd.wire import convert
from recapd.wire.errors import cursor_expired, invalid_params
from recapd.wire.types import (
    Decision,
    DecisionsConfirmParams,
    DecisionsConfirmResult,
    DecisionsDismissParams,
    DecisionsDismissResult,
    DecisionsJudgeParams,
    DecisionsJudgeResult,
    DecisionsListParams,
    DecisionsListResult,
)

# The reason is the user's own word, kept for the audit.
_REASON_CHARS = 500


def list_(service: Service, session: Session, params: DecisionsListParams) -> DecisionsListResult:
    settings = service.settings(session).decisions
    service.recall_judged(session)
    ledger = ledger_of(session, settings) if settings.enabled else ()
    found = [entry for entry in ledger if entry.finding.made_by in settings.who and _is_wanted(entry, params)]
    rest = found if params.cursor is None else _behind(params.cursor, ledger, found)
    shown = rest[: cap_limit(params.limit)]
    return DecisionsListResult(
        session_id=session.id,
        revision=session.revision,
        total=len(found),
        decisions=tuple(convert.decision(session, entry) for entry in shown),
        next_cursor=shown[-1].id if len(shown) < len(rest) else None,
    )


def _behind(cursor: str, ledger: tuple[Entry, ...], found: list[Entry]) -> list[Entry]:
    """What comes after the entry that a page ended with, whatever became of that entry or of others since."""
    at = next((row for row, entry in enumerate(ledger) if entry.id == cursor), None)
    if at is None:
        raise cursor_expired(cursor)
    later = {entry.id for entry in ledger[at + 1 :]}
    return [entry for entry in found if entry.id in later]


def judge(service: Service, session: Session, params: DecisionsJudgeParams) -> DecisionsJudgeResult:
    session, decision = _keep_word(service, session, params, params.verdict)
    return DecisionsJudgeResult(session_id=session.id, revision=session.revision, decision=decision)


def dismiss(service: Service, session: Session, params: DecisionsDismissParams) -> DecisionsDismissResult:
    session, decision = _keep_word(service, session, params, "dismissed")
    return DecisionsDismissResult(session_id=session.id, revision=session.revision, decision=decision)


def confirm(service: Service, session: Session, params: DecisionsConfirmParams) -> DecisionsConfirmResult:
    session, decision = _keep_word(service, session, params, "confirmed")
    return DecisionsConfirmResult(session_id=session.id, revision=session.revision, decision=decision)


def _is_wanted(entry: Entry, params: DecisionsListParams) -> bool:
    found = entry.finding
    status = convert.decision_status(entry)
    if params.status is not None and status != params.status:
        return False
    if params.status is None and (
        (entry.status == "tentative" and not params.include_tentative)
        or (status == "dismissed" and not params.include_dismissed)
    ):
        return False
    return (
        (params.made_by is None or found.made_by == params.made_by)
        and (params.type is None or found.type == params.type)
        and (params.min_confidence is None or convert.confidence(entry) >= params.min_confidence)
        and (params.since_turn is None or entry.turn >= params.since_turn)
        and (params.query is None or _has_words(entry, params.query))
    )


def _has_words(entry: Entry, query: str) -> bool:
    """In what is shown: a search must not tell what stands behind a mask."""
    found = entry.finding
    text = presentable("\n".join((found.text, found.quote, found.rationale))).lower()
    return all(word in text for word in query.lower().split())


def _keep_word(
    service: Service,
    session: Session,
    params: DecisionsJudgeParams | DecisionsDismissParams | DecisionsConfirmParams,
    word: Verdict | None,
) -> tuple[Session, Decision]:
    """Keep the user's word; the session and the entry as they are after it."""
    settings = service.settings(session).decisions
    service.recall_judged(session)
    if all(entry.id != params.id for entry in ledger_of(session, settings)):
        raise invalid_params("id", "the id of a decision that `decisions/list` shows")
    reason = one_line(presentable(params.reason or ""), _REASON_CHARS)
    revision = session.revision
    if word is not None:
        revision = service.durable.set_verdict(session.id, params.id, word=word, reason=reason).revision
    elif params.id in service.durable.verdicts(session.id):
        revision = service.durable.withdraw_verdict(session.id, params.id, reason=reason)
    # What was handed in has the words of before, and one that is taken back leaves none.
    unjudged = msgspec.structs.replace(session, verdicts={}, revision=max(session.revision, revision))
    session = judged(service, unjudged)
    entry = next(entry for entry in ledger_of(session, settings) if entry.id == params.id)
    return session, convert.decision(session, entry)
