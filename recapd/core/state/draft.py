"""A transcript while a batch is folded into it: mutable, short-lived, seen by nobody else.

The handlers (turns, actions, files, progress) each change their own part of it; `fold` freezes it once per batch.
What a transcript has in the same form is declared there alone; here stands what is of another form, and what is only
needed while folding.
"""

from __future__ import annotations

from collections import deque
from operator import attrgetter
from typing import Any, TypeVar

import msgspec
from msgspec import field

from recapd.core.log import Place, Result
from recapd.core.state.chunked import Chunked, Growing
from recapd.core.state.passages import Passage
from recapd.core.state.traits import fields_with
from recapd.core.state.transcript import (
    EMPTY,
    Counts,
    Ending,
    FileFact,
    Meter,
    MeterFields,
    Moment,
    OpenCall,
    Step,
    Totals,
    Transcript,
    TranscriptFields,
    Turn,
    Utterance,
)
from recapd.core.text import estimate_tokens

T = TypeVar("T")

# How many of each the state keeps; totals count all of them. A recap shows five, a context a few dozen.
MAX_STEPS = 100
MAX_TESTS = 30
MAX_MILESTONES = 200
MAX_REQUESTS = 50
MAX_PROBLEMS = 50
MAX_CWDS = 16
MAX_LINKS = 50
# A hostile log may invent a record type on every line.
MAX_TYPES = 200
# Calls whose results never came, over a session's whole life; the oldest are given up.
MAX_OPEN_CALLS = 500
# Processes that were left running; most are servers, whose end nobody asks for.
MAX_RUNNING = 50
# Results are held with all they returned until it is read off what their calls did: so many, and those of one batch.
MAX_UNSETTLED = 128

# Counting every text would cost more than parsing the log: a piece is counted whenever the amount has grown so many
# times. Text of one sort within one session is much alike.
SAMPLE_CHARS = 512
SAMPLE_GROWTH = 3


class Gauge(MeterFields, gc=False):
    """A Meter while it is being read on."""

    def sample(self, text: str) -> None:
        """Count a piece of the text that passed the mark, and set the next mark."""
        piece = text[:SAMPLE_CHARS]
        self.sampled_chars += len(piece)
        self.sampled_tokens += estimate_tokens(piece)
        self.next_sample = max(self.chars * SAMPLE_GROWTH, SAMPLE_CHARS)


class Draft(TranscriptFields, kw_only=True):
    base: Transcript
    turns: Growing[Turn]
    utterances: Growing[Utterance]
    passages: Growing[Passage]
    files: Growing[FileFact]
    totals: Counts
    human: Gauge
    agent: Gauge
    tool: Gauge
    # The fields of the Ending, which is built once per batch: it changes with nearly every event.
    ending: tuple[Moment, str, Place | None, str]
    # Row in `turns` and number of the turn being lived through; the row is written when it closes or the batch ends.
    turn_row: int
    turn_number: int
    turn_messages: int = 0
    turn_calls: int = 0
    turn_failed: int = 0
    # The agent's latest words and where they stand, until their excerpt is taken.
    reply_text: str = ""
    reply_place: Place | None = None
    # All its words since its row was written.
    replies: list[str] = field(default_factory=list)
    # Calls with their results: those that are told become steps when the batch ends.
    finished: deque[tuple[OpenCall, Result]] = field(default_factory=lambda: deque(maxlen=MAX_STEPS))
    # Calls of which nobody has read yet what they did, with the result and the directory then: see actions.settle.
    unsettled: list[tuple[OpenCall, Result, str]] = field(default_factory=list)
    # Ids of records: the latest, and those before them in this draft (see record_ids).
    record_ids: list[str] = field(default_factory=list)
    packed_ids: bytearray = field(default_factory=bytearray)


def start_draft(base: Transcript) -> Draft:
    """A draft of what is known, to fold more into."""
    ending = base.ending
    draft = Draft(
        *_same_form(base),
        base=base,
        **{name: _THAWED[kind](getattr(base, name)) for name, kind in _OTHER_FORMS},
        ending=(ending.moment, ending.reason, ending.place, ending.at),
        turn_row=len(base.turns) - 1,
        turn_number=next((turn.number for turn in reversed(base.turns) if not turn.abandoned), 0),
    )
    for name in _TABLES:
        setattr(draft, name, dict(getattr(base, name)))
    return draft


def freeze_draft(draft: Draft, *, steps: tuple[Step, ...], record_ids: Chunked[bytes], record_count: int) -> Transcript:
    """The transcript that the draft has become, with what is made of it when the batch ends."""
    return Transcript(
        *_same_form(draft),
        **{name: _FROZEN[kind](getattr(draft, name)) for name, kind in _OTHER_FORMS},
        ending=Ending(*draft.ending),
        steps=steps,
        record_ids=record_ids,
        record_count=record_count,
    )


def latest(known: tuple[T, ...], item: T, *, most: int) -> tuple[T, ...]:
    """With the item at the end, as long as there is room for it."""
    return (*known, item)[-most:]


_same_form = attrgetter(*TranscriptFields.__struct_fields__)
# What becomes of a field that a transcript and its draft have in different forms.
_THAWED: dict[type, Any] = {
    Chunked: Growing,
    Meter: lambda meter: Gauge(*msgspec.structs.astuple(meter)),
    Totals: lambda totals: Counts(*msgspec.structs.astuple(totals)),
}
_FROZEN: dict[type, Any] = {
    Chunked: Growing.freeze,
    Meter: lambda gauge: Meter(*msgspec.structs.astuple(gauge)),
    Totals: lambda counts: Totals(*msgspec.structs.astuple(counts)),
}
_OTHER_FORMS = [
    (name, kind)
    for name in Draft.__struct_fields__
    if name not in ("record_ids", *TranscriptFields.__struct_fields__)
    and (kind := type(getattr(EMPTY, name, None))) in _THAWED
]
# Counted in and taken from while folding: the transcript's own must not change.
_LATE = fields_with("copied late", TranscriptFields)
_TABLES = [
    name for name in TranscriptFields.__struct_fields__ if isinstance(getattr(EMPTY, name), dict) and name not in _LATE
]
