"""Sessions in a line each, the same wherever they are listed: number, state, age, project, id, title. Pure.

Rows are as they come over the wire, so that a list can be shown without importing the types of every method.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime

from recapd.cli.ids import short_ids, text_of
from recapd.cli.terminal import columns_of, cut_to, fitted
from recapd.core.views.state_words import state_word

TYPE_CHECKING = False  # typing costs more to import than a list takes to show
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeAlias

    Row: TypeAlias = Mapping[str, object]
    Paint: TypeAlias = Callable[[str, str], str]

_COLOURS = {"waiting": "", "active": "32", "interrupted": "31", "answered": "2", "finished": "2"}
# Not bold: many terminals make bold yellow a bright one, which nobody can read on a light ground.
NEEDING, _FAINT, _STRONG = "33", "2", "1"
_MARKS = {"waiting": "●", "active": "▶", "interrupted": "✗", "answered": "○", "finished": "○"}
_ENDS = {"crashed": "crashed", "tokens": "out of tokens", "iterations": "out of iterations", "failed": "failed"}
_UNASKED, _EMPTY = "not asked", "empty"
# What a list of titles is still readable with.
_LEAST_TITLE = 20
# Of a folder's name so much is shown on a narrow and on a wide terminal.
_SHORT_PROJECT, _LONG_PROJECT = 12, 20
_WIDE = 100
# Room for what is asked, which matters more than what it is about.
_MOST_TITLE = 44
_MINUTE_S, _HOUR_S, _DAY_S = 60, 3_600, 86_400


def needs_you(row: Row) -> bool:
    return row.get("state") == "waiting" and row.get("needs") != "nothing"


def write_state(row: Row) -> str:
    if row.get("turns") == 0 and row.get("state") == "answered" and not row.get("question"):
        # Where nobody asked, nothing was answered.
        return _UNASKED if row.get("messages") else _EMPTY
    return state_word(text_of(row, "state"), text_of(row, "question") or None, text_of(row, "needs") or None)


def write_age(at: str, now: datetime) -> str:
    """How long ago, as one says it; a date where that is longer than a month."""
    try:
        then = datetime.fromisoformat(at)
    except ValueError:
        return "no time"
    if then.tzinfo is None:
        then = then.replace(tzinfo=UTC)
    passed_s = (now - then).total_seconds()
    if passed_s < _MINUTE_S:
        return "just now"
    if passed_s < _HOUR_S:
        return f"{passed_s // _MINUTE_S:.0f} min ago"
    if passed_s < _DAY_S:
        return f"{passed_s // _HOUR_S:.0f} h ago"
    days = passed_s // _DAY_S
    if days < 31:
        return f"{days:.0f} day{'' if days == 1 else 's'} ago"
    local = then.astimezone()
    return f"{local.day} {local:%b}" if local.year == now.astimezone().year else f"{local:%b} {local.year}"


def write_project(row: Row) -> str:
    """The folder's own name; that of a home or of nothing says less than nothing."""
    name = os.path.basename(text_of(row, "workspace").rstrip("/\\").replace("\\", "/"))
    # A name may hold anything; a row is one line.
    return " ".join(name.split())


def colour_of(row: Row) -> str:
    """What needs somebody stands out, what is over stands back."""
    return NEEDING if needs_you(row) else _COLOURS.get(text_of(row, "state"), "")


def paint_nothing(text: str, _: str) -> str:
    return text


def write_rows(
    rows: Sequence[Row], *, now: datetime, width: int | None, first: int = 1, paint: Paint = paint_nothing
) -> list[str]:
    """A line each, numbered; of at most so many columns, or whole where there is no width. `paint` colours a text by
    its SGR code."""
    most_project = _SHORT_PROJECT if width and width < _WIDE else _LONG_PROJECT
    names = short_ids(text_of(row, "id") for row in rows)
    cells = [
        (
            f"{number:>{len(str(first + len(rows) - 1))}}",
            _write_marked_state(row),
            write_age(text_of(row, "lastActiveAt"), now),
            cut_to(write_project(row), most_project) if width else write_project(row),
            names[text_of(row, "id")],
            write_title(row),
        )
        for number, row in enumerate(rows, first)
    ]
    widths = [max(map(columns_of, column)) for column in zip(*cells, strict=True)]
    if width is not None:
        # What is least missed goes first, until the title has room: the id, the project, the age.
        for column in (4, 3, 2):
            if sum(widths[:-1]) + 2 * (len([each for each in widths if each]) - 1) + _LEAST_TITLE > width:
                widths[column] = 0
    taken = sum(size + 2 for size in widths[:-1] if size)
    lines = []
    for row, told in zip(rows, cells, strict=True):
        title = told[-1] if width is None else cut_to(told[-1], max(3, width - taken))
        # Number, state, age, project, id.
        colours = (_FAINT, colour_of(row), _FAINT, "", _FAINT)
        lead = [
            paint(fitted(cell, size), colour)
            for cell, size, colour in zip(told[:-1], widths[:-1], colours, strict=True)
            if size
        ]
        lines.append("  ".join((*lead, paint(title, _STRONG if needs_you(row) else ""))).rstrip())
    return lines


def write_head(row: Row, *, now: datetime, width: int, paint: Paint = paint_nothing) -> str:
    """One session in a line above what is told of it: its state, its title, and as many facts as there is room for."""
    state = _write_marked_state(row)
    title = _title_alone(row)
    session_id = text_of(row, "id")
    facts = [write_project(row), write_age(text_of(row, "lastActiveAt"), now), short_ids([session_id])[session_id]]
    facts = [fact for fact in (*facts, text_of(row, "agent"), text_of(row, "branch")) if fact]
    room = width - columns_of(state) - 2
    while facts and sum(columns_of(fact) + 3 for fact in facts) + min(columns_of(title), _MOST_TITLE) > room:
        facts.pop()
    told = "".join(f" · {fact}" for fact in facts)
    return (
        f"{paint(state, colour_of(row))}  {paint(cut_to(title, room - columns_of(told)), _STRONG)}{paint(told, _FAINT)}"
    )


def _write_marked_state(row: Row) -> str:
    return f"{_MARKS.get(text_of(row, 'state'), '·')} {write_state(row)}"


def _title_alone(row: Row) -> str:
    return " ".join((text_of(row, "title") or "(untitled)").split())


def write_title(row: Row) -> str:
    """What it is about; behind it what it asks, or does right now. How others ended is told by their state."""
    title = _title_alone(row)
    running = row.get("running")
    doing = text_of(running, "text").replace("`", "") if isinstance(running, dict) else ""
    detail = " ".join((text_of(row, "question") or doing or _write_end(row)).split())
    return f"{cut_to(title, _MOST_TITLE)} — {detail}" if detail else title


def _write_end(row: Row) -> str:
    """How it ended where that is not told by its state, how often it was begun, and what the agent noted for itself."""
    instances, note = row.get("instances"), text_of(row, "note")
    parts = (
        _ENDS.get(text_of(row, "ended"), ""),
        f"{instances} instances" if isinstance(instances, int) and instances > 1 else "",
        f"note: {note}" if note else "",
    )
    return " · ".join(filter(None, parts))
