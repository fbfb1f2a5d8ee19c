"""Where sentences end, in any language, and the sentences of a text as they stand there.

Owns: which marks end a sentence rather than an abbreviation, a list number or a pause. Must not know: who speaks, what
a sentence is worth.
"""

import re
from collections.abc import Iterator
from typing import Final

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
    line_start = text.rfind("\n", 0, found.start()) + 1
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
    while block := block.strip():
        sentence = first_sentence(block)
        begin = block.find(sentence) if sentence else -1
        if begin < 0:
            yield block
            return
        yield sentence
        block = block[begin + len(sentence) :]


# ---- statements

# As the weights of decisions were trained with: what stands behind a mark may begin small, a semicolon ends a statement
# in scripts without spaces, and nothing ends within code.
_STATEMENT_END_RE: Final = re.compile(r"(?:[.!?…]+[\"'”’)*_`]*(?=\s|$)|[。！？；]+[”’）]*)")
_SHORT_FORMS: Final = _ABBREVIATIONS | frozenset("e.g i.e z.b d.h т.е т.д т.п п eg ie etc incl bzw no nr fig".split())


def statement_spans(line: str) -> Iterator[tuple[int, int]]:
    """Begin and end of each statement of a line, the space around it included."""
    begin = 0
    for mark in _STATEMENT_END_RE.finditer(line):
        if line[mark.start()] != "." or _ends_statement(line, mark.start(), mark.end()):
            yield begin, mark.end()
            begin = mark.end()
    yield begin, len(line)


def _ends_statement(line: str, stop: int, end: int) -> bool:
    word = line[line.rfind(" ", 0, stop) + 1 : end].lower().strip("(\"'*_`")
    if word[:-1] in _SHORT_FORMS or (word[:-1].isdigit() and len(word) <= 3 and not line[:stop].strip(" 0123456789")):
        return False
    return line.count("`", 0, stop) % 2 == 0
