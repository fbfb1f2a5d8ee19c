"""Texts that may be Markdown, read line by line: code, headings, items of lists, quotes, rows of tables, words.

Owns: which lines are code, which marks a line begins with, how lines make a block, and a sentence without its marks.
Must not know: what the words say. Nothing here fails: what is no Markdown is lines of words.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from recapd.core import late_re as re

_FENCES: Final = ("```", "~~~")

# What a line may begin with. In Markdown a mark needs a space behind it, and marks may follow each other.
_MORE: Final = r"(?:(?:#{1,6}|[-*+•>]|\d{1,3}[.)])[ \t]+)*(?:\[[ xX]\][ \t]+)?"
MARKDOWN: Final = re.compile(
    r"^\s*+(?:(?P<heading>#{1,6}[ \t]+)|(?P<number>\d{1,3}[.)][ \t]+)|(?P<quote>>[ \t]+)|(?P<bullet>[-*+•][ \t]+))"
    + _MORE
)
# People who write lists by hand do it in more ways: "1、", "(2)", "a)", "**3.**". Decisions were trained with these.
BY_HAND: Final = re.compile(
    r"^\s*+(?:(?P<quote>(?:>\s?)+)|(?P<heading>#{1,6}\s+)|(?P<number>(?:\*\*)?(?:\(?\d{1,2}(?:[)、]|[.:](?!\d))|[①-⑳]|"
    r"[(（]\d{1,2}[)）])\s*)"
    r"|(?P<letter>(?:\*\*)?\(?[A-Za-z][.)](?:\*\*)?\s+)|(?P<bullet>(?:[-*+•–—▪◦✓✔✅]|- \[[ xX]\])\s+))"
)

# What a block is: one paragraph, one heading, one item of a list, one row of a table.
Sort: TypeAlias = Literal["prose", "heading", "item", "numbered", "row"]
_SORTS: Final[dict[str, Sort]] = {"heading": "heading", "number": "numbered", "bullet": "item", "quote": "item"}
_HEADING_RE: Final = re.compile(r"\s*(#{1,6})[ \t]+(?:\*\*)?(?:(\d{1,2})[.)][ \t]+)?")
_RULE_RE: Final = re.compile(r"[\s|:*_=─━═—–-]*$")

_LINK_RE: Final = re.compile(r"!?\[([^\][\n]{1,300})\]\([^()\s]{1,500}\)")
# Stars between slashes stand for folders: "docs/**/a.md", "**/*.py"; and others for a part of a name: "src/*_test.py",
# "notes_*.md". Each begins with its mark, so that a search goes from one to the next.
_EMPHASIS_RE: Final = re.compile(
    r"\*\*(?!/\*)(?<!/\*\*(?=/))|\*(?<![\w*/]\*)(?=\w)|\*(?:(?<=[^\W_]\*)|(?<=[.!?:)]\*))(?!\w|\*|\.\w)|`+|~~"
)
# Around several words; around one it is part of a name more often than a mark: `__init__`, `a__b__c`.
_UNDERLINED_RE: Final = re.compile(r"(?<!\w)__(?=\S)([^_\n]{1,200}? [^_\n]{1,200}?)(?<=\S)__(?!\w)")
NUMBERED_RE: Final = re.compile(r"\(?(?:\d{1,2}|[A-H])[.)] ")


class Line(Struct, frozen=True, gc=False):
    """A line of a text, where it begins in it, and what it begins with."""

    text: str
    number: int
    start: int
    # It stands in a block of code, or is the fence of one.
    is_code: bool = False
    # "", "heading", "number", "letter", "bullet", "quote"
    mark: str = ""
    # The number or letter of an item.
    label: str = ""
    # Characters before the words.
    skip: int = 0

    @property
    def words(self) -> str:
        return self.text[self.skip :]

    @property
    def is_row(self) -> bool:
        """Whether it is a row of a table."""
        return self.words.lstrip().startswith("|")


class Block(Struct, frozen=True, gc=False):
    """Lines that belong together, without their marks."""

    text: str
    sort: Sort
    # Columns before the first of them: an item further in belongs to the one above it.
    indent: int = 0
    # Whether code stands between it and the block before it.
    is_behind_code: bool = False
    # Of a heading: how deep it is, and the number before its words.
    level: int = 0
    number: int = 0


def is_fence(line: str) -> bool:
    return line.lstrip().startswith(_FENCES)


def lines_in(text: str, marks: re.Pattern[str] = MARKDOWN, *, is_code: bool = False) -> Iterator[Line]:
    """Every line of a text, in order; `is_code` where it begins within a block of code."""
    start = 0
    for number, line in enumerate(text.split("\n")):
        if (is_edge := is_fence(line)) or is_code:
            is_code ^= is_edge
            yield Line(line, number, start, is_code=True)
        elif (found := marks.match(line)) is None or (mark := found.lastgroup) is None:
            yield Line(line, number, start, skip=len(line) - len(line.lstrip()))
        else:
            label = found[mark].strip(" .)(（）*:、") if mark in ("number", "letter") else ""
            yield Line(line, number, start, mark=mark, label=label, skip=found.end())
        start += len(line) + 1


def blocks_in(text: str) -> Iterator[Block]:
    """Paragraphs, headings, items and rows in their order; code is left out."""
    lines: list[str] = []
    sort: Sort = "prose"
    indent = level = number = 0
    is_behind_code = False
    for line in lines_in(text):
        whole = "" if line.is_code else line.text.strip()
        is_row = not line.mark and line.is_row
        # Indented or not: words that follow an item without a mark or a blank line are part of it.
        if lines and (not whole or line.mark or is_row or sort == "heading"):
            yield Block("\n".join(lines), sort, indent, is_behind_code, level, number)
            lines, sort, is_behind_code, level, number = [], "prose", False, 0, 0
        is_behind_code |= line.is_code
        if not whole or _RULE_RE.match(whole):
            continue
        if is_row:
            yield Block(_row(whole), "row", 0, is_behind_code)
            is_behind_code = False
            continue
        if line.mark:
            sort = _SORTS[line.mark]
            if (heading := _HEADING_RE.match(line.text)) is not None:
                level, number = len(heading[1]), int(heading[2] or 0)
        if not lines:
            indent = len(line.text) - len(line.text.lstrip())
        lines.append(line.words.strip())
    if lines:
        yield Block("\n".join(lines), sort, indent, is_behind_code, level, number)


def _row(line: str) -> str:
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    cells = [cell for cell in cells if cell]
    return f"{cells[0]}: {', '.join(cells[1:])}" if len(cells) > 1 else "".join(cells)


def paragraphs_in(text: str) -> Iterator[str]:
    """What stands between blank lines; those inside code do not count."""
    begin = position = 0
    is_code = False
    for line in text.split("\n"):
        if is_fence(line):
            is_code = not is_code
        elif not is_code and not line.strip():
            yield text[begin:position]
            begin = position + len(line) + 1
        position += len(line) + 1
    yield text[begin:]


def without_code(text: str) -> str:
    """The text with blank lines for blocks of code."""
    if not any(fence in text for fence in _FENCES):
        return text
    return "\n".join("" if line.is_code else line.text for line in lines_in(text))


def plain(text: str) -> str:
    """A sentence without emphasis, code marks and links' targets; a trailing colon goes too."""
    text = _LINK_RE.sub(r"\1", text) if "](" in text else text
    text = _EMPHASIS_RE.sub("", _UNDERLINED_RE.sub(r"\1", text) if "__" in text else text)
    text = " ".join(text.split())
    number = NUMBERED_RE.match(text)
    return text[number.end() if number else 0 :].rstrip(":：").strip()
