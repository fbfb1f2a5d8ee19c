"""Tool results of Claude Code: what came of a call, and what the human said to it.

Facts come from `toolUseResult`, whose kind shows in its first bytes: only the few kinds that tell more than the
result's text are decoded. Quotes inside JSON text are escaped, so a bare key found in the bytes is a real key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import Raw, Struct

from recapd.adapters.shared import decode_or_none
from recapd.core import late_re as re
from recapd.core.log import Event, Result, TodoChanged

if TYPE_CHECKING:
    from collections.abc import Callable

    from recapd.adapters.claude_code.shape import Block, Line

_AGENT_ID = re.compile(rb'"agentId":"([\w-]{1,80})"')
_SPACED = re.compile(rb'\{\s*"\w{1,40}"\s*:\s|\{\s')
_WHITE = b" \t\n\r\f\v"
_EXIT_CODE = re.compile(rb'"Exit code (\d{1,9})\b')
# The number of lines stands behind the content of a file; little follows it.
_LINES = re.compile(rb'"numLines":(\d{1,9})')
_LINES_TAIL = 400
# A path stands before it, nothing else.
_REPLACES_NOTHING = re.compile(rb'\{"filePath":"[^"\\]*(?:\\.[^"\\]*)*","old_?[sS]tring":""')
# Behind most paths, and far cheaper to find: what an edit replaces, and how it begins.
_EDIT_HEAD = 400
_OLD_STRING = b'tring":"'
_PATCH = b'"structuredPatch":['
# One that does not begin in so many last bytes is not counted.
_PATCH_TAIL = 262_144
_IS_NEW = {b"create": True, b"update": False}

# The human refused the call, or stopped it before it was done. What classifiers, rules and hooks refuse is a failure.
_REFUSALS = (
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    "Permission for this tool use was denied. The tool use was rejected",
    "[Request interrupted by user",
)
_PLAN_APPROVED = b'"User has approved'
_PLAN_REFUSED = "The agent proposed a plan that was rejected by the user"
# By first letters, so that errors with long output stay undecoded.
_REFUSAL_STARTS = (b'"The user', b'"Permission for', b'"[Request', b'"The agent', b"[")
_REASON_MARKS = (
    "To tell you how to proceed, the user said:",
    "The user provided the following reason for the rejection:",
    "The user said:",
    "the user said:",
)
# What follows the human's words in versions with a memory.
_AFTER_REASON = "\n\nNote: The user's next message may contain"
# Written by the harness in the human's place when a question is to be talked over instead of answered.
_CLARIFY = "The user wants to clarify these questions"
_CLARIFIED = re.compile(r'^- "(.*)"\n  Answer: (.*)$', re.MULTILINE)


class _Notes(Struct, gc=False):
    notes: str | None = None


class _Answered(Struct, gc=False):
    answers: dict[str, str | list[str]] = {}
    annotations: dict[str, _Notes] = {}


class _Task(Struct, gc=False):
    id: str | int = ""
    subject: str = ""
    status: str = ""


class _Tasked(Struct, gc=False):
    task: _Task | None = None


class _Text(Struct, gc=False):
    text: str = ""


_answered = msgspec.json.Decoder(_Answered)
_tasked = msgspec.json.Decoder(_Tasked)
_text = msgspec.json.Decoder(str)
_texts = msgspec.json.Decoder(list[_Text])


def result_events(line: Line, block: Block) -> tuple[Event, ...]:
    """The one result in a line, with the facts that stand beside it."""
    payload = bytes(block.content)
    call_id = block.tool_use_id or ""
    if block.is_error:
        return (_failure(call_id, payload, line.toolDenialKind == "user-rejected"),)
    # Outputs and whole files are large: no reader touches more of them than it must.
    facts = memoryview(line.toolUseResult)
    kind = facts[:_KIND_BYTES].tobytes()
    read = _READERS.get(kind)
    # One with a value in it is in Claude Code's style, and one without white space that tells nothing does so in any.
    may_be_spaced = kind not in _WITH_VALUE if read is not None else kind.translate(None, _WHITE) != kind
    if may_be_spaced and _SPACED.match(facts):
        # Somebody wrote the log again in another style: as Claude Code writes it, it reads the same.
        facts = memoryview(_compact(facts))
        read = _READERS.get(facts[:_KIND_BYTES].tobytes())
    if read is not None:
        return read(call_id, payload, facts)
    return (Result(call_id, payload=payload),)


def _compact(facts: memoryview) -> bytes:
    try:
        return msgspec.json.encode(msgspec.json.decode(facts))
    except (msgspec.DecodeError, ValueError, RecursionError):
        return bytes(facts)


def shared_result(line: Line, block: Block) -> Result:
    """One of several results in a line: `toolUseResult` belongs to none of them for certain."""
    payload = bytes(block.content)
    call_id = block.tool_use_id or ""
    if block.is_error:
        return _failure(call_id, payload, line.toolDenialKind == "user-rejected")
    is_approval = payload.startswith(_PLAN_APPROVED) and not line.toolUseResult
    return Result(call_id, payload=payload, approved=is_approval or None)


def _bare(call_id: str, payload: bytes, facts: memoryview) -> tuple[Event, ...]:
    """Versions that put no facts beside a result let the human's approval of a plan show in its text."""
    return (Result(call_id, payload=payload, approved=payload.startswith(_PLAN_APPROVED) or None),)


