"""What a text is about: its names, and its content words."""

from __future__ import annotations

import re
from typing import Final

from recapd.core.text import UNSPACED_RE, pairs_in

CODE_RE: Final = re.compile(r"`[^`\n]{1,120}`")
# Where a run of letters is no name, none begins inside it, and no name goes on for long without a dot or the like:
# without the look behind and the limit, a run of 4000 letters takes half a second.
NAME_RE: Final = re.compile(
    r"(?<![A-Za-z_])[A-Za-z_][\w./-]{0,120}(?:[a-z][A-Z]|_|\.|/)\w[\w./-]*|--[a-z][\w-]+|\b[A-Z][A-Z0-9_]{3,}\b"
)
_WORD_RE: Final = re.compile(r"[^\W_]{3,}")


def names_of(text: str) -> frozenset[str]:
    """Identifiers, paths and whatever stands in code marks, as they are spelt."""
    return frozenset(NAME_RE.findall(text)) | frozenset(code.strip("`") for code in CODE_RE.findall(text))


def words_of(text: str) -> frozenset[str]:
    """Content words, cut to their stems; pairs of characters in scripts without spaces."""
    words = _WORD_RE.findall(text.lower())
    if not UNSPACED_RE.search(text):
        found = {word[:7] for word in words}
    else:
        found = {word[:7] for word in words if not UNSPACED_RE.search(word)}
        found.update(pairs_in(text))
    return frozenset(found)


def share_of(part: frozenset[str], whole: frozenset[str]) -> float:
    return len(part & whole) / len(part) if part else 0.0
