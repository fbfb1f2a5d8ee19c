"""Parts of a summary that an agent wrote for itself: what it was asked, and what it had yet to do.

Owns: by which headings agents name these parts. Must not know: sessions, pages.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from recapd.core import late_re as re
from recapd.core.text.gist import words_of_sentence
from recapd.core.text.markdown import blocks_in
from recapd.core.text.sentences import sentences_of

_REQUEST_RE: Final = re.compile(
    r"\W{0,6}(?:primary |main |user['’]?s? |original )?(?:request|goal|objective|intent)\b", re.IGNORECASE
)
_PENDING_RE: Final = re.compile(
    r"\W{0,6}(?:(?:pending|remaining|open|outstanding|unfinished) (?:tasks?|work|items?|steps?)|next steps?|to-?do)\b",
    re.IGNORECASE,
)
# A line that names a part is no longer.
_HEAD_CHARS: Final = 60
_LEAST_CHARS: Final = 15
_NONE_RE: Final = re.compile(r"\W*(?:none|nothing|no |n/a)\b", re.IGNORECASE)


def requested_in(summary: str) -> str:
    """The first sentence of what a summary says was asked; "" where it has no such part."""
    return next((text for text in _part(summary, _REQUEST_RE) if len(text) >= _LEAST_CHARS), "")


def pending_in(summary: str) -> list[str]:
    """What a summary lists as yet to be done."""
    return [text for text in _part(summary, _PENDING_RE) if len(text) >= _LEAST_CHARS and not _NONE_RE.match(text)]


def _part(summary: str, name: re.Pattern[str]) -> Iterator[str]:
    """The first sentence of each block below the heading of that name, up to the next heading."""
    is_inside = False
    for block in blocks_in(summary):
        head, _, rest = block.text.partition("\n")
        label, colon, behind = head.partition(":")
        is_head = len(label) <= _HEAD_CHARS and (
            block.sort in ("heading", "numbered") or bool(colon and not behind.strip())
        )
        if is_head and not (is_inside and block.sort != "heading" and not colon):
            is_inside = name.match(label.lstrip("*_ ")) is not None
            text = f"{behind}\n{rest}".strip("* \n")
        else:
            text = block.text
        if is_inside and text and (sentence := next(sentences_of(text), "")):
            yield words_of_sentence(sentence)
