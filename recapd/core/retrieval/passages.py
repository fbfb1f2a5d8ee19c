"""Cutting a text into passages: pieces that say one thing and can be shown on their own.

Owns: where a passage begins and ends. Must not know: scores, tokens, where the text stands.
"""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from recapd.core import late_re as re
from recapd.core.text import sentence_ends

# A few sentences. Of 48 labelled questions a context of 800 tokens answered 44-45 with 300-360 characters, 42 with 420
# and with 160: larger ones leave no room for a second place, smaller ones tear the answer from its subject.
MOST_CHARS: Final = 320
LEAST_CHARS: Final = 120
# Besides the end of a sentence.
_BREAK_RE: Final = re.compile(r"[；\n]")
_HEADING_RE: Final = re.compile(r"[ \t]{0,3}(?:#{1,6}[ \t]|\*\*[^*\n]{1,80}\*\*:?[ \t]*$)")


class Span(Struct, frozen=True, gc=False):
    """A piece of a text, by characters."""

    start: int
    end: int


def passages_in(text: str) -> tuple[Span, ...]:
    """Spans that cover everything but the whitespace between them, in order."""
    spans: list[Span] = []
    start = end = -1
    for piece in _pieces(text):
        if start < 0:
            start, end = piece.start, piece.end
        elif _belongs(text, start, end, piece):
            end = piece.end
        else:
            spans.append(Span(start, end))
            start, end = piece.start, piece.end
    if start >= 0:
        spans.append(Span(start, end))
    return tuple(spans)


def _belongs(text: str, start: int, end: int, piece: Span) -> bool:
    """Whether a piece goes on with the passage before it."""
    if piece.end - start > MOST_CHARS or _HEADING_RE.match(text, piece.start, piece.end):
        return False
    is_new_paragraph = text.count("\n", end, piece.start) > 1
    return not is_new_paragraph or end - start < LEAST_CHARS


def _pieces(text: str) -> list[Span]:
    """Lines and sentences, none longer than a passage."""
    pieces: list[Span] = []
    at = 0
    for stop in sorted({*sentence_ends(text), *(found.end() for found in _BREAK_RE.finditer(text)), len(text)}):
        begin, finish = _trimmed(text, at, stop)
        while finish - begin > MOST_CHARS:
            cut = text.rfind(" ", begin + LEAST_CHARS, begin + MOST_CHARS)
            cut = cut if cut > 0 else begin + MOST_CHARS
            pieces.append(Span(begin, cut))
            begin, finish = _trimmed(text, cut, stop)
        if finish > begin:
            pieces.append(Span(begin, finish))
        at = stop
    return pieces


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    piece = text[start:end]
    bare = piece.strip()
    if not bare:
        return end, end
    begin = start + len(piece) - len(piece.lstrip())
    return begin, begin + len(bare)
