"""A conversation as a reader is shown it: what people said whole, the agent's prose, each call in a line, in pieces.

Owns: which lines there are, their numbers, and where a piece ends. A line's number is the row of its passage, so a
conversation that grows keeps the numbers it has.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import groupby
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from recapd.core.commands import without_cd
from recapd.core.log import Place
from recapd.core.state import Passage, Reading, Session, Step, Transcript, describe, fold_repeats, shown_step
from recapd.core.summaries import Stretch
from recapd.core.text import count_for_budget, head_tail, one_line, presentable

Speaker: TypeAlias = Literal["user", "agent"]

# Lines that stand before what is new, so that a nod is seen beside what it accepts.
_BEFORE_LINES: Final = 3
_BEFORE_CHARS: Final = 3_000
_CALL_CHARS: Final = 160
# Of calls in a row: those it began with, and those it ended with.
_FIRST_CALLS: Final = 8
_LAST_CALLS: Final = 12
# What is called for its own sake.
_NO_CALLS: Final = ("status", "todo")
_ASKED_CHARS: Final = 600
# A turn may begin the next piece once this one is so full.
_FULL: Final = 0.55

# By the kind of passage: who speaks, what is said of it besides, and how much of it is shown. What people said is shown
# as far as it is read at all.
_KINDS: Final[dict[str, tuple[Speaker, str, int]]] = {
    "prompt": ("user", "", 24_000),
    "queued": ("user", "typed while the agent worked", 24_000),
    "command": ("user", "given to a command", 24_000),
    "reply": ("agent", "", 24_000),
    "answer": ("user", "answers a question", 24_000),
    "plan": ("agent", "lays a plan before the user", 9_000),
    "approved": ("user", "approves the plan", 24_000),
    "rejected": ("user", "refuses", 24_000),
    "task": ("agent", "instructs a sub-agent", 2_000),
    "summary": ("agent", "summary of what was before", 9_000),
    "commit": ("agent", "commits", 600),
    "stopped": ("user", "interrupts the agent", 200),
}


class Line(Struct, frozen=True):
    """Something that was said. Clean and without secrets."""

    number: int
    speaker: Speaker
    # What it is besides being said.
    note: str
    text: str
    # The question or plan it answers, where it says so itself.
    asked: str
    asked_at: Place | None
    place: Place
    record: str
    at: str
    turn_row: int
    turn: int
    message: int
    begins_turn: bool
    # What was done after it.
    calls: tuple[str, ...] = ()


class Piece(Struct, frozen=True):
    """As much as is read at once."""

    # Already read, for what is new to be understood.
    before: tuple[Line, ...]
    lines: tuple[Line, ...]

    @property
    def by_number(self) -> dict[int, Line]:
        return {line.number: line for line in (*self.before, *self.lines)}


def first_unread(transcript: Transcript, reading: Reading | None) -> int:
    """The row of the first passage that was not read."""
    if reading is None:
        return 0
    passages = transcript.passages
    return bisect_right(range(len(passages)), reading.through.offset, key=lambda row: passages[row].place.offset)


def still_read(reading: Reading, session: Session) -> bool:
    """Whether what was read is still what the log says: not rewritten, and nothing of it rewound."""
    transcript = session.main.transcript
    return (
        fingerprint_of(session, reading.through) == reading.fingerprint
        and abandoned_until(transcript, reading.through) == reading.abandoned
    )


def fingerprint_of(session: Session, through: Place) -> str:
    """Of all that was said up to a place. What is full of it is looked at once."""
    digest = blake2b(digest_size=8)
    for number, chunk in enumerate(session.main.transcript.passages.chunks):
        if chunk[-1].place.offset <= through.offset:
            digest.update(session.memory.recall(_digest_of, chunk, ("read", number)))
            continue
        digest.update(_digest_of(tuple(each for each in chunk if each.place.offset <= through.offset)))
        break
    return digest.hexdigest()


def _digest_of(passages: tuple[Passage, ...]) -> bytes:
    digest = blake2b(digest_size=8)
    for each in passages:
        said = f"{each.kind} {each.record} {each.place.offset} {each.text}{each.tail}\n"
        digest.update(said.encode("utf-8", "surrogatepass"))
    return digest.digest()


def abandoned_until(transcript: Transcript, place: Place) -> int:
    """How many turns up to a place were rewound."""
    return sum(turn.abandoned for turn in transcript.turns if turn.request.place.offset <= place.offset)


def unread_messages(transcript: Transcript, reading: Reading | None) -> tuple[int, int] | None:
    """Numbers of the first and the last message that are to be read; None where there is nothing new."""
    row = first_unread(transcript, reading)
    new = [each for each in transcript.passages.since(row) if each.kind in _KINDS and not _is_rewound(each, transcript)]
    if not any(each.text or each.tail for each in new):
        return None
    # Calls are told behind the words before them.
    return max(new[0].message - 1, 0), max(each.message for each in new)


def lines_of(transcript: Transcript, stretch: Stretch, *, first_row: int) -> list[Line]:
    """The lines from a little before `first_row` on; `stretch` is what the log says of them."""
    said = {beat.place.offset: beat.text for beat in stretch.beats if beat.voice != "action"}
    begin = max(first_row - 4 * _BEFORE_LINES, 0)
    rows = [
        (row, passage)
        for row, passage in enumerate(transcript.passages.since(begin), begin)
        if passage.kind in _KINDS and not _is_rewound(passage, transcript)
    ]
    own = {passage.place.offset for _, passage in rows}
    steps = sorted((step for step in stretch.steps if step.place.offset not in own), key=_offset_of)
    root = next(iter(transcript.cwds), "")
    ends = [passage.place.offset for _, passage in rows[1:]]
    found: list[Line] = []
    for at, (row, passage) in enumerate(rows):
        begun = bisect_left(steps, passage.place.offset, key=_offset_of)
        ended = bisect_left(steps, ends[at], key=_offset_of) if at < len(ends) else len(steps)
        done = [_call(step, root) for step in fold_repeats(steps[begun:ended]) if step.kind not in _NO_CALLS]
        line = _line(row, passage, transcript, whole=said.get(passage.place.offset, ""), calls=_folded(done))
        if line is not None:
            found.append(line)
    return found


def pieces_of(lines: Sequence[Line], *, first_row: int, max_tokens: int) -> list[Piece]:
    """The lines from `first_row` on, in pieces of so many tokens that end with a turn where they can."""
    new = [line for line in lines if line.number >= first_row]
    pieces: list[Piece] = []
    held: list[Line] = []
    size = 0
    for line in new:
        cost = count_for_budget(shown(line))
        is_over = size + cost > max_tokens
        if held and (is_over or (line.begins_turn and size > max_tokens * _FULL and size + cost > max_tokens * 0.9)):
            pieces.append(Piece(_before(lines, held[0]), tuple(held)))
            held, size = [], 0
        held.append(line)
        size += cost
    if held:
        pieces.append(Piece(_before(lines, held[0]), tuple(held)))
    return pieces


def shown(line: Line) -> str:
    """`[12] user (answers a question): …`, and what was done after it."""
    note = f" ({line.note})" if line.note else ""
    asked = f" [about: {line.asked}]" if line.asked else ""
    head = f"[{line.number}] {line.speaker}{note}{asked}: {line.text}"
    return "\n".join((head, *(f"    · {call}" for call in line.calls)))


def _before(lines: Sequence[Line], first: Line) -> tuple[Line, ...]:
    earlier = [line for line in lines if line.number < first.number][-_BEFORE_LINES:]
    return tuple(msgspec.structs.replace(each, text=head_tail(each.text, _BEFORE_CHARS), calls=()) for each in earlier)


def _line(row: int, passage: Passage, transcript: Transcript, *, whole: str, calls: tuple[str, ...]) -> Line | None:
    speaker, note, most = _KINDS[passage.kind]
    # A verdict without a word is told by what the tool returned.
    is_verdict = passage.kind in ("answer", "approved", "rejected")
    kept = passage.text or (passage.tail if is_verdict else "")
    if passage.tail and not is_verdict:
        kept = whole or f"{passage.text}\n…\n{passage.tail}"
    text = head_tail(presentable(kept).strip(), most)
    if not text and not calls:
        return None
    turns = transcript.turns
    turn = turns[passage.turn_row] if 0 <= passage.turn_row < len(turns) else None
    choices = f" (options: {' | '.join(passage.choices)})" if passage.choices else ""
    return Line(
        number=row,
        speaker=speaker,
        note=note,
        text=text,
        asked=one_line(presentable(passage.asked + choices), _ASKED_CHARS) if passage.asked else "",
        asked_at=passage.asked_at,
        place=passage.place,
        record=passage.record,
        at=passage.at,
        turn_row=passage.turn_row,
        turn=turn.number if turn is not None else 0,
        message=passage.message,
        begins_turn=turn is not None and turn.request.place == passage.place,
        calls=calls,
    )


def _offset_of(step: Step) -> int:
    return step.place.offset


def _call(step: Step, root: str) -> str:
    step = shown_step(step)
    if step.kind == "shell":
        step = msgspec.structs.replace(step, target=without_cd(step.target))
    return one_line(describe(step, root), _CALL_CHARS)


def _runs(calls: Iterable[str]) -> Iterable[tuple[str, int]]:
    """What was done several times in a row, once."""
    return ((text, sum(1 for _ in some)) for text, some in groupby(calls))


def _folded(calls: Sequence[str]) -> tuple[str, ...]:
    calls = [f"{text} × {count}" if count > 1 else text for text, count in _runs(calls)]
    if len(calls) <= _FIRST_CALLS + _LAST_CALLS + 1:
        return tuple(calls)
    left_out = len(calls) - _FIRST_CALLS - _LAST_CALLS
    return (*calls[:_FIRST_CALLS], f"… {left_out} more calls …", *calls[-_LAST_CALLS:])


def _is_rewound(passage: Passage, transcript: Transcript) -> bool:
    turns = transcript.turns
    return 0 <= passage.turn_row < len(turns) and turns[passage.turn_row].abandoned
