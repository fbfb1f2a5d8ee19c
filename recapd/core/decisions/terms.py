"""What a decision is about, as sets of words that can be compared: its topic, its names, its values, what it rules out.

Owns: which pieces of a text count, and how they are spelled for comparing. Must not know: what follows from a match.
Nothing here depends on one language: words are cut to a stem, scripts without spaces are read in pairs of characters.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal

from msgspec import Struct

from recapd.core import late_re as re
from recapd.core.decisions.words import said, spelled
from recapd.core.text import STOP_WORDS, code_in, subject_names_in, word_rule, words_in

# Only so much of a text is read: more than any statement of a decision has.
_TEXT_CHARS: Final = 1_200
# Endings differ ("limits", "limited"), beginnings do not; shorter stems join what is not related.
_STEM_CHARS: Final = 6
_ENDING_RE: Final = re.compile(r"(?:ing|ed|es|s|en|er)$")
_LEAST_ENDED: Final = 4
_LEAST_STEM: Final = 3

_NUMBER_RE: Final = re.compile(r"(?<![\w.])\d{1,9}(?:[.,]\d{1,6})?")
_NUMERALS: Final = {
    word: str(number)
    for number, word in enumerate("two three four five six seven eight nine ten eleven twelve".split(), 2)
}
# Behind these stands what is not done any more, up to the end of the clause.
_RULED_OUT_RE: Final = re.compile(
    r"\b(?:instead of|rather than|in place of|no longer|replac(?:e|es|ed|ing)|"
    r"remov(?:e|es|ed|ing)|drop(?:s|ped|ping)?|get rid of|ditch(?:ed)?|scrap(?:ped)?|revert(?:s|ed|ing)?|"
    r"unlike|bypass(?:es|ed|ing)?|"
    r"(?:do|does|did|is|are|should|must|was)(?:n['’]t| not)|(?<=[,;—] )not(?! (?:just|only|even|yet|all)\b)|"
    r"statt|anstatt|anstelle|au lieu d[eu']|en lugar de|en vez de|вместо)\s+((?:[^.;:,()\n]|[.:](?=\w)){2,80})",
    re.IGNORECASE,
)
# The same, where it goes on to what there is now.
_AWAY_RE: Final = re.compile(
    r"\b(?:switch(?:ed|ing)?|mov(?:ed?|ing)|chang(?:ed?|ing)) (?:away )?from\s++"
    r"((?:[^.;:,()\n]|[.:](?=\w)){2,80}?)(?:\s++to\b|[.;:,()\n]|$)",
    re.IGNORECASE,
)
# The same, told of what was done.
_TAKEN_OUT_RE: Final = re.compile(
    r"\b(?:removed|dropped|deleted|reverted|replaced|ditched|scrapped|undid|rolled back|"
    r"entfernt|supprimé|eliminado|удал(?:ил|ен)\w*)\s+((?:[^.;:,()\n]|[.:](?=\w)){2,80})"
    r"|(?:移除|删除|删掉|去掉)了?([^。；，,.\n]{2,40})",
    re.IGNORECASE,
)
# Where a clause goes on to say why, or what comes of it.
_REASON_RE: Final = re.compile(
    r"\b(?:so|because|since|but|until|unless|which|when|with|by|weil|damit|car|porque)\b", re.IGNORECASE
)
# Where a clause goes on to something else: only what stands before it is ruled out by name.
_JOINT_RE: Final = re.compile(
    r"\b(?:and|or|with|by|to|as|for|from|on|in|at|into|after|before|once|again|"
    r"und|oder|mit|durch|et|avec|par|dans|y|con|por|en|и|с|в)\b",
    re.IGNORECASE,
)
# A name that is no word of a language.
_CODED_RE: Final = re.compile(r"[a-z0-9][_./][A-Za-z0-9]|[a-z][A-Z]|^--?[a-z]")
# Something gets another name.
_RENAMED_RE: Final = re.compile(
    r"\b(?:renam|repurpos|turn|convert|mov)(?:e|es|ed|ing)?\s++"
    r"((?:[^.;:,()\n]|[.:](?=\w)){2,80}?)\s++(?:to|as|into|→|->)\s",
    re.IGNORECASE,
)
# "(from 20)", "it was 20": a value that holds no more.
_WAS_RE: Final = re.compile(
    r"\b(?:from|was|were|previously|formerly|vorher|zuvor|avant|antes|раньше|был[ао]?)\s+(\d\S{0,20})|"
    r"原来是?\s?(\d\S{0,20})",
    re.IGNORECASE,
)
# "from 20 to 100", "20 → 100": what it was. Between words an arrow mostly says what follows from what.
_FROM_TO_RE: Final = re.compile(r"\bfrom\s+(\S{1,40})\s+to\b", re.IGNORECASE)
_ARROW_RE: Final = re.compile(r"(?<!\S)(?=\S{0,39}\d)(\S{1,40})\s{0,3}(?:→|->|=>)\s{0,3}(?=\S{0,39}\d)\S")
_NEGATIVE_RE: Final = re.compile(rf"(?!not (?:only|just)\b){said('not')}|n['’]t\b", re.IGNORECASE)
_RULED_OUT_PAIRED_RE: Final = re.compile(
    "(?:不是|不再|不要|取消|删除|删掉|去掉|代替|别|대신|말고|제거)([^。；，,.\n]{2,40})"
)

# A statement is short; behind its first clause it says why.
_STANCE_CHARS: Final = 200
_KEEPS, _KEEPS_UNSPACED = spelled("keeps")
_DROPS, _DROPS_UNSPACED = spelled("drops")
_STANCE_RE: Final = re.compile(
    rf"(?<!\w)(?:(?P<keep>{_KEEPS})|(?P<drop>{_DROPS}|rip(?= \S+ out)|take(?= \S+ out)|turn(?= \S+ off)))|"
    rf"(?:{_KEEPS_UNSPACED})|(?P<drop_unspaced>{_DROPS_UNSPACED})",
    re.IGNORECASE,
)
_DENIED_RE: Final = re.compile(said("not"), re.IGNORECASE)
_CLAUSE_RE: Final = re.compile(
    r"[,;:!?，。；]|\.(?!\w)|\b(?:because|since|so that|but|and|weil|car|porque)\b", re.IGNORECASE
)
# Says nothing of the thing.
_ASIDE_RE: Final = re.compile(
    r"\b(?:after all|for now|anymore|any more|again|now|then|please|completely|entirely|doch|vorerst|jetzt|"
    r"finalement|"
    r"pour l'instant|al final|por ahora|пока|теперь)\b",
    re.IGNORECASE,
)
# And for two to be for and against one thing: of the words by which either names it so many are shared.
_SAME_THING: Final = 0.5
_LEAST_PAIRS: Final = 2
_COMMON: Final = STOP_WORDS["topic"]
_RULE: Final = word_rule(least_chars=2)
_SPELLED_RULE: Final = word_rule(stop_words=STOP_WORDS["statement"])


class Topic(Struct, frozen=True, gc=False):
    """What a text is about."""

    # Stems of words that carry meaning: what two texts have in common.
    words: frozenset[str]
    # All words but the empty ones, in full: whether a text says anything that another does not.
    spelled: frozenset[str]
    names: frozenset[str]
    # Values, without those it rules out.
    numbers: frozenset[str]
    # Words of what it says shall not be, or be no more.
    ruled_out: frozenset[str]
    # Names that stand there by themselves: not a part of something, but the thing.
    names_out: frozenset[str]
    # What gets another name or place, and values that are no more.
    renamed: frozenset[str]
    numbers_out: frozenset[str]
    # Whether it says no to something.
    is_negative: bool


class Stance(Struct, frozen=True, gc=False):
    """Whether a statement is for having a thing or against it, and the words of the thing."""

    sign: Literal["keep", "drop", ""] = ""
    thing: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()


def stance_of(text: str) -> Stance:
    """By the verb, and by whether it is denied: not to remove is to keep."""
    return _stance_of(text[:_STANCE_CHARS])


# The same few sentences are held against each of those before them.
@lru_cache(maxsize=64)
def _stance_of(text: str) -> Stance:
    match = _STANCE_RE.search(text)
    if match is None:
        return Stance()
    is_drop = match["drop"] is not None or match["drop_unspaced"] is not None
    is_denied = _DENIED_RE.search(text, 0, match.start()) is not None
    # What is named is the rest of the clause, or all before it where the verb comes last.
    rest = text[match.end() :] if any(map(str.isalpha, text[match.end() : match.end() + 30])) else text[: match.start()]
    named = _ASIDE_RE.sub(" ", _CLAUSE_RE.split(rest, 1)[0])
    return Stance("drop" if is_drop != is_denied else "keep", words_of(named), _coded_names(named))


def are_opposed(one: Stance, other: Stance, *, loosely: bool = False) -> bool:
    """Whether one is for what the other is against; loosely, where one names the thing by some of the other's words."""
    if not one.sign or not other.sign or one.sign == other.sign:
        return False
    if (one.names or other.names) and one.names.isdisjoint(other.names):
        return False
    shared, sizes = one.thing & other.thing, (len(one.thing), len(other.thing))
    # Scripts without spaces are read in pairs: those at the edges are of the words around.
    if shared and not min(shared).isascii() and all(len(each) == _LEAST_PAIRS for each in shared):
        return len(shared) >= min(_LEAST_PAIRS, *sizes)
    if loosely and shared and len(shared) == min(sizes):
        return True
    return len(shared) >= _SAME_THING * max(sizes) > 0


