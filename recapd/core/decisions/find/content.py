"""What a text is about: its names, and its content words."""

from __future__ import annotations

import re
from typing import Final

from recapd.core.text import word_rule, words_in

CODE_RE: Final = re.compile(r"`[^`\n]{1,120}`")
# Where a run of letters is no name, none begins inside it, and no name goes on for long without a dot or the like:
# without the look behind and the limit, a run of 4000 letters takes half a second.
NAME_RE: Final = re.compile(
    r"(?<![A-Za-z_])[A-Za-z_][\w./-]{0,120}(?:[a-z][A-Z]|_|\.|/)\w[\w./-]*|--[a-z][\w-]+|\b[A-Z][A-Z0-9_]{3,}\b"
)
# As the weights were trained with.
_RULE: Final = word_rule(least_chars=3, stem_chars=7, between="lost")


def names_of(text: str) -> frozenset[str]:
    """Identifiers, paths and whatever stands in code marks, as they are spelt."""
    return frozenset(NAME_RE.findall(text)) | frozenset(code.strip("`") for code in CODE_RE.findall(text))


def words_of(text: str) -> frozenset[str]:
    """Content words, cut to their stems; pairs of characters in scripts without spaces."""
    return frozenset(words_in(text, _RULE))


def share_of(part: frozenset[str], whole: frozenset[str]) -> float:
    return len(part & whole) / len(part) if part else 0.0
