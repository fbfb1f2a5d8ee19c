"""Cutting a text into words, in any language: no dictionary, no stemmer.

    重构配置                重构, 构配, 配置: scripts without spaces by pairs of characters
    limits, limited         limit with a stem of five: endings differ, beginnings do not

Owns: what counts as a word. There is one cutter; a `WordRule` says what a purpose needs of it, and its user says why.
Must not know: what the words are compared with.
"""

from __future__ import annotations

import unicodedata
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from recapd.core import late_re as re

# Scripts that are written without spaces, and Hangul, whose words carry their endings with them.
_UNSPACED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003134f"
)
UNSPACED_RE: Final = re.compile(f"[{_UNSPACED}]")
# Longer than any word: blobs are nobody's words.
_LONGEST: Final = 40

# A word that stands between characters of a script without spaces, as code mostly does there: it counts, or it is lost.
Between: TypeAlias = Literal["counts", "lost"]


class WordRule(Struct, frozen=True):
    """What counts as a word for one purpose. Made by `word_rule`."""

    # The same for a text of ASCII alone, which is found twice as fast, for one of scripts with spaces, and for any
    # other. Most texts with a dash or an accent need only the second: the third takes five milliseconds to compile.
    ascii_pattern: re.Pattern[str]
    spaced_pattern: re.Pattern[str]
    pattern: re.Pattern[str]
    # What is left of a longer word.
    stem_chars: int
    # After a word is cut to its stem.
    stop_words: frozenset[str]


def word_rule(
    *,
    least_chars: int = 1,
    has_digits: bool = True,
    stem_chars: int = _LONGEST,
    stop_words: frozenset[str] = frozenset(),
    between: Between = "counts",
) -> WordRule:
    """A character of a script without spaces that stands alone is a word only where one letter is."""
    of_ascii, of_any = (r"A-Za-z0-9", r"^\W_") if has_digits else (r"A-Za-z", r"^\W\d_")
    spaced, word = f"[{of_any}]{{{least_chars},}}", f"[{of_any}{_UNSPACED}]{{{least_chars},}}"
    if between == "lost":
        spaced, word = (rf"(?<![^\W_]){each}+(?![^\W_])" for each in (spaced, word))
    unspaced = f"[{_UNSPACED}]{{{min(least_chars, 2)},}}"
    return WordRule(
        ascii_pattern=re.compile(f"[{of_ascii}]{{{least_chars},}}"),
        spaced_pattern=re.compile(spaced),
        pattern=re.compile(f"{unspaced}|{word}"),
        stem_chars=stem_chars,
        stop_words=stop_words,
    )


# Every word of a text, whatever its length.
_EVERY_WORD: Final = word_rule()


def words_in(text: str, rule: WordRule = _EVERY_WORD) -> list[str]:
    """The words that count, in small letters and cut to their stems, in order, as often as they stand there."""
    stem, stop_words = rule.stem_chars, rule.stop_words
    if text.isascii():
        found = [word[:stem] for word in rule.ascii_pattern.findall(text.lower())]
        return [word for word in found if word not in stop_words] if stop_words else found
    text = text.lower()
    if not UNSPACED_RE.search(text):
        found = [word[:stem] for word in rule.spaced_pattern.findall(text)]
        return [word for word in found if word not in stop_words] if stop_words else found
    words: list[str] = []
    for word in rule.pattern.findall(text):
        if UNSPACED_RE.match(word):
            words += _pairs_in(word)
        elif (beginning := word[:stem]) not in stop_words:
            words.append(beginning)
    return words


def spelled_words_in(text: str) -> list[str]:
    """Every word as it is spelled, capitals kept, but for accents: it is found however it was typed."""
    if text.isascii():
        return _EVERY_WORD.ascii_pattern.findall(text)
    words: list[str] = []
    for word in _EVERY_WORD.pattern.findall(text):
        if UNSPACED_RE.match(word):
            words += _pairs_in(word)
        else:
            words.append(without_accents(word))
    return words


def _pairs_in(run: str) -> list[str]:
    """Every two neighbours, in their order; a character that stands alone is a word by itself."""
    return [run[at : at + 2] for at in range(max(1, len(run) - 1))]


def without_accents(word: str) -> str:
    if word.isascii():
        return word
    return "".join(char for char in unicodedata.normalize("NFKD", word) if not unicodedata.combining(char))


_SPOKEN_RE: Final = re.compile(r"[^\W_]+(?:['-][^\W_]+)*")


def spoken_words_in(text: str) -> list[str]:
    """Words with the apostrophes and hyphens in them, as phrases are made of: "don't", "follow-up"."""
    return _SPOKEN_RE.findall(text)
