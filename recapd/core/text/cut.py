"""Shortening text without breaking it.

Owns: where a text may be cut (at a sentence, line or word, or at least between two visible characters), and how much of
a logged text the state keeps.
Must not know: tokens, Markdown, where the text will be printed (`hygiene` escapes, after the cut).
"""

from __future__ import annotations

import unicodedata
from typing import Final

from recapd.core import late_re as re
from recapd.core.hygiene import clean, clean_line
from recapd.core.text.sentences import TERMINATORS, sentence_ends

ELLIPSIS: Final = "…"
SPACED_ELLIPSIS: Final = " …"  # after a finished sentence

# ---- where a text may be cut

_JOINER: Final = "\u200d"
# Characters that belong to the one before them although they are no combining marks: joiners, skin tones, flag letters.
_TRAILING_RE: Final = re.compile("[\u200c\u200d\ufe00-\ufe0f\uff9e\uff9f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
_FLAG_LETTERS_RE: Final = re.compile("[\U0001f1e6-\U0001f1ff]")
_JAMO_RE: Final = re.compile("[\u1100-\u11ff\ua960-\ua97f\ud7b0-\ud7ff]")
_VIRAMA_CLASS: Final = 9
# A longer "character" is a stack of marks made to break layouts; cut through it.
_MAX_CLUSTER: Final = 32
# A cut at a nicer place may cost this much of the room; beyond it, keeping text is worth more than a clean edge.
_NICE_CUT_PERCENT: Final = 60


def _is_joined(text: str, at: int) -> bool:
    """Whether `text[at]` continues the visible character before it. An approximation of Unicode's grapheme clusters."""
    before, after = text[at - 1], text[at]
    if before.isascii() and after.isascii():
        return before == "\r" and after == "\n"
    if before == _JOINER or _TRAILING_RE.match(after) or unicodedata.category(after)[0] == "M":
        return True
    if unicodedata.combining(before) == _VIRAMA_CLASS:
        return after.isalpha()
    if _FLAG_LETTERS_RE.match(before) and _FLAG_LETTERS_RE.match(after):
        start = at
        while start > 0 and at - start < _MAX_CLUSTER and _FLAG_LETTERS_RE.match(text[start - 1]):
            start -= 1
        return (at - start) % 2 == 1
    return bool(_JAMO_RE.match(before) and _JAMO_RE.match(after))


def grapheme_cut(text: str, limit: int) -> int:
    """The largest index <= limit that splits no visible character (emoji sequence, flag, letter with its marks)."""
    if limit >= len(text):
        return len(text)
    at = max(limit, 0)
    while at > 0 and limit - at < _MAX_CLUSTER and _is_joined(text, at):
        at -= 1
    return at if at == 0 or not _is_joined(text, at) else limit


_WIDE: Final = ("W", "F")


def columns_of(text: str) -> int:
    """How wide a text is: a character that says a syllable or a word takes two columns, on a screen as well as of a
    reader's attention."""
    return len(text) if text.isascii() else sum(1 + (unicodedata.east_asian_width(each) in _WIDE) for each in text)


def word_cut(text: str, limit: int) -> int:
    """Like `grapheme_cut`, at the end of a word when one is near."""
    if limit >= len(text):
        return len(text)
    space = max(text.rfind(" ", 0, limit + 1), text.rfind("\n", 0, limit + 1), text.rfind("\t", 0, limit + 1))
    return space if space * 100 >= limit * _NICE_CUT_PERCENT and space > 0 else grapheme_cut(text, limit)


def sentence_cut(text: str, limit: int) -> int:
    """Like `word_cut`, at the end of a sentence or line when one is near."""
    if limit >= len(text):
        return len(text)
    near = limit * _NICE_CUT_PERCENT // 100
    ends = [end for end in sentence_ends(text, near, limit + 1) if end <= limit]
    nearest = max([*ends, text.rfind("\n", near, limit + 1)])
    return nearest if nearest > 0 else word_cut(text, limit)


def shorten(text: str, limit: int) -> str:
    """At most the first `limit` characters, cut at a sentence or word, then an ellipsis; empty if nothing is left."""
    kept = text[: sentence_cut(text, limit)].rstrip()
    if not kept:
        return ""
    finished = kept[-1] in TERMINATORS
    return kept + (SPACED_ELLIPSIS if finished else ELLIPSIS)


# ---- short forms

# Text is cleaned up to here at most; a line that shows nothing in its first 64 Ki characters shows nothing.
_WINDOW_CHARS: Final = 1 << 16


def _window(text: str, limit: int) -> str:
    return text[: _WINDOW_CHARS + 16 * max(limit, 0)]


def one_line(text: str, limit: int) -> str:
    """`text` clean and on one line, at most `limit` characters, an ellipsis included."""
    line = clean_line(_window(text, limit))
    if len(line) <= limit:
        return line
    if limit <= 0:
        return ""
    return line[: word_cut(line, limit - 1)].rstrip() + ELLIPSIS


def clip(text: str, limit: int) -> str:
    """`text` clean, its lines and indentation kept, at most `limit` characters, an ellipsis included."""
    body = clean(_window(text, limit)).strip("\n").rstrip()
    if len(body) <= limit:
        return body
    if limit <= len(SPACED_ELLIPSIS):
        return ELLIPSIS[: max(limit, 0)]
    return shorten(body, limit - len(SPACED_ELLIPSIS)) or ELLIPSIS


_SPACE_RE: Final = re.compile(r"\s")
_LEFT_OUT: Final = "\n… {count} characters left out …\n"


def head_tail(text: str, limit: int) -> str:
    """`text` clean, beginning and end kept (errors stand at the end of long outputs), at most `limit` characters."""
    body = clean(text).strip("\n").rstrip()
    if len(body) <= limit:
        return body
    room = limit - len(_LEFT_OUT.format(count=len(body)))
    if room < 40:  # two stumps of a word each say less than one beginning
        return clip(body, limit)
    head = body[: word_cut(body, room // 2)].rstrip()
    start = len(body) - (room - len(head))
    space = _SPACE_RE.search(body, start, start + room // 4)
    while space is None and start < len(body) and _is_joined(body, start):
        start += 1
    tail = body[space.end() if space else start :].lstrip()
    return head + _LEFT_OUT.format(count=len(body) - len(head) - len(tail)) + tail


# ---- beginnings of logged texts, as the state keeps them

# More than is ever shown.
RAW_CHARS = 1_000
# Longer than any token; a text without a space in so many characters is no prose, and its end tells nobody anything.
_LONGEST_WORD = 400


def beginning(text: str) -> str:
    """As logged, bounded. A secret that the bound cuts in two looks like none: the word at the cut goes too."""
    if len(text) <= RAW_CHARS:
        return text
    cut = max(text.rfind(space, RAW_CHARS - _LONGEST_WORD, RAW_CHARS) for space in (" ", "\n", "\t"))
    return text[: cut if cut >= 0 else RAW_CHARS - _LONGEST_WORD]
