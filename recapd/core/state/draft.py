"""A transcript while a batch is folded into it: mutable, short-lived, seen by nobody else.

The handlers (turns, actions, files, progress) each change their own part of it; `fold` freezes it once per batch.
What a transcript has in the same form is declared there alone; here stands what is of another form, what is only needed
while folding, how words are put down as a passage, and how a record is found again by its id: a prompt that hangs on an
earlier one is placed by that.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from operator import attrgetter
from typing import Any, Final, TypeVar

from msgspec import field
from msgspec.structs import astuple

from recapd.core.log import Place, Record, Result
from recapd.core.state.growing import Chunked, Growing
from recapd.core.state.passages import HEAD_CHARS, TAIL_CHARS, Passage, PassageKind, head_and_tail
from recapd.core.state.traits import fields_with
from recapd.core.state.transcript import (
    EMPTY,
    Counts,
    Ending,
    FileChange,
    FileFact,
    Landmark,
    Meter,
    Moment,
    OpenCall,
    Step,
    Totals,
    Transcript,
    TranscriptFields,
    Turn,
    Utterance,
)
from recapd.core.text import estimate_tokens, without_own_text

T = TypeVar("T")

# The end of the last answer, in which a question to the human is looked for.
LAST_WORDS_CHARS = 600
# Of a note that the agent keeps for itself, as much as a list shows.
OWN_NOTE_CHARS = 200
# How many of each the state keeps; totals count all of them. A recap shows five, a context a few dozen.
MAX_STEPS = 100
MAX_TESTS = 30
MAX_MILESTONES = 200
MAX_REQUESTS = 50
MAX_NOTED = 50
MAX_PROBLEMS = 50
MAX_CWDS = 16
MAX_INSTRUCTIONS = 4
MAX_STAGES = 20
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


class Gauge:
    """A Meter while it is being read on. Written to with nearly every event, and slots are quicker than a Struct's."""

    __slots__ = Meter.__struct_fields__

    def __init__(self, chars: int, sampled_chars: int, sampled_tokens: int, next_sample: int) -> None:
        self.chars = chars
        self.sampled_chars = sampled_chars
        self.sampled_tokens = sampled_tokens
        self.next_sample = next_sample

    def sample(self, text: str) -> None:
        """Count a piece of the text that passed the mark, and set the next mark."""
        piece = text[:SAMPLE_CHARS]
        self.sampled_chars += len(piece)
        self.sampled_tokens += estimate_tokens(piece)
        self.next_sample = max(self.chars * SAMPLE_GROWTH, SAMPLE_CHARS)

    def freeze(self) -> Meter:
        return Meter(self.chars, self.sampled_chars, self.sampled_tokens, self.next_sample)


class Draft(TranscriptFields, kw_only=True):
    turns: Growing[Turn]
    utterances: Growing[Utterance]
    passages: Growing[Passage]
    files: Growing[FileFact]
    changes: Growing[FileChange]
    landmarks: Growing[Landmark]
    totals: Counts
    human: Gauge
    agent: Gauge
    tool: Gauge
    base: Transcript
    # The fields of the Ending, which is built once per batch: it changes with nearly every event.
    ending: tuple[Moment, str, Place | None, str]
    # Row in `turns` and number of the turn being lived through; the row is written when it closes or the batch ends.
    turn_row: int
    turn_number: int
    turn_messages: int = 0
    turn_edits: int = 0
    # Calls since the row was written that do or look at something, and those of them that change files.
    turn_deeds: tuple[int, int] = (0, 0)
    # Calls, and those that failed, when the row was last written.
    calls_before: int
    failed_before: int
    # The agent's words since the row was written, with the deeds before them, and where the latest of them stand.
    replies: list[tuple[str, tuple[int, int]]] = field(default_factory=list)
    # What was said in this batch, and in which record: see stages.
    said: list[tuple[Record, str]] = field(default_factory=list)
    reply_place: Place | None = None
    # Calls with their results, the directory then and the time: those that are told become steps when the batch ends.
    finished: deque[tuple[OpenCall, Result, str, str]] = field(default_factory=partial(deque, maxlen=MAX_STEPS))
    # Calls of which nobody has read yet what they did, with the result, the directory then and where the result stands:
    # see actions.settle.
    unsettled: list[tuple[OpenCall, Result, str, Place]] = field(default_factory=list)
    # Ids of records: the latest, and those before them in this draft (see record_ids).
    record_ids: list[str] = field(default_factory=list)
    packed_ids: bytearray = field(default_factory=bytearray)


def start_draft(base: Transcript) -> Draft:
    """A draft of what is known, to fold more into."""
    same = list(_same_form(base))
    for row in _TABLES:
        same[row] = same[row].copy()
    ending = base.ending
    return Draft(
        *same,
        **{name: thaw(getattr(base, name)) for name, thaw, _ in _OTHER_FORMS},
        base=base,
        ending=(ending.moment, ending.reason, ending.place, ending.at),
        turn_row=len(base.turns) - 1,
        turn_number=_last_number(base.turns),
        calls_before=base.totals.calls,
        failed_before=base.totals.failed_calls,
    )


def _last_number(turns: Chunked[Turn]) -> int:
    """Of the last turn that is alive: nearly always the last one."""
    if turns.chunks and not (last := turns.chunks[-1][-1]).abandoned:
        return last.number
    return next((turn.number for turn in reversed(turns) if not turn.abandoned), 0)


