"""What handlers may keep for good: the user's word on decisions, summaries, and what was done. The daemon fulfils it.

Every `set_` and `add_` returns once the row is on disk (or in memory where nothing is kept on disk), so whoever calls
it must not be on the loop. Reading is quick and may happen anywhere.
Texts are redacted by whoever hands them in, and once more where they are written down.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Protocol, TypeAlias

from msgspec import Struct

from recapd.core.state import Verdict as _Word

VerdictWord: TypeAlias = _Word


class Verdict(Struct, frozen=True):
    """The user's word on an entry of the ledger."""

    word: VerdictWord
    at: str
    reason: str = ""
    # The session's revision that the word gave it.
    revision: int = 0


class StoredSummary(Struct, frozen=True):
    """One rolling summary as it is kept: the body is its owner's matter (MessagePack, redacted)."""

    # From 1, in the order they were made.
    number: int
    body: bytes
    at: str
    # The session's revision that the summary gave it.
    revision: int = 0


class AuditAction(StrEnum):
    """What is done besides words of the user and methods, as the audit spells it: on disk and over the wire."""

    VERDICT_WITHDRAWN = "verdict withdrawn"
    SUMMARY_MADE = "summary made"
    SUMMARY_FAILED = "summary failed"
    READING_MADE = "reading made"
    READING_FAILED = "reading failed"
    MODEL_BEGUN = "model begun"
    MODEL_ENDED = "model ended"


class AuditRow(Struct, frozen=True):
    """Something that was done with a session on the user's word or by a model; never text of a log."""

    at: str
    # An AuditAction, a verdict, a method; or what another version of recapd knows.
    action: str
    detail: str = ""


class Durable(Protocol):
    """What cannot be read again from logs."""

    def verdicts(self, session_id: str) -> Mapping[str, Verdict]:
        """By the decision's id."""
        ...

    def set_verdict(self, session_id: str, decision_id: str, *, word: VerdictWord, reason: str = "") -> Verdict:
        """The latest word counts. Audited, and the session's revision grows."""
        ...

    def withdraw_verdict(self, session_id: str, decision_id: str, *, reason: str = "") -> int:
        """As if nothing had been said of the entry. Audited; the revision that it gave the session."""
        ...

    def summaries(self, session_id: str) -> tuple[StoredSummary, ...]:
        """In the order they were made."""
        ...

    def add_summary(self, session_id: str, body: bytes) -> StoredSummary:
        """One more; its number is the next. The session's revision grows."""
        ...

    def reading(self, session_id: str) -> bytes | None:
        """What a reader made of the session, as its owner wrote it (MessagePack, redacted)."""
        ...

    def set_reading(self, session_id: str, body: bytes, detail: str) -> int:
        """The latest counts. Audited with `detail`; the revision that it gave the session."""
        ...

    def audit(self, session_id: str, action: str, detail: str = "") -> None:
        """Append-only. `action` is as in AuditRow; `detail` holds ids, counts and the user's own reason."""
        ...

    def audit_of(self, session_id: str) -> tuple[AuditRow, ...]:
        """Oldest first."""
        ...
