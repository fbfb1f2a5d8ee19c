"""The few sentences of an answer that a reader wants again: what was found, done and left, wherever they stand in it.

Owns: which pieces of an answer (sentences, bullets, rows of tables; never code) narrate or are courtesy, and which say
most. Must not know: turns, records, how much of it is shown in the end.
The words of a piece are the agent's own, without the marks of Markdown. What a piece is worth shows in any language:
names, numbers and paths in it, its place, its emphasis; words of English only add to that.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from recapd.core import late_re as re
from recapd.core.text.budget import take_fitting
from recapd.core.text.cut import word_cut
from recapd.core.text.excerpts import presentable
from recapd.core.text.markdown import NUMBERED_RE, Sort, blocks_in, plain
from recapd.core.text.names import code_in, names_in
from recapd.core.text.questions import question_in
from recapd.core.text.sentences import sentences_of
from recapd.core.text.stop_words import STOP_WORDS

# An answer is read up to here; what is longer is a document.
READ_CHARS: Final = 8_000
# What is kept of it, and of each piece.
GIST_CHARS: Final = 1_200
_PIECE_CHARS: Final = 280
_LEAST_CHARS: Final = 8
# Without a name in it, less than that says nothing by itself.
_TERSE_CHARS: Final = 30
_LEAST_SPACES: Final = 2
# Where a question to the human is looked for, and what an option loses against a result.
_END_CHARS: Final = 600
_OPTION_LOSS: Final = 1.2

_SYMBOL_RE: Final = re.compile("[\u2600-\u27bf\U0001f300-\U0001faff\ufe0f]+\\s*")

# Words in which an agent tells what came of the work; below, those that are more than a run of letters.
_TELLING: Final = frozenset(
    "fixed added removed created updated renamed moved replaced changed implemented pushed merged committed deployed "
    "published deleted wrote written switched built verified passes passed passing pass fails failed failing works "
    "working complete completed now instead because cause caused bug issue error missing broken problem limitation "
    "still remaining remains pending blocked next todo only must cannot never always default decided chose recommend "
    "recommendation result found means".split()
)
_TELLING_RE: Final = re.compile(r"\b(?:no longer|not yet|can't)\b")
_TELLING_PARTS: Final = ("no longer", "not yet", "can't")
_WORD_RE: Final = re.compile(r"\w+")
# What an agent says while it goes on working: told again, it is noise.
_NARRATING_RE: Final = re.compile(
    r"(?:(?:ok(?:ay)?|oh|actually|good|great|perfect|excellent|alright|right|sure|now|next|first|then|and|so|yes)\b[,.!:—–-]*\s+)*"
    r"(?:let me|let['’]s|let us|i['’]ll|i will|i['’]m going to|i am going to|"
    r"i need to|i should|i want to|i['’]m now|i['’]ve started|i am now|"
    # "I'm seeing three failures" is a finding.
    r"i['’]m (?!see|get|hav|miss|lack|rely)[a-z]+ing\b|"
    r"now i|now (?:transitioning|moving|proceeding|turning|continuing)|"
    r"i (?:now )?have (?:a |the )?(?:full|complete|clear|thorough|good|better) (?:\w+ )?(?:picture|understanding|view)|"
    r"i can see|looking at|checking|running|reading|retrying|trying|continuing|proceeding|going to|"
    r"time to|next i|wait(?:ing)?\b|"
    r"here['’]s (?:a |the |what|where|how|your)|here is|here are|below is|"
    r"让我|我来|我将|现在(?:让|我|来|先|开始)|接下来|まず|次に|では)",
    re.IGNORECASE,
)
_COURTESY_RE: Final = re.compile(
    r"(?:(?:yes[, ]+)?exactly|you['’]re (?:absolutely )?(?:right|welcome)|you (?:are|were) right|"
    r"(?:that(?:['’]s| is) (?:a |an )?)?(?:good|great|fair|excellent) (?:question|point|call|catch|idea)|"
    r"thank|thanks|sorry|(?:my )?apolog(?:y|ies|i[sz]e)|happy to|feel free|glad|sounds good|got it|understood|exactly|"
    r"of course|absolutely|(?:please )?let me know|hope this|makes sense|that makes sense|interesting|"
    r"clean and|perfect)\b|(?:hey|hi|hello|hallo|bonjour|salut|hola|olá|ciao|привет|здравствуйте)[,! ]|"
    r"感谢|谢谢|不客气|[你您]好[！!，, ]|(?:好的?[，,]? ?)?我?已?(?:明白|了解|知道|理解)了?[。！]?\Z|"
    r"こんにちは|안녕하세요",
    re.IGNORECASE,
)
# Markup, and command lines of their own: something to copy, not something told.
_MARKUP_RE: Final = re.compile(r"</?[A-Za-z][\w-]*[ />]")
_COMMAND_RE: Final = re.compile(r"[a-z][\w./-]* (?:[\w./:@-]+ ){0,4}-{1,2}[a-z]|\d?>{1,2}[&\w ]|[$|] ")
# A code that was good for one login.
_ONE_TIME_RE: Final = re.compile(
    r"(?:(?:the |your )?(?:otp|one-time (?:code|password))\W{1,4})?\d{4,8}(?: for \S+)?\W*\Z", re.I
)
# What an agent offers, or asks the human to try.
_OFFER_RE: Final = re.compile(
    r"(?:if you(?:['’]d)? (?:want|like|prefer|wish|need)\b|"
    r"(?:go ahead and |now )?(?:try|give) (?:it|that|this|again|[a-z]{3,20}ing)\b|"
    r"(?:just )?say (?:the word|yes)\b|just let me know|i can also\b|(?:next,? )?i (?:can|could) [^.;]*\bnext\b)",
    re.IGNORECASE,
)
# What is not done yet. Words of English: elsewhere a statement just keeps its weight.
_LEFT_OPEN_RE: Final = re.compile(
    r"\b(?:still (?:needs?|must|has|have|missing|open|fails?|to)|needs? to be|not yet|remain(?:s|ing)?|to-?do|pending|"
    r"blocked|(?:has|have)(?:n['’]t| not)|next step|limitation|before (?:merging|release)|unresolved|left to)\b",
    re.IGNORECASE,
)
# The rest of a sentence that began somewhere else.
_TORN_RE: Final = re.compile(r"(?:or|and|but|because|then|with|which)\b")
_BARE_HEADINGS: Final = frozenset(
    "summary overview changes result results status details notes note context background analysis conclusion example "
    "examples options option benefits pros cons implementation solution problem before after tests testing files done "
    "backend frontend output usage".split()
)


class Piece(Struct, frozen=True):
    """One statement of an answer, without marks of Markdown."""

    text: str
    worth: float


def gist_of(answer: str) -> str:
    """The pieces that say most, in their order, one a line; clean and without secrets. "" where it only narrates."""
    pieces = list(pieces_of(answer))
    telling = [number for number in range(len(pieces)) if pieces[number].worth > 0]
    telling.sort(key=lambda number: (-pieces[number].worth, number))
    kept = take_fitting(telling, lambda number: len(pieces[number].text) + 1, GIST_CHARS).positions
    return "\n".join(pieces[number].text for number in sorted(kept))


def narrates(text: str) -> bool:
    """Whether these words only say what the agent is about to do."""
    if len(text) > _PIECE_CHARS:
        return False
    last = text.strip().rsplit("\n", 1)[-1]
    return _NARRATING_RE.match(last.lstrip("*_ ")) is not None and not last.endswith("?")


def pieces_of(answer: str) -> Iterator[Piece]:
    """The statements of an answer with what each is worth."""
    place = 0
    seen: set[str] = set()
    answer = presentable(answer[:READ_CHARS])
    # What is listed in an answer that ends in a question are mostly options, not results.
    is_asking = bool(question_in(answer[-_END_CHARS:], _PIECE_CHARS))
    for block in blocks_in(answer):
        for sentence in sentences_of(block.text):
            text = words_of_sentence(sentence)
            if text in seen or len(text) < _LEAST_CHARS:
                continue
            seen.add(text)
            worth = worth_of(sentence, text, place=place, sort=block.sort)
            if is_asking and (block.sort == "numbered" or NUMBERED_RE.match(sentence.lstrip("*_ "))):
                worth -= _OPTION_LOSS
            yield Piece(_cut(text), worth)
            place += 1


def words_of_sentence(sentence: str) -> str:
    """A sentence without marks of Markdown, ticks and the like."""
    return plain(sentence if sentence.isascii() else _SYMBOL_RE.sub("", sentence))


def tells_result(text: str) -> bool:
    """Whether it says in so many words that something came of the work. Words of English."""
    return _count_telling(text) > 0


def _count_telling(text: str) -> int:
    """How many of its words do."""
    small = text.lower()
    count = sum(map(_TELLING.__contains__, _WORD_RE.findall(small)))
    if any(part in small for part in _TELLING_PARTS):
        count += len(_TELLING_RE.findall(small))
    return count


def is_offer(text: str) -> bool:
    """Whether it offers something, or asks the human to try it."""
    return _OFFER_RE.match(text) is not None


def is_courtesy(text: str) -> bool:
    return _COURTESY_RE.match(text) is not None


def leaves_open(text: str) -> bool:
    """Whether a statement says what is still to be done, or does not work."""
    return _LEFT_OPEN_RE.search(text) is not None


def tells(text: str) -> float:
    """A factor for how much a plain statement tells of what came of the work, from about a half to two."""
    factor = 0.7 + 0.35 * min(_count_telling(text), 3)
    if _NARRATING_RE.match(text) or _COURTESY_RE.match(text) or _OFFER_RE.match(text):
        factor *= 0.4
    if text.endswith(("?", "？", ":", "：", "because", "!")) or _COMMAND_RE.match(text) or _TORN_RE.match(text):
        factor *= 0.5
    if len(text) < _TERSE_CHARS and not names_in(text):
        factor *= 0.25 if text.isascii() and text.count(" ") < _LEAST_SPACES else 0.5
    return factor


def worth_of(sentence: str, text: str, *, place: int, sort: Sort) -> float:
    """What a reader gains by the sentence: named things, results, emphasis; nothing by narration and courtesy.

    `text` is the same without marks (see `words_of_sentence`)."""
    names = len(set(names_in(text))) + len(code_in(sentence))
    worth = 1.0 + min(names, 5) * 0.6
    worth += min(_count_telling(text), 3) * 0.5
    if "**" in sentence:
        worth += 0.6
    if place == 0:
        worth += 1.2
    if sort == "heading":
        worth -= 1.0 if names else 1.6
        if text.lower() in _BARE_HEADINGS:
            return 0.0
    if sentence.rstrip("*_` ").endswith((":", "：")):
        # What only announces a list is told by the list.
        if not names:
            return 0.0
        worth -= 0.6
    if text.endswith(("?", "？")):
        worth -= 0.4
    if _NARRATING_RE.match(text):
        worth -= 2.4
    if _COURTESY_RE.match(text):
        if len(text) < _TERSE_CHARS:
            return 0.0
        worth -= 1.6 if names else 2.4
    if _OFFER_RE.match(text):
        worth -= 3.2
    # Its end stands somewhere else: in a list, a block of code, a table.
    if text.rpartition(" ")[2].lower() in STOP_WORDS["end"]:
        return 0.0
    if len(text) > _PIECE_CHARS:
        worth -= 0.4
    if sort == "row":
        worth -= 1.0
    if _COMMAND_RE.match(text):
        worth -= 1.5
    # A single word of a list tells nothing to somebody who does not see the list.
    if place and text.isascii() and " " not in text:
        return 0.0
    return 0.0 if _MARKUP_RE.search(text) or _ONE_TIME_RE.match(text) else worth


def _cut(text: str) -> str:
    """A piece within its room; the word at the cut goes too, with an ellipsis for it."""
    if len(text) <= _PIECE_CHARS:
        return text
    return text[: word_cut(text, _PIECE_CHARS - 1)].rstrip(" ,;:—–-") + "…"
