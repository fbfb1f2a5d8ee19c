"""What a later decision does to an earlier one: replaces, repeats, accepts, contradicts it or takes it back.

    (earlier, later) ─▶ judge ─▶ the first sign of the table that holds, or none

Owns: the one table of signs: what two decisions must have in common, in what they must differ, and what must have
happened around them. Must not know: ids, order, statuses.
The bounds were chosen on labelled real sessions (`tests/eval/ledger.py`): what buries more living decisions than it
finds dead ones is not here, so a change that is told in quite other words goes unnoticed. Where only the conversation
tells of a change, more is asked of the likeness of the two and of what was done.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from recapd.core import late_re as re
from recapd.core.decisions.kinds import NUMBER, set_besides, set_otherwise, values_in
from recapd.core.decisions.ledger.offered import picks_another
from recapd.core.decisions.ledger.pairs import Pair
from recapd.core.decisions.ledger.wanted import SET_TURNS, wants_otherwise
from recapd.core.decisions.terms import are_opposed, words_of

SignName: TypeAlias = Literal[
    "takes everything back",
    "takes back what it names",
    "takes back the last",
    "undoes the last",
    "starts over",
    "accepts the proposal",
    "says it again",
    "echoes it",
    "does what was ruled out",
    "sets another value",
    "denies it",
    "rules it out",
    "corrects itself",
    "puts it elsewhere",
    "brings it back",
    "leaves its value",
    "does away with its name",
    "renames it",
    "gives it up as a whole",
    "wants the opposite",
    "takes another instead",
    "sets another of its kind",
    "chooses otherwise",
    "turns to another",
    "has it otherwise",
    "wants it otherwise",
    "picks another of what was put",
    "answers with another way",
    "objects to it",
    "tells that it was taken out",
    "does it again",
    "mends it",
    "fixes it again",
    "gives way",
    "tells it anew",
    "tells that it failed",
    "finds that it cannot be",
]
Conclusion: TypeAlias = Literal["takes back", "accepts", "repeats", "contradicts", "replaces"]
_Test: TypeAlias = Callable[[Pair], bool]


class Sign(Struct, frozen=True):
    """A row of the table."""

    name: SignName
    looks_at: Literal["undoing", "words", "conversation"]
    concludes: Conclusion
    # Where it holds for several earlier ones, which of them are meant: what is only likely is likely of the likest.
    meant: Literal["each", "first", "likest"]
    # Whether it tells so outright that the earlier was decided, even where that was only likely before.
    is_outright: bool
    # Which pairs it is asked of, and whether it holds for one of them.
    among: _Test
    holds: _Test


def judge(pair: Pair) -> Sign | None:
    """The sign that decides what the later of a pair does to the earlier."""
    for among, signs in _SIGNS_BY_PAIRS:
        if among(pair):
            for sign in signs:
                if sign.holds(pair):
                    return sign
    return None


_FILE_RE: Final = re.compile(r"/|\.\w{1,5}$")

# How telling a shared word must be for "revert the ..." to mean that decision: one that few others have.
_NAMED_WEIGHT: Final = 1.5

# How alike two must be (shared words, weighted, 0 to 1), by their own words, for a difference to be a change:
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
# in what is chosen for it, where both are said plainly and the later as a change
_ALIKE_CHOSEN: Final = 0.4
# Of what was said, what is given up for something else: less of it may only have been mentioned.
_LEFT_SHARE: Final = 0.6
# for the agent's words to be those of people again, with how little that is new, and how soon
_ALIKE_ECHO: Final = 0.55
_MOST_NEW_ECHO: Final = 0.5
_ECHO_TURNS: Final = 2
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

# And by how the conversation went:
# for the human to have corrected the agent at once, or later
_ALIKE_ANSWER: Final = 0.24
_ALIKE_ASKED: Final = 0.25
# for words of change to be about it: of the agent's own, and of what people said
_ALIKE_REDONE: Final = 0.15
_ALIKE_PEOPLE: Final = 0.5
# for what failed to be what was done
_ALIKE_FAILED: Final = 0.06
# for two fixes to be of one step
_ALIKE_FIXED: Final = 0.25
# for the human's words to be about nothing else
_ALIKE_RETOLD: Final = 0.4
# for a failure to be the first attempt's
_ALIKE_FIRST: Final = 0.5
# How much must be new, and how much left, of what is so much alike that it can be about nothing else: the order may be
# all that changed.
_LEAST_NEW_RETOLD: Final = 0.25
_LEAST_LEFT_RETOLD: Final = 0.15
_COUNTED_TURNS: Final = 4
# A number by itself may be of anything.
_ALIKE_NUMBER: Final = 0.15
_BARE_CHARS: Final = 12
# Corrections come soon.
_ANSWER_TURNS: Final = 2
_RETOLD_TURNS: Final = 3
_TURN_TURNS: Final = 2
# An agent does its latest work again; what lies further back was built upon.
_MOST_BETWEEN: Final = 3
_MEND_TURNS: Final = 1
_FIX_TURNS: Final = 2
# One word names too many things.
_LEAST_TAKEN_OUT: Final = 2


# Which pairs a sign is asked of.


def _is_taking_back(pair: Pair) -> bool:
    """What takes back ends something, and stands for nothing that would change another."""
    return pair.later.finding.takes_back


def _is_last(pair: Pair) -> bool:
    return pair.found_by == "last"


def _is_turn(pair: Pair) -> bool:
    return pair.found_by == "turn"


def _is_near(pair: Pair) -> bool:
    return pair.found_by == "words" and not pair.later.finding.takes_back


def _is_agent_on_user(pair: Pair) -> bool:
    """The user's word is only changed by the user."""
    return _is_near(pair) and pair.earlier.finding.made_by == "user" and pair.later.is_by_agent


