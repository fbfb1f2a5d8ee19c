"""Where a sentence may end that has more words than a line has room for.

Owns: the room of a line in columns, and cutting at the end of a clause that stands by itself. Must not know: whose
words they are. Nothing is rephrased: what is left stands in the text word for word.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from recapd.core import late_re as re
from recapd.core.text import ELLIPSIS, STOP_WORDS, one_line, sentence_ends

_CLAUSE_END_RE: Final = re.compile(
    r" [—–-]{1,2} |; | \(|(?<![. ][A-Za-z])(?<! vs)(?<! etc)\. |, (?:so|which|but|because|and|instead|rather)\b"
    r"| because\b|[；，（。]"
)
# "The suite is green, but nothing is pushed yet."
_LIMITING_RE: Final = re.compile(
    r"(?:[,;]| [—–-]{1,2}) (?:but(?! also\b)|though|although|however|yet|except|aber|allerdings|jedoch|mais|pero|mas|"
    r"ma|но|однако|ale|jednak|maar|ancak|nhưng)\b|[，；、](?:但|不过|不過|然而|ただし)|が、|지만"
)
_SENTENCE_END_RE: Final = re.compile(r"[.!?] |[。！？]")
# Where there are no spaces, a clause that only says when or under what condition.
_CONDITION_RE: Final = re.compile(r"(?:如果|若|当|もし)[^，。；、]*\Z|(?:时|後|后|之前|場合)\Z")
# Where somebody who types pauses.
_PAUSE_RE: Final = re.compile(r" [—–-]{1,2} |[,;] | (?:and )?then | but | so that | \(|[，；（]")
# Many type without capitals: what is no abbreviation ends a sentence there, too.
TYPED_END_RE: Final = re.compile(r"(?<=(?:[^\W\d_]{3}|\w\w[)'\"`])[.!?])(?<!etc\.)(?<! vs\.)\s+(?=[^\W\d_A-Z])")
# A sentence of which no more than a word or two is left.
_JUST_BEGUN_RE: Final = re.compile(rf"([.!?])(?: [^\s.!?]{{1,12}}){{1,2}}{ELLIPSIS}\Z")
# What is begun and not ended is not told by its beginning.
_BRACKETS: Final = (("(", ")"), ("[", "]"), ("{", "}"), ("（", "）"), ("「", "」"), ("“", "”"))
# Fewer words behind the last break are the beginning of a clause.
_LEAST_CLAUSE_WORDS: Final = 4
# Words that announce a list, and two of its items behind them.
_LIST_RE: Final = re.compile(r"[^;:]{1,200}: [^;]{1,300}; ")
# Where the first clause of an item ends; a dash stands behind its name.
_ITEM_END_RE: Final = re.compile(r"(?<![. ][A-Za-z])\. |, (?:so|which|but|because|and|instead|rather)\b| because\b")
_LEAST_ITEM_CHARS: Final = 25
# What stands in brackets is said by the way.
_ASIDE_RE: Final = re.compile(r"(?<=[^\s(]) \([^()]{2,200}\)(?=[\s,.;:!?]|\Z)|（[^（）]{2,200}）")
# Where brackets end a clause, one of these follows; else the clause goes on behind them.
_BEHIND_ASIDE: Final = ("", ".", ",", ";", ":")
_WIDE: Final = ("W", "F")


def chars_within(text: str, columns: int) -> int:
    """How many characters of the text have room in so many columns: a character that says a syllable or a word takes
    two, on a screen as well as of a reader's attention."""
    if text.isascii():
        return columns
    for at, character in enumerate(text):
        columns -= 2 if unicodedata.east_asian_width(character) in _WIDE else 1
        if columns < 0:
            return at
    return len(text)


def clause(text: str, columns: int) -> str:
    """The text within its room: up to the end of a clause that stands by itself, else of a word, with an ellipsis."""
    limit = chars_within(text, columns)
    if len(text) <= limit:
        return text
    if _LIST_RE.match(text):
        return _some_items(text, limit)
    least = limit * 2 // 5
    breaks = [
        found.start()
        for found in _CLAUSE_END_RE.finditer(text, 0, limit + 2)
        if not _LIMITING_RE.match(text, found.start())
    ]
    ends = [
        end
        for before, end in zip((0, *breaks), breaks, strict=False)
        if end >= least and _ends(text, before, end) and not _is_limited(text, end)
    ]
    return text[: ends[-1]] if ends else one_line(text, limit)


def up_to_a_pause(text: str, limit: int) -> str:
    """What somebody asks within its room: as many whole sentences as there is room for, else up to where the first one
    pauses, with an ellipsis."""
    if len(text) <= limit:
        return text
    least = limit * 2 // 5
    ends = (*sentence_ends(text, 0, limit + 1), *(found.start() for found in TYPED_END_RE.finditer(text, 0, limit + 2)))
    ended = [end for end in ends if least <= end <= limit]
    if ended:
        return text[: max(ended)]
    return last_pause(text, limit) or _JUST_BEGUN_RE.sub(rf"\1{ELLIPSIS}", one_line(text, limit))


def last_pause(text: str, limit: int) -> str:
    """Up to the last place within its room where a sentence pauses, with an ellipsis; "" where it does not."""
    # Less than that may be what somebody says before the matter: "Before anything is built, …".
    least = limit * 3 // 5
    paused = [found.start() for found in _PAUSE_RE.finditer(text, least, limit) if _ends(text, 0, found.start())]
    return f"{text[: paused[-1]].rstrip(' ,;:')}{ELLIPSIS}" if paused else ""


def _some_items(text: str, limit: int) -> str:
    """The words before a list and as many of its items as have room, each up to the end of a clause, and a mark for the
    others: of the first of several alone nobody learns that there are more."""
    items = [_first_clause(item) for item in text.split("; ")]
    for taken in range(len(items), 1, -1):
        told = "; ".join(items[:taken]) if taken == len(items) else "; ".join((*items[:taken], ELLIPSIS))
        if len(told) <= limit:
            return told
    return one_line(text, limit)


def _first_clause(item: str) -> str:
    """An item of a list without what its second clause says."""
    found = next((found.start() for found in _ITEM_END_RE.finditer(item) if _ends(item, 0, found.start())), len(item))
    return item[:found] if found >= _LEAST_ITEM_CHARS else item


def _ends(text: str, before: int, end: int) -> bool:
    """Whether the text can end here: nothing is left open, neither a bracket, nor a list, nor a clause just begun."""
    told = text[:end]
    if told.rpartition(" ")[2].lower() in STOP_WORDS["end"] or _CONDITION_RE.search(told):
        return False
    if any(told.count(opening) > told.count(closing) for opening, closing in _BRACKETS) or told.count('"') % 2:
        return False
    if text.startswith(" (", end) and text[text.find(")", end) + 1 :][:1] not in _BEHIND_ASIDE:
        return False
    begun = text[before:end]
    if text.startswith(", and", end) and ", " in begun[2:]:
        return False
    return not before or not begun.isascii() or len(begun.split()) > _LEAST_CLAUSE_WORDS


def _is_limited(text: str, end: int) -> bool:
    """Whether the rest of the sentence limits what stands before it: without that, all seems to be well."""
    limiting = _LIMITING_RE.search(text, end)
    return limiting is not None and not _SENTENCE_END_RE.search(text, end, limiting.start() + 1)


def without_asides(text: str) -> str:
    """The text without what stands in brackets."""
    return _ASIDE_RE.sub("", text)
