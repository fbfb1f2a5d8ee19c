"""Folding records into a transcript: the only way a transcript changes.

`extend(extend(t, a), b) == extend(t, a + b)`: a batch may be one record or a whole file.
Work is bounded by the batch, never by the history.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from recapd.core.log import (
    Began,
    Call,
    Compacted,
    Ended,
    Event,
    Faulted,
    Interrupted,
    Linked,
    Note,
    Opened,
    Problem,
    Prompt,
    Queued,
    Record,
    Reply,
    Result,
    Rewound,
    Thought,
    Titled,
    TodoChanged,
    Todos,
)
from recapd.core.state.actions import on_call, on_linked, on_result, settle, steps_of
from recapd.core.state.answers import Known, known_secrets, without_known
from recapd.core.state.draft import (
    IDS_PER_CHUNK,
    LAST_WORDS_CHARS,
    MAX_CWDS,
    MAX_INSTRUCTIONS,
    MAX_PROBLEMS,
    MAX_REQUESTS,
    MAX_TYPES,
    MAX_UNSETTLED,
    Draft,
    count_of,
    freeze_draft,
    ids_with,
    latest,
    note_words,
    pack_ids,
    start_draft,
)
from recapd.core.state.progress import on_todo_changed, on_todos
from recapd.core.state.stages import note_stage, read_stages
from recapd.core.state.transcript import HandedOver, Landmark, LandmarkKind, Request, Transcript
from recapd.core.state.turns import close_turn, on_branch_left, on_prompt, on_queued, on_reply, on_rewound
from recapd.core.text import READ_CHARS, beginning

# Later than any time, as text.
_NEVER = "~"


def extend(base: Transcript, records: Sequence[Record], problems: Sequence[Problem] = ()) -> Transcript:
    """The transcript with these records at its end."""
    draft = start_draft(base)
    take(draft, records, problems)
    return freeze(draft)


def take(draft: Draft, records: Sequence[Record], problems: Sequence[Problem] = ()) -> None:
    """Fold records into a draft. Whoever reads a whole log holds the draft, and freezes it once instead of often."""
    handlers = _HANDLERS
    started_at, last_at = draft.started_at or _NEVER, draft.last_at
    # What most records repeat: whatever differs is compared again where it belongs, so these may lag behind.
    session, cwd, version = draft.native_id, draft.cwd, draft.version
    add_id = draft.record_ids.append
    # Hardly any session has some; what they are is made out when the first record comes behind one.
    handed_over: tuple[HandedOver, ...] = ()
    known: tuple[Known, ...] = ()
    kinds: dict[str, int] = {}
    for record in records:
        kind = record.type
        kinds[kind] = kinds.get(kind, 0) + 1
        if draft.handed_over:
            if draft.handed_over is not handed_over:
                handed_over, known = draft.handed_over, known_secrets(draft.handed_over)
            record = without_known(record, known)
        at = record.at
        if at > last_at:
            last_at = at
            if started_at is _NEVER:
                started_at = at
        elif at < started_at and at and not record.via:
            started_at = at
        if record.via:
            _read_subagent(draft, record)
        else:
            if record.session != session or record.cwd != cwd or not record.known:
                _read_header(draft, record)
                session, cwd = draft.native_id, draft.cwd
            if record.version != version and record.version:
                version = draft.version = record.version
            for event in record.events:
                handlers[type(event)](draft, record, event)
            if record.id:
                add_id(record.id)
    draft.last_at = last_at
    if started_at is not _NEVER:
        draft.started_at = started_at
    for record in reversed(records):
        if record.branch and not record.via:
            draft.branch = record.branch
            break
    for record in reversed(records):
        if record.model and not record.via:
            draft.model = record.model
            break
    draft.totals.records += len(records)
    if len(draft.record_ids) >= IDS_PER_CHUNK:
        pack_ids(draft)
    for kind, number in kinds.items():
        _count(draft.record_types, kind, number)
    for problem in problems:
        _note_problem(draft, problem)
    if len(draft.unsettled) >= MAX_UNSETTLED:
        settle(draft)
    read_stages(draft)


def _read_header(draft: Draft, record: Record) -> None:
    """What changes rarely: the session's id, the directory, a type nobody knows."""
    if record.session and record.session != draft.native_id:
        if draft.subagent and not draft.native_id:
            # A sub-agent's records came first, but the source is a conversation of its own after all.
            draft.subagent = draft.parent_session = ""
            draft.original, draft.commands_given = None, ()
        draft.native_id = record.session
    if record.cwd and record.cwd != draft.cwd:
        draft.cwd = record.cwd
        if record.cwd not in draft.cwds and len(draft.cwds) < MAX_CWDS:
            draft.cwds = (*draft.cwds, record.cwd)
    if not record.known:
        _note_unknown(draft, record)


def _read_subagent(draft: Draft, record: Record) -> None:
    """A sub-agent's words are no messages of the conversation; its work is work of the session."""
    if not draft.native_id and not draft.subagent:
        # A source that holds nothing but a sub-agent's work belongs to the session its records name.
        draft.subagent = record.via
        draft.parent_session = record.session
    if record.cwd and not draft.cwd:
        draft.cwd = record.cwd
        draft.cwds = (record.cwd,)
    if not record.known:
        _note_unknown(draft, record)
    for event in record.events:
        if isinstance(event, Call):
            on_call(draft, record, event)
        elif isinstance(event, Result):
            on_result(draft, record, event)
        elif draft.subagent and not draft.native_id:
            _hear_subagent(draft, record, event)