def _may_be_corrected(pair: Pair) -> bool:
    if not _is_near(pair) or _is_agent_on_user(pair):
        return False
    if pair.is_in_one_message:
        return True
    return not (pair.earlier.finding.how == pair.later.finding.how == "rejected" or pair.is_in_agreement)


def _may_be_changed(pair: Pair) -> bool:
    """One message does not change its mind from one sentence to the next, unless it says so."""
    return not pair.is_in_one_message and _may_be_corrected(pair)


def _is_among_people(pair: Pair) -> bool:
    return _is_near(pair) and pair.is_among_people and not pair.is_in_one_message


def _may_be_set(pair: Pair) -> bool:
    is_meant = pair.found_by in ("words", "kind") and not pair.later.finding.takes_back
    return is_meant and pair.is_among_people and not pair.is_in_one_message


def _may_be_had_otherwise(pair: Pair) -> bool:
    return pair.found_by == "lately" and pair.is_among_people and not pair.is_in_one_message


def _was_wanted(pair: Pair) -> bool:
    return pair.found_by == "talk" and pair.is_among_people and not pair.is_in_one_message


def _was_offered(pair: Pair) -> bool:
    return pair.found_by == "offered" and pair.is_among_people and not pair.is_in_one_message


def _may_be_retold(pair: Pair) -> bool:
    """Where the words say nothing, goals stand, and so does what is only added to."""
    if not _is_near(pair) or _is_agent_on_user(pair):
        return False
    if pair.is_in_one_message or pair.earlier.is_goal or pair.is_in_agreement:
        return False
    return not pair.later.asks_more or pair.is_among_agents or pair.earlier.is_exclusive


def _may_be_redone(pair: Pair) -> bool:
    """The user's own word is changed by no more than what tells it anew."""
    return pair.earlier.finding.made_by != "user" and _may_be_retold(pair)


# Whether a sign holds: by what undoes something.


def _takes_everything_back(pair: Pair) -> bool:
    return pair.found_by == "standing" and not pair.earlier.is_goal


