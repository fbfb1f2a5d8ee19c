"""Whether a later decision probably replaces an earlier one, by how the conversation went: the human objected or
complained, the agent gave way, did its work again or took it out.

Owns: what must come together for that. Must not know: ids, order, statuses.
The words of the two need not say it, so more is asked of their likeness and of what was done. The bounds were chosen on
labelled real sessions (`tests/eval/ledger.py`).
"""

from __future__ import annotations

from typing import Final

from recapd.core.decisions.ledger_pairs import Pair

# How alike two must be (shared words, weighted, 0 to 1):
# for the human to have corrected the agent at once, or later
_ALIKE_ANSWER: Final = 0.24
_ALIKE_ASKED: Final = 0.25
# for words of change to be about it: of the agent's own, and of what people said
_ALIKE_REDONE: Final = 0.15
_ALIKE_PEOPLE: Final = 0.5
# for what failed to be what was done
_ALIKE_FAILED: Final = 0.06
# How much must be new, and how much left: what is not new is said again in other words.
_LEAST_NEW: Final = 0.3
# Corrections come soon.
_ANSWER_TURNS: Final = 2
_MEND_TURNS: Final = 4
# One word names too many things.
_LEAST_TAKEN_OUT: Final = 2


def seems_changed(pair: Pair) -> bool:
    """Whether the later probably replaces the earlier."""
    if pair.is_in_one_message or pair.earlier.is_goal or pair.is_in_agreement:
        return False
    if pair.earlier.finding.made_by == "user":
        return _is_told_anew(pair)
    return any(sign(pair) for sign in _SIGNS)


def _answers(pair: Pair) -> bool:
    """The human has another way for what the agent was about, or for what was agreed on."""
    if pair.later.is_by_agent or pair.new < _LEAST_NEW or pair.left < _LEAST_NEW:
        return False
    if pair.earlier.is_by_agent and pair.turns <= _ANSWER_TURNS:
        return pair.alike >= _ALIKE_ANSWER
    if not (pair.earlier.is_by_agent or pair.later.says_change):
        return False
    # Later on, it must have been asked for and done.
    return pair.later.scene.asks_change and pair.later.scene.is_done and pair.alike >= _ALIKE_ASKED


def _is_objected_to(pair: Pair) -> bool:
    """The human's next words begin with a no, and this is what they are about."""
    return pair.later.scene.objects and pair.turns == 1 and pair.is_nearest


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
    return pair.is_nearest and pair.alike >= _ALIKE_REDONE


def _mends(pair: Pair) -> bool:
    """The human said that something is wrong, and the agent changes its own work on the same thing."""
    later = pair.later
    if not (pair.is_among_agents and pair.is_nearest and later.scene.complains and later.scene.is_done):
        return False
    if not 0 < pair.turns <= _MEND_TURNS or not (later.scene.concedes or later.says_change or later.says_failure):
        return False
    return not pair.earlier.names_around.isdisjoint(later.topic.names | later.scene.asked_names)


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
    return pair.alike >= _ALIKE_FAILED and not pair.earlier.names_around.isdisjoint(pair.later.topic.names)


_SIGNS: Final = (_answers, _is_objected_to, _is_taken_out, _redoes, _mends, _gives_way, _is_told_anew, _failed)
