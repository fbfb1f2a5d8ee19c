"""Cutting a message into units that can each be a decision: sentences and items of lists, exactly as logged.

Owns which sentences belong together, and under which heading a unit stands.
Must not know who speaks.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import msgspec
from msgspec import Struct

from recapd.core import late_re as re
from recapd.core.giving_up import look_up
from recapd.core.text import BY_HAND, lines_in, statement_spans

_BOLD_LEAD_RE: Final = re.compile(r"\*\*([^*\n]{2,80})\*\*[:：]?\s*")
# A line that heads what follows it: short, and nothing but bold words or words before a colon.
_HEADING_RE: Final = re.compile(r"\s*(?:\*\*[^*\n]{2,90}\*\*[:：]?|[^\n]{2,70}[:：])\s*$")
# A line that stops at one of these goes on in the next, even below an empty one.
_HANGING_RE: Final = re.compile(
    r"(?:\A|\s)(?:in|into|to|at|on|onto|under|from|with|of|by|for|as|than|and|or|but|not|the|a|an|only|that|is|are)\Z",
    re.IGNORECASE,
)
# A line that was wrapped is about this long at least, and what follows goes on in small letters.
_LEAST_WRAPPED_CHARS: Final = 40
MAX_UNITS: Final = 160
# Markers of what stands in a list.
LISTED: Final = frozenset(("bullet", "number", "letter"))
MAX_UNIT_CHARS: Final = 600
# What is put together: a sentence this short that only points at its neighbour.
_POINTER_RE: Final = re.compile(
    r"(?:so |now )?(?:let me|i(?:'|’)ll|i will|need to|i need to|让我|我来)\s*(?:just |quickly |now )?(?:fix|"
    r"update|change|add|do|correct|修复|修改|处理|解决|更新)\b.{0,40}$",
    re.IGNORECASE,
)


class Unit(Struct, frozen=True, gc=False):
    """A sentence or an item, exactly as it stands in the message."""

    text: str
    start: int
    # Which line of the message, which sentence of the line, and how many sentences the message has before it.
    line: int
    number: int
    sentence: int = 0
    heading: str = ""
    # "", "bullet", "number", "letter", "heading", "quote"
    marker: str = ""
    label: str = ""
    is_table: bool = False
    # It ends in a colon and something follows.
    opens: bool = False


# The messages of a scene, each cut for every time it is judged, and where proposals and orders are looked for in it.
@lru_cache(maxsize=64)
def units_of(text: str) -> tuple[Unit, ...]:
    found: list[Unit] = []
    heading = ""
    for line in lines_in(text, BY_HAND):
        look_up()
        if line.is_code or len(found) >= MAX_UNITS:
            continue
        body = line.words
        if not any(char.isalnum() for char in body):
            continue
        if line.mark == "heading" or (not line.mark and _HEADING_RE.match(line.text)):
            heading = body.strip().strip("*:： ")
        for sentence, (begin, end) in enumerate(_sentences(body)):
            piece = body[begin:end]
            found.append(
                Unit(
                    text=piece,
                    start=line.start + line.skip + begin,
                    line=line.number,
                    number=len(found),
                    sentence=sentence,
                    heading=heading,
                    marker=line.mark,
                    label=line.label,
                    is_table=line.is_row,
                    opens=piece.rstrip("*_ ").endswith((":", "：")),
                )
            )
    return tuple(_rejoined(text, found))


def _rejoined(text: str, units: list[Unit]) -> list[Unit]:
    """Sentences that were broken over lines, whole again."""
    whole: list[Unit] = []
    for unit in units:
        before = whole[-1] if whole else None
        if before is not None and _goes_on(text, before, unit):
            joined = text[before.start : unit.start + len(unit.text)]
            whole[-1] = msgspec.structs.replace(before, text=joined, opens=unit.opens)
        else:
            whole.append(msgspec.structs.replace(unit, number=len(whole)))
    return whole


def _goes_on(text: str, before: Unit, unit: Unit) -> bool:
    end = before.start + len(before.text)
    gap = text[end : unit.start]
    if gap.strip() or "\n" not in gap or unit.marker or unit.is_table or before.is_table or before.marker == "heading":
        return False
    if unit.start + len(unit.text) - before.start > MAX_UNIT_CHARS:
        return False
    if _HANGING_RE.search(before.text[-12:]):
        return True
    last_line = before.text.rpartition("\n")[2]
    is_wrapped = (
        gap.count("\n") == 1 and len(last_line) >= _LEAST_WRAPPED_CHARS and last_line[-1] not in ".!?:：。！？]"
    )
    return is_wrapped and unit.text[0].islower()


def _sentences(body: str) -> list[tuple[int, int]]:
    """Begin and end of each sentence that says anything, without the space around it."""
    spans: list[tuple[int, int]] = []
    for begin, end in statement_spans(body):
        piece = body[begin:end].strip()
        if any(map(str.isalnum, piece[:40])):
            begin = body.index(piece, begin)
            spans.append((begin, begin + min(len(piece), MAX_UNIT_CHARS)))
    return spans


def points_back(text: str) -> bool:
    """Whether a sentence only says that what stands before it is now put right."""
    return len(text) < 60 and _POINTER_RE.match(text) is not None


def bold_lead(text: str) -> str:
    match = _BOLD_LEAD_RE.match(text)
    return match[1] if match else ""