def _is_named(pair: Pair) -> bool:
    return pair.found_by == "words" and pair.shared >= _NAMED_WEIGHT


def _undoes(pair: Pair) -> bool:
    """The agent takes back what it just did, in the same breath as it does something else."""
    return pair.later.reverts


def _starts_over(pair: Pair) -> bool:
    return pair.later.starts_over


# By the words of the two.


def _is_accepted(pair: Pair) -> bool:
    return pair.is_acceptance


def _is_done_anyway(pair: Pair) -> bool:
    """The later does what the earlier had ruled out: all of it, for a part of it may be anything."""
    one, other = pair.earlier.topic, pair.later.topic
    if one.names_out and one.names_out.isdisjoint(other.names - other.names_out):
        return False
    return len(one.ruled_out) >= _LEAST_RULED_OUT and one.ruled_out <= pair.later.wanted


def _is_repeated(pair: Pair) -> bool:
    """The later only says it again: no word, name or value that the earlier had not, and as much of it as cannot be
    chance. What the user gave a verdict on is told apart."""
    one, other = pair.earlier.topic, pair.later.topic
    if one.is_negative != other.is_negative or pair.later.verdict is not None:
        return False
    # What was replaced is named along with what replaces it: to name it again is no repetition.
    if not (pair.later.wanted <= pair.earlier.wanted and other.ruled_out <= one.ruled_out):
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


def _is_echoed(pair: Pair) -> bool:
    """The agent tells in other words what people just decided, and adds little."""
    if not pair.later.is_by_agent or pair.earlier.is_by_agent or not 0 <= pair.turns <= _ECHO_TURNS:
        return False
    one, other = pair.earlier.topic, pair.later.topic
    is_same = one.is_negative == other.is_negative and one.numbers >= other.numbers and pair.later.verdict is None
    return is_same and pair.new <= _MOST_NEW_ECHO and pair.alike >= _ALIKE_ECHO and _has_common_ground(pair)


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


def _is_ruled_out_and_meant(pair: Pair) -> bool:
    """The contrast is with the earlier one, and not with how things had been before either: somebody wanted it to be
    otherwise, or the two have much in common. Within a turn the agent goes on to the next step of the same work."""
    if not _is_ruled_out(pair) or (pair.is_among_agents and pair.turns == 0):
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


def _wants_opposite(pair: Pair) -> bool:
    """People are now against what they were for, or for what they were against."""
    is_told = pair.later.scene.is_change_told
    return pair.turns > 0 and are_opposed(pair.earlier.stance, pair.later.stance, loosely=is_told)


def _takes_instead(pair: Pair) -> bool:
    """People say outright what they take something else for, and that was nearly all that was said before."""
    left = pair.later.alternatives
    # Asked of every pair, and hardly any says so.
    if not left or not pair.turns:
        return False
    said = words_of(pair.earlier.finding.text)
    return any(each <= said and len(each) >= _LEFT_SHARE * len(said) for each in left)


def _sets_another(pair: Pair) -> bool:
    """People take another thing of a kind, or another number of something: where both say of what, of the same."""
    earlier, later = pair.earlier, pair.later
    if not 0 < pair.turns <= SET_TURNS or not pair.later.values or later.asks_more:
        return False
    kinds = set_otherwise(earlier.values, later.values)
    if later.says_change or later.scene.is_change_told:
        kinds |= {kind for kind in set_besides(earlier.values, later.values) if not kind.startswith(NUMBER)}
    if earlier.purposes and later.purposes and earlier.purposes.isdisjoint(later.purposes):
        return False
    # What it is set instead of, where that is named, is the earlier one.
    left = values_in(" ".join(later.finding.alternatives))
    if any(kind in kinds for kind in set_otherwise(left, earlier.values)):
        return False
    has_ground = bool(
        (earlier.topic.words & later.topic.words) - words_of(f"{earlier.named_values} {later.named_values}")
    )
    is_told = later.scene.is_change_told
    if not kinds - {NUMBER}:
        is_bare = len(earlier.finding.quote) <= _BARE_CHARS
        return bool(kinds) and is_told and (is_bare or (has_ground and pair.alike >= _ALIKE_NUMBER))
    if all(kind.startswith(NUMBER) for kind in kinds):
        # What is counted in days may be anything.
        return (is_told or later.says_change) and (has_ground or pair.turns <= _COUNTED_TURNS)
    return is_told or later.says_change


