"""Output that fits where it goes: colours and widths for a terminal, plain text for a pipe.

Imported by what starts as fast as Python does: patterns and Markdown are in `markdown.py`.
"""

from __future__ import annotations

import os
import sys
import unicodedata

TYPE_CHECKING = False  # typing costs more to import than a list takes to show
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

_MAX_WIDTH = 100
# Of whatever is to be typed or copied, wherever it stands.
COMMAND_COLOUR = "36"
_FAILED_COLOUR = "1;31"
# A cell cut to less says nothing; no terminal is so narrow.
_LEAST_CELL = 3
_LEAST_TEXT = 20
# Where no such room is left beside what stands before a text, the text stands below it, so far in.
_BELOW = "  "
# Columns of the widest character: a line that has fewer is no line.
_WIDEST = 2
# Marks on a character, and what only joins or varies characters.
_WITHOUT_WIDTH = ("Mn", "Me", "Cf")
_DANGLING = " —–·,;:("
# A longer one is broken as other words are.
_LONGEST_COMMAND = 48
_ENDS_COMMAND = (",", ";", ".", "?", ")")
# Where Han and kana are written, these end what stands before them.
_NEVER_FIRST = "，。、．！？：；）」』】》〉…"


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
    lines = fill_lines(stream, text, text_width(stream), indent=columns_of(lead))
    return lead + "\n".join(lines)[columns_of(lead) :]


def fill_lines(stream: TextIO, text: str, width: int | None, *, indent: int = 0, colour: str = "") -> list[str]:
    """One paragraph in lines of at most so many columns, or in one; the commands in it are coloured as everywhere."""
    if width is None:
        return [" " * indent + paint(stream, text, colour)]
    words = _words_of(text)
    return [
        " " * indent + _painted(stream, [(" " in words[number], piece) for number, piece in line], colour)
        for line in lay_out(words, max(_LEAST_TEXT, width - indent))
    ]


def _painted(stream: TextIO, pieces: Sequence[tuple[bool, str]], colour: str) -> str:
    """Words on one line, of each whether it is a command; what ends the sentence behind one is no part of it."""
    parts: list[tuple[str, str]] = []
    for is_command, piece in pieces:
        parts.append((colour, " " if parts else ""))
        command = piece.rstrip("".join(_ENDS_COMMAND)) if is_command else ""
        parts += [(COMMAND_COLOUR, command), (colour, piece[len(command) :])]
    runs: list[tuple[str, str]] = []
    for code, part in parts:
        if part and runs and runs[-1][0] == code:
            runs[-1] = (code, runs[-1][1] + part)
        elif part:
            runs.append((code, part))
    return "".join(paint(stream, part, code) for code, part in runs)


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


def tell_failure(program: str, text: str) -> None:
    """Why a command did not do what it was asked to; whose words these are stands out."""
    if sys.stderr is not None:
        told = fill(sys.stderr, f"{program}: {text}")
        lead = f"{program}:" if told.startswith(f"{program}:") else ""
        sys.stderr.write(paint(sys.stderr, lead, _FAILED_COLOUR if lead else "") + told[len(lead) :] + "\n")
        sys.stderr.flush()


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
    from datetime import datetime

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
    return can_redraw(stream)


def can_redraw(stream: TextIO) -> bool:
    """Whether what was written there can be written anew: on a terminal that obeys, not in one of an editor."""
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


def columns_of(text: str) -> int:
    """Columns a terminal needs: Han, kana and emoji take two; marks on or between other characters none."""
    if text.isascii():
        return len(text)
    return sum(map(_columns_of_one, text))


def _columns_of_one(character: str) -> int:
    if unicodedata.category(character) in _WITHOUT_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def cut_to(text: str, width: int) -> str:
    """The text, or its beginning with a mark that there is more, and nothing that dangles before the mark."""
    if columns_of(text) <= width:
        return text
    return _begun(text, width - 1).rstrip(_DANGLING) + "…"


