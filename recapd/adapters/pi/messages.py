"""Messages in a pi session, by role: the human's, the agent's, what tools returned, what extensions put in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta, Raw, Struct

from recapd.adapters.pi.bridges import human_words
from recapd.adapters.shared import decode_or_none, is_injected, read_call, text_in
from recapd.core import late_re as re
from recapd.core.log import Ended, Event, Faulted, Interrupted, Note, Prompt, Reply, Result, Thought


class Block(Struct, gc=False):
    type: str = ""
    text: Raw = Raw()
    thinking: Raw = Raw()
    id: str | None = None
    name: str | None = None
    arguments: Raw = Raw()


Content: TypeAlias = list[Block | str] | str | None
MessageReader: TypeAlias = Callable[["Message", str], tuple[Event, ...]]


class Message(Struct, gc=False):
    role: str = ""
    content: Content = None
    timestamp: str | float | None = None
    model: str | None = None
    stopReason: str | None = None
    errorMessage: str | None = None
    toolCallId: str | None = None
    toolName: str | None = None
    isError: bool | None = None
    details: Raw = Raw()
    command: Raw = Raw()
    summary: Raw = Raw()


class _Details(Struct, gc=False):
    # Windows has codes of 32 bits without a sign; anything larger is none.
    exitCode: Annotated[int, Meta(ge=-(2**31), lt=2**32)] | None = None
    status: str | None = None


_details = msgspec.json.Decoder(_Details)

_ENDED = Ended("turn")
_EXITED = b"xited with code "
_ERROR = b'"error"'
# The line with the exit code is the last one; behind it stand quotes and brackets only.
_EXIT_TAIL = 60
_MAX_DIGITS = 10
_SKILL_END = "</skill>"
_SKILL_RE = re.compile(r'\s*<skill name="([\w.:-]{1,64})"')


def texts_of(content: Content) -> list[str]:
    if not content:
        return []
    if isinstance(content, str):
        return [content]
    return [
        block if isinstance(block, str) else text_in(block.text)
        for block in content
        if isinstance(block, str) or block.type == "text"
    ]


_SUMMARY_HEAD = "[Session Summary"
# What an agent of OpenClaw says to its harness where it has nothing to say to anybody.
_SILENT = "NO_REPLY"
# What OpenClaw delivered to a channel: the agent's words once more, or what a scheduled task or its harness reports.
_MIRROR = "delivery-mirror"


def _user(message: Message, entry_id: str) -> tuple[Event, ...]:
    text = "\n".join(texts_of(message.content))
    if not text.strip():
        return ()
    if text.startswith(_SUMMARY_HEAD):
        # A harness wrote the log again, and this in the place of the turns it left out.
        head, _, summary = text.partition("]")
        return (Note("compaction", summary.strip() or head),)
    if not is_injected(text):
        return (Prompt(human_words(text)),)
    skill = _SKILL_RE.match(text)
    if skill is None:
        return (Note("command" if text.lstrip().startswith("<skill") else "meta", text),)
    # A skill the human called by name is pasted whole; his own words follow it.
    words = text.rpartition(_SKILL_END)[2].strip()
    command = f"/skill:{skill[1]}"
    return Note("command", text), Prompt(words, "command", command=command) if words else Prompt(command, "command")


def _assistant(message: Message, entry_id: str) -> tuple[Event, ...]:
    if message.model == _MIRROR:
        return (Note("meta", _words_of(message.content)),)
    events: list[Event] = []
    calls = False
    content = message.content
    for block in [content] if isinstance(content, str) else content or ():
        if isinstance(block, str):
            if block.strip():
                events.append(Reply(block, entry_id))
        elif block.type == "text":
            text = text_in(block.text)
            if text.strip() not in ("", _SILENT):
                events.append(Reply(text, entry_id))
        elif block.type == "toolCall":
            events += read_call(block.id or "", block.name or "", block.arguments)
            calls = True
        elif block.type == "thinking":
            events.append(Thought(len(text_in(block.thinking))))
    stop = message.stopReason
    if stop == "error":
        events.append(Faulted(message.errorMessage or ""))
    elif stop == "aborted":
        events.append(Interrupted(during_tool=calls))
    elif stop == "stop":
        events.append(_ENDED)
    elif stop and stop != "toolUse":
        events.append(Ended("turn", stop))
    return tuple(events)


def _words_of(content: Content) -> str:
    if isinstance(content, str):
        return content
    blocks = content or ()
    return "\n".join(block if isinstance(block, str) else text_in(block.text) for block in blocks)


def _tool_result(message: Message, entry_id: str) -> tuple[Event, ...]:
    payload = _payload(message.content)
    return (
        Result(
            message.toolCallId or "",
            failed=bool(message.isError) or _says_failed(message),
            exit_code=_exit_code(message, payload),
            payload=payload,
        ),
    )


def _says_failed(message: Message) -> bool:
    """Tools of a bridge answer in JSON that they failed; the call itself did not."""
    if _ERROR not in bytes(message.details):
        return False
    details = decode_or_none(_details, message.details)
    return details is not None and details.status == "error"


def _payload(content: Content) -> bytes:
    """Raw JSON of the texts that came back; pictures stay in the log."""
    if isinstance(content, str):
        return msgspec.json.encode(content)
    texts = [
        msgspec.json.encode(block) if isinstance(block, str) else bytes(block.text)
        for block in content or ()
        if isinstance(block, str) or block.type == "text"
    ]
    if len(texts) == 1:
        return texts[0]
    return b"[" + b",".join(b'{"text":%b}' % (text or b'""') for text in texts) + b"]" if texts else b""


def _exit_code(message: Message, payload: bytes) -> int | None:
    tool = message.toolName
    if tool == "exec":
        details = decode_or_none(_details, message.details)
        return details.exitCode if details is not None and details.status != "running" else None
    if tool == "bash" and not message.isError:
        # pi's own shell tool raises whenever a command exits with anything else.
        return 0
    if tool not in ("bash", "process"):
        return None
    at = payload.rfind(_EXITED, -_EXIT_TAIL)
    digits = payload[at + len(_EXITED) :].split(b'"', 1)[0].rstrip(b".)") if at >= 0 else b""
    return int(digits) if digits.isdigit() and len(digits) <= _MAX_DIGITS else None


def _bash(message: Message, entry_id: str) -> tuple[Event, ...]:
    return (Note("shell", text_in(message.command)),)


def _injected(message: Message, entry_id: str) -> tuple[Event, ...]:
    return (Note("meta", "\n".join(texts_of(message.content))),)


def _system(message: Message, entry_id: str) -> tuple[Event, ...]:
    return (Note("system", "\n".join(texts_of(message.content))),)


def _branch_message(message: Message, entry_id: str) -> tuple[Event, ...]:
    return (Note("branch", text_in(message.summary)),)


def _compaction_message(message: Message, entry_id: str) -> tuple[Event, ...]:
    return (Note("compaction", text_in(message.summary)),)


ROLES: dict[str, tuple[str, MessageReader]] = {
    role: (f"message/{role}", reader)
    for role, reader in (
        ("user", _user),
        ("assistant", _assistant),
        ("toolResult", _tool_result),
        ("bashExecution", _bash),
        ("custom", _injected),
        ("hookMessage", _injected),
        ("system", _system),
        ("branchSummary", _branch_message),
        ("compactionSummary", _compaction_message),
    )
}
