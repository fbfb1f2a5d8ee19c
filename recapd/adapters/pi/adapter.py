"""pi and what is built on it (gitclaw, OpenClaw): a session header, then entries that form a tree by id and parentId.

Owns entries and headers; `messages` reads the messages in them. Versions before 3 have neither ids nor parents.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import msgspec
from msgspec import Meta, Raw, Struct

from recapd.adapters.pi.messages import ROLES, Content, Message, texts_of
from recapd.adapters.shared import (
    Adapter,
    JsonObject,
    Typed,
    decode_or_none,
    parse_odd,
    text_in,
    time_of,
    word_at,
)
from recapd.core.log import Compacted, Event, Faulted, Note, Opened, Parsed, Record, Titled

if TYPE_CHECKING:
    from recapd.core.log import Place


class _Entry(Struct, gc=False):
    type: str = ""
    id: str | None = None
    parentId: str | None = None
    timestamp: str | float | None = None
    message: Message | None = None
    cwd: str | None = None
    modelId: str | None = None
    summary: Raw = Raw()
    tokensBefore: Raw = Raw()
    name: Raw = Raw()
    customType: str | None = None
    content: Content = None
    data: Raw = Raw()


class _PromptError(Struct, gc=False):
    error: str = ""


_entry = msgspec.json.Decoder(_Entry)
# Numbers out of a log are bounded before they go on: state must fit into 64 bits.
_tokens: msgspec.json.Decoder[float] = msgspec.json.Decoder(Annotated[float, Meta(ge=0, le=2**53)])
_prompt_error = msgspec.json.Decoder(_PromptError)


def _compaction(entry: _Entry) -> tuple[Event, ...]:
    tokens = decode_or_none(_tokens, entry.tokensBefore) or 0
    summary = text_in(entry.summary)
    return (Compacted(tokens_before=int(tokens)), *((Note("compaction", summary),) if summary.strip() else ()))


def _branch(entry: _Entry) -> tuple[Event, ...]:
    return (Note("branch", text_in(entry.summary)),)


def _custom(entry: _Entry) -> tuple[Event, ...]:
    if entry.customType != "openclaw:prompt-error":
        return ()
    failure = decode_or_none(_prompt_error, entry.data)
    return (Faulted(failure.error if failure is not None else ""),)


def _custom_message(entry: _Entry) -> tuple[Event, ...]:
    return (Note("meta", "\n".join(texts_of(entry.content))),)


def _session_info(entry: _Entry) -> tuple[Event, ...]:
    name = text_in(entry.name).strip()
    return (Titled(name, by_human=True),) if name else ()


def _session(entry: _Entry) -> tuple[Event, ...]:
    return (Opened(),)


def _nothing(entry: _Entry) -> tuple[Event, ...]:
    return ()


_TYPES: dict[str, Callable[[_Entry], tuple[Event, ...]]] = {
    "session": _session,
    "model_change": _nothing,
    "thinking_level_change": _nothing,
    "compaction": _compaction,
    "branch_summary": _branch,
    "custom": _custom,
    "custom_message": _custom_message,
    "label": _nothing,
    "session_info": _session_info,
}


def parse(line: bytes, place: Place) -> Parsed:
    try:
        entry = _entry.decode(line)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return parse_odd(line, place, _Entry, record_of=_record)
    return (_record(entry, place),), ()


def _stamp_of(entry: _Entry) -> str:
    stamp = entry.timestamp
    return stamp if isinstance(stamp, str) else ""


def _record(entry: _Entry, place: Place, at: str = "") -> Record:
    at = at or time_of(entry.timestamp)
    message = entry.message
    if entry.type == "message" and message is not None:
        return _message_record(entry, message, place, at or time_of(message.timestamp))
    reader = _TYPES.get(entry.type)
    if reader is None:
        return Record(
            place, entry.type or "untyped", at=at, id=entry.id or "", parent=entry.parentId or "", known=False
        )
    if entry.type == "session":
        # The header's id names the session; entries have ids of their own.
        return Record(
            place,
            "session",
            reader(entry),
            at=at,
            session=entry.id or "",
            cwd=entry.cwd or "",
            model=entry.modelId or "",
        )
    kind = f"custom/{entry.customType}" if entry.type == "custom" else entry.type
    return Record(
        place,
        kind,
        reader(entry),
        at=at,
        id=entry.id or "",
        parent=entry.parentId or "",
        model=entry.modelId or "",
    )


def _message_record(entry: _Entry, message: Message, place: Place, at: str) -> Record:
    found = ROLES.get(message.role)
    name, events = (found[0], found[1](message, entry.id or "")) if found else (f"message/{message.role}", ())
    return Record(
        place,
        name,
        events,
        at=at,
        id=entry.id or "",
        parent=entry.parentId or "",
        model=message.model or "",
        known=found is not None,
    )


def recognise(objects: Sequence[JsonObject]) -> bool:
    return any(map(_is_ours, objects))


def _is_ours(found: JsonObject) -> bool:
    if not isinstance(found.get("timestamp"), str):
        return False
    if found.get("type") == "session":
        return "cwd" in found and isinstance(found.get("id"), str)
    message = found.get("message")
    return found.get("type") == "message" and isinstance(message, Mapping) and word_at(message, "role") in ROLES


def resume_command(session: str) -> str:
    return f"pi --session {session}"


ADAPTER = Adapter(
    name="pi",
    title="pi",
    recognise=recognise,
    parse=parse,
    typed=Typed(_entry.decode, _stamp_of, _record),
    resume_command=resume_command,
)
