"""What is new in a session after a point: a turn, a time, or where a reader stopped reading.

Owns the cursor a recap carries, the points it can be asked about, and the recap without what was known by then.
A fact stands where its call was made, and is known once the result came: a cursor therefore stops before the calls
that were still open, so that whatever becomes of them is news.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TypeAlias

import msgspec
from msgspec import Struct

from recapd.core.log import START, Place, canonical, from_epoch
from recapd.core.state import (
    FileFact,
    OpenCall,
    Session,
    Source,
    Sourced,
    Step,
    TestRun,
    Transcript,
    Turn,
    category,
    files_of,
    last_active,
    live_turns,
    steps_of,
)
from recapd.core.views.recap import MAX_ACTIONS, Change, Progress, Recap, changes_of, recent_steps

_IsLater: TypeAlias = Callable[[str], bool]

_PARTS = 5
# No field of a cursor is longer; what is was not made here.
_MAX_CURSOR_CHARS = 200


class Cursor(Struct, frozen=True):
    """How far a reader got: the log's generation, the turn, the byte, the revision and the time in milliseconds."""

    generation: str
    turn: int
    offset: int
    revision: int
    at_ms: int


class Point(Struct, frozen=True):
    """Everything after it is new: records of the main log from `offset` on, the sub-agents' after `at`."""

    turn: int
    offset: int
    at: str = ""


class News(Struct, frozen=True):
    """What is new, counted, in one sentence and statement by statement."""

    text: str
    from_turn: int
    turns: int
    actions: int
    files: int
    from_time: str = ""
    decisions: int = 0
    # To a reader who never looked before, nothing is news.
    is_first: bool = False
    changes: tuple[Change, ...] = ()


BEGINNING = Point(0, 0)


def cursor_of(session: Session) -> str:
    """Where a reader of the whole session as it is now has got. Opaque to everybody but this module."""
    main = session.main
    offset = min((call.place.offset for call in _open_calls(main.transcript)), default=end_of(main))
    open_since = [
        _ms(call.at) - 1 for source in (main, *session.children) for call in _open_calls(source.transcript) if call.at
    ]
    at_ms = min(open_since, default=_ms(last_active(session)))
    return f"t{main.transcript.totals.turns}.{offset}.{main.generation}.{session.revision}.{at_ms}"


def parse_cursor(text: str) -> Cursor | None:
    """None where the text is no cursor of ours."""
    parts = text.split(".") if len(text) <= _MAX_CURSOR_CHARS else []
    if len(parts) != _PARTS or not parts[0].startswith("t"):
        return None
    turn, offset, generation, revision, at_ms = (parts[0][1:], *parts[1:])
    numbers = (turn, offset, revision, at_ms)
    if not generation or not all(number.isascii() and number.isdecimal() for number in numbers):
        return None
    return Cursor(generation, int(turn), int(offset), int(revision), int(at_ms))


def is_later(cursor: Cursor, than: Cursor) -> bool:
    """Whether one cursor is ahead of another; across a rewriting of the log, only the revision tells."""
    if cursor.generation != than.generation:
        return cursor.revision > than.revision
    return (cursor.offset, cursor.revision) > (than.offset, than.revision)


def after_turn(session: Session, turn: int) -> Point:
    later = next((each for each in live_turns(session.main.transcript) if each.number > turn), None)
    return Point(turn, later.request.place.offset if later is not None else end_of(session.main))


def after_time(session: Session, time: str) -> Point:
    """`time` in any RFC 3339 form."""
    at = canonical(time)
    transcript = session.main.transcript
    turn = max((each.number for each in live_turns(transcript) if each.request.at <= at), default=0)
    offset = min((place.offset for place, stamp in _stamped(transcript) if stamp > at), default=end_of(session.main))
    return Point(turn, offset, at)


def after_cursor(session: Session, cursor: Cursor) -> Point | None:
    """None where the log was rewritten since: the cursor's byte is some other record's now."""
    main = session.main
    if _is_document(main):
        # Rewritten as a whole with every message: places move, times do not.
        return after_time(session, from_epoch(cursor.at_ms)) if cursor.at_ms else after_turn(session, cursor.turn)
    if cursor.generation != main.generation or cursor.offset > end_of(main):
        return None
    return Point(cursor.turn, cursor.offset, from_epoch(cursor.at_ms) if cursor.at_ms else "")


