"""What a new session in a folder is told of the last one there: for its hook, and for the time when no daemon runs."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from msgspec import Struct

from recapd.core.decisions import Entry, holding_across, ledger_so_far, stands_on_proof
from recapd.core.log import canonical, seconds_between
from recapd.core.state import Session, last_active, standing
from recapd.core.views.context import start_text
from recapd.core.views.recap import recap_of
from recapd.server.service import Service, judged
from recapd.server.workspaces import belongs_to, workspace_of
from recapd.wire.types import SessionSelector

# What was recorded in so many sessions of a folder is told when the next one starts.
_SESSIONS: Final = 8
# A session that broke off longer ago is not what the user goes on with.
_BROKE_OFF_S: Final = 7 * 86_400.0


class Start(Struct, frozen=True):
    """What is told, of which session, and until when it is worth telling."""

    text: str
    session: Session
    until: str


def tell_start(service: Service, workspace: str, *, own: str | None, also_live: bool = False) -> Start | None:
    """None where the last session of the folder neither broke off nor is so young that the user goes on with it.

    `own` is the session that starts; `also_live` where whoever works there now may be gone when it is told.
    """
    folders = workspace_of(workspace)
    there = [each for each in service.sessions() if each.id != own and belongs_to(each, folders)]
    there = [each for each in there if each.main.transcript.totals.turns]
    there.sort(key=lambda each: last_active(each, service.now()) or "", reverse=True)
    if not there:
        return None
    last = there[0]
    stand = standing(last, service.now())
    if (stand.live or stand.status == "active") and not also_live and not service.is_gone(last):
        # Somebody works on it right now.
        return None
    settings = service.settings(last)
    worth_s = _BROKE_OFF_S if stand.status == "interrupted" else settings.recap.gap_minutes * 60.0
    away = away_s(service, last)
    if not settings.recap.enabled or away >= worth_s:
        return None
    recap = recap_of(_whole(service, last), service.now(), settings.decisions)
    before = [_whole(service, each) for each in reversed(there[1:_SESSIONS])]
    ledgers = [ledger_so_far(each, settings.decisions).entries for each in before]
    held = holding_across([*ledgers, recap.decisions])
    # Of the last one also what the user answered, approved or stated.
    held += [each for each in recap.decisions if each.status == "active" and _is_proven_otherwise(each)]
    until = datetime.fromisoformat(service.now()) + timedelta(seconds=worth_s - away)
    return Start(start_text(recap, held, ago=_ago(away)), last, canonical(until.isoformat()))


def _is_proven_otherwise(entry: Entry) -> bool:
    return entry.finding.how != "recorded" and stands_on_proof(entry)


def _whole(service: Service, session: Session) -> Session:
    return judged(service, service.session(SessionSelector(id=session.id), None))


def away_s(service: Service, session: Session) -> float:
    """How long ago anybody said or did anything in it."""
    return seconds_between(last_active(session, service.now()) or service.now(), service.now()) or 0.0


def _ago(seconds: float) -> str:
    for size, name in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            number = int(seconds // size)
            return f"{number} {name}{'s' if number > 1 else ''} ago"
    return "just now"
