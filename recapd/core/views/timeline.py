"""The way of a conversation as a picture of it needs it: its turns in rows, what stands beside them, its topics.

    living turns ─▶ rows, at most so many ─┐
    landmarks, decisions, breaks, readers ─┴─▶ marks, at most as many ─▶ Timeline

Owns: how turns are grouped when there are too many, and which marks are left out then. Must not know: wire types.
Groups begin where they began before as long as their size is the same, so only the last one is made anew.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

from recapd.core.decisions import Entry
from recapd.core.giving_up import look_up
from recapd.core.log import Place, canonical
from recapd.core.state import Landmark, LandmarkKind, Memory, Source, Turn, turns_by_time
from recapd.core.text import excerpt, is_substantive
from recapd.core.views.recap import Recap, Topic, headline_of, line_of, topics_of
from recapd.core.views.since import Point, later_than

MarkKind: TypeAlias = LandmarkKind | Literal["decision", "gap", "acknowledged"]
TurnState: TypeAlias = Literal["active", "waiting", "answered", "interrupted", "finished", "unanswered"]

T = TypeVar("T")

_TEXT_CHARS: Final = 120
_MARK_CHARS: Final = 160
_MOST_TOPICS: Final = 20
# Where not all find room: what tells most of where one is stays longest.
_WEIGHTS: Final[dict[MarkKind, int]] = {
    "acknowledged": 0,
    "compaction": 1,
    "decision": 2,
    "testsFailed": 3,
    "pullRequest": 4,
    "error": 5,
    "commit": 6,
    "testsPassed": 7,
    "interrupted": 8,
    "gap": 9,
}


class Heading(Struct, frozen=True):
    """What was asked, on a line: of several turns the first that asks for something; and where."""

    text: str
    place: Place


class TurnRow(Struct, frozen=True):
    """A turn, or several that follow each other."""

    first: int
    last: int
    at: str
    until: str
    # What was asked, on a line: of several turns the first that asks for something.
    text: str
    calls: int
    failed: int
    edits: int
    # Of several turns, that of the last.
    state: TurnState
    # Of the message whose text it is.
    place: Place


class Mark(Struct, frozen=True):
    kind: MarkKind
    turn: int
    at: str
    text: str
    source: Source
    place: Place
    # The decision's id, and who made it.
    decision: str = ""
    made_by: str = ""
    # How many alike it stands for.
    count: int = 1
    # What it is made of, while nobody has put it into words: most marks of a long session are left out.
    landmark: Landmark | None = None


class Reading(Struct, frozen=True):
    """How far somebody has read, and when."""

    reader: str
    turn: int
    at: str


class Timeline(Struct, frozen=True):
    turns: tuple[TurnRow, ...]
    marks: tuple[Mark, ...]
    topics: tuple[Topic, ...]


class _Lived(Struct, frozen=True):
    """A turn with what its neighbours tell of it."""

    turn: Turn
    # The next one, living or not; of the last none.
    following: Turn | None
    state: TurnState


def timeline_of(
    recap: Recap, *, point: Point | None, buckets: int, gap_s: float, readings: Sequence[Reading]
) -> Timeline:
    """No more rows than `buckets`, and no more marks; with a point, only what came after it."""
    turns = recap.session.main.transcript.turns
    offsets = [turn.request.place.offset for turn in turns]
    lived = _lived(recap, offsets)
    if point is not None:
        lived = [each for each in lived if _is_after(each.turn.number, each.turn.request.place, point)]
    rows = _rows(lived, buckets, recap)
    marks = [*_landmarks(recap, offsets), *_decisions(recap), *_gaps(recap, gap_s), *_readings(recap, readings)]
    if point is not None:
        main, is_later = recap.session.main, later_than(recap.session, point)
        # A byte of another log says nothing.
        marks = [
            mark
            for mark in marks
            if (_is_after(mark.turn, mark.place, point) if mark.source is main else is_later(mark.at))
        ]
    marks.sort(key=lambda mark: (mark.turn, mark.at, mark.place.offset))
    first = rows[0].first if rows else 0
    topics = [topic for topic in topics_of(recap, min(_MOST_TOPICS, buckets)) if topic.last >= first]
    shown = tuple(_in_words(mark) for mark in _fitted(marks, rows, buckets))
    return Timeline(tuple(rows), shown, tuple(topics) if rows else ())


def _is_after(turn: int, place: Place, point: Point) -> bool:
    return turn > point.turn or place.offset >= point.offset


# ---- rows


def _lived(recap: Recap, offsets: Sequence[int]) -> list[_Lived]:
    transcript = recap.session.main.transcript
    turns = transcript.turns
    stopped = {
        bisect_right(offsets, mark.place.offset) - 1 for mark in transcript.landmarks if mark.kind == "interrupted"
    }
    found: list[_Lived] = []
    following: Turn | None = None
    for row in range(len(turns) - 1, -1, -1):
        turn = turns[row]
        if not turn.abandoned:
            if found:
                state: TurnState = "interrupted" if row in stopped else "answered" if turn.replied else "unanswered"
            else:
                state = recap.standing.status
            found.append(_Lived(turn, following, state))
        following = turn
    return found[::-1]


def _end(following: Turn) -> str:
    """When the turn before this one came to rest: so long before this one was asked as nobody did anything."""
    try:
        asked = datetime.fromisoformat(following.request.at)
        return canonical((asked - timedelta(seconds=following.gap_s)).isoformat())
    except (ValueError, OverflowError):
        return ""


def grouped(all_of_them: Sequence[T], most: int) -> list[tuple[T, ...]]:
    """At most so many groups, each of as many but for the last; begun where they began before the last item came."""
    size = 1
    while -(-len(all_of_them) // size) > most:
        size *= 2
    return [tuple(all_of_them[at : at + size]) for at in range(0, len(all_of_them), size)]


def heading_of(turns: Sequence[Turn], memory: Memory) -> Heading:
    asking = next((turn for turn in turns if is_substantive(turn.request.text)), turns[0])
    return Heading(line_of(asking.request, _TEXT_CHARS, memory), asking.request.place)


def _rows(lived: Sequence[_Lived], most: int, recap: Recap) -> list[TurnRow]:
    groups = grouped(lived, most)
    memory, last_at = recap.session.memory, recap.session.main.transcript.ending.at
    rows = [memory.recall(_row, group, (group[0].turn.number, len(groups[0])), memory) for group in groups]
    if lived and lived[-1].following is None:
        rows[-1] = msgspec.structs.replace(rows[-1], until=last_at)
    return rows


def _row(group: tuple[_Lived, ...], memory: Memory) -> TurnRow:
    first, last = group[0].turn, group[-1]
    heading = heading_of([each.turn for each in group], memory)
    return TurnRow(
        first.number,
        last.turn.number,
        first.request.at,
        _end(last.following) if last.following is not None else "",
        heading.text,
        sum(each.turn.calls for each in group),
        sum(each.turn.failed for each in group),
        sum(each.turn.edits for each in group),
        last.state,
        heading.place,
    )


# ---- marks


def _landmarks(recap: Recap, offsets: Sequence[int]) -> Iterator[Mark]:
    main = recap.session.main
    transcript = main.transcript
    for found in transcript.landmarks:
        # As in pages.row_at, of which a long session has thousands.
        row = bisect_right(offsets, found.place.offset) - 1
        turn = transcript.turns[row] if row >= 0 else None
        if turn is None or not turn.abandoned:
            number = turn.number if turn is not None else 0
            yield Mark(found.kind, number, found.at, "", main, found.place, landmark=found)
    turn_at = turns_by_time(transcript)
    for child in recap.session.children:
        for found in child.transcript.landmarks:
            look_up()
            yield Mark(found.kind, turn_at(found.at), found.at, "", child, found.place, landmark=found)


def _in_words(mark: Mark) -> Mark:
    return msgspec.structs.replace(mark, text=_words(mark.landmark)) if mark.landmark is not None else mark


def _words(found: Landmark) -> str:
    said = excerpt(found.text, _MARK_CHARS)
    match found.kind:
        case "testsPassed" | "testsFailed":
            counted = [
                f"{number} {word}" for number, word in ((found.failed, "failed"), (found.passed, "passed")) if number
            ]
            told = ", ".join(counted) or ("Tests passed" if found.kind == "testsPassed" else "Tests failed")
            return f"{told} ({said})" if said else told
        case "compaction":
            return f"Compacted ({said})" if said else "Compacted"
        case "interrupted":
            return "Stopped by the user"
        case "error":
            return said or "The agent failed"
        case _:
            return said


def _decisions(recap: Recap) -> Iterator[Mark]:
    main = recap.session.main
    for entry in recap.decisions:
        found = entry.finding
        text = decision_text(entry, recap.session.memory)
        yield Mark("decision", entry.turn, found.at, text, main, found.place, entry.id, found.made_by)


def decision_text(entry: Entry, memory: Memory) -> str:
    return excerpt(headline_of(entry, memory=memory), _MARK_CHARS)


def _gaps(recap: Recap, gap_s: float) -> Iterator[Mark]:
    for turn in recap.turns:
        if turn.gap_s >= gap_s:
            request = turn.request
            yield Mark("gap", turn.number, request.at, _later(turn.gap_s), recap.session.main, request.place)


def _later(seconds: float) -> str:
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= length:
            number = round(seconds / length)
            return f"{number} {unit}{'' if number == 1 else 's'} later"
    return "Later"


def _readings(recap: Recap, readings: Sequence[Reading]) -> Iterator[Mark]:
    """At the last turn that a reader knows."""
    turns = recap.turns
    numbers = [turn.number for turn in turns]
    for reading in readings:
        at = bisect_right(numbers, reading.turn) - 1
        if at >= 0:
            text = f"Read by {excerpt(reading.reader, _MARK_CHARS)}"
            place = turns[at].request.place
            yield Mark("acknowledged", turns[at].number, reading.at, text, recap.session.main, place)


def _fitted(marks: list[Mark], rows: Sequence[TurnRow], most: int) -> list[Mark]:
    """At most so many: alike ones of a row become one, and then the weightiest stay, the latest first."""
    if len(marks) <= most:
        return marks
    begins = [row.first for row in rows]
    alike: dict[tuple[int, MarkKind], Mark] = {}
    for mark in marks:
        key = bisect_right(begins, mark.turn), mark.kind
        before = alike.pop(key, None)
        alike[key] = msgspec.structs.replace(mark, count=before.count + 1) if before is not None else mark
    ranked = sorted(enumerate(alike.values()), key=lambda each: (_WEIGHTS[each[1].kind], -each[0]))
    return [mark for _, mark in sorted(ranked[:most], key=lambda each: each[0])]
