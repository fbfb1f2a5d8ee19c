"""Output that fits where it goes: colours and widths for a terminal, plain text for a pipe."""

from __future__ import annotations

import os
import re
import shutil
import textwrap
import unicodedata
from collections.abc import Sequence
from datetime import datetime
from typing import TextIO

_BOLD = re.compile(r"\*\*([^*\n]+)\*\*")
_CODE = re.compile(r"(?<![`\\])(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_ENTITY = {"&lt;": "<", "&gt;": ">", "&amp;": "&"}
_MAX_WIDTH = 100


def markdown_for(stream: TextIO, text: str) -> str:
    """Markdown as it is for a pipe; rendered and wrapped for a terminal."""
    if not stream.isatty():
        return text
    width = min(shutil.get_terminal_size().columns, _MAX_WIDTH)
    lines = [_rendered(line, width) for line in text.split("\n")]
    return "\n".join(lines)


def table(stream: TextIO, rows: Sequence[tuple[str, ...]]) -> str:
    """Columns in line; on a terminal the longest column is cut to the width, in a pipe nothing is."""
    rows = [tuple(" ".join(cell.split()) for cell in row) for row in rows]
    widths = [max(_columns(cell) for cell in column) for column in zip(*rows, strict=True)]
    if stream.isatty():
        room = shutil.get_terminal_size().columns - sum(widths) - 2 * (len(widths) - 1)
        widest = widths.index(max(widths))
        widths[widest] = max(20, widths[widest] + min(room, 0))
    return "\n".join(
        "  ".join(_fitted(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def when(at: str) -> str:
    """A time of the log in the reader's zone, to the minute."""
    try:
        return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return "no time"


def _rendered(line: str, width: int) -> str:
    is_plain = bool(os.environ.get("NO_COLOR"))
    bold, code, end = ("", "", "") if is_plain else ("\x1b[1m", "\x1b[36m", "\x1b[0m")
    indent = "  " if line.startswith("- ") else "   " if re.match(r"\d+\. ", line) else ""
    line = textwrap.fill(line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False) or line
    shown: list[str] = []
    position = 0
    # Code first: what stands inside is shown as it is, whatever it looks like.
    for span in _CODE.finditer(line):
        shown += [_prose(line[position : span.start()], bold, end), code, span[2].strip(), end]
        position = span.end()
    return "".join(shown) + _prose(line[position:], bold, end)


def _prose(text: str, bold: str, end: str) -> str:
    text = _BOLD.sub(lambda found: f"{bold}{found[1]}{end}", text)
    text = _ESCAPED.sub(r"\1", text)
    for entity, character in _ENTITY.items():
        text = text.replace(entity, character)
    return text


def _columns(text: str) -> int:
    """Columns a terminal needs: Han, kana and emoji take two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )


def _fitted(text: str, width: int) -> str:
    if _columns(text) > width:
        while _columns(text) >= width:
            text = text[:-1]
        text += "…"
    return text + " " * (width - _columns(text))
