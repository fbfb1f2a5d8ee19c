"""Gemini CLI: a session is one JSON document, or (since 2026) the same as lines with repeated messages and patches.

Owns the two files; `messages` reads the messages. Both are read whole: in lines a message counts as it stood
last, `$set` changes the header, `$rewindTo` takes back a message and all after it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Raw, Struct

from recapd.adapters.gemini.messages import parse
from recapd.adapters.gemini.prompts import task_kind
from recapd.adapters.shared import (
    Adapter,
    Document,
    JsonObject,
    cut_elements,
    decode_document,
    decode_mended,
    decode_or_none,
    misshapen,
    place_of,
    salvage,
    text_in,
    top_level,
    unreadable,
)
from recapd.core.log import Opened, Place, Problem, Record, Titled, canonical

Piece = tuple[bytes, Place]

# Marks a copy of the conversation that begins with the summary of what was dropped from it.
_SNAPSHOT = b"<state_snapshot>"
_SNAPSHOT_BYTES = 400


class _Header(Struct, gc=False):
    sessionId: str | None = None
    projectHash: str | None = None
    startTime: str | None = None
    kind: str | None = None
    summary: Raw = Raw()
    directories: list[str] | None = None
    messages: Raw = Raw()


class _Line(_Header, gc=False):
    """A line: the header, a patch of it, a message, or a rewind."""

    id: str | None = None
    set: _Header | None = msgspec.field(name="$set", default=None)
    rewind_to: str | None = msgspec.field(name="$rewindTo", default=None)


class _Said(Struct, gc=False):
    """What of the session is known so far, and where it was said."""

    header: _Header
    place: Place
    summary_place: Place | None = None


class _Beginning(Struct, gc=False):
    id: str | None = None
    type: str = ""
    content: Raw = Raw()


class _TextPart(Struct, gc=False):
    text: str = ""


_header = msgspec.json.Decoder(_Header)
_line = msgspec.json.Decoder(_Line)
_beginning = msgspec.json.Decoder(_Beginning)
_text = msgspec.json.Decoder(str)
_text_parts = msgspec.json.Decoder(list[_TextPart])


def split(data: bytes) -> Document:
    first = data.partition(b"\n")[0]
    beginning, _ = decode_mended(_line, first)
    if beginning is not None and (beginning.sessionId or beginning.id or beginning.set):
        return _split_lines(data)
    header, data, problems = decode_document(_header, data)
    if header is None:
        return unreadable(data)
    if bytes(header.messages)[:1] != b"[":
        return misshapen(data, "messages")
    pieces = cut_elements(data, header.messages)
    end = pieces[0][1].offset if pieces else len(data)
    summary = place_of(data, header.summary) if header.summary else None
    return Document(pieces, _records(_Said(header, Place(1, 0, end), summary), pieces), problems)


def _split_lines(data: bytes) -> Document:
    messages: dict[str, Piece] = {}
    copies: dict[str, Piece] = {}
    problems: list[Problem] = []
    said = _Said(_Header(), Place(1, 0, 0))
    offset = 0
    for number, bare in enumerate(data.split(b"\n"), 1):
        place = Place(number, offset, len(bare))
        offset += len(bare) + 1
        if not bare.strip():
            continue
        entry, line = decode_mended(_line, bare)
        if entry is None:
            entry, _ = salvage(line, _Line)
        if entry is None:
            # The last line may still be in the making.
            if offset <= len(data):
                problems.append(Problem(place, "torn", f"{len(bare)} bytes skipped"))
        elif entry.rewind_to is not None:
            _rewind(messages, entry.rewind_to)
        elif entry.set is not None:
            _patch(said, entry.set, place)
            patched = _messages_in(line, entry.set.messages, place)
            copies.update(patched)
            if messages:
                _keep_summaries(messages, patched)
        elif entry.sessionId is not None:
            said.place = place if not said.place.length else said.place
            _patch(said, entry, place)
            messages.update(_messages_in(line, entry.messages, place))
        else:
            messages[entry.id or f"line {number}"] = (line, place)
    # Where no message has a line of its own, the patches are all there is.
    pieces = list((messages or copies).values())
    return Document(pieces, _records(said, pieces), tuple(problems))


def _rewind(messages: dict[str, Piece], target: str) -> None:
    """Takes back the message and all after it. A copy's id is no message of the conversation: nothing happens."""
    ids = list(messages)
    for taken_back in ids[ids.index(target) :] if target in messages else ():
        del messages[taken_back]


