"""What was decided so far, while a ledger is put together: takes one finding after another, and notes what it does to
those before it.

Owns: finding the earlier decisions that may be meant, and what becomes of them: repeated, superseded, reverted,
contradicted. Whether one is meant is judged in one place, by the table of `signs`.
Must not know: how ids are made, how entries are shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from msgspec import Struct

from recapd.core.decisions.entries import DecisionStatus, Entry, Finding
from recapd.core.decisions.ledger.pairs import Pair, pair_of, pairs_with
from recapd.core.decisions.ledger.scope import dropped_in, hangs_on
from recapd.core.decisions.ledger.signs import Conclusion, Sign, judge
from recapd.core.decisions.ledger.subjects import Rarity, Subject
from recapd.core.decisions.ledger.wanted import common_ground
from recapd.core.decisions.terms import words_of
from recapd.core.log import Place
from recapd.core.state import Verdict

# Of the decisions that have a word only the latest are looked at: a word that many have tells little.
_MOST_HAVING: Final = 24
# Of those that share words with a finding, the ones that share most are compared in full.
_MOST_COMPARED: Final = 12
# Of the decisions that set something of a kind, and of what was only likely, the latest are looked at.
_MOST_SETTING: Final = 4
_MOST_LATELY: Final = 6
_MOST_LIKELY: Final = 12
# "Undo that" means something that was just decided.
_UNDO_TURNS: Final = 2

# So many of the words by which a record names what it replaces must stand in it.
_NAMED_SHARE: Final = 0.6
# And of the words of a message the record that cites it, to be about the same.
_CITED_SHARE: Final = 0.5

# What becomes of a row while those after it are taken.
RowState: TypeAlias = tuple[DecisionStatus, str, str, str, str, int]
# How many were seen, how many of them count, and how many are only likely.
PastMark: TypeAlias = tuple[int, int, int]


class Row(Struct, gc=False, eq=False):
    """An entry while its ledger is put together. There are thousands, and none is part of a circle."""

    id: str
    finding: Finding
    turn: int
    status: DecisionStatus
    verdict: Verdict | None
    supersedes: str = ""
    superseded_by: str = ""
    conflicts_with: str = ""
    restated: tuple[Place, ...] = ()
    # Which of those that count it is.
    number: int = -1
    # The decision that accepted it, where it was a proposal: then it is none of its own.
    is_part_of: str = ""

    @property
    def is_standing(self) -> bool:
        return self.status == "active" and not self.is_part_of

    def state(self) -> RowState:
        ended = self.superseded_by, self.supersedes, self.conflicts_with, self.is_part_of
        return self.status, *ended, len(self.restated)

    def put_back(self, state: RowState) -> None:
        self.status, self.superseded_by, self.supersedes, self.conflicts_with, self.is_part_of, restated = state
        self.restated = self.restated[:restated]

    def frozen(self) -> Entry:
        return Entry(
            id=self.id,
            finding=self.finding,
            turn=self.turn,
            status=self.status,
            supersedes=self.supersedes,
            superseded_by=self.superseded_by,
            conflicts_with=self.conflicts_with,
            restated=self.restated,
            verdict=self.verdict,
        )


# An earlier one, how alike it is to the later, and what decided that something is done to it.
_Judged: TypeAlias = tuple[Row, float, Sign]


class Past:
    """Decisions that count, oldest first, and which of them have a word."""

    def __init__(self) -> None:
        self._rarity = Rarity()
        self._rows: list[tuple[Row, Subject]] = []
        self._having: dict[str, list[int]] = {}
        # Which of them set something of a kind.
        self._setting: dict[str, list[int]] = {}
        # What people may have decided, and is not likely enough to count: a later one may show that they did.
        self._likely: list[tuple[Row, Subject]] = []
        # All that were taken, also those that only said something again.
        self._seen: list[Subject] = []
        # What became of rows since all was settled, and since each mark after that: each as it was then.
        self._were: list[dict[str, tuple[Row, RowState]]] = [{}]

    def settle(self) -> None:
        """Nobody goes back to before this."""
        self._were = [{}]

    def mark(self) -> PastMark:
        self._were.append({})
        return len(self._seen), len(self._rows), len(self._likely)

    @property
    def changed(self) -> list[Row]:
        """The rows that became something else since all was settled, each once."""
        return list({identity: row for were in self._were for identity, (row, _) in were.items()}.values())

    def change(self, row: Row) -> Row:
        """A row that is about to become something else."""
        were = self._were[-1]
        if row.id not in were:
            were[row.id] = row, row.state()
        return row

    def back(self, mark: PastMark) -> None:
        """As it was when it was last marked."""
        seen, rows, likely = mark
        for row, state in self._were.pop().values():
            row.put_back(state)
        for subject in self._seen[seen:]:
            self._rarity.remove(subject)
        for _, subject in self._rows[rows:]:
            for term in subject.terms:
                self._having[term].pop()
            for kind in _kinds_of(subject):
                self._setting[kind].pop()
        del self._seen[seen:], self._rows[rows:], self._likely[likely:]

    def take_likely(self, row: Row, subject: Subject) -> None:
        """What may be a decision ends nothing; it may be ended by one that shows that it was."""
        if not subject.is_by_agent and subject.scene.is_brief:
            self._likely.append((row, subject))

    def shows_change(self, subject: Subject) -> bool:
        """Whether what is only likely by itself takes the place of what people wanted before."""
        is_own = subject.finding.wants == "last" and subject.finding.how == "stated"
        return is_own and bool(self._wanted_otherwise(subject))

    def take(self, row: Row, subject: Subject) -> bool:
        """Note what the finding does to those before it. False where it only says one of them again."""
        self._rarity.add(subject)
        self._seen.append(subject)
        judged = self._judged(subject)
        if row.finding.how == "recorded":
            is_new = self._take_record(row, judged)
            if is_new and not row.finding.takes_back:
                self._add(row, subject)
            return is_new
        # What the agent wrote down on purpose is ended by words of the user, and by no guess.
        judged = [each for each in judged if each[0].finding.how != "recorded" or _may_end_record(row.finding)]
        if row.finding.takes_back:
            # It ends something and stands for nothing that a later one could change.
            self._take_back(row, [*_concluded(judged, "takes back"), *self._hanging_on(subject)])
            return True
        for known in _concluded(judged, "accepts"):
            self.change(known).is_part_of = row.id
            self._hand_over(known.id, row)
        for known in _concluded(judged, "repeats"):
            self.change(known).restated += (row.finding.place,)
            return False
        for known in _concluded(judged, "contradicts"):
            self.change(known).conflicts_with = row.id
        replaced = [*_concluded(judged, "replaces"), *self._hanging_on(subject), *self._shown_decided(subject)]
        if not replaced and row.finding.proof is not None:
            replaced = self._wanted_otherwise(subject)
        self._replace(row, replaced)
        self._add(row, subject)
        return True

    def _hanging_on(self, subject: Subject) -> list[Row]:
        """What was decided before about something that people now give up as a whole."""
        dropped = dropped_in(subject.finding.quote) if not subject.is_by_agent else frozenset()
        if not dropped:
            return []
        having = [set(self._having.get(word, ())[-_MOST_HAVING:]) for word in dropped]
        numbers = sorted(set.intersection(*having))
        return [
            row
            for row, other in (self._rows[number] for number in numbers)
            if row.is_standing
            and row.turn < subject.turn
            and hangs_on(other, dropped)
            and (row.finding.how != "recorded" or _may_end_record(subject.finding))
        ]

    def _shown_decided(self, subject: Subject) -> list[Row]:
        """What was only likely until this: people say outright that they take something else for it."""
        if subject.is_by_agent or subject.finding.proof is None:
            return []
        latest = [each for each in reversed(self._likely[-_MOST_LIKELY:]) if each[0].status == "tentative"]
        latest = [each for each in latest if not each[1].finding.quote.rstrip().endswith(("?", "？"))]
        pairs = pairs_with(subject, [(other, 0) for _, other in latest], self._rarity)
        judged = _signs_of([(row, pair) for (row, _), pair in zip(latest, pairs, strict=True)])
        return _concluded([each for each in judged if each[2].is_outright], "replaces")

    def _wanted_otherwise(self, subject: Subject) -> list[Row]:
        """What people wanted before in a talk, decided or only likely, and now want otherwise."""
        if subject.is_by_agent or not subject.finding.wants:
            return []
        known = [*self._lately_chosen(subject), *self._likely[-_MOST_LIKELY:]]
        wanted = [each for each in known if each[1].finding.wants and each[1].turn < subject.turn]
        wanted = [each for each in wanted if each[0].status in ("active", "tentative")]
        wanted.sort(key=lambda each: each[1].finding.place.offset, reverse=True)
        pairs = [
            (row, pair_of(other, subject, self._rarity, found_by="talk", is_nearest=other.turn == wanted[0][1].turn))
            for row, other in wanted
        ]
        # Of several the one that has most in common with it.
        pairs.sort(key=lambda each: -len(common_ground(each[1])))
        return _concluded(_signs_of(pairs), "replaces")

    def _add(self, row: Row, subject: Subject) -> None:
        row.number = len(self._rows)
        self._rows.append((row, subject))
        for term in subject.terms:
            self._having.setdefault(term, []).append(row.number)
        for kind in _kinds_of(subject):
            self._setting.setdefault(kind, []).append(row.number)

    def _take_record(self, row: Row, judged: list[_Judged]) -> bool:
        """A record ends what it names, and nothing else that was written down. False where it only says another
        record again."""
        found = row.finding
        named = self._named_by(found.replaces)
        for known in named:
            if known.finding.made_by == "user" and found.made_by == "agent":
                # What the user said is only changed by the user.
                self.change(known).conflicts_with = row.id
            elif found.takes_back:
                self._take_back(row, [known])
            else:
                self._replace(row, [known])
        for known in _concluded(judged, "contradicts"):
            if known not in named:
                self.change(known).conflicts_with = row.id
        said = [*_concluded(judged, "repeats"), *_concluded(judged, "accepts"), *self._guessed_at(found)]
        for known in dict.fromkeys(each for each in said if each not in named):
            if known.finding.how != "recorded":
                # What was guessed from the same words is this one.
                self.change(known).is_part_of = row.id
                self._hand_over(known.id, row)
            elif known.finding.made_by == found.made_by and known.is_standing and not named:
                self.change(known).restated += (found.place,)
                return False
        return True

    def _guessed_at(self, record: Finding) -> list[Row]:
        """What was taken from the user's message that a record cites; what stands there on its own proof only where the
        record is about the same, by most of its words."""
        if record.proposal is None:
            return []
        words = words_of(record.text)
        taken = (row for row, _ in self._rows if row.finding.place == record.proposal)
        return [row for row in taken if row.finding.proof is None or _is_mostly_of(row.finding, words)]

    def _named_by(self, words: str) -> list[Row]:
        """What a record says that it replaces, by its id or by its words: the one that has most of them, the latest."""
        if not words:
            return []
        standing = [row for row, _ in self._rows if row.is_standing]
        if by_id := [row for row in standing if row.id == words.strip()]:
            return by_id
        wanted = words_of(words)
        named = [row for row in standing if is_named_by(row.finding, words)]
        return [max(named, key=lambda row: (len(wanted & words_of(row.finding.text)), row.number))] if named else []

    def _judged(self, subject: Subject) -> list[_Judged]:
        """The earlier decisions to which it does something."""
        judged = _signs_of(self._pairs(subject))
        if judged or subject.is_by_agent:
            return judged
        lately = self._lately_chosen(subject) if not subject.finding.takes_back else []
        put = [each for each in lately if each[1].scene.offered]
        judged = _signs_of([(row, pair_of(other, subject, self._rarity, found_by="offered")) for row, other in put])
        if not judged and subject.scene.is_otherwise:
            beside = [(row, pair_of(other, subject, self._rarity, found_by="lately")) for row, other in lately]
            judged = _signs_of(beside)
        if judged or not subject.scene.turns_away:
            return judged
        if dropped_in(subject.finding.quote):
            return []
        # Where no words tell which is meant, the last choice is.
        chosen = self._last_chosen(subject)
        return _signs_of([(row, pair_of(other, subject, self._rarity, found_by="turn")) for row, other in chosen])

    def _lately_chosen(self, subject: Subject) -> list[tuple[Row, Subject]]:
        """What people chose lately and still stands, the latest first."""
        rows = [each for each in self._rows[-_MOST_LATELY:] if each[0].is_standing and not each[1].is_by_agent]
        return [each for each in reversed(rows) if each[0].finding.place != subject.finding.place]

    def _pairs(self, subject: Subject) -> list[tuple[Row, Pair]]:
        """It beside each of the earlier decisions that may be meant."""
        if subject.finding.takes_back and subject.takes_all_back:
            standing = [each for each in self._rows if each[0].is_standing]
            return [(row, pair_of(other, subject, self._rarity, found_by="standing")) for row, other in standing]
        near = self._near(subject)
        made = len(self._rows)
        beside = pairs_with(subject, [(other, made - row.number - 1) for row, other in near], self._rarity)
        pairs = [(row, pair) for (row, _), pair in zip(near, beside, strict=True)]
        known = {row.number for row, _ in near}
        for row, other in self._of_same_kind(subject):
            if row.number not in known:
                pairs.append((row, pair_of(other, subject, self._rarity, found_by="kind")))
        if subject.finding.takes_back or subject.reverts or subject.starts_over:
            for row, other in self._last(subject):
                pairs.append((row, pair_of(other, subject, self._rarity, found_by="last")))
        return pairs

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

    def _of_same_kind(self, subject: Subject) -> list[tuple[Row, Subject]]:
        """Standing decisions that set something of a kind that it does, the latest first."""
        numbers = {number for kind in _kinds_of(subject) for number in self._setting.get(kind, ())[-_MOST_SETTING:]}
        rows = [self._rows[number] for number in sorted(numbers, reverse=True)]
        return [each for each in rows if each[0].is_standing]

    def _last(self, subject: Subject) -> list[tuple[Row, Subject]]:
        """The last decision, if it was just made; the agent takes back only its own."""
        turns = _UNDO_TURNS if subject.finding.takes_back or subject.reverts else 0
        for row, other in reversed(self._rows):
            if row.turn < subject.turn - turns:
                return []
            is_own = other.is_by_agent or not subject.is_by_agent
            if row.is_standing and is_own and row.finding.place != subject.finding.place:
                return [(row, other)]
        return []

    def _last_chosen(self, subject: Subject) -> list[tuple[Row, Subject]]:
        """What people chose last before this message, if it still stands and nothing was decided since."""
        for row, other in reversed(self._rows):
            if row.status != "tentative" and row.finding.place != subject.finding.place:
                return [(row, other)] if row.is_standing and not other.is_by_agent else []
        return []

    def _hand_over(self, identity: str, row: Row) -> None:
        """A proposal and its acceptance are one decision: what the one replaced, the other did."""
        for known, _ in self._rows:
            if known.superseded_by == identity:
                self.change(known).superseded_by, row.supersedes = row.id, known.id

    def _take_back(self, row: Row, taken: Sequence[Row]) -> None:
        for known in taken:
            self.change(known).status, known.superseded_by = "reverted", row.id
            row.supersedes = known.id
            self._restore(known.id)

    def _restore(self, identity: str) -> None:
        """What a decision had replaced holds again when that is taken back."""
        for known, _ in self._rows:
            if known.status == "superseded" and known.superseded_by == identity:
                self.change(known).status, known.superseded_by = "active", ""

    def _replace(self, row: Row, replaced: Sequence[Row]) -> None:
        for known in replaced:
            self.change(known).status, known.superseded_by = "superseded", row.id
        if replaced:
            # Of several the latest is named; the others point here.
            row.supersedes = max(replaced, key=lambda known: known.number).id


def _is_mostly_of(finding: Finding, words: frozenset[str]) -> bool:
    own = words_of(finding.text)
    return bool(own) and len(own & words) >= len(own) * _CITED_SHARE


def is_named_by(finding: Finding, words: str) -> bool:
    """Whether most of these words stand in it."""
    wanted = words_of(words)
    return bool(wanted) and len(wanted & words_of(finding.text)) >= _NAMED_SHARE * len(wanted)


def _kinds_of(subject: Subject) -> frozenset[str]:
    return frozenset(kind for kind, _ in subject.values)


def _signs_of(pairs: Sequence[tuple[Row, Pair]]) -> list[_Judged]:
    return [(row, pair.alike, sign) for row, pair in pairs if (sign := judge(pair)) is not None]


def _may_end_record(later: Finding) -> bool:
    return later.made_by != "agent" and later.proof is not None


def _concluded(judged: Sequence[_Judged], conclusion: Conclusion) -> list[Row]:
    """The earlier ones to which that is done, each once."""
    held = [each for each in judged if each[2].concludes == conclusion]
    found = [row for row, _, sign in held if sign.meant == "each"]
    found += [row for row, _, sign in held if sign.meant == "first"][:1]
    likely = [each for each in held if each[2].meant == "likest"]
    if likely:
        # What else is near is about something else.
        found.append(max(likely, key=lambda each: each[1])[0])
    return list(dict.fromkeys(found))
