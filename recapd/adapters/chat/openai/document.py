"""Chats that are one document: {messages, …} with something that says what session they are of.

hermes keeps its sessions so (session_id, session_start, platform, tools), mycode too (metadata, systemPrompt, and
where it compressed them, summaries and recent_messages), and converters write other agents' sessions so (meta, or
format "openai-chat"). Messages are rows of any style, Anthropic's blocks among them; requests to a model, which look
alike, and trajectories of benchmarks are not sessions and are refused.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec
from msgspec import Raw, Struct

from recapd.adapters.chat.anthropic_messages import parse as parse_row
from recapd.adapters.chat.openai.messages import ROLES, text_of
from recapd.adapters.shared import (
    Adapter,
    Document,
    JsonObject,
    cut_elements,
    decode_document,
    decode_or_none,
    misshapen,
    place_of,
    text_in,
    time_of,
    top_level,
    unreadable,
)
from recapd.core.log import Compacted, Note, Opened, Parsed, Place, Record, Titled

# Of these keys a session has at least one, and a request to a model none.
_SESSION_KEYS = frozenset(
    ("meta", "metadata", "session_id", "session_start", "format", "message_count", "full_message_count")
)
# Other formats that have a list of messages too.
_FOREIGN_KEYS = frozenset(
    ("info", "trajectory", "trajectory_format", "history", "steps", "events", "sessionId", "schema_version")
)
_HERMES_KEYS = frozenset(("session_id", "session_start", "platform"))


class _About(Struct, gc=False):
    """What a document says of its session, on top or under `meta`."""

    session_id: str | None = None
    sessionId: str | None = None
    id: str | None = None
    model: str | None = None
    cwd: str | None = None
    git_branch: str | None = None
    version: str | None = None
    title: str | None = None
    session_start: str | float | None = None
    created_at: str | float | None = None
    last_updated: str | float | None = None
    updated_at: str | float | None = None
    createdAt: str | float | None = None
    updatedAt: str | float | None = None


class _Chat(_About, gc=False):
    meta: _About | None = None
    metadata: _About | None = None
    messages: Raw = Raw()
    systemPrompt: Raw = Raw()
    # What is left of the messages where summaries stand for the others.
    recent_messages: Raw = Raw()
    summaries: Raw = Raw()


class _Summary(Struct, gc=False):
    content: Raw = Raw()
    generated_at: str | float | None = None


_chat = msgspec.json.Decoder(_Chat)
_summary = msgspec.json.Decoder(_Summary)


def split(data: bytes) -> Document:
    chat, data, problems = decode_document(_chat, data)
    if chat is None:
        return unreadable(data)
    messages = chat.messages or chat.recent_messages
    if bytes(messages)[:1] != b"[":
        return misshapen(data, "messages")
    pieces = cut_elements(data, messages)
    before = Place(1, 0, pieces[0][1].offset if pieces else len(data))
    if text_of(chat.systemPrompt):
        pieces.insert(0, (bytes(chat.systemPrompt), place_of(data, chat.systemPrompt)))
    return Document(pieces, (*_header(chat, before), *_summaries(chat, data)), problems)


def parse(piece: bytes, place: Place) -> Parsed:
    """A message, or the text by which the agent is told what to be."""
    if piece[:1] == b'"':
        return (Record(place, "systemPrompt", (Note("system", text_in(piece)),)),), ()
    return parse_row(piece, place)


def _summaries(chat: _Chat, data: bytes) -> list[Record]:
    """Of messages that the document has no more: beside all messages a summary stands for none of them."""
    found: list[Record] = []
    if not chat.messages and chat.summaries:
        for piece, place in cut_elements(data, chat.summaries):
            summary = decode_or_none(_summary, piece)
            if summary is not None and (text := text_of(summary.content)):
                events = (Compacted(), Note("compaction", text))
                found.append(Record(place, "summary", events, at=time_of(summary.generated_at)))
    return found


def _header(chat: _Chat, place: Place) -> tuple[Record, ...]:
    about = chat.meta or chat.metadata or chat
    title = (about.title or chat.title or "").strip()
    opened = Record(
        place,
        "session",
        (Opened(), Titled(title)) if title else (Opened(),),
        at=time_of(chat.session_start or about.session_start or about.created_at or about.createdAt or chat.created_at),
        session=chat.session_id or about.session_id or about.sessionId or about.id or "",
        cwd=about.cwd or "",
        branch=about.git_branch or "",
        version=about.version or "",
        model=about.model or chat.model or "",
    )
    # Messages have no times here: without this the session would seem to end when it began.
    end = time_of(chat.last_updated or about.last_updated or about.updated_at or about.updatedAt or chat.updated_at)
    return (opened, Record(place, "session/updated", at=end)) if end else (opened,)


def recognise(objects: Sequence[JsonObject]) -> bool:
    if not objects:
        return False
    messages = objects[0].get("messages", objects[0].get("recent_messages"))
    first = messages[0] if isinstance(messages, list) and messages else None
    role = first.get("role") if isinstance(first, dict) else None
    return isinstance(role, str) and role in ROLES and _is_session(objects[0])


def recognise_head(head: bytes) -> bool:
    """By the first message; where tools and instructions fill the head, by what hermes says before them."""
    if b'messages"' not in head and b'"session_start"' not in head:
        return False
    fields = top_level(head)
    if not _is_session(fields):
        return False
    messages = fields.get("messages") or fields.get("recent_messages", b"")
    first = top_level(messages[1:])
    if not first:
        return fields.keys() >= _HERMES_KEYS
    return messages[:1] == b"[" and first.get("role", b"")[1:-1].decode("utf-8", "replace") in ROLES


def _is_session(keys: Collection[str]) -> bool:
    return _FOREIGN_KEYS.isdisjoint(keys) and not _SESSION_KEYS.isdisjoint(keys)


ADAPTER = Adapter(
    name="openai-chat-json",
    title="OpenAI-style chat (JSON)",
    recognise=recognise,
    parse=parse,
    split=split,
    recognise_head=recognise_head,
)
