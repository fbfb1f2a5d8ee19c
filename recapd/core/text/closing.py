"""What the end of an answer leaves to the human: a question with its options, an offer, something to do.

    question       wherever one stands open at the end; with the list beside it, and with the sentence before it where
                   it points back
    last words     a paragraph or list at the end of a longer answer that speaks to the human, or of what comes next

Owns: what is read as that, by its place at the end and by whom it speaks to. Must not know: how a session stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import Final

import msgspec
from msgspec import Struct

from recapd.core import late_re as re
from recapd.core.text.cut import columns_of
from recapd.core.text.gist import narrates, words_of_sentence
from recapd.core.text.markdown import Block, blocks_in
from recapd.core.text.questions import question_in
from recapd.core.text.sentences import sentences_of
from recapd.core.text.whole import points_back

_CHARS: Final = 280
_OPTION_CHARS: Final = 100
_MOST_OPTIONS: Final = 5
# Fewer words than that do not say what they ask about: "Which approach?", "Ready?".
_FEW_WORDS: Final = 6
_FEW_COLUMNS: Final = 18
_LISTS: Final = ("item", "numbered")
_ASKING: Final = ("?", "？")
# A sentence that says what comes next begins so.
_NEXT_CHARS: Final = 16

# That something is up to the human, in the languages that agents are spoken to most.
_YOU_RE: Final = re.compile(
    r"\byou(?:['’]ll| will| may| might)? (?:need to|have to|should|must|want)\b|\Aif you\b|\blet me know\b|"
    r"\b(?:du|sie) (?:musst|müssen|kannst|können|solltest|sollten)\b|\bwenn (?:du|sie)\b|"
    r"\bsag(?:en sie)? (?:mir )?bescheid\b|"
    r"\bvous (?:devez|pouvez|devriez)\b|\bsi vous\b|\b(?:dites|dis)-moi\b|"
    r"\b(?:debes|puedes|tienes que|si quieres|si deseas|avísame|dime)\b|"
    r"\bvocê (?:precisa|pode|deve)\b|\b(?:se quiser|me avise)\b|\b(?:puoi|devi|se vuoi|fammi sapere)\b|"
    r"\b(?:вам|тебе) (?:нужно|надо|стоит)\b|\bесли (?:вы|ты|хотите|хочешь)\b|\bдайте знать\b|\bвы можете\b|"
    r"\b(?:anh|chị|bạn) (?:có thể|cần)\b|\bnếu (?:anh|chị|bạn)\b|"
    r"[你您](?:可以|需要)|如果(?:[你您]|需要)|请[你您]|需要我|要不要|请(?:选择|确认|告诉)|てください|よろしければ|(?:주|하)세요",
    re.IGNORECASE,
)
# What comes next.
_NEXT_RE: Final = re.compile(
    r"\b(?:next|remaining|to-?do|nächste[rnms]?|prochaines?|siguientes?|próxim[oa]s?|prossim[oie]|следующ\w{0,3}|дальше|"
    r"tiếp theo)\b|下一步|接下来|次の|다음",
    re.IGNORECASE,
)
# What is yet to be done, by whomever.
_OPEN_RE: Final = re.compile(
    r"\bstill (?:needs?|must|ha(?:s|ve) to)\b|\bneeds? to be\b|\b(?:muss|müssen) noch\b|\bresten?t? à\b|"
    r"\b(?:queda|quedan|falta|faltan) por\b|\bainda (?:precisa|falta)\b|\bещё нужно\b|\bеще нужно\b|(?:还|仍)需|还要",
    re.IGNORECASE,
)
# "Nothing needs to be restarted", "if it fails, it needs to be"; nor how things are and were: "the fault was that a
# lock needs to be held", "each record is looked at before it needs to be written".
_NOT_OPEN_RE: Final = re.compile(
    r"\b(?:no|nothing|none|nobody|neither|if|unless|nichts|kein\w{0,2}|wenn|falls|rien|aucune?|nada|ningun[oa]?|nenhuma?|"
    r"si|se|that|which|who|whose|whether|when|whenever|where|why|how|what|before|after|until|while|because|since|once|"
    r"was|were|(?:al)?though|an?|any|each|every|dass|weil|ob|bevor|nachdem|jede\w?|"
    r"qu[ei]|quand|quando|cuando|parce|porque|avant|antes|chaque|cada|"
    r"что|котор\w{2,3}|когда|если|чтобы|каждый)\b|如果|因为|每",
    re.IGNORECASE,
)
# Options that are paragraphs of their own: "**Option 1:** Keep the cache".
_NAMED_RE: Final = re.compile(
    r"[*_]{0,3}(?:option|variante?|вариант|方案|选项) ?(?:[1-9A-Ha-h]|[一二三四])(?!\w)[*_]{0,3} ?"
    r"[:：.)—–-]{1,3}[*_]{0,3} *(?=\S)",
    re.IGNORECASE,
)


class Closing(Struct, frozen=True):
    """What is asked or offered, in the agent's words, and what there is to choose from."""

    text: str
    options: tuple[str, ...] = ()


