"""Output that fits where it goes: colours and widths for a terminal, plain text for a pipe."""

from __future__ import annotations

import os
import re
import sys
import unicodedata
from datetime import datetime
from itertools import groupby

TYPE_CHECKING = False  # typing costs more to import than a list takes to show
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

_BOLD = re.compile(r"\*\*([^*\n]+)\*\*")
_CODE = re.compile(r"(?<![`\\])(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_ENTITY = {"&lt;": "<", "&gt;": ">", "&amp;": "&"}
_MAX_WIDTH = 100
# A cell cut to less says nothing; no terminal is so narrow.
_LEAST_CELL = 3
_LEAST_TEXT = 20


def screen_width() -> int:
    """Columns of the terminal, as far as lines of that length can be read."""
    return min(screen_size()[0], _MAX_WIDTH)


def screen_size() -> tuple[int, int]:
    """Columns and lines: as the environment says, else as the terminal does, else what every terminal has."""
    columns, lines = 80, 24
    # Where the answer goes into a pipe, notes may still go to a terminal.
    for descriptor in (1, 2):
        try:
            columns, lines = os.get_terminal_size(descriptor)
            break
        except OSError:
            continue
    said = (os.environ.get("COLUMNS", ""), os.environ.get("LINES", ""))
    given_columns, given_lines = (int(each) if each.isdecimal() else 0 for each in said)
    return given_columns or columns or 80, given_lines or lines or 24


def text_width(stream: TextIO) -> int | None:
    """Columns that a text may take; None in a pipe, where nothing is broken."""
    return screen_width() if stream.isatty() else None


def fill(stream: TextIO, text: str, *, lead: str = "") -> str:
    """One paragraph: on a terminal its lines are broken between words, each below the first word of it."""
    width = text_width(stream)
    lines = [text] if width is None else wrap(text, max(_LEAST_TEXT, width - columns_of(lead)))
    return lead + ("\n" + " " * columns_of(lead)).join(lines)


def write_columns(rows: Sequence[tuple[str, str]], width: int) -> str:
    """Names, and beside each what it means, wrapped below itself."""
    column = max(columns_of(name) for name, _ in rows) + 4
    lines: list[str] = []
    for name, text in rows:
        first, *more = wrap(text, max(_LEAST_TEXT, width - column))
        lines += [f"  {fitted(name, column - 2)}{first}", *(" " * column + line for line in more)]
    return "\n".join(lines)


def tell(text: str) -> None:
    """A note for whoever sits there, on stderr: stdout carries the answer and nothing else."""
    if sys.stderr is not None:
        sys.stderr.write(fill(sys.stderr, text) + "\n")
        sys.stderr.flush()


def render_markdown(stream: TextIO, text: str) -> str:
    """Markdown as it is for a pipe; rendered and wrapped for a terminal."""
    if not stream.isatty():
        return text
    return "\n".join(render_lines(text, width=screen_width(), has_colours=has_colours(stream)))


def render_lines(text: str, *, width: int, has_colours: bool) -> list[str]:
    """Markdown as lines of at most so many columns."""
    return "\n".join(_rendered(line, width, has_colours=has_colours) for line in text.split("\n")).split("\n")


def without_marks(text: str) -> str:
    """Text that is made for agents, for a person: without the lines of marks around it."""
    lines = text.split("\n")
    is_marked = lines[0].startswith("<recapd-") and lines[-1].startswith("</recapd-")
    return "\n".join(lines[1:-1]) if is_marked else text


def format_table(stream: TextIO, rows: Sequence[tuple[str, ...]]) -> str:
    """Columns in line; on a terminal the longest columns are cut until all fit, in a pipe nothing is."""
    rows = [tuple(" ".join(cell.split()) for cell in row) for row in rows]
    widths = [max(columns_of(cell) for cell in column) for column in zip(*rows, strict=True)]
    if stream.isatty():
        room = max(screen_size()[0] - 2 * (len(widths) - 1), _LEAST_CELL * len(widths))
        while sum(widths) > room:
            widths[widths.index(max(widths))] -= 1
    return "\n".join(
        "  ".join(fitted(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def format_time(at: str) -> str:
    """A time of the log in the reader's zone, to the minute."""
    try:
        return datetime.fromisoformat(at).astimezone().strftime("%Y-%m-%d %H:%M")
    except ValueError:
        return "no time"


def paint(stream: TextIO, text: str, code: str) -> str:
    """The text in a colour (an SGR code) where the stream shows colours."""
    return f"\x1b[{code}m{text}\x1b[0m" if code and has_colours(stream) else text


def has_colours(stream: TextIO) -> bool:
    """As `--color` says, which sets the variables that other programs go by too; else where a terminal shows them."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("CLICOLOR_FORCE", "0") != "0":
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def show(text: str) -> None:
    """On stdout; what is longer than the screen in the user's pager, where they are."""
    if sys.stdout.isatty() and text.count("\n") >= screen_size()[1] and _is_paged(text):
        return
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _is_paged(text: str) -> bool:
    """Whether a pager took it. An empty RECAPD_PAGER or PAGER means none."""
    import shlex
    import shutil
    import subprocess

    chosen = os.environ.get("RECAPD_PAGER", os.environ.get("PAGER", "less"))
    command = shlex.split(chosen)
    if not command or command[0] == "cat" or shutil.which(command[0]) is None or not sys.stdin.isatty():
        return False
    # As git has it: colours pass, and what fits after all is left on the screen.
    environ = {"LESS": "FRX", "LV": "-c"} | dict(os.environ)
    try:
        subprocess.run(command, input=text + "\n", text=True, errors="replace", env=environ, check=False)
    except OSError:
        return False
    return True


_BULLET = re.compile(r"( *)([-*] |\d+\. )?")
_HEADING = re.compile(r"#{1,6} ")
_PLAIN_STYLE, _BOLD_STYLE, _CODE_STYLE = "", "1", "36"


def _rendered(line: str, width: int, *, has_colours: bool) -> str:
    """One line of Markdown wrapped to the width, each line of an item below its first word, marks turned to colours."""
    found = _BULLET.match(line)
    lead = found[0] if found else ""
    hang = " " * len(lead)
    lead = lead.replace("- ", "• ", 1) if lead.strip() == "-" else lead
    rest = line[len(hang) :]
    if heading := _HEADING.match(rest):
        words = [(_BOLD_STYLE, word) for _, word in _words(rest[heading.end() :])]
    else:
        words = _words(rest)
    lines: list[list[tuple[str, str]]] = [[]]
    used = len(hang)
    for style, word in words:
        for piece in _pieces(word, width - len(hang)):
            needed = columns_of(piece) + bool(lines[-1])
            if used + needed > width and lines[-1]:
                lines.append([])
                used, needed = len(hang), columns_of(piece)
            lines[-1].append((style, piece))
            used += needed
    starts = (lead, *(hang for _ in lines[1:]))
    return "\n".join(
        (start + _inked(line, has_colours=has_colours)).rstrip(" ") for start, line in zip(starts, lines, strict=True)
    )


def _inked(words: Sequence[tuple[str, str]], *, has_colours: bool) -> str:
    """Words on one line; those of one style that follow each other are coloured as one."""
    runs = [(style, " ".join(word for _, word in run)) for style, run in groupby(words, key=lambda word: word[0])]
    return " ".join(f"\x1b[{style}m{text}\x1b[0m" if style and has_colours else text for style, text in runs)


def _words(text: str) -> list[tuple[str, str]]:
    """The words of a line with the style of each, marks and escapes resolved."""
    styled: list[tuple[str, str]] = []
    position = 0
    # Code first: what stands inside is shown as it is, whatever it looks like.
    for span in _CODE.finditer(text):
        styled += [*_prose(text[position : span.start()]), (_CODE_STYLE, span[2].strip())]
        position = span.end()
    styled += _prose(text[position:])
    words: list[tuple[str, str]] = []
    is_glued = False
    for style, part in styled:
        for number, word in enumerate(part.split(" ")):
            # Without a space between two parts they are one word, in the style of the longer.
            if number == 0 and is_glued and words and word:
                before = words.pop()
                words.append((before[0] if len(before[1]) >= len(word) else style, before[1] + word))
            elif word:
                words.append((style, word))
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


def _pieces(word: str, width: int) -> list[str]:
    """The word whole where it fits a line; a path or a script without spaces in pieces."""
    return [word] if columns_of(word) <= max(width, 10) else wrap(word, max(width, 10))


def columns_of(text: str) -> int:
    """Columns a terminal needs: Han, kana and emoji take two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )


def cut_to(text: str, width: int) -> str:
    """The text, or its beginning with a mark that there is more."""
    if columns_of(text) <= width:
        return text
    while text and columns_of(text) >= width:
        text = text[:-1]
    return text.rstrip() + "…"


def cut_in_the_middle(text: str, width: int) -> str:
    """The text, or its two ends: of a path the beginning says where, and the end what."""
    if columns_of(text) <= width:
        return text
    kept = max(2, width - 1)
    return f"{text[: kept // 3]}…{text[len(text) - (kept - kept // 3) :]}"


def fitted(text: str, width: int) -> str:
    """Exactly so many columns."""
    text = cut_to(text, width)
    return text + " " * (width - columns_of(text))


def wrap(text: str, width: int) -> list[str]:
    """Lines of at most so many columns, broken between words where there are any."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        if line and columns_of(line) + 1 + columns_of(word) <= width:
            line = f"{line} {word}"
            continue
        # A script without spaces may be broken anywhere, and goes on where the line has room.
        if line and not word.isascii() and columns_of(word) > width:
            start, word = _broken(word, width - columns_of(line) - 1)
            line = f"{line} {start}" if start else line
        if line:
            lines.append(line)
        # Paths, too, may be longer than a line.
        while columns_of(word) > width:
            start, word = _broken(word, width)
            lines.append(start)
        line = word
    return [*lines, line] if line else lines


def _broken(word: str, width: int) -> tuple[str, str]:
    """As much of the word as fits, but one character of a whole line, and the rest."""
    cut = used = 0
    for character in word:
        used += columns_of(character)
        if used > width:
            break
        cut += 1
    cut = max(cut, 1) if width > 1 else cut
    return word[:cut], word[cut:]
