"""Finding, attributing and revising decisions.

fold ─▶ collect.py: messages, answers, verdicts and deeds ─▶ Passage (in the transcript)
view ─▶ find.py: findings_of(transcript), what in them decides something, and how surely ─▶ Finding
view ─▶ ledger.py: which findings are one decision, which still hold ─▶ Entry
"""

from recapd.core.decisions.entries import DecisionStatus, Entry, Finding, MadeBy
from recapd.core.decisions.find import Scene, is_judged, judge, keep_judged, settle, unjudged_scenes
from recapd.core.decisions.ledger import Ledger, ledger_of, ledger_so_far, shown_entries, shown_quote

__all__ = [
    "DecisionStatus",
    "Entry",
    "Finding",
    "Ledger",
    "MadeBy",
    "Scene",
    "is_judged",
    "judge",
    "keep_judged",
    "ledger_of",
    "ledger_so_far",
    "settle",
    "shown_entries",
    "shown_quote",
    "unjudged_scenes",
]
