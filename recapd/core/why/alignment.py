"""Which lines of a text stay in the next one, as far as that is certain.

A diff picks one of several shortest ways to say what changed: of two equal braces it names one as new, and another diff
the other. Here a line stays where it stays in every longest common subsequence, is new where it is in none, and is
unsure else. Where a text is too long for that to be worked out, lines that occur once on either side divide it, and
only those count whose order leaves no choice.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

# What a line of the later text is, if not the number of a line of the earlier one.
NEW: Final = -1
UNSURE: Final = -2
# A table of so many cells takes some ten milliseconds; most edits need a few hundred.
_MOST_CELLS: Final = 60_000
# Lines are compared so many at a time, as long as they are the same.
_STRIDE: Final = 512
# Letters and digits of lines that were moved together: below that, they may as well have been written again.
MOVED_CHARS: Final = 20


class Alignment(Struct, frozen=True):
    """By line of the later text: the line of the earlier one that it is, or NEW, or UNSURE."""

    lines: list[int]
    # Lines that changed places, or may have, as others did around them: occurring once on either side, and enough of
    # them in a row to be known again.
    moved: dict[int, int]


def align(before: Sequence[str], after: Sequence[str], *, most_cells: int = _MOST_CELLS) -> Alignment:
    """Which lines of `before` stay in `after`, and as which."""
    lines = [UNSURE] * len(after)
    is_divided = _solve(before, after, lines, most_cells)
    counts, other_counts = Counter(before), Counter(after)
    stayed = {row for row in lines if row >= 0}
    gone = {text: row for row, text in enumerate(before) if row not in stayed}
    moved: dict[int, int] = {}
    for at, text in enumerate(after):
        if lines[at] >= 0 or text not in gone:
            continue
        if counts[text] == 1 and other_counts[text] == 1:
            moved[at] = gone[text]
        elif is_divided:
            # It may have stayed, and what divides the text been moved.
            lines[at] = UNSURE
    return Alignment(lines, {at: moved[at] for run in _runs(moved) if _weight(after, run) >= MOVED_CHARS for at in run})


def _solve(before: Sequence[str], after: Sequence[str], lines: list[int], most_cells: int) -> bool:
    """Fill in what each line is; whether the texts were too long to be looked at as a whole."""
    is_divided = False
    waiting = [(0, len(before), 0, len(after))]
    while waiting:
        window = _narrowed(before, after, waiting.pop(), lines)
        from_before, to_before, from_after, to_after = window
        if from_after == to_after:
            continue
        if (to_before - from_before) * (to_after - from_after) <= most_cells:
            _settle_by_table(before, after, window, lines)
        else:
            is_divided = True
            waiting += _divided(before, after, window, lines)
    return is_divided


def _narrowed(
    before: Sequence[str], after: Sequence[str], window: tuple[int, int, int, int], lines: list[int]
) -> tuple[int, int, int, int]:
    """What is left of a window without the lines both sides begin and end with, which stay.

    A line at the border stays for certain only where it does not occur in what is left: else one of those may be it.
    """
    from_before, to_before, from_after, to_after = window
    shortest = min(to_before - from_before, to_after - from_after)
    head = _common_head(before, after, from_before, from_after, shortest)
    tail = _common_tail(before, after, to_before, to_after, shortest - head)
    if head == shortest and to_before - from_before == to_after - from_after:
        lines[from_after:to_after] = range(from_before, to_before)
        return to_before, to_before, to_after, to_after
    rest = {
        *before[from_before + head : to_before - tail],
        *after[from_after + head : to_after - tail],
    }
    while head and before[from_before + head - 1] in rest:
        head -= 1
    while tail and before[to_before - tail] in rest:
        tail -= 1
    lines[from_after : from_after + head] = range(from_before, from_before + head)
    lines[to_after - tail : to_after] = range(to_before - tail, to_before)
    return from_before + head, to_before - tail, from_after + head, to_after - tail


def _common_head(before: Sequence[str], after: Sequence[str], one: int, other: int, most: int) -> int:
    same = 0
    while same < most:
        stride = min(_STRIDE, most - same)
        if before[one + same : one + same + stride] != after[other + same : other + same + stride]:
            break
        same += stride
    while same < most and before[one + same] == after[other + same]:
        same += 1
    return same


def _common_tail(before: Sequence[str], after: Sequence[str], one: int, other: int, most: int) -> int:
    same = 0
    while same < most:
        stride = min(_STRIDE, most - same)
        if before[one - same - stride : one - same] != after[other - same - stride : other - same]:
            break
        same += stride
    while same < most and before[one - same - 1] == after[other - same - 1]:
        same += 1
    return same


def _settle_by_table(
    before: Sequence[str], after: Sequence[str], window: tuple[int, int, int, int], lines: list[int]
) -> None:
    """By all longest common subsequences at once: `heads[i][j]` is the length of those of the first `i` and `j` lines,
    `tails[i][j]` of those from there on."""
    from_before, to_before, from_after, to_after = window
    mine, theirs = before[from_before:to_before], after[from_after:to_after]
    heads = _lengths(mine, theirs)
    tails = [row[::-1] for row in reversed(_lengths(mine[::-1], theirs[::-1]))]
    longest = tails[0][0]
    for at, text in enumerate(theirs):
        stays = [
            row
            for row, line in enumerate(mine)
            if line == text and heads[row][at] + 1 + tails[row + 1][at + 1] == longest
        ]
        may_be_new = any(heads[row][at] + tails[row][at + 1] == longest for row in range(len(mine) + 1))
        if not stays:
            lines[from_after + at] = NEW
        elif len(stays) == 1 and not may_be_new:
            lines[from_after + at] = from_before + stays[0]


def _lengths(mine: Sequence[str], theirs: Sequence[str]) -> list[list[int]]:
    rows = [[0] * (len(theirs) + 1)]
    for line in mine:
        above = rows[-1]
        row = [0]
        left = 0
        for at, text in enumerate(theirs):
            left = above[at] + 1 if line == text else max(left, above[at + 1])
            row.append(left)
        rows.append(row)
    return rows


def _divided(
    before: Sequence[str], after: Sequence[str], window: tuple[int, int, int, int], lines: list[int]
) -> list[tuple[int, int, int, int]]:
    """The windows between lines that stay for certain; what has none is new only where its text is."""
    from_before, to_before, from_after, to_after = window
    mine, theirs = before[from_before:to_before], after[from_after:to_after]
    known = set(mine)
    for at, text in enumerate(theirs, from_after):
        if text not in known:
            lines[at] = NEW
    fixed = _fixed(mine, theirs)
    windows: list[tuple[int, int, int, int]] = []
    last_before, last_after = from_before, from_after
    for row, at in fixed:
        lines[from_after + at] = from_before + row
        windows.append((last_before, from_before + row, last_after, from_after + at))
        last_before, last_after = from_before + row + 1, from_after + at + 1
    if fixed:
        windows.append((last_before, to_before, last_after, to_after))
    return windows


def _fixed(mine: Sequence[str], theirs: Sequence[str]) -> list[tuple[int, int]]:
    """Lines that occur once on either side and are in every longest run of such lines that keep their order."""
    counts, other_counts = Counter(mine), Counter(theirs)
    place_of = {text: row for row, text in enumerate(mine) if counts[text] == 1}
    pairs = [(place_of[text], at) for at, text in enumerate(theirs) if text in place_of and other_counts[text] == 1]
    rows = [row for row, _ in pairs]
    up_to = _run_lengths(rows)
    from_on = _run_lengths([-row for row in reversed(rows)])[::-1]
    longest = max(up_to, default=0)
    in_one = [
        (pair, length) for pair, length, rest in zip(pairs, up_to, from_on, strict=True) if length + rest - 1 == longest
    ]
    at_length = Counter(length for _, length in in_one)
    return [pair for pair, length in in_one if at_length[length] == 1]


def _run_lengths(rows: Sequence[int]) -> list[int]:
    """By place: how long the longest rising run is that ends there."""
    ends: list[int] = []
    lengths: list[int] = []
    for row in rows:
        at = bisect_left(ends, row)
        ends[at : at + 1] = [row]
        lengths.append(at + 1)
    return lengths


def _runs(moved: dict[int, int]) -> list[list[int]]:
    """Lines that were moved together."""
    runs: list[list[int]] = []
    for at, row in moved.items():
        if runs and runs[-1][-1] == at - 1 and moved[at - 1] == row - 1:
            runs[-1].append(at)
        else:
            runs.append([at])
    return runs


def _weight(texts: Sequence[str], run: Sequence[int]) -> int:
    return sum(letter.isalnum() for at in run for letter in texts[at])