def turns_against(earlier: str, later: str) -> bool:
    """Whether somebody is now for what he was against, or against what he was for, and only points at it."""
    one, other = stance_of(earlier), stance_of(later)
    return bool(one.sign and other.sign) and one.sign != other.sign and not other.thing and not other.names


def topic_of(text: str) -> Topic:
    return _topic_of(text[:_TEXT_CHARS])


# The last decisions of a session are put in order again with every message.
@lru_cache(maxsize=64)
def _topic_of(text: str) -> Topic:
    clauses = [
        _REASON_RE.split(found, 1)[0]
        for pattern in (_RULED_OUT_RE, _AWAY_RE, _RULED_OUT_PAIRED_RE)
        for found in pattern.findall(text)
    ]
    before = [found for pattern in (_FROM_TO_RE, _ARROW_RE) for found in pattern.findall(text)]
    ruled_out = " ; ".join((*clauses, *before))
    numbers, numbers_out = _numbers_of(text), _numbers_of(ruled_out)
    was = _numbers_of(" ; ".join("".join(parts) for parts in _WAS_RE.findall(text)))
    return Topic(
        words_of(text),
        _spelled_in(text),
        names_of(text),
        numbers - numbers_out,
        words_of(ruled_out),
        frozenset().union(*map(_lone_names, clauses)),
        frozenset().union(*(names_of(_JOINT_RE.split(found, 1)[0]) for found in _RENAMED_RE.findall(text))),
        numbers_out | was,
        bool(_NEGATIVE_RE.search(text)),
    )


