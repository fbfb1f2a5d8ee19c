"""A rough guess how much a sentence decides, by rule: to choose among neighbours, before anything is weighed."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from recapd.core.decisions.find.lexicon import GROUPS, heard_in

# A contrast tells most; what is only looked at, reported or offered tells against.
_TELLING: Final = {
    "contrast": 2.0, "cause": 1.0, "limit": 1.0, "choice": 1.5, "fix": 1.0, "rule": 0.7, "later": 1.0, "act": 0.5,
    "look": -0.8, "status": -0.8, "offer": -1.5, "option": -0.5, "question_word": -0.3,
}  # fmt: skip
_TELLING_BITS: Final = tuple((GROUPS.index(group), weight) for group, weight in _TELLING.items())


# Neighbours are compared again and again, as their words are looked up in `lexicon`.
@lru_cache(maxsize=512)
def telling(text: str) -> float:
    """A rough guess how much a sentence decides, to choose among neighbours."""
    heard = heard_in(text)
    return sum(min(heard[bit], 2) * weight for bit, weight in _TELLING_BITS) - 2.0 * ("?" in text[-3:])
