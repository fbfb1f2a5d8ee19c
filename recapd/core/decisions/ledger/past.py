"""What was decided so far, while a ledger is put together: takes one finding after another, and notes what it does to
those before it.

Owns: finding the earlier decisions that may be meant, and what becomes of them: repeated, superseded, reverted,
contradicted.
Must not know: how ids are made, what the user said of an entry, how entries are shown.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from recapd.core.decisions.entries import DecisionStatus, Entry, Finding
from recapd.core.decisions.ledger.links import (
    contradicts,
    is_acceptance,
    is_changed,
    is_repeat,
)
from recapd.core.decisions.ledger.pairs import pairs_with
from recapd.core.decisions.ledger.signs import seems_changed
from recapd.core.decisions.ledger.subjects import Rarity, Subject
from recapd.core.log import Place
from recapd.core.state import Verdict

# Of the decisions that have a word only the latest are looked at: a word that many have tells little.
_MOST_HAVING: Final = 24
# Of those that share words with a finding, the ones that share most are compared in full.
_MOST_COMPARED: Final = 12
# "Undo that" means something that was just decided.
_UNDO_TURNS: Final = 2
# How telling a shared word must be for "revert the ..." to mean that decision: one that few others have.
_NAMED_WEIGHT: Final = 1.5

# What becomes of a row while those after it are taken.
RowState: TypeAlias = tuple[DecisionStatus, str, str, str, str, int]
# How many were seen, and how many of them count.
PastMark: TypeAlias = tuple[int, int]


class Row:
    """An entry while its ledger is put together."""

    __slots__ = (
        "conflicts_with",
        "finding",
        "id",
        "is_part_of",
        "number",
        "restated",
        "status",
        "superseded_by",
        "supersedes",
        "turn",
        "verdict",
    )

    def __init__(
        self, identity: str, finding: Finding, *, turn: int, status: DecisionStatus, verdict: Verdict | None
    ) -> None:
        self.id = identity
        self.finding = finding
        self.turn = turn
        self.status = status
        self.verdict = verdict
        self.supersedes = ""
        self.superseded_by = ""
        self.conflicts_with = ""
        self.restated: list[Place] = []
        # Which of those that count it is.
        self.number = -1
        # The decision that accepted it, where it was a proposal: then it is none of its own.
        self.is_part_of = ""

    @property
    def is_standing(self) -> bool:
        return self.status == "active" and not self.is_part_of

    def state(self) -> RowState:
        ended = self.superseded_by, self.supersedes, self.conflicts_with, self.is_part_of
        return self.status, *ended, len(self.restated)

    def put_back(self, state: RowState) -> None:
        self.status, self.superseded_by, self.supersedes, self.conflicts_with, self.is_part_of, restated = state
        del self.restated[restated:]

    def frozen(self) -> Entry:
        return Entry(
            id=self.id,
            finding=self.finding,
            turn=self.turn,
            status=self.status,
            supersedes=self.supersedes,
            superseded_by=self.superseded_by,
            conflicts_with=self.conflicts_with,
            restated=tuple(self.restated),
            verdict=self.verdict,
        )


class Past:
    """Decisions that count, oldest first, and which of them have a word."""

    def __init__(self) -> None:
        self._rarity = Rarity()
        self._rows: list[tuple[Row, Subject]] = []
        self._having: dict[str, list[int]] = {}
        # All that were taken, also those that only said something again.
        self._seen: list[Subject] = []

    def mark(self) -> PastMark:
        return len(self._seen), len(self._rows)

    def back(self, mark: PastMark) -> None:
        """As it was when it was marked, but for what became of the rows."""
        seen, rows = mark
        for subject in self._seen[seen:]:
            self._rarity.remove(subject)
        for _, subject in self._rows[rows:]:
            for term in subject.terms:
                self._having[term].pop()
        del self._seen[seen:], self._rows[rows:]

    def take(self, row: Row, subject: Subject) -> bool:
        """Note what the finding does to those before it. False where it only says one of them again."""
        self._rarity.add(subject)
        self._seen.append(subject)
        near = self._near(subject)
        if row.finding.takes_back:
            # It ends something and stands for nothing that a later one could change.
            self._take_back(row, subject, near)
            return True
        near = self._without_proposals(row, subject, near)
        repeated = next((known for known, other in near if is_repeat(other, subject)), None)
        if repeated is not None and row.verdict is None:
            repeated.restated.append(row.finding.place)
            return False
        self._replace(row, subject, near)
        row.number = len(self._rows)
        self._rows.append((row, subject))
        for term in subject.terms:
            self._having.setdefault(term, []).append(row.number)
        return True

    def _near(self, subject: Subject) -> list[tuple[Row, Subject]]:
        """Standing decisions that share telling words with it, those that share most first."""
        shared: dict[int, float] = {}
        for term in subject.terms:
            numbers = self._having.get(term)
            if numbers:
                rarity = self._rarity.of(term)
                for number in numbers[-_MOST_HAVING:]:
                    shared[number] = shared.get(number, 0.0) + rarity
        found = sorted(shared, key=lambda number: (-shared[number], -number))
        standing = [number for number in found if self._rows[number][0].is_standing]
        return [self._rows[number] for number in standing[:_MOST_COMPARED]]

    def _replace(self, row: Row, subject: Subject, near: list[tuple[Row, Subject]]) -> None:
        """Note which of those near it the finding replaces or contradicts."""
        replaced: list[Row] = []
        likely: list[Row] = []
        made = len(self._rows)
        pairs = pairs_with(subject, [(other, made - known.number - 1) for known, other in near], self._rarity)
        for (known, _), pair in sorted(zip(near, pairs, strict=True), key=lambda each: -each[1].alike):
            if known.finding.made_by == "user" and row.finding.made_by == "agent":
                # The user's word is only changed by the user.
                if contradicts(pair):
                    known.conflicts_with = row.id
            elif is_changed(pair):
                replaced.append(known)
            elif seems_changed(pair):
                likely.append(known)
        # A likely one is the one that shares most: what else is near is about something else.
        replaced += likely[:1]
        if subject.reverts or subject.starts_over:
            just = self._just_made(subject, turns=_UNDO_TURNS if subject.reverts else 0)
            replaced += [known for known in just if known not in replaced]
        for known in replaced:
            known.status, known.superseded_by = "superseded", row.id
        if replaced:
            # Of several the latest is named; the others point here.
            row.supersedes = max(replaced, key=lambda known: known.number).id

    def _without_proposals(
        self, row: Row, subject: Subject, near: list[tuple[Row, Subject]]
    ) -> list[tuple[Row, Subject]]:
        """Those near it but for the proposal it accepts, which is no decision of its own any more."""
        others: list[tuple[Row, Subject]] = []
        for known, other in near:
            if known.verdict is None and is_acceptance(other, subject):
                known.is_part_of = row.id
                self._hand_over(known.id, row)
            else:
                others.append((known, other))
        return others

    def _hand_over(self, identity: str, row: Row) -> None:
        """A proposal and its acceptance are one decision: what the one replaced, the other did."""
        for known, _ in self._rows:
            if known.superseded_by == identity:
                known.superseded_by, row.supersedes = row.id, known.id

    def _take_back(self, row: Row, subject: Subject, near: list[tuple[Row, Subject]]) -> None:
        if subject.takes_all_back:
            taken = [known for known, other in self._rows if known.is_standing and not other.is_goal]
        else:
            taken = self._meant(subject, near)
        for known in taken:
            known.status, known.superseded_by = "reverted", row.id
            row.supersedes = known.id
            self._restore(known.id)

    def _meant(self, subject: Subject, near: list[tuple[Row, Subject]]) -> list[Row]:
        """The decision that is taken back: the one it names, else the last one, if that was just made."""
        for known, other in near:
            if self._rarity.of_terms(other.terms & subject.terms) >= _NAMED_WEIGHT:
                return [known]
        return self._just_made(subject, turns=_UNDO_TURNS)

    def _just_made(self, subject: Subject, *, turns: int) -> list[Row]:
        """The last decision, if it was made within so many turns; the agent takes back only its own."""
        for known, other in reversed(self._rows):
            if known.turn < subject.turn - turns:
                return []
            is_own = other.is_by_agent or not subject.is_by_agent
            if known.is_standing and is_own and known.finding.place != subject.finding.place:
                return [known]
        return []

    def _restore(self, identity: str) -> None:
        """What a decision had replaced holds again when that is taken back."""
        for known, _ in self._rows:
            if known.status == "superseded" and known.superseded_by == identity:
                known.status, known.superseded_by = "active", ""