def _patch(said: _Said, patch: _Header, place: Place) -> None:
    known = said.header
    known.sessionId = patch.sessionId or known.sessionId
    known.startTime = known.startTime or patch.startTime
    known.kind = patch.kind or known.kind
    known.directories = patch.directories or known.directories
    if patch.summary:
        known.summary = patch.summary
        said.summary_place = place


def _messages_in(line: bytes, array: Raw, place: Place) -> dict[str, Piece]:
    """The messages of a list that stands in a line, by their ids."""
    found: dict[str, Piece] = {}
    for piece, inner in cut_elements(line, array) if array else ():
        message = decode_or_none(_beginning, piece)
        key = (message.id if message is not None else None) or f"offset {place.offset + inner.offset}"
        found[key] = (piece, Place(place.line, place.offset + inner.offset, inner.length))
    return found


def _keep_summaries(messages: dict[str, Piece], copies: dict[str, Piece]) -> None:
    """What a patch says of messages is the model's memory, often a compressed copy, and not the conversation.

    Of it only the summary is new, that stands for what was dropped.
    """
    for key, piece in copies.items():
        if key not in messages and _SNAPSHOT in piece[0][:_SNAPSHOT_BYTES]:
            messages[key] = piece


def _records(said: _Said, pieces: Sequence[Piece]) -> tuple[Record, ...]:
    header = said.header
    session = header.sessionId or ""
    is_subagent = header.kind == "subagent" or (bool(pieces) and _is_task(pieces[0][0]))
    opened = Record(
        said.place,
        "session",
        (Opened(subagent=session or "subagent") if is_subagent else Opened(),),
        at=canonical(header.startTime) if header.startTime else "",
        session=session,
        # Of other sessions these are directories that were added to the one it runs in, which is not named.
        cwd=header.directories[0] if header.directories and header.kind == "subagent" else "",
    )
    title = text_in(header.summary).strip()
    if not title or said.summary_place is None:
        return (opened,)
    return (opened, Record(said.summary_place, "session/summary", (Titled(title),)))


def _is_task(piece: bytes) -> bool:
    """Whether the session begins with the prompt of a built-in sub-agent."""
    message = decode_or_none(_beginning, piece)
    if message is None or message.type != "user":
        return False
    parts = decode_or_none(_text_parts, message.content)
    text = parts[0].text if parts else decode_or_none(_text, message.content)
    return task_kind((text or "").lstrip()) == "task"


def recognise(objects: Sequence[JsonObject]) -> bool:
    return any(map(_is_header, objects[:1]))


def _is_header(found: Mapping[str, object]) -> bool:
    return "projectHash" in found and "sessionId" in found and ("startTime" in found or "messages" in found)


def recognise_head(head: bytes) -> bool:
    return b'"projectHash"' in head and _is_header(top_level(head))


def _resume(session: str) -> str:
    return f"gemini --resume {session}"


def _companions(name: str) -> tuple[str, ...]:
    """Sub-agents lie in a folder named after the whole id of the session, of which the log's name has the beginning."""
    stem = name.removesuffix(".jsonl").removesuffix(".json")
    if not stem.startswith("session-"):
        return ()
    return (f"{stem.rpartition('-')[2]}*/*.jsonl",)


ADAPTER = Adapter(
    name="gemini",
    title="Gemini CLI",
    recognise=recognise,
    parse=parse,
    resume_command=_resume,
    companions=_companions,
    split=split,
    recognise_head=recognise_head,
)
