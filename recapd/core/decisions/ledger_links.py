"""Whether a later decision changes, repeats, contradicts or takes back an earlier one.

Owns: what two findings must have in common, and in what they must differ. Must not know: ids, order, statuses.
The bounds were chosen on labelled real sessions (`tests/eval/ledger.py`): what buries more living decisions than it
finds dead ones is not here, so a change that is told in quite other words goes unnoticed.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from recapd.core.decisions.ledger_subjects import Rarity, Subject

_FILE_RE: Final = re.compile(r"/|\.\w{1,5}$")

# How alike two must be (shared words, weighted, 0 to 1) for a difference to be a change:
# in a value, a place or a denial
_ALIKE: Final = 0.6
_ALIKE_MOVED: Final = 0.4
_ALIKE_PLACE: Final = 0.45
_ALIKE_DENIED: Final = 0.7
# in what is ruled out
_ALIKE_RULED_OUT: Final = 0.26
# for the user to have corrected the agent
_ALIKE_ANSWER: Final = 0.24
# for words of change to be about it: of the agent's own, and of what people said
_ALIKE_AGENT: Final = 0.24
_ALIKE_PEOPLE: Final = 0.5
# for what failed to be what was done
_ALIKE_FAILED: Final = 0.06
_LEAST_SHARED: Final = 2
# And how much of the later must be new: what is not new is said again in other words.
_LEAST_NEW: Final = 0.3
_MORE_NEW: Final = 0.4
# Corrections come soon.
_ANSWER_TURNS: Final = 2
_AGENT_TURNS: Final = 3
# So much of what is ruled out must have been wanted.
_RULED_OUT_SHARE: Final = 0.6
# Doing what the user ruled out: at least so many of its words.
_LEAST_RULED_OUT: Final = 2
# A few words name a thing ("the PDF export"); more describe a part of one.
_MOST_DROPPED: Final = 3
# Saying something again in fewer words.
_REPEATED_SHARE: Final = 0.6
_LEAST_WORDS: Final = 3


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

    @property
    def turns(self) -> int:
        return self.later.turn - self.earlier.turn


def pair_of(earlier: Subject, later: Subject, rarity: Rarity) -> Pair:
    one, other = earlier.topic.words, later.topic.words
    whole = rarity.of_terms(one) + rarity.of_terms(other)
    wanted, before = rarity.of_terms(later.wanted), rarity.of_terms(earlier.wanted)
    return Pair(
        earlier,
        later,
        2 * rarity.of_terms(one & other) / whole if whole else 0.0,
        rarity.of_terms(later.wanted - one) / wanted if wanted else 0.0,
        rarity.of_terms(earlier.wanted - later.wanted) / before if before else 0.0,
    )


def is_changed(pair: Pair) -> bool:
    """Whether the later of a pair says the same thing otherwise."""
    earlier, later = pair.earlier, pair.later
    if earlier.finding.place == later.finding.place:
        # One message does not change its mind from one sentence to the next, unless it says so.
        return _corrects(pair)
    if earlier.finding.how == later.finding.how == "rejected" or _is_in_agreement(pair):
        return False
    return _is_otherwise(pair) or _corrects(pair) or _drops(pair)


def seems_changed(pair: Pair) -> bool:
    """Whether the later probably replaces the earlier: it comes soon, is about the same and announces a change."""
    earlier, later = pair.earlier, pair.later
    if earlier.finding.place == later.finding.place or earlier.is_goal or _is_in_agreement(pair):
        return False
    return _answers(pair) or _redoes(pair) or _is_told_anew(pair) or _failed(pair)


def contradicts(pair: Pair) -> bool:
    """Whether the later does otherwise than the earlier said: another value, what was ruled out, not what was asked."""
    earlier, later = pair.earlier, pair.later
    done = earlier.topic.ruled_out & later.wanted
    if len(done) >= max(_LEAST_RULED_OUT, _RULED_OUT_SHARE * len(earlier.topic.ruled_out)):
        return True
    return _has_other_value(pair) or _is_denied(pair) or _is_ruled_out(pair)


def is_repeat(earlier: Subject, later: Subject) -> bool:
    """Whether the later one only says it again: no word, name or value that the earlier one had not, and as much of
    it as cannot be chance."""
    one, other = earlier.topic, later.topic
    if one.is_negative != other.is_negative:
        return False
    # What was replaced is named along with what replaces it: to name it again is no repetition.
    if not (later.wanted <= earlier.wanted and other.ruled_out <= one.ruled_out and other.names <= one.names):
        return False
    if other.numbers and other.numbers != one.numbers:
        return False
    if not other.spelled <= one.spelled:
        return False
    if not one.words and not one.names:
        return False
    return len(other.words) >= min(len(one.words), max(_LEAST_WORDS, _REPEATED_SHARE * len(one.words)))


def is_acceptance(earlier: Subject, later: Subject) -> bool:
    """Whether the later one is the user's yes to what the earlier one proposed: then the two are one decision."""
    if earlier.finding.place != later.finding.proposal or later.finding.made_by != "collaborative":
        return False
    return len(earlier.wanted & later.topic.words) >= _REPEATED_SHARE * len(earlier.wanted)