def closing_of(answer: str) -> Closing | None:
    """None where the answer just ends. The answer is fit to be shown; of a long one its end is enough."""
    blocks = list(blocks_in(answer))
    if question := question_in(answer, _CHARS):
        return _asked(blocks, words_of_sentence(question))
    return _left_to_do(blocks)


def _asked(blocks: Sequence[Block], question: str) -> Closing | None:
    """The question, with what it is about where it does not say so itself."""
    at = next((at for at in reversed(range(len(blocks))) if question in _words(blocks[at])), None)
    if at is None:
        return Closing(question)
    if blocks[at].sort in _LISTS and (listed := _list_of_questions(blocks, at)) is not None:
        return listed
    options = _options_beside(blocks, at)
    is_second = _SECOND_RE.match(question) is not None
    if options or not (is_second or points_back(question) or _is_short(question) or _hangs(question)):
        return Closing(question, options)
    sentences = [words_of_sentence(each) for each in sentences_of(blocks[at].text)]
    place = next((number for number, each in enumerate(sentences) if question in each), 0)
    before = sentences[place - 1] if place else ""
    if not before and at and blocks[at - 1].sort == "prose":
        before = next((words_of_sentence(each) for each in reversed(_finished(blocks[at - 1]))), "")
    # Of two questions the last one is put: the one before it may well be none ("How is that?").
    is_asked_first = before.endswith(_ASKING) and not is_second
    is_told = not (narrates(before) or points_back(before) or is_asked_first)
    if before and is_told and len(before) + len(question) < _CHARS:
        return Closing(f"{before} {question}")
    # The second of two offers is none without the first.
    return Closing(question) if not is_second else None


def _list_of_questions(blocks: Sequence[Block], at: int) -> Closing | None:
    """Where the question is an item of a list: the words that announce the list, and its items as options."""
    first, end = at, at + 1
    while first and blocks[first - 1].sort in _LISTS:
        first -= 1
    while end < len(blocks) and blocks[end].sort in _LISTS:
        end += 1
    head = blocks[first - 1] if first else None
    if head is None or head.sort == "row" or not head.text.rstrip("*_` ").endswith((":", "：")):
        return None
    options = _option_words(blocks[first:end])
    announced = words_of_sentence(list(sentences_of(head.text))[-1])
    return Closing(announced, options) if options and not points_back(announced) else None


def _finished(block: Block) -> list[str]:
    """The sentences of a block, where the last one does not announce something."""
    sentences = list(sentences_of(block.text))
    return sentences if sentences and not sentences[-1].rstrip("*_` ").endswith((":", "：")) else []


_SECOND_RE: Final = re.compile(r"(?:or|oder|ou|oppure|или|hoặc)\b|或者?|还是|または|또는", re.IGNORECASE)
_HANGING_RE: Final = re.compile(r"\b(?:it|this|that|these|those|them|they|both|either)\b", re.IGNORECASE)


