"""The bytes of a configuration file, and the TOML document they are. A line that is no TOML costs itself, not the file.

Owns what a person is told of such a line; must not know what the keys mean beyond their type. A file may come with
anybody's checkout, and tomllib takes time and memory by the square of a key's parts and recurses into nested values:
what is too deep or too long is refused before it gets to see it.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import tomllib

from recapd.core.text import excerpt
from recapd.core.trouble import Trouble
from recapd.daemon.config.setting_keys import describe_accepted, keys, shown_name

# A generous configuration has a few kilobytes; what is larger is something else.
MAX_BYTES = 1 << 20
# More than this is no slip of the pen: the file is something else.
_MOST_BAD_LINES = 10
_WHERE = re.compile(r" \(at line (\d+), column \d+\)$")
_HEADING = re.compile(r"^\s*+\[\s*+([A-Za-z0-9_.\"'-]++(?:[ \t]++[A-Za-z0-9_.\"'-]++)*+)\s*+\]\s*+(?:#.*)?$")
_ASSIGNMENT = re.compile(r"^\s*+([A-Za-z0-9_.-]++)\s*+=\s*+(.*)$")
_QUOTED_CHARACTERS = 40
# A setting has two parts, one of a dialect five; a list of lists is already odd.
_DEEPEST = 16
_LONGEST_LINE = 10_000
# Where tomllib sees a string or a comment, so must this: a key is not to be hidden in what only looks like one. What is
# not closed goes to the end, for there tomllib gives up. Possessive, so that nothing is tried twice.
_TOKEN = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"{3,5}|\\?\Z)'
    r"|'''(?:[^']|'(?!''))*+(?:'{3,5}|\Z)"
    r'|"(?:[^"\\\n]|\\.)*+"?'
    r"|'[^'\n]*+'?"
    r"|\#[^\n]*+"
    r"|[][{}.,=\n]",
    re.DOTALL,
)


def bytes_of(path: str, *, flags: int = 0, most: int = MAX_BYTES) -> bytes:
    """Of a plain file of up to so many bytes, without waiting for anybody; else OSError."""
    fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | flags)
    with open(fd, "rb") as file:
        found = os.fstat(fd)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "it is not a plain file")
        if found.st_size > most:
            raise OSError(errno.EFBIG, f"it is larger than {most} bytes")
        return file.read(most)


def document_of(data: bytes) -> tuple[dict[str, object], tuple[Trouble, ...]]:
    """What the file says, and what of it could not be read, without the file's name."""
    try:
        lines = data.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        return {}, (Trouble("it is not UTF-8 text"),)
    troubles: list[Trouble] = []
    for _ in range(_MOST_BAD_LINES + 1):
        text = "\n".join(lines) + "\n"
        # Each time: the line that was dropped may have opened the string that hid the next one.
        if excess := _excess_in(text):
            return {}, (Trouble(excess),)
        try:
            return tomllib.loads(text), tuple(troubles)
        except tomllib.TOMLDecodeError as error:
            found = _WHERE.search(str(error))
            if found is None or not lines[(number := int(found[1])) - 1].strip():
                # The end of the file, or a line that was emptied before: what is wrong began further up.
                return {}, (Trouble(f"it is no TOML: {_lowered(str(error))}"),)
            troubles.append(_trouble_at(lines, number, _WHERE.sub("", str(error))))
            _drop(lines, number)
        except ValueError:
            # Python reads no decimal number of more than 4300 digits.
            return {}, (Trouble("it holds a number that is too long"),)
    return {}, (Trouble("it is no TOML"), *troubles[:1])


def _excess_in(text: str) -> str:
    """What makes a text too much for tomllib, one sentence; "" where it is not."""
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > _LONGEST_LINE:
            return f"line {number} is longer than {_LONGEST_LINE} characters"
    depth = dots = 0
    for found in _TOKEN.finditer(text):
        token = found[0]
        if token == ".":
            dots += 1
        elif token[0] not in "\"'":
            # A quoted part of a key stands between dots; everything else ends the key.
            dots = 0
        depth = max(0, depth + (token in "[{") - (token in "]}"))
        if dots >= _DEEPEST or depth > _DEEPEST:
            number = text.count("\n", 0, found.start()) + 1
            what = f"a key of more than {_DEEPEST} parts" if dots >= _DEEPEST else f"more than {_DEEPEST} open brackets"
            return f"it is nested too deep: line {number} has {what}"
    return ""


def _drop(lines: list[str], number: int) -> None:
    """Empty a line; with a heading goes what stands under it, which would else belong to the one above."""
    is_heading = lines[number - 1].lstrip().startswith("[")
    lines[number - 1] = ""
    if is_heading:
        for index in range(number, len(lines)):
            if _HEADING.match(lines[index]) or lines[index].lstrip().startswith("[["):
                return
            lines[index] = ""


def _trouble_at(lines: list[str], number: int, error: str) -> Trouble:
    line = lines[number - 1]
    where = f"(line {number})"
    if line.lstrip().startswith("["):
        return Trouble(f"{shown_name(line.strip())} {where}: {_lowered(error)}", "nothing under it counts")
    assignment = _ASSIGNMENT.match(line)
    if assignment is None:
        return Trouble(f"line {number}: {_lowered(error)}")
    heading = next((found[1] for above in reversed(lines[: number - 1]) if (found := _HEADING.match(above))), "")
    name = f"{heading}.{assignment[1]}" if heading else assignment[1]
    key = keys().get(name)
    if key is None or "overwrite" in error.lower():
        return Trouble(f"{shown_name(name)} {where}: {_lowered(error)}")
    got = (
        "what is no TOML" if key.section == "llm" else excerpt(assignment[2].rstrip(), _QUOTED_CHARACTERS) or "nothing"
    )
    return Trouble(f"{name} {where}: expected {describe_accepted(key)}, got {got}")


def _lowered(error: str) -> str:
    return error[:1].lower() + error[1:]
