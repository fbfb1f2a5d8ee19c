"""The question that the end of an answer puts to the human.

Owns: which question marks ask (not those in code, in tables, in the middle of a word), and which questions still stand
when the agent went on talking. Where in doubt nothing was asked: an answer that is taken for a question is worse than
a question that is told as an answer. Must not know: turns, records, how a session stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from recapd.core import late_re as re
from recapd.core.text.cut import one_line
from recapd.core.text.markdown import is_fence, lines_in, plain
from recapd.core.text.sentences import first_sentence
from recapd.core.text.words import words_in

# After a question at most this much may follow (a list of options, a closing line) for it to stand open.
_AFTER_QUESTION: Final = 300
# Of a line that ends in a question, more than anybody asks in one sentence.
_LINE_CHARS: Final = 4_000

# Ends a sentence: behind it stand only closing marks before the next word; full-width marks need no space. A run of
# marks is looked at from its beginning, once; the first question mark in it is a group.
_MARK_RE: Final = re.compile(r"""(?:(?<![?!])!*+(\?)[?!]*+["'”’»)*_]*+(?=\s|$)|(？))""")
_CODE_RE: Final = re.compile(r"`[^`\n]*`")
# An option to choose from, a row of a table, or the rest of one of them.
_OPTION_RE: Final = re.compile(r"\s*(?:[-*+•|#>]|\*{0,2}\w{1,2}[.)、:：])|\s\s")
# Marks of lists, headings, quotes and emphasis before a sentence.
_LEADING: Final = "-*#>•+_ \t"

# Words of a question that is put to somebody, rather than raised to be answered: "Shall I go on?", "Do you agree?".
_ADDRESSING: Final = frozenset(
    ("you", "your", "i", "we", "me", "us", "shall", "should", "want", "prefer", "ready", "ok", "okay", "proceed")
)
# A question that begins so can head the list that answers it: "What changed?".
_HEADING: Final = frozenset(("what", "why", "how", "who", "when", "where"))


def question_in(words: str, limit: int) -> str:
    """The last question that stands open at the end of these words, on one line; "" where none does."""
    prose = _without_code(words)
    for mark in _last_marks(prose):
        at = mark.start(mark.lastindex or 0)
        line_start = prose.rfind("\n", 0, at) + 1
        question = _last_sentence(words[line_start : at + 1])
        if _stands_open(question, prose[mark.end() :]):
            return one_line(plain(question), limit)
    return ""


def _last_marks(prose: str) -> Iterator[re.Match[str]]:
    """Marks that may end an open question, the last first."""
    found = [mark for mark in _MARK_RE.finditer(prose) if len(prose) - mark.end() <= _AFTER_QUESTION]
    for mark in reversed(found):
        # French puts a space before the mark; in the middle of a line it is an operator of some language.
        at = mark.start(mark.lastindex or 0)
        is_spaced = prose[at - 1 : at].isspace()
        if not is_spaced or not prose[mark.end() :].partition("\n")[0].strip():
            yield mark


def _stands_open(question: str, rest: str) -> bool:
    """Whether a question is still one after the rest: nothing, options to choose from, or more words to the human."""
    if not any(char.isalnum() for char in question):
        return False
    lines = [line for line in rest.split("\n") if any(char.isalnum() for char in line)]
    spoken = words_in(question)
    # The words are English ones: of another language nothing is known but that somebody asks.
    if not lines or not question.isascii() or not _ADDRESSING.isdisjoint(spoken):
        return True
    ends_line = not any(char.isalnum() for char in rest.partition("\n")[0])
    return ends_line and all(map(_OPTION_RE.match, lines)) and spoken[:1] != [] and spoken[0] not in _HEADING


def _last_sentence(line: str) -> str:
    line = line[-_LINE_CHARS:]
    while True:
        line = line.strip().lstrip(_LEADING)
        sentence = first_sentence(line)
        if len(sentence) >= len(line):
            return line
        line = line[len(sentence) :]


def _without_code(text: str) -> str:
    """The text with all code and all tables blank, every character in its place."""
    if any(mark in text for mark in ("```", "~~~", "|")):
        # These are the last words of a longer text: with a fence too many, the first one closes what began before them.
        begins_in_code = sum(map(is_fence, text.split("\n"))) % 2 == 1
        text = "\n".join(
            " " * len(line.text) if line.is_code or (line.is_row and not line.mark) else line.text
            for line in lines_in(text, is_code=begins_in_code)
        )
    return _CODE_RE.sub(lambda code: "x" * len(code[0]), text)
