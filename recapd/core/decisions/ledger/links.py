"""Whether a later decision says otherwise than an earlier one, by their own words: changes, repeats, contradicts it.

Owns: what two findings must have in common, and in what they must differ. Must not know: ids, order, statuses.
What the conversation around them gives away is in `ledger_signs`.
The bounds were chosen on labelled real sessions (`tests/eval/ledger.py`): what buries more living decisions than it
finds dead ones is not here, so a change that is told in quite other words goes unnoticed.
"""

from __future__ import annotations

import re
from typing import Final

from recapd.core.decisions.ledger.pairs import Pair
from recapd.core.decisions.ledger.subjects import Subject

_FILE_RE: Final = re.compile(r"/|\.\w{1,5}$")

# How alike two must be (shared words, weighted, 0 to 1) for a difference to be a change:
# in a value, a place or a denial
_ALIKE: Final = 0.6
_ALIKE_MOVED: Final = 0.4
_ALIKE_PLACE: Final = 0.45
_ALIKE_DENIED: Final = 0.7
# of the user's own words, in which no word of change is needed
_ALIKE_OWN_PLACE: Final = 0.5
# in a name
_ALIKE_RENAMED: Final = 0.2
# in what is ruled out
_ALIKE_RULED_OUT: Final = 0.26
_ALIKE_MEANT: Final = 0.5
_LEAST_SHARED: Final = 2
# And how much of the later must be new: what is not new is said again in other words.
_LEAST_NEW: Final = 0.3
# So much of what is ruled out must have been wanted.
_RULED_OUT_SHARE: Final = 0.6
# One word that was ruled out may be anything.
_LEAST_RULED_OUT: Final = 2
# A few words name a thing ("the PDF export"); more describe a part of one.
_MOST_DROPPED: Final = 3
# Saying something again in fewer words.
_REPEATED_SHARE: Final = 0.6
_LEAST_WORDS: Final = 3


def is_changed(pair: Pair) -> bool:
    """Whether the later of a pair says the same thing otherwise."""
    if pair.is_in_one_message:
        # One message does not change its mind from one sentence to the next, unless it says so.
        return _corrects(pair)
    if pair.earlier.finding.how == pair.later.finding.how == "rejected" or pair.is_in_agreement:
        return False
    return _is_otherwise(pair) or _corrects(pair) or _drops(pair)


def contradicts(pair: Pair) -> bool:
    """Whether the later does otherwise than the earlier said: another value, what was ruled out, not what was asked."""
    return _is_done_anyway(pair) or _has_other_value(pair) or _is_denied(pair) or _is_ruled_out(pair)


def _is_done_anyway(pair: Pair) -> bool:
    """The later does what the earlier had ruled out: all of it, for a part of it may be anything."""
    one, other = pair.earlier.topic, pair.later.topic
    if one.names_out and one.names_out.isdisjoint(other.names - other.names_out):
        return False
    return len(one.ruled_out) >= _LEAST_RULED_OUT and one.ruled_out <= pair.later.wanted


def is_repeat(earlier: Subject, later: Subject) -> bool:
    """Whether the later one only says it again: no word, name or value that the earlier one had not, and as much of
    it as cannot be chance."""
    one, other = earlier.topic, later.topic
    if one.is_negative != other.is_negative:
        return False
    # What was replaced is named along with what replaces it: to name it again is no repetition.
    if not (later.wanted <= earlier.wanted and other.ruled_out <= one.ruled_out):
        return False
    # What is spelled like a plain word is compared as one: capitals alone make no other name.
    if not {name for name in other.names if not name.isalpha()} <= one.names:
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


def _is_otherwise(pair: Pair) -> bool:
    """The same thing, with another value, in another place, denied, ruled out or brought back."""
    is_other = _has_other_value(pair) or _has_other_place(pair) or _is_denied(pair) or _is_back(pair)
    is_gone = _is_value_gone(pair) or _is_name_out(pair) or _is_renamed(pair)
    return is_other or is_gone or (_is_ruled_out(pair) and _is_meant(pair))


def _has_common_ground(pair: Pair) -> bool:
    """One shared word may be all of a short text, and still chance."""
    return len(pair.earlier.topic.words & pair.later.topic.words) >= _LEAST_SHARED


def _has_other_value(pair: Pair) -> bool:
    return pair.has_other_numbers and pair.alike >= _ALIKE and _has_common_ground(pair)


def _is_value_gone(pair: Pair) -> bool:
    """The later names the earlier's value as what it was before."""
    gone = pair.earlier.topic.numbers & pair.later.topic.numbers_out
    # Small numbers are everywhere.
    return any(len(each) > 1 for each in gone) and not pair.earlier.terms.isdisjoint(pair.later.terms)


def _is_name_out(pair: Pair) -> bool:
    """The later does away with the very thing that the earlier named."""
    out = pair.earlier.topic.names & pair.later.topic.names_out
    return not out <= pair.earlier.topic.names_out


def _is_renamed(pair: Pair) -> bool:
    is_named = not pair.earlier.topic.names.isdisjoint(pair.later.topic.renamed)
    return is_named and pair.alike >= _ALIKE_RENAMED


def _has_other_place(pair: Pair) -> bool:
    one, other = pair.earlier.names_around, pair.later.topic.names
    if not _has_other_file(one, other):
        return False
    if not pair.later.says_change:
        # Another file may just be the next one, unless the user says nearly the same again.
        is_again = pair.is_among_users and pair.turns > 0 and _has_other_file(pair.earlier.topic.names, other)
        return is_again and pair.alike >= _ALIKE_OWN_PLACE and _has_common_ground(pair)
    # The same file in another folder, or the same work in another file.
    is_moved = any(map(_FILE_RE.search, one & other)) and pair.alike >= _ALIKE_MOVED
    return is_moved or (pair.alike >= _ALIKE_PLACE and _has_common_ground(pair))


def _has_other_file(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether each names a file that the other does not."""
    return any(map(_FILE_RE.search, one - other)) and any(map(_FILE_RE.search, other - one))


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


def _is_meant(pair: Pair) -> bool:
    """Whether a contrast is with the earlier one, and not with how things had been before either: somebody wanted it to
    be otherwise, or the two have much in common. Within a turn the agent goes on to the next step of the same work."""
    if pair.is_among_agents and pair.turns == 0:
        return False
    return pair.later.scene.asks_change or pair.alike >= _ALIKE_MEANT


def _is_back(pair: Pair) -> bool:
    """The later wants what the earlier had ruled out."""
    ruled_out = pair.earlier.topic.ruled_out
    if not ruled_out or len(ruled_out & pair.later.wanted) < _RULED_OUT_SHARE * len(ruled_out):
        return False
    return pair.alike >= _ALIKE


def _corrects(pair: Pair) -> bool:
    """Somebody thinks again within a turn, about the same thing."""
    return (
        pair.later.corrects_itself
        and pair.turns == 0
        and (pair.is_among_agents or (pair.is_among_people and pair.is_nearest))
        and not pair.earlier.terms.isdisjoint(pair.later.terms)
    )


def _drops(pair: Pair) -> bool:
    """Something is given up as a whole, and with it whatever was decided about it."""
    given_up = pair.later.topic.ruled_out
    if not pair.later.gives_up or pair.later.is_by_agent or pair.earlier.is_goal or len(given_up) > _MOST_DROPPED:
        return False
    shared = given_up & pair.earlier.wanted
    # A kind of thing is not the thing: unless a name is shared, all of its words must be.
    has_name = not shared.isdisjoint(pair.earlier.topic.names & pair.later.topic.names)
    return len(shared) * (2 if has_name else 1) >= len(given_up) > 0