def _lone_names(clause: str) -> frozenset[str]:
    """Names at the head of a clause, if nothing but them is meant there."""
    head = next(filter(str.strip, _JOINT_RE.split(clause)), "")
    names = [name for name in (*subject_names_in(head), *code_in(head)) if _CODED_RE.search(name)]
    others = head
    for name in names:
        others = others.replace(name, " ")
    return names_of(head) if names and not words_of(others) else frozenset()


def _coded_names(text: str) -> frozenset[str]:
    return frozenset(name for name in names_of(text) if not name.isalpha())


def taken_out_in(text: str) -> tuple[frozenset[str], ...]:
    """The words of each thing that a text says was taken out."""
    found = (words_of(_REASON_RE.split("".join(parts), 1)[0]) for parts in _TAKEN_OUT_RE.findall(text))
    return tuple(words for words in found if words)


def _numbers_of(text: str) -> frozenset[str]:
    spelled = (_NUMERALS[word] for word in words_in(text) if word in _NUMERALS)
    return frozenset((*_NUMBER_RE.findall(text), *spelled))


def _spelled_in(text: str) -> frozenset[str]:
    return frozenset(_bare(word) for word in words_in(text, _SPELLED_RULE) if not word.isdecimal())


def words_of(text: str) -> frozenset[str]:
    """Stems of the words that carry meaning, and pairs of characters where a script has no spaces."""
    return frozenset(
        # What has a digit in it is told by its end.
        word if not word.isalpha() else _bare(word)[:_STEM_CHARS]
        for word in words_in(text, _RULE)
        if not word.isdecimal() and word[:_STEM_CHARS] not in _COMMON
    )


def _bare(word: str) -> str:
    """A word without what English and its relatives hang on: of "capped" and "caps", "cap"."""
    bare = _ENDING_RE.sub("", word) if len(word) > _LEAST_ENDED else word
    if len(bare) > _LEAST_STEM and bare[-1] == bare[-2] and bare[-1] not in "aeiouls":
        bare = bare[:-1]
    return bare


def names_of(text: str) -> frozenset[str]:
    """Names that were spelled as such: of a path also its last part, for it is how people call the file."""
    found: set[str] = set()
    for name in (*subject_names_in(text), *code_in(text)):
        plain = name.strip("`~./()\"'").lower()
        if len(plain) > 2:
            found.add(plain)
            if "/" in plain:
                found.add(plain.rpartition("/")[2])
    return frozenset(found)
