"""Whether a later decision probably replaces an earlier one, by how the conversation went: the human objected or
complained, the agent gave way, did its work again or took it out.

Owns: what must come together for that. Must not know: ids, order, statuses.
The words of the two need not say it, so more is asked of their likeness and of what was done. The bounds were chosen on
labelled real sessions (`tests/eval/ledger.py`).
"""

from __future__ import annotations

from typing import Final

from recapd.core.decisions.ledger.pairs import Pair

# How alike two must be (shared words, weighted, 0 to 1):
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
# How much must be new, and how much left: what is not new is said again in other words.
_LEAST_NEW: Final = 0.3
# The same for what is so much alike that it can be about nothing else: the order may be all that changed.
_LEAST_NEW_RETOLD: Final = 0.25
_LEAST_LEFT_RETOLD: Final = 0.15
# Corrections come soon.
_ANSWER_TURNS: Final = 2
_RETOLD_TURNS: Final = 3
# An agent does its latest work again; what lies further back was built upon.
_MOST_BETWEEN: Final = 3
_MEND_TURNS: Final = 1
_FIX_TURNS: Final = 2
# One word names too many things.
_LEAST_TAKEN_OUT: Final = 2


def seems_changed(pair: Pair) -> bool:
    """Whether the later probably replaces the earlier."""
    if pair.is_in_one_message or pair.earlier.is_goal or pair.is_in_agreement:
        return False
    if pair.later.asks_more and not (pair.is_among_agents or pair.earlier.is_exclusive):
        return False
    if pair.earlier.finding.made_by == "user":
        return _is_told_anew(pair)
    return any(sign(pair) for sign in _SIGNS)


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
    if not (pair.earlier.is_by_agent or pair.later.says_change):
        return False
    # Later on, it must have been asked for and done.
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
    return 0 < pair.turns <= _FIX_TURNS and pair.is_nearest and pair.alike >= _ALIKE_FIXED


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


_SIGNS: Final = (
    _answers,
    _is_objected_to,
    _is_taken_out,
    _redoes,
    _mends,
    _fixes_again,
    _gives_way,
    _is_told_anew,
    _failed,
    _was_no_good,
)
