"""Finding, attributing and revising decisions.

fold ─▶ core/state: messages, answers, verdicts and deeds ─▶ Passage (in the transcript)
view ─▶ find: what in them decides something, and how surely ─▶ Finding
view ─▶ ledger: which findings are one decision, which still hold ─▶ Entry
"""

from recapd.core.decisions.entries import (
    DecisionStatus,
    DecisionType,
    Entry,
    Finding,
    How,
    MadeBy,
    Proof,
    stands_on_proof,
)
from recapd.core.decisions.find import Scene, is_judged, judge, keep_judged, settle, unjudged_scenes
from recapd.core.decisions.ledger import Ledger, holding_across, ledger_of, ledger_so_far, shown_entries, shown_quote

__all__ = [
    "DecisionStatus",
    "DecisionType",
    "Entry",
    "Finding",
    "How",
    "Ledger",
    "MadeBy",
    "Proof",
    "Scene",
    "holding_across",
    "is_judged",
    "judge",
    "keep_judged",
    "ledger_of",
    "ledger_so_far",
    "settle",
    "shown_entries",
    "shown_quote",
    "stands_on_proof",
    "unjudged_scenes",
]