def _is_short(question: str) -> bool:
    """Whether it has too few words to say what it asks about."""
    return len(question.split()) < _FEW_WORDS if question.isascii() else columns_of(question) < _FEW_COLUMNS


def _hangs(question: str) -> bool:
    return _HANGING_RE.search(question) is not None


def _options_beside(blocks: Sequence[Block], at: int) -> tuple[str, ...]:
    """The list that a question is about: the one behind it, or one with numbers before it."""
    if blocks[at].sort in _LISTS:
        return ()
    behind = at + 1
    while behind < len(blocks) and blocks[behind].sort in _LISTS:
        behind += 1
    if behind - at > 2:
        return _option_words(blocks[at + 1 : behind])
    named = list(takewhile(lambda block: _NAMED_RE.match(block.text) is not None, blocks[at + 1 :]))
    if len(named) > 1:
        return _option_words(
            [msgspec.structs.replace(block, text=_NAMED_RE.sub("", block.text, count=1)) for block in named]
        )
    before = at
    while before and blocks[before - 1].sort in _LISTS:
        before -= 1
    asked = _words(blocks[at])
    if at - before > 1 and blocks[before].sort == "numbered" and _is_short(asked):
        return _option_words(blocks[before:at])
    return ()


def _option_words(items: Sequence[Block]) -> tuple[str, ...]:
    """Each option by its first words; none where one of them has none that are short enough."""
    own = [item for item in items if item.indent <= items[0].indent]
    told = [_option(item) for item in own[:_MOST_OPTIONS]]
    return tuple(told) if len(told) > 1 and all(told) else ()


def _option(item: Block) -> str:
    words = words_of_sentence(next(sentences_of(item.text), "")).rstrip(" .;。；")
    if len(words) <= _OPTION_CHARS:
        return words
    # An option often has a name before what is said of it.
    name = re.split(r" [—–-] |: |：|（| \(", words, maxsplit=1)[0]
    return name if len(name) <= _OPTION_CHARS else ""


def _is_open(sentence: str) -> bool:
    """Whether it says that something is yet to be done."""
    found = _OPEN_RE.search(sentence)
    return found is not None and _NOT_OPEN_RE.search(sentence, 0, found.start()) is None


def _with_what_it_hangs_on(text: str, sentences: Sequence[str]) -> str:
    """ "Tell me once that is sorted." says what to do by the sentence before it."""
    at = sentences.index(text)
    before = sentences[at - 1] if at and _hangs(text) else ""
    is_told = before and not points_back(before) and not narrates(before) and len(before) + len(text) < _CHARS
    return f"{before} {text}" if is_told else text


def _left_to_do(blocks: Sequence[Block]) -> Closing | None:
    """What the last block of a longer answer says to the human."""
    last = blocks[-1] if blocks else None
    if last is None:
        return None
    if last.sort == "prose":
        sentences = [words_of_sentence(each) for each in sentences_of(last.text)]
        # The one sentence of an answer is what came of it.
        for text in sentences[len(blocks) < 2 :]:
            if (
                (_YOU_RE.search(text) or _NEXT_RE.search(text[:_NEXT_CHARS]))
                and not points_back(text)
                and len(text) <= _CHARS
            ):
                return Closing(_with_what_it_hangs_on(text, sentences))
        end = sentences[-1] if len(blocks) > 1 and sentences else ""
        return Closing(end) if _is_open(end) and not points_back(end) and len(end) <= _CHARS else None
    first = len(blocks) - 1
    while first and blocks[first].sort == last.sort:
        first -= 1
    head = blocks[first]
    if last.sort not in _LISTS or head.sort not in ("prose", "heading"):
        return None
    announced = words_of_sentence(list(sentences_of(head.text))[-1])
    is_told = _NEXT_RE.search(announced) or (_YOU_RE.search(announced) and head.sort == "prose")
    options = _option_words(blocks[first + 1 :]) if is_told and not points_back(announced) else ()
    return Closing(announced, options) if options else None


def _words(block: Block) -> str:
    return words_of_sentence(" ".join(block.text.split()))
