"""Cutting a message into units that can each be a decision: sentences and items of lists, exactly as logged.

Owns where a sentence ends, what stands in code or in a quotation, and under which heading a unit stands.
Must not know who speaks.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec
from msgspec import Struct

# The end of a sentence. A full stop needs a space behind it; marks of scripts without spaces do not.
_END_RE: Final = re.compile(r"(?:[.!?…]+[\"'”’)*_`]*(?=\s|$)|[。！？；]+[”’）]*)")
_ABBREVIATIONS: Final = frozenset(
    """
    e.g. i.e. etc. vs. eg. ie. cf. approx. incl. resp. no. nr. fig. dr. mr. mrs. ms. st. z.b. d.h. bzw.
    т.е. т.д. т.п. п.
    """.split()
)
_MARKER_RE: Final = re.compile(
    r"\s*(?:(?P<quote>(?:>\s?)+)|(?P<hash>#{1,6}\s+)|(?P<number>(?:\*\*)?(?:\(?\d{1,2}[.)、:]|[①-⑳]|"
    r"[(（]\d{1,2}[)）])\s*)"
    r"|(?P<letter>(?:\*\*)?\(?[A-Za-z][.)](?:\*\*)?\s+)|(?P<bullet>(?:[-*+•–—▪◦✓✔✅]|- \[[ xX]\])\s+))"
)
_FENCE_RE: Final = re.compile(r"\s*(?:```|~~~)")
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
    # "", "bullet", "number", "letter", "hash", "quote"
    marker: str = ""
    label: str = ""
    in_code: bool = False
    is_table: bool = False
    # It ends in a colon and something follows.
    opens: bool = False


def units_of(text: str) -> list[Unit]:
    found: list[Unit] = []
    heading = ""
    in_code = False
    position = 0
    for number, line in enumerate(text.split("\n")):
        start, position = position, position + len(line) + 1
        if _FENCE_RE.match(line):
            in_code = not in_code
            continue
        if not line.strip() or len(found) >= MAX_UNITS:
            continue
        if in_code:
            continue
        marker, label, skip = _marker(line)
        body = line[skip:]
        if not any(char.isalnum() for char in body):
            continue
        if marker == "hash" or (not marker and _HEADING_RE.match(line)):
            heading = body.strip().strip("*:： ")
        is_table = body.lstrip().startswith("|")
        for sentence, (begin, end) in enumerate(_sentences(body)):
            piece = body[begin:end]
            found.append(
                Unit(
                    piece,
                    start + skip + begin,
                    number,
                    len(found),
                    sentence,
                    heading,
                    marker,
                    label,
                    False,
                    is_table,
                    piece.rstrip("*_ ").endswith((":", "：")),
                )
            )
    return _rejoined(text, found)


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
    if gap.strip() or "\n" not in gap or unit.marker or unit.is_table or before.is_table or before.marker == "hash":
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


def _marker(line: str) -> tuple[str, str, int]:
    match = _MARKER_RE.match(line)
    if match is None or match.lastgroup is None:
        return "", "", len(line) - len(line.lstrip())
    label = match[match.lastgroup].strip(" .)(（）*:、") if match.lastgroup in ("number", "letter") else ""
    return match.lastgroup, label, match.end()


def _sentences(body: str) -> list[tuple[int, int]]:
    """Begin and end of each sentence, without the space around it."""
    spans: list[tuple[int, int]] = []
    begin = 0
    for mark in _END_RE.finditer(body):
        end = mark.end()
        if body[mark.start()] == "." and not _ends_sentence(body, mark.start(), end):
            continue
        _add(spans, body, begin, end)
        begin = end
    _add(spans, body, begin, len(body))
    return spans


def _ends_sentence(body: str, stop: int, end: int) -> bool:
    word = body[body.rfind(" ", 0, stop) + 1 : end].lower().strip("(\"'*_`")
    if word in _ABBREVIATIONS or (word[:-1].isdigit() and len(word) <= 3 and not body[:stop].strip(" 0123456789")):
        return False
    # Within a code span nothing ends.
    return body.count("`", 0, stop) % 2 == 0


def _add(spans: list[tuple[int, int]], body: str, begin: int, end: int) -> None:
    piece = body[begin:end]
    lead = len(piece) - len(piece.lstrip())
    piece = piece.strip()
    if sum(map(str.isalnum, piece[:40])) < 1:
        return
    spans.append((begin + lead, begin + lead + min(len(piece), MAX_UNIT_CHARS)))


def points_back(text: str) -> bool:
    """Whether a sentence only says that what stands before it is now put right."""
    return len(text) < 60 and _POINTER_RE.match(text) is not None


def bold_lead(text: str) -> str:
    match = _BOLD_LEAD_RE.match(text)
    return match[1] if match else ""
