"""The parts of an opencode message: text, reasoning, tool calls with their results, and bookkeeping."""

from __future__ import annotations

import msgspec
from msgspec import Raw, Struct

from recapd.adapters.shared import asking, decode_or_none, questions_in, read_call, text_in
from recapd.core.log import Call, Compacted, Event, FileAction, FileEffect, Note, Reply, Result, Thought

_REFUSED = (b'"The user rejected permission', b'"The user dismissed this question')
_FEEDBACK = "feedback: "
# Parts that repeat, delimit or count what others say.
_SILENT = frozenset(("step-start", "step-finish", "snapshot", "patch", "file", "agent", "retry"))
_CHANGES: dict[str, FileAction] = {"add": "created", "update": "modified", "delete": "deleted", "move": "renamed"}


class State(Struct, gc=False):
    status: str = ""
    input: Raw = Raw()
    output: Raw = Raw()
    error: Raw = Raw()
    metadata: Raw = Raw()


class Part(Struct, gc=False):
    type: str = ""
    text: Raw = Raw()
    synthetic: bool | None = None
    ignored: bool | None = None
    tool: str | None = None
    callID: str | None = None
    state: State | None = None
    # Of a compaction.
    auto: bool | None = None
    # Of a command that the human runs as a sub-agent.
    command: str | None = None
    description: str | None = None


class _Change(Struct, gc=False):
    filePath: str = ""
    type: str = ""
    movePath: str | None = None


class _Metadata(Struct, gc=False):
    exit: int | None = None
    exists: bool | None = None
    sessionId: str | None = None
    answers: list[list[str]] | None = None
    files: list[_Change] | None = None


_metadata = msgspec.json.Decoder(_Metadata)
_NO_METADATA = _Metadata()
_NO_ARGUMENTS = Raw(b"{}")


def part_events(part: Part, message_id: str) -> tuple[Event, ...]:
    """What a part of the agent's message means, or one that means the same in any message."""
    if part.type == "tool":
        return _tool_events(part)
    if part.type == "text":
        text = text_in(part.text)
        if part.synthetic or part.ignored:
            return (Note("meta", text),)
        return (Reply(text, message_id),) if text and not text.isspace() else ()
    if part.type == "reasoning":
        return (Thought(len(text_in(part.text))),)
    if part.type == "compaction":
        return (Compacted("auto" if part.auto else "manual"),)
    if part.type == "subtask":
        # The agent's call that carries it out follows in a message of its own.
        return (Note("command", f"/{part.command}" if part.command else part.description or ""),)
    return ()


def is_known(part: Part) -> bool:
    return part.type in _SILENT or part.type in ("tool", "text", "reasoning", "compaction", "subtask")


def _tool_events(part: Part) -> tuple[Event, ...]:
    state = part.state or State()
    events = read_call(part.callID or "", part.tool or "", state.input or _NO_ARGUMENTS)
    call = events[0]
    assert isinstance(call, Call)
    if call.kind == "ask":
        call = asking(call, questions_in(state.input))
        events = (call, *events[1:])
    if state.status not in ("completed", "error"):
        return events
    return (*events, _result(call, state))


def _result(call: Call, state: State) -> Result:
    if state.status == "error":
        payload = bytes(state.error)
        denied = payload.startswith(_REFUSED)
        reason = text_in(state.error).partition(_FEEDBACK)[2].strip() if denied else ""
        return Result(call.id, failed=True, denied=denied, reason=reason, payload=payload)
    payload = bytes(state.output)
    if call.kind not in _TELLING:
        return Result(call.id, payload=payload)
    # Large beside what is read of it: previews, whole files before and after.
    facts = decode_or_none(_metadata, state.metadata) or _NO_METADATA
    if call.kind == "shell":
        return Result(call.id, failed=bool(facts.exit), exit_code=facts.exit, payload=payload)
    if call.kind == "write":
        return Result(call.id, payload=payload, created=None if facts.exists is None else not facts.exists)
    if call.kind == "ask":
        return Result(call.id, payload=payload, answers=_answers(state.input, facts.answers or []))
    if call.kind == "delegate":
        return Result(call.id, payload=payload, subagent=facts.sessionId or "")
    return Result(call.id, payload=payload, effects=_effects(facts.files or []))


# Kinds of calls whose metadata says more than their output.
_TELLING = frozenset(("shell", "write", "ask", "delegate", "patch"))


def _effects(changes: list[_Change]) -> tuple[FileEffect, ...]:
    return tuple(
        FileEffect(change.filePath, _CHANGES.get(change.type, "written"), change.movePath or "")
        for change in changes
        if change.filePath
    )


def _answers(arguments: Raw, answers: list[list[str]]) -> tuple[tuple[str, str], ...]:
    """Answers stand in the order of their questions; several chosen options make one."""
    questions = [each.question for each in questions_in(arguments)]
    questions += [""] * (len(answers) - len(questions))
    return tuple((question, ", ".join(chosen)) for question, chosen in zip(questions, answers, strict=False) if chosen)
