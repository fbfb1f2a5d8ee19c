"""The shape of a Claude Code line, as far as recapd reads it, and the repair of lines that do not fit.

One permissive struct serves every record type: unknown keys are skipped unread, payloads stay raw.
"""

from __future__ import annotations

import json

import msgspec
from msgspec import Raw, Struct

NOTHING = Raw(b"")


class Block(Struct, gc=False):
    """One block of a message: text, thinking, a tool call, a tool result, an image."""

    type: str = ""
    text: str | None = None
    thinking: str | None = None
    id: str | None = None
    name: str | None = None
    input: Raw = NOTHING
    tool_use_id: str | None = None
    content: Raw = NOTHING
    is_error: bool | None = None


class Message(Struct, gc=False):
    id: str | None = None
    model: str | None = None
    stop_reason: str | None = None
    content: str | list[Block] | None = None


class Origin(Struct, gc=False):
    kind: str | None = None


class Attachment(Struct, gc=False):
    type: str = ""
    prompt: Raw = NOTHING
    commandMode: str | None = None
    origin: Origin | None = None


class CompactMetadata(Struct, gc=False):
    trigger: str | None = None
    preTokens: float | None = None


class Line(Struct, gc=False):
    type: str = ""
    subtype: str | None = None
    # Never null so far; a line where one is goes the slower way through `repaired`.
    uuid: str = ""
    sessionId: str = ""
    timestamp: str = ""
    cwd: str = ""
    version: str = ""
    gitBranch: str | None = None
    parentUuid: str | None = None
    logicalParentUuid: str | None = None
    isSidechain: bool | None = None
    agentId: str | None = None
    isMeta: bool | None = None
    isCompactSummary: bool | None = None
    isApiErrorMessage: bool | None = None
    # Newer versions say outright who typed a prompt and who refused a call.
    origin: Origin | None = None
    promptSource: str | None = None
    toolDenialKind: str | None = None
    message: Message | None = None
    toolUseResult: Raw = NOTHING
    attachment: Attachment | None = None
    compactMetadata: CompactMetadata | None = None
    operation: str | None = None
    content: Raw = NOTHING
    aiTitle: str | None = None
    customTitle: str | None = None
    agentName: str | None = None
    prNumber: int | str | None = None
    prUrl: str | None = None
    # Only to tell a record from a fragment of one.
    leafUuid: str | None = None
    messageId: str | None = None


decode_line = msgspec.json.Decoder(Line).decode

_TEXTS = (
    "type subtype uuid parentUuid logicalParentUuid sessionId timestamp cwd gitBranch version agentId promptSource "
    "toolDenialKind operation aiTitle customTitle agentName prUrl leafUuid messageId text thinking id name tool_use_id "
    "model stop_reason commandMode kind trigger"
)
_FLAGS = "isSidechain isMeta isCompactSummary isApiErrorMessage is_error"
_EXPECTED: dict[str, type | tuple[type, ...]] = {
    **dict.fromkeys(_TEXTS.split(), str),
    **dict.fromkeys(_FLAGS.split(), bool),
    "preTokens": (int, float),
    "prNumber": (int, str),
}
_NUMBERS = ("preTokens", "prNumber")
_OBJECTS = ("message", "origin", "attachment", "compactMetadata")

# What `repaired` calls bytes that are no UTF-8 and were replaced.
BAD_BYTES = "bytes"


def repaired(line: bytes) -> tuple[Line, tuple[str, ...]] | None:
    """What is left of a line that the decoder refuses, and the names of the fields that were lost.

    Refused are odd types, halves of surrogate pairs (harnesses cut text by UTF-16 units) and bytes that are no UTF-8.
    None where the line is no JSON object at all.
    """
    lost: set[str] = set()
    try:
        text = line.decode("utf-8", "replace")
        if "\ufffd" in text and text.encode() != line:
            lost.add(BAD_BYTES)
        value = json.loads(text, strict=False, parse_constant=str)
        if not isinstance(value, dict):
            return None
        _fit(value, lost)
        # Halves of surrogate pairs cannot be encoded: each becomes a question mark.
        fitting = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
        return decode_line(fitting), tuple(sorted(lost))
    except (ValueError, RecursionError):
        return None


def _fit(value: dict[str, object], lost: set[str]) -> None:
    """Drop what the struct would refuse, and note its name where it said something."""
    for key, item in list(value.items()):
        if item is None:
            # The struct's default says the same.
            del value[key]
        elif key in _OBJECTS and isinstance(item, dict):
            _fit(item, lost)
            if key == "message" and "content" in item:
                item["content"] = _fitting_content(item["content"], lost)
        elif (
            key in _OBJECTS
            or not isinstance(item, _EXPECTED.get(key, object))
            or (key in _NUMBERS and isinstance(item, bool))
        ):
            del value[key]
            lost.add(key)


def _fitting_content(content: object, lost: set[str]) -> object:
    if isinstance(content, str):
        return content
    blocks: list[object] = []
    for block in content if isinstance(content, list) else [content]:
        if isinstance(block, str):
            blocks.append({"type": "text", "text": block})
        elif isinstance(block, dict):
            _fit(block, lost)
            blocks.append(block)
        else:
            lost.add("content")
    return blocks
