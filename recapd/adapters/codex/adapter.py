"""Codex CLI, editor extensions and desktop app: rollout files of {timestamp, type, payload} lines.

Owns the envelope, session headers and the events beside the conversation's items; `items` reads the items.
The agent's words and the human's stand in such a file twice. Replies and calls are taken from the items,
prompts from the events; where a file has no events, from the items.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta, Struct

from recapd.adapters.codex.items import ITEMS, Item, ItemReader
from recapd.adapters.codex.prompts import human_words
from recapd.adapters.shared import (
    Adapter,
    JsonObject,
    Typed,
    decode_or_none,
    parse_odd,
    text_in,
    word_at,
)
from recapd.core.log import (
    Began,
    Compacted,
    Ended,
    Event,
    Faulted,
    Interrupted,
    Note,
    Opened,
    Parsed,
    Prompt,
    Record,
    Rewound,
    Titled,
    canonical,
)

if TYPE_CHECKING:
    from recapd.core.log import Place


class _Line(Struct, gc=False):
    timestamp: str = ""
    type: str = ""
    payload: Item | None = None


class _Spawn(Struct, gc=False):
    parent_thread_id: str = ""


class _Subagent(Struct, gc=False):
    thread_spawn: _Spawn | None = None


class _Source(Struct, gc=False):
    # A word ("review"), or an object that says who asked for the thread.
    subagent: str | _Subagent | None = None


_line = msgspec.json.Decoder(_Line)
_source = msgspec.json.Decoder(_Source)
# Numbers out of a log are bounded before they go on: state must fit into 64 bits.
_turns: msgspec.json.Decoder[int] = msgspec.json.Decoder(Annotated[int, Meta(ge=1, le=1_000_000)])
_stamp_of = attrgetter("timestamp")
_BEGAN = (Began(),)
_ENDED = (Ended("turn"),)


def _user_message(item: Item) -> tuple[Event, ...]:
    text = text_in(item.message)
    return (Prompt(human_words(text)),) if text.strip() else ()


def _turn_aborted(item: Item) -> tuple[Event, ...]:
    reason = text_in(item.reason)
    # Others are ends that nobody pressed a key for: a review is over, a budget is spent, a new turn took over.
    return (Interrupted(),) if reason in ("interrupted", "") else (Ended("turn", reason),)


def _error(item: Item) -> tuple[Event, ...]:
    return (Faulted(text_in(item.message)),)


def _task_started(item: Item) -> tuple[Event, ...]:
    return _BEGAN


def _task_complete(item: Item) -> tuple[Event, ...]:
    return _ENDED


def _shutdown(item: Item) -> tuple[Event, ...]:
    return (Ended("session"),)


def _rolled_back(item: Item) -> tuple[Event, ...]:
    turns = decode_or_none(_turns, item.num_turns)
    return (Rewound(turns),) if turns is not None else ()


def _renamed(item: Item) -> tuple[Event, ...]:
    name = text_in(item.thread_name).strip()
    return (Titled(name, by_human=True),) if name else ()


def _review(item: Item) -> tuple[Event, ...]:
    return (Note("meta", text_in(item.user_facing_hint)),)


# Events that repeat an item, report progress or count tokens.
_SILENT = """
    token_count agent_message agent_reasoning agent_reasoning_raw_content agent_reasoning_section_break
    context_compacted exited_review_mode item_started item_completed
    exec_command_begin exec_command_end patch_apply_begin patch_apply_end mcp_tool_call_begin mcp_tool_call_end
    web_search_begin web_search_end view_image_tool_call image_generation_begin image_generation_end
    dynamic_tool_call_request dynamic_tool_call_response terminal_interaction
    collab_agent_spawn_begin collab_agent_spawn_end collab_agent_interaction_begin collab_agent_interaction_end
    collab_waiting_begin collab_waiting_end collab_close_begin collab_close_end collab_resume_begin collab_resume_end
    sub_agent_activity thread_goal_updated thread_settings_applied session_configured guardian_assessment
    warning guardian_warning deprecation_notice background_event model_reroute plan_update turn_diff
    undo_started undo_completed hook_started hook_completed
