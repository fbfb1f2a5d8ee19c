"""The words a text is found by, in any language: itself, its parts, and what it shares with its other endings.

    GetRewindPoints        getrewindpoints, get, rewind, points, and getre* rewin* point* for other endings
    src/app.test.ts        src/app.test.ts, src, app, test, ts
    重构配置                重构, 构配, 配置: scripts without spaces by pairs of characters

Owns: what of a word it is found by. Must not know: passages, scores.
"""

from __future__ import annotations

from typing import Final

from recapd.core import late_re as re
from recapd.core.giving_up import look_up
from recapd.core.text import STOP_WORDS, spelled_words_in, without_filler

# Names made of several words: paths, versions, options, identifiers with connectors. None begins inside a word: without
# the look behind, a word of 60,000 letters is gone through as often as it has letters.
_COMPOUND_RE: Final = re.compile(r"(?<![^\W_])[^\W_]++(?:[._/:@#-]{1,2}[^\W_]++){1,12}")
_CAMEL_RE: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
# From this length on a word may carry an ending; what is left without it has STEM letters.
_ENDED: Final = 6
STEM: Final = 5
# Blobs are nobody's words.
_LONGEST: Final = 40
_STEM_MARK: Final = "*"


def terms_of(text: str) -> list[str]:
    """Everything the text can be found by, repeated as often as it stands there."""
    look_up()
    terms: list[str] = []
    for word in spelled_words_in(text):
        lower = word.lower()[:_LONGEST]
        terms.append(lower)
        if len(lower) >= _ENDED:
            terms.append(lower[:STEM] + _STEM_MARK)
        if lower != word and len(parts := _CAMEL_RE.findall(word)) > 1:
            for part in parts:
                small = part.lower()
                terms.append(small)
                if len(small) >= _ENDED:
                    terms.append(small[:STEM] + _STEM_MARK)
    terms += [compound.lower()[: 2 * _LONGEST] for compound in _COMPOUND_RE.findall(text)]
    return terms


def asked_terms(prompt: str) -> list[str]:
    """The terms of a question or request, without those that only make it one; all of them where nothing is left."""
    told = dict.fromkeys(terms_of(without_filler(prompt)))
    terms = [term for term in told if term.rstrip(_STEM_MARK) not in STOP_WORDS["question"]]
    return terms or list(dict.fromkeys(terms_of(prompt)))


def stem_of(term: str) -> str:
    """What the term shares with its other endings; the term itself where it is too short to have any."""
    return term[:STEM] + _STEM_MARK if len(term) >= _ENDED else term


def is_stem(term: str) -> bool:
    return term.endswith(_STEM_MARK)
