"""Markdown for people: rendered and wrapped for a terminal, as it is for a pipe."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import TextIO, TypeAlias

from recapd.cli.terminal import COMMAND_COLOUR, has_colours, lay_out, screen_width

_BOLD = re.compile(r"\*\*([^*\n]+)\*\*")
_CODE = re.compile(r"(?<![`\\])(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_ENTITY = {"&lt;": "<", "&gt;": ">", "&amp;": "&"}


def render_markdown(stream: TextIO, text: str) -> str:
    """Markdown as it is for a pipe; rendered and wrapped for a terminal."""
    if not stream.isatty():
        return text
    return "\n".join(render_lines(text, width=screen_width(), has_colours=has_colours(stream)))


def render_lines(text: str, *, width: int, has_colours: bool) -> list[str]:
    """Markdown as lines of at most so many columns."""
    # What is for programs alone is not seen on a page either.
    lines = [line for line in text.split("\n") if not (line.startswith("<!--") and line.endswith("-->"))]
    return "\n".join(_rendered(line, width, has_colours=has_colours) for line in lines).split("\n")


def without_marks(text: str) -> str:
    """Text that is made for agents, for a person: without the lines of marks around it."""
    lines = text.split("\n")
    is_marked = lines[0].startswith("<recapd-") and lines[-1].startswith("</recapd-")
    return "\n".join(lines[1:-1]) if is_marked else text


def plain_line(text: str) -> str:
    """A line for people, without the marks around what is bold and what is code."""
    return _BOLD.sub(r"\1", _CODE.sub(r"\2", text))


_BULLET = re.compile(r"( *)([-*] |\d+\. )?")
_HEADING = re.compile(r"#{1,6} ")
_PLAIN_STYLE, _BOLD_STYLE, _CODE_STYLE = "", "1", COMMAND_COLOUR
# A word in parts, each with its style: most have one.
Word: TypeAlias = list[tuple[str, str]]
_LEAST_WIDTH = 10


def _rendered(line: str, width: int, *, has_colours: bool) -> str:
    """One line of Markdown wrapped to the width, each line of an item below its first word, marks turned to colours."""
    found = _BULLET.match(line)
    lead = found[0] if found else ""
    hang = " " * len(lead)
    lead = lead.replace("- ", "• ", 1) if lead.strip() == "-" else lead
    rest = line[len(hang) :]
    if heading := _HEADING.match(rest):
        words = [[(_BOLD_STYLE, part) for _, part in word] for word in _words(rest[heading.end() :])]
    else:
        words = _words(rest)
    texts = ["".join(part for _, part in word) for word in words]
    lines = lay_out(texts, max(width - len(hang), _LEAST_WIDTH)) or [[]]
    starts = (lead, *(hang for _ in lines[1:]))
    shown = [
        # What is there of a word that was broken is in one style.
        [words[number] if piece == texts[number] else [(words[number][0][0], piece)] for number, piece in laid]
        for laid in lines
    ]
    return "\n".join(
        (start + _inked(each, has_colours=has_colours)).rstrip(" ") for start, each in zip(starts, shown, strict=True)
    )


def _inked(words: Sequence[Word], *, has_colours: bool) -> str:
    """Words on one line; those of one style that follow each other are coloured as one."""
    parts: list[tuple[str, str]] = []
    for word in words:
        if parts:
            parts.append((parts[-1][0] if parts[-1][0] == word[0][0] else _PLAIN_STYLE, " "))
        parts += word
    runs = [(style, "".join(text for _, text in run)) for style, run in groupby(parts, key=lambda part: part[0])]
    return "".join(f"\x1b[{style}m{text}\x1b[0m" if style and has_colours else text for style, text in runs)


def _words(text: str) -> list[Word]:
    """The words of a line, marks and escapes resolved."""
    styled: list[tuple[str, str]] = []
    position = 0
    # Code first: what stands inside is shown as it is, whatever it looks like.
    for span in _CODE.finditer(text):
        styled += [*_prose(text[position : span.start()]), (_CODE_STYLE, span[2].strip())]
        position = span.end()
    styled += _prose(text[position:])
    words: list[Word] = []
    is_glued = False
    for style, part in styled:
        for number, piece in enumerate(part.split(" ")):
            # Without a space between two parts they are one word.
            if number == 0 and is_glued and words and piece:
                words[-1].append((style, piece))
            elif piece:
                words.append([(style, piece)])
        is_glued = bool(part) and not part.endswith(" ")
    return words


def _prose(text: str) -> list[tuple[str, str]]:
    parts: list[tuple[str, str]] = []
    position = 0
    for bold in _BOLD.finditer(text):
        parts += [(_PLAIN_STYLE, _unescaped(text[position : bold.start()])), (_BOLD_STYLE, _unescaped(bold[1]))]
        position = bold.end()
    return [part for part in (*parts, (_PLAIN_STYLE, _unescaped(text[position:]))) if part[1]]


def _unescaped(text: str) -> str:
    text = _ESCAPED.sub(r"\1", text)
    for entity, character in _ENTITY.items():
        text = text.replace(entity, character)
    return text