def is_of_log(session: Session, cursor: Cursor) -> bool:
    """Whether a cursor was made from this session's log, as far as can be told: a document is another with each
    message. It may be ahead of what is read of the log so far."""
    return _is_document(session.main) or cursor.generation == session.main.generation


def count_unseen(session: Session, mark: Cursor) -> int:
    """How many turns a reader has not seen, or not to their end. Asks for no more than the head of a session."""
    transcript, last = session.main.transcript, session.main.transcript.ending
    if session.revision <= mark.revision:
        return 0
    is_same_log = mark.generation == session.main.generation and last.place is not None
    # What was written after the last record of weight is bookkeeping. Of another log only the time tells.
    if last.place is not None and is_same_log:
        is_read = last.place.offset < mark.offset
    else:
        is_read = bool(last.at) and _ms(last.at) <= mark.at_ms
    return 0 if is_read else max(transcript.totals.turns - mark.turn, 1)


def after_mark(session: Session, mark: Cursor | None) -> Point:
    """What a named reader has not seen: all of it without a mark, and what is later where the log was rewritten."""
    if mark is None:
        return BEGINNING
    point = after_cursor(session, mark)
    if point is not None:
        return point
    return after_time(session, from_epoch(mark.at_ms)) if mark.at_ms else BEGINNING


def only_new(recap: Recap, point: Point) -> Recap:
    """The recap without what was known at the point. What frames it stays: the first request, focus, state, stats."""
    session, offset = recap.session, point.offset
    main, is_later = session.main, later_than(session, point)
    todos_place = session.main.transcript.todos_place
    return msgspec.structs.replace(
        recap,
        requests=tuple(each for each in recap.requests if each.place.offset >= offset or each.turn > point.turn),
        turns=tuple(turn for turn in recap.turns if _is_new_turn(turn, point) or _is_after(turn.replied, offset)),
        steps=recent_steps(_narrowed(session, point), MAX_ACTIONS),
        files=tuple(row for row in recap.files if _is_new_file(row, main, point, is_later=is_later)),
        commands=tuple(row for row in recap.commands if _is_new(row, main, point, is_later=is_later)),
        tests=tuple(row for row in recap.tests if _is_new(row, main, point, is_later=is_later)),
        progress=Progress(
            recap.progress.items if _is_after(todos_place, offset) else (),
            tuple(each for each in recap.progress.milestones if each.place.offset >= offset),
        ),
        items=tuple(each for each in recap.items if each.place.offset >= offset),
        decisions=tuple(each for each in recap.decisions if each.finding.place.offset >= offset),
        decisions_before=0,
    )


def news_page(recap: Recap, point: Point) -> Recap:
    """The recap for a reader who has seen what was known at the point: what is new leads, and what still holds is told
    from the whole."""
    return msgspec.structs.replace(only_new(recap, point), whole=recap)


def first_look(recap: Recap) -> News:
    """What there is, for somebody who never looked before."""
    news = _counted_after(recap, BEGINNING, "First look")
    return msgspec.structs.replace(news, is_first=True)


def news_of(recap: Recap, point: Point) -> News:
    """What `only_new` leaves of the whole recap."""
    changes = changes_of(recap, only_new(recap, point), offset=point.offset, at=point.at)
    return msgspec.structs.replace(_counted_after(recap, point), changes=tuple(changes))


def _counted_after(recap: Recap, point: Point, since: str = "") -> News:
    session = recap.session
    turns = sum(_is_new_turn(turn, point) for turn in recap.turns)
    from_turn = max((turn.number for turn in recap.turns if not _is_new_turn(turn, point)), default=0)
    main, is_later = session.main, later_than(session, point)
    steps = [each for each in steps_of(session) if _is_new(each, main, point, is_later=is_later)]
    actions = sum(category(each.fact.kind) != "meta" for each in steps)
    files = sum(_is_new_file(row, main, point, is_later=is_later) for row in files_of(session))
    is_answered = not turns and bool(recap.turns) and _is_after(recap.turns[-1].replied, point.offset)
    decisions = sum(each.finding.place.offset >= point.offset for each in recap.decisions)
    counted = (
        _counted(turns, "turn" if since else "new turn"),
        "a new answer" if is_answered else "",
        _counted(decisions, "decision"),
        _counted(actions, "action"),
        _counted(files, "file touched", "files touched"),
    )
    told = ", ".join(each for each in counted if each)
    since = since or (f"since turn {from_turn}" if from_turn else "so far")
    text = f"{since.capitalize()}: {told}." if told else f"Nothing new {since}."
    return News(text, from_turn, turns, actions, files, point.at, decisions)


