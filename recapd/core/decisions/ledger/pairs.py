"""An earlier decision beside a later one, and how much the two have in common.

Must not know: what follows from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from recapd.core.decisions.ledger.subjects import Rarity, Subject

# Why an earlier one may be meant: it has words of the later, or sets something of a kind that the later does, it is
# the last one made, it is what people chose last, it is one of what they chose lately, or of what they had to choose
# from, or whatever stands is meant.
FoundBy: TypeAlias = Literal["words", "kind", "last", "turn", "lately", "talk", "offered", "standing"]
# So much of a proposal is in what accepts it.
_ACCEPTED_SHARE: Final = 0.6


class Pair(Struct, frozen=True, gc=False):
    """An earlier and a later one, and how much they have in common."""

    earlier: Subject
    later: Subject
    # Shared words, weighted, as a share of both.
    alike: float
    # Of what the later wants, the share that the earlier does not mention.
    new: float
    # Of what the earlier wants, the share that the later does not want.
    left: float
    # How telling the words and names are that both have.
    shared: float
    found_by: FoundBy
    # How many decisions were made between the two.
    between: int = 0
    # Whether no other of the earlier ones is more alike, and none of the agent's of the same turn.
    is_nearest: bool = False
    is_nearest_of_turn: bool = False

    @property
    def turns(self) -> int:
        return self.later.turn - self.earlier.turn

    @property
    def is_among_agents(self) -> bool:
        """Both are the agent's own."""
        return self.earlier.is_by_agent and self.later.is_by_agent

    @property
    def is_among_people(self) -> bool:
        """Neither is."""
        return not (self.earlier.is_by_agent or self.later.is_by_agent)

    @property
    def is_among_users(self) -> bool:
        """Both are the user's own words."""
        return self.earlier.finding.made_by == self.later.finding.made_by == "user"

    @property
    def is_in_one_message(self) -> bool:
        return self.earlier.finding.place == self.later.finding.place

    @property
    def is_acceptance(self) -> bool:
        """The later is the user's yes to what the earlier proposed: then the two are one decision, unless the user
        gave a verdict on the earlier."""
        earlier, later = self.earlier, self.later
        if earlier.finding.place != later.finding.proposal or later.finding.made_by != "collaborative":
            return False
        is_told = len(earlier.wanted & later.topic.words) >= _ACCEPTED_SHARE * len(earlier.wanted)
        return is_told and earlier.verdict is None

    @property
    def is_in_agreement(self) -> bool:
        """The later accepts what the earlier proposed, or prefers something to the same thing: it tells of that."""
        if self.later.finding.proposal == self.earlier.finding.place:
            return True
        again = self.later.topic.ruled_out
        return not self.has_other_numbers and len(again & self.earlier.topic.ruled_out) * 2 > len(again)

    @property
    def has_other_numbers(self) -> bool:
        one, other = self.earlier.topic.numbers, self.later.topic.numbers
        return bool(one and other) and one.isdisjoint(other)


def pair_of(
    earlier: Subject,
    later: Subject,
    rarity: Rarity,
    *,
    found_by: FoundBy,
    between: int = 0,
    is_nearest: bool = False,
) -> Pair:
    one, other = earlier.topic.words, later.topic.words
    whole = rarity.of_terms(one) + rarity.of_terms(other)
    wanted, before = rarity.of_terms(later.wanted), rarity.of_terms(earlier.wanted)
    return Pair(
        earlier=earlier,
        later=later,
        alike=2 * rarity.of_terms(one & other) / whole if whole else 0.0,
        new=rarity.of_terms(later.wanted - one) / wanted if wanted else 0.0,
        left=rarity.of_terms(earlier.wanted - later.wanted) / before if before else 0.0,
        shared=rarity.of_terms(earlier.terms & later.terms),
        found_by=found_by,
        between=between,
        is_nearest=is_nearest,
    )


def pairs_with(later: Subject, near: Sequence[tuple[Subject, int]], rarity: Rarity) -> list[Pair]:
    """The later one beside each of those that share words with it, in their order; each of these with how many were
    made since."""
    pairs = [pair_of(each, later, rarity, found_by="words", between=between) for each, between in near]
    # A proposal that is accepted is no decision of its own any more.
    others = [pair for pair in pairs if not pair.is_acceptance]
    most = max((pair.alike for pair in others), default=0.0)
    of_turn: dict[int, float] = {}
    for pair in others:
        if pair.earlier.is_by_agent:
            of_turn[pair.turns] = max(pair.alike, of_turn.get(pair.turns, 0.0))
    return [
        msgspec.structs.replace(
            pair,
            is_nearest=pair.alike == most,
            is_nearest_of_turn=pair.earlier.is_by_agent and pair.alike == of_turn.get(pair.turns),
        )
        for pair in pairs
    ]
