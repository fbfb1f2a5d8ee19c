"""Lines of ours at the end of somebody's text file, between two marks, by which they are known again. Pure.

One line end stands before them, and goes with them. The file's own line ends are kept to, and editors that change
them, or leave out the last, change nothing about whose lines these are.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Marks(NamedTuple):
    begin: str
    end: str


def put_lines(text: str, lines: str, marks: Marks) -> str:
    ours = f"{marks.begin}\n{lines}{marks.end}\n"
    if text:
        ours = "\n" + ours
    return text + (ours.replace("\n", "\r\n") if "\r\n" in text else ours)


def has_lines(text: str, marks: Marks) -> bool:
    return _find(text, marks) is not None


def take_lines(text: str, marks: Marks) -> str:
    """The text without them, and as it is where they are not there."""
    found = _find(text, marks)
    if found is None:
        return text
    before, after = text[: found.start()], text[found.end() :]
    if after and not before.endswith("\n"):
        # What others wrote behind ours since begins a line of its own.
        before += found[1]
    return before + after


def _find(text: str, marks: Marks) -> re.Match[str] | None:
    begin, end = map(re.escape, marks)
    return re.search(rf"(\r?\n|\A){begin}\r?\n(?:.*\n)*?{end}(?:\r?\n|\Z)", text)
