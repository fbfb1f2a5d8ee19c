"""What a log says, in words no agent owns, and where it says it.

refs      the line and bytes that prove a fact
events    records and what they hold: prompts, replies, calls, results
lines     bytes to lines, in any chunks
times     points in time as logs write them, in one form
"""

from recapd.core.log.effects import FileAction, FileEffect, is_same_file, join_path
from recapd.core.log.events import (
    Began,
    Call,
    CallKind,
    Compacted,
    Ended,
    Event,
    Faulted,
    Interrupted,
    Linked,
    Note,
    NoteKind,
    Opened,
    Parsed,
    Problem,
    Prompt,
    PromptKind,
    Queued,
    Record,
    Reply,
    Result,
    Rewound,
    Thought,
    Titled,
    TodoChanged,
    TodoItem,
    Todos,
    TodoStatus,
)
from recapd.core.log.lines import MAX_LINE_BYTES, START, Carry, Split, split, unfinished
from recapd.core.log.origins import author_of
from recapd.core.log.payload import error_line, text_of_beginning, text_of_payload
from recapd.core.log.recorded import RECORDED_KINDS, Recorded, recorded_in, without_recorded
from recapd.core.log.refs import GENERATION_BYTES, LogRef, Place, generation_of, is_same_beginning, ref_of
from recapd.core.log.times import a_day_after, canonical, canonical_all, from_epoch, seconds_between

__all__ = [
    "GENERATION_BYTES",
    "MAX_LINE_BYTES",
    "RECORDED_KINDS",
    "START",
    "Began",
    "Call",
    "CallKind",
    "Carry",
    "Compacted",
    "Ended",
    "Event",
    "Faulted",
    "FileAction",
    "FileEffect",
    "Interrupted",
    "Linked",
    "LogRef",
    "Note",
    "NoteKind",
    "Opened",
    "Parsed",
    "Place",
    "Problem",
    "Prompt",
    "PromptKind",
    "Queued",
    "Record",
    "Recorded",
    "Reply",
    "Result",
    "Rewound",
    "Split",
    "Thought",
    "Titled",
    "TodoChanged",
    "TodoItem",
    "TodoStatus",
    "Todos",
    "a_day_after",
    "author_of",
    "canonical",
    "canonical_all",
    "error_line",
    "from_epoch",
    "generation_of",
    "is_same_beginning",
    "is_same_file",
    "join_path",
    "recorded_in",
    "ref_of",
    "seconds_between",
    "split",
    "text_of_beginning",
    "text_of_payload",
    "unfinished",
    "without_recorded",
]
