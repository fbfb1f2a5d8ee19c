"""What a Codex tool came back with: whether it failed, its exit code, answers of the human, the sub-agent it started.

Codex states outcomes inside the text: a first line `Exit code: 1`, a JSON wrapper with metadata, or a head of
`Process exited with code 1`. Everything here reads the raw JSON of that text and decodes only what it must.
"""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Raw, Struct

from recapd.adapters.shared import decode_or_none, text_in
from recapd.core import late_re as re
from recapd.core.log import Result

# A result counts as failed where its beginning or end says so; commands print anything in between.
_HEAD_CHARS = 4000
_TAIL_CHARS = 400
_FAILED = re.compile(r'"exit_code":\s*[1-9]|Exit code: [1-9]|"success":\s*false')
# The same as it stands in raw JSON, from behind words that are looked for first: a pattern takes thrice as long to.
_FAILED_RAW = (
    (b"Exit code: ", re.compile(rb"[1-9]")),
    (b"exit_code", re.compile(rb'\\?":(?:\s|\\[nrt])*[1-9]')),
    (b"success", re.compile(rb'\\?":(?:\s|\\[nrt])*false')),
)

_WRAPPED = b'"{\\"output\\":'
_EXIT_LINE = b'"Exit code: '
_EXITED = b"Process exited with code "
_RUNNING = b"Process running with session ID "
_SANDBOXED = b'"failed in sandbox'
_SANDBOX_CODE = b"exit code: "
# The sandbox's message states the code before the output; behind this many bytes it would be the command's.
_SANDBOX_HEAD = 200
_OUTPUT_LINE = b"\\nOutput:\\n"
_CODE = re.compile(rb"-?\d{1,10}")
_REFUSED = (
    b'"exec command rejected by user',
    b'"patch rejected by user',
    b'"command rejected by user',
    b'"rejected by user',
)
# Texts of patches that did not apply; the log calls none of them a failure.
_UNDONE = (b'"apply_patch verification failed', b'"error: Failed to find', b'"failed in sandbox')
_ANSWERS = b'"{\\"answers\\":'
_SPAWNED = b'"{\\"agent_id\\":'


class _Metadata(Struct, gc=False):
    # Windows has codes of 32 bits without a sign; anything larger is none.
    exit_code: Annotated[int, Meta(ge=-(2**31), lt=2**32)] | None = None


class _Wrapper(Struct, gc=False):
    """What the text of an older result holds."""

    output: Raw = Raw()
    metadata: _Metadata | None = None


class _Object(Struct, gc=False):
    """An output that is an object instead of a text."""

    content: Raw = Raw()


class _Answer(Struct, gc=False):
    answers: list[str] = msgspec.field(default_factory=list)


class _Answers(Struct, gc=False):
    answers: dict[str, _Answer] = msgspec.field(default_factory=dict)


class _Spawned(Struct, gc=False):
    agent_id: str = ""


_text = msgspec.json.Decoder(str)
_wrapper = msgspec.json.Decoder(_Wrapper)
_object = msgspec.json.Decoder(_Object)
_answers = msgspec.json.Decoder(_Answers)
_spawned = msgspec.json.Decoder(_Spawned)


def read_result(call_id: str, output: Raw) -> Result:
    raw = bytes(output)
    if raw.startswith(b"{"):
        value = decode_or_none(_object, raw)
        return Result(call_id, failed=_has_failed(raw), payload=bytes(value.content) if value is not None else b"")
    if raw.startswith(_WRAPPED):
        return _unwrap(call_id, raw)
    if raw.startswith(_ANSWERS):
        return Result(call_id, payload=raw, answers=_answers_in(raw))
    if raw.startswith(_SPAWNED):
        spawned = decode_or_none(_spawned, _inner_json(raw))
        return Result(call_id, payload=raw, subagent=spawned.agent_id if spawned is not None else "")
    return Result(
        call_id,
        failed=_has_failed(raw),
        denied=raw.startswith(_REFUSED),
        exit_code=_exit_code(raw),
        payload=raw,
        undone=raw.startswith(_UNDONE),
        process=_still_running(raw),
    )


def _inner_json(raw: bytes) -> bytes:
    return text_in(raw).encode()


def _unwrap(call_id: str, raw: bytes) -> Result:
    """The text is itself JSON: the output, and beside it the exit code."""
    wrapper = decode_or_none(_wrapper, _inner_json(raw))
    if wrapper is None:
        return Result(call_id, failed=_has_failed(raw), payload=raw)
    code = wrapper.metadata.exit_code if wrapper.metadata is not None else None
    return Result(call_id, failed=_has_failed(raw), exit_code=code, payload=bytes(wrapper.output))


def _has_failed(raw: bytes) -> bool:
    if not any(_says(raw, words, how) for words, how in _FAILED_RAW):
        return False
    text = decode_or_none(_text, raw) if raw.startswith(b'"') else raw.decode("utf-8", "replace")
    if text is None:
        return False
    return _FAILED.search(text[:_HEAD_CHARS] + text[-_TAIL_CHARS:]) is not None


def _says(raw: bytes, words: bytes, how: re.Pattern[bytes]) -> bool:
    at = raw.find(words)
    while at >= 0:
        at += len(words)
        if how.match(raw, at):
            return True
        at = raw.find(words, at)
    return False


def _exit_code(raw: bytes) -> int | None:
    if raw.startswith(_EXIT_LINE):
        return _number_at(raw, len(_EXIT_LINE))
    if raw.startswith(_SANDBOXED):
        at = raw.find(_SANDBOX_CODE, 0, _SANDBOX_HEAD)
        return _number_at(raw, at + len(_SANDBOX_CODE)) if at >= 0 else None
    # The head ends where the command's own words begin.
    at = raw.find(_EXITED, 0, raw.find(_OUTPUT_LINE) + 1)
    return _number_at(raw, at + len(_EXITED)) if at >= 0 else None


def _still_running(raw: bytes) -> str:
    """The process that goes on, by the number that `write_stdin` calls it."""
    at = raw.find(_RUNNING, 0, raw.find(_OUTPUT_LINE) + 1)
    number = _number_at(raw, at + len(_RUNNING)) if at >= 0 else None
    return "" if number is None else str(number)


def _number_at(raw: bytes, position: int) -> int | None:
    found = _CODE.match(raw, position)
    return int(found[0]) if found else None


def _answers_in(raw: bytes) -> tuple[tuple[str, str], ...]:
    """Questions stand by their ids here: only the call knows their words."""
    value = decode_or_none(_answers, _inner_json(raw))
    if value is None:
        return ()
    return tuple((question, ", ".join(answer.answers)) for question, answer in value.answers.items())
