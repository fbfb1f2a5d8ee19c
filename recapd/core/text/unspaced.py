"""Scripts without spaces between words, and Hangul, which hangs its endings on: words there are pairs of characters.

Kept apart from `retrieval.terms.DENSE`, which is wider: an index finds better with more scripts, but what compares and
weighs texts was measured, and its weights trained, with these.
"""

from __future__ import annotations

import re
from typing import Final

# Kana, Han, Hangul.
UNSPACED_RE: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
UNSPACED_RUN_RE: Final = re.compile(f"{UNSPACED_RE.pattern}{{2,}}")


def pairs_in(text: str) -> list[str]:
    """Every two neighbours of each run of such characters, in their order; a character by itself is none."""
    return [run[at : at + 2] for run in UNSPACED_RUN_RE.findall(text) for at in range(len(run) - 1)]
