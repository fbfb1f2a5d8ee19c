"""The durable part as others see it, and one that lives in memory: for tests, and where nothing is kept on disk."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from recapd.core.log import from_epoch
from recapd.server.durable import AuditRow, Durable, StoredSummary, Verdict, VerdictWord

__all__ = ("AuditRow", "Durable", "InMemory", "StoredSummary", "Verdict", "VerdictWord")


def _now() -> str:
    return from_epoch(time.time())


class InMemory:
    """Fulfils Durable; forgets everything with the process."""

    def __init__(self, now: Callable[[], str] = _now) -> None:
        self._now = now
        self._verdicts: dict[str, dict[str, Verdict]] = {}
        self._summaries: dict[str, tuple[StoredSummary, ...]] = {}
        self._audit: dict[str, tuple[AuditRow, ...]] = {}

    def verdicts(self, session_id: str) -> Mapping[str, Verdict]:
        return self._verdicts.get(session_id, {})

    def set_verdict(self, session_id: str, decision_id: str, *, word: VerdictWord, reason: str = "") -> Verdict:
        verdict = Verdict(word, self._now(), reason)
        self._verdicts[session_id] = {**self.verdicts(session_id), decision_id: verdict}
        self.audit(session_id, word, decision_id)
        return verdict

    def summaries(self, session_id: str) -> tuple[StoredSummary, ...]:
        return self._summaries.get(session_id, ())

    def add_summary(self, session_id: str, body: bytes) -> StoredSummary:
        known = self.summaries(session_id)
        summary = StoredSummary(len(known) + 1, body, self._now())
        self._summaries[session_id] = (*known, summary)
        return summary

    def audit(self, session_id: str, action: str, detail: str = "") -> None:
        self._audit[session_id] = (*self.audit_of(session_id), AuditRow(self._now(), action, detail))

    def audit_of(self, session_id: str) -> tuple[AuditRow, ...]:
        return self._audit.get(session_id, ())
