"""Finding, attributing and revising decisions.

fold ─▶ collect.py: messages, answers, verdicts and deeds ─▶ Passage (in the transcript)
view ─▶ find.py: findings_of(transcript), what in them decides something, and how surely ─▶ Finding
view ─▶ ledger.py: which findings are one decision, which still hold ─▶ Entry
"""
