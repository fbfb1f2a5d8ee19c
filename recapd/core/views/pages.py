"""A turn as somebody reads it: every message whole, every call with its outcome, in the order of the log.

Owns: which events of a turn's records are told, and how a page of them is written down. The caller reads the records.
Must not know: wire types, files.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from recapd.core.hygiene import clean_line, code_span, longest_backtick_run
from recapd.core.log import (
    Call,
    Compacted,
    Event,
    Faulted,
    Interrupted,
    Note,
    NoteKind,
    Place,
    Prompt,
    Queued,
    Record,
    Reply,
    Result,
    seconds_between,
    text_of_beginning,
)
from recapd.core.state import Transcript, Utterance
from recapd.core.text import clip, one_line, presentable, presentable_path, without_own_text

EntryKind: TypeAlias = Literal["user", "agent", "call", "result", "note", "summary"]

# What the agent wrote to be read instead of what came before.
_SUMMARIES: Final[frozenset[NoteKind]] = frozenset(("compaction", "away", "branch"))
# Notes that are part of what happened. The others are the harness talking to the agent.
_TOLD_NOTES: Final[frozenset[NoteKind]] = frozenset(("command", "shell", "teammate", "task"))
# A secret at the cut is still seen whole.
_READ_AHEAD: Final = 4_096
_TARGET_CHARS: Final = 200
_SPEAKERS: Final[dict[EntryKind, str]] = {"user": "You", "agent": "Agent", "note": "Note", "summary": "Summary"}


class Entry(Struct, frozen=True, kw_only=True):
    """One message, call, result or note of a turn. Clean and without secrets; line breaks are kept."""

    kind: EntryKind
    text: str
    place: Place
    at: str = ""
    tool: str = ""
    # What a call is about: a path, a command line, a pattern.
    target: str = ""
    ok: bool | None = None
    exit_code: int | None = None
    # Only the beginning of the text is here.
    is_cut: bool = False
    # The sub-agent whose doing it is.
    via: str = ""


class PageTurn(Struct, frozen=True):
    """A turn and what is told of it; number 0 is what stands before the first."""

    number: int
    entries: tuple[Entry, ...]

    @property
    def at(self) -> str:
        return next((entry.at for entry in self.entries if entry.at), "")

    @property
    def duration_ms(self) -> int | None:
        times = [entry.at for entry in self.entries if entry.at]
        took = seconds_between(times[0], times[-1]) if len(times) > 1 else None
        return max(round(took * 1000), 0) if took is not None else None


# ---- which turns, and where they stand


def row_of_turn(transcript: Transcript, number: int) -> int | None:
    """The row of a living turn; -1 for what stands before the first, None where there is no such turn."""
    if number == 0:
        return -1
    # Turns that were rewound keep their rows, so a number stands at its row or behind it.
    for row in range(max(number - 1, 0), len(transcript.turns)):
        turn = transcript.turns[row]
        if turn.number == number and not turn.abandoned:
            return row
    return None


def row_at(transcript: Transcript, offset: int) -> int:
    """The row of the turn, living or not, that a byte of the log belongs to; -1 before the first."""
    return bisect_right(transcript.turns, offset, key=lambda turn: turn.request.place.offset) - 1


def number_of_row(transcript: Transcript, row: int) -> int:
    return transcript.turns[row].number if row >= 0 else 0


def utterances_of_row(transcript: Transcript, row: int) -> list[Utterance]:
    """What was said in a turn, in order. Rows only grow: what was rewound keeps its row, and what came instead has a
    later one."""
    said = transcript.utterances
    first = bisect_left(said, row, key=lambda each: each.turn_row)
    last = bisect_right(said, row, lo=first, key=lambda each: each.turn_row)
    return [said[at] for at in range(first, last)]


def message_at(transcript: Transcript, offset: int) -> int | None:
    """The message that is said in the record at this byte of the log; None where nothing is."""
    # Nearly always it is of the turn that the byte belongs to; prompts that were typed ahead stand before their own.
    said = chain(utterances_of_row(transcript, row_at(transcript, offset)), transcript.utterances)
    return next((each.message for each in said if each.place.offset == offset), None)


def bytes_of_turn(transcript: Transcript, row: int) -> tuple[Place | None, int]:
    """Where a turn begins, None for the beginning of the log, and the offset at which the next one does, -1 where
    none follows."""
    turns = transcript.turns
    begin = turns[row].request.place if row >= 0 else None
    end = turns[row + 1].request.place.offset if row + 1 < len(turns) else -1
    if begin is not None and 0 <= end <= begin.offset:
        # A prompt that was typed ahead stands before the turn it waits for.
        end = -1
    return begin, end


# ---- what is told of its records


def entries_of(records: Iterable[Record], *, spoken: frozenset[int], max_chars: int) -> Iterator[Entry]:
    """`spoken` are the offsets of the records in which the human says something: a format may state one prompt in
    several, and only one of them counts. A result names what was called, for several may be under way at once."""
    calls: dict[str, Entry] = {}
    for record in records:
        for event in record.events:
            entry = _entry(event, record, is_spoken=record.place.offset in spoken, max_chars=max_chars)
            if isinstance(event, Call) and entry is not None:
                calls[event.id] = entry
            if isinstance(event, Result) and entry is not None and (call := calls.pop(event.id, None)) is not None:
                entry = msgspec.structs.replace(entry, tool=call.tool, target=call.target)
            if entry is not None and (entry.text or entry.kind in ("call", "result")):
                yield entry


def _entry(event: Event, record: Record, *, is_spoken: bool, max_chars: int) -> Entry | None:
    base = Entry(kind="note", text="", place=record.place, at=record.at, via=record.via)
    match event:
        case Prompt(text=text) | Queued(text=text):
            is_command = isinstance(event, Prompt) and event.kind == "command"
            if not is_spoken and not record.via and not is_command:
                return None
            return _with_text(base, "user", without_own_text(text), max_chars)
        case Reply(text=text):
            return _with_text(base, "agent", without_own_text(text), max_chars)
        case Call():
            return _with_text(_of_call(base, event), "call", event.detail_line, max_chars)
        case Result():
            made = msgspec.structs.replace(base, ok=not (event.failed or event.denied), exit_code=event.exit_code)
            return _with_text(made, "result", _text_of_result(event, max_chars), max_chars)
        case Note(kind=kind, text=text) if kind in _SUMMARIES:
            return _with_text(base, "summary", text, max_chars)
        case Note(kind=kind, text=text) if kind in _TOLD_NOTES:
            return _with_text(base, "note", without_own_text(text), max_chars)
        case Compacted():
            return _with_text(base, "note", "The agent's memory up to here was replaced by a summary.", max_chars)
        case Interrupted():
            return _with_text(base, "note", "Stopped by the user.", max_chars)
        case Faulted(reason=reason):
            return _with_text(base, "note", f"The agent failed: {reason}", max_chars)
    return None


def _with_text(entry: Entry, kind: EntryKind, text: str, max_chars: int) -> Entry:
    shown = presentable(text[: max_chars + _READ_AHEAD]).strip()
    return msgspec.structs.replace(
        entry, kind=kind, text=clip(shown, max_chars), is_cut=len(shown) > max_chars or len(text) > max_chars
    )


def _of_call(base: Entry, call: Call) -> Entry:
    is_path = call.kind in ("read", "list", "edit", "write", "delete")
    target = presentable_path(call.target) if is_path else presentable(call.target)
    return msgspec.structs.replace(base, tool=clean_line(presentable(call.tool)), target=target)


def _text_of_result(result: Result, max_chars: int) -> str:
    answers = "\n".join(f"{question} → {answer}" for question, answer in result.answers)
    return answers or result.reason or text_of_beginning(result.payload, 4 * (max_chars + _READ_AHEAD))


# ---- the page


def page_markdown(turns: Sequence[PageTurn]) -> tuple[str, list[list[int]]]:
    """A page of turns, and for each entry of each the line of the page its text begins on.

    Texts stand in fenced blocks, word for word: nothing in them is markup, and a quote is found as it was said.
    """
    lines: list[str] = []
    starts: list[list[int]] = []
    for turn in turns:
        when = f" · {turn.at[:10]} {turn.at[11:16]} UTC" if turn.at else ""
        lines += [f"# Turn {turn.number}{when}" if turn.number else f"# Before the first turn{when}", ""]
        starts.append([])
        for entry in turn.entries:
            lines += [f"**{_heading(entry)}**", ""]
            if not entry.text:
                starts[-1].append(len(lines) - 1)
                continue
            fence = "`" * max(3, longest_backtick_run(entry.text) + 1)
            starts[-1].append(len(lines) + 2)
            cut = ["", "_Only the beginning is shown; the log has the rest._"] if entry.is_cut else []
            lines += [f"{fence}text", *entry.text.split("\n"), fence, *cut, ""]
    return "\n".join(lines).rstrip("\n") + "\n", starts


def _heading(entry: Entry) -> str:
    via = f" ({clean_line(entry.via)})" if entry.via else ""
    if entry.kind not in ("call", "result"):
        return f"{_SPEAKERS[entry.kind]}{via}"
    target = f" {code_span(one_line(entry.target, _TARGET_CHARS))}" if entry.target else ""
    called = f"{code_span(entry.tool) or 'Result'}{target}{via}"
    if entry.kind == "call":
        return f"▸ {called}"
    code = f", exit {entry.exit_code}" if entry.exit_code is not None else ""
    return f"{'✓' if entry.ok else '✗'} {called}{code}"
