"""Tool calls of Gemini CLI: the call and what came of it stand in one object.

Outcomes are words for the model; the few that carry facts are read: exit codes, new files, the human's answers.
"""

from __future__ import annotations

import msgspec
from msgspec import Raw, Struct

from recapd.adapters.shared import asking, decode_or_none, questions_in, read_call, text_in
from recapd.core import late_re as re
from recapd.core.log import Call, Event, Result

# Behind the exit code stand signals and process ids only.
_EXIT_TAIL_BYTES = 300
_EXIT_CODE = re.compile(rb"Exit Code: (-?\d{1,10})")
_ABNORMAL = re.compile(rb"Exit Code: |Signal: ")
_OUTPUT = b'"Output: '
_FINISHED = frozenset(("success", "error", "cancelled"))
_CREATED = (b'"Successfully created', b'"Created new file')
_CHANGED = (b'"Successfully overwrote', b'"Successfully modified')
_DISMISSED = b'"User dismissed'
_APPROVED = "Plan approved"
_REFUSED = ("Plan rejected", "User cancelled the plan approval")
_FEEDBACK = "User feedback: "
_AFTER_FEEDBACK = "\n\nThe plan is stored at:"


class ToolCall(Struct, gc=False):
    id: str | None = None
    name: str | None = None
    args: Raw = Raw()
    result: Raw = Raw()
    status: str | None = None
    # The sub-agent that the call started.
    agentId: str | None = None


class _Response(Struct, gc=False):
    output: Raw = Raw()
    error: Raw = Raw()


class FunctionResponse(Struct, gc=False):
    id: str | None = None
    response: _Response | None = None


class FunctionCall(Struct, gc=False):
    id: str | None = None
    name: str | None = None
    args: Raw = Raw()


class Part(Struct, gc=False):
    text: Raw = Raw()
    thought: bool | None = None
    functionCall: FunctionCall | None = None
    functionResponse: FunctionResponse | None = None


class _Answered(Struct, gc=False):
    answers: dict[str, str] = {}


class _Plan(Struct, gc=False):
    plan_path: str = ""
    plan_filename: str = ""


_parts = msgspec.json.Decoder(list[Part])
_answered = msgspec.json.Decoder(_Answered)
_plan = msgspec.json.Decoder(_Plan)
_NO_ARGUMENTS = Raw(b"{}")


def tool_events(tool: ToolCall) -> tuple[Event, ...]:
    """The call, unless it was logged before, and its result where there is one already."""
    events: tuple[Event, ...] = ()
    call: Call | None = None
    if tool.args or not tool.result:
        events = read_call(tool.id or "", tool.name or "", tool.args or _NO_ARGUMENTS)
        if isinstance(first := events[0], Call):
            call = _completed(first, tool)
            events = (call, *events[1:])
    has_result = bool(tool.result) and bytes(tool.result) != b"null"
    if not has_result and tool.status not in _FINISHED:
        return events
    return (*events, _result(tool, call))


def response_event(answer: FunctionResponse) -> Result:
    """A result that stands in a message of its own."""
    payload, has_error = _payload(answer.response)
    return Result(answer.id or "", failed=has_error, payload=payload)


def _completed(call: Call, tool: ToolCall) -> Call:
    """What only this agent's arguments tell of a call."""
    if call.kind == "ask":
        return asking(call, questions_in(tool.args))
    if call.kind == "plan" and not call.target:
        plan = decode_or_none(_plan, tool.args)
        return Call(call.id, call.tool, "plan", target=(plan.plan_path or plan.plan_filename) if plan else "")
    if call.kind == "other" and tool.agentId:
        return Call(call.id, call.tool, "delegate", target=call.detail)
    return call


def _result(tool: ToolCall, call: Call | None) -> Result:
    payload, has_error = _result_payload(tool.result)
    kind = call.kind if call is not None else "other"
    exit_code = _exit_code(payload) if kind == "shell" else None
    denied = tool.status == "cancelled"
    approved, reason = _verdict(payload) if kind == "plan" else (None, "")
    answers = _answers(tool.args, payload) if kind == "ask" else ()
    return Result(
        tool.id or "",
        failed=tool.status == "error" or has_error or denied or bool(exit_code),
        denied=denied or (kind == "ask" and payload.startswith(_DISMISSED)),
        reason=reason,
        exit_code=exit_code,
        payload=payload,
        created=_is_new(payload) if kind in ("write", "edit") else None,
        answers=answers,
        approved=approved,
        subagent=tool.agentId or "",
    )


def _result_payload(result: Raw) -> tuple[bytes, bool]:
    raw = bytes(result)
    if raw.startswith(b'"'):
        return raw, False
    parts = decode_or_none(_parts, b"[" + raw + b"]" if raw.startswith(b"{") else raw)
    payloads: list[bytes] = []
    failed = False
    for part in parts or ():
        if part.functionResponse is not None:
            payload, has_error = _payload(part.functionResponse.response)
            failed = failed or has_error
        else:
            payload = bytes(part.text)
        if payload:
            payloads.append(payload)
    if len(payloads) < 2:
        return (payloads[0] if payloads else b""), failed
    return b"[" + b",".join(b'{"text":%b}' % payload for payload in payloads) + b"]", failed


def _payload(response: _Response | None) -> tuple[bytes, bool]:
    if response is None:
        return b"", False
    if response.error and bytes(response.error) not in (b"null", b'""'):
        return bytes(response.error), True
    return bytes(response.output), False


def _exit_code(payload: bytes) -> int | None:
    tail = max(0, len(payload) - _EXIT_TAIL_BYTES)
    codes = _EXIT_CODE.findall(payload, tail)
    if codes:
        return int(codes[-1])
    # Since 2026 the code is left out where it is 0; older versions begin with the command and always have it.
    is_left_out = payload.startswith(_OUTPUT) and not _ABNORMAL.search(payload, tail)
    return 0 if is_left_out else None


def _is_new(payload: bytes) -> bool | None:
    if payload.startswith(_CREATED):
        return True
    return False if payload.startswith(_CHANGED) else None


def _answers(arguments: Raw, payload: bytes) -> tuple[tuple[str, str], ...]:
    """Answers stand under the numbers of their questions."""
    answered = decode_or_none(_answered, text_in(payload).encode())
    if answered is None:
        return ()
    questions = questions_in(arguments)
    return tuple(
        (questions[int(key)].question if key.isdecimal() and int(key) < len(questions) else "", answer)
        for key, answer in answered.answers.items()
    )


def _verdict(payload: bytes) -> tuple[bool | None, str]:
    text = text_in(payload)
    if text.startswith(_APPROVED):
        return True, ""
    if not text.startswith(_REFUSED):
        return None, ""
    return False, text.partition(_FEEDBACK)[2].partition(_AFTER_FEEDBACK)[0].strip()
