"""The words a text is found by, in any language: no dictionary, no stemmer.

    GetRewindPoints        getrewindpoints, get, rewind, points, and getre* rewin* point* for other endings
    src/app.test.ts        src/app.test.ts, src, app, test, ts
    重构配置                重构, 构配, 配置: scripts without spaces by pairs of characters

Owns: what counts as a word, and which words of a question say nothing. Must not know: passages, scores.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

# Scripts that are written without spaces, and Hangul, whose words carry their endings with them.
DENSE: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Burmese, Khmer
    "\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003134f"
)
_WORD_RE: Final = re.compile(rf"[{DENSE}]+|[^\W_{DENSE}]+")
# Names made of several words: paths, versions, options, identifiers with connectors.
_COMPOUND_RE: Final = re.compile(r"[^\W_]++(?:[._/:@#-]{1,2}[^\W_]++){1,12}")
_CAMEL_RE: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
# From this length on a word may carry an ending; what is left without it has STEM letters.
_ENDED: Final = 6
STEM: Final = 5
# Blobs are nobody's words.
_LONGEST: Final = 40
_STEM_MARK: Final = "*"

# Words by which questions and requests are made, not found. What is missing here costs little: a word that stands
# everywhere in a session weighs little by itself.
_SAY_NOTHING: Final = frozenset(
    (
        "a about after again all also although am an and any are as at be because been before being but by can could "
        "did do does doing done for from get give had has have having he her him his how i if in into is it its just "
        "let like may me might more most my no nor not now of on or our please s she should so some such t tell than "
        "that the their them then there these they this those to too up us use used using very was we were what when "
        "where which while who whom whose why will with would you your "
        "aber als am auch auf aus bei bin bis das dass dem den der des die doch ein eine einem einen einer er es "
        "für habe haben hat hatte ich ihr im in ist ja kann können man mit nach nicht noch nur oder sein sich sie sind "
        "so über um und uns von vor war waren warum was welche welcher welches wem wen wenn wer werden wie wieso wir "
        "wird wo wurde wurden zu zum zur "
        "al algo como con cuál cuáles cuando cuándo cómo de del desde dónde el ella en era es esta este esto fue ha "
        "hay la las le lo los más me mi no nos o para pero por porque qué que quién se si sin sobre son su sus un una "
        "y "
        "à au aux avec ce ces cette comment dans de des donc du elle en est et était il ils je la le les leur mais ne "
        "nous on ou où par pas pour pourquoi qu que quel quelle quels qui quoi sa se ses son sont sur un une vous "
        "ao como com da das de do dos e ela ele em essa esse foi já mas na não no nos o os ou para pela pelo por qual "
        "quais quando que quem são se ser seu sua são também um uma você "
        "che chi come con cosa da dei del della di dove e è gli ha il in la le lo ma nel non per perché qual quale "
        "quali quando questo sono si sta su un una "
        "а без бы был была были было в во вы где да для до его ее если есть же за и из или их к как какая какие какой "
        "когда который кто ли мы на не но о он она они от по почему с со так то только у что чтобы это я"
    ).split()
)
_DENSE_FILLER_RE: Final = re.compile(
    "什么|甚麼|为什么|為什麼|为何|怎么样|怎么|怎麼|怎样|如何|哪个|哪些|哪里|哪裡|哪一|是否|多少|几个|请问|我们|你们|他们|它们|"
    "这个|那个|这些|那些|有没有|可以|应该|需要|"
    "なぜ|どうして|どのように|どの|どれ|どこ|どう|何が|何を|何の|なに|いつ|ですか|ますか|ました|でした|ください|について|"
    "무엇|무슨|어떤|어떻게|어디|언제|누가|왜"
)


def words_of(text: str) -> list[str]:
    """The words as they stand, in lower case, in order; pairs of characters where a script has no spaces."""
    words: list[str] = []
    for word in _WORD_RE.findall(text):
        if not word.isascii():
            if _is_dense(word):
                words += [word[at : at + 2] for at in range(max(1, len(word) - 1))]
                continue
            word = folded(word)
        words.append(word.lower()[:_LONGEST])
    return words


def terms_of(text: str) -> list[str]:
    """Everything the text can be found by, repeated as often as it stands there."""
    terms: list[str] = []
    for word in _WORD_RE.findall(text):
        if not word.isascii():
            if _is_dense(word):
                terms += [word[at : at + 2] for at in range(max(1, len(word) - 1))]
                continue
            word = folded(word)
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
    telling = _DENSE_FILLER_RE.sub(" ", prompt)
    terms = [term for term in dict.fromkeys(terms_of(telling)) if term.rstrip(_STEM_MARK) not in _SAY_NOTHING]
    return terms or list(dict.fromkeys(terms_of(prompt)))


def stem_of(term: str) -> str:
    """What the term shares with its other endings; the term itself where it is too short to have any."""
    return term[:STEM] + _STEM_MARK if len(term) >= _ENDED else term


def is_stem(term: str) -> bool:
    return term.endswith(_STEM_MARK)


def folded(word: str) -> str:
    """The word without accents, so that it is found however it was typed."""
    return "".join(char for char in unicodedata.normalize("NFKD", word) if not unicodedata.combining(char))


def _is_dense(word: str) -> bool:
    return bool(_DENSE_RE.match(word))


_DENSE_RE: Final = re.compile(f"[{DENSE}]")