"""

_EVENTS: dict[str, ItemReader | None] = {
    **dict.fromkeys(_SILENT.split()),
    "user_message": _user_message,
    "task_started": _task_started,
    "turn_started": _task_started,
    "task_complete": _task_complete,
    "turn_complete": _task_complete,
    "turn_aborted": _turn_aborted,
    "error": _error,
    "stream_error": _error,
    "thread_rolled_back": _rolled_back,
    "thread_name_updated": _renamed,
    "entered_review_mode": _review,
    "shutdown_complete": _shutdown,
}

# Whole names beside the readers: one lookup per line, no string building.
_READERS: dict[str, dict[str, tuple[str, ItemReader | None]]] = {
    family: {name: (f"{family}/{name}", reader) for name, reader in readers.items()}
    for family, readers in (("response_item", ITEMS), ("event_msg", _EVENTS))
}


def _session_meta(place: Place, at: str, item: Item) -> Record:
    session = item.id or ""
    source = decode_or_none(_source, item.source)
    opened = Opened(session)
    if source is not None and source.subagent is not None:
        spawn = source.subagent.thread_spawn if isinstance(source.subagent, _Subagent) else None
        opened = Opened(session, subagent=session or "subagent", parent_session=spawn.parent_thread_id if spawn else "")
    return Record(
        place,
        "session_meta",
        (opened,),
        at=at,
        cwd=item.cwd or "",
        branch=(item.git.branch or "") if item.git is not None else "",
        version=item.cli_version or "",
    )


def _turn_context(place: Place, at: str, item: Item) -> Record:
    return Record(place, "turn_context", at=at, cwd=item.cwd or "", model=item.model or "")


def _compacted(place: Place, at: str, item: Item) -> Record:
    summary = text_in(item.message)
    # Newer versions keep the summary encrypted and leave the text empty.
    note = (Note("compaction", summary),) if summary.strip() else ()
    return Record(place, "compacted", (Compacted(), *note), at=at)


def _teammate(place: Place, at: str, item: Item) -> Record:
    text = item.content if isinstance(item.content, str) else ""
    return Record(place, "inter_agent_communication", (Note("teammate", text),), at=at)


_HEADERS: dict[str, Callable[[Place, str, Item], Record]] = {
    "session_meta": _session_meta,
    "turn_context": _turn_context,
    "compacted": _compacted,
    "inter_agent_communication": _teammate,
}
_SILENT_TYPES = frozenset(("world_state", "token_usage_record", "inter_agent_communication_metadata"))
_FAMILIES = frozenset((*_READERS, *_HEADERS, *_SILENT_TYPES))


def parse(line: bytes, place: Place) -> Parsed:
    try:
        entry = _line.decode(line)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return parse_odd(line, place, _Line, record_of=_record, is_whole=_is_whole)
    return (_record(entry, place),), ()


def _record(entry: _Line, place: Place, at: str = "") -> Record:
    at = at or canonical(entry.timestamp)
    payload = entry.payload
    if payload is None:
        return Record(place, entry.type or "untyped", at=at, known=entry.type in _SILENT_TYPES)
    readers = _READERS.get(entry.type)
    if readers is not None:
        # Tools that write rollouts themselves leave out what kind of item it is where its role says so.
        found = readers.get(payload.type or ("message" if payload.role else ""))
        if found is None:
            # Everything that was said and done is an item; events tell of it, or of the work besides.
            is_aside = entry.type == "event_msg"
            return Record(place, f"{entry.type}/{payload.type}", at=at, known=False, is_aside=is_aside)
        name, reader = found
        return Record(place, name, reader(payload) if reader is not None else (), at=at)
    header = _HEADERS.get(entry.type)
    if header is not None:
        return header(place, at, payload)
    return Record(place, entry.type or "untyped", at=at, known=entry.type in _SILENT_TYPES)


def _is_whole(entry: _Line, _: Record) -> bool:
    """A torn record's inner objects have no envelope."""
    return entry.payload is not None and bool(entry.type)


def recognise(objects: Sequence[JsonObject]) -> bool:
    return any(word_at(found, "type") in _FAMILIES and isinstance(found.get("payload"), dict) for found in objects)


def resume_command(session: str) -> str:
    return f"codex resume {session}"


ADAPTER = Adapter(
    name="codex",
    title="Codex",
    recognise=recognise,
    parse=parse,
    typed=Typed(_line.decode, _stamp_of, _record),
    resume_command=resume_command,
)
