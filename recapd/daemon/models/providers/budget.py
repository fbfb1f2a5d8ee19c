"""Hard limits on what models may cost, by day and by session, in tokens and in money.

    reserve ─▶ row "model begun" on disk ─▶ the request ─▶ settle: row "model ended" with what it really cost

What is about to be sent counts from the moment it is reserved, so requests at the same time cannot pass a limit
together; a request whose end was never written (a crash) counts with what was reserved for it.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from recapd.core.settings import LlmSettings, ReadingSettings
from recapd.server.durable import AuditAction, Durable

# Rows of all sessions stand together: a day's limit is one for all of them.
LEDGER = "recapd:models"
_DATE = len("2026-01-01")


Purpose: TypeAlias = Literal["summary", "reading"]


class Limits(Struct, frozen=True):
    """What one purpose may cost; 0 is no limit. Purposes are counted apart: reading a long session does not keep
    summaries from being made."""

    purpose: Purpose
    tokens_per_day: int = 0
    tokens_per_session: int = 0
    usd_per_day: float = 0.0
    usd_per_session: float = 0.0


def limits_of_summaries(settings: LlmSettings) -> Limits:
    return Limits("summary", settings.max_tokens_per_day, settings.max_tokens_per_session, settings.max_usd_per_day)


def limits_of_reading(settings: ReadingSettings) -> Limits:
    return Limits(
        purpose="reading",
        tokens_per_day=settings.max_tokens_per_day,
        tokens_per_session=settings.max_tokens_per_session,
        usd_per_day=settings.max_usd_per_day,
        usd_per_session=settings.max_usd_per_session,
    )


class Spent(Struct, frozen=True):
    """One request: what it may cost, or did."""

    id: str
    day: str
    session: str
    model: str
    tokens: int
    usd: float
    purpose: str = "summary"


class Budget:
    """Counts from the audit, which it reads once."""

    def __init__(self, durable: Durable, now: Callable[[], str]) -> None:
        self._durable = durable
        self._now = now
        self._lock = Lock()
        self._spent: dict[str, Spent] | None = None

    def reserve(self, session_id: str, model: str, limits: Limits, *, tokens: int, usd: float) -> Spent | None:
        """None where a limit would be passed. Blocks; on disk when it returns."""
        with self._lock:
            known = self._known()
            day = self._now()[:_DATE]
            alike = [each for each in known.values() if each.purpose == limits.purpose]
            today = [each for each in alike if each.day == day]
            own = [each for each in alike if each.session == session_id]
            if (
                _passes(sum(each.tokens for each in today) + tokens, limits.tokens_per_day)
                or _passes(sum(each.tokens for each in own) + tokens, limits.tokens_per_session)
                or _passes(sum(each.usd for each in today) + usd, limits.usd_per_day)
                or _passes(sum(each.usd for each in own) + usd, limits.usd_per_session)
            ):
                return None
            row = Spent(f"{day}#{len(known) + 1}", day, session_id, model, tokens, usd, limits.purpose)
            known[row.id] = row
            self._durable.audit(LEDGER, AuditAction.MODEL_BEGUN, _written(row))
            return row

    def settle(self, reserved: Spent, *, tokens: int, usd: float) -> None:
        """What it came to. Blocks."""
        with self._lock:
            row = msgspec.structs.replace(reserved, tokens=tokens, usd=usd)
            self._known()[row.id] = row
            self._durable.audit(LEDGER, AuditAction.MODEL_ENDED, _written(row))

    def today(self, purpose: Purpose = "summary") -> tuple[int, float, int]:
        """Tokens, dollars and requests since midnight UTC. Quick once it was read."""
        with self._lock:
            day = self._now()[:_DATE]
            rows = [each for each in self._known().values() if each.day == day and each.purpose == purpose]
        return sum(each.tokens for each in rows), sum(each.usd for each in rows), len(rows)

    def _known(self) -> dict[str, Spent]:
        if self._spent is None:
            rows = (
                each
                for each in self._durable.audit_of(LEDGER)
                if each.action in (AuditAction.MODEL_BEGUN, AuditAction.MODEL_ENDED)
            )
            # The end of a request has its id too, and comes later.
            self._spent = {row.id: row for each in rows if (row := _read(each.detail)) is not None}
        return self._spent


def _passes(sum_: float, limit: float) -> bool:
    """0 is no limit."""
    return bool(limit) and sum_ > limit


def _written(row: Spent) -> str:
    return msgspec.json.encode(row).decode()


def _read(detail: str) -> Spent | None:
    try:
        return msgspec.json.decode(detail, type=Spent)
    except (msgspec.MsgspecError, UnicodeError):
        return None
