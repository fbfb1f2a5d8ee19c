"""What became of the decisions of a session: repeated, changed, taken back, contradicted, still in force."""

from recapd.core.decisions.ledger.across import holding_across
from recapd.core.decisions.ledger.ledger import Ledger, ledger_of, ledger_so_far, shown_entries
from recapd.core.decisions.ledger.quotes import shown_quote

__all__ = [
    "Ledger",
    "holding_across",
    "ledger_of",
    "ledger_so_far",
    "shown_entries",
    "shown_quote",
]
