"""Finding, attributing and revising decisions.

fold ─▶ collect.py: messages, answers, verdicts and deeds ─▶ Passage (in the transcript)
view ─▶ find.py: findings_of(transcript), what in them decides something, and how surely ─▶ Finding
view ─▶ ledger.py: which findings are one decision, which still hold ─▶ Entry
"""

from recapd.core.decisions.entries import DecisionStatus, Entry, MadeBy
from recapd.core.decisions.ledger import ledger_of, shown_entries, shown_quote

__all__ = [
    "DecisionStatus",
    "Entry",
    "MadeBy",
    "ledger_of",
    "shown_entries",
    "shown_quote",
]
