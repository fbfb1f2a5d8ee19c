"""Beginnings of logged texts, as the state keeps them: as logged, bounded, and never ending in half a word.

More is kept than is ever shown. A secret that the bound cuts in two no longer looks like one, so the word at the cut
goes too.
"""

from __future__ import annotations

RAW_CHARS = 1_000
# Longer than any token; a text without a space in so many characters is no prose, and its end tells nobody anything.
_LONGEST_WORD = 400


def beginning(text: str) -> str:
    if len(text) <= RAW_CHARS:
        return text
    cut = max(text.rfind(space, RAW_CHARS - _LONGEST_WORD, RAW_CHARS) for space in (" ", "\n", "\t"))
    return text[: cut if cut >= 0 else RAW_CHARS - _LONGEST_WORD]