def freeze_draft(draft: Draft, *, steps: tuple[Step, ...], record_ids: Chunked[bytes], record_count: int) -> Transcript:
    """The transcript that the draft has become, with what is made of it when the batch ends."""
    return Transcript(
        *_same_form(draft),
        **{name: freeze(getattr(draft, name)) for name, _, freeze in _OTHER_FORMS},
        ending=Ending(*draft.ending),
        steps=steps,
        record_ids=record_ids,
        record_count=record_count,
    )


def latest(known: tuple[T, ...], item: T, *, most: int) -> tuple[T, ...]:
    """With the item at the end, as long as there is room for it."""
    return (*known, item)[-most:]


# What becomes of a field that a transcript and its draft have in different forms.
_FORMS: Final[dict[type, tuple[Callable[[Any], Any], Callable[[Any], Any]]]] = {
    Chunked: (Growing, Growing.freeze),
    Totals: (lambda totals: Counts(*astuple(totals)), lambda counts: Totals(*astuple(counts))),
    Meter: (lambda meter: Gauge(*astuple(meter)), Gauge.freeze),
}
_SAME_FORM: Final = TranscriptFields.__struct_fields__
_OTHER_FORMS: Final = [
    (name, *_FORMS[kind])
    for name in Draft.__struct_fields__
    if name not in ("record_ids", *_SAME_FORM) and (kind := type(getattr(EMPTY, name, None))) in _FORMS
]
_same_form = attrgetter(*_SAME_FORM)
# Counted in and taken from while folding: the transcript's own must not change.
_LATE = fields_with("copied late", TranscriptFields)
_TABLES = [row for row, name in enumerate(_SAME_FORM) if isinstance(getattr(EMPTY, name), dict) and name not in _LATE]


# ---- passages, in which decisions may be found later: cheap, for every message of every log comes by here

# How a pasted `_recap.md` begins: what follows is ours, and restates what was found before.
_RECAP_FILE = "<!-- recapd:recap"


def note_words(draft: Draft, record: Record, kind: PassageKind, *, text: str) -> None:
    note_own_words(draft, record, kind, text=without_own_text(text))


def note_own_words(draft: Draft, record: Record, kind: PassageKind, *, text: str) -> None:
    """The same for a text that has nothing of ours in it, but for a recap that somebody pasted."""
    tail = ""
    if _RECAP_FILE in text:
        text = text[: text.index(_RECAP_FILE)]
    if not text and kind == "reply":
        return
    if len(text) > HEAD_CHARS + TAIL_CHARS:
        text, tail = head_and_tail(text)
    draft.passages.append(
        Passage(kind, text, record.place, record.id, record.at, draft.turn_row, draft.totals.messages - 1, tail)
    )


# ---- where a record stands among all records with an id

# Record ids are told apart by their last characters, kept packed: a session has tens of thousands. Ids that agents make
# by the clock begin alike; their ends differ.
ID_CHARS = 8
IDS_PER_CHUNK = 512
# So many are packed in less time together than one by one.
_MANY_IDS = 8


def pack_ids(draft: Draft) -> None:
    """Pack the ids that the draft has come by: as text they take ten times the room."""
    ids = draft.record_ids
    if ids:
        draft.packed_ids += packed(ids)
        draft.last_record = ids[-1]
        ids.clear()


def ids_with(known: Chunked[bytes], more: bytes | bytearray) -> Chunked[bytes]:
    """Known record ids and more, packed, in pieces of a fixed size, so that equal histories have equal pieces."""
    size = IDS_PER_CHUNK * ID_CHARS
    pieces = Growing(known)
    start = 0
    if len(pieces) and len(pieces[-1]) < size:
        start = size - len(pieces[-1])
        pieces[-1] += more[:start]
    for begin in range(start, len(more), size):
        pieces.append(bytes(more[begin : begin + size]))
    return pieces.freeze()


def packed(ids: list[str]) -> bytes:
    size = len(ids[0])
    if (
        len(ids) >= _MANY_IDS
        and size >= ID_CHARS
        and set(map(len, ids)) == {size}
        and (joined := "".join(ids)).isascii()
    ):
        # Ids of one length, as most agents make them, are cut all at once: character by character, each of all ids.
        text = joined.encode()
        columns = bytearray(len(ids) * ID_CHARS)
        for at in range(ID_CHARS):
            columns[at::ID_CHARS] = text[size - ID_CHARS + at :: size]
        return bytes(columns)
    return b"".join([_packed_id(text) for text in ids])


def count_of(draft: Draft) -> int:
    """How many records with an id there are."""
    return draft.base.record_count + len(draft.packed_ids) // ID_CHARS + len(draft.record_ids)


def position_of(draft: Draft, record_id: str) -> int:
    """Position of a record among all records with an id, or -1. Searched from the end: rewinds are short."""
    pack_ids(draft)
    wanted = _packed_id(record_id)
    if (found := _last_in(draft.packed_ids, wanted)) >= 0:
        return draft.base.record_count + found
    chunks = draft.base.record_ids
    for number in range(len(chunks) - 1, -1, -1):
        if (found := _last_in(chunks[number], wanted)) >= 0:
            return number * IDS_PER_CHUNK + found
    return -1


def _last_in(ids: bytes | bytearray, wanted: bytes) -> int:
    """Number of the last of the packed ids that is the wanted one, or -1."""
    found = ids.rfind(wanted)
    while found >= 0 and found % ID_CHARS:
        found = ids.rfind(wanted, 0, found + ID_CHARS - 1)
    return found // ID_CHARS if found >= 0 else -1


def last_record(draft: Draft) -> str:
    return draft.record_ids[-1] if draft.record_ids else draft.last_record


def _packed_id(record_id: str) -> bytes:
    return record_id[-ID_CHARS:].ljust(ID_CHARS).encode("utf-8", "replace")[:ID_CHARS]
