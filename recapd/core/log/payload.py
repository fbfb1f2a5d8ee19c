"""What a tool returned, read only as far as somebody needs it.

Payloads are raw JSON: a string, or a list of objects with a text. They may be cut anywhere.
"""

from __future__ import annotations

import msgspec

from recapd.core import late_re as re

# Of a payload only the beginning is read for an error's head: stack traces follow.
_ERROR_BYTES = 4_096
# Results nest a block in a list in an object; what lies deeper is no text for people.
_MAX_NESTING = 8
# What shells and harnesses put before the first telling line.
_PREAMBLE = ("<", "Exit code", "Wall time", "Output:", "Chunk ID", "Process exited", "Total output lines")

# What harnesses wrap an error in.
_ERROR_TAG = re.compile(r"</?(?:tool_use_error|error|stderr)>")
_TROUBLE = re.compile(
    r"\b(?:error|FAIL|FAILED|failed|failure|fatal|panic|exception|cannot|denied|not found)\b(?<!\b0 failed)"
)


def error_line(payload: bytes) -> str:
    """The line of an error that says what went wrong, as logged; else its first line."""
    text = text_of_beginning(payload, _ERROR_BYTES)
    text = _ERROR_TAG.sub("", text)
    lines = [bare for line in text.split("\n") if (bare := line.strip()) and not bare.startswith(_PREAMBLE)]
    return next((line for line in lines if _TROUBLE.search(line)), lines[0] if lines else text.strip())


def text_of_payload(payload: bytes) -> str:
    """The text of a raw result: a JSON string, or a list of objects with a text; of a cut one what is there."""
    if not payload:
        return ""
    try:
        value = msgspec.json.decode(payload)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return _text_of_cut(payload)
    return _text_in(value, _MAX_NESTING)


def text_of_beginning(payload: bytes, length: int) -> str:
    """The text in the first bytes of a raw result."""
    return text_of_payload(payload) if len(payload) <= length else _text_of_cut(payload[:length])


def _text_in(value: object, depth: int) -> str:
    if isinstance(value, str) or depth == 0:
        return value if isinstance(value, str) else ""
    if isinstance(value, list):
        return "\n".join(filter(None, (_text_in(item, depth - 1) for item in value)))
    if isinstance(value, dict):
        for key in ("text", "output", "content", "error", "message"):
            if isinstance(found := value.get(key), (str, list)):
                return _text_in(found, depth - 1)
    return ""


def _text_of_cut(payload: bytes) -> str:
    """A JSON value cut in the middle: the string that is open at the cut, unescaped."""
    start = payload.find(b'"text":"')
    body = payload[start + 8 :] if start >= 0 and payload[:1] == b"[" else payload[1:]
    # Cut a dangling escape: it is at most six bytes long.
    for trim in range(7):
        try:
            text = msgspec.json.decode(b'"' + body[: len(body) - trim] + b'"', type=str)
        except (msgspec.DecodeError, ValueError):
            continue
        return text
    return body.decode("utf-8", "replace")
