"""How a budget is divided between the sections of a context."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from msgspec import Struct

from recapd.core.views.context.lines import SectionName

# With a prompt and little room, what was said about the matter is worth more than anything else: of 48 labelled
# questions 45 were answered by 640 to 720 tokens of passages, 39 by 500.
_FOUND_TOKENS: Final = 700
_SMALL: Final = 1_000
# More than that of one section is reading matter, not orientation.
_MOST: Final = {"request": 200, "decisions": 900, "summary": 700, "progress": 250, "files": 300, "relevant": 6_000}


class Shares(Struct, frozen=True):
    """Tokens of each section, at most; what one does not use goes to those behind it."""

    request: int
    decisions: int
    summary: int
    progress: int
    files: int
    relevant: int
    recent: int
    # Whether what is relevant may have everything that is left.
    relevant_takes_rest: bool = False


def shares_of(total: int, wanted: Collection[SectionName], *, has_prompt: bool) -> Shares:
    if len([name for name in wanted if name != "lost"]) == 1:
        # Asked for alone, a section may have everything.
        return Shares(total, total, total, total, total, total, total, relevant_takes_rest=True)
    if has_prompt and "relevant" in wanted and total < _SMALL:
        small = total // 16
        return Shares(small, small, 0, 0, 0, total, 0, relevant_takes_rest=True)
    relevant = 0
    if has_prompt and "relevant" in wanted:
        relevant = min(max(_FOUND_TOKENS, total * 45 // 100), _MOST["relevant"])
    rest = total - relevant
    shares = {
        "request": rest * 10 // 100,
        "decisions": rest * 20 // 100,
        "summary": rest * 20 // 100,
        "progress": rest * 8 // 100,
        "files": rest * 6 // 100,
    }
    capped = {name: min(share, _MOST[name]) if name in wanted else 0 for name, share in shares.items()}
    # The window may have what the others are sure to leave, but for a tenth for the turns before it.
    recent = rest - sum(capped.values()) - (rest // 10 if "summary" in wanted else 0)
    return Shares(
        capped["request"],
        capped["decisions"],
        capped["summary"],
        capped["progress"],
        capped["files"],
        relevant,
        max(recent, 0),
    )