def _hear_subagent(draft: Draft, record: Record, event: Event) -> None:
    """In a source of its own a sub-agent's task and its answer are what there is to tell, though nobody's turn."""
    if isinstance(event, Note) and event.kind == "task" and draft.original is None:
        draft.original = Request(beginning(event.text), 0, record.at, record.place, "command")
        draft.commands_given = latest(draft.commands_given, draft.original, most=MAX_REQUESTS)
    elif isinstance(event, Reply):
        draft.last_words = event.text[-LAST_WORDS_CHARS:]
        draft.ending = ("reply", "", record.place, record.at)


def _note_unknown(draft: Draft, record: Record) -> None:
    _count(draft.unknown_types, f"{record.type} ({record.version or draft.version or 'version unknown'})")
    if not record.is_aside:
        draft.unknown_words += 1


def _count(counts: dict[str, int], key: str, number: int = 1) -> None:
    if key not in counts and len(counts) >= MAX_TYPES:
        key = "(others)"
    counts[key] = counts.get(key, 0) + number


def _note_problem(draft: Draft, problem: Problem) -> None:
    draft.totals.problems += 1
    _count(draft.problem_kinds, problem.kind)
    if len(draft.problems) < MAX_PROBLEMS:
        draft.problems = (*draft.problems, problem)


def _on_opened(draft: Draft, record: Record, opened: Opened) -> None:
    if opened.session and not draft.native_id:
        draft.native_id = opened.session
    if opened.subagent:
        draft.subagent = opened.subagent
        draft.parent_session = opened.parent_session


def _on_titled(draft: Draft, record: Record, titled: Titled) -> None:
    if titled.by_human or not draft.title_by_human:
        draft.title = beginning(titled.text)
        draft.title_by_human = titled.by_human


def _on_note(draft: Draft, record: Record, note: Note) -> None:
    """Injected text moves nothing but the meter; the summary of a branch says that the branch was left, and who is told
    to go on has not come to an end."""
    draft.tool.chars += len(note.text)
    if note.kind == "stage":
        read_stages(draft)
        note_stage(draft, record, beginning(note.text))
    elif note.kind == "system":
        draft.said.append((record, note.text[:READ_CHARS]))
    if note.kind == "system" and draft.turn_row < 0 and len(draft.instructions) < MAX_INSTRUCTIONS:
        draft.instructions = (*draft.instructions, record.place)
    elif note.kind in ("compaction", "away"):
        note_words(draft, record, "summary", text=note.text)
    if note.kind == "branch":
        on_branch_left(draft, record)
    elif note.kind == "nudge" and draft.ending[0] == "reply":
        draft.ending = ("result", "", record.place, record.at)


def _on_thought(draft: Draft, record: Record, thought: Thought) -> None:
    draft.agent.chars += thought.length


def _on_compacted(draft: Draft, record: Record, compacted: Compacted) -> None:
    draft.totals.compactions += 1
    _note_landmark(draft, record, "compaction", compacted.trigger)


def _on_began(draft: Draft, record: Record, began: Began) -> None:
    draft.is_turn_open = True


def _on_interrupted(draft: Draft, record: Record, interrupted: Interrupted) -> None:
    draft.is_turn_open = False
    draft.ending = ("interrupted", "by the user", record.place, record.at)
    note_words(draft, record, "stopped", text="")
    _note_landmark(draft, record, "interrupted", "")


def _on_ended(draft: Draft, record: Record, ended: Ended) -> None:
    draft.is_turn_open = False
    if draft.ending[0] == "words":
        # They were the answer.
        draft.ending = ("reply", *draft.ending[1:])
    if ended.scope == "turn" and draft.ending[0] == "prompt" and draft.turn_row >= 0:
        draft.turns[-1] = msgspec.structs.replace(draft.turns.tail[-1], ended_empty=True)
        draft.ending = ("ended", ended.reason, record.place, record.at)
    if ended.scope == "session":
        draft.ending = ("closed", ended.reason, record.place, record.at)
    elif draft.ending[0] in ("call", "result") or (ended.reason and draft.ending[0] == "reply"):
        draft.ending = ("ended", ended.reason, record.place, record.at)


def _on_faulted(draft: Draft, record: Record, faulted: Faulted) -> None:
    draft.ending = ("faulted", beginning(faulted.reason), record.place, record.at)
    _note_landmark(draft, record, "error", faulted.reason)


def _note_landmark(draft: Draft, record: Record, kind: LandmarkKind, text: str) -> None:
    # They stand in the order of the log, and calls before this one may have left some.
    settle(draft)
    draft.landmarks.append(Landmark(kind, record.place, record.at, beginning(text)))


# One handler per type of event.
_Handler = Callable[[Draft, Record, Any], None]
_HANDLERS: dict[type, _Handler] = {
    Opened: _on_opened,
    Prompt: on_prompt,
    Queued: on_queued,
    Note: _on_note,
    Reply: on_reply,
    Thought: _on_thought,
    Call: on_call,
    Result: on_result,
    Todos: on_todos,
    TodoChanged: on_todo_changed,
    Titled: _on_titled,
    Linked: on_linked,
    Compacted: _on_compacted,
    Interrupted: _on_interrupted,
    Began: _on_began,
    Ended: _on_ended,
    Faulted: _on_faulted,
    Rewound: on_rewound,
}


def freeze(draft: Draft) -> Transcript:
    """What the draft says. It is at its end: what comes later belongs into a draft of the transcript."""
    close_turn(draft)
    if draft.unsettled:
        settle(draft)
    pack_ids(draft)
    base = draft.base
    return freeze_draft(
        draft,
        steps=steps_of(draft) if draft.finished else base.steps,
        record_ids=ids_with(base.record_ids, draft.packed_ids) if draft.packed_ids else base.record_ids,
        record_count=count_of(draft),
    )
