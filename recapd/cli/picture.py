"""A session in a line of blocks: turns over time, how much was done, what failed, decisions, tests, commits. Pure.

▂▁█▅⋯▃▇▁     height: calls of the turn; green where files were changed, red where most failed; ⋯ a long break
 ◆ ✗  ✓●     below: ◆ decision, ✓ ✗ tests, ● commit, ▲ pull request, ┆ compaction, ! failure of the agent
"""

from __future__ import annotations

from recapd.cli.ids import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

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
# Of several marks below one block, the one that a returning reader looks for.
_ORDER = ("testsFailed", "error", "pullRequest", "commit", "testsPassed", "compaction", "interrupted", "decision")
_BREAK = "⋯"


def draw_session(turns: Sequence[Row], marks: Sequence[Row], *, width: int, paint: Paint) -> list[str]:
    """Two lines of at most so many columns, none where nothing happened. `paint` colours a text by its SGR code."""
    breaks = {_number(mark, "turn") for mark in marks if text_of(mark, "kind") == "gap"}
    columns = _columns(turns, breaks, width)
    if not columns:
        return []
    most = max((_number(turn, "calls") for column in columns for turn in column), default=0)
    above = "".join(_block(column, most, paint) if column else paint(_BREAK, "2") for column in columns)
    below = "".join(_mark_below(column, marks, paint) for column in columns)
    return [above, below.rstrip()] if below.strip() else [above]


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


def _block(column: list[Row], most: int, paint: Paint) -> str:
    calls = sum(_number(turn, "calls") for turn in column)
    failed = sum(_number(turn, "failed") for turn in column)
    edits = sum(_number(turn, "edits") for turn in column)
    height = min(len(_BLOCKS) - 1, round((len(_BLOCKS) - 1) * calls / most)) if most else 0
    colour = "31" if failed * 2 > calls else "32" if edits else "34" if calls else "2"
    return paint(_BLOCKS[height], colour)


def _mark_below(column: list[Row], marks: Sequence[Row], paint: Paint) -> str:
    if not column:
        return " "
    first, last = _number(column[0], "turn"), _last(column[-1])
    kinds = {text_of(mark, "kind") for mark in marks if first <= _number(mark, "turn") <= last}
    kind = next((each for each in _ORDER if each in kinds), None)
    return paint(*_MARKS[kind]) if kind else " "


def _last(turn: Row) -> int:
    return _number(turn, "toTurn") or _number(turn, "turn")


def _number(row: Row, key: str) -> int:
    found = row.get(key)
    return found if isinstance(found, int) else 0
