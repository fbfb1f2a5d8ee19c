"""Owns secrets that are several words: seed phrases of wallets, passphrases, passwords in groups of four.

Must not know what announces them. There is no list of the words: what tells twelve words of a wallet from twelve words
of a sentence is that a sentence does not get that far without one of the small words that hold it together.
"""

from collections.abc import Iterator
from typing import Final

from recapd.core import late_re as re
from recapd.core.secrets.names import BREAK
from recapd.core.secrets.view import Span

# Words of a seed phrase have three to eight letters; lists number them, and put them in lines or between commas.
_SEED: Final = re.compile(
    rb"[A-Za-z]{3,8}+(?:(?:[ \t,;]{0,4}+" + BREAK + rb"[ \t>*-]{0,8}|[ \t,;]{1,4}+)(?:[0-9]{1,2}[.):]?[ \t]{0,2})?"
    rb"[A-Za-z]{3,8}+(?![A-Za-z])){11,23}"
)
_SEED_START: Final = re.compile(rb"(?<![A-Za-z])[A-Za-z]{3,8}(?![A-Za-z'])")
_LEAST_SEED: Final = 12
# How far behind the word for it a seed phrase begins, at most, and how many words from there may begin it.
_SEED_DISTANCE: Final = 48
_SEED_STARTS: Final = 8
_WORD: Final = re.compile(rb"[A-Za-z]+")
# None of these is in the list that seed phrases are drawn from.
_SENTENCE_WORDS: Final = frozenset(
    b"the and for with from not are was were but your our their its his her him she has had been than which would could"
    b" should how who why out get got new using used last these those them phrases words mnemonic wallet recovery"
    b" backup string".split()
)
_PHRASE: Final = re.compile(rb"[A-Za-z0-9][\w!-]{0,15}(?:[ ]{1,2}[\w!&-]{1,16}(?:'[a-z]{1,2})?+){2,11}")
_LINE_END: Final = re.compile(rb"[.!\"'`]{0,2}[ \t\r\x01\\]{0,4}(?:\n|\Z)")
# What is said about a passphrase where there is none.
_LABEL: Final = re.compile(
    rb"\b(?:enter|your|please|must|pass(?:phrase|word)s?|keys?|optional|required|leave|empty|used|encrypt|decrypt"
    rb"|confirm|repeat|invalid|wrong|incorrect|missing|generated?|characters|long|file|protected|prompt|example"
    rb"|fix(?:ed)?|add(?:ed)?|removed?|updated?|return|check|option|value|error|code|arg(?:ument)?s?|call)\b",
    re.IGNORECASE,
)
_SMALL: Final = frozenset(
    b"a an the and or to of in on at by for is are was be it its so if then when with from as not no will can".split()
)
_COMMON: Final = (_SENTENCE_WORDS | _SMALL) | frozenset(
    b"this that they have will what when work need only also into does must been here more some like page form".split()
)
_GROUPS: Final = re.compile(
    rb"(?:[a-z]{4}(?:([ -])[a-z]{4})(?:\1[a-z]{4}){2}|[A-Za-z0-9]{4}(?: [A-Za-z0-9]{4}){5})(?![A-Za-z0-9])"
)


def seed_phrase(view: bytearray, at: int) -> Iterator[Span]:
    """Twelve words or more that hold together by nothing, soon after the word for them."""
    starts = _SEED_START.finditer(view, at, min(len(view), at + _SEED_DISTANCE))
    for _, start in zip(range(_SEED_STARTS), starts, strict=False):
        found = _SEED.match(view, start.start())
        if found is None:
            continue
        end = found.start()
        count = 0
        for word in _WORD.finditer(view, found.start(), found.end()):
            if word[0].lower() in _SENTENCE_WORDS:
                break
            end = word.end()
            count += 1
        if count >= _LEAST_SEED:
            yield Span(found.start(), end, "seed-phrase")
            return


def is_sentence(words: bytes) -> bool:
    return not _COMMON.isdisjoint(words.lower().split())


def app_password(view: bytearray, start: int) -> Span | None:
    """Four groups of four letters, as mail services hand them out, or six of letters and digits."""
    found = _GROUPS.match(view, start)
    return Span(start, found.end(), "app-password") if found else None


def passphrase_at(view: bytearray, start: int) -> Span | None:
    """The words of a passphrase in bare text, to the first that belongs to a sentence around it."""
    found = _PHRASE.match(view, start)
    if found is None or _LABEL.search(found[0]):
        return None
    words = [word.lower().strip(b".!") for word in found[0].split(b" ")]
    # One of the small words may be part of it where nothing follows; a sentence has more of them, or begins with one.
    is_line = len(words) >= 4 and _LINE_END.match(view, found.end()) is not None
    if is_line and words[0] not in _COMMON and sum(map(_COMMON.__contains__, words)) <= 1:
        return Span(start, found.end(), "passphrase")
    end = start
    for count, word in enumerate(words):
        if word in _SMALL:
            return Span(start, end, "passphrase") if count >= 4 else None
        end += len(word) + (count > 0)
    return Span(start, found.end(), "passphrase")


def is_passphrase(value: bytes, *, is_named: bool) -> bool:
    """A whole value of several words; `is_named` where the name says that there are several."""
    found = _PHRASE.fullmatch(value)
    if found is None or _LABEL.search(value):
        return False
    words = value.split()
    if is_named:
        return True
    # Labels, messages and descriptions stand behind names of passwords, too.
    return len(words) >= 4 and all(
        word.isalpha() and word.islower() and len(word) > 2 and word not in _SENTENCE_WORDS for word in words
    )
