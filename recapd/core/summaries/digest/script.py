"""The conversation as it is summarised: what was said in full, and every call told in one line.

Owns: which records of a stretch of the log count (not those of abandoned turns, sub-agents, or our own words coming
back), and pairing them with the messages of the transcript. Must not know: how it is cut or told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from recapd.core.commands import NO_HINTS, hints_of
from recapd.core.log import CallKind, Place, Prompt, Queued, Record, Reply, Result
from recapd.core.state import (
    EMPTY,
    Step,
    TestRun,
    Transcript,
    Utterance,
    category,
    describe,
    extend,
    fold_repeats,
    shown_step,
)
from recapd.core.summaries.window import live_utterances
from recapd.core.text import head_tail, presentable, without_own_text

Voice: TypeAlias = Literal["user", "agent", "action"]

# A message is read up to here, its beginning and its end: what is longer is a pasted file.
BEAT_CHARS = 24_000
# Calls that are words: what was remembered, asked and answered.
_WRITTEN: Final[frozenset[CallKind]] = frozenset(("remember", "ask"))
# A transcript keeps the last hundred steps: folded in slices, none is pushed out before it is told.
_SLICE_RECORDS = 32
_SLICE_RESULTS = 90


class Beat(Struct, frozen=True, gc=False):
    """One message, or one call told in a line. Clean and without secrets."""

    voice: Voice
    text: str
    # Number of the message it is, or that it followed.
    message: int
    turn: int
    place: Place
    at: str = ""
    # Seconds of silence before the prompt.
    gap_s: float = 0.0
    # For a call: whether it changed something, or was meant to and did not.
    changed: bool = False
    failed: bool = False
    # For a call: whether it is words, left for later or answered by the human, rather than a deed.
    is_written: bool = False
    # The agent's last words of the turn: what came of it.
    is_final: bool = False


class Stretch(Struct, frozen=True):
    """A stretch of the log, read: its beats, and what its calls did."""

    beats: tuple[Beat, ...] = ()
    # What a transcript of these records alone knows: files, totals, tools.
    facts: Transcript = EMPTY
    steps: tuple[Step, ...] = ()
    tests: tuple[TestRun, ...] = ()


def byte_range(transcript: Transcript, first: int, last: int) -> tuple[Place, int] | None:
    """Where the messages from `first` to `last` begin, and the offset where the message after them does; -1 where none
    comes after. None where there are no such messages.

    Prompts that were queued stand before their turn: by place, a message may begin before the one it follows.
    """
    begin: Place | None = None
    end = -1
    for each in live_utterances(transcript):
        if each.message > last:
            end = each.place.offset if begin is None or each.place.offset > begin.offset else -1
            break
        if each.message >= first and (begin is None or each.place.offset < begin.offset):
            begin = each.place
    return (begin, end) if begin is not None else None


def stretch_of(transcript: Transcript, records: Iterable[Record], *, first: int, last: int) -> Stretch:
    """Beats of the messages from `first` to `last`, from the records that stand in that part of the log."""
    abandoned = {row for row, turn in enumerate(transcript.turns) if turn.abandoned}
    known = {each.place.offset: each for each in transcript.utterances}
    root = next(iter(transcript.cwds), "")
    beats: list[Beat] = []
    facts = EMPTY
    steps: list[Step] = []
    tests: list[TestRun] = []
    here: Utterance | None = None
    waiting: list[Record] = []

    def tell() -> None:
        """Everything called since the last words, as beats behind them."""
        nonlocal facts
        for piece in _slices(waiting):
            facts = extend(msgspec.structs.replace(facts, steps=(), tests=()), piece)
            steps.extend(facts.steps)
            tests.extend(facts.tests)
            beats.extend(_actions(facts.steps, here, transcript, root))
        waiting.clear()

    for record in records:
        spoken = known.get(record.place.offset)
        if spoken is not None and not record.via:
            tell()
            here = spoken
        if here is None or here.turn_row in abandoned or not first <= here.message <= last:
            continue
        waiting.append(_silent(record))
        if spoken is not None and not record.via and (beat := _said(record, spoken, transcript)) is not None:
            beats.append(beat)
    tell()
    return Stretch(_with_finals(beats), facts, tuple(steps), tuple(tests))


def messages_of(transcript: Transcript, records: Iterable[Record], *, first: int, last: int) -> Iterator[Beat]:
    """What is said in these records, as far as it belongs to the messages from `first` to `last`. Folds no call."""
    abandoned = {row for row, turn in enumerate(transcript.turns) if turn.abandoned}
    known = {each.place.offset: each for each in transcript.utterances if first <= each.message <= last}
    for record in records:
        spoken = known.get(record.place.offset)
        if spoken is None or record.via or spoken.turn_row in abandoned:
            continue
        if (beat := _said(record, spoken, transcript)) is not None:
            yield beat


def _with_finals(beats: Sequence[Beat]) -> tuple[Beat, ...]:
    last = {beat.turn: at for at, beat in enumerate(beats) if beat.voice == "agent"}
    finals = set(last.values())
    return tuple(
        msgspec.structs.replace(beat, is_final=True) if at in finals else beat for at, beat in enumerate(beats)
    )


def _slices(records: Sequence[Record]) -> Iterable[list[Record]]:
    piece: list[Record] = []
    results = 0
    for record in records:
        more = sum(isinstance(event, Result) for event in record.events)
        if piece and (len(piece) >= _SLICE_RECORDS or results + more > _SLICE_RESULTS):
            yield piece
            piece, results = [], 0
        piece.append(record)
        results += more
    if piece:
        yield piece


def _silent(record: Record) -> Record:
    """The record without what was said in it: words make turns, and only the calls are folded here."""
    if not any(isinstance(event, Prompt | Queued | Reply) for event in record.events):
        return record
    events = tuple(event for event in record.events if not isinstance(event, Prompt | Queued | Reply))
    return msgspec.structs.replace(record, events=events)


def _said(record: Record, spoken: Utterance, transcript: Transcript) -> Beat | None:
    words = [event.text for event in record.events if isinstance(event, Prompt | Queued | Reply) and event.text]
    text = presentable(head_tail(without_own_text("\n\n".join(words)), BEAT_CHARS)).strip()
    if not text:
        return None
    turn = transcript.turns[spoken.turn_row] if spoken.turn_row >= 0 else None
    return Beat(
        spoken.speaker,
        text,
        spoken.message,
        turn.number if turn is not None else 0,
        spoken.place,
        spoken.at,
        turn.gap_s if turn is not None and spoken.speaker == "user" else 0.0,
    )


def _actions(steps: Sequence[Step], here: Utterance | None, transcript: Transcript, root: str) -> list[Beat]:
    if here is None:
        return []
    turn = transcript.turns[here.turn_row].number if here.turn_row >= 0 else 0
    return [
        Beat(
            # Who calls that it is done says its last word by that.
            "agent" if step.kind == "done" else "action",
            describe(shown_step(step), root),
            here.message,
            turn,
            step.place,
            step.at,
            changed=step.ok and _changes(step),
            failed=not step.ok and category(step.kind) == "consequential",
            is_written=step.ok and step.kind in _WRITTEN,
        )
        for step in fold_repeats(steps)
        if step.kind not in ("status", "todo")
    ]


def _changes(step: Step) -> bool:
    """Most commands only look at something."""
    if step.kind == "shell":
        return hints_of(step.target) != NO_HINTS
    return category(step.kind) == "consequential"
