"""What a tool message of an OpenAI-style chat came back with.

The shape has no field for failure: outcomes stand in the text, as its first words or, where the text is itself a
JSON object, in that object's fields. Everything here looks at raw JSON and decodes only what it must.
"""

from __future__ import annotations

import msgspec
from msgspec import Raw, Struct

from recapd.adapters.shared import decode_or_none, text_in
from recapd.core import late_re as re
from recapd.core.log import Result

_EXIT_CODE = re.compile(rb'"Exit code:? (\d{1,9})\b')
_EXIT_TAIL = re.compile(rb'Exit code: (\d{1,9})\s*"$')
# An exit code at the end stands alone on the last line.
_EXIT_TAIL_BYTES = 40
_FAILED_STARTS = (b'"Error:', b'"Error executing', b'"<tool_use_error>')
_REFUSED_STARTS = (
    b"\"The user doesn't want to proceed with this tool use",
    b"\"The user doesn't want to take this action",
)
_REASON_MARKS = ("the user said:", "reason for the rejection:")
# Keys of an object inside the text. Quotes of texts in that object are escaped twice, so these are real keys.
_TELLING_KEYS = tuple(
    b'\\"%b\\"' % key for key in (b"error", b"exit_code", b"success", b"output", b"user_response", b"is_error")
)


class _Outcome(Struct, gc=False):
    """The fields by which tools that answer in JSON say how it went."""

    output: Raw = Raw()
    error: Raw = Raw()
    exit_code: int | None = None
    success: bool | None = None
    is_error: bool | None = None
    question: str | None = None
    user_response: str | None = None


_outcome = msgspec.json.Decoder(_Outcome)


def read_result(call_id: str, content: Raw) -> Result:
    raw = bytes(content)
    if raw.startswith((b'"{', b"{")):
        return _object_result(call_id, raw)
    if raw.startswith(_REFUSED_STARTS):
        return Result(call_id, failed=True, denied=True, reason=_reason(raw), payload=raw)
    code = _exit_code(raw)
    return Result(
        call_id,
        failed=bool(code) or raw.startswith(_FAILED_STARTS),
        exit_code=code,
        payload=b"" if raw == b"null" else raw,
    )


def _object_result(call_id: str, raw: bytes) -> Result:
    is_text = raw.startswith(b'"')
    if is_text and not any(key in raw for key in _TELLING_KEYS):
        return Result(call_id, payload=raw)
    inner = text_in(raw).encode() if is_text else raw
    outcome = decode_or_none(_outcome, inner)
    if outcome is None:
        return Result(call_id, payload=raw)
    has_error = bool(outcome.error) and bytes(outcome.error) not in (b"null", b'""', b"false")
    output = bytes(outcome.output)
    answered = outcome.user_response
    return Result(
        call_id,
        failed=has_error or bool(outcome.exit_code) or outcome.success is False or bool(outcome.is_error),
        exit_code=outcome.exit_code,
        payload=output if output.startswith(b'"') and len(output) > 2 else raw,
        answers=((outcome.question or "", answered),) if answered else (),
    )


def _exit_code(raw: bytes) -> int | None:
    found = _EXIT_CODE.match(raw) or _EXIT_TAIL.search(raw, max(0, len(raw) - _EXIT_TAIL_BYTES))
    return int(found[1]) if found else None


def _reason(raw: bytes) -> str:
    """The human's own words in a refusal."""
    text = text_in(raw)
    for mark in _REASON_MARKS:
        _, found, words = text.partition(mark)
        if found:
            return words.strip()
    return ""
