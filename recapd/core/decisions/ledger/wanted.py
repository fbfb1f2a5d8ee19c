"""What people want in a talk, beside what they wanted before: whether it takes the place of that.

    "put the form in the sidebar" – "It is there." … "move it to the footer" – "Moved."

A task is no decision by itself; that it set something shows where another is wanted for it. Words alone do not tell:
the agent's replies say what it was made and what it is made now, in whatever language. What is wanted besides of the
same thing leaves what was wanted before.
Must not know: ids, order, statuses.
"""

from __future__ import annotations

from typing import Final

from recapd.core import late_re as re
from recapd.core.decisions.kinds import UNITS, sets_other_value, values_in
from recapd.core.decisions.ledger.pairs import Pair
from recapd.core.decisions.ledger.subjects import Subject
from recapd.core.decisions.terms import words_of
from recapd.core.decisions.words import words_for
from recapd.core.text import UNSPACED_RE

# People come back soon to what they set; later another of a kind may be for something else. What is only pointed at
# was talked of right before.
SET_TURNS: Final = 6
_POINTED_TURNS: Final = 2
# Words that name nothing: by which anything is told to be done, and that it is, by which it is counted, and those that
# only join others.
_EMPTY: Final = words_of(" ".join((*words_for("order", "redone", "swapped", "taken on", "function word"), *UNITS)))
# Shorter words only join others in any language; and one pair of characters may be of any word.
_LEAST_CHARS: Final = 4
_LEAST_PAIRS: Final = 2
# Where words are not apart, what is written so says how they hang together.
_GRAMMAR_RE: Final = re.compile("[぀-ゟ]+")
_CLAUSE_RE: Final = re.compile(r"[,;:.!，；：。！、](?!\d)|\s[-–—]\s")


def wants_otherwise(pair: Pair) -> bool:
    """In a talk people want something of the same thing that takes the place of what they wanted before, and the
    agent went along with both."""
    earlier, later, scene = pair.earlier, pair.later, pair.later.scene
    if later.asks_more or not 0 < pair.turns <= SET_TURNS:
        return False
    is_told = scene.gives_up or scene.exchanges or scene.is_redone
    ground = common_ground(pair)
    # What the agent says that it is now; what else was named is what it was.
    confirmed = later.values & scene.replied_values
    if sets_other_value(earlier.values, confirmed or later.values):
        is_told = is_told or (pair.turns == 1 and bool(confirmed) and _names_nothing_else(later))
        return bool(ground) or (is_told and pair.is_nearest)
    # Of a thing that was to be made more is wanted, unless it is another value.
    if earlier.finding.wants == "thing":
        return False
    if later.finding.proof is not None:
        is_same = scene.is_otherwise and not ground.isdisjoint(earlier.topic.words & later.topic.words)
        if is_same or _is_echoed_otherwise(pair):
            return True
    # Who keeps or drops what is pointed at takes nothing for it.
    points = scene.points and pair.is_nearest and pair.turns <= _POINTED_TURNS and not later.stance.sign
    return is_told and (not ground <= _echoed_before(pair) or points)


def _names_nothing_else(later: Subject) -> bool:
    """Whether the last words of it say what is set, and not of what."""
    last = next(filter(str.strip, reversed(_CLAUSE_RE.split(later.finding.quote))), "")
    return not _meant(words_of(" ".join(word for word in last.split() if not values_in(word))))


def _is_echoed_otherwise(pair: Pair) -> bool:
    """The agent said of a thing what it was wanted to be, and now says what else it is: each time in the human's
    words."""
    earlier, later = pair.earlier, pair.later
    was = _echoed_before(pair)
    now = (later.topic.words & later.scene.replied) - earlier.topic.words - earlier.scene.replied
    return bool(_meant(was)) and bool(_meant(now)) and not common_ground(pair) <= was


def _echoed_before(pair: Pair) -> frozenset[str]:
    """What the agent had said in the human's words that it is, and says no more: it may be all that was set."""
    return (pair.earlier.topic.words & pair.earlier.scene.replied) - pair.later.scene.replied


def common_ground(pair: Pair) -> frozenset[str]:
    """What two exchanges are both about, by the words of either side; not those of doing something, nor values."""
    one = pair.earlier.topic.words | pair.earlier.scene.replied
    other = pair.later.topic.words | pair.later.scene.replied
    # Right after the earlier one, the rest of the message may answer what that reply asked.
    if pair.turns > 1:
        other |= pair.later.scene.asked
    return _meant(one & other) - words_of(f"{pair.earlier.named_values} {pair.later.named_values}")


def _meant(words: frozenset[str]) -> frozenset[str]:
    """Those that name something."""
    named = frozenset(word for word in words - _EMPTY if not _GRAMMAR_RE.fullmatch(word))
    paired = frozenset(filter(UNSPACED_RE.search, named))
    long = frozenset(word for word in named - paired if len(word) >= _LEAST_CHARS)
    return long | paired if len(paired) >= _LEAST_PAIRS else long
