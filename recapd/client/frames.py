"""Content-Length frames, as much of them as a client needs. The daemon's own reader, with its limits, is elsewhere."""

from __future__ import annotations

# A header is two short lines; whoever sends more is no JSON-RPC peer.
MAX_HEADER_BYTES = 4096
# The largest answer a client accepts: an export of a long session, with room to spare.
MAX_BODY_BYTES = 256 << 20


class BadFrame(Exception):
    """The bytes are no frame."""


def encode(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def take(buffer: bytearray, *, max_body_bytes: int = MAX_BODY_BYTES) -> bytes | None:
    """The first whole frame's body, removed from the buffer; None where more bytes are needed."""
    span = body_span(buffer, max_body_bytes=max_body_bytes)
    if span is None or len(buffer) < span[1]:
        return None
    body = bytes(buffer[span[0] : span[1]])
    del buffer[: span[1]]
    return body


def body_span(buffer: bytearray, *, max_body_bytes: int = MAX_BODY_BYTES) -> tuple[int, int] | None:
    """Where the first frame's body begins and ends; None where its header is not whole yet."""
    end = buffer.find(b"\r\n\r\n", 0, MAX_HEADER_BYTES)
    if end < 0:
        if len(buffer) >= MAX_HEADER_BYTES:
            raise BadFrame("the header does not end")
        return None
    for line in buffer[:end].split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            digits = value.strip()
            if not digits.isdigit() or len(digits) > 12 or int(digits) > max_body_bytes:
                raise BadFrame("the length is wrong")
            return end + 4, end + 4 + int(digits)
    raise BadFrame("the header has no length")
