"""Handler of `hook/*`: what an agent is told unasked, and when it is worth it."""

from __future__ import annotations

from recapd.core.state import Session, last_active
from recapd.core.text import count_for_budget
from recapd.core.views.context import keep_text, lost_text, prompt_text
from recapd.core.views.recap import recap_of, showing
from recapd.server.service import Service, judged
from recapd.server.starting import away_s, tell_start
from recapd.wire.errors import RecapError
from recapd.wire.types import HookAnswerParams, HookAnswerResult


def answer(service: Service, params: HookAnswerParams) -> HookAnswerResult:
    if params.moment == "started":
        own = params.session.named_id
        found = tell_start(service, params.workspace, own=own) if params.workspace is not None else None
        return _told(found.text, found.session) if found is not None else _told("")
    try:
        session = judged(service, service.session(params.session, None))
    except RecapError:
        # Nothing is known of it yet, and nobody waits until it is.
        return _told("")
    settings = service.settings(session)
    recap = recap_of(session, service.now(), settings.decisions)
    match params.moment:
        case "compacting":
            return _told(keep_text(recap), session)
        case "compacted":
            return _told(lost_text(recap), session)
    away = away_s(service, session)
    is_back = bool(settings.recap.gap_minutes) and away >= settings.recap.gap_minutes * 60
    due = showing(recap, settings.recap, service.now(), params.prompt)
    if params.moment == "resumed":
        return _told(prompt_text(recap, due.turn) if is_back and settings.recap.enabled else "", session)
    since = due.turn - settings.recap.turn_threshold - 1
    is_time = due.shown and since >= 0 and since % settings.recap.every_turns == 0
    # Who was told when the session was opened again is not told twice.
    signal = session.signal
    was_told = signal is not None and signal.kind == "started" and signal.at > (last_active(session) or "")
    if is_time or (due.shown and is_back and not was_told):
        return _told(prompt_text(recap, due.turn), session)
    return _told("", session)


def _told(text: str, session: Session | None = None) -> HookAnswerResult:
    about = session.id if session is not None and text else None
    return HookAnswerResult(text=text, tokens=count_for_budget(text) if text else 0, session_id=about)
