"""Searching all that was said, everywhere: the words of a query, which line of a text has them, what is told first.

Owns: the order of what was found, whoever found it, and the line that shows it. Must not know: where texts are kept.
What has all words comes before what has some, what has them in a row before that, and then what is about little else
and lately said; of one session's many hits each weighs less than the one before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, TypeVar

from msgspec import Struct

from recapd.core import late_re as re
from recapd.core.log import seconds_between
from recapd.core.state import KEPT_CHARS, Passage
from recapd.core.text import one_line

# Each costs a look at the index, and more than a few find what was said by whoever remembers it word for word.
_MOST_WORDS: Final = 32
_WORD_RE: Final = re.compile(r"\w+")
# From here on are the scripts that are written without spaces between words: their words stand within others.
_FIRST_UNSPACED: Final = "\u2e80"
# What was said so long ago weighs half.
_HALF_S: Final = 30 * 86_400
_LINE_CHARS: Final = 200
# Of a long line, what comes before the first word that was looked for.
_BEFORE_CHARS: Final = 60

F = TypeVar("F", bound="Found")

# What was said, and what was done by whom. What a summary or a verdict repeats is found where it was said.
SEARCHED: Final = {
    "prompt": 1.0,
    "queued": 1.0,
    "command": 1.0,
    "answer": 1.0,
    "rejected": 1.0,
    "reply": 1.0,
    "plan": 1.0,
    "task": 0.8,
    "commit": 0.8,
    "edit": 0.5,
    "run": 0.5,
    "failed": 0.5,
}


# A message as long as this may be kept without its middle; what is made harmless is a little shorter.
LONG_CHARS: Final = KEPT_CHARS * 8 // 10
SAID: Final = ("prompt", "queued", "command", "reply")


class Query(Struct, frozen=True):
    """The words, each once, as they are looked for: as a word or the beginning of one, whatever their case."""

    words: tuple[str, ...]

    @property
    def spaced(self) -> tuple[str, ...]:
        return tuple(word for word in self.words if not is_unspaced(word))

    @property
    def unspaced(self) -> tuple[str, ...]:
        return tuple(word for word in self.words if is_unspaced(word))


class Found(Struct, frozen=True):
    """A text that has the words, or some of them, by what it is ranked."""

    session: str
    at: str
    # Among those that have as many of the words; larger is better.
    worth: float
    has_all: bool = True
    is_phrase: bool = False


def query_of(text: str) -> Query:
    words = list(dict.fromkeys(word.lower() for word in _WORD_RE.findall(text)))
    return Query(tuple(words[:_MOST_WORDS]))


def is_unspaced(word: str) -> bool:
    return any(character >= _FIRST_UNSPACED for character in word)


def searched_text(passage: Passage) -> str:
    """What of a passage is looked through: "" where it only repeats."""
    if passage.kind not in SEARCHED:
        return ""
    # Behind a verdict stands what the tool returned, behind a long text its end.
    return passage.text if passage.kind in ("answer", "rejected") else f"{passage.text}\n{passage.tail}".rstrip("\n")


def pattern_of(query: Query) -> list[re.Pattern[str]]:
    """One for each word."""
    return [
        re.compile(re.escape(word) if is_unspaced(word) else rf"(?<![^\W_]){re.escape(word)}", re.IGNORECASE)
        for word in query.words
    ]


def has_all_words(text: str, patterns: Sequence[re.Pattern[str]]) -> bool:
    return all(pattern.search(text) for pattern in patterns)


def phrase_in(text: str, query: Query) -> bool:
    """Whether the words stand in a row."""
    return len(query.words) > 1 and " ".join(query.words) in " ".join(_WORD_RE.findall(text.lower()))


def in_order(found: Sequence[F]) -> list[F]:
    """What is told first comes first."""
    newest = max((each.at for each in found), default="")
    told: Counter[str] = Counter()
    ranked: list[tuple[tuple[bool, bool, float], F]] = []
    for each in sorted(found, key=lambda each: (not each.has_all, not each.is_phrase, -_weight(each, newest))):
        told[each.session] += 1
        ranked.append(((not each.has_all, not each.is_phrase, -_weight(each, newest) / told[each.session]), each))
    ranked.sort(key=lambda row: row[0])
    return [each for _, each in ranked]


def _weight(found: Found, newest: str) -> float:
    age = seconds_between(found.at, newest) if found.at and newest else None
    return found.worth / (1 + max(age, 0.0) / _HALF_S) if age is not None else found.worth / 2


def line_with(text: str, query: Query) -> str:
    """The line with most of the words, the first of them; of a long one the part where they begin."""
    patterns = pattern_of(query)
    best, most = "", 0
    for line in text.split("\n"):
        count = sum(pattern.search(line) is not None for pattern in patterns)
        if count > most:
            best, most = line.strip(), count
            if most == len(patterns):
                break
    if not most:
        return one_line(text.strip(), _LINE_CHARS)
    if len(best) > _LINE_CHARS:
        first = min(found.start() for pattern in patterns if (found := pattern.search(best)) is not None)
        if first > _BEFORE_CHARS:
            begin = best.rfind(" ", 0, first - _BEFORE_CHARS // 2) + 1
            best = "… " + best[max(begin, first - _BEFORE_CHARS) :]
    return one_line(best, _LINE_CHARS)
