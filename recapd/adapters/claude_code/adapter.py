"""Claude Code's session logs (versions 1.0 to 2.1): `~/.claude/projects/<project>/<session>.jsonl` and sub-agent files.

One JSON object per line, no header. Every line says for itself where and when it was written.
This module owns the dispatch by record type; what users' and agents' records hold is read by its sibling modules.
"""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Literal

import msgspec

from recapd.adapters.claude_code.calls import SYNTHETIC_MODEL, assistant_events
from recapd.adapters.claude_code.presence import read_presence
from recapd.adapters.claude_code.prompts import attached_events, command_note, queue_events, user_events
from recapd.adapters.claude_code.results import payload_text
from recapd.adapters.claude_code.shape import BAD_BYTES, Line, decode_line, repaired
from recapd.adapters.shared import Adapter, JsonObject, Typed, recover, word_at
from recapd.core.log import (
    Compacted,
    Ended,
    Event,
    Linked,
    Note,
    Parsed,
    Problem,
    Record,
    Titled,
    canonical,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recapd.core.log import Place

_stamp_of = attrgetter("timestamp")

# Bookkeeping. `progress` embeds whole messages of sub-agents, which have files of their own: never read them here.
# `api-request-blob` and its like hold whole prompts as they were sent: nobody's words.
_SILENT_NAMES = """
    progress file-history-snapshot last-prompt permission-mode mode api-request api-request-blob api-request-shape
    atis-latch tools-used cost-state
"""
_SILENT = frozenset(_SILENT_NAMES.split())
_SILENT_SYSTEM = frozenset(("microcompact_boundary", "stop_hook_summary", "api_error"))
_NOTED_SYSTEM = frozenset(("", "informational", "bridge_status"))
_ATTACHMENT_NAMES = """
    queued_command companion_intro deferred_tools_delta diagnostics hook_success plan_mode plan_mode_exit skill_listing
    task_reminder agent_listing_delta auto_mode auto_mode_exit command_permissions compact_file_reference date_change
    edited_text_file file hook_blocking_error hook_cancelled hook_non_blocking_error hook_system_message
    invoked_skills nested_memory task_status total_tokens_reminder hook_additional_context environment model
    session_context date remote_session_change prompt_snapshot
"""
_ATTACHMENTS = frozenset(_ATTACHMENT_NAMES.split())
_AWAY_HINT = "(disable recaps in /config)"

_CHAINED = frozenset(("user", "assistant", "system", "progress", "attachment"))
# What every version writes, and every tool that writes this format.
_SPOKEN_KEYS = frozenset(("uuid", "sessionId", "timestamp", "message"))
_CHAINED_KEYS = frozenset(("uuid", "parentUuid", "isSidechain", "version"))
_SESSION_NOTES = frozenset(
    ("queue-operation", "last-prompt", "permission-mode", "mode", "ai-title", "custom-title", "agent-name", "pr-link")
)


def parse(line: bytes, place: Place) -> Parsed:
    try:
        read = decode_line(line)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return _parse_odd(line, place)
    return (_record(read, place, canonical(read.timestamp)),), ()


def recognise(records: Sequence[JsonObject]) -> bool:
    return any(_is_ours(record) for record in records)


def _parse_odd(line: bytes, place: Place) -> Parsed:
    """A line that is not what the agent normally writes: odd values, torn, glued to another, or no JSON."""
    if not line.strip():
        return (), ()
    whole = repaired(line)
    if whole is None:
        return recover(line, place, _fragment)
    read, lost = whole
    if not lost:
        return (_record(read, place, canonical(read.timestamp)),), ()
    kind: Literal["notText", "shape"] = "notText" if BAD_BYTES in lost else "shape"
    return (_record(read, place, canonical(read.timestamp)),), (Problem(place, kind, "not read: " + " ".join(lost)),)


def _fragment(piece: bytes, place: Place) -> Record | None:
    """A whole record found in a damaged line; parts of records, also of embedded ones, are none."""
    try:
        read = decode_line(piece)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return None
    if read.type in _CHAINED:
        is_whole = bool(read.uuid and read.sessionId)
    elif read.type in _SESSION_NOTES:
        is_whole = bool(read.sessionId)
    else:
        is_whole = (read.type == "summary" and bool(read.leafUuid)) or (
            read.type == "file-history-snapshot" and bool(read.messageId)
        )
    return _record(read, place, canonical(read.timestamp)) if is_whole else None


def _record(line: Line, place: Place, at: str) -> Record:
    kind = line.type
    known = True
    events: tuple[Event, ...] = ()
    model = ""
    if kind == "assistant":
        events = assistant_events(line)
        if line.message is not None and (model := line.message.model or "") == SYNTHETIC_MODEL:
            model = ""
    elif kind == "user":
        events = user_events(line)
    elif kind not in _SILENT:
        kind, events, known = _rarer(line)
    branch = line.gitBranch
    return Record(
        place,
        kind,
        events,
        at,
        line.uuid,
        line.parentUuid or line.logicalParentUuid or "",
        line.sessionId,
        line.cwd,
        # Detached: the log does not say where.
        branch if branch and branch != "HEAD" else "",
        line.version,
        model,
        (line.agentId or "sidechain") if line.isSidechain else "",
        known,
        line.message is None,
    )


def _rarer(line: Line) -> tuple[str, tuple[Event, ...], bool]:
    """Type, events and whether the type is known, for what is neither said nor done nor mere bookkeeping."""
    kind = line.type
    if kind == "system":
        subtype = line.subtype or ""
        events, known = _system_events(line, subtype)
        return f"system/{subtype}" if subtype else kind, events, known
    if kind == "attachment":
        name = line.attachment.type if line.attachment is not None else ""
        return f"attachment/{name}", attached_events(line), name in _ATTACHMENTS
    if kind == "queue-operation":
        return kind, queue_events(line), True
    if kind == "ai-title":
        return kind, _titled(line.aiTitle, by_human=False), True
    if kind == "custom-title":
        return kind, _titled(line.customTitle, by_human=True), True
    if kind == "agent-name":
        return kind, _titled(line.agentName, by_human=False), True
    if kind == "summary":
        # Mostly the title of another session: whose, only its leaf tells, which stands in another file.
        return kind, (Note("meta"),), True
    if kind == "pr-link":
        return kind, (Linked(f"PR #{line.prNumber}", line.prUrl),) if line.prUrl else (), True
    return kind, (), False


def _system_events(line: Line, subtype: str) -> tuple[tuple[Event, ...], bool]:
    if subtype in _SILENT_SYSTEM:
        # An api_error is tried again; one that stays comes as a message of its own.
        return (), True
    if subtype == "turn_duration":
        return (Ended("turn"),), True
    if subtype == "compact_boundary":
        metadata = line.compactMetadata
        if metadata is None:
            return (Compacted(),), True
        return (Compacted(metadata.trigger or "", int(metadata.preTokens or 0)),), True
    if subtype == "away_summary":
        return (Note("away", payload_text(line.content).removesuffix(_AWAY_HINT).rstrip()),), True
    if subtype == "local_command":
        return (command_note(payload_text(line.content)),), True
    if subtype in _NOTED_SYSTEM:
        return (Note("meta", payload_text(line.content)),), True
    return (), False


def _titled(title: str | None, *, by_human: bool) -> tuple[Event, ...]:
    return (Titled(title, by_human),) if title and title.strip() else ()


def _is_ours(record: JsonObject) -> bool:
    """Look-alikes copy the tree of uuids, but keep their words in parts, and payloads of their own."""
    kind = word_at(record, "type")
    session = record.get("sessionId")
    if kind == "summary":
        return isinstance(record.get("leafUuid"), str)
    if kind == "file-history-snapshot":
        return isinstance(record.get("messageId"), str)
    if not isinstance(session, str):
        return False
    if kind == "queue-operation":
        return "operation" in record
    if kind in _SESSION_NOTES:
        return "uuid" not in record
    if kind not in _CHAINED or "systemPayload" in record:
        return False
    if not record.keys() >= _CHAINED_KEYS and not record.keys() >= _SPOKEN_KEYS:
        return False
    message = record.get("message")
    return not isinstance(message, dict) or "parts" not in message


def _resume(session: str) -> str:
    return f"claude --resume {session}"


def _companions(name: str) -> tuple[str, ...]:
    """Sub-agents of 2.1.2 and later, then those of 2.0.28 to 2.1.1, which lie beside the logs of all sessions."""
    session = name.removesuffix(".jsonl")
    if session.startswith("agent-"):
        return ()
    return (f"{session}/subagents/agent-*.jsonl", f"{session}/subagents/workflows/*/agent-*.jsonl", "agent-*.jsonl")


ADAPTER = Adapter(
    name="claude-code",
    title="Claude Code",
    recognise=recognise,
    parse=parse,
    typed=Typed(decode_line, _stamp_of, _record),
    resume_command=_resume,
    companions=_companions,
    read_presence=read_presence,
)
