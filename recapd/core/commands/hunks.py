"""Hunks: what a patch, or the replacing of one text by another, changes in one file, line by line.

Owns reading them out of the two patch formats (see patches) and making one of two texts. Knows no tool and no log.
All of it is linear: texts are compared from both ends only.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from recapd.core import late_re as re

CONTEXT_LINES: Final = 3
NO_NEWLINE: Final = "\\ No newline at end of file"
_BEGIN: Final = "*** Begin Patch"
_FILE: Final = re.compile(r"\*\*\* (Add File|Update File|Delete File|Move to|End Patch)(?:: *(.*)|[ \t\r]*)")
_UNIFIED: Final = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_NOWHERE: Final = "/dev/null"


class Hunk(Struct, frozen=True, gc=False):
    """Lines of a file that follow each other, each behind its sign: " " stays, "-" goes, "+" comes."""

    lines: tuple[str, ...]
    # Numbers of the first line before and after; 0 where nobody tells.
    old_start: int = 0
    new_start: int = 0

    @property
    def old(self) -> str:
        return "\n".join(line[1:] for line in self.lines if line[:1] in ("-", " "))

    @property
    def new(self) -> str:
        return "\n".join(line[1:] for line in self.lines if line[:1] in ("+", " "))


def hunk_between(old: str, new: str, *, old_start: int = 0, new_start: int = 0) -> Hunk:
    """One text replaced by another: what both begin and end with is context, of which a little is kept."""
    before, after = old.split("\n"), new.split("\n")
    shortest = min(len(before), len(after))
    same = 0
    while same < shortest and before[same] == after[same]:
        same += 1
    end = 0
    while end < shortest - same and before[-1 - end] == after[-1 - end]:
        end += 1
    skipped = max(same - CONTEXT_LINES, 0)
    lines = (
        *(f" {line}" for line in before[skipped:same]),
        *(f"-{line}" for line in before[same : len(before) - end]),
        *(f"+{line}" for line in after[same : len(after) - end]),
        *(f" {line}" for line in before[len(before) - end : len(before) - end + CONTEXT_LINES]),
    )
    return Hunk(lines, old_start + skipped if old_start else 0, new_start + skipped if new_start else 0)


def whole_file(text: str) -> Hunk:
    """A file written as a whole."""
    lines = [f"+{line}" for line in text.split("\n")]
    if text.endswith("\n") or not text:
        lines.pop()
    else:
        lines.append(NO_NEWLINE)
    return Hunk(tuple(lines), 0, 1)


def patch_hunks(text: str, is_wanted: Callable[[str], bool]) -> tuple[Hunk, ...]:
    """What a patch changes in the files that are wanted, by their paths in it."""
    start = text.find(_BEGIN)
    if start >= 0:
        return tuple(_envelope_hunks(text[start:].split("\n"), is_wanted))
    return tuple(_unified_hunks(text.split("\n"), is_wanted)) if "\n@@ -" in f"\n{text}" else ()


def _envelope_hunks(lines: Sequence[str], is_wanted: Callable[[str], bool]) -> Iterator[Hunk]:
    is_ours = is_new = False
    hunk: list[str] = []
    for line in lines:
        header = _FILE.fullmatch(line) if line.startswith("*** ") else None
        if header is None and not line.startswith("@@"):
            if is_ours and line[:1] in ("+", "-", " "):
                hunk.append(line)
            elif is_ours and not line and not is_new:
                # Some leave the sign of an empty line away.
                hunk.append(" ")
            continue
        if hunk:
            yield _trimmed(hunk, 1 if is_new else 0)
            hunk = []
        if header is None:
            continue
        kind, path = header[1], (header[2] or "").rstrip(" \t\r")
        if kind == "Move to":
            is_ours = is_ours or is_wanted(path)
        else:
            is_ours, is_new = kind != "End Patch" and is_wanted(path), kind == "Add File"
    if hunk:
        yield _trimmed(hunk, 1 if is_new else 0)


def _trimmed(lines: list[str], new_start: int) -> Hunk:
    while lines and lines[-1] == " ":
        lines.pop()
    return Hunk(tuple(lines), 0, new_start)


def _unified_hunks(lines: Sequence[str], is_wanted: Callable[[str], bool]) -> Iterator[Hunk]:
    # A diff of one file may have no header: then it is of the file that was asked for.
    is_ours = True
    old_path = ""
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if line.startswith("--- "):
            old_path = _path_in(line)
        elif line.startswith("+++ "):
            new_path = _path_in(line)
            is_ours = is_wanted(old_path if new_path == _NOWHERE else new_path)
        elif found := _UNIFIED.match(line):
            left_old, left_new = int(found[2] or 1), int(found[4] or 1)
            begin = at
            while at < len(lines) and (left_old > 0 or left_new > 0 or lines[at].startswith("\\")):
                sign = lines[at][:1]
                left_old -= sign in (" ", "-", "")
                left_new -= sign in (" ", "+", "")
                at += 1
            if is_ours:
                yield Hunk(tuple(each or " " for each in lines[begin:at]), int(found[1]), int(found[3]))


def _path_in(line: str) -> str:
    path = line[4:].rstrip("\r").split("\t", 1)[0].strip('"')
    return path if path == _NOWHERE else path.removeprefix("a/").removeprefix("b/")