def _chooses_otherwise(pair: Pair) -> bool:
    """The user takes another thing for the same purpose: nearly the same is said, with other names, as a change."""
    if not pair.is_among_users or pair.turns == 0 or not pair.later.says_change or not pair.is_nearest:
        return False
    is_stated = pair.earlier.finding.proof == pair.later.finding.proof == "statement"
    has_changed = pair.new > 0 and pair.left > 0
    return is_stated and has_changed and pair.alike >= _ALIKE_CHOSEN and _has_common_ground(pair)


# By how the conversation went.


def _turns_away(pair: Pair) -> bool:
    """The human gives up what was chosen last for something else: the words of the two need nothing in common."""
    is_own = pair.is_among_people and pair.later.finding.how != "accepted"
    return is_own and 0 < pair.turns <= _TURN_TURNS and not pair.is_in_agreement


def _has_otherwise(pair: Pair) -> bool:
    """In a talk people want something otherwise that gave them trouble, and what the agent did about the one and does
    about the other is the same thing."""
    earlier, later = pair.earlier, pair.later
    if not later.scene.is_otherwise or later.asks_more or not 0 < pair.turns <= SET_TURNS:
        return False
    # What both agreed on, and a task, was a choice where the agent set about it in the talk.
    was_chosen = earlier.finding.proof is not None and pair.is_among_users
    if later.finding.proof is None or not (was_chosen or earlier.scene.is_worked_on):
        return False
    one, other = earlier.topic.words | earlier.scene.replied, later.topic.words | later.scene.replied
    return not (one & other).isdisjoint(earlier.wanted | later.wanted | (earlier.scene.replied & later.scene.replied))


def _picks_another(pair: Pair) -> bool:
    """People come back to what the agent had put to them, and take something else of it."""
    earlier, later = pair.earlier, pair.later
    if later.asks_more or not 0 < pair.turns <= SET_TURNS:
        return False
    return picks_another(earlier.scene.offered, earlier.finding.quote, later.finding.quote)


def _answers(pair: Pair) -> bool:
    """The human has another way for what the agent was about, or for what was agreed on."""
    if pair.later.is_by_agent:
        return False
    if _is_retold(pair):
        return True
    if pair.new < _LEAST_NEW or pair.left < _LEAST_NEW:
        return False
    if pair.earlier.is_by_agent and pair.turns <= _ANSWER_TURNS:
        return pair.alike >= _ALIKE_ANSWER
    if not (pair.earlier.is_by_agent or pair.later.says_change) or pair.later.finding.how == "accepted":
        return False
    # Later on, it must have been asked for and done, in the human's own words.
    return pair.later.scene.asks_change and pair.later.scene.is_done and pair.alike >= _ALIKE_ASKED


def _is_retold(pair: Pair) -> bool:
    """The human tells the agent's choice otherwise, mostly in its own words."""
    if not pair.earlier.is_by_agent or pair.turns > _RETOLD_TURNS or pair.alike < _ALIKE_RETOLD:
        return False
    return pair.new >= _LEAST_NEW_RETOLD and pair.left >= _LEAST_LEFT_RETOLD


def _is_objected_to(pair: Pair) -> bool:
    """The human's next words begin with a no, and this is what they are about."""
    if not pair.later.scene.objects or pair.turns != 1:
        return False
    # What was agreed on is not undone by whatever the agent does next.
    if pair.later.is_by_agent and not pair.earlier.is_by_agent and pair.alike < _ALIKE_REDONE:
        return False
    return pair.is_nearest or (pair.is_nearest_of_turn and not pair.later.is_by_agent)


