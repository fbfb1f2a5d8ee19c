"""A session in a line of blocks: turns over time, how much was done, what failed, decisions, tests, commits. Pure.

▂▂▂ ▁▁▁ ███ ⋯ ▇▇▇     height: calls of the turn; green where files changed, red where most failed; ⋯ a long break
    ◆   ✗✓    ●◆      below: ◆ decision, ✓ ✗ tests, ● commit, ▲ pull request, ┆ compaction, ! failure of the agent

A turn has four columns while there is room for that, and one or less in a long session.
"""

from __future__ import annotations

from recapd.cli.ids import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    Row = Mapping[str, object]
    Paint = Callable[[str, str], str]

_BLOCKS = "▁▂▃▄▅▆▇█"
_MARKS = {
    "decision": ("◆", "36"),
    "testsPassed": ("✓", "32"),
    "testsFailed": ("✗", "31"),
    "commit": ("●", "35"),
    "pullRequest": ("▲", "35"),
    "compaction": ("┆", "2"),
    "error": ("!", "31"),
    "interrupted": ("■", "33"),
}
# Of more marks than there is room for below a turn, those that a returning reader looks for.
_ORDER = ("testsFailed", "error", "pullRequest", "commit", "testsPassed", "compaction", "interrupted", "decision")
_BREAK = "⋯"
_WIDE = 3


_BLOCK_WORDS = {"32": "files changed", "34": "none changed", "31": "most failed"}
_WORDS = {
    "decision": "decision",
    "testsPassed": "tests passed",
    "testsFailed": "tests failed",
    "commit": "commit",
    "pullRequest": "pull request",
    "compaction": "compaction",
    "error": "failure",
    "interrupted": "interrupted",
    "gap": "break",
}


def draw_session(
    turns: Sequence[Row], marks: Sequence[Row], *, width: int, paint: Paint, with_legend: bool = False
) -> list[str]:
    """Two lines of at most so many columns, none where nothing happened; and what its signs mean, where that is asked
    for. `paint` colours a text by its SGR code."""
    breaks = {_number(mark, "turn") for mark in marks if text_of(mark, "kind") == "gap"}
    columns = _columns(turns, breaks, width)
    if not columns:
        return []
    most = max((_number(turn, "calls") for column in columns for turn in column), default=0)
    # A turn and the space behind it; a break and the space behind it.
    wide = _WIDE if sum(_WIDE + 1 if column else 2 for column in columns) <= width else 1
    behind = " " if wide > 1 else ""
    above = "".join(
        (_block(column, most, wide, paint) if column else paint(_BREAK, "2")) + behind for column in columns
    ).rstrip()
    below = "".join(_marks_below(column, marks, wide, paint) + behind for column in columns)
    drawn = [above, below.rstrip()] if below.strip() else [above]
    if not with_legend:
        return drawn
    colours = dict.fromkeys(_colour_of(column) for column in columns if column)
    return [*drawn, *_legend(above + below, colours, width, paint)]


def _legend(drawn: str, colours: Iterable[str], width: int, paint: Paint) -> list[str]:
    """The signs that are drawn, each with its meaning, in lines of at most so many columns."""
    told = [("▂▅█", "", "calls of a turn")]
    # Where there are no colours, a block says no more than how much was done.
    if paint("█", "32") != "█":
        told += [("█", colour, _BLOCK_WORDS[colour]) for colour in colours if colour in _BLOCK_WORDS]
    signs = _MARKS | {"gap": (_BREAK, "2")}
    told += [(sign, colour, _WORDS[kind]) for kind, (sign, colour) in signs.items() if sign in drawn]
    lines: list[list[tuple[str, str, str]]] = [[]]
    for each in told:
        if sum(len(sign) + len(word) + 4 for sign, _, word in (*lines[-1], each)) - 3 > width and lines[-1]:
            lines.append([])
        lines[-1].append(each)
    return ["   ".join(f"{paint(sign, colour)} {paint(word, '2')}" for sign, colour, word in line) for line in lines]


def _columns(turns: Sequence[Row], breaks: set[int], width: int) -> list[list[Row]]:
    """The turns of each column; an empty one is a break. Where there are too many, several share one."""
    room = max(1, width)
    shared = 1
    while True:
        columns: list[list[Row]] = []
        for turn in turns:
            if columns and breaks.intersection(range(_number(turn, "turn"), _last(turn) + 1)):
                columns += [[], [turn]]
            elif columns and len(columns[-1]) < shared:
                columns[-1].append(turn)
            else:
                columns.append([turn])
        if len(columns) <= room or shared > len(turns):
            return columns[-room:]
        shared += 1


def _block(column: list[Row], most: int, wide: int, paint: Paint) -> str:
    calls = sum(_number(turn, "calls") for turn in column)
    height = min(len(_BLOCKS) - 1, round((len(_BLOCKS) - 1) * calls / most)) if most else 0
    return paint(_BLOCKS[height] * wide, _colour_of(column))


def _colour_of(column: list[Row]) -> str:
    calls = sum(_number(turn, "calls") for turn in column)
    failed = sum(_number(turn, "failed") for turn in column)
    edits = sum(_number(turn, "edits") for turn in column)
    return "31" if failed * 2 > calls else "32" if edits else "34" if calls else "2"


def _marks_below(column: list[Row], marks: Sequence[Row], wide: int, paint: Paint) -> str:
    if not column:
        return " "
    first, last = _number(column[0], "turn"), _last(column[-1])
    kinds = {text_of(mark, "kind") for mark in marks if first <= _number(mark, "turn") <= last}
    shown = [each for each in _ORDER if each in kinds][:wide]
    return "".join(paint(*_MARKS[kind]) for kind in shown) + " " * (wide - len(shown))


def _last(turn: Row) -> int:
    return _number(turn, "toTurn") or _number(turn, "turn")


def _number(row: Row, key: str) -> int:
    found = row.get(key)
    return found if isinstance(found, int) else 0
