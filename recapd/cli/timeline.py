"""`recapd recap --format timeline` for people: the picture of the session, then its turns by day. Pure.

9:00  turn 1    what was asked
                • what came of it
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from itertools import groupby

from recapd.cli.picture import draw_session
from recapd.cli.terminal import lay_beside, margin_of
from recapd.wire.types import ViewItem

Row = Mapping[str, object]
Paint = Callable[[str, str], str]

_RESULTS = {True: ("✓", "32"), False: ("✗", "31"), None: ("•", "")}


def write_timeline(
    items: Sequence[ViewItem], *, turns: Sequence[Row], marks: Sequence[Row], width: int, paint: Paint
) -> str:
    """The picture with what its signs mean, and below the day each turn's time, request and results."""
    parts = ["\n".join(draw_session(turns, marks, width=width, paint=paint, with_legend=True))]
    named = max((len(_turns(item)) for item in items), default=0)
    for day, its_items in groupby(items, key=lambda item: _day(item.at)):
        its_lines = [line for item in its_items for line in _item_lines(item, named, width=width, paint=paint)]
        parts.append("\n".join((paint(day, "1"), *its_lines)))
    return "\n\n".join(part for part in parts if part)


def _item_lines(item: ViewItem, named: int, *, width: int, paint: Paint) -> list[str]:
    lead = f"{_time(item.at):>6}  {_turns(item):<{named}}  "
    (_, first), *more = lay_beside(lead, item.text, width)
    lines = [paint(lead, "2") + paint(first, "1"), *(margin + paint(line, "1") for margin, line in more)]
    for result in item.children or ():
        sign, colour = _RESULTS[result.ok]
        told = lay_beside(f"{margin_of(lead, width)}{sign} ", result.text, width)
        lines += [margin.replace(sign, paint(sign, colour)) + line for margin, line in told]
    return [line.rstrip() for line in lines]


def _turns(item: ViewItem) -> str:
    is_several = item.to_turn is not None and item.to_turn != item.turn
    return f"turns {item.turn}–{item.to_turn}" if is_several else f"turn {item.turn}"


def _day(at: str | None) -> str:
    moment = _moment(at)
    return f"{moment:%A}, {moment.day} {moment:%B %Y}" if moment else "At an unknown time"


def _time(at: str | None) -> str:
    moment = _moment(at)
    return f"{moment.hour}:{moment:%M}" if moment else ""


def _moment(at: str | None) -> datetime | None:
    """In the reader's zone."""
    try:
        return datetime.fromisoformat(at).astimezone() if at else None
    except ValueError:
        return None
