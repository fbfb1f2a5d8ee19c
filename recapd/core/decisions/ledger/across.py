"""What was recorded in several sessions of one folder, and holds: a later session may replace what an earlier decided.

Within a session its ledger says what became of each; here only what a record names in another session is looked for.
"""

from __future__ import annotations

from collections.abc import Sequence

from recapd.core.decisions.entries import Entry
from recapd.core.decisions.ledger.past import is_named_by


def holding_across(ledgers: Sequence[Sequence[Entry]]) -> list[Entry]:
    """The records that hold, of ledgers in the order of time, in that order."""
    held: list[Entry] = []
    for ledger in ledgers:
        records = [each for each in ledger if each.finding.how == "recorded"]
        own = {each.id: each for each in ledger}
        ended: set[str] = set()
        for entry in records:
            found = entry.finding
            if found.replaces and entry.status == "active" and not _has_ended_own(entry, own.get(entry.supersedes)):
                named = [each for each in held if each.id == found.replaces.strip()]
                named = named or [each for each in reversed(held) if is_named_by(each.finding, found.replaces)][:1]
                # What the user said is only changed by the user.
                ended |= {each.id for each in named if found.made_by == "user" or each.finding.made_by == "agent"}
        held = [each for each in held if each.id not in ended]
        held += [each for each in records if each.status == "active" and not each.finding.takes_back]
    return held


def _has_ended_own(record: Entry, ended: Entry | None) -> bool:
    """Whether a record ended what it names in its own session: not the words of its turn, which it only writes down."""
    words = record.finding.replaces
    return (
        ended is not None
        and ended.turn < record.turn
        and (ended.id == words.strip() or is_named_by(ended.finding, words))
    )
