"""opencode, as `opencode export` writes it: one document with the session's info and its messages {info, parts}.

Owns the document and the messages' headers; `parts` reads what messages are made of.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Raw, Struct

from recapd.adapters.chat import without_reminders
from recapd.adapters.opencode.parts import Part, is_known, part_events
from recapd.adapters.shared import (
    Adapter,
    Document,
    JsonObject,
    cut_elements,
    decode_mended,
    is_injected,
    misshapen,
    parse_odd,
    place_of,
    salvage,
    text_in,
    top_level,
    unreadable,
)
from recapd.core.log import (
    Ended,
    Event,
    Faulted,
    Interrupted,
    Note,
    Opened,
    Parsed,
    Place,
    Problem,
    Prompt,
    Record,
    Titled,
    from_epoch,
)

# What a session is called until a model has named it.
_UNTITLED = ("New session - ", "Child session - ")
_ABORTED = "MessageAbortedError"
# Ends that only say that a tool is to be called, or nothing at all.
_GOING_ON = frozenset(("tool-calls", "unknown"))
_ENDED = Ended("turn")


class _Time(Struct, gc=False):
    created: float | None = None


class _Path(Struct, gc=False):
    cwd: str | None = None


class _ErrorData(Struct, gc=False):
    message: str | None = None


class _Error(Struct, gc=False):
    name: str | None = None
    data: _ErrorData | None = None
    message: str | None = None


class _Info(Struct, gc=False):
    id: str | None = None
    role: str | None = None
    time: _Time | None = None
    path: _Path | None = None
    modelID: str | None = None
    finish: str | None = None
    error: _Error | None = None
    # True on the agent's summary of what it is about to forget; an object on the human's messages.
    summary: Raw = Raw()
    # On the human's messages, and on the tasks given to sub-agents, which may not delegate further.
    tools: dict[str, bool] | None = None


class _Message(Struct, gc=False):
    info: _Info | None = None
    parts: list[Part] | None = None


class _Session(Struct, gc=False):
    id: str | None = None
    parentID: str | None = None
    directory: str | None = None
    title: str | None = None
    version: str | None = None
    time: _Time | None = None


class _Export(Struct, gc=False):
    info: Raw = Raw()
    messages: Raw = Raw()


_export = msgspec.json.Decoder(_Export)
_message = msgspec.json.Decoder(_Message)


def split(data: bytes) -> Document:
    export, data = decode_mended(_export, data)
    if export is None:
        return unreadable(data)
    if bytes(export.messages)[:1] != b"[":
        return misshapen(data, "messages")
    session, lost = salvage(export.info, _Session)
    place = place_of(data, export.info)
    problems = (Problem(place, "shape", " ".join(lost) or "info"),) if lost or session is None else ()
    header = (_session_record(session, place),) if session is not None else ()
    return Document(cut_elements(data, export.messages), header, problems)


def _session_record(session: _Session, place: Place) -> Record:
    title = (session.title or "").strip()
    parent = session.parentID or ""
    opened = Opened(subagent=session.id or "subagent", parent_session=parent) if parent else Opened()
    return Record(
        place,
        "session",
        (opened, Titled(title)) if title and not title.startswith(_UNTITLED) else (opened,),
        at=_time(session.time),
        session=session.id or "",
        cwd=session.directory or "",
        version=session.version or "",
    )


def parse(line: bytes, place: Place) -> Parsed:
    try:
        message = _message.decode(line)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return parse_odd(line, place, _Message, record_of=_record)
    return (_record(message, place),), ()


def _record(message: _Message, place: Place) -> Record:
    info = message.info or _Info()
    parts = message.parts or []
    if info.role == "user":
        is_task = info.tools is not None and info.tools.get("task") is False
        events = _task_events(parts) if is_task else _user_events(parts)
    elif info.role == "assistant":
        events = _assistant_events(info, parts)
    else:
        return Record(place, info.role or "untyped", at=_time(info.time), id=info.id or "", known=False)
    unknown = next((part.type for part in parts if not is_known(part)), None)
    return Record(
        place,
        info.role if unknown is None else f"{info.role}/{unknown or 'untyped'}",
        events,
        at=_time(info.time),
        # No parent: all the agent's messages of a turn name the human's, which is no tree.
        id=info.id or "",
        cwd=(info.path.cwd or "") if info.path is not None else "",
        model=info.modelID or "",
        known=unknown is None,
    )


def _user_events(parts: list[Part]) -> tuple[Event, ...]:
    events: list[Event] = []
    words: list[str] = []
    for part in parts:
        if part.type != "text" or part.synthetic or part.ignored:
            events += part_events(part, "")
            continue
        text = text_in(part.text)
        own = without_reminders(text.strip())
        if own and not is_injected(own):
            words.append(own)
        elif text.strip():
            events.append(Note("meta", text))
    # The human's words come first, whatever was fetched for them.
    return (Prompt("\n".join(words)), *events) if words else tuple(events)


def _task_events(parts: list[Part]) -> tuple[Event, ...]:
    return (Note("task", "\n".join(text_in(part.text) for part in parts if part.type == "text")),)


def _assistant_events(info: _Info, parts: list[Part]) -> tuple[Event, ...]:
    if bytes(info.summary) == b"true":
        summary = "\n".join(text_in(part.text) for part in parts if part.type == "text")
        return (Note("compaction", summary),)
    events: list[Event] = []
    for part in parts:
        events += part_events(part, info.id or "")
    if info.error is not None:
        events.append(_failure(info.error, parts))
    elif info.finish == "stop":
        events.append(_ENDED)
    elif info.finish and info.finish not in _GOING_ON:
        events.append(Ended("turn", info.finish))
    return tuple(events)


def _failure(error: _Error, parts: list[Part]) -> Event:
    if error.name == _ABORTED:
        return Interrupted(during_tool=bool(parts) and parts[-1].type == "tool")
    said = error.data.message if error.data is not None else None
    return Faulted(said or error.message or error.name or "")


def _time(time: _Time | None) -> str:
    return from_epoch(time.created) if time is not None and time.created else ""


def recognise(objects: Sequence[JsonObject]) -> bool:
    info = objects[0].get("info") if objects else None
    return isinstance(info, Mapping) and "messages" in objects[0] and "projectID" in info and "directory" in info


def recognise_head(head: bytes) -> bool:
    if b'"projectID"' not in head:
        return False
    info = top_level(top_level(head).get("info", b""))
    return "projectID" in info and "directory" in info


def _resume(session: str) -> str:
    return f"opencode --session {session}"


ADAPTER = Adapter(
    name="opencode",
    title="opencode",
    recognise=recognise,
    parse=parse,
    resume_command=_resume,
    split=split,
    recognise_head=recognise_head,
)