def _is_taken_out(pair: Pair) -> bool:
    """The agent tells at the end of the turn that it took out what the earlier had put in."""
    if pair.turns == 0:
        return False
    wanted = pair.earlier.wanted
    return any(len(words) >= _LEAST_TAKEN_OUT and words <= wanted for words in pair.later.scene.taken_out)


def _redoes(pair: Pair) -> bool:
    """The agent does its own work again, and says that it is a change."""
    if not (pair.is_among_agents and pair.later.says_change and pair.later.scene.is_done):
        return False
    # A contrast that names what it replaces must name this; and within a turn the agent goes on to the next step.
    ruled_out = pair.later.topic.ruled_out
    if pair.turns == 0 or (ruled_out and ruled_out.isdisjoint(pair.earlier.wanted)):
        return False
    return pair.is_nearest and pair.between <= _MOST_BETWEEN and pair.alike >= _ALIKE_REDONE


def _mends(pair: Pair) -> bool:
    """The human said that something is wrong, and the agent changes its own work on the same thing."""
    later = pair.later
    if not (pair.is_among_agents and pair.is_nearest and later.scene.complains and later.scene.is_done):
        return False
    if not 0 < pair.turns <= _MEND_TURNS or not (later.scene.concedes or later.says_change or later.says_failure):
        return False
    return not pair.earlier.names_around.isdisjoint(later.topic.names | later.scene.asked_names)


def _fixes_again(pair: Pair) -> bool:
    """The agent's fix of a step follows its fix of the same step: the first was none."""
    if not pair.is_among_agents or not pair.earlier.finding.type == pair.later.finding.type == "fix":
        return False
    if not 0 < pair.turns <= _FIX_TURNS or not pair.is_nearest or pair.alike < _ALIKE_FIXED:
        return False
    # Of one step are two that name one file; what else they have in common is the subject of the session.
    return any(map(_FILE_RE.search, pair.earlier.names_around & pair.later.names_around))


def _gives_way(pair: Pair) -> bool:
    """The human objects, and the agent agrees and does something else."""
    return pair.is_among_agents and pair.turns == 1 and pair.later.scene.objects and pair.later.scene.concedes


def _is_told_anew(pair: Pair) -> bool:
    """People say something else of the same thing, and that it is a change."""
    return pair.is_among_people and pair.later.says_change and pair.alike >= _ALIKE_PEOPLE and pair.new > 0


def _failed(pair: Pair) -> bool:
    """What was agreed on turned out not to do: the agent names it and says so."""
    if pair.earlier.finding.made_by != "collaborative" or not pair.later.is_by_agent or not pair.later.says_failure:
        return False
    # By its own names: the proposal it accepts may name half the project.
    return pair.alike >= _ALIKE_FAILED and not pair.earlier.topic.names.isdisjoint(pair.later.topic.names)


def _was_no_good(pair: Pair) -> bool:
    """Within a turn the agent finds that what was chosen cannot be, and chooses nearly the same otherwise."""
    if not pair.later.is_by_agent or pair.turns != 0 or not pair.is_nearest:
        return False
    return pair.later.says_failure and pair.alike >= _ALIKE_FIRST


