"""OpenAI-style chats that are one document: {messages, …} with something that says what session they are of.

hermes keeps its sessions so (session_id, session_start, platform, tools), and converters write other agents' sessions
so (meta, or format "openai-chat"). The messages are read by `messages`; requests to a model, which look
alike, and trajectories of benchmarks are not sessions and are refused.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec
from msgspec import Raw, Struct

from recapd.adapters.chat.openai.messages import ROLES, parse_message
from recapd.adapters.shared import (
    Adapter,
    Document,
    JsonObject,
    cut_elements,
    decode_mended,
    misshapen,
    salvage,
    time_of,
    top_level,
    unreadable,
)
from recapd.core.log import Opened, Place, Problem, Record, Titled

# Of these keys a session has at least one, and a request to a model none.
_SESSION_KEYS = frozenset(("meta", "metadata", "session_id", "session_start", "format", "message_count"))
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


class _Chat(_About, gc=False):
    meta: _About | None = None
    metadata: _About | None = None
    messages: Raw = Raw()


_chat = msgspec.json.Decoder(_Chat)


def split(data: bytes) -> Document:
    chat, data = decode_mended(_chat, data)
    problems: tuple[Problem, ...] = ()
    if chat is None:
        chat, lost = salvage(data, _Chat)
        if chat is None:
            return unreadable(data)
        problems = (Problem(Place(1, 0, len(data)), "shape", " ".join(lost)),) if lost else ()
    if bytes(chat.messages)[:1] != b"[":
        return misshapen(data, "messages")
    pieces = cut_elements(data, chat.messages)
    before = Place(1, 0, pieces[0][1].offset if pieces else len(data))
    return Document(pieces, _header(chat, before), problems)


def _header(chat: _Chat, place: Place) -> tuple[Record, ...]:
    about = chat.meta or chat.metadata or chat
    title = (about.title or chat.title or "").strip()
    opened = Record(
        place,
        "session",
        (Opened(), Titled(title)) if title else (Opened(),),
        at=time_of(chat.session_start or about.session_start or about.created_at or chat.created_at),
        session=chat.session_id or about.session_id or about.sessionId or about.id or "",
        cwd=about.cwd or "",
        branch=about.git_branch or "",
        version=about.version or "",
        model=about.model or chat.model or "",
    )
    # Messages have no times here: without this the session would seem to end when it began.
    end = time_of(chat.last_updated or about.last_updated or about.updated_at or chat.updated_at)
    return (opened, Record(place, "session/updated", at=end)) if end else (opened,)


def recognise(objects: Sequence[JsonObject]) -> bool:
    if not objects:
        return False
    messages = objects[0].get("messages")
    first = messages[0] if isinstance(messages, list) and messages else None
    role = first.get("role") if isinstance(first, dict) else None
    return isinstance(role, str) and role in ROLES and _is_session(objects[0])


def recognise_head(head: bytes) -> bool:
    """By the first message; where tools and instructions fill the head, by what hermes says before them."""
    if b'"messages"' not in head and b'"session_start"' not in head:
        return False
    fields = top_level(head)
    if not _is_session(fields):
        return False
    messages = fields.get("messages", b"")
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
    parse=parse_message,
    split=split,
    recognise_head=recognise_head,
)