def _narrowed(session: Session, point: Point) -> Session:
    """The session with only its new steps: the latest of them are other ones than the new among the latest."""

    def kept(source: Source, is_new: Callable[[Step], bool]) -> Source:
        steps = tuple(step for step in source.transcript.steps if is_new(step))
        return msgspec.structs.replace(source, transcript=msgspec.structs.replace(source.transcript, steps=steps))

    is_later = later_than(session, point)
    return msgspec.structs.replace(
        session,
        main=kept(session.main, lambda step: step.place.offset >= point.offset),
        children=tuple(kept(child, lambda step: is_later(step.at)) for child in session.children),
    )


def _is_new_turn(turn: Turn, point: Point) -> bool:
    """Words that waited in a queue stand before the point and became a turn after it."""
    return turn.request.place.offset >= point.offset or turn.number > point.turn


def _is_new(row: Sourced[Step] | Sourced[TestRun], main: Source, point: Point, *, is_later: _IsLater) -> bool:
    return row.fact.place.offset >= point.offset if row.source is main else is_later(row.fact.at)


def _is_new_file(row: Sourced[FileFact], main: Source, point: Point, *, is_later: _IsLater) -> bool:
    """A file's place is that of its latest change; its time and turn are those of the latest touch."""
    if row.source is main and row.fact.place.offset >= point.offset:
        return True
    return row.turn > point.turn or is_later(row.fact.at)


def later_than(session: Session, point: Point) -> _IsLater:
    """Whether a time is after the point, which may be known by its turn alone."""
    if point.at:
        return lambda at: at > point.at
    begin = next((turn.request.at for turn in live_turns(session.main.transcript) if _is_new_turn(turn, point)), None)
    return lambda at: begin is not None and at >= begin


def _is_after(place: Place | None, offset: int) -> bool:
    return place is not None and place.offset >= offset


def end_of(source: Source) -> int:
    """The byte after everything that is known of the log.

    A last line counts as read where its record does, although its newline is missing; documents have no lines.
    """
    transcript = source.transcript
    places = [transcript.ending.place, *(step.place for step in transcript.steps[-1:])]
    if len(transcript.turns):
        places += [transcript.turns[-1].request.place, transcript.turns[-1].replied]
    return max(source.carry.offset, *(place.offset + place.length for place in places if place is not None), 0)


def _is_document(source: Source) -> bool:
    """Read as a whole each time, so there is no place to read on from."""
    return source.carry == START and source.transcript.totals.records > 0


def _open_calls(transcript: Transcript) -> list[OpenCall]:
    """Calls of the current turn that wait for their result; older ones were given up."""
    begin = transcript.turns[-1].request.place.offset if len(transcript.turns) else 0
    return [opened for opened in transcript.open_calls.values() if opened.place.offset >= begin]


def _stamped(transcript: Transcript) -> list[tuple[Place, str]]:
    """Places in the log with the time of their record, as many as are kept."""
    ending = transcript.ending
    found = [(turn.request.place, turn.request.at) for turn in transcript.turns]
    found += [(step.place, step.at) for step in transcript.steps]
    found += [(each.place, each.at) for each in transcript.milestones]
    found += [(ending.place, ending.at)] if ending.place is not None else []
    return found


def _ms(at: str) -> int:
    try:
        return round(datetime.fromisoformat(at).timestamp() * 1000)
    except ValueError:
        return 0


def _counted(number: int, noun: str, plural: str = "") -> str:
    if not number:
        return ""
    return f"{number} {noun}" if number == 1 else f"{number} {plural or noun + 's'}"