def _file(call_id: str, payload: bytes, facts: memoryview) -> tuple[Event, ...]:
    """A file that was read, or written whole."""
    kind = facts[_KIND_BYTES : _KIND_BYTES + 6].tobytes()
    if kind == b'text",':
        count = _LINES.search(facts, len(facts) - _LINES_TAIL)
        return (Result(call_id, payload=payload, lines=int(count[1]) if count else -1),)
    added, removed = _changed_lines(facts)
    return (Result(call_id, payload=payload, created=_IS_NEW.get(kind), added=added, removed=removed),)


def _edit(call_id: str, payload: bytes, facts: memoryview) -> tuple[Event, ...]:
    """An edit of a file that was there, unless it replaces nothing: so are files made, or empty ones filled."""
    head = facts[:_EDIT_HEAD].tobytes()
    value = head.find(_OLD_STRING) + len(_OLD_STRING)
    replaces_text = value >= len(_OLD_STRING) and head[value : value + 1] not in (b'"', b"")
    is_filled = not replaces_text and _REPLACES_NOTHING.match(facts) is not None
    added, removed = _changed_lines(facts)
    is_new = None if is_filled else False
    return (Result(call_id, payload=payload, created=is_new, added=added, removed=removed),)


def _changed_lines(facts: memoryview) -> tuple[int, int]:
    """Lines that an edit added and removed, -1 where it does not tell. The patch stands behind the file's old text."""
    tail = facts[-_PATCH_TAIL:].tobytes()
    # Little follows it: from the end it is found at once.
    start = tail.rfind(_PATCH)
    if start < 0:
        return -1, -1
    patch = tail[start:]
    added = patch.count(b',"+') + patch.count(b'["+')
    removed = patch.count(b',"-') + patch.count(b'["-')
    # Of a new file the log has the text instead.
    return (added, removed) if added or removed else (-1, -1)


def _delegated(call_id: str, payload: bytes, facts: memoryview) -> tuple[Event, ...]:
    agent = _AGENT_ID.search(facts)
    return (Result(call_id, payload=payload, subagent=str(agent[1], "ascii") if agent else ""),)


def _answers(call_id: str, payload: bytes, facts: memoryview) -> tuple[Event, ...]:
    answered = decode_or_none(_answered, facts)
    pairs: list[tuple[str, str]] = []
    for question, answer in answered.answers.items() if answered is not None else ():
        words = answer if isinstance(answer, str) else ", ".join(answer)
        note = answered.annotations.get(question) if answered is not None else None
        if note is not None and note.notes:
            words = f"{words}\n{note.notes}".strip()
        pairs.append((question, words))
    return (Result(call_id, payload=payload, answers=tuple(pairs)),)


def _task(call_id: str, payload: bytes, facts: memoryview) -> tuple[Event, ...]:
    """The id of a new item of work. A result that also has a status only looked at an item."""
    result = Result(call_id, payload=payload)
    tasked = decode_or_none(_tasked, facts)
    if tasked is None or tasked.task is None or tasked.task.status or tasked.task.id == "":
        return (result,)
    return (result, TodoChanged(id=str(tasked.task.id), text=tasked.task.subject, call_id=call_id))


def _plan(call_id: str, payload: bytes, facts: memoryview) -> tuple[Event, ...]:
    return (Result(call_id, payload=payload, approved=payload.startswith(_PLAN_APPROVED) or None),)


_KIND_BYTES = len(b'{"type":"')
_READERS: dict[bytes, Callable[[str, bytes, memoryview], tuple[Event, ...]]] = {
    b"": _bare,
    b'{"type":"': _file,
    b'{"filePat': _edit,
    b'{"status"': _delegated,
    b'{"isAsync': _delegated,
    b'{"agentId': _delegated,
    b'{"questio': _answers,
    b'{"answers': _answers,
    b'{"task":{': _task,
    b'{"plan":"': _plan,
    b'{"plan":n': _plan,
}
_WITH_VALUE = frozenset(kind for kind in _READERS if not kind or b":" in kind)


def _failure(call_id: str, payload: bytes, is_refused: bool) -> Result:
    code = _EXIT_CODE.match(payload)
    if code:
        return Result(call_id, failed=True, payload=payload, exit_code=int(code[1]))
    text = payload_text(payload) if is_refused or payload.startswith(_REFUSAL_STARTS) else ""
    if text.startswith(_PLAN_REFUSED):
        return Result(call_id, failed=True, denied=True, payload=payload, approved=False)
    if not is_refused and not text.startswith(_REFUSALS):
        return Result(call_id, failed=True, payload=payload)
    reason = _reason(text)
    if reason.startswith(_CLARIFY):
        said = tuple((question, answer) for question, answer in _CLARIFIED.findall(reason))
        return Result(call_id, failed=True, denied=True, payload=payload, answers=said)
    return Result(call_id, failed=True, denied=True, payload=payload, reason=reason)


def _reason(text: str) -> str:
    """The human's own words in a refusal."""
    for mark in _REASON_MARKS:
        found = text.find(mark)
        if found >= 0:
            return text[found + len(mark) :].partition(_AFTER_REASON)[0].strip()
    return ""


def payload_text(payload: bytes | Raw) -> str:
    """The text of a raw value that is a text, or a list of blocks with a text."""
    text = decode_or_none(_text, payload)
    if text is not None:
        return text
    return "\n".join(block.text for block in decode_or_none(_texts, payload) or () if block.text)
