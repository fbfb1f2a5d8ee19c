"""What a text is about: its names, and its content words."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from recapd.core.text import code_in, identifiers_in, word_rule, words_in

# As the weights were trained with.
_RULE: Final = word_rule(least_chars=3, stem_chars=7, between="lost")


# For these two as for the sentences of a scene (see features): it is judged again as it grows, and once more with what
# is said next.
@lru_cache(maxsize=512)
def names_of(text: str) -> frozenset[str]:
    """Identifiers, paths and whatever stands in code marks, as they are spelt."""
    return frozenset((*identifiers_in(text), *code_in(text)))


@lru_cache(maxsize=512)
def words_of(text: str) -> frozenset[str]:
    """Content words, cut to their stems; pairs of characters in scripts without spaces."""
    return frozenset(words_in(text, _RULE))


def share_of(part: frozenset[str], whole: frozenset[str]) -> float:
    return len(part & whole) / len(part) if part else 0.0