# Those above come first. Of what the words say and what the conversation tells, the words decide.
SIGNS: Final = (
    Sign("takes everything back", "undoing", "takes back", "each", False, _is_taking_back, _takes_everything_back),
    Sign("takes back what it names", "undoing", "takes back", "first", False, _is_taking_back, _is_named),
    Sign("takes back the last", "undoing", "takes back", "first", False, _is_taking_back, _is_last),
    Sign("undoes the last", "undoing", "replaces", "each", False, _is_last, _undoes),
    Sign("starts over", "undoing", "replaces", "each", False, _is_last, _starts_over),
    Sign("accepts the proposal", "words", "accepts", "each", False, _is_near, _is_accepted),
    Sign("says it again", "words", "repeats", "first", False, _is_near, _is_repeated),
    Sign("does what was ruled out", "words", "contradicts", "each", False, _is_agent_on_user, _is_done_anyway),
    Sign("sets another value", "words", "contradicts", "each", False, _is_agent_on_user, _has_other_value),
    Sign("denies it", "words", "contradicts", "each", False, _is_agent_on_user, _is_denied),
    Sign("rules it out", "words", "contradicts", "each", False, _is_agent_on_user, _is_ruled_out),
    Sign("echoes it", "words", "repeats", "first", False, _is_near, _is_echoed),
    Sign("corrects itself", "words", "replaces", "each", False, _may_be_corrected, _corrects),
    Sign("sets another value", "words", "replaces", "each", False, _may_be_changed, _has_other_value),
    Sign("puts it elsewhere", "words", "replaces", "each", False, _may_be_changed, _has_other_place),
    Sign("denies it", "words", "replaces", "each", False, _may_be_changed, _is_denied),
    Sign("brings it back", "words", "replaces", "each", False, _may_be_changed, _is_back),
    Sign("leaves its value", "words", "replaces", "each", False, _may_be_changed, _is_value_gone),
    Sign("does away with its name", "words", "replaces", "each", False, _may_be_changed, _is_name_out),
    Sign("renames it", "words", "replaces", "each", False, _may_be_changed, _is_renamed),
    Sign("rules it out", "words", "replaces", "each", False, _may_be_changed, _is_ruled_out_and_meant),
    Sign("gives it up as a whole", "words", "replaces", "each", False, _may_be_changed, _drops),
    Sign("wants the opposite", "words", "replaces", "each", True, _is_among_people, _wants_opposite),
    Sign("takes another instead", "words", "replaces", "each", True, _is_among_people, _takes_instead),
    Sign("sets another of its kind", "words", "replaces", "likest", True, _may_be_set, _sets_another),
    Sign("chooses otherwise", "words", "replaces", "likest", False, _may_be_changed, _chooses_otherwise),
    Sign("turns to another", "conversation", "replaces", "first", True, _is_turn, _turns_away),
    Sign("has it otherwise", "conversation", "replaces", "likest", True, _may_be_had_otherwise, _has_otherwise),
    Sign("wants it otherwise", "conversation", "replaces", "first", True, _was_wanted, wants_otherwise),
    Sign("picks another of what was put", "conversation", "replaces", "first", True, _was_offered, _picks_another),
    Sign("tells it anew", "conversation", "replaces", "likest", False, _may_be_retold, _is_told_anew),
    Sign("answers with another way", "conversation", "replaces", "likest", False, _may_be_redone, _answers),
    Sign("objects to it", "conversation", "replaces", "likest", False, _may_be_redone, _is_objected_to),
    Sign("tells that it was taken out", "conversation", "replaces", "likest", False, _may_be_redone, _is_taken_out),
    Sign("does it again", "conversation", "replaces", "likest", False, _may_be_redone, _redoes),
    Sign("mends it", "conversation", "replaces", "likest", False, _may_be_redone, _mends),
    Sign("fixes it again", "conversation", "replaces", "likest", False, _may_be_redone, _fixes_again),
    Sign("gives way", "conversation", "replaces", "likest", False, _may_be_redone, _gives_way),
    Sign("tells that it failed", "conversation", "replaces", "likest", False, _may_be_redone, _failed),
    Sign("finds that it cannot be", "conversation", "replaces", "likest", False, _may_be_redone, _was_no_good),
)
# Which pairs a row is asked of is looked at once for its neighbours.
_SIGNS_BY_PAIRS: Final = tuple((among, tuple(signs)) for among, signs in groupby(SIGNS, key=lambda sign: sign.among))