def _is_in_agreement(pair: Pair) -> bool:
    """The later accepts what the earlier proposed, or prefers something to the same thing: it tells what that did."""
    again = pair.later.topic.ruled_out
    is_accepted = pair.later.finding.proposal == pair.earlier.finding.place
    return is_accepted or len(again & pair.earlier.topic.ruled_out) * 2 > len(again)


def _is_otherwise(pair: Pair) -> bool:
    """The same thing, with another value, in another place, denied, ruled out or brought back."""
    return _has_other_value(pair) or _has_other_place(pair) or _is_denied(pair) or _is_ruled_out(pair) or _is_back(pair)


def _has_common_ground(pair: Pair) -> bool:
    """One shared word may be all of a short text, and still chance."""
    return len(pair.earlier.topic.words & pair.later.topic.words) >= _LEAST_SHARED


def _has_other_value(pair: Pair) -> bool:
    one, other = pair.earlier.topic.numbers, pair.later.topic.numbers
    return bool(one and other) and one.isdisjoint(other) and pair.alike >= _ALIKE and _has_common_ground(pair)


def _has_other_place(pair: Pair) -> bool:
    one, other = pair.earlier.names_around, pair.later.topic.names
    if not any(map(_FILE_RE.search, one - other)) or not any(map(_FILE_RE.search, other - one)):
        return False
    # The same file in another folder, or the same work in another file.
    is_moved = any(map(_FILE_RE.search, one & other)) and pair.alike >= _ALIKE_MOVED
    return is_moved or (pair.alike >= _ALIKE_PLACE and _has_common_ground(pair))


def _is_denied(pair: Pair) -> bool:
    if pair.earlier.topic.is_negative == pair.later.topic.is_negative:
        return False
    return pair.alike >= _ALIKE_DENIED and _has_common_ground(pair)


def _is_ruled_out(pair: Pair) -> bool:
    """The later rules out what the earlier wanted, and speaks of the same thing besides."""
    ruled_out = pair.later.topic.ruled_out
    was_wanted = ruled_out & pair.earlier.wanted
    if not ruled_out or len(was_wanted) < _RULED_OUT_SHARE * len(ruled_out) or pair.new < _LEAST_NEW:
        return False
    is_named = len(was_wanted) == len(ruled_out) >= _LEAST_RULED_OUT
    besides = (pair.earlier.topic.words & pair.later.topic.words) - ruled_out
    return (is_named or bool(besides)) and pair.alike >= _ALIKE_RULED_OUT


def _is_back(pair: Pair) -> bool:
    """The later wants what the earlier had ruled out."""
    ruled_out = pair.earlier.topic.ruled_out
    if not ruled_out or len(ruled_out & pair.later.wanted) < _RULED_OUT_SHARE * len(ruled_out):
        return False
    return pair.alike >= _ALIKE


def _corrects(pair: Pair) -> bool:
    """The agent thinks again within a turn, about the same thing."""
    return (
        pair.later.corrects_itself
        and pair.turns == 0
        and pair.earlier.is_by_agent
        and pair.later.is_by_agent
        and not pair.earlier.terms.isdisjoint(pair.later.terms)
    )


def _drops(pair: Pair) -> bool:
    """Something is given up as a whole, and with it whatever was decided about it."""
    given_up = pair.later.topic.ruled_out
    if not pair.later.gives_up or pair.later.is_by_agent or pair.earlier.is_goal or len(given_up) > _MOST_DROPPED:
        return False
    return len(given_up & pair.earlier.wanted) * 2 >= len(given_up) > 0


def _answers(pair: Pair) -> bool:
    """The user has another way for what the agent was about."""
    if not pair.earlier.is_by_agent or pair.later.is_by_agent or pair.turns > _ANSWER_TURNS:
        return False
    return pair.alike >= _ALIKE_ANSWER and pair.new >= _LEAST_NEW and pair.left >= _LEAST_NEW


def _redoes(pair: Pair) -> bool:
    """The agent does its own work again, and says that it is a change."""
    if not (pair.earlier.is_by_agent and pair.later.is_by_agent and pair.later.says_change):
        return False
    # Within a turn it goes on to the next step of the same work.
    return 0 < pair.turns <= _AGENT_TURNS and pair.alike >= _ALIKE_AGENT and pair.new >= _MORE_NEW


def _is_told_anew(pair: Pair) -> bool:
    """People say something else of the same thing, and that it is a change."""
    if pair.earlier.is_by_agent or pair.later.is_by_agent or not pair.later.says_change:
        return False
    return pair.alike >= _ALIKE_PEOPLE and pair.new > 0


def _failed(pair: Pair) -> bool:
    """What was agreed on turned out not to do: the agent names it and says so."""
    if pair.earlier.finding.made_by != "collaborative" or not pair.later.is_by_agent or not pair.later.says_failure:
        return False
    return pair.alike >= _ALIKE_FAILED and bool(pair.earlier.names_around & pair.later.topic.names)
