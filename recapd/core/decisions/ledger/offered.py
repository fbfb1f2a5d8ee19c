"""What an agent puts side by side for the human to choose from, in running text: "A, B or C would work".

Who took one of them and later takes another has changed his mind, whatever words he says it in.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from recapd.core import late_re as re
from recapd.core.decisions.terms import words_of
from recapd.core.decisions.words import spelled
from recapd.core.text import sentences_of

# At the end of an answer; what was put before that was taken up long ago.
_END_CHARS: Final = 700
_SPACED, _UNSPACED = spelled("or")
_OR_RE: Final = re.compile(rf"[,，、]? ?(?:(?<!\w)(?:{_SPACED}|o|of)(?!\w)|{_UNSPACED})", re.IGNORECASE)
_BETWEEN_RE: Final = re.compile(r"[,，、]")
# Before its name an option has what introduces all of them, behind it what is said of it.
_BEFORE_RE: Final = re.compile(r"^.*[:：;；(（—–]", re.DOTALL)
_NAME_WORDS: Final = 2
_WORD_RE: Final = re.compile(r"[\w'’/+#.-]+")
# A name said shorter than it was written ("mongo"), or with an ending of its language.
_LEAST_BEGUN: Final = 4

Options: TypeAlias = tuple[frozenset[str], ...]


def offered_in(answer: str) -> Options:
    """The words that name each option of the last sentence that puts some, without those that several have."""
    for sentence in reversed(list(sentences_of(answer[-_END_CHARS:]))):
        parts = _OR_RE.split(sentence)
        if len(parts) < 2 or not all(map(str.strip, parts)):
            continue
        *first, last = parts
        named = [each for part in first for each in _BETWEEN_RE.split(part) if each.strip()]
        found = [words_of(_end_of(named[0])), *(words_of(_beginning_of(each)) for each in (*named[1:], last))]
        return tuple(
            each.difference(*(other for number, other in enumerate(found) if number != at))
            for at, each in enumerate(found)
        )
    return ()


def picks_another(offered: Options, before: str, after: str) -> bool:
    """Whether the one names an option and no other, and the other one that the first did not name."""
    first = words_of(before)
    earlier = [_is_named(each, first) for each in offered]
    # Hardly any names just one.
    if sum(earlier) != 1:
        return False
    then = words_of(after)
    return any(_is_named(each, then) and not was for was, each in zip(earlier, offered, strict=True))


def _is_named(option: frozenset[str], said: frozenset[str]) -> bool:
    if not option.isdisjoint(said):
        return True
    long = [word for word in said if len(word) >= _LEAST_BEGUN]
    return any(
        one.startswith(other) or other.startswith(one) for one in option if len(one) >= _LEAST_BEGUN for other in long
    )


def _end_of(text: str) -> str:
    """The last words: what stands before them introduces the list."""
    return " ".join(_WORD_RE.findall(_BEFORE_RE.sub("", text))[-_NAME_WORDS:])


def _beginning_of(text: str) -> str:
    words = [word for word in _WORD_RE.findall(text) if words_of(word)]
    return " ".join(words[:_NAME_WORDS])