def cut_in_the_middle(text: str, width: int) -> str:
    """The text, or its two ends: of a path the beginning says where, and the end what."""
    if columns_of(text) <= width:
        return text
    kept = max(2, width - 1)
    end = _begun(text[::-1], kept - kept // 3)[::-1]
    return f"{_begun(text, kept // 3)}…{end}"


def below_home(path: str) -> str:
    """As a shell has it; short where it is the user's own."""
    home = os.path.expanduser("~") + "/"
    return f"~/{path[len(home) :]}" if path.startswith(home) else path


def fitted(text: str, width: int) -> str:
    """Exactly so many columns."""
    text = cut_to(text, width)
    return text + " " * (width - columns_of(text))


def wrap(text: str, width: int) -> list[str]:
    """Lines of at most so many columns, broken between words where there are any."""
    return [" ".join(piece for _, piece in line) for line in lay_out(_words_of(text), width)]


def lay_out(words: Sequence[str], width: int) -> list[list[tuple[int, str]]]:
    """Lines of at most so many columns, words apart by a space: of each word its number, and what of it is there."""
    lines: list[list[tuple[int, str]]] = []
    line: list[tuple[int, str]] = []
    used = 0
    for number, word in enumerate(words):
        needed = columns_of(word)
        if line and used + 1 + needed <= width:
            line.append((number, word))
            used += 1 + needed
            continue
        # A script without spaces may be broken anywhere, and goes on where the line has room.
        if line and needed > len(word):
            start, word = _broken(word, width - used - 1)
            line += [(number, start)] if start else []
            needed -= columns_of(start)
        if line:
            lines.append(line)
        # Paths, too, may be longer than a line.
        while needed > width and len(word) > 1:
            start, word = _broken(word, max(width, _WIDEST))
            lines.append([(number, start)])
            needed -= columns_of(start)
        line, used = [(number, word)], needed
    return [*lines, line] if line else lines


def lay_beside(lead: str, text: str, width: int | None) -> list[tuple[str, str]]:
    """A text beside its lead, or where that leaves too little room below it: what stands before each line, and it."""
    if width is None:
        return [(lead, text)]
    margin = " " * columns_of(lead)
    if has_room_beside(lead, width):
        first, *more = wrap(text, width - len(margin)) or [""]
        return [(lead, first), *((margin, line) for line in more)]
    return [(lead.rstrip(), ""), *((_BELOW, line) for line in wrap(text, max(_LEAST_TEXT, width - len(_BELOW))))]


def margin_of(lead: str, width: int | None) -> str:
    """What stands before a further text of the same lead."""
    return " " * columns_of(lead) if width is None or has_room_beside(lead, width) else _BELOW


def has_room_beside(lead: str, width: int) -> bool:
    return width - columns_of(lead) >= _LEAST_TEXT


def _words_of(text: str) -> list[str]:
    """The words, and as one of them each command that a sentence ends in: whoever copies it wants it on one line."""
    words: list[str] = []
    is_command = False
    for word in text.split():
        is_command = is_command and columns_of(words[-1]) < _LONGEST_COMMAND
        if is_command:
            words[-1] += f" {word}"
        else:
            words.append(word)
        is_named = word == "recapd" and len(words) > 1 and words[-2].endswith(":")
        is_command = (is_command or is_named) and not word.endswith(_ENDS_COMMAND)
    return words


def _broken(word: str, width: int) -> tuple[str, str]:
    """As much of the word as fits, and the rest: a path behind a folder, no mark of a sentence at the beginning."""
    cut = len(_begun(word, width))
    if cut < len(word):
        folder = word.rfind("/", cut // 2, cut)
        if folder >= 0:
            cut = folder + 1
        elif cut > 1 and word[cut] in _NEVER_FIRST:
            cut -= 1
    return word[:cut], word[cut:]


def _begun(text: str, width: int) -> str:
    """As many of the first characters as fit."""
    used = 0
    for cut, character in enumerate(text):
        used += columns_of(character)
        if used > width:
            return text[:cut]
    return text
