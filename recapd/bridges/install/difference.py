"""How a change of another program's file is shown: our part in full, and of what is theirs nothing but the names.

A configuration holds keys of other servers, and a difference ends in terminals, screenshots and bug reports. A text in
quotes is shown only where the change makes one more or one less of it: then it is ours. Pure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from difflib import unified_diff

from recapd.bridges.install.plan import Edit

# Lines around a change; none of what is no JSON, where names cannot be told from the rest.
_AROUND = 2
_LONGEST_SHOWN = 160
_HIDDEN = "…"
# A text in quotes, with the colon behind it where it is a name; a comment; whatever is neither.
_PART_RE = re.compile(r'("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|(//[^\n]*|/\*.*?(?:\*/|\Z))|[^"/]+|.', re.DOTALL)
_BREAK_RE = re.compile(r"(?<=[,{\[])[ \t]*(?!\s)")


def describe(edit: Edit) -> Iterator[str]:
    """The lines of a difference, fit for a terminal."""
    if edit.is_whole:
        size = len(edit.after or b"")
        yield f"remove {edit.path}" if edit.after is None else f"write {edit.path} ({size:,} bytes)"
        return
    old, new = ((data or b"").decode("utf-8", "replace") for data in (edit.before, edit.after))
    around = 0
    if edit.path.endswith(".json"):
        ours = _texts_in(old) - _texts_in(new) | _texts_in(new) - _texts_in(old)
        old, new = _without_theirs(old, ours), _without_theirs(new, ours)
        around = _AROUND
    for line in _difference(edit, old, new, around):
        shown = line if len(line) <= _LONGEST_SHOWN else line[:_LONGEST_SHOWN] + _HIDDEN
        yield "".join(each if each.isprintable() else " " for each in shown)


def _texts_in(text: str) -> Counter[str]:
    return Counter(part[1] for part in _PART_RE.finditer(text) if part[1] and not part[2])


def _without_theirs(text: str, ours: Counter[str]) -> str:
    def shown(part: re.Match[str]) -> str:
        if part[3]:
            return f"{part[3][:2]} {_HIDDEN}" + "\n" * part[3].count("\n")
        return f'"{_HIDDEN}"' if part[1] and not part[2] and part[1] not in ours else part[0]

    return _PART_RE.sub(shown, text)


def _difference(edit: Edit, old: str, new: str, around: int) -> Iterator[str]:
    if max(map(len, (*old.splitlines(), *new.splitlines())), default=0) > _LONGEST_SHOWN:
        # All on one line: what changes would stand far behind what is shown of it.
        old, new = _laid_out(old), _laid_out(new)
    before, after = old.splitlines(), new.splitlines()
    # A file may have a hundred thousand lines, and a search for what two of those have in common takes minutes.
    begin = max(0, _count_same(before, after) - around)
    before, after = before[begin:], after[begin:]
    end = max(0, _count_same(before[::-1], after[::-1]) - around)
    before, after = before[: len(before) - end], after[: len(after) - end]
    names = ("/dev/null" if edit.before is None else edit.path, "/dev/null" if edit.after is None else edit.path)
    for line in unified_diff(before, after, *names, n=around, lineterm=""):
        yield "@@" if line.startswith("@@") else line


def _laid_out(text: str) -> str:
    return _PART_RE.sub(lambda part: part[0] if part[1] else _BREAK_RE.sub("\n", part[0]), text)


def _count_same(one: list[str], other: list[str]) -> int:
    """How many lines are the same, from the first."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((row for row, (each, its) in pairs if each != its), min(len(one), len(other)))
