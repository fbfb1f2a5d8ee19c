"""What people give up as a whole: whatever was decided about it no longer holds.

    "we leave the PDF export out of this" ─▶ dropped_in ─▶ the words of what is dropped

Owns: how people say that they do something no more, and how much of an earlier decision must be about that.
Must not know: ids, statuses. What is only put off ("not for now") still stands.
"""

from __future__ import annotations

from typing import Final

from recapd.core import late_re as re
from recapd.core.decisions.ledger.subjects import Subject
from recapd.core.decisions.terms import words_of

# The thing: a few words, up to where a clause ends.
_THING: Final = r"(?P<thing>[^,.;:!?\n()—，。；！？]{2,60})"
_THE: Final = r"(?:(?:the|that|this|our|all|any|an?|der|die|das|den|le|la|les|l['’]|el|los|las|o|il|lo)\s+)?"
_WHOLE: Final = r"(?:(?P<whole>whole|entire|complete|ganzen?|entière?|todo|toda|intero|intera)\s+)?"
_POLITE: Final = (
    r"\W{0,9}(?:(?:ok|okay|no|nah|actually|please|hmm+|well|so|and|also|then|let['’]?s|we|i|can|could|should|will|just|you|"
    r"wir|on|bitte)\W{1,9}){0,4}"
)
# "Drop the thing", "leave the thing out", "we don't do the thing", "no thing after all", "the thing is cancelled".
_GIVE_UP: Final = (
    r"(?:drop|scrap|ditch|forget(?: about)?|skip|cancel|abandon|kill|leave out|get rid of|remove|never ?mind|"
    r"(?:was|were|am) wrong about|streichen?|vergiss|vergesst|oublie[zr]?|oublions|laisse[zr]? tomber|abandonnons|"
    r"olvida(?:mos)?|quita(?:mos)?|descarta(?:mos)?|esquece|dimentica|забудь|убери|убираем)"
)
_IS_OUT: Final = (
    r"(?:is|are|gets?|ist|sind|est|está)\s(?:now\s)?(?:out(?! of (?!scope))|cancel?led|dropped|"
    r"scrapped|off the table|no longer needed|"
    r"gestrichen|annulée?|cancelad[ao])\b"
)
_DROPPED_RES: Final = tuple(
    re.compile(rf"\A{_POLITE}{pattern}", re.IGNORECASE)
    for pattern in (
        rf"{_GIVE_UP}\s+{_THE}{_WHOLE}{_THING}",
        rf"(?:leave|take|lass(?:en|t)?)\s+{_THE}{_WHOLE}{_THING}\s(?:out|away|off|aside|weg)\b",
        rf"(?:not|won['’]t|don['’]t)\s+(?:do|have|build|need|want|make)\s+{_THE}{_WHOLE}{_THING}",
        rf"no\s+(?:more\s+)?{_THING}\s(?:after all|at all|any ?more)\b",
        rf"{_THE}{_WHOLE}{_THING}\s{_IS_OUT}",
        r"(?:取消|放弃|不要|不做|砍掉|去掉)(?P<thing>[^，。；！？\s]{2,20})",
        r"(?P<thing>[^，。；！？]{2,20}?)\s?(?:不做了|取消了|不要了|砍掉|하지 않|빼자|취소)",
    )
)
# Where the thing ends within its clause.
_END_RE: Final = re.compile(
    r"\s(?:for|from|and|or|but|because|since|in|until|after|then|instead|entirely|altogether|completely|anyway|now|too|"
    r"out|of|is|are|that|which|weg|aus|komplett|ganz|nobody|we)\b",
    re.IGNORECASE,
)
_WHOLLY_RE: Final = re.compile(
    r"\b(?:entirely|altogether|completely|after all|out of scope|komplett|ganz|complètement|por completo)\b",
    re.IGNORECASE,
)
# It may come back.
_PUT_OFF_RE: Final = re.compile(
    r"\b(?:for now|for the moment|right now|today|yet|later|this time|until|erst ?mal|vorerst|"
    r"pour l['’]instant|por ahora|пока)\b|暂时|先不|나중",
    re.IGNORECASE,
)
_MOST_CHARS: Final = 200
# A few words name a thing; more describe a part of one. One may be anything, unless it is dropped as a whole.
_MOST_WORDS: Final = 3
_LEAST_WORDS: Final = 2


def dropped_in(said: str) -> frozenset[str]:
    """The words of the thing that is given up as a whole; none where nothing is."""
    if len(said) > _MOST_CHARS or _PUT_OFF_RE.search(said):
        return frozenset()
    for pattern in _DROPPED_RES:
        if (match := pattern.match(said)) is None:
            continue
        thing = match["thing"]
        end = _END_RE.search(thing)
        words = words_of(thing[: end.start()] if end is not None else thing)
        is_whole = bool(match.groupdict().get("whole")) or _WHOLLY_RE.search(said) is not None
        if (_LEAST_WORDS - is_whole) <= len(words) <= _MOST_WORDS:
            return words
    return frozenset()


def hangs_on(earlier: Subject, dropped: frozenset[str]) -> bool:
    """Whether an earlier decision is about that, or a part of it."""
    return bool(dropped) and dropped <= earlier.wanted
