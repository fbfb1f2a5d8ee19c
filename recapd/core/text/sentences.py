"""Where sentences end, in any language, and the sentences of a text as they stand there.

Owns: which marks end a sentence rather than an abbreviation, a list number or a pause. Must not know: who speaks, what
a sentence is worth.
"""

from collections.abc import Iterator
from typing import Final

from recapd.core import late_re as re
from recapd.core.giving_up import look_up

TERMINATORS: Final = frozenset(".!?…。！？｡")
_END_RE: Final = re.compile(r"""(?<![.!?…])[.!?…]++["'”’»)\]*_`]*+(?=\s)|[。！？｡]++[」』”’）】]*+""")
# Words whose dot is their own: before anything, and before a number.
# Letters with dots between them ("e.g", "U.S") and single letters need no entry.
_ABBREVIATIONS: Final = frozenset(
    {"approx", "ca", "cf", "dept", "dr", "esp", "mr", "mrs", "ms", "prof", "resp", "st", "vs"}
)
_COUNTING: Final = frozenset({"ch", "eq", "fig", "figs", "no", "nos", "nr", "op", "pp", "ref", "sec", "vol"})
_DOTTED_RE: Final = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
# A line that starts one of these is not the continuation of a sentence.
_BLOCK_RE: Final = re.compile(r"\n(?=[ \t]*(?:\n|[-*+•>|]|#{1,6} |\d{1,3}[.)] |```|~~~))")
_LEADING_MARK_RE: Final = re.compile(r"\A\s*(?:(?:#{1,6}|[-*+•>])[ \t]+)*")
_WORD_RE: Final = re.compile(r"\S")
_SENTENCE_WINDOW_CHARS: Final = 4_000


def _ends_sentence(found: re.Match[str]) -> bool:
    """Whether the dots at `found` end a sentence, rather than an abbreviation, a list number or a pause."""
    text, mark = found.string, found[0]
    if mark[0] not in ".…":
        return True
    rest = text[found.end() : found.end() + 40].lstrip()
    if rest and rest[0].islower():
        return False
    if mark != ".":
        return True
    farthest = max(found.start() - 25, 0)
    line_start = max(text.rfind("\n", farthest, found.start()) + 1, farthest)
    before = text[max(line_start, found.start() - 24) : found.start()]
    words = before.split()
    if not words:
        return True
    word = words[-1].lstrip("([\"'“‘*_`")
    if word.isdigit() and len(words) == 1 and line_start >= found.start() - 24:
        return False
    if word.lower() in _COUNTING:
        return not rest[:1].isdigit()
    return word.lower() not in _ABBREVIATIONS and not _DOTTED_RE.fullmatch(word)


def sentence_ends(text: str, start: int = 0, end: int | None = None) -> Iterator[int]:
    """Where sentences end in this part of a text, behind their marks; the end of the text is not among them."""
    for found in _END_RE.finditer(text, start, len(text) if end is None else end):
        if _ends_sentence(found):
            yield found.end()


def first_sentence(text: str) -> str:
    """The first sentence of `text` as it stands there (it may span lines), without a bullet or heading mark."""
    begin = len(text[:_SENTENCE_WINDOW_CHARS]) - len(_LEADING_MARK_RE.sub("", text[:_SENTENCE_WINDOW_CHARS], count=1))
    window = text[begin : begin + _SENTENCE_WINDOW_CHARS]
    block = _BLOCK_RE.search(window)
    paragraph = window[: block.start()] if block else window
    end = next(sentence_ends(paragraph), None)
    return paragraph.rstrip() if end is None else paragraph[:end]


def sentences_of(block: str) -> Iterator[str]:
    """The sentences of one paragraph as they stand there."""
    block = block.rstrip()
    at = _behind_space(block, 0)
    while at < len(block):
        look_up()
        # Room for a mark and a sentence, and no more: a block may be a megabyte of short sentences.
        ahead = block[at : at + 2 * _SENTENCE_WINDOW_CHARS]
        sentence = first_sentence(ahead)
        begin = ahead.find(sentence) if sentence else -1
        if begin < 0:
            yield block[at:]
            return
        yield sentence
        at = _behind_space(block, at + begin + len(sentence))


def _behind_space(text: str, at: int) -> int:
    found = _WORD_RE.search(text, at)
    return found.start() if found is not None else len(text)


# ---- statements

# As the weights of decisions were trained with: what stands behind a mark may begin small, a semicolon ends a statement
# in scripts without spaces, and nothing ends within code.
_STATEMENT_END_RE: Final = re.compile(r"(?:(?<![.!?…])[.!?…]++[\"'”’)*_`]*+(?=\s|$)|[。！？；]+[”’）]*)")
_SHORT_FORMS: Final = _ABBREVIATIONS | frozenset("e.g i.e z.b d.h т.е т.д т.п п eg ie etc incl bzw no nr fig".split())

# No short form has as many characters.
_SHORT_CHARS: Final = 40


def statement_spans(line: str) -> Iterator[tuple[int, int]]:
    """Begin and end of each statement of a line, the space around it included."""
    begin = seen = code_marks = 0
    digits_end = len(line) - len(line.lstrip(" 0123456789"))
    for mark in _STATEMENT_END_RE.finditer(line):
        code_marks += line.count("`", seen, mark.start())
        seen = mark.start()
        is_stop = line[mark.start()] == "."
        if is_stop and (code_marks % 2 or _is_short(line, mark, is_numbered=mark.start() <= digits_end)):
            continue
        yield begin, mark.end()
        begin = mark.end()
    yield begin, len(line)


def _is_short(line: str, mark: re.Match[str], *, is_numbered: bool) -> bool:
    """Whether the word before a stop is a short form, or the number of an item: nothing but digits before it."""
    farthest = max(mark.start() - _SHORT_CHARS, 0)
    word = line[max(line.rfind(" ", farthest, mark.start()) + 1, farthest) : mark.end()].lower().strip("(\"'*_`")
    return word[:-1] in _SHORT_FORMS or (word[:-1].isdigit() and len(word) <= 3 and is_numbered)
