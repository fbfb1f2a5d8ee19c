"""The outline of a session: its turns, several in one where there are many, with what was decided below each.

    living turns ─▶ groups, each headed once ─┐
    decisions ────────────────────────────────┴─▶ OutlineRow, the same object while nothing of it changes

Owns: which decisions stand below which turns. Must not know: what an editor makes of a row.
Made of what the session's memory has: after an append only the last row is new.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import islice

from msgspec import Struct

from recapd.core.decisions import Entry
from recapd.core.state import Landmark, Memory, Session, Turn, living_turns
from recapd.core.views.timeline import decision_text, grouped, heading_of


class OutlineDecision(Struct, frozen=True):
    text: str
    line: int


class OutlineRow(Struct, frozen=True):
    """A turn, or several that follow each other: the number of the first, what is asked, and the line that asks it."""

    turn: int
    text: str
    line: int
    decisions: tuple[OutlineDecision, ...]


def outline_of(
    session: Session, decisions: Sequence[Entry], *, most: int, gap_s: float, read_turns: Sequence[int]
) -> list[OutlineRow]:
    """The latest rows: with their decisions no more than `most`. `read_turns` are the last that readers know."""
    turns, memory = living_turns(session), session.memory
    groups = grouped(turns, most)
    if not groups:
        return []
    readings = sum(1 for turn in read_turns if turn >= turns[0].number)
    is_one_each = not _find_room(session, turns, len(decisions) + readings, most=most, gap_s=gap_s)
    decided = _by_group(decisions, groups)
    size, left = len(groups[0]), most
    rows: list[OutlineRow] = []
    for group, its_decisions in zip(reversed(groups), reversed(decided), strict=True):
        if left <= 0:
            break
        below = tuple(sorted(its_decisions, key=_in_time))[-1 if is_one_each else 0 :]
        row = memory.recall(_row, (group, below), (group[0].number, size), memory)
        if len(row.decisions) >= left:
            row = OutlineRow(row.turn, row.text, row.line, row.decisions[: left - 1])
        rows.append(row)
        left -= 1 + len(row.decisions)
    return rows[::-1]


def _by_group(decisions: Sequence[Entry], groups: Sequence[tuple[Turn, ...]]) -> list[list[Entry]]:
    """Those of each group's turns. Only the few of a group that is shown are put in order: there are hundreds."""
    found: list[list[Entry]] = [[] for _ in groups]
    firsts = [group[0].number for group in groups]
    for entry in decisions:
        at = bisect_right(firsts, entry.turn) - 1
        if at >= 0 and entry.turn <= groups[at][-1].number:
            found[at].append(entry)
    return found


def _in_time(entry: Entry) -> tuple[int, str, int]:
    return entry.turn, entry.finding.at, entry.finding.place.offset


def _row(made_of: tuple[tuple[Turn, ...], tuple[Entry, ...]], memory: Memory) -> OutlineRow:
    group, decisions = made_of
    heading = heading_of(group, memory)
    below = tuple(OutlineDecision(decision_text(entry, memory), entry.finding.place.line) for entry in decisions)
    return OutlineRow(group[0].number, heading.text, heading.place.line, below)


def _find_room(session: Session, turns: Sequence[Turn], others: int, *, most: int, gap_s: float) -> bool:
    """Whether all that a timeline marks finds room on it; else each row tells of its kind the last. No more are counted
    than there is room for."""
    room = most - others
    room -= sum(1 for _ in islice(_landmarks(session, turns), max(room + 1, 0)))
    return room >= sum(1 for _ in islice((turn for turn in turns if turn.gap_s >= gap_s), max(room + 1, 0)))


def _landmarks(session: Session, alive: Sequence[Turn]) -> Iterator[Landmark]:
    """Those of turns that are alive."""
    transcript = session.main.transcript
    are_all_alive = len(alive) == len(transcript.turns)
    for found in transcript.landmarks:
        if not are_all_alive:
            row = bisect_right(transcript.turns, found.place.offset, key=lambda turn: turn.request.place.offset) - 1
            if row >= 0 and transcript.turns[row].abandoned:
                continue
        yield found
    for child in session.children:
        yield from child.transcript.landmarks
