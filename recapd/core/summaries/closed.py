"""A sentence with the full stop of its script. Apart because summaries and digests both end sentences."""

from __future__ import annotations

from typing import Final

from recapd.core import late_re as re

# Han and kana, whose sentences end in a mark of their own.
_FULL_WIDTH_RE: Final = re.compile(r"[\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
# What ends a sentence or goes on with it, and what may stand behind that.
_MARKS: Final = frozenset(".!?…。！？｡:;：；")
_BEHIND: Final = "\"'”’»)]*_`」』】）"


def closed(sentence: str) -> str:
    """With its full stop, where no mark ends it."""
    last = sentence.rstrip().rstrip(_BEHIND)[-1:]
    if not last or last in _MARKS:
        return sentence
    return f"{sentence}{'。' if _FULL_WIDTH_RE.match(last) else '.'}"
